/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-json.h"
#include "dyno-outcome.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"

/* For each case the last result and the last failure: SQLite takes the other columns from the row of the
 * maximum. */
#define OUTCOMES                                                                                             \
  "SELECT options, status, reason, max (started_at), snapshot FROM results"                                  \
  " JOIN runs ON runs.id = run_id JOIN machines ON machines.id = machine_id"                                 \
  " WHERE status IN ('ok', 'failed') AND %s IS NULL"                                                         \
  " GROUP BY machine_id, options, status ORDER BY 4"

/* Runs record more about their machine than its identity, such as its engines and its kernel. */
static gboolean
is_of_machine (GHashTable *known, const char *snapshot, const char *id)
{
  g_autofree char *own_id = NULL;
  g_autofree char *reduced = NULL;
  gpointer answer;

  if (g_hash_table_lookup_extended (known, snapshot, NULL, &answer))
    return GPOINTER_TO_INT (answer);
  answer = GINT_TO_POINTER (dyno_store_machine_reduce (snapshot, &own_id, &reduced, NULL) &&
                            g_str_equal (own_id, id));
  g_hash_table_insert (known, g_strdup (snapshot), answer);
  return GPOINTER_TO_INT (answer);
}

gpointer
dyno_store_outcomes_read (sqlite3 *db, gconstpointer machine, GError **error)
{
  g_autoptr (GPtrArray) outcomes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_outcome_free);
  const char *deletion = dyno_store_schema_has_column (db, "runs", "deleted_at") ? "deleted_at" : "NULL";
  g_autofree char *sql = g_strdup_printf (OUTCOMES, deletion);
  g_autofree char *id = NULL;
  g_autofree char *reduced = NULL;
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (!dyno_store_machine_reduce (machine, &id, &reduced, error))
    return NULL;
  statement = dyno_store_statement_new (db, sql, error);
  if (statement == NULL)
    return NULL;

  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) local_error = NULL;

  while (dyno_store_statement_next (statement, &local_error))
    {
      g_autofree char *snapshot = dyno_store_statement_dup_text (statement, 4);
      DynoOutcome *outcome;

      if (snapshot == NULL || !is_of_machine (known, snapshot, id))
        continue;

      g_autofree char *json = dyno_store_statement_dup_word (statement, 0);
      g_autofree char *status = dyno_store_statement_dup_word (statement, 1);
      g_autofree char *reason = dyno_store_statement_dup_text (statement, 2);
      g_autoptr (JsonObject) options = dyno_json_parse_object (json, -1, _ ("The stored case"), error);
      g_autoptr (DynoCase) kase = options != NULL ? dyno_case_new_from_json (options, error) : NULL;

      outcome = kase != NULL ? dyno_outcome_new (kase, g_str_equal (status, "ok"), reason,
                                                 (gint64)MAX (sqlite3_column_int64 (statement, 3), 0))
                             : NULL;
      if (outcome == NULL)
        return NULL;
      g_ptr_array_add (outcomes, outcome);
    }
  if (!dyno_error_pass (&local_error, error))
    return NULL;
  return g_steal_pointer (&outcomes);
}
