/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gmodule.h>

#include "dyno-plugins.h"

/* Tests and screenshots set it: shared modules, separated by colons. */
#define VARIABLE "DYNO_PLUGINS"

static void
add_types (GArray *types, const char *path)
{
  GModule *module = g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  DynoPluginGetType get_type = NULL;
  GType type;

  if (module == NULL || !g_module_symbol (module, "dyno_plugin_get_type", (gpointer *)&get_type))
    {
      g_warning ("The plug-in “%s” cannot be used: %s", path, g_module_error ());
      return;
    }
  g_module_make_resident (module);
  for (guint i = 0; (type = get_type (i)) != G_TYPE_INVALID; i++)
    g_array_append_val (types, type);
}

static GArray *
load (void)
{
  GArray *types = g_array_new (FALSE, FALSE, sizeof (GType));
  const char *variable = g_getenv (VARIABLE);
  g_auto (GStrv) paths = variable != NULL ? g_strsplit (variable, G_SEARCHPATH_SEPARATOR_S, -1) : NULL;

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    if (*paths[i] != '\0')
      add_types (types, paths[i]);
  return types;
}

/**
 * dyno_plugins_list_types:
 * @parent: a class, such as that of all backends
 *
 * Plug-ins are loaded once in a process.
 *
 * Returns: (transfer full) (element-type GType): the classes derived from @parent that the plug-ins bring
 */
GArray *
dyno_plugins_list_types (GType parent)
{
  static GArray *types;
  GArray *found = g_array_new (FALSE, FALSE, sizeof (GType));

  if (g_once_init_enter (&types))
    g_once_init_leave (&types, load ());
  for (guint i = 0; i < types->len; i++)
    if (g_type_is_a (g_array_index (types, GType, i), parent))
      g_array_append_val (found, g_array_index (types, GType, i));
  return found;
}
