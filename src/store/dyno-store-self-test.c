/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-machine.h"
#include "dyno-store-private.h"

/* Self-tests of one case with enough processes that did not fail, the newest first; turns of two cases have no noise floor.
 * Only the processes of self-tests are counted: the cases of other runs are not read. */
#define RUNS                                                                                                 \
  "SELECT id, started_at, machine_id FROM runs"                                                              \
  " WHERE source = '" DYNO_SELF_TEST_SOURCE "' AND deleted_at IS NULL AND machine_id IS NOT NULL"            \
  " AND (SELECT count (*) FROM results WHERE run_id = runs.id) = 1"                                          \
  " AND (SELECT count (*) FROM results JOIN invocations ON result_id = results.id AND failure IS NULL"       \
  " WHERE run_id = runs.id) >= " G_STRINGIFY (                                                               \
      DYNO_SELF_TEST_MIN_PROCESSES) " ORDER BY started_at DESC, id DESC"

gpointer
dyno_store_self_test_read (sqlite3 *db, gconstpointer machine, GError **error)
{
  g_autoptr (sqlite3_stmt) runs = NULL;
  g_autoptr (GHashTable) machines = NULL;
  g_autoptr (GError) local_error = NULL;

  /* Files of earlier versions have no processes, and therefore no self-test. */
  if (!dyno_store_schema_has_column (db, "invocations", "number"))
    return NULL;
  runs = dyno_store_statement_new (db, RUNS, error);
  while (runs != NULL && dyno_store_statement_next (runs, &local_error))
    {
      g_autofree char *id = dyno_store_statement_dup_word (runs, 0);
      g_autoptr (DynoSelfTest) self_test = NULL;

      if (machines == NULL && (machines = dyno_store_machine_list_same (db, machine, error)) == NULL)
        return NULL;
      if (!g_hash_table_contains (machines, sqlite3_column_text (runs, 2)))
        continue;

      gint64 measured_at = (gint64)MAX (sqlite3_column_int64 (runs, 1), 0);
      g_autoptr (DynoRun) run = dyno_store_reader_load_run (db, id, -1, error);
      g_autoptr (DynoResult) result =
          run != NULL ? g_list_model_get_item (dyno_run_get_results (run), 0) : NULL;

      self_test = result != NULL ? dyno_self_test_new_from_result (id, measured_at, result) : NULL;
      /* Ignore a self-test that was stopped before it had enough processes; an earlier one counts. */
      if (self_test == NULL ||
          dyno_self_test_count (self_test, "latency_p50_ms") >= DYNO_SELF_TEST_MIN_PROCESSES)
        return g_steal_pointer (&self_test);
    }
  dyno_error_pass (&local_error, error);
  return NULL;
}
