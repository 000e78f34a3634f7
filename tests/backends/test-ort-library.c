/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "dyno-ort-api.h"
#ifdef HAVE_ONNXRUNTIME
#include "dyno-onnxruntime-private.h"
#endif
#include "dyno-ort.h"
#include "dyno-paths.h"
#include "engines.h"
#include "library-tree.h"
#include "suite.h"

static void
set_up (LibraryTree *tree, gconstpointer data)
{
  library_tree_set_up (tree, data);
  g_unsetenv ("DYNO_ONNXRUNTIME");
}

static void
tear_down (LibraryTree *tree, gconstpointer data)
{
  dyno_paths_set_root (DYNO_PATH_PROCFS, NULL);
  dyno_engine_path_set ("DYNO_ONNXRUNTIME", NULL);
  library_tree_tear_down (tree, data);
}

/* The library to test with, or NULL if there is none. */
static char *
find_real_library_or_skip (void)
{
  const char *folder = g_getenv ("DYNO_RUNTIMES_DIR");
  g_autoptr (GListModel) found = NULL;

  dyno_paths_set_root (DYNO_PATH_RUNTIMES, folder);
  found = dyno_ort_library_list_found ();
  for (guint i = 0; i < g_list_model_get_n_items (found); i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (found, i);

      if (dyno_ort_runtime_is_usable (runtime))
        return g_strdup (dyno_ort_runtime_get_path (runtime));
    }
  skip_without_engine ("cpu", "the folder runtimes holds no usable ONNX Runtime");
  return NULL;
}

/* Without the header no library can be queried. */
static gboolean
can_ask_or_skip (void)
{
#ifdef HAVE_ONNXRUNTIME
  return TRUE;
#else
  skip_without_engine ("cpu", "built without the header of ONNX Runtime");
  return FALSE;
#endif
}

static void
assert_found (guint position, const char *path)
{
  g_autoptr (GListModel) found = dyno_ort_library_list_found ();
  g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (found, position);
  g_autofree char *real_path = realpath (path, NULL);

  g_assert_nonnull (runtime);
  g_assert_cmpstr (dyno_ort_runtime_get_path (runtime), ==, real_path);
}

static void
test_nothing_found (LibraryTree *tree, gconstpointer data)
{
  g_autoptr (GListModel) found = dyno_ort_library_list_found ();

  g_assert_cmpuint (g_list_model_get_n_items (found), ==, 0);
  library_tree_assert_unsupported ("cpu", dyno_ort_library_get_remedy (), "not found");
}

static void
test_text_file (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *path = library_tree_add_no_library (tree->system, "libonnxruntime.so.1");
  g_autoptr (GListModel) found = dyno_ort_library_list_found ();
  g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (found, 0);

  library_tree_assert_unsupported ("cpu", dyno_ort_library_get_remedy (), "libonnxruntime.so.1");
  g_assert_false (dyno_ort_runtime_is_usable (runtime));
  g_assert_nonnull (dyno_ort_runtime_get_problem (runtime));
  g_assert_null (dyno_ort_runtime_get_version (runtime));
  g_assert_cmpuint (g_strv_length ((char **)dyno_ort_runtime_get_providers (runtime)), ==, 0);
}

static const struct
{
  const char *path;
  const char *library; /* the variable that names it */
  const char *reason;
} unusable[] = {
  { "/ort-library/other-library", "DYNO_TEST_NO_RUNTIME", "not ONNX Runtime" },
  { "/ort-library/too-old", "DYNO_TEST_OLD_RUNTIME", "1.17.1, which is too old" },
  { "/ort-library/offers-no-api", "DYNO_TEST_MUTE_RUNTIME", "offers none of the API versions" },
};

static void
test_unusable (LibraryTree *tree, gconstpointer data)
{
  guint row = GPOINTER_TO_UINT (data);
  g_autofree char *path =
      library_tree_add_link (tree->system, "libonnxruntime.so.1", g_getenv (unusable[row].library));
  g_autoptr (GListModel) found = dyno_ort_library_list_found ();
  g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (found, 0);

  if (!can_ask_or_skip ())
    return;
  library_tree_assert_unsupported ("cpu", dyno_ort_library_get_remedy (), unusable[row].reason);
  if (g_str_has_prefix (unusable[row].reason, "1.17.1"))
    g_assert_cmpstr (dyno_ort_runtime_get_version (runtime), ==, "1.17.1");
}

static void
test_order (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *environment = library_tree_add_folder (tree->root, "environment");
  g_autofree char *capi =
      library_tree_add_folder (environment, "lib/python3.11/site-packages/onnxruntime/capi");
  g_autofree char *debian_capi =
      library_tree_add_folder (tree->system, "python3/dist-packages/onnxruntime/capi");
  g_autofree char *older = library_tree_add_folder (tree->runtimes, "onnxruntime-1.9.0/lib");
  g_autofree char *newer = library_tree_add_folder (tree->runtimes, "onnxruntime-1.30.0");
  g_autofree char *in_debian = library_tree_add_no_library (debian_capi, "libonnxruntime.so.1.21.0");
  g_autofree char *in_environment = library_tree_add_no_library (capi, "libonnxruntime.so.1.22.0");
  g_autofree char *in_older = library_tree_add_no_library (older, "libonnxruntime.so.1");
  g_autofree char *in_newer = library_tree_add_no_library (newer, "libonnxruntime.so.1");
  g_autofree char *in_system = library_tree_add_no_library (tree->system, "libonnxruntime.so.1.21");
  g_autofree char *link = library_tree_add_link (tree->system, "libonnxruntime.so.1", in_system);
  g_autofree char *named = library_tree_add_no_library (tree->root, "named.so");
  g_autofree char *provider =
      library_tree_add_no_library (tree->system, "libonnxruntime_providers_shared.so");
  g_autoptr (GListModel) found = NULL;

  g_setenv ("VIRTUAL_ENV", environment, TRUE);
  dyno_engine_path_set ("DYNO_ONNXRUNTIME", named);
  found = dyno_ort_library_list_found ();
  g_assert_cmpuint (g_list_model_get_n_items (found), ==, 6);
  assert_found (0, named);
  assert_found (1, in_newer);
  assert_found (2, in_older);
  assert_found (3, in_system);
  assert_found (4, in_environment);
  assert_found (5, in_debian);
}

static void
add_lone_runtime (LibraryTree *tree, const char *name)
{
  g_autofree char *folder = library_tree_add_folder (tree->runtimes, name);
  g_autofree char *path = g_build_filename (folder, "libonnxruntime.so.1", NULL);
  g_autoptr (GFile) source = g_file_new_for_path (g_getenv ("DYNO_TEST_LONE_RUNTIME"));
  g_autoptr (GFile) copy = g_file_new_for_path (path);

  g_assert_true (g_file_copy (source, copy, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));
}

/* All libraries found are described, both when listing and when choosing one, but no process opens two of them. */
static void
test_one_in_a_process (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *library = find_real_library_or_skip ();
  g_autofree char *link = NULL;
  g_autofree char *log = g_build_filename (tree->root, "log", NULL);
  g_autoptr (GListModel) found = NULL;

  if (library == NULL)
    return;
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, tree->runtimes);
  add_lone_runtime (tree, "a");
  add_lone_runtime (tree, "b");
  link = library_tree_add_link (tree->system, "libonnxruntime.so.1", library);
  g_setenv ("DYNO_TEST_TWO_RUNTIMES", log, TRUE);
  found = dyno_ort_library_list_found ();
  g_assert_cmpuint (g_list_model_get_n_items (found), ==, 3);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (found, i);

      g_assert_false (dyno_ort_runtime_is_usable (runtime));
      g_assert_cmpstr (dyno_ort_runtime_get_version (runtime), ==, "1.18.0");
      g_assert_nonnull (strstr (dyno_ort_runtime_get_problem (runtime), "too old"));
    }
  g_assert_cmpstr (dyno_ort_runtime_get_path (dyno_ort_library_get_default (NULL)), ==, library);
  g_assert_cmpstr (dyno_ort_runtime_get_path (dyno_ort_library_get_for ("CPUExecutionProvider", NULL)), ==,
                   library);
  g_unsetenv ("DYNO_TEST_TWO_RUNTIMES");
  g_assert_false (g_file_test (log, G_FILE_TEST_EXISTS));
}

static void
test_environment_before_settings (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *from_settings = library_tree_add_no_library (tree->root, "settings.so");
  g_autofree char *from_environment = library_tree_add_no_library (tree->root, "environment.so");
  g_autofree char *path = NULL;

  dyno_engine_path_set ("DYNO_ONNXRUNTIME", from_settings);
  g_setenv ("DYNO_ONNXRUNTIME", from_environment, TRUE);
  path = dyno_engine_path_dup ("DYNO_ONNXRUNTIME");
  g_assert_cmpstr (path, ==, from_environment);
  g_unsetenv ("DYNO_ONNXRUNTIME");
}

/* A library that is named is never replaced by another, even if that is usable. */
static void
test_named_is_not_replaced (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *library = find_real_library_or_skip ();
  g_autofree char *named = library_tree_add_no_library (tree->root, "named.so");

  if (library == NULL)
    return;
  dyno_engine_path_set ("DYNO_ONNXRUNTIME", named);
  library_tree_assert_unsupported ("cpu", dyno_ort_library_get_remedy (), "named.so");
  dyno_engine_path_set ("DYNO_ONNXRUNTIME", "missing.so");
  library_tree_assert_unsupported ("cpu", dyno_ort_library_get_remedy (), "“missing.so”");
}

/* A broken library in the runtimes folder does not hide a usable one behind it. */
static void
test_broken_is_skipped (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *library = find_real_library_or_skip ();
  g_autofree char *broken = library_tree_add_no_library (tree->runtimes, "libonnxruntime.so.1");
  g_autofree char *link = NULL;
  g_autoptr (GError) error = NULL;
  DynoOrtRuntime *runtime;

  if (library == NULL)
    return;
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, tree->runtimes);
  link = library_tree_add_link (tree->system, "libonnxruntime.so.1", library);
  runtime = dyno_ort_library_get_default (&error);
  g_assert_no_error (error);
  g_assert_cmpstr (dyno_ort_runtime_get_path (runtime), ==, library);
}

static void
test_real_library (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *library = find_real_library_or_skip ();
  DynoOrtRuntime *runtime;
  g_autofree char *version = NULL;
  g_autofree char *problem = NULL;
  g_auto (GStrv) providers = NULL;
  gboolean usable;

  if (library == NULL)
    return;
  runtime = dyno_ort_runtime_get (library);
  g_object_get (runtime, "version", &version, "providers", &providers, "usable", &usable, "problem", &problem,
                NULL);
  g_assert_true (usable);
  g_assert_null (problem);
  g_assert_true (g_regex_match_simple ("^[0-9]+\\.[0-9]+\\.[0-9]+", version, 0, 0));
  g_assert_true (g_strv_contains ((const char *const *)providers, "CPUExecutionProvider"));
  g_assert_cmpuint (dyno_ort_runtime_get_api_version (runtime), >=, 20);
}

/* Messages of devices when a model does not fit. */
static void
test_device_memory (LibraryTree *tree, gconstpointer data)
{
#ifdef HAVE_ONNXRUNTIME
  static const char *const messages[] = {
    "CUDA failure 2: out of memory ; GPU=0",
    "BFCArena: Available memory of 1024 is smaller than requested bytes of 4096",
    "Out of memory: vkAllocateMemory failed with VK_ERROR_OUT_OF_DEVICE_MEMORY",
  };
  g_autofree char *library = find_real_library_or_skip ();
  DynoOrtRuntime *runtime = library != NULL ? dyno_ort_runtime_get (library) : NULL;

  for (guint i = 0; runtime != NULL && i < G_N_ELEMENTS (messages); i++)
    {
      OrtStatus *status = dyno_ort_runtime_get_api (runtime)->CreateStatus (ORT_FAIL, messages[i]);
      g_autoptr (GError) error = NULL;

      g_assert_false (dyno_ort_error_check (runtime, "model.onnx", status, &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY);
    }
#else
  skip_without_engine ("cpu", "built without the header of ONNX Runtime");
#endif
}

static void
test_cpu_device (LibraryTree *tree, gconstpointer data)
{
  g_autofree char *library = find_real_library_or_skip ();
  g_autofree char *cpuinfo = g_build_filename (tree->root, "cpuinfo", NULL);
  g_autofree char *runtime = NULL;
  g_autoptr (DynoProbe) probe = NULL;
  g_autoptr (DynoDevice) device = NULL;

  if (library == NULL)
    return;
  g_assert_true (
      g_file_set_contents (cpuinfo, "processor\t: 0\nmodel name\t: Difference Engine\n", -1, NULL));
  dyno_paths_set_root (DYNO_PATH_PROCFS, tree->root);
  probe = dyno_backend_probe (dyno_backend_lookup ("cpu", NULL), NULL);
  runtime =
      g_strdup_printf ("ONNX Runtime %s", dyno_ort_runtime_get_version (dyno_ort_runtime_get (library)));
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_AVAILABLE);
  g_assert_cmpstr (dyno_probe_get_runtime (probe), ==, runtime);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_probe_get_devices (probe)), ==, 1);
  device = g_list_model_get_item (dyno_probe_get_devices (probe), 0);
  g_assert_cmpstr (dyno_device_get_id (device), ==, "cpu");
  g_assert_cmpstr (dyno_device_get_name (device), ==, "Difference Engine");
  g_assert_true (g_strv_contains (dyno_device_get_precisions (device), "fp32"));
}

#define EXPECT_CRITICAL()                                                                                    \
  g_test_expect_message ("dyno", G_LOG_LEVEL_CRITICAL, "*DYNO_IS_ENGINE_LIBRARY (self)*")

/* A file that is not a library is reported as such, and nothing is read from it. */
static void
test_no_library (LibraryTree *tree, gconstpointer data)
{
  g_autoptr (GObject) object = g_object_new (G_TYPE_OBJECT, NULL);
  DynoEngineLibrary *none = (DynoEngineLibrary *)object;

  EXPECT_CRITICAL ();
  g_assert_null (dyno_engine_library_get_version (none));
  EXPECT_CRITICAL ();
  g_assert_false (dyno_engine_library_is_usable (none));
  EXPECT_CRITICAL ();
  g_assert_null (dyno_engine_library_get_problem (none));
  g_test_assert_expected_messages ();
}

#define ADD(path, function) g_test_add (path, LibraryTree, NULL, set_up, function, tear_down)

static void
add_tests (void)
{
  ADD ("/ort-library/no-library", test_no_library);
  ADD ("/ort-library/nothing-found", test_nothing_found);
  ADD ("/ort-library/text-file", test_text_file);
  ADD ("/ort-library/order", test_order);
  ADD ("/ort-library/one-in-a-process", test_one_in_a_process);
  ADD ("/ort-library/environment-before-settings", test_environment_before_settings);
  ADD ("/ort-library/named-is-not-replaced", test_named_is_not_replaced);
  ADD ("/ort-library/broken-is-skipped", test_broken_is_skipped);
  ADD ("/ort-library/real-library", test_real_library);
  ADD ("/ort-library/cpu-device", test_cpu_device);
  ADD ("/ort-library/device-memory", test_device_memory);

  for (guint i = 0; i < G_N_ELEMENTS (unusable); i++)
    g_test_add (unusable[i].path, LibraryTree, GUINT_TO_POINTER (i), set_up, test_unusable, tear_down);
}

SUITE_ADD (add_tests)
