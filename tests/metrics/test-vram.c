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

static DynoValue *
find_value (Fixture *fixture, const char *name)
{
  GPtrArray *values = fixture->measurement->values;

  for (guint i = 0; i < values->len; i++)
    if (g_str_equal (dyno_value_get_name (g_ptr_array_index (values, i)), name))
      return g_ptr_array_index (values, i);
  return NULL;
}

static void
assert_number (Fixture *fixture, const char *name, double expected, const char *words)
{
  DynoValue *value = find_value (fixture, name);

  g_assert_nonnull (value);
  g_assert_cmpfloat_with_epsilon (dyno_value_get_number (value), expected, 1e-6);
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

static void
assert_unsupported (Fixture *fixture, const char *name, const char *words)
{
  DynoValue *value = find_value (fixture, name);

  g_assert_nonnull (value);
  g_assert_false (dyno_value_is_number (value));
  g_test_message ("%s", dyno_value_get_source (value));
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

static gboolean
has_trace (Fixture *fixture, const char *name)
{
  GPtrArray *traces = fixture->measurement->traces;

  for (guint i = 0; i < traces->len; i++)
    if (g_str_equal (dyno_trace_get_name (g_ptr_array_index (traces, i)), name))
      return TRUE;
  return FALSE;
}

static void
test_nvml (Fixture *fixture, gconstpointer data)
{
  measure (fixture, "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider",
           "devices=1\nmemory-mb=1500\nprocess-mb=640\n");
  assert_number (fixture, "device_memory_peak_mb", 640, "processes that do");
  assert_number (fixture, "device_memory_global_peak_mb", 1500, "all processes");
  g_assert_true (has_trace (fixture, "memory_device"));
  g_assert_true (has_trace (fixture, "memory_device_global"));
}

/* The second board says twice what the first one does. */
static void
test_by_uuid (Fixture *fixture, gconstpointer data)
{
  fixture->measurement->device = g_strdup ("GPU-fake-2");
  measure (fixture, "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider",
           "devices=2\nmemory-mb=1500\nprocess-mb=640\n");
  assert_number (fixture, "device_memory_global_peak_mb", 3000, "Fake Board 2");
}

static void
test_which_is_unknown (Fixture *fixture, gconstpointer data)
{
  measure (fixture, "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider", "devices=2\nmemory-mb=1500\n");
  assert_unsupported (fixture, "device_memory_global_peak_mb", "known");
  g_assert_false (has_trace (fixture, "memory_device_global"));
}

/* The driver knows this process by another id, so its memory is unknown, and not zero. */
static void
test_not_listed (Fixture *fixture, gconstpointer data)
{
  measure (fixture, "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider", "devices=1\nmemory-mb=1500\n");
  assert_unsupported (fixture, "device_memory_peak_mb", "container");
  assert_number (fixture, "device_memory_global_peak_mb", 1500, "all processes");
}

/* The boards' addresses are known, and the second is asked for by its own. */
static void
test_rocm_by_address (Fixture *fixture, gconstpointer data)
{
  fixture->measurement->device = g_strdup ("1");
  fixture->measurement->device_address = g_strdup ("0000:04:00.0");
  measure (fixture, "DYNO_TEST_AMD_FOLDER", "ROCMExecutionProvider",
           "devices=2\nmemory-mb=900\nprocess-mb=300\n");
  assert_number (fixture, "device_memory_peak_mb", 300, "processes that do");
  assert_number (fixture, "device_memory_global_peak_mb", 900, "all processes");
}

/* The first board uses three times as much; the process is the second on the list. */
static void
test_amd_smi_by_address (Fixture *fixture, gconstpointer data)
{
  fixture->measurement->device_address = g_strdup ("0001:04:00.0");
  measure (fixture, "DYNO_TEST_AMD_SMI_FOLDER", "ROCMExecutionProvider",
           "devices=2\nmemory-mb=900\nprocess-mb=300\n");
  assert_number (fixture, "device_memory_peak_mb", 300, "processes that do");
  assert_number (fixture, "device_memory_global_peak_mb", 900, "all processes");
}

static void
test_amd_smi_not_listed (Fixture *fixture, gconstpointer data)
{
  measure (fixture, "DYNO_TEST_AMD_SMI_FOLDER", "ROCMExecutionProvider", "devices=1\nmemory-mb=900\n");
  assert_unsupported (fixture, "device_memory_peak_mb", "does not list the processes");
}

static void
test_other_address (Fixture *fixture, gconstpointer data)
{
  fixture->measurement->device_address = g_strdup ("0000:99:00.0");
  measure (fixture, "DYNO_TEST_AMD_FOLDER", "ROCMExecutionProvider", "devices=1\nmemory-mb=900\n");
  assert_unsupported (fixture, "device_memory_global_peak_mb", "0000:99:00.0");
  assert_unsupported (fixture, "device_memory_global_peak_mb", "0000:03:00.0");
}

static void
test_no_driver (Fixture *fixture, gconstpointer data)
{
  measure (fixture, NULL, "CUDAExecutionProvider", "devices=1\n");
  assert_unsupported (fixture, "device_memory_peak_mb", "NVML");
}

static void
test_on_processor (Fixture *fixture, gconstpointer data)
{
  measure (fixture, "DYNO_TEST_NVIDIA_FOLDER", "CPUExecutionProvider", "devices=1\nmemory-mb=1500\n");
  g_assert_null (find_value (fixture, "device_memory_peak_mb"));
  g_assert_null (find_value (fixture, "device_memory_global_peak_mb"));
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
  g_assert_null (find_value (fixture, "device_memory_peak_mb"));
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

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("nvml", test_nvml);
  ADD ("by-uuid", test_by_uuid);
  ADD ("which-is-unknown", test_which_is_unknown);
  ADD ("not-listed", test_not_listed);
  ADD ("rocm-by-address", test_rocm_by_address);
  ADD ("amd-smi-by-address", test_amd_smi_by_address);
  ADD ("amd-smi-not-listed", test_amd_smi_not_listed);
  ADD ("other-address", test_other_address);
  ADD ("no-driver", test_no_driver);
  ADD ("on-processor", test_on_processor);
  ADD ("server", test_server);
  ADD ("server-on-several", test_server_on_several);
  ADD ("helpers", test_helpers);
  return g_test_run ();
}

SUITE (run_suite)
