/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "machine-tree.h"
#include "metric-fixture.h"
#include "suite.h"

#define NPU        "sys/class/accel/accel0/device/npu_busy_time_us"
#define STAT       "proc/stat"
#define MANY_TICKS "9000000"
#define LINES(n)                                                                                             \
  "cpu  40 0 40 40 40 0 0 0 0 0\ncpu0 " n " 0 10 10 10 0 0 0 0 0\n"                                          \
  "cpu1 " n " 0 10 10 10 0 0 0 0 0\ncpu3 10 0 10 10 10 0 0 0 0 0\nintr 7\n"

static void
add_processors (MachineTree *tree)
{
  machine_tree_write (tree, "sys/devices/system/cpu/online", "0-1,3\n");
  machine_tree_write (tree, STAT, LINES ("10"));
}

static double
read_value (DynoSensorSet *set, const char *name)
{
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (set); i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (set, i);
      gint64 time;
      double value;

      if (dyno_sensor_get_info (sensor)->kind != DYNO_SENSOR_BUSY ||
          !g_str_equal (dyno_sensor_get_info (sensor)->name, name))
        continue;
      g_assert_true (dyno_sensor_read (sensor, &time, &value));
      return value;
    }
  return -1;
}

/* The sensors keep the file open. */
static void
write_in_place (MachineTree *tree, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (tree->root, name, NULL);
  FILE *file = fopen (path, "r+");

  g_assert_nonnull (file);
  fputs (text, file);
  fclose (file);
}

/* The work of two processors of three; no reading shows more than there was time for. */
static void
test_processors (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  gint64 began = g_get_monotonic_time ();
  double all;

  add_processors (tree);
  set = dyno_sensor_set_discover (0);
  g_assert_cmpfloat (read_value (set, "cpu"), ==, 0);
  g_assert_cmpfloat (read_value (set, "cpu_performance"), ==, -1);
  write_in_place (tree, STAT, LINES (MANY_TICKS));
  all = read_value (set, "cpu");
  g_assert_cmpfloat (all, >, 0);
  g_assert_cmpfloat (all, <=, 100 * (double)(g_get_monotonic_time () - began) / G_USEC_PER_SEC);
  g_assert_cmpfloat (read_value (set, "process"), >, 0);
}

static void
test_classes (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) listed = NULL;
  g_autoptr (DynoSensorSet) by_capacity = NULL;

  add_processors (tree);
  machine_tree_write (tree, "sys/devices/cpu_atom/cpus", "3\n");
  listed = dyno_sensor_set_discover (0);
  write_in_place (tree, STAT, LINES (MANY_TICKS));
  g_assert_cmpfloat (read_value (listed, "cpu_performance"), >, 0);
  g_assert_cmpfloat (read_value (listed, "cpu_efficiency"), ==, 0);

  machine_tree_write (tree, "sys/devices/cpu_atom/cpus", "\n");
  machine_tree_write (tree, "sys/devices/system/cpu/cpu0/cpu_capacity", "512\n");
  machine_tree_write (tree, "sys/devices/system/cpu/cpu1/cpu_capacity", "512\n");
  machine_tree_write (tree, "sys/devices/system/cpu/cpu3/cpu_capacity", "1024\n");
  machine_tree_write (tree, STAT, LINES ("10"));
  by_capacity = dyno_sensor_set_discover (0);
  write_in_place (tree, STAT, LINES (MANY_TICKS));
  g_assert_cmpfloat (read_value (by_capacity, "cpu_performance"), ==, 0);
  g_assert_cmpfloat (read_value (by_capacity, "cpu_efficiency"), >, 0);
}

/* The driver counts microseconds. A unit of the processor is not mistaken for the only board of the machine. */
static void
test_npu (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  g_autofree char *reason = NULL;

  machine_tree_write (tree, NPU, "2000000\n");
  machine_tree_write (tree, "sys/class/accel/accel1/device/uevent", "PCI_SLOT_NAME=0000:00:0c.0\n");
  set = dyno_sensor_set_discover (0);
  g_assert_cmpfloat (read_value (set, "npu"), ==, 0);
  write_in_place (tree, NPU, "2500000\n");
  g_assert_cmpfloat_with_epsilon (read_value (set, "npu"), 50, 1e-6);
  g_assert_null (dyno_sensor_device_find (set, NULL, NULL, &reason));
  g_assert_null (reason);
}

/* One sample of 50 ms, in which two processors of three work for two ticks each. Returns the time from before the first
 * reading to after the last one, in s. */
static double
measure (MachineTree *tree, DynoMeasurement *measurement)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("utilisation");
  gsize end = 1;
  gint64 before, began, until, after;

  add_processors (tree);
  measurement->origin_ns = dyno_clock_now_ns ();
  measurement->power_milliseconds = 1000;
  measurement->sampler = dyno_sampler_new (measurement->origin_ns);
  measurement->samples = dyno_samples_new (1);
  measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  measurement->sensors = dyno_sensor_set_discover (0);
  dyno_metric_start (metric, measurement);
  before = dyno_clock_now_ns ();
  dyno_sampler_mark_edge (measurement->sampler);
  began = dyno_clock_now_ns ();
  until = began + 50000000;
  while (dyno_clock_now_ns () < until)
    continue;
  write_in_place (tree, STAT, LINES ("12"));
  dyno_samples_record (measurement->samples, began, dyno_clock_now_ns ());
  dyno_sampler_mark_edge (measurement->sampler);
  after = dyno_clock_now_ns ();
  g_array_append_val (measurement->chunk_ends, end);
  measurement->steady_end = 1;
  dyno_metric_collect (metric, measurement);
  return (double)(after - before) / 1e9;
}

static void
test_steady (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  double seconds = measure (tree, measurement);
  double busy = 100 * 4.0 / (3 * (double)sysconf (_SC_CLK_TCK));
  double percent = dyno_measurement_get_number (measurement, "utilisation_cpu_percent");

  g_assert_cmpfloat (percent, >=, 0.999 * busy / seconds);
  g_assert_cmpfloat (percent, <=, 1.001 * busy / ((double)measurement->samples->durations[0] / 1e9));
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "utilisation_process_percent"), >, 0);
  g_assert_null (dyno_measurement_get_value (measurement, "utilisation_cpu_efficiency_percent"));
}

static void
test_unsteady (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  DynoValue *value;

  measurement->steadiness = DYNO_STEADINESS_NONE;
  measure (tree, measurement);
  value = dyno_measurement_get_value (measurement, "utilisation_cpu_percent");
  g_assert_nonnull (value);
  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_value_get_source (value), "Utilisation is an average over a steady state"));
  g_assert_null (strstr (dyno_value_get_source (value), "nergy"));
}

/* A processor that is on, but has no line, makes the sum unknown. */
static void
test_no_counters (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  g_autofree char *why = NULL;

  machine_tree_write (tree, "sys/devices/system/cpu/online", "0-7\n");
  machine_tree_write (tree, STAT, LINES ("10"));
  set = dyno_sensor_set_discover (0);
  g_assert_cmpfloat (read_value (set, "cpu"), ==, -1);
  why = dyno_sensor_set_explain (set, (const char *const[]){ "usage", NULL });
  g_assert_nonnull (strstr (why, "how busy"));
}

static gboolean
read_part (gpointer data, GPid pid, double *value)
{
  GHashTable *parts = data;

  *value = GPOINTER_TO_INT (g_hash_table_lookup (parts, GINT_TO_POINTER (pid)));
  return *value > 0;
}

/* The time of a process that has ended still counts. */
static void
test_ended (MachineTree *tree, gconstpointer data)
{
  const DynoSensorInfo info = { .kind = DYNO_SENSOR_BUSY, .name = "process", .source = "a test" };
  g_autoptr (GHashTable) parts = g_hash_table_new (NULL, NULL);
  g_autoptr (DynoSensor) sensor = dyno_sensor_new_of_processes (&info, read_part, parts, NULL);
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (GPid));
  DynoProcessMemory *others = dyno_process_memory_new ();
  const GPid pid = 77;
  gint64 time;
  double value;

  g_assert_false (dyno_sensor_read (sensor, &time, &value));
  machine_tree_write (tree, "proc/77/statm", "100 50 20 0 0 0 0\n");
  g_array_append_val (processes, pid);
  dyno_process_memory_follow (others, processes);
  dyno_sensor_follow (sensor, others);
  g_hash_table_insert (parts, GINT_TO_POINTER (getpid ()), GINT_TO_POINTER (5));
  g_hash_table_insert (parts, GINT_TO_POINTER (77), GINT_TO_POINTER (30));
  g_assert_true (dyno_sensor_read (sensor, &time, &value));
  g_assert_cmpfloat (value, ==, 35);
  g_array_set_size (processes, 0);
  dyno_process_memory_follow (others, processes);
  g_hash_table_insert (parts, GINT_TO_POINTER (getpid ()), GINT_TO_POINTER (9));
  g_assert_true (dyno_sensor_read (sensor, &time, &value));
  g_assert_cmpfloat (value, ==, 39);
  dyno_process_memory_unref (others);
}

/* The live picture has whole processors and devices alone. */
static void
test_live (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorSet) set = NULL;
  g_autoptr (DynoSampler) sampler = dyno_sampler_new (0);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GArray) percents = g_array_new (FALSE, FALSE, sizeof (double));

  add_processors (tree);
  machine_tree_write (tree, "sys/devices/cpu_atom/cpus", "3\n");
  set = dyno_sensor_set_discover (0);
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (set); i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (set, i);
      g_autoptr (DynoTrace) trace =
          dyno_sampler_add (sampler, sensor, dyno_sensor_get_info (sensor)->name, 1000);

      dyno_trace_add (trace, 0, 0);
      dyno_trace_add (trace, 600000000, 30);
      dyno_trace_add (trace, 1000000000, 70);
    }
  dyno_sampler_list_usage (sampler, names, percents);
  g_assert_cmpuint (names->len, ==, 1);
  g_assert_cmpstr (names->pdata[0], ==, "cpu");
  g_assert_cmpfloat (g_array_index (percents, double, 0), ==, 70);
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/usage/ended", test_ended },
  { "/usage/live", test_live },
  { "/usage/processors", test_processors },
  { "/usage/classes", test_classes },
  { "/usage/npu", test_npu },
  { "/usage/steady", test_steady },
  { "/usage/unsteady", test_unsteady },
  { "/usage/no-counters", test_no_counters },
};

static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
}

SUITE_FIXTURE_TESTS (tests, MachineTree, set_up, machine_tree_tear_down)
