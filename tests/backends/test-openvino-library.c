/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "dyno-ov-library.h"
#include "dyno-paths.h"

/* An empty machine: no system libraries, no runtimes, no Python environment. */
typedef struct
{
  char *root;
  char *runtimes;
  char *system;
} Fixture;

static char *
make_folder (const char *parent, const char *name)
{
  char *folder = g_build_filename (parent, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  return folder;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->root = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  fixture->runtimes = make_folder (fixture->root, "runtimes");
  fixture->system = make_folder (fixture->root, "system");
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, fixture->runtimes);
  g_setenv ("DYNO_LIBRARY_PATH", fixture->system, TRUE);
  g_unsetenv ("VIRTUAL_ENV");
  g_unsetenv ("DYNO_OPENVINO");
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, NULL);
  dyno_ov_library_set_path (NULL);
  remove_tree (fixture->root);
  g_free (fixture->root);
  g_free (fixture->runtimes);
  g_free (fixture->system);
}

static char *
add_text_file (const char *folder, const char *name)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, "not a library\n", -1, NULL));
  return path;
}

static void
add_link (const char *folder, const char *name, const char *target)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
assert_unsupported (const char *part)
{
  DynoBackend *backend = dyno_backend_lookup ("openvino", NULL);
  DynoSessionOptions options = { .precision = "fp32", .threads = 1 };
  g_autoptr (DynoProbe) probe = dyno_backend_probe (backend, NULL);
  g_autoptr (GError) error = NULL;

  g_test_message ("%s", dyno_probe_get_reason (probe));
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), part));
  g_assert_cmpstr (dyno_probe_get_remedy (probe), ==, dyno_ov_library_get_remedy ());
  g_assert_cmpuint (g_list_model_get_n_items (dyno_probe_get_devices (probe)), ==, 0);

  g_assert_null (dyno_backend_open (backend, "model.onnx", &options, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_nonnull (strstr (error->message, dyno_ov_library_get_remedy ()));
}

static void
test_nothing_found (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GListModel) found = dyno_ov_library_list_found ();

  g_assert_cmpuint (g_list_model_get_n_items (found), ==, 0);
  assert_unsupported ("not found");
}

static void
test_text_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = add_text_file (fixture->system, "libopenvino_c.so.2641");
  g_autoptr (GListModel) found = dyno_ov_library_list_found ();
  g_autoptr (DynoOvLibrary) library = g_list_model_get_item (found, 0);

  assert_unsupported ("libopenvino_c.so.2641");
  g_assert_false (dyno_ov_library_is_usable (library));
  g_assert_nonnull (dyno_ov_library_get_problem (library));
  g_assert_null (dyno_ov_library_get_version (library));
}

static void
test_missing_function (Fixture *fixture, gconstpointer data)
{
  add_link (fixture->system, "libopenvino_c.so.1", g_getenv ("DYNO_TEST_PARTIAL_OPENVINO"));
  assert_unsupported ("has no function ov_get_error_info");
}

static void
assert_found (GListModel *found, guint position, const char *path)
{
  g_autoptr (DynoOvLibrary) library = g_list_model_get_item (found, position);

  g_assert_nonnull (library);
  g_assert_cmpstr (dyno_ov_library_get_path (library), ==, path);
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  g_autofree char *environment = make_folder (fixture->root, "environment");
  g_autofree char *libs = make_folder (environment, "lib/python3.11/site-packages/openvino/libs");
  g_autofree char *older = make_folder (fixture->runtimes, "openvino-2025.0.0/lib");
  g_autofree char *newer = make_folder (fixture->runtimes, "openvino-2026.4.1");
  g_autofree char *in_environment = add_text_file (libs, "libopenvino_c.so.2600");
  g_autofree char *in_older = add_text_file (older, "libopenvino_c.so.2500");
  g_autofree char *in_newer = add_text_file (newer, "libopenvino_c.so.2641");
  g_autofree char *other = add_text_file (newer, "libopenvino.so.2641");
  g_autofree char *in_system = add_text_file (fixture->system, "libopenvino_c.so.2520");
  g_autofree char *named = add_text_file (fixture->root, "named.so");
  g_autoptr (GListModel) found = NULL;

  add_link (fixture->system, "libopenvino_c.so", in_system);
  g_setenv ("VIRTUAL_ENV", environment, TRUE);
  dyno_ov_library_set_path (named);
  found = dyno_ov_library_list_found ();
  g_assert_cmpuint (g_list_model_get_n_items (found), ==, 5);
  assert_found (found, 0, named);
  assert_found (found, 1, in_system);
  assert_found (found, 2, in_newer);
  assert_found (found, 3, in_older);
  assert_found (found, 4, in_environment);
}

/* A library that is named is never replaced by another. */
static void
test_named (Fixture *fixture, gconstpointer data)
{
  g_autofree char *from_settings = add_text_file (fixture->root, "settings.so");
  g_autofree char *from_environment = add_text_file (fixture->root, "environment.so");

  dyno_ov_library_set_path (from_settings);
  assert_unsupported ("settings.so");
  g_setenv ("DYNO_OPENVINO", from_environment, TRUE);
  assert_unsupported ("environment.so");
  g_setenv ("DYNO_OPENVINO", "missing.so", TRUE);
  assert_unsupported ("“missing.so” does not exist");
  g_unsetenv ("DYNO_OPENVINO");
}

/* A broken library in the system's folder does not hide a usable one behind it. */
static void
test_broken_is_skipped (Fixture *fixture, gconstpointer data)
{
  g_autofree char *broken = add_text_file (fixture->system, "libopenvino_c.so.1");
  g_autoptr (GError) error = NULL;
  DynoOvLibrary *library;
  g_autofree char *version = NULL;

  dyno_paths_set_root (DYNO_PATH_RUNTIMES, g_getenv ("DYNO_RUNTIMES_DIR"));
  library = dyno_ov_library_get_default (&error);
  if (library == NULL)
    {
      g_test_skip ("the folder runtimes holds no usable OpenVINO");
      return;
    }
  g_assert_cmpstr (dyno_ov_library_get_path (library), !=, broken);
  g_object_get (library, "version", &version, NULL);
  g_assert_true (g_regex_match_simple ("^20[0-9]+\\.[0-9]+\\.[0-9]+$", version, 0, 0));
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/openvino-library/nothing-found", test_nothing_found);
  ADD ("/openvino-library/text-file", test_text_file);
  ADD ("/openvino-library/missing-function", test_missing_function);
  ADD ("/openvino-library/order", test_order);
  ADD ("/openvino-library/named", test_named);
  ADD ("/openvino-library/broken-is-skipped", test_broken_is_skipped);

  return g_test_run ();
}
