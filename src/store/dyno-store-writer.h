/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Call each of these inside a transaction. */

/* Writes the run without its results and as unfinished. Returns whether it is written, and a document may
 * contain it; the other functions return the same. */
gboolean dyno_store_writer_begin_run (sqlite3 *db, DynoRun *run, GError **error);
/* Writes the case, or replaces it after a further invocation. This takes as long in a long run as in a
 * short one, unless a model or a backend is new to the run. Returns whether it is written. */
gboolean dyno_store_writer_add_result (sqlite3 *db, DynoRun *run, DynoResult *result, GError **error);
gboolean dyno_store_writer_end_run (sqlite3 *db, DynoRun *run, GError **error);
/* Returns whether the whole run is written. */
gboolean dyno_store_writer_copy_run (sqlite3 *db, DynoRun *run, GError **error);
/* Returns whether nothing of @run is missing any more. A run of another tool misses no case, because its
 * file was read whole. @run: a stored run that may miss cases or invocations. @n_added: grows by the number
 * of cases that were missing, or had fewer invocations. */
gboolean dyno_store_writer_merge_run (sqlite3 *db, DynoRun *run, guint *n_added, GError **error);
/* Returns whether each of its results replaced the stored one, and its meters are stored. @run: a stored
 * run, with results that hold more than the stored ones. */
gboolean dyno_store_writer_replace_results (sqlite3 *db, DynoRun *run, GError **error);
/* Returns whether they are written. */
gboolean dyno_store_writer_update_run (sqlite3 *db, DynoRun *run, GError **error);

G_END_DECLS
