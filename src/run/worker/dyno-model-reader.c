/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-hub-cache.h"
#include "dyno-json.h"
#include "dyno-model-library.h"
#include "dyno-model-reader.h"
#include "dyno-model-spec.h"
#include "dyno-pipeline.h"
#include "dyno-system.h"
#include "dyno-worker-client.h"

/* The time that a slow disk needs for many gigabytes. */
#define EXPORT_SECONDS (2 * 60 * 60)

/* The time that a slow disk needs for the largest file; a worker has less processor time than this. */
#define DEADLINE_SECONDS 120

/* A model file, and the state of it and its further files when it was read. */
typedef struct
{
  DynoModel *model;
  char *state;
} Entry;

static GMutex mutex;
static GHashTable *entries; /* of Entry, by spec */

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_object_unref (entry->model);
  g_free (entry->state);
  g_free (entry);
}

/* The config in a folder, or the index of a pipeline. */
static char *
dup_config_path (const char *folder)
{
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);
  g_autofree char *list = g_build_filename (folder, DYNO_PIPELINE_FILE, NULL);

  return g_file_test (config, G_FILE_TEST_EXISTS) ? g_steal_pointer (&config) : g_steal_pointer (&list);
}

/* The parts of a pipeline are in subfolders, so the state includes these. */
static char *
dup_folder_state (const char *folder, gboolean is_pipeline)
{
  g_autofree char *own = dyno_system_dup_state (folder);
  g_autoptr (GDir) dir = is_pipeline ? g_dir_open (folder, 0, NULL) : NULL;
  GString *state = g_string_new (own);

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL;
       name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *part = dyno_system_dup_state (path);

      g_string_append_printf (state, "\n%s", part);
    }
  return g_string_free (state, FALSE);
}

static char *
add_external_states (const char *state, const char *place, DynoModel *model)
{
  g_autofree char *folder =
      g_file_test (place, G_FILE_TEST_IS_DIR) ? g_strdup (place) : g_path_get_dirname (place);
  g_autoptr (GPtrArray) files = dyno_model_list_external_files (model);
  g_autoptr (GString) whole = g_string_new (state);

  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, files->pdata[i], NULL);
      g_autofree char *one = dyno_system_dup_state (path);

      g_string_append_printf (whole, "\n%s", one);
    }
  return g_string_free (g_steal_pointer (&whole), FALSE);
}

static DynoModel *
lookup (const char *spec, const char *place, const char *state)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  const Entry *entry = entries != NULL ? g_hash_table_lookup (entries, spec) : NULL;
  g_autofree char *whole = entry != NULL ? add_external_states (state, place, entry->model) : NULL;

  return g_strcmp0 (whole, entry != NULL ? entry->state : "") == 0 ? g_object_ref (entry->model) : NULL;
}

static void
remember (const char *spec, const char *place, const char *state, DynoModel *model)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  Entry *entry = g_new (Entry, 1);

  *entry = (Entry){ g_object_ref (model), add_external_states (state, place, model) };
  if (entries == NULL)
    entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
  g_hash_table_replace (entries, g_strdup (spec), entry);
}

static JsonObject *
ask (const char *spec,
     const char *const *arguments,
     guint deadline_seconds,
     GCancellable *cancellable,
     GError **error)
{
  g_autoptr (DynoWorkerReply) reply = dyno_worker_query_run (arguments, deadline_seconds, cancellable, error);
  gsize size = 0;
  const char *text;

  if (reply == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (reply->answer == NULL)
    {
      if (reply->is_late)
        g_set_error (
            error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
            _ ("“%s” could not be read within %u s. The disk may not respond, or the file may be damaged."),
            spec, deadline_seconds);
      else if (!dyno_worker_reply_check_calls (reply, spec, error))
        return NULL;
      else
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                     _ ("“%s” takes too much memory or time to read, so it is damaged. Download or export it "
                        "again. (%s)"),
                     spec, reply->last_words);
      return NULL;
    }
  text = g_bytes_get_data (reply->answer, &size);
  return dyno_json_parse_object (text, (gssize)size, spec, error);
}

DynoModel *
dyno_model_reader_load (const char *spec, GCancellable *cancellable, GError **error)
{
  g_autofree char *fetched = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *state = NULL;
  const char *place;
  DynoModel *model;

  g_return_val_if_fail (spec != NULL, NULL);

  if (dyno_model_get_served_name (spec) != NULL)
    return dyno_model_load (spec, error);
  if (dyno_model_is_bundled (spec))
    return dyno_model_library_load (spec, error);
  fetched = dyno_model_find_fetched (spec);
  whole = dyno_model_spec_split (spec, NULL);
  place = fetched != NULL ? fetched : whole;

  /* Weights may be added beside a config, or removed. */
  g_autofree char *path = g_file_test (place, G_FILE_TEST_IS_DIR) ? dup_config_path (place)
                                                                  : g_canonicalize_filename (place, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  gboolean is_pipeline = g_str_has_suffix (path, DYNO_PIPELINE_FILE);
  g_autofree char *own = dyno_system_dup_state (path);
  g_autofree char *around =
      g_str_has_suffix (path, ".json") ? dup_folder_state (folder, is_pipeline) : g_strdup ("");

  state = g_strjoin ("\n", own, around, NULL);
  model = lookup (spec, place, state);
  if (model != NULL)
    return model;

  const char *const arguments[] = { "--describe", spec, NULL };
  g_autoptr (JsonObject) answer = ask (spec, arguments, DEADLINE_SECONDS, cancellable, error);

  if (answer != NULL && dyno_worker_answer_check (answer, error))
    model = dyno_model_new_from_json (spec, answer, error);
  if (model != NULL)
    remember (spec, place, state, model);
  return model;
}

GListModel *
dyno_model_reader_list_fetched (GCancellable *cancellable)
{
  g_auto (GStrv) ids = dyno_hub_cache_list_ids ("main");
  GListStore *models = g_list_store_new (DYNO_TYPE_MODEL);

  for (guint i = 0; ids[i] != NULL && !g_cancellable_is_cancelled (cancellable); i++)
    {
      g_autoptr (DynoModel) model =
          dyno_model_is_bundled (ids[i]) ? NULL : dyno_model_reader_load (ids[i], cancellable, NULL);

      if (model != NULL)
        g_list_store_append (models, model);
    }
  return G_LIST_MODEL (models);
}

gboolean
dyno_model_reader_export (const char *spec,
                          const char *precision,
                          const char *attention,
                          guint64 seed,
                          const char *path,
                          GError **error)
{
  g_autofree char *seed_text = g_strdup_printf ("%" G_GUINT64_FORMAT, seed);
  const char *const arguments[] = { "--export", spec, precision, attention, seed_text, path, NULL };
  g_autoptr (JsonObject) answer = ask (spec, arguments, EXPORT_SECONDS, NULL, error);

  return answer != NULL && dyno_worker_answer_check (answer, error);
}

char *
dyno_model_reader_dup_confinement (gboolean *is_complete)
{
  static const char *const arguments[] = { "--confinement", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) answer = ask ("dyno-worker", arguments, DEADLINE_SECONDS, NULL, &error);
  gint64 landlock = dyno_json_member_get_int64 (answer, "landlock", 0);
  const char *no_seccomp = dyno_json_member_get_string (answer, "seccomp_reason");
  const char *no_landlock = dyno_json_member_get_string (answer, "landlock_reason");
  g_autofree char *files = NULL;

  *is_complete = answer != NULL && no_seccomp == NULL && no_landlock == NULL;
  if (answer == NULL)
    return g_strdup (error->message);
  /* Translators: a security module of Linux and its version */
  files = g_strdup_printf (_ ("Their files are confined (Landlock %d)."), (int)landlock);
  return g_strdup_printf ("%s %s",
                          no_seccomp != NULL ? no_seccomp : _ ("Their system calls are filtered (seccomp)."),
                          no_landlock != NULL ? no_landlock : files);
}
