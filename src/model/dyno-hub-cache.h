/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether it is a valid model id on the Hugging Face Hub: `owner/name`, or `name` for the oldest
 * models. */
gboolean dyno_hub_cache_is_id (const char *id);
/* Returns the folder of a model in the cache, which is shared with the hub's own tools: files by hash in
 * `blobs`, links to them by name in `snapshots/COMMIT`, commits by name in `refs`. */
char *dyno_hub_cache_build_path (const char *id);
/* Returns the ids of all models that dyno_hub_cache_find() finds, sorted. Reads only the names of folders. */
char **dyno_hub_cache_list_ids (const char *revision);
/* Returns the folder with the files of model @id as last fetched, NULL if it was never fetched or @id is
 * invalid. The caller owns it. */
char *dyno_hub_cache_find (const char *id, const char *revision);

G_END_DECLS
