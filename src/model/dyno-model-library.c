/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-json.h"
#include "dyno-model.h"
#include "dyno-model-library.h"
#include "dyno-model-private.h"
#include "dyno-model-spec.h"
#include "dyno-models-resources.h"

#define RESOURCE_FOLDER "/io/github/dynobench/Dyno/models"
#define N_SUGGESTIONS   3

/* The loaded models, by their ids. They never change, so one of each is enough for the whole
 * process. */
static GMutex mutex;
static GHashTable *loaded;

static void
ensure_resource (void)
{
  static gsize is_registered;

  dyno_resource_ensure (&is_registered, dyno_models_register_resource);
}

char **
dyno_model_library_list_ids (void)
{
  char **ids;

  ensure_resource ();
  ids = g_resources_enumerate_children (RESOURCE_FOLDER, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_assert (ids != NULL);
  for (guint i = 0; ids[i] != NULL; i++)
    ids[i][strlen (ids[i]) - strlen (".json")] = '\0';
  return ids;
}

static GBytes *
load_text (const char *id)
{
  g_autofree char *path = g_strconcat (RESOURCE_FOLDER "/", id, ".json", NULL);

  ensure_resource ();
  return g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

/* “google-bert/bert-base-uncased” and “BERT-base-uncased” are both “bert-base-uncased”. */
static char *
normalize (const char *name)
{
  const char *slash = strrchr (name, '/');

  return g_ascii_strdown (slash != NULL ? slash + 1 : name, -1);
}

/* A model with another id on the hub is found by both ids. */
static gboolean
has_source (const char *id, const char *wanted)
{
  g_autoptr (GBytes) text = load_text (id);
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autofree char *source = NULL;

  if (!dyno_json_text_load (parser, g_bytes_get_data (text, NULL), g_bytes_get_size (text), NULL))
    return FALSE;
  source = normalize (json_object_get_string_member_with_default (
      json_node_get_object (json_parser_get_root (parser)), "source", ""));
  return g_str_equal (source, wanted);
}

char *
dyno_model_library_find (const char *name)
{
  g_autofree char *wanted = normalize (name);
  g_auto (GStrv) ids = dyno_model_library_list_ids ();

  for (guint i = 0; ids[i] != NULL; i++)
    if (g_ascii_strcasecmp (ids[i], wanted) == 0)
      return g_strdup (ids[i]);
  for (guint i = 0; *wanted != '\0' && ids[i] != NULL; i++)
    if (has_source (ids[i], wanted))
      return g_strdup (ids[i]);
  return NULL;
}

static int
compare_models (gconstpointer a, gconstpointer b, gpointer data)
{
  return g_strcmp0 (dyno_model_get_name ((DynoModel *)a), dyno_model_get_name ((DynoModel *)b));
}

static DynoModel *
load (const char *id, GError **error)
{
  DynoModel *model;

  g_mutex_lock (&mutex);
  model = loaded != NULL ? g_hash_table_lookup (loaded, id) : NULL;
  if (model != NULL)
    g_object_ref (model);
  g_mutex_unlock (&mutex);
  if (model != NULL)
    return model;
  model = dyno_model_load (id, error);
  if (model != NULL)
    {
      /* If another thread was faster, both have the same model. */
      g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

      if (loaded == NULL)
        loaded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
      g_hash_table_replace (loaded, g_strdup (id), g_object_ref (model));
    }
  return model;
}

DynoModel *
dyno_model_library_load (const char *id, GError **error)
{
  g_autoptr (DynoModelSpec) spec = dyno_model_spec_parse (id);

  return spec->kind == DYNO_MODEL_SPEC_BUNDLED && spec->modality == NULL ? load (spec->name, error)
                                                                         : dyno_model_load (id, error);
}

char *
dyno_model_library_dup_name (const char *id)
{
  g_autofree char *path = g_strconcat (RESOURCE_FOLDER "/", id, ".json", NULL);
  g_autoptr (DynoModel) model = NULL;

  ensure_resource ();
  if (strchr (id, '/') != NULL ||
      !g_resources_get_info (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL))
    return NULL;
  model = load (id, NULL);
  return model != NULL ? g_strdup (dyno_model_get_name (model)) : NULL;
}

GListModel *
dyno_model_library_get_default (void)
{
  g_auto (GStrv) ids = dyno_model_library_list_ids ();
  GListStore *store = g_list_store_new (DYNO_TYPE_MODEL);

  for (guint i = 0; ids[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoModel) model = load (ids[i], &error);

      if (model == NULL)
        g_critical ("The bundled model %s: %s", ids[i], error->message);
      else
        g_list_store_insert_sorted (store, model, compare_models, NULL);
    }
  return G_LIST_MODEL (store);
}

/* Returns the letters and digits of a name, in lower case: “mobilenet-v2” is the beginning of “mobilenet_v2_1.0_224”. */
static char *
dup_letters (const char *name)
{
  GString *letters = g_string_new (NULL);

  for (; *name != '\0'; name++)
    if (g_ascii_isalnum (*name))
      g_string_append_c (letters, g_ascii_tolower (*name));
  return g_string_free (letters, FALSE);
}

/* Returns how different a name is from the letters of the one wanted; its beginning comes before all else. */
static guint
get_distance (const char *wanted, const char *id)
{
  g_autofree char *letters = dup_letters (id);

  return g_str_has_prefix (letters, wanted) ? 0 : 1 + dyno_similar_distance (wanted, letters);
}

GBytes *
dyno_model_library_lookup (const char *id, GError **error)
{
  g_autofree char *found = dyno_model_library_find (id);
  g_autofree char *name = normalize (id);
  g_autofree char *wanted = dup_letters (name);
  g_autoptr (GString) nearest = g_string_new (NULL);
  g_auto (GStrv) ids = NULL;

  if (found != NULL || error == NULL)
    return found != NULL ? load_text (found) : NULL;
  ids = dyno_model_library_list_ids ();
  for (guint n = 0; n < N_SUGGESTIONS; n++)
    {
      guint best = 0;

      for (guint i = 1; ids[i] != NULL; i++)
        if (*ids[i] != '\0' &&
            (*ids[best] == '\0' || get_distance (wanted, ids[i]) < get_distance (wanted, ids[best])))
          best = i;
      g_string_append_printf (nearest, "%s%s", n > 0 ? ", " : "", ids[best]);
      *ids[best] = '\0';
    }
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
      _ ("There is no model “%s”: no such file and no such bundled model. Similar bundled models: %s."), id,
      nearest->str);
  return NULL;
}
