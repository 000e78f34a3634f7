/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Each is called inside a transaction. */
gboolean dyno_store_writer_begin_run (sqlite3 *db, DynoRun *run, GError **error);
gboolean dyno_store_writer_add_result (sqlite3 *db, DynoRun *run, DynoResult *result, GError **error);
gboolean dyno_store_writer_end_run (sqlite3 *db, DynoRun *run, GError **error);
/* Returns whether it is written whole. */
gboolean dyno_store_writer_copy_run (sqlite3 *db, DynoRun *run, GError **error);
gboolean dyno_store_writer_merge_run (sqlite3 *db, DynoRun *run, guint *n_added, GError **error);
/* Returns whether each of its results stands in the place of the one that was there, and its meters are
 * kept. @run: a run that is there, with results that say more than those that are there. */
gboolean dyno_store_writer_replace_results (sqlite3 *db, DynoRun *run, GError **error);
/* Returns whether they are written. */
gboolean dyno_store_writer_update_run (sqlite3 *db, DynoRun *run, GError **error);

G_END_DECLS
