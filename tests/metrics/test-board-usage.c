/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-clock.h"
#include "dyno-metrics-sources-private.h"
#include "machine-tree.h"
#include "metric-fixture.h"
#include "suite.h"

/* The highest rate of the mock board's memory: 2619 MHz, twice a cycle, 5120 bits. */
#define HIGHEST_GBPS 3352.32

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
  fixture->measurement->device_kind = DYNO_DEVICE_KIND_DISCRETE_GPU;
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
  g_autofree char *text = g_strdup_printf ("[device]\ndevices=1\n%s", settings);

  machine_tree_write (&fixture->tree, "device", text);
  g_setenv ("DYNO_FAKE_DEVICE", path, TRUE);
}

static DynoSensorSet *
discover (Fixture *fixture, const char *folder, const char *settings)
{
  write_script (fixture, settings);
  g_setenv ("DYNO_LIBRARY_PATH", g_getenv (folder), TRUE);
  return dyno_sensor_set_discover (0);
}

static DynoSensor *
find (DynoSensorSet *set, DynoSensorKind kind, const char *name)
{
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (set); i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (set, i);

      if (dyno_sensor_get_info (sensor)->kind == kind &&
          g_str_equal (dyno_sensor_get_info (sensor)->name, name))
        return sensor;
    }
  return NULL;
}

static gboolean
read_busy (DynoSensorSet *set, const char *name, double *value)
{
  DynoSensor *sensor = find (set, DYNO_SENSOR_BUSY, name);
  gint64 time;

  g_assert_nonnull (sensor);
  return dyno_sensor_read (sensor, &time, value);
}

/* What a board's library says, and the names of the sensors that come of it. */
typedef struct
{
  const char *path;
  const char *folder;
  const char *whole;
  const char *memory;
} Library;

static const Library libraries[] = {
  { "nvml", "DYNO_TEST_NVIDIA_FOLDER", "nvidia0", "nvidia0_memory" },
  { "amd-smi", "DYNO_TEST_AMD_SMI_FOLDER", "amd0", "amd0_memory" },
  { "rocm-smi", "DYNO_TEST_AMD_FOLDER", "amd0", "amd0_memory" },
};

/* A share is that of the time since the reading before. */
static void
test_shares (Fixture *fixture, gconstpointer data)
{
  const Library *library = data;
  g_autoptr (DynoSensorSet) set = discover (fixture, library->folder, "busy=62\nmemory-busy=31\n");
  double before, after, memory;
  gint64 began = dyno_clock_now_ns ();

  g_assert_true (read_busy (set, library->whole, &before));
  g_assert_true (read_busy (set, library->memory, &memory));
  g_assert_cmpfloat (before, ==, 0);
  g_assert_cmpfloat (memory, ==, 0);
  g_assert_true (read_busy (set, library->whole, &after));
  g_assert_cmpfloat (after, >, 0);
  g_assert_cmpfloat (after, <=, 62 * (double)(dyno_clock_now_ns () - began) / 1e9);
  g_assert_true (read_busy (set, library->memory, &memory));
  g_assert_cmpfloat (memory, >, 0);
  g_assert_cmpfloat (memory, <=, 31 * (double)(dyno_clock_now_ns () - began) / 1e9);
}

/* What is impossible or missing once ends the counting. */
static void
test_broken (Fixture *fixture, gconstpointer data)
{
  const Library *library = data;
  g_autoptr (DynoSensorSet) set = discover (fixture, library->folder, "busy=62\n");
  double value;

  g_assert_true (read_busy (set, library->whole, &value));
  write_script (fixture, "busy=101\n");
  g_assert_false (read_busy (set, library->whole, &value));
  write_script (fixture, "busy=62\n");
  g_assert_false (read_busy (set, library->whole, &value));
}

static void
test_not_told (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoSensorSet) nvidia =
      discover (fixture, "DYNO_TEST_NVIDIA_FOLDER", "busy=-1\nprocess-busy=-1\ntemperature=40\n");
  g_autoptr (DynoSensorSet) amd = discover (fixture, "DYNO_TEST_AMD_SMI_FOLDER", "busy=-1\n");
  double value;

  g_assert_null (find (nvidia, DYNO_SENSOR_BUSY, "nvidia0"));
  g_assert_null (find (nvidia, DYNO_SENSOR_BUSY, "nvidia0_tensor"));
  g_assert_false (read_busy (nvidia, "nvidia0_process", &value));
  g_assert_null (find (amd, DYNO_SENSOR_BUSY, "amd0"));
}

/* The library lists only processes that work, and those only once in its sample period; one that is on no list for that
 * long is idle. */
static void
test_process (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = discover (fixture, "DYNO_TEST_NVIDIA_FOLDER", "process-busy=0\n");
  double value, later;
  gint64 listed_ns;

  g_assert_false (read_busy (set, "nvidia0_process", &value));
  write_script (fixture, "process-busy=40\n");
  g_assert_true (read_busy (set, "nvidia0_process", &value));
  listed_ns = dyno_clock_now_ns ();
  g_assert_true (read_busy (set, "nvidia0_process", &later));
  g_assert_cmpfloat (later, >, value);
  write_script (fixture, "process-busy=0\n");
  g_assert_true (read_busy (set, "nvidia0_process", &value));
  g_assert_true (value > later || dyno_clock_now_ns () - listed_ns > 1000000000);
  while (value > later)
    {
      later = value;
      g_assert_true (read_busy (set, "nvidia0_process", &value));
    }
  g_assert_cmpfloat (value, ==, later);
  write_script (fixture, "process-busy=101\n");
  g_assert_false (read_busy (set, "nvidia0_process", &value));
}

/* The metric */

static void
hold (void)
{
  gint64 until = dyno_clock_now_ns () + 50000000;

  while (dyno_clock_now_ns () < until)
    continue;
}

/* One sample of 50 ms. Returns the time from before the first reading to after the last one over that of the sample. */
static double
measure (Fixture *fixture)
{
  DynoMeasurement *measurement = fixture->measurement;
  g_autoptr (DynoMetric) metric = metric_fixture_create ("utilisation");
  gsize end = 1;
  gint64 before, began, after;

  measurement->origin_ns = dyno_clock_now_ns ();
  measurement->power_milliseconds = 1000;
  measurement->sampler = dyno_sampler_new (measurement->origin_ns);
  measurement->samples = dyno_samples_new (1);
  measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  dyno_metric_start (metric, measurement);
  before = dyno_clock_now_ns ();
  dyno_sampler_mark_edge (measurement->sampler);
  began = dyno_clock_now_ns ();
  hold ();
  dyno_samples_record (measurement->samples, began, dyno_clock_now_ns ());
  dyno_sampler_mark_edge (measurement->sampler);
  after = dyno_clock_now_ns ();
  g_array_append_val (measurement->chunk_ends, end);
  measurement->steady_end = 1;
  dyno_metric_collect (metric, measurement);
  return (double)(after - before) / (double)measurement->samples->durations[0];
}

static void
assert_near (Fixture *fixture, const char *name, double expected, double factor)
{
  double number = dyno_measurement_get_number (fixture->measurement, name);

  g_test_message ("%s: %g", name, number);
  g_assert_cmpfloat (number, >=, 0.999 * expected / factor);
  g_assert_cmpfloat (number, <=, 1.001 * expected * factor);
}

static void
assert_unsupported (Fixture *fixture, const char *name, const char *words)
{
  DynoValue *value = dyno_measurement_get_value (fixture->measurement, name);

  g_assert_nonnull (value);
  g_test_message ("%s", dyno_value_get_source (value));
  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

static void
test_parts (Fixture *fixture, gconstpointer data)
{
  double factor;

  fixture->measurement->sensors =
      discover (fixture, "DYNO_TEST_NVIDIA_FOLDER",
                "gpm=1\nsm=90\ntensor=40\nbandwidth=50\npcie-mib=1000\nbusy=99\nprocess-busy=97\n");
  factor = measure (fixture);
  assert_near (fixture, "utilisation_device_sm_percent", 90, factor);
  assert_near (fixture, "utilisation_device_occupancy_percent", 45, factor);
  assert_near (fixture, "utilisation_device_tensor_percent", 40, factor);
  assert_near (fixture, "utilisation_device_bandwidth_percent", 50, factor);
  assert_near (fixture, "bandwidth_device_memory_gbps", HIGHEST_GBPS / 2, factor);
  assert_near (fixture, "bandwidth_device_pcie_sent_gbps", 1.048576, factor);
  assert_near (fixture, "bandwidth_device_pcie_received_gbps", 2.097152, factor);
  /* This board has no such link, and the others average over a longer time. */
  g_assert_null (dyno_measurement_get_value (fixture->measurement, "bandwidth_device_nvlink_sent_gbps"));
  assert_unsupported (fixture, "utilisation_device_global_percent", "averages");
  assert_unsupported (fixture, "utilisation_device_percent", "averages");
}

/* The traffic of a device is no traffic of main memory. */
static void
test_traffic (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("bandwidth");
  DynoMeasurement *measurement = fixture->measurement;

  measurement->sensors = discover (fixture, "DYNO_TEST_NVIDIA_FOLDER", "gpm=1\nbandwidth=50\n");
  measurement->power_milliseconds = 1000;
  measurement->sampler = dyno_sampler_new (dyno_clock_now_ns ());
  dyno_metric_start (metric, measurement);
  dyno_sampler_mark_edge (measurement->sampler);
  dyno_metric_collect (metric, measurement);
  assert_unsupported (fixture, "avg_bandwidth_gbps", "own memory");
  g_assert_null (metric_fixture_find_trace (measurement, "bandwidth_dram"));
}

static void
test_impossible_part (Fixture *fixture, gconstpointer data)
{
  fixture->measurement->sensors =
      discover (fixture, "DYNO_TEST_NVIDIA_FOLDER", "gpm=1\nsm=90\ntensor=140\nbusy=99\n");
  measure (fixture);
  g_assert_nonnull (dyno_measurement_get_value (fixture->measurement, "utilisation_device_sm_percent"));
  g_assert_null (dyno_measurement_get_value (fixture->measurement, "utilisation_device_tensor_percent"));
}

static void
test_lost (Fixture *fixture, gconstpointer data)
{
  fixture->measurement->sensors =
      discover (fixture, "DYNO_TEST_NVIDIA_FOLDER", "gpm=1\nsm=90\nbusy=99\nprocess-busy=-1\n");
  write_script (fixture, "gpm=1\nsm=90\nbusy=99\nbroken=1\nprocess-busy=-1\n");
  measure (fixture);
  g_assert_null (dyno_measurement_get_value (fixture->measurement, "utilisation_device_sm_percent"));
  assert_unsupported (fixture, "utilisation_device_global_percent", "driver");
  assert_unsupported (fixture, "utilisation_device_percent", "driver");
}

#define ADD(path, func) g_test_add ("/board-usage/" path, Fixture, NULL, set_up, func, tear_down)

static void
add_tests (void)
{
  ADD ("not-told", test_not_told);
  ADD ("process", test_process);
  ADD ("parts", test_parts);
  ADD ("traffic", test_traffic);
  ADD ("impossible-part", test_impossible_part);
  ADD ("lost", test_lost);
  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
    {
      g_autofree char *shares = g_strdup_printf ("/board-usage/%s/shares", libraries[i].path);
      g_autofree char *broken = g_strdup_printf ("/board-usage/%s/broken", libraries[i].path);

      g_test_add (shares, Fixture, &libraries[i], set_up, test_shares, tear_down);
      g_test_add (broken, Fixture, &libraries[i], set_up, test_broken, tear_down);
    }
}

SUITE_ADD (add_tests)
