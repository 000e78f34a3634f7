/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-clock.h"
#include "machine-tree.h"
#include "metric-fixture.h"
#include "suite.h"

typedef struct
{
  MachineTree tree;
  DynoMeasurement *measurement;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  machine_tree_set_up (&fixture->tree, data);
  fixture->measurement = dyno_measurement_new ();
  fixture->measurement->sampling_milliseconds = 1000;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  dyno_measurement_free (fixture->measurement);
  machine_tree_tear_down (&fixture->tree, data);
}

static void
write_script (Fixture *fixture, const char *settings)
{
  g_autofree char *path = g_build_filename (fixture->tree.root, "device", NULL);
  g_autofree char *text = g_strdup_printf ("[device]\n%s", settings);

  machine_tree_write (&fixture->tree, "device", text);
  g_setenv ("DYNO_FAKE_DEVICE", path, TRUE);
}

/* Stopping takes a last reading of everything, so nothing hangs on when the sampler's thread ran. */
static void
measure (Fixture *fixture, const char *folder, const char *provider, const char *settings)
{
  DynoMeasurement *measurement = fixture->measurement;
  g_autoptr (DynoMetric) metric = metric_fixture_create ("vram");

  write_script (fixture, settings);
  g_setenv ("DYNO_LIBRARY_PATH", folder != NULL ? g_getenv (folder) : "", TRUE);
  measurement->provider = g_strdup (provider);
  measurement->origin_ns = dyno_clock_now_ns ();
  measurement->sensors = dyno_sensor_set_discover (0);
  measurement->sampler = dyno_sampler_new (measurement->origin_ns);
  dyno_metric_start (metric, measurement);
  measurement->phase_ns[DYNO_PHASE_LOAD] = dyno_clock_now_ns ();
  dyno_sampler_start (measurement->sampler);
  dyno_sampler_stop (measurement->sampler);
  dyno_metric_stop (metric, measurement);
  measurement->phase_ns[DYNO_N_PHASES] = dyno_clock_now_ns ();
  dyno_metric_collect (metric, measurement);
}

static void
assert_number (Fixture *fixture, const char *name, double expected, const char *words)
{
  DynoValue *value = dyno_measurement_get_value (fixture->measurement, name);

  g_assert_nonnull (value);
  g_assert_cmpfloat_with_epsilon (dyno_value_get_number (value), expected, 1e-6);
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

static void
assert_unsupported (Fixture *fixture, const char *name, const char *words)
{
  DynoValue *value = dyno_measurement_get_value (fixture->measurement, name);

  g_assert_nonnull (value);
  g_assert_false (dyno_value_is_number (value));
  g_test_message ("%s", dyno_value_get_source (value));
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

/* What a library says of its boards: the peaks in MB of those processes that do the work, and of all. */
typedef struct
{
  const char *path;
  const char *folder; /* the variable that names that of the library */
  const char *provider;
  const char *device;
  const char *address;
  const char *settings;
  double own;
  double global;
  const char *source; /* words of that of the latter */
  const char *no_own; /* words why there is none */
  const char *no_global[2];
} Board;

static const Board boards[] = {
  { "nvml", "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider", NULL, NULL,
    "devices=1\nmemory-mb=1500\nprocess-mb=640\n", 640, 1500, "all processes" },
  /* The second board says twice what the first one does. */
  { "by-uuid", "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider", "GPU-fake-2", NULL,
    "devices=2\nmemory-mb=1500\nprocess-mb=640\n", 640, 3000, "Fake Board 2" },
  { "which-is-unknown", "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider", NULL, NULL,
    "devices=2\nmemory-mb=1500\n", .no_global = { "known" } },
  /* The driver knows this process by another id, so its memory is unknown, and not zero. */
  { "not-listed", "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider", NULL, NULL,
    "devices=1\nmemory-mb=1500\n", 0, 1500, "all processes", .no_own = "container" },
  /* The boards' addresses are known, and the second is asked for by its own. */
  { "rocm-by-address", "DYNO_TEST_AMD_FOLDER", "ROCMExecutionProvider", "1", "0000:04:00.0",
    "devices=2\nmemory-mb=900\nprocess-mb=300\n", 300, 900, "all processes" },
  /* The first board uses three times as much; the process is the second on the list. */
  { "amd-smi-by-address", "DYNO_TEST_AMD_SMI_FOLDER", "ROCMExecutionProvider", NULL, "0001:04:00.0",
    "devices=2\nmemory-mb=900\nprocess-mb=300\n", 300, 900, "all processes" },
  { "amd-smi-not-listed", "DYNO_TEST_AMD_SMI_FOLDER", "ROCMExecutionProvider", NULL, NULL,
    "devices=1\nmemory-mb=900\n", 0, 900, "all processes", .no_own = "does not list the processes" },
  { "other-address", "DYNO_TEST_AMD_FOLDER", "ROCMExecutionProvider", NULL, "0000:99:00.0",
    "devices=1\nmemory-mb=900\n", .no_global = { "0000:99:00.0", "0000:03:00.0" } },
  { "no-driver", NULL, "CUDAExecutionProvider", NULL, NULL, "devices=1\n", .no_own = "NVML" },
};

static void
test_board (Fixture *fixture, gconstpointer data)
{
  const Board *board = data;

  fixture->measurement->device = g_strdup (board->device);
  fixture->measurement->device_address = g_strdup (board->address);
  measure (fixture, board->folder, board->provider, board->settings);
  if (board->own > 0)
    assert_number (fixture, "device_memory_peak_mb", board->own, "processes that do");
  if (board->global > 0)
    assert_number (fixture, "device_memory_global_peak_mb", board->global, board->source);
  g_assert_cmpint (metric_fixture_find_trace (fixture->measurement, "memory_device") != NULL, ==,
                   board->own > 0);
  g_assert_cmpint (metric_fixture_find_trace (fixture->measurement, "memory_device_global") != NULL, ==,
                   board->global > 0);
  if (board->no_own != NULL)
    assert_unsupported (fixture, "device_memory_peak_mb", board->no_own);
  for (guint i = 0; i < G_N_ELEMENTS (board->no_global) && board->no_global[i] != NULL; i++)
    assert_unsupported (fixture, "device_memory_global_peak_mb", board->no_global[i]);
}

static void
test_on_processor (Fixture *fixture, gconstpointer data)
{
  measure (fixture, "DYNO_TEST_NVIDIA_FOLDER", "CPUExecutionProvider", "devices=1\nmemory-mb=1500\n");
  g_assert_null (dyno_measurement_get_value (fixture->measurement, "device_memory_peak_mb"));
  g_assert_null (dyno_measurement_get_value (fixture->measurement, "device_memory_global_peak_mb"));
}

/* The fake drivers list a process with the number 1, which has 7 MB. */
static void
serve (Fixture *fixture, const char *settings)
{
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (GPid));
  const GPid pid = 1;

  g_array_append_val (processes, pid);
  machine_tree_write (&fixture->tree, "proc/1/statm", "100 50 20 0 0 0 0\n");
  fixture->measurement->server = g_new0 (DynoServer, 1);
  dyno_process_memory_follow (fixture->measurement->others, processes);
  measure (fixture, "DYNO_TEST_NVIDIA_FOLDER", NULL, settings);
}

/* A server works where its processes have memory. */
static void
test_server (Fixture *fixture, gconstpointer data)
{
  g_autofree char *reason = NULL;

  serve (fixture, "devices=1\nmemory-mb=1500\n");
  assert_number (fixture, "device_memory_peak_mb", 7, "processes that do");
  assert_number (fixture, "device_memory_global_peak_mb", 1500, "all processes");
  g_assert_true (dyno_measurement_is_on_device (fixture->measurement));
  g_assert_null (dyno_measurement_explain_unseen (fixture->measurement));
  g_assert_nonnull (dyno_measurement_find_device_sensor (fixture->measurement, &reason));
}

/* On several devices, nothing says which of them does what. */
static void
test_server_on_several (Fixture *fixture, gconstpointer data)
{
  serve (fixture, "devices=2\nmemory-mb=1500\n");
  g_assert_null (dyno_measurement_get_value (fixture->measurement, "device_memory_peak_mb"));
  g_assert_false (dyno_measurement_is_on_device (fixture->measurement));
  g_assert_nonnull (dyno_measurement_explain_unseen (fixture->measurement));
}

/* What works for this process counts as its own. */
static void
test_helpers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (GPid));
  const GPid pid = 1;

  g_array_append_val (processes, pid);
  machine_tree_write (&fixture->tree, "proc/1/statm", "100 50 20 0 0 0 0\n");
  dyno_process_memory_follow (fixture->measurement->others, processes);
  measure (fixture, "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider",
           "devices=1\nmemory-mb=1500\nprocess-mb=640\n");
  assert_number (fixture, "device_memory_peak_mb", 647, "processes that do");
}

#define ADD(path, func) g_test_add ("/vram/" path, Fixture, NULL, set_up, func, tear_down)

static void
add_tests (void)
{
  ADD ("on-processor", test_on_processor);
  ADD ("server", test_server);
  ADD ("server-on-several", test_server_on_several);
  ADD ("helpers", test_helpers);
  for (guint i = 0; i < G_N_ELEMENTS (boards); i++)
    {
      g_autofree char *path = g_strconcat ("/vram/", boards[i].path, NULL);

      g_test_add (path, Fixture, &boards[i], set_up, test_board, tear_down);
    }
}

SUITE_ADD (add_tests)
