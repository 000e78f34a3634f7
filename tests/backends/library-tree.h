/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-scratch.h"

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
library_tree_tear_down (LibraryTree *tree, gconstpointer data)
{
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, NULL);
  dyno_scratch_remove (tree->root);
  g_free (tree->root);
  g_free (tree->runtimes);
  g_free (tree->system);
}

/* A backend whose library is missing or unusable says why, and what to do. */
static inline void
library_tree_assert_unsupported (const char *backend_id, const char *remedy, const char *part)
{
  DynoBackend *backend = dyno_backend_lookup (backend_id, NULL);
  DynoSessionOptions options = { .precision = "fp32", .threads = 1 };
  g_autoptr (DynoProbe) probe = dyno_backend_probe (backend, NULL);
  g_autoptr (GError) error = NULL;

  g_test_message ("%s", dyno_probe_get_reason (probe));
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), part));
  g_assert_cmpstr (dyno_probe_get_remedy (probe), ==, remedy);
  g_assert_null (dyno_probe_get_runtime (probe));
  g_assert_cmpuint (g_list_model_get_n_items (dyno_probe_get_devices (probe)), ==, 0);

  g_assert_false (dyno_backend_start (backend, NULL));
  g_assert_null (dyno_backend_open (backend, "model.onnx", &options, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_nonnull (strstr (error->message, remedy));
}
