/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean dyno_qnn_profile_read (const char *path, GPtrArray *nodes, GError **error);

G_END_DECLS
