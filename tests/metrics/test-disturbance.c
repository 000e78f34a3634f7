/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine-tree.h"
#include "metric-fixture.h"

/* Two processors; of every second of both, so many ticks are busy, for this process, and stolen. */
static void
write_counters (MachineTree *tree, guint seconds, guint busy, guint own, guint stolen, guint throttled)
{
  g_autofree char *stat = g_strdup_printf ("cpu  %u 0 0 %u 0 0 0 %u 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\n",
                                           seconds * busy, seconds * (200 - busy - stolen), seconds * stolen);
  g_autofree char *own_stat =
      g_strdup_printf ("7 (a (b) c) R 1 7 7 0 -1 4194304 0 0 0 0 %u 0 0 0 20 0 1 0 0 0 0\n", seconds * own);
  g_autofree char *group = g_strdup_printf ("nr_throttled %u\nthrottled_usec %u\n", seconds * throttled,
                                            seconds * throttled * 1000);
  g_autofree char *pressure =
      g_strdup_printf ("some avg10=0.00 avg60=0.00 avg300=0.00 total=%u\nfull avg10=0\n", seconds);
  g_autofree char *status = g_strdup_printf (
      "Name:\tx\nvoluntary_ctxt_switches:\t%u\nnonvoluntary_ctxt_switches:\t%u\n", 3 * seconds, 5 * seconds);

  machine_tree_write (tree, "proc/stat", stat);
  machine_tree_write (tree, "proc/self/stat", own_stat);
  machine_tree_write (tree, "proc/self/cgroup", "0::/task\n");
  machine_tree_write (tree, "sys/fs/cgroup/task/cpu.stat", group);
  machine_tree_write (tree, "proc/pressure/cpu", pressure);
  machine_tree_write (tree, "proc/self/task/7/status", status);
  machine_tree_write (tree, "proc/self/task/8/status", status);
}

/* A measurement of two stretches, of which the first one was still warm-up. */
static DynoMeasurement *
measure (MachineTree *tree, guint busy, guint own, guint stolen, guint throttled)
{
  DynoMeasurement *measurement = dyno_measurement_new ();
  gsize ends[] = { 10, 20 };
  DynoDisturbance counters[3];
  DynoDisturbance steady;
  DynoDisturbance early;

  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    {
      write_counters (tree, i, busy, own, stolen, throttled);
      dyno_disturbance_read (&counters[i]);
    }
  early = counters[1];
  dyno_disturbance_subtract (&early, &counters[0]);
  early.busy_ticks = early.all_ticks; /* which does not count */
  steady = counters[2];
  dyno_disturbance_subtract (&steady, &counters[1]);
  measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_array_append_vals (measurement->chunk_ends, ends, 2);
  measurement->disturbances = g_array_new (FALSE, FALSE, sizeof (DynoDisturbance));
  g_array_append_val (measurement->disturbances, early);
  g_array_append_val (measurement->disturbances, steady);
  measurement->steady_first = 10;
  return measurement;
}

static void
collect (DynoMeasurement *measurement)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("disturbance");

  dyno_metric_collect (metric, measurement);
}

static gboolean
has_diagnostic (DynoMeasurement *measurement, const char *code)
{
  for (guint i = 0; i < measurement->diagnostics->len; i++)
    if (g_str_equal (dyno_diagnostic_get_code (measurement->diagnostics->pdata[i]), code))
      return TRUE;
  return FALSE;
}

static void
test_quiet (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = measure (tree, 110, 105, 0, 0);

  collect (measurement);
  g_assert_cmpuint (measurement->diagnostics->len, ==, 0);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "throttled_periods"), ==, 0);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "voluntary_switches"), ==, 6);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "involuntary_switches"), ==, 10);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "cpu_pressure_ms"), ==, 1e-3);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "others_load_processors"), 0.05,
                                  1e-9);
}

static void
test_disturbed (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = measure (tree, 180, 100, 20, 4);

  collect (measurement);
  g_assert_true (has_diagnostic (measurement, "throttled-window"));
  g_assert_true (has_diagnostic (measurement, "load-during"));
  g_assert_true (has_diagnostic (measurement, "steal-time"));
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "throttled_periods"), ==, 4);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "throttled_ms"), ==, 4);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "steal_percent"), 10, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "others_load_processors"), 0.8,
                                  1e-9);
}

/* What helpers of the process do is done for it: who the others are is not known. */
static void
test_helpers (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = NULL;

  machine_tree_write (tree, "proc/self/task/7/children", "23 ");
  measurement = measure (tree, 180, 100, 0, 0);
  collect (measurement);
  g_assert_false (has_diagnostic (measurement, "load-during"));
  g_assert_null (dyno_measurement_get_value (measurement, "others_load_processors"));
}

/* A machine that counts nothing, such as one without Linux. */
static void
test_nothing (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  DynoDisturbance before;
  DynoDisturbance after;
  gsize end = 10;

  dyno_disturbance_read (&before);
  dyno_disturbance_read (&after);
  dyno_disturbance_subtract (&after, &before);
  measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_array_append_val (measurement->chunk_ends, end);
  measurement->disturbances = g_array_new (FALSE, FALSE, sizeof (DynoDisturbance));
  g_array_append_val (measurement->disturbances, after);
  collect (measurement);
  g_assert_cmpuint (measurement->values->len, ==, 0);
  g_assert_cmpuint (measurement->diagnostics->len, ==, 0);
}

#define ADD(name, func)                                                                                      \
  g_test_add ("/disturbance/" name, MachineTree, NULL, machine_tree_set_up, func, machine_tree_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("quiet", test_quiet);
  ADD ("disturbed", test_disturbed);
  ADD ("helpers", test_helpers);
  ADD ("nothing", test_nothing);
  return g_test_run ();
}
