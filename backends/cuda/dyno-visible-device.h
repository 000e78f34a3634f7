/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean dyno_visible_device_choose (const char *variable, const char *device, GError **error);

G_END_DECLS
