/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "dyno-paths.h"

/* An empty machine: no system libraries, no runtimes, no Python environment. */
typedef struct
{
  char *root;
  char *runtimes;
  char *system;
} LibraryTree;

static inline char *
library_tree_add_folder (const char *parent, const char *name)
{
  char *folder = g_build_filename (parent, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  return folder;
}

static inline char *
library_tree_add_file (const char *folder, const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static inline char *
library_tree_add_no_library (const char *folder, const char *name)
{
  return library_tree_add_file (folder, name, "not a library\n");
}

static inline char *
library_tree_add_link (const char *folder, const char *name, const char *target)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) link = g_file_new_for_path (path);

  g_assert_true (g_file_make_symbolic_link (link, target, NULL, NULL));
  return path;
}

static inline void
library_tree_set_up (LibraryTree *tree, gconstpointer data)
{
  tree->root = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  tree->runtimes = library_tree_add_folder (tree->root, "runtimes");
  tree->system = library_tree_add_folder (tree->root, "system");
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, tree->runtimes);
  g_setenv ("DYNO_LIBRARY_PATH", tree->system, TRUE);
  g_unsetenv ("VIRTUAL_ENV");
}

static inline void
library_tree_remove (const char *path)
{
  g_autoptr (GDir) dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      library_tree_remove (child);
    }
  g_remove (path);
}

static inline void
library_tree_tear_down (LibraryTree *tree, gconstpointer data)
{
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, NULL);
  library_tree_remove (tree->root);
  g_free (tree->root);
  g_free (tree->runtimes);
  g_free (tree->system);
}
