/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Stores the file that the run was imported from, and the file's own description. A run that Dyno measured
 * has none. Returns whether it is written. */
gboolean dyno_store_imports_write (sqlite3 *db, DynoRun *run, GError **error);
/* Adds the content of the imported file if the stored run lacks it. Returns whether nothing failed. */
gboolean dyno_store_imports_complete (sqlite3 *db, DynoRun *run, GError **error);
/* Stores the files of the power meters whose readings the run has. Files that are stored already do not
 * change, but get their content if they lack it. Returns whether they are written. */
gboolean dyno_store_imports_write_meters (sqlite3 *db, DynoRun *run, GError **error);
/* Gives the run its origin, if it has one, and the files of its power meters. Returns whether they could
 * be read. @with_content: whether to read the files themselves as well, which may be large. */
gboolean dyno_store_imports_read (sqlite3 *db, DynoRun *run, gboolean with_content, GError **error);

G_END_DECLS
