/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-private.h"

/* Two runs of equal size have the same cases if the other run lacks none of them. */
#define TWIN                                                                                                 \
  "SELECT id FROM runs WHERE id <> ?1 AND n_cases = (SELECT n_cases FROM runs WHERE id = ?1)"                \
  " AND %s IS NULL AND " DYNO_STORE_NO_SELF_TEST                                                             \
  " AND EXISTS (SELECT 1 FROM results WHERE run_id = runs.id)"                                               \
  " AND NOT EXISTS (SELECT 1 FROM results WHERE run_id = runs.id AND " DYNO_STORE_SETTING                    \
  " NOT IN (SELECT " DYNO_STORE_SETTING " FROM results WHERE run_id = ?1))"                                  \
  " ORDER BY started_at DESC, id LIMIT 1"

gpointer
dyno_store_twin_find (sqlite3 *db, gconstpointer id, GError **error)
{
  const char *deletion = dyno_store_schema_has_column (db, "runs", "deleted_at") ? "deleted_at" : "NULL";
  g_autofree char *sql = g_strdup_printf (TWIN, deletion);
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, sql, error);

  if (statement == NULL || !dyno_store_statement_bind (statement, error, "s", id) ||
      !dyno_store_statement_next (statement, error))
    return NULL;
  return dyno_store_statement_dup_word (statement, 0);
}
