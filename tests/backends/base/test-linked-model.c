/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-linked-model.h"
#include "dyno-scratch.h"
#include "suite.h"

/* As a download cache keeps a model: files by their hashes, and a folder of links to them. */
typedef struct
{
  char *root;
  char *model;
  GPtrArray *external_files;
} Fixture;

static void
write_file (const char *root, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (root, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
link_file (const char *root, const char *name, const char *target)
{
  g_autofree char *path = g_build_filename (root, name, NULL);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->root = dyno_scratch_new (NULL);
  fixture->model = g_build_filename (fixture->root, "snapshot", "model.onnx", NULL);
  fixture->external_files = g_ptr_array_new ();
  write_file (fixture->root, "blobs/1", "model");
  write_file (fixture->root, "blobs/2", "weights");
  write_file (fixture->root, "snapshot/parts/beside", "more");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  dyno_scratch_remove (fixture->root);
  g_assert_false (g_file_test (fixture->root, G_FILE_TEST_EXISTS));
  g_ptr_array_unref (fixture->external_files);
  g_free (fixture->model);
  g_free (fixture->root);
}

static void
assert_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *contents = NULL;

  g_assert_false (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, text);
}

static void
test_links (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autofree char *parent = NULL;
  g_autofree char *blob = g_build_filename (fixture->root, "blobs", "2", NULL);
  g_autoptr (GError) error = NULL;
  GStatBuf info;

  link_file (fixture->root, "snapshot/model.onnx", "../blobs/1");
  link_file (fixture->root, "snapshot/model.onnx_data", "../blobs/2");
  g_ptr_array_add (fixture->external_files, (gpointer) "model.onnx_data");
  g_ptr_array_add (fixture->external_files, (gpointer) "parts/beside");
  path = dyno_linked_model_gather (fixture->model, fixture->external_files, &folder, &error);
  g_assert_no_error (error);
  g_assert_nonnull (folder);
  parent = g_path_get_dirname (path);
  g_assert_cmpstr (parent, ==, folder);
  assert_file (folder, "model.onnx", "model");
  assert_file (folder, "model.onnx_data", "weights");
  assert_file (folder, "parts/beside", "more");
  g_assert_cmpint (g_stat (blob, &info), ==, 0);
  g_assert_cmpuint (info.st_nlink, ==, 2);
  dyno_scratch_remove (folder);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  assert_file (fixture->root, "blobs/2", "weights");
}

/* What engines read as it is stays where it is, even behind a link within the folder. */
static void
test_no_links (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autofree char *alone = NULL;

  link_file (fixture->root, "snapshot/model.onnx", "../blobs/1");
  link_file (fixture->root, "snapshot/within", "parts/beside");
  g_ptr_array_add (fixture->external_files, (gpointer) "within");
  path = dyno_linked_model_gather (fixture->model, fixture->external_files, &folder, NULL);
  g_assert_cmpstr (path, ==, fixture->model);
  g_assert_null (folder);
  alone = dyno_linked_model_gather (fixture->model, NULL, &folder, NULL);
  g_assert_cmpstr (alone, ==, fixture->model);
  g_assert_null (folder);
}

/* A file that is gone by now is an error that says what to do, and leaves no folder. */
static void
test_gone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  link_file (fixture->root, "snapshot/model.onnx", "../blobs/gone");
  link_file (fixture->root, "snapshot/model.onnx_data", "../blobs/2");
  g_ptr_array_add (fixture->external_files, (gpointer) "model.onnx_data");
  path = dyno_linked_model_gather (fixture->model, fixture->external_files, &folder, &error);
  g_assert_null (path);
  g_assert_null (folder);
  g_assert_nonnull (error);
  g_assert_true (g_str_has_suffix (error->message, "Copy the model and its weights into a folder."));
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/linked-model/links", test_links },
  { "/linked-model/no-links", test_no_links },
  { "/linked-model/gone", test_gone },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)
