/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "dyno-measurement.h"
#include "dyno-sensor-set.h"
#include "machine-tree.h"
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

/* Intel's kernel lists the efficient cores, Arm's tells the capacity of each. */
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

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/usage/processors", test_processors },
  { "/usage/classes", test_classes },
  { "/usage/npu", test_npu },
  { "/usage/no-counters", test_no_counters },
};

static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
}

SUITE_FIXTURE_TESTS (tests, MachineTree, set_up, machine_tree_tear_down)
