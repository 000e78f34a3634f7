/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-store-private.h"

gboolean
dyno_store_baselines_set (sqlite3 *db, gpointer data, GError **error)
{
  const DynoBaseline *baseline = data;

  if (dyno_baseline_is_name (baseline->name))
    return dyno_store_statement_run_with (
        db, error, "INSERT OR REPLACE INTO baselines (name, run_id, set_at) VALUES (?, ?, ?)", "ssi",
        baseline->name, baseline->run_id, g_get_real_time ());
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
      _ ("“%s” cannot be the name of a baseline. Choose a short one that is not “last”, and no path."),
      baseline->name);
  return FALSE;
}

gboolean
dyno_store_baselines_remove (sqlite3 *db, gpointer name, GError **error)
{
  if (!dyno_store_statement_run_with (db, error, "DELETE FROM baselines WHERE name = ?", "s", name))
    return FALSE;
  if (sqlite3_changes (db) > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("There is no baseline “%s”. “dyno-cli baseline list” lists them."), (char *)name);
  return FALSE;
}

gpointer
dyno_store_baselines_list (sqlite3 *db, gconstpointer unused, GError **error)
{
  g_autoptr (GPtrArray) baselines = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_baseline_free);
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GError) local_error = NULL;

  if (!dyno_store_schema_has_column (db, "baselines", "name"))
    return g_steal_pointer (&baselines);
  statement = dyno_store_statement_new (
      db,
      "SELECT name, run_id, set_at,"
      " EXISTS (SELECT 1 FROM runs WHERE id = run_id AND deleted_at IS NULL) FROM baselines ORDER BY name",
      error);
  if (statement == NULL)
    return NULL;
  while (dyno_store_statement_next (statement, &local_error))
    {
      DynoBaseline *baseline = g_new0 (DynoBaseline, 1);

      baseline->name = dyno_store_statement_dup_word (statement, 0);
      baseline->run_id = dyno_store_statement_dup_word (statement, 1);
      baseline->set_at = (gint64)MAX (sqlite3_column_int64 (statement, 2), 0);
      baseline->is_kept = sqlite3_column_int (statement, 3) != 0;
      g_ptr_array_add (baselines, baseline);
    }
  return dyno_error_pass (&local_error, error) ? g_steal_pointer (&baselines) : NULL;
}

gboolean
dyno_store_baselines_check_unpinned (sqlite3 *db, const char *run_id, GError **error)
{
  g_autoptr (GPtrArray) baselines = dyno_store_baselines_list (db, NULL, error);

  for (guint i = 0; baselines != NULL && i < baselines->len; i++)
    {
      const DynoBaseline *baseline = baselines->pdata[i];

      if (!g_str_equal (baseline->run_id, run_id))
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("The run is the baseline “%s”, so it cannot be deleted. Remove the baseline first, on "
                      "the page History or by “dyno-cli baseline remove %s”."),
                   baseline->name, baseline->name);
      return FALSE;
    }
  return baselines != NULL;
}
