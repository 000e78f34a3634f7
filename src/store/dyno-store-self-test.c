/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-machine.h"
#include "dyno-store-schema.h"
#include "dyno-store-self-test.h"

/* Of each process that did not fail, every value that it has. */
#define VALUES                                                                                               \
  "SELECT name, value FROM results"                                                                          \
  " JOIN invocations ON invocations.result_id = results.id AND failure IS NULL"                              \
  " JOIN invocation_values ON invocation_values.result_id = results.id AND invocation = number"              \
  " WHERE run_id = ? AND value IS NOT NULL"

#define RUNS                                                                                                 \
  "SELECT id, started_at, machine_id FROM runs WHERE source = '" DYNO_SELF_TEST_SOURCE                       \
  "' AND deleted_at IS NULL AND machine_id IS NOT NULL ORDER BY started_at DESC, id DESC"

static gboolean
read_values (sqlite3 *db, DynoSelfTest *self_test, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, VALUES, error);
  g_autoptr (GError) local_error = NULL;

  if (statement == NULL || !dyno_store_statement_bind (statement, error, "s", self_test->run_id))
    return FALSE;
  while (dyno_store_statement_next (statement, &local_error))
    {
      g_autofree char *name = dyno_store_statement_dup_word (statement, 0);

      dyno_self_test_add (self_test, name, sqlite3_column_double (statement, 1));
    }
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

/* A self-test that was stopped before it had enough processes is ignored, and an earlier one counts. */
static gboolean
is_whole (const DynoSelfTest *self_test)
{
  return dyno_self_test_count (self_test, "latency_p50_ms") >= DYNO_SELF_TEST_MIN_PROCESSES;
}

static DynoSelfTest *
find_newest (sqlite3 *db, sqlite3_stmt *runs, const char *machine, GError **error)
{
  g_autoptr (GHashTable) machines = NULL;
  g_autoptr (GError) local_error = NULL;

  while (dyno_store_statement_next (runs, &local_error))
    {
      g_autofree char *id = dyno_store_statement_dup_word (runs, 0);
      g_autoptr (DynoSelfTest) self_test = NULL;

      if (machines == NULL && (machines = dyno_store_machine_list_same (db, machine, error)) == NULL)
        return NULL;
      if (!g_hash_table_contains (machines, sqlite3_column_text (runs, 2)))
        continue;
      self_test = dyno_self_test_new (id, (gint64)MAX (sqlite3_column_int64 (runs, 1), 0));
      if (!read_values (db, self_test, error))
        return NULL;
      if (is_whole (self_test))
        return g_steal_pointer (&self_test);
    }
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

/**
 * dyno_store_self_test_read:
 * @db: a connection
 * @machine: the snapshot of the machine, JSON
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the newest self-test of this machine with processes enough for a noise floor; %NULL
 *   without an error where there is none
 */
DynoSelfTest *
dyno_store_self_test_read (sqlite3 *db, const char *machine, GError **error)
{
  g_autoptr (sqlite3_stmt) runs = NULL;

  /* Files of earlier versions have no processes, so they have no self-test either. */
  if (!dyno_store_schema_has_column (db, "invocations", "number"))
    return NULL;
  runs = dyno_store_statement_new (db, RUNS, error);
  return runs != NULL ? find_newest (db, runs, machine, error) : NULL;
}
