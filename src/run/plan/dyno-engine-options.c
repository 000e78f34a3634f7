/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-engine-options.h"
#include "dyno-error.h"

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

gboolean
dyno_engine_options_check (GHashTable *options, DynoBackend *backend, GError **error)
{
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, options);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (!dyno_backend_check_option (backend, name, value, error))
      return FALSE;
  return TRUE;
}
