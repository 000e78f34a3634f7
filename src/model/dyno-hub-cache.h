/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean dyno_hub_cache_is_id (const char *id);
char *dyno_hub_cache_build_path (const char *id);
char **dyno_hub_cache_list_ids (const char *revision);
char *dyno_hub_cache_find (const char *id, const char *revision);

G_END_DECLS
