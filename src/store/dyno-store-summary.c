/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-engine-name.h"
#include "dyno-error.h"
#include "dyno-store-private.h"
#include "dyno-store-search.h"

/* A path is shortened to its last component; a model's name is not a path, even with a slash. */
#define MODEL "rtrim (model, '/')"
#define MODEL_NAME                                                                                           \
  "coalesce (nullif (model_name, ''), replace (" MODEL ", rtrim (" MODEL ", replace (model, '/', '')), ''))"

/* The device that a case requests, empty for the default device. */
#define DEVICE "ifnull (CASE WHEN json_valid (options) THEN json_extract (options, '$.device') END, '')"

/* A summary names at most this many models and counts the rest. */
#define SUMMARY_MODELS 3

static GPtrArray *
read_words (sqlite3 *db, const char *sql, const char *run_id, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, sql, error);
  g_autoptr (GError) local_error = NULL;

  if (statement == NULL || !dyno_store_statement_bind (statement, error, "s", run_id))
    return NULL;
  while (dyno_store_statement_next (statement, &local_error))
    g_ptr_array_add (words, dyno_store_statement_dup_word (statement, 0));
  if (!dyno_error_pass (&local_error, error))
    return NULL;
  return g_steal_pointer (&words);
}

static char *
build_summary (GPtrArray *models, GPtrArray *places)
{
  g_autoptr (GString) summary = g_string_new (NULL);
  g_autoptr (GPtrArray) engines = g_ptr_array_new_with_free_func (g_free);

  /* Lists each name once; a place is a backend and, on a line of its own, its device. */
  for (guint i = 0; i < places->len; i++)
    {
      g_auto (GStrv) parts = g_strsplit (places->pdata[i], "\n", 2);
      char *engine = dyno_engine_name_dup (parts[0], parts[1]);

      if (g_ptr_array_find_with_equal_func (engines, engine, g_str_equal, NULL))
        g_free (engine);
      else
        g_ptr_array_add (engines, engine);
    }

  for (guint i = 0; i < MIN (models->len, SUMMARY_MODELS); i++)
    g_string_append_printf (summary, "%s%s", i > 0 ? ", " : "", (char *)g_ptr_array_index (models, i));
  if (models->len > SUMMARY_MODELS)
    g_string_append_printf (summary, " +%u", models->len - SUMMARY_MODELS);
  for (guint i = 0; i < engines->len; i++)
    g_string_append_printf (summary, "%s%s", i > 0 ? ", " : " · ", (char *)g_ptr_array_index (engines, i));
  return g_string_free (g_steal_pointer (&summary), FALSE);
}

/* People search for a model by the name they see and by the id they typed. */
static char *
build_search (sqlite3 *db, const char *id, GError **error)
{
  g_autoptr (GPtrArray) texts =
      read_words (db,
                  "SELECT text FROM (SELECT ifnull (title, '') || char (10) || ifnull (notes, '') AS text"
                  " FROM runs WHERE id = ?1"
                  " UNION SELECT model FROM results WHERE run_id = ?1"
                  " UNION SELECT ifnull (model_name, '') FROM results WHERE run_id = ?1"
                  " UNION SELECT backend FROM results WHERE run_id = ?1)",
                  id, error);
  g_autofree char *text = NULL;

  if (texts == NULL)
    return NULL;
  g_ptr_array_add (texts, NULL);
  text = g_strjoinv ("\n", (char **)texts->pdata);
  return dyno_store_search_fold (text);
}

gboolean
dyno_store_summary_write (sqlite3 *db, const char *id, GError **error)
{
  g_autoptr (GPtrArray) models = NULL;
  g_autoptr (GPtrArray) places = NULL;
  g_autofree char *summary = NULL;
  g_autofree char *search = NULL;

  models = read_words (db,
                       "SELECT " MODEL_NAME " AS name FROM results WHERE run_id = ?"
                       " GROUP BY name ORDER BY min (ordinal)",
                       id, error);
  if (models == NULL)
    return FALSE;
  places = read_words (db,
                       "SELECT backend || char (10) || " DEVICE " AS place"
                       " FROM results WHERE run_id = ? GROUP BY place ORDER BY min (ordinal)",
                       id, error);
  if (places == NULL)
    return FALSE;

  search = build_search (db, id, error);
  if (search == NULL)
    return FALSE;
  summary = build_summary (models, places);
  if (!dyno_store_statement_run_with (
          db, error,
          "UPDATE runs SET summary = ?1, search = ?2,"
          " n_cases = max (n_cases, (SELECT count (*) FROM results WHERE run_id = ?3)),"
          " n_ok = (SELECT count (*) FROM results WHERE run_id = ?3 AND status = 'ok'),"
          " n_doubtful = " DYNO_STORE_COUNT_STATE (
              "state", "doubtful") ","
                                   " n_unsteady = " DYNO_STORE_COUNT_STATE (
                                       "state",
                                       "unsteady") ","
                                                   " n_failed = " DYNO_STORE_COUNT_STATE (
                                                       "state",
                                                       "failed") ","
                                                                 " n_skipped = " DYNO_STORE_COUNT_STATE (
                                                                     "state", "skipped") " WHERE id = ?3",
          "sss", summary, search, id))
    return FALSE;
  if (sqlite3_changes (db) > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The run “%s” is not in the store any more."), id);
  return FALSE;
}

gboolean
dyno_store_summary_count (sqlite3 *db, gint64 result_id, int change, GError **error)
{
  return dyno_store_statement_run_with (
      db, error,
      "UPDATE runs SET n_cases = max (n_cases, n_ok + n_failed + n_skipped + ?1),"
      " n_ok = n_ok + ?1 * (result.status = 'ok'),"
      " n_doubtful = n_doubtful + ?1 * (result.state = 'doubtful'),"
      " n_unsteady = n_unsteady + ?1 * (result.state = 'unsteady'),"
      " n_failed = n_failed + ?1 * (result.state = 'failed'),"
      " n_skipped = n_skipped + ?1 * (result.state = 'skipped')"
      " FROM (SELECT run_id, status, state FROM results WHERE id = ?2) AS result WHERE runs.id = "
      "result.run_id",
      "ii", (gint64)change, result_id);
}

gboolean
dyno_store_summary_names (sqlite3 *db, const char *id, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autoptr (sqlite3_stmt) statement =
      dyno_store_statement_new (db,
                                "SELECT 1 FROM results WHERE run_id = ? AND ordinal < ? AND model = ? AND "
                                "model_name IS ? AND backend = ? AND " DEVICE " = ?"
                                " ORDER BY ordinal DESC LIMIT 1",
                                NULL);

  return statement != NULL &&
         dyno_store_statement_bind (statement, NULL, "sistss", id, (gint64)dyno_result_get_ordinal (result),
                                    dyno_case_get_model (kase), dyno_result_get_model_name (result),
                                    dyno_case_get_backend (kase), dyno_case_get_device (kase)) &&
         dyno_store_statement_next (statement, NULL);
}
