/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lets this process see no other device, so that the first there is is the requested one, in whatever
 * order the driver counts. It has to be called before the driver is used, and only once. Returns whether
 * the process sees that device. @variable: the environment variable that limits the devices a process may
 * see. @error: return location for an error. */
gboolean dyno_visible_device_choose (const char *variable, const char *device, GError **error);

G_END_DECLS
