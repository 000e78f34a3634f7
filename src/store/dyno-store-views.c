/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-metric.h"
#include "dyno-model-needs.h"
#include "dyno-store-private.h"

static const char runs_view[] =
    "CREATE VIEW benchmark_runs AS SELECT\n"
    "  runs.id, title, notes, source, app_version, n_cases, n_ok, n_doubtful, n_unsteady, n_failed, "
    "n_skipped,\n"
    "  summary,\n"
    "  datetime (started_at / 1000000, 'unixepoch') AS started,\n"
    "  CASE WHEN finished_at > 0 THEN datetime (finished_at / 1000000, 'unixepoch') END AS finished,\n"
    "  CASE WHEN finished_at > 0 THEN (finished_at - started_at) / 1e6 END AS seconds,\n"
    "  machine_id, json_extract (snapshot, '$.cpu.name') AS cpu\n"
    "FROM runs LEFT JOIN machines ON machines.id = machine_id\n"
    "WHERE deleted_at IS NULL AND " DYNO_STORE_NO_SELF_TEST;

/* The size of the model is inserted between the two parts. */
#define RESULTS_VIEW_BEGIN                                                                                   \
  "CREATE VIEW benchmark_results AS SELECT\n"                                                                \
  "  results.id AS result_id, run_id, title AS run_title,\n"                                                 \
  "  datetime (started_at / 1000000, 'unixepoch') AS started,\n"                                             \
  "  machine_id, json_extract (snapshot, '$.cpu.name') AS cpu,\n"                                            \
  "  ordinal, coalesce (nullif (model_name, ''), model) AS model, architecture, parameter_count,\n"          \
  "  %s AS size, weights,\n"                                                                                 \
  "  backend, device, device_kind, precision,\n"                                                             \
  "  CASE WHEN json_extract (options, '$.\"batch-size\"') = 0 THEN NULL ELSE batch_size END AS "             \
  "batch_size,\n"                                                                                            \
  "  sequence_length,\n"                                                                                     \
  "  coalesce (json_extract (options, '$.load'), 'single') AS load, status, state, reason"

static const char results_view_end[] =
    "\nFROM results JOIN runs ON runs.id = run_id LEFT JOIN machines ON machines.id = machine_id\n"
    "WHERE deleted_at IS NULL AND " DYNO_STORE_NO_SELF_TEST;

/* Values that follow from ceilings have no column: they are computed when a run is shown. */
static char *
build_results_view (void)
{
  /* The size class for a number of parameters; 0 means unknown. */
  GString *size_sql = g_string_new ("CASE WHEN parameter_count <= 0 THEN NULL");

  for (guint i = 0; i + 1 < DYNO_N_SIZE_CLASSES; i++)
    g_string_append_printf (size_sql, " WHEN parameter_count < %" G_GINT64_FORMAT " THEN '%s'",
                            dyno_size_classes[i].limit, dyno_size_classes[i].id);
  g_string_append_printf (size_sql, " ELSE '%s' END", dyno_size_classes[DYNO_N_SIZE_CLASSES - 1].id);

  g_autofree char *size = g_string_free (size_sql, FALSE);
  GString *sql = g_string_new (NULL);
  GPtrArray *values = dyno_metric_list_values ();

  g_string_printf (sql, RESULTS_VIEW_BEGIN, size);
  for (guint i = 0; i < values->len; i++)
    {
      const DynoMetricValue *value = values->pdata[i];

      if (value->is_column)
        g_string_append_printf (
            sql, ",\n  (SELECT value FROM metric_values WHERE result_id = results.id AND name = '%s') AS %s",
            value->name, value->name);
    }
  g_string_append (sql, results_view_end);
  return g_string_free (sql, FALSE);
}

static gboolean
is_current (sqlite3 *db, const char *name, const char *sql)
{
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (
      db, "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ? AND sql = ?", NULL);

  return statement != NULL && dyno_store_statement_bind (statement, NULL, "ss", name, sql) &&
         dyno_store_statement_next (statement, NULL);
}

gboolean
dyno_store_views_write (sqlite3 *db, GError **error)
{
  g_autofree char *results_view = build_results_view ();

  return dyno_store_statement_run (
             db, "DROP VIEW IF EXISTS benchmark_runs; DROP VIEW IF EXISTS benchmark_results", error) &&
         dyno_store_statement_run (db, runs_view, error) &&
         dyno_store_statement_run (db, results_view, error);
}

gboolean
dyno_store_views_update (sqlite3 *db, GError **error)
{
  g_autofree char *results_view = build_results_view ();
  g_autoptr (DynoStoreTransaction) transaction = NULL;

  if (is_current (db, "benchmark_runs", runs_view) && is_current (db, "benchmark_results", results_view))
    return TRUE;
  transaction = dyno_store_transaction_write (db, error);
  return transaction != NULL && dyno_store_views_write (db, error) &&
         dyno_store_transaction_commit (transaction, error);
}
