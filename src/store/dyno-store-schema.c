/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-store-private.h"

/* “Dyno” in ASCII; file(1) and the MIME type recognise documents by it. */
#define APPLICATION_ID 0x44796e6f

/* clang-format off */

/* The rules for the rows of each table. SQLite enforces them on writes; dyno_store_schema_check_rows()
 * checks a file that is only read. JSON that SQLite finds valid is also within its own limit of nesting. */
#define MACHINES_RULE "json_valid (snapshot)"
#define RUNS_RULE \
  "length (id) BETWEEN 1 AND 200 AND started_at >= 0 AND finished_at >= 0" \
  " AND n_cases BETWEEN 0 AND 4294967295 AND n_ok BETWEEN 0 AND n_cases" \
  " AND (machine_state IS NULL OR json_valid (machine_state)) AND (plan IS NULL OR json_valid (plan))"
#define RESULTS_RULE \
  "ordinal BETWEEN 0 AND 4294967295 AND parameter_count >= 0 AND batch_size BETWEEN 1 AND 4294967295" \
  " AND sequence_length BETWEEN 0 AND 4294967295 AND json_valid (options)" \
  " AND status IN ('pending', 'running', 'ok', 'failed', 'skipped', 'cancelled')"
#define VALUES_RULE_1 \
  "quality IN ('measured', 'estimated', 'unsupported') AND (value IS NULL) = (quality = 'unsupported')" \
  " AND (value IS NULL OR value BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308)"
#define VALUES_RULE_5 \
  "quality IN ('measured', 'unsteady', 'estimated', 'unsupported') AND (value IS NULL) = (quality = 'unsupported')" \
  " AND (value IS NULL OR value BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308)"
#define VALUES_RULE \
  "quality IN ('measured', 'unsteady', 'estimated', 'imported', 'unsupported')" \
  " AND (value IS NULL) = (quality = 'unsupported')" \
  " AND (value IS NULL OR value BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308)"
#define SERIES_RULE "length (data) % 16 = 0"
#define OPERATORS_RULE_1 "calls >= 0 AND time_ns >= 0 AND flops >= -1 AND bytes >= -1"
#define OPERATORS_RULE "calls >= 0 AND time_ns >= -1 AND flops >= -1 AND bytes >= -1"
#define DIAGNOSTICS_RULE "severity IN ('info', 'warning', 'error')"
#define INVOCATIONS_RULE "number BETWEEN 0 AND 999"
#define INVOCATION_SERIES_RULE "invocation BETWEEN 0 AND 999"
#define BASELINES_RULE "length (name) BETWEEN 1 AND 200 AND length (run_id) BETWEEN 1 AND 200 AND set_at >= 0"
#define IMPORTS_RULE \
  "length (dialect) BETWEEN 1 AND 200 AND length (tool) BETWEEN 1 AND 200 AND length (hash) = 64 AND size >= 0" \
  " AND imported_at >= 0 AND json_valid (extra)"
#define METERS_RULE \
  "length (hash) = 64 AND length (file_name) BETWEEN 1 AND 4096 AND size >= 0 AND imported_at >= 0"
#define CEILINGS_RULE "value BETWEEN 0 AND 1.7976931348623157e308 AND measured_at >= 0"

static const struct
{
  const char *table;
  const char *rule;
  const char *column; /* a column that files of earlier versions may lack, with its rule */
} rules[] = {
  { "machines", MACHINES_RULE },   { "runs", RUNS_RULE },
  { "results", RESULTS_RULE },     { "metric_values", VALUES_RULE },
  { "series", SERIES_RULE },       { "series", INVOCATION_SERIES_RULE, "invocation" },
  { "operators", OPERATORS_RULE }, { "diagnostics", DIAGNOSTICS_RULE },
  { "invocations", INVOCATIONS_RULE, "number" },
  { "invocation_values", VALUES_RULE, "invocation" },
  { "ceilings", CEILINGS_RULE },
  { "baselines", BASELINES_RULE, "name" },
  { "imports", IMPORTS_RULE, "run_id" },
  { "meters", METERS_RULE, "run_id" },
};

/* The tables that a later version makes again with another rule: SQLite would rewrite the text of a renamed
 * table. The text of each must never change. */
#define OPERATORS_TABLE(rule) \
  "CREATE TABLE operators (\n" \
  "  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,\n" \
  "  ordinal INTEGER NOT NULL,\n" \
  "  name TEXT NOT NULL,\n" \
  "  type TEXT NOT NULL,\n" \
  "  provider TEXT,\n" \
  "  calls INTEGER NOT NULL,\n" \
  "  time_ns INTEGER NOT NULL,\n" \
  "  flops INTEGER NOT NULL,\n" \
  "  bytes INTEGER NOT NULL,\n" \
  "  PRIMARY KEY (result_id, ordinal),\n" \
  "  CHECK (" rule ")\n" \
  ") STRICT, WITHOUT ROWID;\n"
#define VALUES_TABLE(rule) \
  "CREATE TABLE metric_values (\n" \
  "  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,\n" \
  "  name TEXT NOT NULL,\n" \
  "  ordinal INTEGER NOT NULL,\n" \
  "  value REAL,\n" \
  "  unit TEXT NOT NULL,\n" \
  "  quality TEXT NOT NULL,\n" \
  "  source TEXT,\n" \
  "  PRIMARY KEY (result_id, name),\n" \
  "  CHECK (" rule ")\n" \
  ") STRICT, WITHOUT ROWID;\n"
#define INVOCATION_VALUES_TABLE(rule) \
  "CREATE TABLE invocation_values (\n" \
  "  result_id INTEGER NOT NULL,\n" \
  "  invocation INTEGER NOT NULL,\n" \
  "  name TEXT NOT NULL,\n" \
  "  ordinal INTEGER NOT NULL,\n" \
  "  value REAL,\n" \
  "  unit TEXT NOT NULL,\n" \
  "  quality TEXT NOT NULL,\n" \
  "  source TEXT,\n" \
  "  PRIMARY KEY (result_id, invocation, name),\n" \
  "  FOREIGN KEY (result_id, invocation) REFERENCES invocations (result_id, number) ON DELETE CASCADE,\n" \
  "  CHECK (" rule ")\n" \
  ") STRICT, WITHOUT ROWID;\n"
#define REMAKE(table, create) \
  "CREATE TEMPORARY TABLE kept_rows AS SELECT * FROM " table ";\n" \
  "DROP TABLE " table ";\n" create \
  "INSERT INTO " table " SELECT * FROM kept_rows;\n" \
  "DROP TABLE kept_rows;\n"

static const char version_1[] =
  "CREATE TABLE machines (\n"
  "  id TEXT NOT NULL PRIMARY KEY,\n"
  "  snapshot TEXT NOT NULL,\n"
  "  CHECK (" MACHINES_RULE ")\n"
  ") STRICT;\n"

  "CREATE TABLE runs (\n"
  "  id TEXT NOT NULL PRIMARY KEY,\n"
  "  started_at INTEGER NOT NULL,\n"
  "  finished_at INTEGER NOT NULL,\n"
  "  title TEXT,\n"
  "  notes TEXT,\n"
  "  source TEXT,\n"
  "  app_version TEXT,\n"
  "  n_cases INTEGER NOT NULL,\n"
  "  n_ok INTEGER NOT NULL,\n"
  "  summary TEXT NOT NULL,\n"
  "  search TEXT NOT NULL,\n"
  "  machine_id TEXT REFERENCES machines (id),\n"
  "  machine_state TEXT,\n"
  "  plan TEXT,\n"
  "  CHECK (" RUNS_RULE ")\n"
  ") STRICT;\n"
  "CREATE INDEX runs_by_start ON runs (started_at, id);\n"
  "CREATE INDEX runs_by_machine ON runs (machine_id);\n"

  "CREATE TABLE results (\n"
  "  id INTEGER PRIMARY KEY,\n"
  "  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n"
  "  ordinal INTEGER NOT NULL,\n"
  "  model TEXT NOT NULL,\n"
  "  model_name TEXT,\n"
  "  architecture TEXT,\n"
  "  parameter_count INTEGER NOT NULL,\n"
  "  backend TEXT NOT NULL,\n"
  "  device TEXT,\n"
  "  precision TEXT NOT NULL,\n"
  "  batch_size INTEGER NOT NULL,\n"
  "  sequence_length INTEGER NOT NULL,\n"
  "  options TEXT NOT NULL,\n"
  "  status TEXT NOT NULL,\n"
  "  reason TEXT,\n"
  "  CHECK (" RESULTS_RULE ")\n"
  ") STRICT;\n"
  "CREATE INDEX results_by_run ON results (run_id, ordinal);\n"

  VALUES_TABLE (VALUES_RULE_1)

  "CREATE TABLE series (\n"
  "  id INTEGER PRIMARY KEY,\n"
  "  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,\n"
  "  name TEXT NOT NULL,\n"
  "  unit TEXT NOT NULL,\n"
  "  t0 INTEGER NOT NULL,\n"
  "  data BLOB NOT NULL,\n"
  "  CHECK (" SERIES_RULE ")\n"
  ") STRICT;\n"
  "CREATE INDEX series_by_result ON series (result_id);\n"

  OPERATORS_TABLE (OPERATORS_RULE_1)

  "CREATE TABLE diagnostics (\n"
  "  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,\n"
  "  ordinal INTEGER NOT NULL,\n"
  "  severity TEXT NOT NULL,\n"
  "  code TEXT NOT NULL,\n"
  "  message TEXT NOT NULL,\n"
  "  PRIMARY KEY (result_id, ordinal),\n"
  "  CHECK (" DIAGNOSTICS_RULE ")\n"
  ") STRICT, WITHOUT ROWID;\n"

  /* The key's columns come first: SQLite before 3.41 reports rows of any other order as damaged. */
  "CREATE TABLE ceilings (\n"
  "  machine_id TEXT NOT NULL REFERENCES machines (id) ON DELETE CASCADE,\n"
  "  device TEXT NOT NULL,\n"
  "  kind TEXT NOT NULL,\n"
  "  measured_at INTEGER NOT NULL,\n"
  "  value REAL NOT NULL,\n"
  "  unit TEXT NOT NULL,\n"
  "  method TEXT NOT NULL,\n"
  "  PRIMARY KEY (machine_id, device, kind, measured_at),\n"
  "  CHECK (" CEILINGS_RULE ")\n"
  ") STRICT, WITHOUT ROWID;\n";

/* The time of an operator may be unknown: -1. */
static const char version_2[] =
  REMAKE ("operators", OPERATORS_TABLE (OPERATORS_RULE));

/* Adds the kind of a result's device. */
static const char version_3[] =
  "ALTER TABLE results ADD COLUMN device_kind TEXT;\n"
  "UPDATE results SET device_kind = " DYNO_STORE_DEVICE_KIND_BEFORE_3 ";\n";

/* Adds the time at which a run went to the bin; NULL for runs that are not in it. */
static const char version_4[] =
  "ALTER TABLE runs ADD COLUMN deleted_at INTEGER CHECK (deleted_at > 0);\n"
  "CREATE INDEX runs_by_deletion ON runs (deleted_at) WHERE deleted_at IS NOT NULL;\n";

/* Adds the state of a case, counted for the list of runs; and values of a case that never became steady. */
static const char version_5[] =
  "ALTER TABLE results ADD COLUMN state TEXT NOT NULL DEFAULT 'not-run';\n"
  "UPDATE results SET state = " DYNO_STORE_STATE_BEFORE_5 ";\n"
  "ALTER TABLE runs ADD COLUMN n_doubtful INTEGER NOT NULL DEFAULT 0;\n"
  "ALTER TABLE runs ADD COLUMN n_unsteady INTEGER NOT NULL DEFAULT 0;\n"
  "ALTER TABLE runs ADD COLUMN n_failed INTEGER NOT NULL DEFAULT 0;\n"
  "ALTER TABLE runs ADD COLUMN n_skipped INTEGER NOT NULL DEFAULT 0;\n"
  "UPDATE runs SET n_doubtful = " DYNO_STORE_COUNT_STATE ("state", "doubtful") ","
  " n_unsteady = " DYNO_STORE_COUNT_STATE ("state", "unsteady") ","
  " n_failed = " DYNO_STORE_COUNT_STATE ("state", "failed") ","
  " n_skipped = " DYNO_STORE_COUNT_STATE ("state", "skipped") ";\n"

  REMAKE ("metric_values", VALUES_TABLE (VALUES_RULE_5));

/* Adds the processes that measured a case, and the values of each. Earlier results were measured in one
 * process, and have no rows. */
static const char version_6[] =
  "ALTER TABLE series ADD COLUMN invocation INTEGER NOT NULL DEFAULT 0 CHECK (" INVOCATION_SERIES_RULE ");\n"
  "CREATE TABLE invocations (\n"
  "  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,\n"
  "  number INTEGER NOT NULL,\n"
  "  failure TEXT,\n"
  "  PRIMARY KEY (result_id, number),\n"
  "  CHECK (" INVOCATIONS_RULE ")\n"
  ") STRICT, WITHOUT ROWID;\n"

  INVOCATION_VALUES_TABLE (VALUES_RULE_5);

/* Adds names for runs. A name stays even if a damaged file loses its run; the list of baselines shows
 * that. */
static const char version_7[] =
  "CREATE TABLE baselines (\n"
  "  name TEXT NOT NULL PRIMARY KEY,\n"
  "  run_id TEXT NOT NULL,\n"
  "  set_at INTEGER NOT NULL,\n"
  "  CHECK (" BASELINES_RULE ")\n"
  ") STRICT, WITHOUT ROWID;\n";

/* Adds whether the weights of the model were trained or random; NULL if unknown. */
static const char version_8[] =
  "ALTER TABLE results ADD COLUMN weights TEXT;\n";

/* Adds the files that runs were imported from, and values that another tool measured. */
static const char version_9[] =
  "CREATE TABLE imports (\n"
  "  run_id TEXT NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,\n"
  "  dialect TEXT NOT NULL,\n"
  "  tool TEXT NOT NULL,\n"
  "  version TEXT,\n"
  "  file_name TEXT NOT NULL,\n"
  "  imported_at INTEGER NOT NULL,\n"
  "  hash TEXT NOT NULL,\n"
  "  size INTEGER NOT NULL,\n"
  "  extra TEXT NOT NULL,\n"
  "  content BLOB,\n"
  "  CHECK (" IMPORTS_RULE ")\n"
  ") STRICT;\n"

  REMAKE ("metric_values", VALUES_TABLE (VALUES_RULE))

  REMAKE ("invocation_values", INVOCATION_VALUES_TABLE (VALUES_RULE));

/* Adds the files of the power meters whose readings runs have. */
static const char version_10[] =
  "CREATE TABLE meters (\n"
  "  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n"
  "  hash TEXT NOT NULL,\n"
  "  file_name TEXT NOT NULL,\n"
  "  imported_at INTEGER NOT NULL,\n"
  "  size INTEGER NOT NULL,\n"
  "  content BLOB,\n"
  "  PRIMARY KEY (run_id, hash),\n"
  "  CHECK (" METERS_RULE ")\n"
  ") STRICT, WITHOUT ROWID;\n";

/* Adds the kernel that ran for an operator; NULL where the engine does not name it. */
static const char version_11[] = "ALTER TABLE operators ADD COLUMN kernel TEXT;\n";

/* clang-format on */

/* Step i takes a file of version i to version i + 1; a released step never changes again. */
static const char *const steps[] = { version_1, version_2, version_3, version_4,  version_5, version_6,
                                     version_7, version_8, version_9, version_10, version_11 };

gboolean
dyno_store_schema_identify (sqlite3 *db, DynoStoreIdentity *identity, GError **error)
{
  g_autoptr (DynoStoreTransaction) transaction = dyno_store_transaction_read (db, error);
  gint64 application_id = 0, version = 0, n_entries = 0;

  if (transaction == NULL ||
      !dyno_store_statement_read_int (db, "PRAGMA application_id", &application_id, error) ||
      !dyno_store_statement_read_int (db, "PRAGMA user_version", &version, error) ||
      !dyno_store_statement_read_int (db, "SELECT count(*) FROM sqlite_schema", &n_entries, error))
    return FALSE;

  if (application_id == 0 && version == 0 && n_entries == 0)
    *identity = DYNO_STORE_FRESH;
  else if (application_id != APPLICATION_ID || version < 1)
    *identity = DYNO_STORE_FOREIGN;
  else if (version > (gint64)G_N_ELEMENTS (steps))
    *identity = DYNO_STORE_NEWER;
  else
    *identity = version < (gint64)G_N_ELEMENTS (steps) ? DYNO_STORE_OLDER : DYNO_STORE_CURRENT;
  return TRUE;
}

static gboolean
take_steps (sqlite3 *db, gint64 first, gint64 last, GError **error)
{
  for (gint64 i = first; i < last; i++)
    {
      g_autofree char *marks = g_strdup_printf (
          "PRAGMA application_id = %d; PRAGMA user_version = %" G_GINT64_FORMAT, APPLICATION_ID, i + 1);

      if (!dyno_store_statement_run (db, steps[i], error) || !dyno_store_statement_run (db, marks, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
dyno_store_schema_migrate (sqlite3 *db, GError **error)
{
  g_autoptr (DynoStoreTransaction) transaction = dyno_store_transaction_write (db, error);
  gint64 version = 0;

  /* Another process may have migrated while this one waited for the lock. */
  return transaction != NULL && dyno_store_statement_read_int (db, "PRAGMA user_version", &version, error) &&
         take_steps (db, version, G_N_ELEMENTS (steps), error) && dyno_store_views_write (db, error) &&
         dyno_store_transaction_commit (transaction, error);
}

static char *
dump (sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (
      db,
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE " DYNO_STORE_VIEWS_EXCLUDED
      " ORDER BY type, name",
      error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) local_error = NULL;

  if (statement == NULL)
    return NULL;
  while (dyno_store_statement_next (statement, &local_error))
    for (int column = 0; column < 4; column++)
      {
        g_autofree char *field = dyno_store_statement_dup_word (statement, column);
        g_string_append_printf (text, "%s\n", field);
      }
  if (!dyno_error_pass (&local_error, error))
    return NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
dyno_store_schema_verify (sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3) fresh = NULL;
  gint64 version = 0;
  g_autofree char *found = NULL;
  g_autofree char *expected = NULL;

  if (!dyno_store_statement_read_int (db, "PRAGMA user_version", &version, error))
    return FALSE;
  g_return_val_if_fail (version > 0 && version <= (gint64)G_N_ELEMENTS (steps), FALSE);
  found = dump (db, error);
  if (found == NULL)
    return FALSE;
  if (sqlite3_open (":memory:", &fresh) != SQLITE_OK)
    {
      dyno_store_statement_set_error (fresh, error);
      return FALSE;
    }
  expected = take_steps (fresh, 0, version, error) ? dump (fresh, error) : NULL;
  if (expected == NULL)
    return FALSE;
  if (g_str_equal (found, expected))
    return TRUE;
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                       _ ("Its tables, views or triggers are not those of Dyno."));
  return FALSE;
}

gboolean
dyno_store_schema_has_column (sqlite3 *db, const char *table, const char *column)
{
  return sqlite3_table_column_metadata (db, NULL, table, column, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

gboolean
dyno_store_schema_check_pages (sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, "PRAGMA quick_check(1)", error);
  g_autofree char *finding = NULL;

  if (statement == NULL || !dyno_store_statement_next (statement, error))
    return FALSE;
  finding = dyno_store_statement_dup_word (statement, 0);
  if (g_str_equal (finding, "ok"))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED, _ ("“%s” is damaged: %s."),
               sqlite3_db_filename (db, "main"), finding);
  return FALSE;
}

gboolean
dyno_store_schema_check_rows (sqlite3 *db, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autofree char *sql =
          g_strdup_printf ("SELECT EXISTS (SELECT 1 FROM %s WHERE NOT (%s))", rules[i].table, rules[i].rule);
      gint64 broken = 0;

      if (rules[i].column != NULL && !dyno_store_schema_has_column (db, rules[i].table, rules[i].column))
        continue;
      if (!dyno_store_statement_read_int (db, sql, &broken, error))
        return FALSE;
      if (broken)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                       _ ("Its table “%s” contains rows that Dyno never writes."), rules[i].table);
          return FALSE;
        }
    }
  return TRUE;
}
