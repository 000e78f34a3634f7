/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-engine-options.h"
#include "dyno-error.h"
#include "dyno-precision.h"

static gboolean
parse_one (GHashTable *options, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "=", 2);
  char *name = parts[0] != NULL ? g_strstrip (parts[0]) : NULL;
  char *value = name != NULL && parts[1] != NULL ? g_strstrip (parts[1]) : NULL;

  if (value == NULL || *name == '\0' || *value == '\0')
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” is not an option: write it as “name=value”."), text);
      return FALSE;
    }
  if (!g_hash_table_insert (options, g_strdup (name), g_strdup (value)))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("The option “%s” is given twice in one case."), name);
      return FALSE;
    }
  return TRUE;
}

GHashTable *
dyno_engine_options_parse (const char *text, GError **error)
{
  g_autoptr (GHashTable) options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) entries = g_strsplit (text != NULL ? text : "", ",", -1);

  for (char **entry = entries; *entry != NULL; entry++)
    if (!parse_one (options, *entry, error))
      return NULL;
  return g_steal_pointer (&options);
}

char *
dyno_engine_options_to_string (GHashTable *options)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GList) names = g_hash_table_get_keys (options);

  names = g_list_sort (g_steal_pointer (&names), (GCompareFunc)strcmp);
  for (GList *l = names; l != NULL; l = l->next)
    g_string_append_printf (text, "%s%s=%s", text->len > 0 ? "," : "", (const char *)l->data,
                            (const char *)g_hash_table_lookup (options, l->data));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Options of one stage that are no options of its backend. */
static const char *const settings[] = { "device", "precision", "threads", NULL };

/* These belong to the model or to the process that runs it. */
static const char *const of_all_stages[] = { "attention", "huge-pages", DYNO_BACKEND_LIBRARY,
                                             "requests",  "window",     NULL };

GHashTable *
dyno_engine_options_take_stage (GHashTable *options, const char *stage)
{
  GHashTable *own = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, options);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      const char *point = strchr (name, '.');
      gsize length = point != NULL ? (gsize)(point - (const char *)name) : 0;

      if (stage == NULL ? point == NULL
                        : point != NULL && strlen (stage) == length && strncmp (name, stage, length) == 0)
        g_hash_table_insert (own, g_strdup (point != NULL ? point + 1 : name), g_strdup (value));
    }
  return own;
}

char **
dyno_engine_options_list_stages (GHashTable *options)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (options), (GCompareFunc)strcmp);
  g_autofree char *last = NULL;

  for (GList *l = names; l != NULL; l = l->next)
    {
      const char *point = strchr (l->data, '.');
      g_autofree char *stage = point != NULL ? g_strndup (l->data, (gsize)(point - (char *)l->data)) : NULL;

      if (stage == NULL || g_strcmp0 (stage, last) == 0)
        continue;
      g_strv_builder_add (builder, stage);
      g_free (last);
      last = g_steal_pointer (&stage);
    }
  return g_strv_builder_end (builder);
}

gboolean
dyno_engine_options_are_known (GHashTable *options, DynoBackend *backend)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, options);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      const DynoBackendOption *option = dyno_backend_get_options (backend);
      const char *point = strchr (name, '.');
      g_autofree char *of_device =
          point != NULL ? g_strdup_printf ("%.*s.device", (int)(point - (char *)name), (char *)name) : NULL;

      /* Another backend has other options, which are checked. */
      if (point != NULL &&
          (g_strv_contains (settings, point + 1) || g_hash_table_contains (options, of_device)))
        continue;
      while (option != NULL && option->name != NULL &&
             !g_str_equal (option->name, point != NULL ? point + 1 : name))
        option++;
      if (option == NULL || option->name == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_setting (const char *stage, const char *name, const char *value, GError **error)
{
  g_autofree char *possible = NULL;
  guint64 number;

  if (g_str_equal (name, "device"))
    return dyno_backend_lookup_spec (value, NULL, error) != NULL;
  if (g_str_equal (name, "precision") ? dyno_precision_can_build (value)
                                      : g_ascii_string_to_unsigned (value, 10, 1, G_MAXINT32, &number, NULL))
    return TRUE;
  possible = g_str_equal (name, "precision") ? g_strjoinv (", ", (char **)dyno_precision_list ())
                                             : g_strdup (_ ("a whole number from 1"));
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               /* Translators: an option of a part of a model, such as “vision.threads” */
               _ ("The option “%s.%s” cannot be “%s”. It can be: %s."), stage, name, value, possible);
  return FALSE;
}

/* The options of a stage that its backend has not got are named in full. */
static gboolean
check_stage (GHashTable *options, const char *stage, DynoBackend *backend, GError **error)
{
  g_autoptr (GHashTable) own = dyno_engine_options_take_stage (options, stage);
  const char *device = g_hash_table_lookup (own, "device");
  GHashTableIter iter;
  gpointer name, value;

  if (device != NULL && (backend = dyno_backend_lookup_spec (device, NULL, error)) == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, own);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      if (g_strv_contains (of_all_stages, name))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("The option “%s” is the same for all stages of a model. Write it without “%s.”."),
                       (char *)name, stage);
          return FALSE;
        }
      if (g_strv_contains (settings, name) ? !check_setting (stage, name, value, error)
                                           : !dyno_backend_check_option (backend, name, value, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
dyno_engine_options_check (GHashTable *options, DynoBackend *backend, GError **error)
{
  g_autoptr (GHashTable) general = dyno_engine_options_take_stage (options, NULL);
  g_auto (GStrv) stages = dyno_engine_options_list_stages (options);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, general);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (!dyno_backend_check_option (backend, name, value, error))
      return FALSE;
  for (char **stage = stages; *stage != NULL; stage++)
    if (!check_stage (options, *stage, backend, error))
      return FALSE;
  return TRUE;
}
