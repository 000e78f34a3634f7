/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "dyno-backends-base-private.h"
#include "dyno-paths.h"
#include "dyno-system.h"

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  return dyno_system_compare_versions (*(const char *const *)b, *(const char *const *)a);
}

/* Returns the names in a folder that begin with @prefix, as paths, highest version first. @pythons (nullable): collects those of
 * the folders of Python, because a folder of the system is too large to be read twice. */
static GPtrArray *
list_children (const char *folder, const char *prefix, GPtrArray *pythons)
{
  GPtrArray *children = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_prefix (name, prefix))
        g_ptr_array_add (children, g_build_filename (folder, name, NULL));
      if (pythons != NULL && g_str_has_prefix (name, "python3"))
        g_ptr_array_add (pythons, g_build_filename (folder, name, NULL));
    }
  g_ptr_array_sort (children, compare_newest_first);
  return children;
}

static void
add_folder (GPtrArray *found, const char *folder, const char *prefix, GPtrArray *pythons)
{
  g_autoptr (GPtrArray) files = list_children (folder, prefix, pythons);

  for (guint i = 0; i < files->len; i++)
    {
      char *real_path = realpath (files->pdata[i], NULL);

      if (real_path != NULL && !g_ptr_array_find_with_equal_func (found, real_path, g_str_equal, NULL))
        g_ptr_array_add (found, g_strdup (real_path));
      free (real_path);
    }
}

/* Adds the libraries of wheels below folders `python3.x`. */
static void
add_wheels (GPtrArray *found, GPtrArray *pythons, const char *python_folder, const char *prefix)
{
  static const char *const packages[] = { "site-packages", "dist-packages" };

  for (guint i = 0; i < pythons->len; i++)
    for (guint j = 0; j < G_N_ELEMENTS (packages); j++)
      {
        g_autofree char *folder = g_build_filename (pythons->pdata[i], packages[j], python_folder, NULL);

        add_folder (found, folder, prefix, NULL);
      }
}

char **
dyno_library_search (const char *prefix, const char *python_folder)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (GPtrArray) pythons = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) library_folders = dyno_paths_get_library_folders ();
  g_autofree char *runtimes = dyno_paths_build (DYNO_PATH_RUNTIMES, "", NULL);
  g_autoptr (GPtrArray) runtime_folders = list_children (runtimes, "", NULL);
  const char *environment = g_getenv ("VIRTUAL_ENV");

  g_return_val_if_fail (prefix != NULL, NULL);
  g_return_val_if_fail (python_folder != NULL, NULL);

  add_folder (found, runtimes, prefix, NULL);
  for (guint i = 0; i < runtime_folders->len; i++)
    {
      g_autofree char *libraries = g_build_filename (runtime_folders->pdata[i], "lib", NULL);

      add_folder (found, runtime_folders->pdata[i], prefix, NULL);
      add_folder (found, libraries, prefix, NULL);
    }
  for (guint i = 0; library_folders[i] != NULL; i++)
    {
      GPtrArray *here = g_ptr_array_new_with_free_func (g_free);

      add_folder (found, library_folders[i], prefix, here);
      g_ptr_array_sort (here, compare_newest_first);
      g_ptr_array_extend_and_steal (pythons, here);
    }

  if (environment != NULL)
    {
      g_autofree char *libraries = g_build_filename (environment, "lib", NULL);
      g_autoptr (GPtrArray) own = list_children (libraries, "python3", NULL);

      add_wheels (found, own, python_folder, prefix);
    }
  add_wheels (found, pythons, python_folder, prefix);
  g_ptr_array_add (found, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&found), FALSE);
}
