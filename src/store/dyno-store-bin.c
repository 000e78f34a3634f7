/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-store.h"
#include "dyno-store-private.h"

/* A run is erased only if the store is opened twice after the run expired, at least this many days apart. */
#define AGAIN_DAYS 7

gboolean
dyno_store_bin_put (sqlite3 *db, gpointer id, GError **error)
{
  if (!dyno_store_baselines_check_unpinned (db, id, error) ||
      !dyno_store_statement_run_with (db, error,
                                      "UPDATE runs SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL",
                                      "is", g_get_real_time (), id))
    return FALSE;
  if (sqlite3_changes (db) > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The run “%s” is not in the store any more."),
               (char *)id);
  return FALSE;
}

gboolean
dyno_store_bin_restore (sqlite3 *db, gpointer id, GError **error)
{
  if (!dyno_store_statement_run_with (
          db, error, "UPDATE runs SET deleted_at = NULL WHERE id = ? AND deleted_at IS NOT NULL", "s", id))
    return FALSE;
  if (sqlite3_changes (db) > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The run “%s” is not in the bin any more."),
               (char *)id);
  return FALSE;
}

gboolean
dyno_store_bin_erase (sqlite3 *db, const char *id, GError **error)
{
  return dyno_store_statement_run_with (db, error, "DELETE FROM runs WHERE id = ? AND deleted_at IS NOT NULL",
                                        "s", id);
}

/* Erases the machines that neither a run nor a ceiling refers to. */
static gboolean
erase_machines (sqlite3 *db, GError **error)
{
  return dyno_store_statement_run (
      db,
      "DELETE FROM machines WHERE NOT EXISTS (SELECT 1 FROM runs WHERE machine_id = machines.id)"
      " AND NOT EXISTS (SELECT 1 FROM ceilings WHERE machine_id = machines.id)",
      error);
}

gboolean
dyno_store_bin_empty (sqlite3 *db, gpointer unused, GError **error)
{
  return dyno_store_statement_run (db, "DELETE FROM runs WHERE deleted_at IS NOT NULL", error) &&
         erase_machines (db, error);
}

/* A run cannot have been deleted before it finished, even if the clock said so. */
static GStrv
list_expired (sqlite3 *db, gint64 before, GError **error)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_autoptr (GError) local_error = NULL;
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (
      db, "SELECT id FROM runs WHERE deleted_at <= ?1 AND max (started_at, finished_at) <= ?1", error);

  if (statement == NULL || !dyno_store_statement_bind (statement, error, "i", before))
    return NULL;
  while (dyno_store_statement_next (statement, &local_error))
    {
      g_autofree char *id = dyno_store_statement_dup_word (statement, 0);

      g_strv_builder_add (ids, id);
    }
  return dyno_error_pass (&local_error, error) ? g_strv_builder_end (ids) : NULL;
}

/* Remembers the runs that are newly expired, and returns those that were seen expired long enough ago. */
static GStrv
sort_out (GStrv expired, gint64 now, JsonObject *before, JsonObject *after)
{
  g_autoptr (GStrvBuilder) due = g_strv_builder_new ();

  for (char **id = expired; *id != NULL; id++)
    {
      gint64 seen = json_object_get_int_member_with_default (before, *id, now);

      if (seen <= now - AGAIN_DAYS * G_TIME_SPAN_DAY)
        g_strv_builder_add (due, *id);
      else
        json_object_set_int_member (after, *id, MIN (seen, now));
    }
  return g_strv_builder_end (due);
}

gboolean
dyno_store_bin_purge (sqlite3 *db, GError **error)
{
  gint64 now = g_get_real_time ();
  g_autofree char *path = g_strconcat (sqlite3_db_filename (db, "main"), ".bin", NULL);
  g_autofree char *text = NULL;
  gsize length = 0;
  g_autoptr (JsonObject) before = NULL;
  g_autoptr (JsonObject) after = json_object_new ();
  g_auto (GStrv) expired = list_expired (db, now - DYNO_STORE_BIN_DAYS * G_TIME_SPAN_DAY, error);
  g_auto (GStrv) due = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *sightings = NULL;

  /* A file beside the store has the times at which the store first found each run expired, by id of the run. */
  if (g_file_get_contents (path, &text, &length, NULL))
    before = dyno_json_try_object (text, (gssize)length);
  if (before == NULL)
    before = json_object_new ();
  due = expired != NULL ? sort_out (expired, now, before, after) : NULL;
  if (due == NULL)
    return FALSE;
  if (*due != NULL)
    {
      g_autoptr (DynoStoreTransaction) transaction = dyno_store_transaction_write (db, error);

      if (transaction == NULL)
        return FALSE;
      for (char **id = due; *id != NULL; id++)
        if (!dyno_store_bin_erase (db, *id, error))
          return FALSE;
      if (!erase_machines (db, error) || !dyno_store_transaction_commit (transaction, error))
        return FALSE;
    }

  if (json_object_equal (before, after))
    return TRUE;
  if (json_object_get_size (after) == 0)
    {
      g_unlink (path);
      return TRUE;
    }
  root = json_node_init_object (json_node_alloc (), after);
  sightings = dyno_json_text_write (root, FALSE);
  return g_file_set_contents (path, sightings, -1, error);
}
