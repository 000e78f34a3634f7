/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-backend.h"

static GMutex mutex;
static GHashTable *named; /* variable to path */

void
dyno_engine_path_set (const char *variable, const char *path)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  g_return_if_fail (variable != NULL);

  if (named == NULL)
    named = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (path != NULL && *path != '\0')
    g_hash_table_insert (named, g_strdup (variable), g_strdup (path));
  else
    g_hash_table_remove (named, variable);
}

char *
dyno_engine_path_dup (const char *variable)
{
  const char *from_environment = g_getenv (variable);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  if (from_environment != NULL && *from_environment != '\0')
    return g_strdup (from_environment);
  return named != NULL ? g_strdup (g_hash_table_lookup (named, variable)) : NULL;
}

GPtrArray *
dyno_engine_path_list (void)
{
  static GPtrArray *paths;

  if (g_once_init_enter (&paths))
    {
      g_autoptr (GListModel) backends = dyno_backend_list ();
      GPtrArray *all = g_ptr_array_new ();

      for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
        {
          g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
          const DynoEnginePath *path = dyno_backend_get_paths (backend);

          for (; path != NULL && path->variable != NULL; path++)
            g_ptr_array_add (all, (gpointer)path);
        }
      g_once_init_leave (&paths, all);
    }
  return paths;
}

char *
dyno_engine_path_read (const DynoEnginePath *self, GSettings *settings)
{
  g_autoptr (GVariant) value = g_settings_get_value (settings, DYNO_ENGINE_PATHS_KEY);
  char *path = NULL;

  return g_variant_lookup (value, self->id, "s", &path) ? path : g_strdup ("");
}

void
dyno_engine_path_write (const DynoEnginePath *self, GSettings *settings, const char *path)
{
  g_autoptr (GVariant) value = g_settings_get_value (settings, DYNO_ENGINE_PATHS_KEY);
  GVariantBuilder builder;
  GVariantIter iter;
  const char *id, *known;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  g_variant_iter_init (&iter, value);
  while (g_variant_iter_next (&iter, "{&s&s}", &id, &known))
    if (!g_str_equal (id, self->id))
      g_variant_builder_add (&builder, "{ss}", id, known);
  if (path != NULL && *path != '\0')
    g_variant_builder_add (&builder, "{ss}", self->id, path);
  g_settings_set_value (settings, DYNO_ENGINE_PATHS_KEY, g_variant_builder_end (&builder));
}

void
dyno_engine_path_apply (GSettings *settings, gboolean changed)
{
  GPtrArray *paths = dyno_engine_path_list ();
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  for (guint i = 0; g_settings_schema_has_key (schema, DYNO_ENGINE_PATHS_KEY) && i < paths->len; i++)
    {
      const DynoEnginePath *engine = paths->pdata[i];
      g_autofree char *path = dyno_engine_path_read (engine, settings);

      if (changed || *path != '\0')
        dyno_engine_path_set (engine->variable, path);
    }
}
