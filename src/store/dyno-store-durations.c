/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-case.h"
#include "dyno-json.h"
#include "dyno-metric.h"
#include "dyno-phase.h"
#include "dyno-result-samples.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"
#include "dyno-trace.h"

/* Earlier runs say little about how fast the machine is today, and reading them takes time. */
#define LATEST_RUNS "100"

/* The columns of a row, which is a process of a result. */
enum
{
  MACHINE,
  CASE,
  PHASES,
  RESULT,
  ANALYSIS,
  STEP,
  FIRST_TOKEN,
  NEXT_TOKEN,
  WAIT,
};

typedef struct
{
  gint64 result_id;
  guint n_processes;
  DynoCaseDuration sum;
} Duration;

/* Returns when the phase began, in s; when the last phase began if there is none of that number. */
static double
find_phase (DynoTrace *phases, DynoPhase phase)
{
  gsize length = dyno_trace_get_length (phases);
  gsize i = 0;

  while (i + 1 < length && dyno_trace_get_values (phases)[i] < phase)
    i++;
  return length > 0 ? (double)dyno_trace_get_times (phases)[i] / 1e9 : 0;
}

static void
add_process (Duration *self, sqlite3_stmt *statement, DynoTrace *phases)
{
  double analysis = sqlite3_column_double (statement, ANALYSIS) / 1e3;
  double end = find_phase (phases, DYNO_N_PHASES);
  gboolean has_tokens = sqlite3_column_type (statement, FIRST_TOKEN) != SQLITE_NULL;

  self->n_processes++;
  self->sum.seconds += end + analysis - sqlite3_column_double (statement, WAIT) / 1e3;
  self->sum.load += find_phase (phases, DYNO_PHASE_FIRST_RUN);
  self->sum.analysis += end - find_phase (phases, DYNO_PHASE_ANALYSE) + analysis;
  self->sum.first = sqlite3_column_double (statement, has_tokens ? FIRST_TOKEN : STEP) / 1e3;
  self->sum.next = sqlite3_column_double (statement, NEXT_TOKEN) / 1e3;
}

/* The rows of one result are adjacent. The first result of a case and of its kin is the newest, and the only one that
 * counts. */
static void
add_duration (sqlite3_stmt *statement, GHashTable *durations)
{
  g_autofree char *kase = dyno_store_statement_dup_word (statement, CASE);
  g_autoptr (GBytes) bytes = dyno_store_statement_dup_bytes (statement, PHASES);
  g_autoptr (DynoTrace) phases = dyno_trace_new_from_bytes ("phases", "", 0, bytes, NULL);
  g_autoptr (JsonObject) object = dyno_json_try_object (kase, -1);
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  gint64 result_id = sqlite3_column_int64 (statement, RESULT);
  guint length = (guint)dyno_json_member_get_int64 (object, "sequence-length", 0);
  g_autofree char *kin = object != NULL ? dyno_case_dup_kin (node) : NULL;
  const char *const keys[] = { kase, kin };

  if (phases == NULL ||
      find_phase (phases, DYNO_N_PHASES) + sqlite3_column_double (statement, ANALYSIS) / 1e3 <= 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (keys) && keys[i] != NULL; i++)
    {
      Duration *duration = g_hash_table_lookup (durations, keys[i]);

      if (duration == NULL)
        {
          duration = g_new0 (Duration, 1);
          duration->result_id = result_id;
          duration->sum.length = length;
          g_hash_table_insert (durations, g_strdup (keys[i]), duration);
        }
      if (duration->result_id == result_id)
        add_process (duration, statement, phases);
    }
}

gpointer
dyno_store_durations_read (sqlite3 *db, gconstpointer machine, GError **error)
{
  g_autoptr (GHashTable) durations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) machines = dyno_store_machine_list_same (db, machine, error);
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GError) local_error = NULL;

  if (machines == NULL)
    return NULL;
  statement = dyno_store_statement_new (
      db,
      "SELECT runs.machine_id, results.options, series.data, results.id,"
      " (SELECT value FROM invocation_values WHERE result_id = results.id"
      " AND invocation = series.invocation AND name = '" DYNO_RESULT_ANALYSIS_MS "'),"
      " (SELECT value FROM metric_values WHERE result_id = results.id AND name = 'latency_p50_ms'),"
      " (SELECT value FROM metric_values WHERE result_id = results.id AND name = 'first_token_latency_ms'),"
      " (SELECT value FROM metric_values WHERE result_id = results.id AND name = 'inter_token_latency_ms'),"
      " (SELECT value FROM invocation_values WHERE result_id = results.id"
      " AND invocation = series.invocation AND name = '" DYNO_TURNS_WAIT "')"
      " FROM (SELECT id, started_at, machine_id FROM runs ORDER BY started_at DESC LIMIT " LATEST_RUNS
      ") AS runs"
      " JOIN results ON results.run_id = runs.id"
      " JOIN series ON series.result_id = results.id"
      " WHERE results.status = 'ok' AND series.name = 'phases'"
      " AND (SELECT count (*) FROM invocations WHERE result_id = results.id)"
      " >= ifnull (json_extract (results.options, '$.method.invocations'), 0)"
      " ORDER BY runs.started_at DESC, results.id",
      error);
  if (statement == NULL)
    return NULL;
  while (dyno_store_statement_next (statement, &local_error))
    {
      g_autofree char *id = dyno_store_statement_dup_word (statement, MACHINE);

      if (g_hash_table_contains (machines, id))
        add_duration (statement, durations);
    }
  if (!dyno_error_pass (&local_error, error))
    return NULL;

  GHashTable *all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer kase, data;

  g_hash_table_iter_init (&iter, durations);
  while (g_hash_table_iter_next (&iter, &kase, &data))
    {
      Duration *duration = data;

      duration->sum.load /= duration->n_processes;
      g_hash_table_insert (all, g_strdup (kase), g_memdup2 (&duration->sum, sizeof duration->sum));
    }
  return all;
}
