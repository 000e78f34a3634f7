/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-model-private.h"
#include "dyno-paths.h"
#include "model-test.h"
#include "suite.h"

typedef struct
{
  char *folder;
  char *root;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = model_test_make_folder ();
  fixture->root = g_build_filename (fixture->folder, "models", NULL);
  dyno_paths_set_root (DYNO_PATH_CACHE, fixture->folder);
  dyno_model_cache_set_limit (100);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  dyno_paths_set_root (DYNO_PATH_CACHE, NULL);
  g_free (fixture->root);
  model_test_remove_folder (fixture->folder);
}

static gboolean
write_forty (const char *folder, gpointer data, GError **error)
{
  static const char forty[40];
  g_autofree char *path = g_build_filename (folder, "model.onnx", NULL);

  *(guint *)data += 1;
  return g_file_set_contents (path, forty, sizeof forty, error);
}

static gboolean
write_half (const char *folder, gpointer data, GError **error)
{
  write_forty (folder, data, NULL);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED, "The disk is full.");
  return FALSE;
}

static guint n_made;

static int
get (const char *key)
{
  g_autoptr (GError) error = NULL;
  int lock;
  g_autofree char *folder = dyno_model_cache_get (key, 40, write_forty, &n_made, &lock, &error);
  g_autofree char *path = g_build_filename (folder, "model.onnx", NULL);

  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (folder, key));
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  g_assert_cmpint (lock, >=, 0);
  return lock;
}

static gboolean
has (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->root, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_kept (Fixture *fixture, gconstpointer data)
{
  n_made = 0;
  close (get ("a"));
  close (get ("a"));
  g_assert_cmpuint (n_made, ==, 1);
}

static void
age (Fixture *fixture, const char *name, gint64 seconds)
{
  g_autofree char *path = g_build_filename (fixture->root, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_attribute_uint64 (file, G_FILE_ATTRIBUTE_TIME_MODIFIED,
                                              g_get_real_time () / G_USEC_PER_SEC - seconds,
                                              G_FILE_QUERY_INFO_NONE, NULL, NULL));
}

static void
test_least_recent (Fixture *fixture, gconstpointer data)
{
  close (get ("a"));
  close (get ("b"));
  age (fixture, "a", 100);
  age (fixture, "b", 200);
  close (get ("c"));
  g_assert_true (has (fixture, "a"));
  g_assert_false (has (fixture, "b"));
  g_assert_true (has (fixture, "c"));
}

static void
test_in_use (Fixture *fixture, gconstpointer data)
{
  int a = get ("a");
  int b = get ("b");

  age (fixture, "a", 200);
  age (fixture, "b", 100);
  close (get ("c"));
  g_assert_true (has (fixture, "a") && has (fixture, "b") && has (fixture, "c"));
  close (a);
  close (b);
  close (get ("d"));
  g_assert_false (has (fixture, "a") || has (fixture, "b"));
}

static guint
count_children (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->root, 0, NULL);
  guint n_children = 0;

  while (g_dir_read_name (dir) != NULL)
    n_children++;
  return n_children;
}

static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  int lock;

  n_made = 0;
  g_assert_null (dyno_model_cache_get ("a", 40, write_half, &n_made, &lock, &error));
  suite_assert_error (error, DYNO_ERROR_FAILED, "disk is full");
  g_assert_cmpint (lock, ==, -1);
  g_assert_cmpuint (count_children (fixture), ==, 1);
  close (get ("a"));
  g_assert_cmpuint (n_made, ==, 2);
}

static void
make_leftover (Fixture *fixture, const char *name, const char *file)
{
  g_autofree char *folder = g_build_filename (fixture->root, name, NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "half", 4, NULL));
}

/* The remains of a killed process: a folder with a temporary name, and one without its model. */
static void
test_leftovers (Fixture *fixture, gconstpointer data)
{
  make_leftover (fixture, ".new-abcdef", "model.onnx");
  make_leftover (fixture, "a", "model.onnx.data");
  n_made = 0;
  close (get ("a"));
  g_assert_cmpuint (n_made, ==, 1);
  g_assert_false (has (fixture, ".new-abcdef"));
}

static void
test_unusable (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  int lock;

  g_assert_true (g_file_set_contents (fixture->root, "a file", -1, NULL));
  g_assert_null (dyno_model_cache_get ("a", 40, write_forty, &n_made, &lock, &error));
  suite_assert_error (error, DYNO_ERROR_FAILED, fixture->root);
}

static gpointer
get_in_thread (gpointer data)
{
  close (get (data));
  return NULL;
}

static void
test_at_once (Fixture *fixture, gconstpointer data)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("cache", get_in_thread, (gpointer) "a");
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (count_children (fixture), ==, 2);
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/model-cache/kept", test_kept },           { "/model-cache/least-recent", test_least_recent },
  { "/model-cache/in-use", test_in_use },       { "/model-cache/failed", test_failed },
  { "/model-cache/leftovers", test_leftovers }, { "/model-cache/unusable", test_unusable },
  { "/model-cache/at-once", test_at_once },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)
