/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-result-samples.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"
#include "dyno-trace.h"

/* Earlier runs say little about how fast the machine is today, and reading them takes time. */
#define LATEST_RUNS "100"

/* The total duration of the result's invocations, and of the analysis that joined one of them. */
typedef struct
{
  gint64 result_id;
  double seconds;
} Duration;

/* The rows of one result are adjacent. The first result of a case is the newest, and the only one that
 * counts. */
static void
add_duration (sqlite3_stmt *statement, GHashTable *durations)
{
  g_autofree char *kase = dyno_store_statement_dup_word (statement, 1);
  g_autoptr (GBytes) bytes = dyno_store_statement_dup_bytes (statement, 2);
  g_autoptr (DynoTrace) phases = dyno_trace_new_from_bytes ("phases", "", 0, bytes, NULL);
  gsize length = phases != NULL ? dyno_trace_get_length (phases) : 0;
  double measured = length > 0 ? (double)dyno_trace_get_times (phases)[length - 1] / 1e9 : 0;
  double seconds = measured + sqlite3_column_double (statement, 4) / 1e3;
  gint64 result_id = sqlite3_column_int64 (statement, 3);
  Duration *duration = g_hash_table_lookup (durations, kase);

  if (seconds <= 0)
    return;
  if (duration == NULL)
    {
      duration = g_new0 (Duration, 1);
      duration->result_id = result_id;
      g_hash_table_insert (durations, g_steal_pointer (&kase), duration);
    }
  if (duration->result_id == result_id)
    duration->seconds += seconds;
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
      " AND invocation = series.invocation AND name = '" DYNO_RESULT_ANALYSIS_MS "')"
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
      g_autofree char *id = dyno_store_statement_dup_word (statement, 0);

      if (g_hash_table_contains (machines, id))
        add_duration (statement, durations);
    }
  if (!dyno_error_pass (&local_error, error))
    return NULL;

  GHashTable *seconds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer kase, duration;

  g_hash_table_iter_init (&iter, durations);
  while (g_hash_table_iter_next (&iter, &kase, &duration))
    g_hash_table_insert (seconds, g_strdup (kase),
                         g_memdup2 (&((Duration *)duration)->seconds, sizeof (double)));
  return seconds;
}
