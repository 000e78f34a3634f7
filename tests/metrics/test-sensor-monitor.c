/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "dyno-sensor-monitor.h"
#include "overwrite.h"
#include "suite.h"

#define POWERCAP "sys/class/powercap/intel-rapl:0/"
#define HWMON    "sys/class/hwmon/hwmon0/"

static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
}

static DynoSensorReading *
find (DynoSensorMonitor *monitor, const char *unit)
{
  GListModel *readings = dyno_sensor_monitor_get_readings (monitor);

  for (guint i = 0; i < g_list_model_get_n_items (readings); i++)
    {
      g_autoptr (DynoSensorReading) reading = g_list_model_get_item (readings, i);

      if (g_str_equal (dyno_sensor_reading_get_unit (reading), unit))
        return reading; /* the list keeps it */
    }
  return NULL;
}

static void
count_cb (DynoSensorMonitor *monitor, guint *n)
{
  (*n)++;
}

static void
wait_for (guint *n, guint wanted)
{
  while (*n < wanted)
    g_main_context_iteration (NULL, TRUE);
}

/* Readings may follow in the same iteration of the main loop, but never before the list of sensors. */
static void
discovered_first_cb (DynoSensorMonitor *monitor, guint *n_changed)
{
  g_assert_cmpuint (*n_changed, ==, 0);
}

/* A gauge and a counter, which is shown as a rate per second. */
static void
test_readings (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorMonitor) monitor = dyno_sensor_monitor_new (5, 0);
  guint n_discovered = 0, n_changed = 0, seen;

  machine_tree_fill (tree, HWMON, "name=coretemp\n", "temp1_input=41000\n", NULL);
  machine_tree_fill (tree, POWERCAP, "name=package-0\n", "energy_uj=1000000\n",
                     "max_energy_range_uj=262143328850\n", NULL);
  g_signal_connect (monitor, "discovered", G_CALLBACK (count_cb), &n_discovered);
  g_signal_connect (monitor, "discovered", G_CALLBACK (discovered_first_cb), &n_changed);
  g_signal_connect (monitor, "changed", G_CALLBACK (count_cb), &n_changed);
  g_assert_null (dyno_sensor_monitor_get_sensors (monitor));
  dyno_sensor_monitor_start (monitor);
  wait_for (&n_discovered, 1);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_sensor_monitor_get_readings (monitor)), ==, 2);
  g_assert_cmpuint (dyno_sensor_set_get_n_sensors (dyno_sensor_monitor_get_sensors (monitor)), ==, 2);
  wait_for (&n_changed, 3);
  g_assert_cmpfloat (dyno_sensor_reading_get_value (find (monitor, "°C")), ==, 41);
  g_assert_cmpfloat (dyno_sensor_reading_get_value (find (monitor, "W")), ==, 0);
  overwrite (tree, HWMON "temp1_input", "55000\n");
  seen = n_changed;
  while (dyno_sensor_reading_get_value (find (monitor, "°C")) != 55)
    wait_for (&n_changed, ++seen);
  g_assert_cmpuint (n_discovered, ==, 1);
}

/* A sensor that vanishes leaves no number. */
static void
test_vanishing (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorMonitor) monitor = dyno_sensor_monitor_new (5, 0);
  guint n_changed = 0, seen;

  machine_tree_fill (tree, HWMON, "name=coretemp\n", "temp1_input=41000\n", NULL);
  g_signal_connect (monitor, "changed", G_CALLBACK (count_cb), &n_changed);
  dyno_sensor_monitor_start (monitor);
  wait_for (&n_changed, 1);
  overwrite (tree, HWMON "temp1_input", "");
  seen = n_changed;
  while (!isnan (dyno_sensor_reading_get_value (find (monitor, "°C"))))
    wait_for (&n_changed, ++seen);
}

/* Stopping takes effect at once, and it can be started again. */
static void
test_stop (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorMonitor) monitor = dyno_sensor_monitor_new (1, 0);
  guint n_changed = 0, n_before;

  machine_tree_fill (tree, HWMON, "name=coretemp\n", "temp1_input=41000\n", NULL);
  g_signal_connect (monitor, "changed", G_CALLBACK (count_cb), &n_changed);
  dyno_sensor_monitor_start (monitor);
  wait_for (&n_changed, 2);
  dyno_sensor_monitor_stop (monitor);
  n_before = n_changed;
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (n_changed, ==, n_before);
  dyno_sensor_monitor_start (monitor);
  wait_for (&n_changed, n_before + 1);
}

/* A machine without sensors is a normal one: the sources say why. */
static void
test_nothing (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoSensorMonitor) monitor = dyno_sensor_monitor_new (1, 0);
  guint n_discovered = 0;
  DynoSensorSet *set;

  g_signal_connect (monitor, "discovered", G_CALLBACK (count_cb), &n_discovered);
  dyno_sensor_monitor_start (monitor);
  wait_for (&n_discovered, 1);
  set = dyno_sensor_monitor_get_sensors (monitor);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_sensor_monitor_get_readings (monitor)), ==, 0);
  for (guint i = 0; i < dyno_sensor_set_get_n_sources (set); i++)
    g_assert_nonnull (dyno_probe_get_reason (dyno_sensor_set_get_probe (set, i)));
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/sensor-monitor/readings", test_readings },
  { "/sensor-monitor/vanishing", test_vanishing },
  { "/sensor-monitor/stop", test_stop },
  { "/sensor-monitor/nothing", test_nothing },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, set_up, machine_tree_tear_down)
