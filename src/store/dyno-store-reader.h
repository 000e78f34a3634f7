/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/**
 * DynoStorePlace:
 * @DYNO_STORE_NOWHERE: not in the file
 * @DYNO_STORE_KEPT: among the runs that are listed
 * @DYNO_STORE_IN_BIN: deleted, and not erased yet
 *
 * Where a run is.
 */
typedef enum
{
  DYNO_STORE_NOWHERE,
  DYNO_STORE_KEPT,
  DYNO_STORE_IN_BIN,
} DynoStorePlace;

/* Call each of these inside a transaction, so that it sees one state of the file. */

/* Returns runs without results, plan and machine, newest first. Elements are DynoRun. The caller owns the
 * list, not its elements. @search (nullable): words that must all be found. @limit: the most runs to list. */
GPtrArray *
dyno_store_reader_list_runs (sqlite3 *db, const char *search, guint offset, guint limit, GError **error);
/* Returns the runs in the bin like dyno_store_reader_list_runs(), the last deleted first. Elements are
 * DynoRun. The caller owns the list, not its elements. */
GPtrArray *dyno_store_reader_list_bin (sqlite3 *db, GError **error);
gboolean dyno_store_reader_count_runs (sqlite3 *db, const char *search, guint *count, GError **error);
/* Returns the ids of all runs, oldest first, without those in the bin. */
GStrv dyno_store_reader_list_ids (sqlite3 *db, GError **error);
/* Returns whether the file could be read. */
gboolean dyno_store_reader_find_run (sqlite3 *db, const char *id, DynoStorePlace *place, GError **error);
/* Returns the whole id. The caller owns it. @prefix: a run's id, a prefix that only one run has, or
 * `latest`. */
char *dyno_store_reader_resolve (sqlite3 *db, const char *prefix, DynoStorePlace place, GError **error);
/* Returns the run with its results in the order of the plan. @ordinal: the number of the only case to
 * load, or -1 for all. */
DynoRun *dyno_store_reader_load_run (sqlite3 *db, const char *id, gint64 ordinal, GError **error);

G_END_DECLS
