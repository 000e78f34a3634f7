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

/* Each is called inside a transaction, so that it sees one state of the file. */
GPtrArray *
dyno_store_reader_list_runs (sqlite3 *db, const char *search, guint offset, guint limit, GError **error);
GPtrArray *dyno_store_reader_list_bin (sqlite3 *db, GError **error);
gboolean dyno_store_reader_count_runs (sqlite3 *db, const char *search, guint *count, GError **error);
GStrv dyno_store_reader_list_ids (sqlite3 *db, GError **error);
gboolean dyno_store_reader_find_run (sqlite3 *db, const char *id, DynoStorePlace *place, GError **error);
char *dyno_store_reader_resolve (sqlite3 *db, const char *prefix, DynoStorePlace place, GError **error);
DynoRun *dyno_store_reader_load_run (sqlite3 *db, const char *id, gint64 ordinal, GError **error);

G_END_DECLS
