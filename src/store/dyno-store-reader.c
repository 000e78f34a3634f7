/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-result-samples.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"
#include "dyno-store-search.h"

/* No result has more rows; a file that claims more is wrong. */
#define MAX_ROWS 1000000

#define RUN_COLUMNS                                                                                          \
  "runs.id, started_at, finished_at, title, notes, source, app_version, n_cases, n_ok, summary, "
#define COUNTS "n_doubtful, n_unsteady, n_failed, n_skipped"
#define COUNTS_BEFORE_5                                                                                      \
  DYNO_STORE_COUNT_STATE (DYNO_STORE_STATE_BEFORE_5, "doubtful")                                             \
  ", " DYNO_STORE_COUNT_STATE (DYNO_STORE_STATE_BEFORE_5, "unsteady") ", " DYNO_STORE_COUNT_STATE (          \
      DYNO_STORE_STATE_BEFORE_5, "failed") ", " DYNO_STORE_COUNT_STATE (DYNO_STORE_STATE_BEFORE_5,           \
                                                                        "skipped")

/* Files of version 8 and before have no imported runs. */
static const char *
import_column (sqlite3 *db)
{
  return dyno_store_schema_has_column (db, "imports", "run_id")
             ? "EXISTS (SELECT 1 FROM imports WHERE run_id = runs.id)"
             : "0";
}

/* The cluster that a submission to other machines recorded in the state of the machine. */
#define CLUSTER_COLUMN                                                                                       \
  "CASE WHEN json_valid (machine_state) THEN json_extract (machine_state, '$.state.cluster') END"

/* Files of version 3 and before have no bin. */
static const char *
deletion_column (sqlite3 *db)
{
  return dyno_store_schema_has_column (db, "runs", "deleted_at") ? "deleted_at" : "NULL";
}

static gboolean
read_rows (sqlite3_stmt *statement,
           gboolean (*read) (sqlite3_stmt *, gpointer, GError **),
           gpointer data,
           GError **error)
{
  g_autoptr (GError) local_error = NULL;

  for (guint n_rows = 0; dyno_store_statement_next (statement, &local_error); n_rows++)
    {
      if (n_rows < MAX_ROWS && read (statement, data, error))
        continue;
      if (n_rows == MAX_ROWS)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                     _ ("A run in “%s” has more rows than Dyno ever writes. The file is not used."),
                     sqlite3_db_filename (sqlite3_db_handle (statement), "main"));
      return FALSE;
    }
  return dyno_error_pass (&local_error, error);
}

static const char *
get_count_columns (sqlite3 *db)
{
  return dyno_store_schema_has_column (db, "runs", "n_doubtful") ? COUNTS : COUNTS_BEFORE_5;
}

static DynoRun *
read_run (sqlite3_stmt *statement)
{
  static const struct
  {
    const char *property;
    int column;
  } texts[] = { { "title", 3 }, { "notes", 4 }, { "source", 5 }, { "app-version", 6 }, { "summary", 9 } };
  g_autofree char *id = dyno_store_statement_dup_word (statement, 0);
  DynoRun *run = dyno_run_new (id);

  g_object_set (run, "started-at", (gint64)MAX (sqlite3_column_int64 (statement, 1), 0), "finished-at",
                (gint64)MAX (sqlite3_column_int64 (statement, 2), 0), "n-cases",
                dyno_store_statement_get_uint (statement, 7), "deleted-at",
                (gint64)MAX (sqlite3_column_int64 (statement, 10), 0), NULL);

  /* Every measured case that is neither doubtful nor unsteady was simply measured, or imported. */
  DynoCaseCounts counts = { 0 };
  gboolean is_imported = sqlite3_column_int (statement, 15) != 0;
  guint n_ok = dyno_store_statement_get_uint (statement, 8);
  guint n_doubtful = MIN (dyno_store_statement_get_uint (statement, 11), n_ok);
  guint n_unsteady = MIN (dyno_store_statement_get_uint (statement, 12), n_ok - n_doubtful);

  counts.of[DYNO_CASE_STATE_DOUBTFUL] = n_doubtful;
  counts.of[DYNO_CASE_STATE_UNSTEADY] = n_unsteady;
  counts.of[is_imported ? DYNO_CASE_STATE_IMPORTED : DYNO_CASE_STATE_MEASURED] =
      n_ok - n_doubtful - n_unsteady;
  counts.of[DYNO_CASE_STATE_FAILED] = dyno_store_statement_get_uint (statement, 13);
  counts.of[DYNO_CASE_STATE_SKIPPED] = dyno_store_statement_get_uint (statement, 14);
  dyno_run_set_counts (run, &counts);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = dyno_store_statement_dup_text (statement, texts[i].column);
      g_object_set (run, texts[i].property, text, NULL);
    }
  return run;
}

static gboolean
read_run_into_list (sqlite3_stmt *statement, gpointer runs, GError **error)
{
  DynoRun *run = read_run (statement);
  g_autofree char *cluster = dyno_store_statement_dup_text (statement, 16);

  g_object_set (run, "cluster", cluster, NULL);
  g_ptr_array_add (runs, run);
  return TRUE;
}

GPtrArray *
dyno_store_reader_list_runs (sqlite3 *db, const char *search, guint offset, guint limit, GError **error)
{
  const char *deletion = deletion_column (db);
  g_autofree char *words = dyno_store_search_dup_words (search);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *sql = g_strdup_printf ("SELECT " RUN_COLUMNS "%s, %s, %s, " CLUSTER_COLUMN
                                          " FROM runs WHERE %s IS NULL AND " DYNO_STORE_NO_SELF_TEST
                                          " AND " DYNO_STORE_SEARCH_CONDITION
                                          " ORDER BY started_at DESC, id DESC LIMIT ?2 OFFSET ?3",
                                          deletion, get_count_columns (db), import_column (db), deletion);
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, sql, error);

  if (statement == NULL ||
      !dyno_store_statement_bind (statement, error, "sii", words, (gint64)limit, (gint64)offset) ||
      !read_rows (statement, read_run_into_list, runs, error))
    return NULL;
  return g_steal_pointer (&runs);
}

gpointer
dyno_store_reader_list_bin (sqlite3 *db, gconstpointer unused, GError **error)
{
  const char *deletion = deletion_column (db);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *sql =
      g_strdup_printf ("SELECT " RUN_COLUMNS "%s, %s, %s, " CLUSTER_COLUMN
                       " FROM runs WHERE %s IS NOT NULL ORDER BY %s DESC, id DESC",
                       deletion, get_count_columns (db), import_column (db), deletion, deletion);
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, sql, error);

  if (statement == NULL || !read_rows (statement, read_run_into_list, runs, error))
    return NULL;
  return g_steal_pointer (&runs);
}

gboolean
dyno_store_reader_count_runs (sqlite3 *db, const char *search, guint *count, GError **error)
{
  g_autofree char *words = dyno_store_search_dup_words (search);
  g_autofree char *sql =
      g_strdup_printf ("SELECT count (*) FROM runs WHERE %s IS NULL AND " DYNO_STORE_NO_SELF_TEST
                       " AND " DYNO_STORE_SEARCH_CONDITION,
                       deletion_column (db));
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, sql, error);

  if (statement == NULL || !dyno_store_statement_bind (statement, error, "s", words) ||
      !dyno_store_statement_next (statement, error))
    return FALSE;
  *count = dyno_store_statement_get_uint (statement, 0);
  return TRUE;
}

static gboolean
read_id_into_list (sqlite3_stmt *statement, gpointer ids, GError **error)
{
  g_autofree char *id = dyno_store_statement_dup_word (statement, 0);

  g_strv_builder_add (ids, id);
  return TRUE;
}

gpointer
dyno_store_reader_list_ids (sqlite3 *db, gconstpointer unused, GError **error)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_autofree char *sql =
      g_strdup_printf ("SELECT id FROM runs WHERE %s IS NULL ORDER BY started_at, id", deletion_column (db));
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, sql, error);

  if (statement == NULL || !read_rows (statement, read_id_into_list, ids, error))
    return NULL;
  return g_strv_builder_end (ids);
}

gboolean
dyno_store_reader_find_run (sqlite3 *db, const char *id, DynoStorePlace *place, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (
      db, "SELECT ifnull ((SELECT 1 + (deleted_at IS NOT NULL) FROM runs WHERE id = ?), 0)", error);

  if (statement == NULL || !dyno_store_statement_bind (statement, error, "s", id) ||
      !dyno_store_statement_next (statement, error))
    return FALSE;
  *place = sqlite3_column_int (statement, 0);
  return TRUE;
}

static void
set_not_found (const char *id, DynoStorePlace place, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               place == DYNO_STORE_IN_BIN
                   ? _ ("There is no run “%s” in the bin. List the bin to see its ids.")
                   : _ ("There is no run “%s”. List the runs to see their ids."),
               id);
}

char *
dyno_store_reader_resolve (sqlite3 *db, const char *prefix, DynoStorePlace place, GError **error)
{
  gboolean latest = g_str_equal (prefix, "latest");
  const char *deletion = deletion_column (db);
  g_autofree char *sql =
      g_strdup_printf ("SELECT id FROM runs WHERE %s %s AND %s LIMIT 2", deletion,
                       place == DYNO_STORE_IN_BIN ? "IS NOT NULL" : "IS NULL",
                       latest ? DYNO_STORE_NO_SELF_TEST " ORDER BY started_at DESC, id DESC"
                              : "id BETWEEN ?1 AND ?1 || char (1114111) ORDER BY id");
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, sql, error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) ids = NULL;

  if (statement == NULL || (!latest && !dyno_store_statement_bind (statement, error, "s", prefix)) ||
      !read_rows (statement, read_id_into_list, builder, error))
    return NULL;
  ids = g_strv_builder_end (builder);
  if (ids[0] == NULL && latest)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                         place == DYNO_STORE_IN_BIN ? _ ("The bin is empty.") : _ ("There are no runs yet."));
  else if (ids[0] == NULL || *prefix == '\0')
    set_not_found (prefix, place, error);
  else if (ids[1] != NULL && !latest && !g_str_equal (ids[0], prefix))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("More than one run starts with “%s”, such as “%s” and “%s”. Give more of the id."),
                 prefix, ids[0], ids[1]);
  else
    return g_strdup (ids[0]);
  return NULL;
}

/* Reads five columns, the first of which is @first. */
static DynoValue *
create_value (sqlite3_stmt *statement, int first)
{
  g_autofree char *name = dyno_store_statement_dup_word (statement, first);
  g_autofree char *unit = dyno_store_statement_dup_word (statement, first + 2);
  g_autofree char *quality_word = dyno_store_statement_dup_word (statement, first + 3);
  g_autofree char *source = dyno_store_statement_dup_text (statement, first + 4);
  DynoQuality quality = DYNO_QUALITY_UNSUPPORTED;

  /* SQLite reads NULL as zero, which would be an invented number. */
  if (sqlite3_column_type (statement, first + 1) == SQLITE_NULL ||
      !dyno_quality_from_string (quality_word, &quality))
    quality = DYNO_QUALITY_UNSUPPORTED;
  return dyno_value_new (name, sqlite3_column_double (statement, first + 1), unit, quality, source);
}

static gboolean
read_value (sqlite3_stmt *statement, gpointer result, GError **error)
{
  dyno_result_take_value (result, create_value (statement, 0));
  return TRUE;
}

static gboolean
read_invocation (sqlite3_stmt *statement, gpointer result, GError **error)
{
  g_autofree char *failure = dyno_store_statement_dup_text (statement, 1);

  dyno_result_take_invocation (result,
                               dyno_invocation_new (dyno_store_statement_get_uint (statement, 0), failure));
  return TRUE;
}

/* Both are ordered by invocation; the schema ties every value to an invocation. */
static gboolean
read_invocation_value (sqlite3_stmt *statement, gpointer result, GError **error)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);
  guint number = dyno_store_statement_get_uint (statement, 0);

  for (guint i = invocations->len; i > 0; i--)
    {
      DynoInvocation *invocation = g_ptr_array_index (invocations, i - 1);

      if (invocation->number == number)
        {
          g_ptr_array_add (invocation->values, create_value (statement, 1));
          break;
        }
    }
  return TRUE;
}

static gboolean
read_trace (sqlite3_stmt *statement, gpointer result, GError **error)
{
  g_autofree char *name = dyno_store_statement_dup_word (statement, 0);
  g_autofree char *unit = dyno_store_statement_dup_word (statement, 1);
  g_autoptr (GBytes) bytes = dyno_store_statement_dup_bytes (statement, 3);
  DynoTrace *trace =
      dyno_trace_new_from_bytes (name, unit, sqlite3_column_int64 (statement, 2), bytes, error);

  if (trace == NULL)
    return FALSE;
  dyno_trace_set_invocation (trace, dyno_store_statement_get_uint (statement, 4));
  dyno_result_take_trace (result, trace);
  return TRUE;
}

static gboolean
read_operator (sqlite3_stmt *statement, gpointer result, GError **error)
{
  g_autofree char *name = dyno_store_statement_dup_word (statement, 0);
  g_autofree char *type = dyno_store_statement_dup_word (statement, 1);
  g_autofree char *provider = dyno_store_statement_dup_text (statement, 2);
  g_autofree char *kernel = dyno_store_statement_dup_text (statement, 7);
  DynoOperator *op = dyno_operator_new (name, type, provider);

  dyno_operator_set_kernel (op, kernel);
  dyno_operator_set_calls (op, MAX (sqlite3_column_int64 (statement, 3), 0));
  dyno_operator_set_time_ns (op, MAX (sqlite3_column_int64 (statement, 4), -1));
  dyno_operator_set_flops (op, MAX (sqlite3_column_int64 (statement, 5), -1));
  dyno_operator_set_bytes (op, MAX (sqlite3_column_int64 (statement, 6), -1));
  dyno_result_take_operator (result, op);
  return TRUE;
}

static gboolean
read_diagnostic (sqlite3_stmt *statement, gpointer result, GError **error)
{
  g_autofree char *word = dyno_store_statement_dup_word (statement, 0);
  g_autofree char *code = dyno_store_statement_dup_word (statement, 1);
  g_autofree char *message = dyno_store_statement_dup_word (statement, 2);
  DynoSeverity severity = DYNO_SEVERITY_WARNING;

  dyno_severity_from_string (word, &severity);
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (severity, code, message));
  return TRUE;
}

typedef struct
{
  gboolean (*read) (sqlite3_stmt *statement, gpointer result, GError **error);
  const char *sql;
  const char *table;   /* set if files of earlier versions may lack the part */
  const char *column;  /* likewise */
  const char *instead; /* the statement for files that lack it, if any */
} Part;

static const Part parts[] = {
  { read_value,
    "SELECT name, value, unit, quality, source FROM metric_values WHERE result_id = ? ORDER BY ordinal" },
  { read_trace, "SELECT name, unit, t0, data, invocation FROM series WHERE result_id = ? ORDER BY id",
    "series", "invocation", "SELECT name, unit, t0, data, 0 FROM series WHERE result_id = ? ORDER BY id" },
  { read_operator,
    "SELECT name, type, provider, calls, time_ns, flops, bytes, kernel FROM operators WHERE result_id = ?"
    " ORDER BY ordinal",
    "operators", "kernel",
    "SELECT name, type, provider, calls, time_ns, flops, bytes, NULL FROM operators WHERE result_id = ?"
    " ORDER BY ordinal" },
  { read_diagnostic, "SELECT severity, code, message FROM diagnostics WHERE result_id = ? ORDER BY ordinal" },
  { read_invocation, "SELECT number, failure FROM invocations WHERE result_id = ? ORDER BY number",
    "invocations", "number" },
  { read_invocation_value,
    "SELECT invocation, name, value, unit, quality, source FROM invocation_values WHERE result_id = ?"
    " ORDER BY invocation, ordinal",
    "invocation_values", "invocation" },
};

/* The run whose results are read. A run may have many, so their statements are prepared once. */
typedef struct
{
  DynoRun *run;
  sqlite3_stmt *statements[G_N_ELEMENTS (parts)]; /* NULL if there is nothing to read */
} Reading;

static void
reading_clear (Reading *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    sqlite3_finalize (self->statements[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static gboolean
prepare_parts (Reading *self, sqlite3 *db, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const char *sql =
          parts[i].table == NULL || dyno_store_schema_has_column (db, parts[i].table, parts[i].column)
              ? parts[i].sql
              : parts[i].instead;

      self->statements[i] = sql != NULL ? dyno_store_statement_new (db, sql, error) : NULL;
      if (sql != NULL && self->statements[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_result_into_run (sqlite3_stmt *statement, gpointer data, GError **error)
{
  Reading *reading = data;
  guint ordinal = dyno_store_statement_get_uint (statement, 1);
  g_autofree char *json = dyno_store_statement_dup_word (statement, 2);
  g_autofree char *what = g_strdup_printf (_ ("Case %u of the run"), ordinal);
  g_autoptr (JsonObject) options = dyno_json_parse_object (json, -1, what, error);
  g_autoptr (DynoCase) kase = options != NULL ? dyno_case_new_from_json (options, error) : NULL;
  g_autofree char *model_name = dyno_store_statement_dup_text (statement, 3);
  g_autofree char *architecture = dyno_store_statement_dup_text (statement, 4);
  g_autofree char *device = dyno_store_statement_dup_text (statement, 6);
  g_autofree char *status_word = dyno_store_statement_dup_word (statement, 7);
  g_autofree char *reason = dyno_store_statement_dup_text (statement, 8);
  g_autofree char *device_kind = dyno_store_statement_dup_text (statement, 9);
  g_autofree char *weights = dyno_store_statement_dup_text (statement, 10);
  DynoStatus status = DYNO_STATUS_FAILED;

  if (kase == NULL)
    return FALSE;
  dyno_status_from_string (status_word, &status);

  g_autoptr (DynoResult) result = dyno_result_new (kase, ordinal);
  gint64 result_id = sqlite3_column_int64 (statement, 0);

  g_object_set (result, "model-name", model_name, "architecture", architecture, "device", device,
                "device-kind", device_kind, "weights", weights, "parameter-count",
                (gint64)MAX (sqlite3_column_int64 (statement, 5), 0), NULL);
  dyno_result_set_status (result, status, reason);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (reading->statements[i] != NULL &&
        (!dyno_store_statement_bind (reading->statements[i], error, "i", result_id) ||
         !read_rows (reading->statements[i], parts[i].read, result, error)))
      return FALSE;

  dyno_result_judge_invocations (result, TRUE);
  dyno_run_add_result (reading->run, result);
  return TRUE;
}

static gboolean
read_run_with_machine_into_list (sqlite3_stmt *statement, gpointer runs, GError **error)
{
  DynoRun *run = read_run (statement);
  g_autofree char *plan = dyno_store_statement_dup_text (statement, 16);

  g_ptr_array_add (runs, run);
  g_object_set (run, "plan", plan, NULL);

  g_autofree char *snapshot = dyno_store_statement_dup_text (statement, 17);
  g_autofree char *state = dyno_store_statement_dup_text (statement, 18);
  g_autofree char *machine = NULL;

  if (snapshot == NULL)
    return TRUE;
  machine = dyno_store_machine_join (snapshot, state != NULL ? state : "{}", error);
  g_object_set (run, "machine", machine, NULL);
  return machine != NULL;
}

DynoRun *
dyno_store_reader_load_run (sqlite3 *db, const char *id, gint64 ordinal, GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT " RUN_COLUMNS "%s, %s, %s, plan, snapshot, machine_state FROM runs"
                       " LEFT JOIN machines ON machines.id = machine_id WHERE runs.id = ?",
                       deletion_column (db), get_count_columns (db), import_column (db));
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, sql, error);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  if (statement == NULL || !dyno_store_statement_bind (statement, error, "s", id) ||
      !read_rows (statement, read_run_with_machine_into_list, runs, error))
    return NULL;
  if (runs->len == 0)
    {
      set_not_found (id, DYNO_STORE_KEPT, error);
      return NULL;
    }
  if (!dyno_store_imports_read (db, runs->pdata[0], FALSE, error))
    return NULL;

  /* A negative @ordinal means all results. */
  const char *kind = dyno_store_schema_has_column (db, "results", "device_kind")
                         ? "device_kind"
                         : DYNO_STORE_DEVICE_KIND_BEFORE_3;
  const char *weights = dyno_store_schema_has_column (db, "results", "weights") ? "weights" : "NULL";
  g_autofree char *results_sql = g_strdup_printf (
      "SELECT id, ordinal, options, model_name, architecture, parameter_count, device,"
      "       status, reason, %s, %s FROM results WHERE run_id = ?1 AND (?2 < 0 OR ordinal = ?2)"
      " ORDER BY ordinal, id",
      kind, weights);
  g_autoptr (sqlite3_stmt) results_statement = dyno_store_statement_new (db, results_sql, error);
  g_auto (Reading) reading = { .run = runs->pdata[0] };

  if (results_statement == NULL || !prepare_parts (&reading, db, error) ||
      !dyno_store_statement_bind (results_statement, error, "si", dyno_run_get_id (runs->pdata[0]),
                                  ordinal) ||
      !read_rows (results_statement, read_result_into_run, &reading, error))
    return NULL;

  return g_object_ref (g_ptr_array_index (runs, 0));
}
