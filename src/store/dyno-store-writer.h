/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Each is called inside a transaction. */

/* Writes the run without its results and as not finished. Returns whether it is written, and is one that a
 * document may contain; so do the other functions. */
gboolean dyno_store_writer_begin_run (sqlite3 *db, DynoRun *run, GError **error);
/* Writes the case, or after a further invocation puts it in the place of what was known before. This takes
 * as long in a long run as in a short one, unless a model or a backend is new to the run. Returns whether
 * it is written. */
gboolean dyno_store_writer_add_result (sqlite3 *db, DynoRun *run, DynoResult *result, GError **error);
gboolean dyno_store_writer_end_run (sqlite3 *db, DynoRun *run, GError **error);
/* Returns whether it is written whole. */
gboolean dyno_store_writer_copy_run (sqlite3 *db, DynoRun *run, GError **error);
/* Of a run of another tool no case is missing, as its file was read whole. Returns whether nothing of @run
 * is missing any more. @run: a run that is there, with cases or invocations that may be missing. @n_added:
 * grows by the number of cases that were, or had fewer invocations. */
gboolean dyno_store_writer_merge_run (sqlite3 *db, DynoRun *run, guint *n_added, GError **error);
/* Returns whether each of its results stands in the place of the one that was there, and its meters are
 * kept. @run: a run that is there, with results that say more than those that are there. */
gboolean dyno_store_writer_replace_results (sqlite3 *db, DynoRun *run, GError **error);
/* Returns whether they are written. */
gboolean dyno_store_writer_update_run (sqlite3 *db, DynoRun *run, GError **error);

G_END_DECLS
