/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* The kind of a result's device in files of version 2 and before. */
#define DYNO_STORE_DEVICE_KIND_BEFORE_3                                                                      \
  "(SELECT 'software' FROM diagnostics WHERE result_id = results.id AND code = 'software-device')"

/* The state of a case in files of version 4 and before, which do not store dyno_result_get_state(). */
#define DYNO_STORE_STATE_BEFORE_5                                                                            \
  "CASE results.status WHEN 'ok' THEN"                                                                       \
  " CASE WHEN EXISTS (SELECT 1 FROM diagnostics WHERE result_id = results.id AND code = 'no-steady-state')"  \
  " THEN 'unsteady'"                                                                                         \
  " WHEN EXISTS (SELECT 1 FROM diagnostics WHERE result_id = results.id AND severity = 'warning'"            \
  " AND code NOT IN ('above-roof', 'disturbed-roof')) THEN 'doubtful'"                                       \
  " ELSE 'measured' END"                                                                                     \
  " WHEN 'failed' THEN 'failed' WHEN 'skipped' THEN 'skipped' ELSE 'not-run' END"

/* Counts the results of a run that are in a state; @state is an expression. */
#define DYNO_STORE_COUNT_STATE(state, word)                                                                  \
  "(SELECT count (*) FROM results WHERE run_id = runs.id AND " state " = '" word "')"

/**
 * DynoStoreIdentity:
 * @DYNO_STORE_FRESH: an empty file
 * @DYNO_STORE_OLDER: ours, of an earlier version
 * @DYNO_STORE_CURRENT: ours, of this version
 * @DYNO_STORE_NEWER: ours, of a later version
 * @DYNO_STORE_FOREIGN: a database of another program
 *
 * How Dyno classifies an SQLite file.
 */
typedef enum
{
  DYNO_STORE_FRESH,
  DYNO_STORE_OLDER,
  DYNO_STORE_CURRENT,
  DYNO_STORE_NEWER,
  DYNO_STORE_FOREIGN,
} DynoStoreIdentity;

/* Reads everything in one transaction, because another process may just be making the file a store. Returns
 * whether the file could be read. */
gboolean dyno_store_schema_identify (sqlite3 *db, DynoStoreIdentity *identity, GError **error);
/* Brings the file to this version, step by step and all or nothing, and writes its views. Returns whether
 * it is at this version now. */
gboolean dyno_store_schema_migrate (sqlite3 *db, GError **error);
/* Compares tables, indexes and triggers with those that Dyno makes, and allows no view but Dyno's two,
 * which are never read from a document. Returns whether they are the same. @db: a connection to a file of
 * this or an older version. Fails with DYNO_ERROR_INVALID_DATA if something is missing, changed or added. */
gboolean dyno_store_schema_verify (sqlite3 *db, GError **error);
/* Returns whether the table has that column in this file. @db: a connection to a file of this or an older
 * version. */
gboolean dyno_store_schema_has_column (sqlite3 *db, const char *table, const char *column);
/* Reads the whole file and checks that its pages and the types in them are sound. Returns whether they are.
 * Fails with DYNO_ERROR_STORE_DAMAGED, which describes the damage. */
gboolean dyno_store_schema_check_pages (sqlite3 *db, GError **error);
/* Returns whether every row is within the limits of the schema. @db: a connection to a file that is only
 * read, for which SQLite does not enforce its constraints. Fails with DYNO_ERROR_INVALID_DATA naming the
 * table. */
gboolean dyno_store_schema_check_rows (sqlite3 *db, GError **error);

G_END_DECLS
