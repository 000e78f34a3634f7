/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_engine_name_dup (const char *backend_id, const char *device);
char *dyno_engine_name_dup_backend (const char *backend_id, const char *name);
char *dyno_engine_name_dup_list (const char *const *specs);
gboolean dyno_engine_name_tells_device (const char *backend_id, const char *device);

G_END_DECLS
