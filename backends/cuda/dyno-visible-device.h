/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Hides all other devices from this process, so that the first one is the requested one, in whatever order
 * the driver counts. Must be called once, before the driver is used. Returns whether the process sees that
 * device. @variable: the environment variable that limits the visible devices of a process. */
gboolean dyno_visible_device_choose (const char *variable, const char *device, GError **error);

G_END_DECLS
