/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* Saves the case as a document of its own in the folder `STORE.spool`. Returns whether it is there.
 * @result: the case, or NULL to note that the run is over. */
gboolean dyno_store_spool_put (const char *store_path, DynoRun *run, DynoResult *result, GError **error);
/* Returns the paths of the documents that wait for the store; mostly none. */
GStrv dyno_store_spool_list (const char *store_path);
void dyno_store_spool_remove (const char *store_path, const char *path);

G_END_DECLS
