/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json.h"
#include "dyno-result-samples.h"
#include "dyno-roofline.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"

static gboolean
insert_run (sqlite3 *db, DynoRun *run, GError **error)
{
  const char *plan = dyno_run_get_plan (run);
  g_autofree char *machine_id = NULL;
  g_autofree char *machine_state = NULL;

  if (plan != NULL && *plan == '\0')
    plan = NULL;

  const char *json = dyno_run_get_machine (run);
  g_autofree char *snapshot = NULL;

  return (json == NULL || *json == '\0' ||
          (dyno_store_machine_split (json, &machine_id, &snapshot, &machine_state, error) &&
           dyno_store_statement_run_with (
               db, error, "INSERT INTO machines (id, snapshot) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
               "ss", machine_id, snapshot))) &&
         dyno_store_statement_run_with (
             db, error,
             "INSERT INTO runs (id, started_at, finished_at, title, notes, source, app_version, n_cases, "
             "n_ok,"
             "                  summary, search, machine_id, machine_state, plan)"
             " VALUES (?, ?, 0, ?, ?, ?, ?, ?, 0, '', '', ?, ?, ?)",
             "sittttittt", dyno_run_get_id (run), dyno_run_get_started_at (run), dyno_run_get_title (run),
             dyno_run_get_notes (run), dyno_run_get_source (run), dyno_run_get_app_version (run),
             (gint64)dyno_run_get_n_cases (run), machine_id, machine_state, plan) &&
         dyno_store_imports_write (db, run, error) && dyno_store_imports_write_meters (db, run, error) &&
         dyno_store_summary_write (db, dyno_run_get_id (run), error);
}

gboolean
dyno_store_writer_begin_run (sqlite3 *db, gpointer run, GError **error)
{
  return insert_run (db, run, error) &&
         dyno_store_meaning_check_run (db, dyno_run_get_id (run), DYNO_STORE_NO_RESULT, error);
}

static gboolean
insert_value (sqlite3_stmt *statement, gint64 result_id, gint64 ordinal, gpointer item, GError **error)
{
  return dyno_store_statement_bind (statement, error, "isidsst", result_id, dyno_value_get_name (item),
                                    ordinal, dyno_value_get_number (item), dyno_value_get_unit (item),
                                    dyno_quality_to_string (dyno_value_get_quality (item)),
                                    dyno_value_get_source (item)) &&
         dyno_store_statement_execute (statement, error);
}

static gboolean
insert_trace (sqlite3_stmt *statement, gint64 result_id, gint64 ordinal, gpointer item, GError **error)
{
  g_autoptr (GBytes) bytes = dyno_trace_to_bytes (item);

  return dyno_store_statement_bind (statement, error, "issibi", result_id, dyno_trace_get_name (item),
                                    dyno_trace_get_unit (item), dyno_trace_get_origin (item), bytes,
                                    (gint64)dyno_trace_get_invocation (item)) &&
         dyno_store_statement_execute (statement, error);
}

static gboolean
insert_operator (sqlite3_stmt *statement, gint64 result_id, gint64 ordinal, gpointer item, GError **error)
{
  return dyno_store_statement_bind (statement, error, "iisstiiiit", result_id, ordinal,
                                    dyno_operator_get_name (item), dyno_operator_get_op_type (item),
                                    dyno_operator_get_provider (item), dyno_operator_get_calls (item),
                                    dyno_operator_get_time_ns (item), dyno_operator_get_flops (item),
                                    dyno_operator_get_bytes (item), dyno_operator_get_kernel (item)) &&
         dyno_store_statement_execute (statement, error);
}

static gboolean
insert_diagnostic (sqlite3_stmt *statement, gint64 result_id, gint64 ordinal, gpointer item, GError **error)
{
  return dyno_store_statement_bind (statement, error, "iisss", result_id, ordinal,
                                    dyno_severity_to_string (dyno_diagnostic_get_severity (item)),
                                    dyno_diagnostic_get_code (item), dyno_diagnostic_get_message (item)) &&
         dyno_store_statement_execute (statement, error);
}

static gboolean
insert_invocation (sqlite3_stmt *statement, gint64 result_id, gint64 ordinal, gpointer item, GError **error)
{
  const DynoInvocation *invocation = item;

  return dyno_store_statement_bind (statement, error, "iit", result_id, (gint64)invocation->number,
                                    invocation->failure) &&
         dyno_store_statement_execute (statement, error);
}

typedef struct
{
  GPtrArray *(*get) (DynoResult *result);
  gboolean (*insert) (
      sqlite3_stmt *statement, gint64 result_id, gint64 ordinal, gpointer item, GError **error);
  const char *sql;
} Part;

static const Part parts[] = {
  { dyno_result_get_values, insert_value,
    "INSERT INTO metric_values (result_id, name, ordinal, value, unit, quality, source)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (result_id, name) DO NOTHING" },
  { dyno_result_get_traces, insert_trace,
    "INSERT INTO series (result_id, name, unit, t0, data, invocation) VALUES (?, ?, ?, ?, ?, ?)" },
  { dyno_result_get_operators, insert_operator,
    "INSERT INTO operators (result_id, ordinal, name, type, provider, calls, time_ns, flops, bytes, kernel)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" },
  { dyno_result_get_diagnostics, insert_diagnostic,
    "INSERT INTO diagnostics (result_id, ordinal, severity, code, message) VALUES (?, ?, ?, ?, ?)" },
  { dyno_result_get_invocations, insert_invocation,
    "INSERT INTO invocations (result_id, number, failure) VALUES (?, ?, ?)" },
};

static gboolean
insert_part (sqlite3 *db, const Part *part, gint64 result_id, DynoResult *result, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, part->sql, error);
  GPtrArray *items = part->get (result);

  if (statement == NULL)
    return FALSE;
  for (guint i = 0; i < items->len; i++)
    {
      gpointer item = g_ptr_array_index (items, i);
      /* Values that follow from the roofs or the invocations are computed when a run is loaded. */
      gboolean is_computed = part->get == dyno_result_get_values
                                 ? dyno_roofline_is_derived (dyno_value_get_name (item))
                             : part->get == dyno_result_get_diagnostics
                                 ? dyno_roofline_is_derived (dyno_diagnostic_get_code (item)) ||
                                       dyno_result_is_about_invocations (dyno_diagnostic_get_code (item))
                                 : FALSE;

      if (!is_computed && !part->insert (statement, result_id, i, item, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
insert_values_of_invocation (sqlite3_stmt *statement,
                             gint64 result_id,
                             const DynoInvocation *invocation,
                             GError **error)
{
  for (guint i = 0; i < invocation->values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (invocation->values, i);

      if (!dyno_store_statement_bind (statement, error, "iisidsst", result_id, (gint64)invocation->number,
                                      dyno_value_get_name (value), (gint64)i, dyno_value_get_number (value),
                                      dyno_value_get_unit (value),
                                      dyno_quality_to_string (dyno_value_get_quality (value)),
                                      dyno_value_get_source (value)) ||
          !dyno_store_statement_execute (statement, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
insert_result (sqlite3 *db, const char *run_id, DynoResult *result, gint64 *result_id, GError **error)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autoptr (JsonNode) options = dyno_case_to_json (kase);
  g_autofree char *json = dyno_json_text_write (options, FALSE);

  if (!dyno_store_statement_run_with (
          db, error,
          "INSERT INTO results (run_id, ordinal, model, model_name, architecture, parameter_count, backend, "
          "device, device_kind,"
          "                     precision, batch_size, sequence_length, options, status, reason, state, "
          "weights)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          "sisttisttsiisstst", run_id, (gint64)dyno_result_get_ordinal (result), dyno_case_get_model (kase),
          dyno_result_get_model_name (result), dyno_result_get_architecture (result),
          dyno_result_get_parameter_count (result), dyno_case_get_backend (kase),
          dyno_result_get_device (result), dyno_result_get_device_kind (result),
          dyno_case_get_precision (kase), (gint64)MAX (dyno_case_get_batch_size (kase), 1),
          (gint64)dyno_case_get_sequence_length (kase), json,
          dyno_status_to_string (dyno_result_get_status (result)), dyno_result_get_reason (result),
          dyno_case_state_to_string (dyno_result_get_state (result)), dyno_result_get_weights (result)))
    return FALSE;
  *result_id = sqlite3_last_insert_rowid (db);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!insert_part (db, &parts[i], *result_id, result, error))
      return FALSE;

  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (
      db,
      "INSERT INTO invocation_values (result_id, invocation, name, ordinal, value, unit, quality, source)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (result_id, invocation, name) DO NOTHING",
      error);

  if (statement == NULL)
    return FALSE;
  for (guint i = 0; i < invocations->len; i++)
    if (!insert_values_of_invocation (statement, *result_id, g_ptr_array_index (invocations, i), error))
      return FALSE;
  return TRUE;
}

/* The stored row of a case, if any: how far the case was measured, and whether its model has the same name
 * now. */
typedef struct
{
  gint64 id; /* -1 if there is no row */
  gint64 n_invocations;
  gboolean is_unanalysed;
  gboolean has_same_name;
} Row;

static gboolean
find_case (sqlite3 *db, const char *run_id, DynoResult *result, Row *row, GError **error)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (
      db,
      "SELECT id, (SELECT count (*) FROM invocations WHERE result_id = results.id), model_name IS ?,"
      " EXISTS (SELECT 1 FROM diagnostics WHERE result_id = results.id AND code = '" DYNO_RESULT_NOT_ANALYSED
      "')"
      " FROM results WHERE run_id = ? AND ordinal = ? AND model = ? AND backend = ? LIMIT 1",
      error);

  *row = (Row){ .id = -1 };
  if (statement == NULL ||
      !dyno_store_statement_bind (statement, error, "tsiss", dyno_result_get_model_name (result), run_id,
                                  (gint64)dyno_result_get_ordinal (result), dyno_case_get_model (kase),
                                  dyno_case_get_backend (kase)))
    return FALSE;
  if (dyno_store_statement_next (statement, &local_error))
    {
      row->id = sqlite3_column_int64 (statement, 0);
      row->n_invocations = sqlite3_column_int64 (statement, 1);
      row->has_same_name = sqlite3_column_int (statement, 2);
      row->is_unanalysed = sqlite3_column_int (statement, 3);
    }
  return dyno_error_pass (&local_error, error);
}

/* A stored case is replaced only by one with more invocations, by one that expects no more, or by one that was analysed
 * since, which may have failed by that. */
static gboolean
gives_way (sqlite3 *db, const Row *row, DynoResult *result)
{
  gint64 n = dyno_result_get_invocations (result)->len;

  if (row->is_unanalysed && dyno_result_find_message (result, DYNO_RESULT_NOT_ANALYSED) == NULL)
    return TRUE;
  if (row->n_invocations != n || !dyno_result_is_complete (result))
    return row->n_invocations < n;

  /* A complete result replaces one that planned other invocations: it was dropped since. */
  g_autoptr (JsonNode) node = dyno_case_to_json (dyno_result_get_case (result));
  g_autofree char *json = dyno_json_text_write (node, FALSE);
  g_autoptr (sqlite3_stmt) statement =
      dyno_store_statement_new (db, "SELECT 1 FROM results WHERE id = ? AND options <> ?", NULL);

  return statement != NULL && dyno_store_statement_bind (statement, NULL, "is", row->id, json) &&
         dyno_store_statement_next (statement, NULL);
}

/* Updates the counts of the run, but not its texts. */
static gboolean
replace_result (
    sqlite3 *db, const char *run_id, const Row *row, DynoResult *result, gint64 *result_id, GError **error)
{
  return (row->id < 0 ||
          (dyno_store_summary_count (db, row->id, -1, error) &&
           dyno_store_statement_run_with (db, error, "DELETE FROM results WHERE id = ?", "i", row->id))) &&
         insert_result (db, run_id, result, result_id, error) &&
         dyno_store_summary_count (db, *result_id, 1, error);
}

gboolean
dyno_store_writer_add_result (sqlite3 *db, DynoRun *run, DynoResult *result, GError **error)
{
  const char *id = dyno_run_get_id (run);
  gboolean is_named;
  gint64 result_id;
  Row row;

  if (!find_case (db, id, result, &row, error))
    return FALSE;
  if (row.id >= 0 && !gives_way (db, &row, result))
    return TRUE;
  is_named = row.id >= 0 ? row.has_same_name : dyno_store_summary_names (db, id, result);
  return replace_result (db, id, &row, result, &result_id, error) &&
         (is_named || dyno_store_summary_write (db, id, error)) &&
         dyno_store_meaning_check_run (db, id, result_id, error);
}

static gboolean
finish_run (sqlite3 *db, DynoRun *run, GError **error)
{
  return dyno_store_statement_run_with (db, error, "UPDATE runs SET finished_at = ? WHERE id = ?", "is",
                                        dyno_run_get_finished_at (run), dyno_run_get_id (run)) &&
         dyno_store_summary_write (db, dyno_run_get_id (run), error);
}

gboolean
dyno_store_writer_end_run (sqlite3 *db, DynoRun *run, GError **error)
{
  return finish_run (db, run, error) &&
         dyno_store_meaning_check_run (db, dyno_run_get_id (run), DYNO_STORE_NO_RESULT, error);
}

gboolean
dyno_store_writer_copy_run (sqlite3 *db, DynoRun *run, GError **error)
{
  GListModel *results = dyno_run_get_results (run);

  if (!insert_run (db, run, error))
    return FALSE;
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      gint64 result_id;

      if (!insert_result (db, dyno_run_get_id (run), result, &result_id, error))
        return FALSE;
    }
  return finish_run (db, run, error) &&
         dyno_store_meaning_check_run (db, dyno_run_get_id (run), DYNO_STORE_ALL_RESULTS, error);
}

gboolean
dyno_store_writer_merge_run (sqlite3 *db, DynoRun *run, guint *n_added, GError **error)
{
  const char *id = dyno_run_get_id (run);
  GListModel *results = dyno_run_get_results (run);
  /* A file of another tool was imported whole, whatever its cases are called now: some are named after the
   * file. */
  gboolean is_whole = dyno_run_get_origin (run) != NULL;

  for (guint i = 0; i < g_list_model_get_n_items (results) && !is_whole; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      gint64 result_id;
      Row row;

      if (!find_case (db, id, result, &row, error))
        return FALSE;
      if (row.id >= 0 && !gives_way (db, &row, result))
        continue;
      if (!replace_result (db, id, &row, result, &result_id, error))
        return FALSE;
      *n_added += 1;
    }

  return dyno_store_imports_complete (db, run, error) && dyno_store_imports_write_meters (db, run, error) &&
         dyno_store_statement_run_with (
             db, error,
             "UPDATE runs SET finished_at = max (finished_at, ?), n_cases = max (n_cases, ?) WHERE id = ?",
             "iis", dyno_run_get_finished_at (run), (gint64)dyno_run_get_n_cases (run), id) &&
         (*n_added == 0 || dyno_store_summary_write (db, id, error)) &&
         dyno_store_meaning_check_run (db, id, DYNO_STORE_ALL_RESULTS, error);
}

gboolean
dyno_store_writer_replace_results (sqlite3 *db, gpointer run, GError **error)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      gint64 result_id;
      Row row;

      if (!find_case (db, dyno_run_get_id (run), result, &row, error) ||
          !replace_result (db, dyno_run_get_id (run), &row, result, &result_id, error))
        return FALSE;
    }
  return dyno_store_imports_write_meters (db, run, error) &&
         dyno_store_summary_write (db, dyno_run_get_id (run), error) &&
         dyno_store_meaning_check_run (db, dyno_run_get_id (run), DYNO_STORE_ALL_RESULTS, error);
}

gboolean
dyno_store_writer_update_run (sqlite3 *db, gpointer run, GError **error)
{
  return dyno_store_statement_run_with (db, error, "UPDATE runs SET title = ?, notes = ? WHERE id = ?", "tts",
                                        dyno_run_get_title (run), dyno_run_get_notes (run),
                                        dyno_run_get_id (run)) &&
         dyno_store_summary_write (db, dyno_run_get_id (run), error);
}
