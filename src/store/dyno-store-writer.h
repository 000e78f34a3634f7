/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Each is called inside a transaction. */
gboolean dyno_store_writer_begin_run (sqlite3 *db, DynoRun *run, GError **error);
gboolean dyno_store_writer_add_result (sqlite3 *db, DynoRun *run, DynoResult *result, GError **error);
gboolean dyno_store_writer_end_run (sqlite3 *db, DynoRun *run, GError **error);
gboolean dyno_store_writer_copy_run (sqlite3 *db, DynoRun *run, GError **error);
gboolean dyno_store_writer_merge_run (sqlite3 *db, DynoRun *run, guint *n_added, GError **error);
gboolean dyno_store_writer_replace_results (sqlite3 *db, DynoRun *run, GError **error);
gboolean dyno_store_writer_update_run (sqlite3 *db, DynoRun *run, GError **error);

G_END_DECLS
