/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-paths.h"

/* A mock machine: a folder with `sys` and `proc`, which Dyno reads instead of the real ones; libsensors as well if
 * umockdev is preloaded. */
typedef struct
{
  char *root;
} MachineTree;

static inline void
machine_tree_write (MachineTree *tree, const char *path, const char *text)
{
  g_autofree char *file = g_build_filename (tree->root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (file);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (file, text, -1, &error);
  g_assert_no_error (error);
}

/* Writes files below @folder, each given as “path=text”. */
static inline void G_GNUC_NULL_TERMINATED
machine_tree_fill (MachineTree *tree, const char *folder, ...)
{
  const char *file;
  va_list files;

  va_start (files, folder);
  while ((file = va_arg (files, const char *)) != NULL)
    {
      const char *text = strchr (file, '=') + 1;
      g_autofree char *name = g_strndup (file, text - 1 - file);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      machine_tree_write (tree, path, text);
    }
  va_end (files);
}

static inline void
machine_tree_set_up (MachineTree *tree, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *sysfs = NULL;
  g_autofree char *procfs = NULL;

  tree->root = g_dir_make_tmp ("dyno-machine-XXXXXX", &error);
  g_assert_no_error (error);
  sysfs = g_build_filename (tree->root, "sys", NULL);
  procfs = g_build_filename (tree->root, "proc", NULL);
  dyno_paths_set_root (DYNO_PATH_SYSFS, sysfs);
  dyno_paths_set_root (DYNO_PATH_PROCFS, procfs);
  g_setenv ("UMOCKDEV_DIR", tree->root, TRUE);
}

static inline void
machine_tree_remove (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      machine_tree_remove (child);
    }
  g_file_delete (file, NULL, NULL);
}

static inline void
machine_tree_tear_down (MachineTree *tree, gconstpointer data)
{
  dyno_paths_set_root (DYNO_PATH_SYSFS, NULL);
  dyno_paths_set_root (DYNO_PATH_PROCFS, NULL);
  g_unsetenv ("HWLOC_FSROOT");
  g_unsetenv ("UMOCKDEV_DIR");
  machine_tree_remove (tree->root);
  g_free (tree->root);
}
