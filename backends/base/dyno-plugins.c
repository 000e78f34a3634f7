/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gmodule.h>

#include "dyno-plugins.h"

/* Set by tests and screenshots: shared modules, separated by colons. */
#define VARIABLE "DYNO_PLUGINS"

/* A process loads the modules once. */
static GPtrArray *
get_modules (void)
{
  static GPtrArray *modules;

  if (g_once_init_enter (&modules))
    {
      GPtrArray *opened = g_ptr_array_new ();
      const char *variable = g_getenv (VARIABLE);
      g_auto (GStrv) paths = variable != NULL ? g_strsplit (variable, G_SEARCHPATH_SEPARATOR_S, -1) : NULL;

      for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
        {
          GModule *module =
              *paths[i] != '\0' ? g_module_open (paths[i], G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL) : NULL;

          if (module != NULL)
            {
              g_module_make_resident (module);
              g_ptr_array_add (opened, module);
            }
          else if (*paths[i] != '\0')
            g_warning ("The plug-in “%s” cannot be used: %s", paths[i], g_module_error ());
        }
      g_once_init_leave (&modules, opened);
    }
  return modules;
}

GArray *
dyno_plugins_list_types (GType parent)
{
  GPtrArray *modules = get_modules ();
  GArray *found = g_array_new (FALSE, FALSE, sizeof (GType));

  for (guint i = 0; i < modules->len; i++)
    {
      DynoPluginGetType get_type;
      GType type;

      if (!g_module_symbol (modules->pdata[i], "dyno_plugin_get_type", (gpointer *)&get_type))
        continue;
      for (guint j = 0; (type = get_type (j)) != G_TYPE_INVALID; j++)
        if (g_type_is_a (type, parent))
          g_array_append_val (found, type);
    }
  return found;
}

GPtrArray *
dyno_plugins_list (const char *symbol)
{
  GPtrArray *modules = get_modules ();
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < modules->len; i++)
    {
      DynoPluginGet get;
      gconstpointer item;

      if (!g_module_symbol (modules->pdata[i], symbol, (gpointer *)&get))
        continue;
      for (guint j = 0; (item = get (j)) != NULL; j++)
        g_ptr_array_add (found, (gpointer)item);
    }
  return found;
}
