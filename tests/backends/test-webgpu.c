/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "dyno-ort-api.h"
#include "dyno-paths.h"
#include "dyno-vulkan.h"
#include "engines.h"
#include "suite.h"

/* A machine with only the mock Vulkan driver, if @data names its device. */
typedef struct
{
  char *root;
} Fixture;

static char *
make_folder (Fixture *fixture, const char *name)
{
  char *folder = g_build_filename (fixture->root, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  return folder;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = NULL;
  g_autofree char *manifest = NULL;
  g_autofree char *text = NULL;

  fixture->root = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  folder = make_folder (fixture, "vulkan/icd.d");
  dyno_paths_set_root (DYNO_PATH_ETC, fixture->root);
  if (data == NULL)
    return;
  g_setenv ("DYNO_FAKE_VULKAN", data, TRUE);
  manifest = g_build_filename (folder, "fake.json", NULL);
  text = g_strdup_printf ("{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"%s\"}}",
                          g_getenv ("DYNO_TEST_VULKAN"));
  g_assert_true (g_file_set_contents (manifest, text, -1, NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "lost.json",    "vulkan/icd.d/fake.json",
                                       "vulkan/icd.d", "vulkan",
                                       "empty",        "" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (fixture->root, names[i], NULL);

      g_remove (path);
    }
  dyno_paths_set_root (DYNO_PATH_ETC, NULL);
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, NULL);
  g_free (fixture->root);
}

static void
hide_runtimes (Fixture *fixture)
{
  g_autofree char *empty = make_folder (fixture, "empty");

  dyno_paths_set_root (DYNO_PATH_RUNTIMES, empty);
}

static const DynoVulkanDevice *
get_only_device (Fixture *fixture, GPtrArray **devices)
{
  hide_runtimes (fixture);
  *devices = dyno_vulkan_list_devices (NULL);
  g_assert_cmpuint ((*devices)->len, ==, 1);
  return (*devices)->pdata[0];
}

static void
test_discrete (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) devices = NULL;
  const DynoVulkanDevice *device = get_only_device (fixture, &devices);

  g_assert_cmpstr (device->id, ==, "0000:65:02.1");
  g_assert_cmpstr (device->address, ==, "0000:65:02.1");
  g_assert_cmpstr (device->name, ==, "Analytical Engine 2");
  g_assert_cmpstr (device->driver, ==, "babbage 18.37");
  g_assert_cmpint (device->kind, ==, DYNO_DEVICE_KIND_DISCRETE_GPU);
  g_assert_cmpint (device->memory, ==, 8000000000);
  g_assert_null (device->missing);
}

static void
test_integrated (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) devices = NULL;
  const DynoVulkanDevice *device = get_only_device (fixture, &devices);

  g_assert_cmpstr (device->id, ==, "abababab-abab-abab-abab-abababababab");
  g_assert_null (device->address);
  g_assert_cmpint (device->kind, ==, DYNO_DEVICE_KIND_INTEGRATED_GPU);
}

static void
test_broken_driver (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) devices = NULL;

  hide_runtimes (fixture);
  devices = dyno_vulkan_list_devices (NULL);
  g_assert_cmpuint (devices->len, ==, 0);
}

/* A device that this machine does not offer reports only that. */
static DynoProbe *
probe_or_skip (void)
{
  DynoBackend *backend = dyno_backend_lookup ("webgpu", NULL);
  DynoProbe *probe = dyno_backend_probe (backend, NULL);

  if (dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE ||
      strstr (dyno_probe_get_reason (probe), "Vulkan") != NULL)
    return probe;
  skip_without_engine ("webgpu", dyno_probe_get_reason (probe));
  g_object_unref (probe);
  return NULL;
}

/* The runtimes folder without the driver that lies in it. */
static void
hide_software (Fixture *fixture)
{
  g_setenv ("VK_DRIVER_FILES", "", TRUE);
}

static void
test_no_driver (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoProbe) probe = NULL;

  hide_software (fixture);
  probe = probe_or_skip ();
  g_unsetenv ("VK_DRIVER_FILES");
  if (probe == NULL)
    return;
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), "No Vulkan driver"));
  g_assert_nonnull (dyno_probe_get_remedy (probe));
}

/* A manifest may lead to a driver that lacks what it is linked with. */
static void
test_driver_that_does_not_open (Fixture *fixture, gconstpointer data)
{
  g_autofree char *manifest = g_build_filename (fixture->root, "lost.json", NULL);
  g_autoptr (DynoProbe) found = NULL;

  g_assert_true (g_file_set_contents (
      manifest, "{\"ICD\": {\"library_path\": \"libno-such-driver.so.0\", \"api_version\": \"1.1\"}}", -1,
      NULL));
  g_setenv ("VK_DRIVER_FILES", manifest, TRUE);
  found = probe_or_skip ();
  g_unsetenv ("VK_DRIVER_FILES");
  if (found == NULL)
    return;
  g_assert_cmpint (dyno_probe_get_state (found), ==, DYNO_PROBE_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_probe_get_reason (found), "libno-such-driver.so.0"));
}

static void
test_missing_feature (Fixture *fixture, gconstpointer data)
{
  g_autofree char *manifest = g_build_filename (fixture->root, "vulkan", "icd.d", "fake.json", NULL);
  g_autoptr (DynoProbe) probe = NULL;

  g_setenv ("VK_DRIVER_FILES", manifest, TRUE);
  probe = probe_or_skip ();
  g_unsetenv ("VK_DRIVER_FILES");
  if (probe == NULL)
    return;
  g_test_message ("%s", dyno_probe_get_reason (probe));
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), "“babbage 18.37”"));
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), "“shaderStorageBufferArrayDynamicIndexing”"));
  g_assert_cmpuint (g_list_model_get_n_items (dyno_probe_get_devices (probe)), ==, 0);
}

/* Its numbers are those of the processor, which must be visible. */
static void
test_software (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoProbe) probe = probe_or_skip ();
  DynoDevice *device = probe != NULL ? dyno_probe_find_device (probe, "software") : NULL;

  if (probe == NULL)
    return;
  if (device == NULL)
    {
      skip_without_engine ("webgpu", "the folder runtimes holds no Vulkan driver without a device");
      return;
    }
  g_assert_cmpint (dyno_device_get_kind (device), ==, DYNO_DEVICE_KIND_SOFTWARE);
  g_assert_nonnull (strstr (dyno_device_get_name (device), "SwiftShader"));
  g_assert_cmpint (dyno_device_get_memory (device), ==, 0);
}

/* A process that started with one driver does not run on another under its name. */
static void
test_one_driver (Fixture *fixture, gconstpointer data)
{
  g_autofree char *manifest = g_build_filename (fixture->root, "vulkan", "icd.d", "fake.json", NULL);
  DynoSessionOptions options = { .device = "0000:65:02.1", .precision = "fp32", .threads = 1 };
  g_autoptr (DynoProbe) probe = NULL;
  g_autoptr (GError) error = NULL;

  if (dyno_vulkan_get_chosen_driver () == NULL)
    {
      skip_without_engine ("webgpu", "no driver could be started");
      return;
    }
  g_assert_false (dyno_vulkan_choose_driver (manifest, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_clear_error (&error);

  probe = dyno_backend_probe (dyno_backend_lookup ("webgpu", NULL), NULL);
  g_assert_nonnull (dyno_probe_find_device (probe, options.device));
  g_assert_null (dyno_backend_open (dyno_backend_lookup ("webgpu", NULL), "model.onnx", &options, &error));
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "fake.json");
}

static void
test_options (void)
{
  DynoBackend *backend = dyno_backend_lookup ("webgpu", NULL);

  g_assert_true (dyno_backend_check_option (backend, "layout", "nchw", NULL));
  g_assert_true (dyno_backend_check_option (backend, "validation", "disabled", NULL));
  g_assert_false (dyno_backend_check_option (backend, "layout", "hwcn", NULL));
  g_assert_false (dyno_backend_check_option (backend, "cuda-graph", "on", NULL));
}

#define ADD(path, plays, function) g_test_add (path, Fixture, plays, set_up, function, tear_down)

static int
run_suite (int argc, char *argv[])
{
  g_setenv ("XDG_DATA_DIRS", "/nonexistent", TRUE);
  g_unsetenv ("VK_DRIVER_FILES");
  g_unsetenv ("VK_ICD_FILENAMES");
  g_test_init (&argc, &argv, NULL);

  ADD ("/webgpu/discrete", "discrete, integrated, address", test_discrete);
  ADD ("/webgpu/integrated", "integrated", test_integrated);
  ADD ("/webgpu/broken-driver", "broken", test_broken_driver);
  ADD ("/webgpu/no-driver", NULL, test_no_driver);
  ADD ("/webgpu/driver-that-does-not-open", NULL, test_driver_that_does_not_open);
  ADD ("/webgpu/missing-feature", "discrete, poor", test_missing_feature);
  g_test_add_func ("/webgpu/options", test_options);
  ADD ("/webgpu/software", NULL, test_software);
  ADD ("/webgpu/one-driver", "discrete, address", test_one_driver);

  return g_test_run ();
}

SUITE (run_suite)
