/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gmodule.h>

#include "dyno-plugins.h"

/* Set by tests and screenshots: shared modules, separated by colons. */
#define VARIABLE "DYNO_PLUGINS"

static GModule *
open_plugin (const char *path)
{
  GModule *module = g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);

  if (module == NULL)
    g_warning ("The plug-in “%s” cannot be used: %s", path, g_module_error ());
  else
    g_module_make_resident (module);
  return module;
}

static GPtrArray *
load (void)
{
  GPtrArray *modules = g_ptr_array_new ();
  const char *variable = g_getenv (VARIABLE);
  g_auto (GStrv) paths = variable != NULL ? g_strsplit (variable, G_SEARCHPATH_SEPARATOR_S, -1) : NULL;

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    {
      GModule *module = *paths[i] != '\0' ? open_plugin (paths[i]) : NULL;

      if (module != NULL)
        g_ptr_array_add (modules, module);
    }
  return modules;
}

/* A process loads the modules once. */
static GPtrArray *
get_modules (void)
{
  static GPtrArray *modules;

  if (g_once_init_enter (&modules))
    g_once_init_leave (&modules, load ());
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
