/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <unistd.h>

#include "machine-tree.h"
#include "metric-fixture.h"
#include "suite.h"

/* Two processors; of every second of both, so many ticks are busy, for this process, and stolen. */
static void
write_counters (MachineTree *tree, guint seconds, guint busy, guint own_ticks, guint stolen, guint throttled)
{
  g_autofree char *stat = g_strdup_printf ("cpu  %u 0 0 %u 0 0 0 %u 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\n",
                                           seconds * busy, seconds * (200 - busy - stolen), seconds * stolen);
  g_autofree char *own_stat = g_strdup_printf (
      "7 (a (b) c) R 1 7 7 0 -1 4194304 0 0 0 0 %u 0 0 0 20 0 1 0 0 0 0\n", seconds * own_ticks);
  g_autofree char *group = g_strdup_printf ("nr_throttled %u\nthrottled_usec %u\n", seconds * throttled,
                                            seconds * throttled * 1000);
  g_autofree char *pressure =
      g_strdup_printf ("some avg10=0.00 avg60=0.00 avg300=0.00 total=%u\nfull avg10=0\n", seconds);
  g_autofree char *own = g_strdup_printf ("proc/%d/stat", (int)getpid ());
  g_autofree char *status = g_strdup_printf (
      "Name:\tx\nvoluntary_ctxt_switches:\t%u\nnonvoluntary_ctxt_switches:\t%u\n", 3 * seconds, 5 * seconds);

  machine_tree_write (tree, "proc/stat", stat);
  machine_tree_write (tree, own, own_stat);
  machine_tree_write (tree, "proc/self/cgroup", "0::/task\n");
  machine_tree_write (tree, "sys/fs/cgroup/task/cpu.stat", group);
  machine_tree_write (tree, "proc/pressure/cpu", pressure);
  machine_tree_write (tree, "proc/pressure/io", pressure);
  machine_tree_write (tree, "proc/self/task/7/status", status);
  machine_tree_write (tree, "proc/self/task/8/status", status);
}

/* A measurement of two stretches, of which the first one was still warm-up. */
static DynoMeasurement *
measure (MachineTree *tree, guint busy, guint own_ticks, guint stolen, guint throttled)
{
  DynoMeasurement *measurement = dyno_measurement_new ();
  gsize ends[] = { 10, 20 };
  DynoDisturbance counters[3];
  DynoDisturbance steady;
  DynoDisturbance early;

  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    {
      write_counters (tree, i, busy, own_ticks, stolen, throttled);
      dyno_disturbance_read (&counters[i], NULL);
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
  g_assert_nonnull (metric_fixture_find_diagnostic (measurement, "throttled-window"));
  g_assert_nonnull (metric_fixture_find_diagnostic (measurement, "load-during"));
  g_assert_nonnull (metric_fixture_find_diagnostic (measurement, "steal-time"));
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "throttled_periods"), ==, 4);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "throttled_ms"), ==, 4);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "steal_percent"), 10, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "others_load_processors"), 0.8,
                                  1e-9);
}

/* The message about other programs says what counts, if windows are known. */
static void
test_windows (MachineTree *tree, gconstpointer data)
{
  static const struct
  {
    gboolean is_undisturbed;
    double undisturbed;
    DynoSeverity severity;
    const char *words;
  } rows[] = {
    { FALSE, NAN, DYNO_SEVERITY_WARNING, "Close them and measure again." },
    { FALSE, 3, DYNO_SEVERITY_WARNING, "disturbed 97 % of the measurement" },
    { TRUE, 61, DYNO_SEVERITY_INFO, "did not disturb it (61 %)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoMeasurement) measurement = measure (tree, 180, 100, 0, 0);
      DynoDiagnostic *diagnostic;

      g_test_message ("row %u", i);
      if (!isnan (rows[i].undisturbed))
        dyno_measurement_add_measured (measurement, "undisturbed_percent", rows[i].undisturbed, "%",
                                       "windows");
      if (rows[i].is_undisturbed)
        dyno_measurement_add_measured (measurement, "latency_all_p50_ms", 3, "ms", "clock");
      collect (measurement);
      g_assert_cmpuint (measurement->diagnostics->len, ==, 1);
      diagnostic = measurement->diagnostics->pdata[0];
      g_assert_cmpint (dyno_diagnostic_get_severity (diagnostic), ==, rows[i].severity);
      g_assert_nonnull (strstr (dyno_diagnostic_get_message (diagnostic), rows[i].words));
    }
}

static void
test_queue (MachineTree *tree, gconstpointer data)
{
  g_assert_cmpint (dyno_disturbance_read_queued_ns (), ==, -1);
  machine_tree_write (tree, "proc/self/task/7/schedstat", "900 30 5\n");
  machine_tree_write (tree, "proc/self/task/8/schedstat", "100 12 4\n");
  g_assert_cmpint (dyno_disturbance_read_queued_ns (), ==, 42);
}

/* What the process and its helpers did until @seconds, including the one that has ended. */
static void
write_helper (MachineTree *tree, guint seconds, guint ticks)
{
  g_autofree char *stat =
      g_strdup_printf ("23 (helper) S %d 7 7 0 -1 0 0 0 0 0 %u %u %u %u 20 0 1 0 0 0 0\n", (int)getpid (),
                       seconds * ticks / 4, seconds * ticks / 4, seconds * ticks / 4, seconds * ticks / 4);

  machine_tree_write (tree, "proc/23/stat", stat);
}

static void
read_with_helper (MachineTree *tree, guint seconds, guint ticks, DynoDisturbance *disturbance)
{
  write_counters (tree, seconds, 180, 60, 0, 0);
  write_helper (tree, seconds, ticks);
  dyno_disturbance_read (disturbance, NULL);
}

/* The work of helpers counts as that of the process; the rest is other load. */
static void
test_helpers (MachineTree *tree, gconstpointer data)
{
  DynoDisturbance before;
  DynoDisturbance after;

  machine_tree_write (tree, "proc/24/stat", "24 (other) S 1 7 7 0 -1 0 0 0 0 0 80 80 80 80 20 0 1 0 0 0 0\n");
  read_with_helper (tree, 1, 100, &before);
  read_with_helper (tree, 2, 100, &after);
  dyno_disturbance_subtract (&after, &before);
  g_assert_cmpint (after.own_ticks, ==, 160);
  g_assert_cmpfloat_with_epsilon (dyno_disturbance_get_others (&after), 0.2, 1e-9);
}

/* The time of a child that was not waited for is lost. */
static void
test_lost_helper (MachineTree *tree, gconstpointer data)
{
  DynoDisturbance before;
  DynoDisturbance after;

  read_with_helper (tree, 1, 100, &before);
  read_with_helper (tree, 2, 0, &after);
  dyno_disturbance_subtract (&after, &before);
  g_assert_true (isnan (dyno_disturbance_get_others (&after)));
}

/* The pressure of the group concerns the measurement; that of the machine may have other causes. */
static void
test_pressure (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  DynoDisturbance stretch = { .time_ns = 1000000000 };
  gsize end = 10;

  for (guint kind = 0; kind < DYNO_N_PRESSURES; kind++)
    {
      stretch.pressure_us[kind] = 100000;
      stretch.group_pressure_us[kind] = kind == DYNO_PRESSURE_IO ? -1 : 20000;
    }
  measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_array_append_val (measurement->chunk_ends, end);
  measurement->disturbances = g_array_new (FALSE, FALSE, sizeof (DynoDisturbance));
  g_array_append_val (measurement->disturbances, stretch);
  collect (measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "memory_pressure_ms"), ==, 100);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "group_memory_pressure_ms"), ==, 20);
  g_assert_null (dyno_measurement_get_value (measurement, "group_io_pressure_ms"));
  g_assert_cmpint (
      dyno_diagnostic_get_severity (metric_fixture_find_diagnostic (measurement, "memory-pressure")), ==,
      DYNO_SEVERITY_WARNING);
  g_assert_cmpint (dyno_diagnostic_get_severity (metric_fixture_find_diagnostic (measurement, "io-pressure")),
                   ==, DYNO_SEVERITY_INFO);
}

/* A machine that counts nothing, such as one without Linux. */
static void
test_nothing (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = dyno_measurement_new ();
  DynoDisturbance before;
  DynoDisturbance after;
  gsize end = 10;

  dyno_disturbance_read (&before, NULL);
  dyno_disturbance_read (&after, NULL);
  dyno_disturbance_subtract (&after, &before);
  measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_array_append_val (measurement->chunk_ends, end);
  measurement->disturbances = g_array_new (FALSE, FALSE, sizeof (DynoDisturbance));
  g_array_append_val (measurement->disturbances, after);
  collect (measurement);
  g_assert_cmpuint (measurement->values->len, ==, 0);
  g_assert_cmpuint (measurement->diagnostics->len, ==, 0);
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/disturbance/quiet", test_quiet },       { "/disturbance/disturbed", test_disturbed },
  { "/disturbance/windows", test_windows },   { "/disturbance/queue", test_queue },
  { "/disturbance/helpers", test_helpers },   { "/disturbance/lost-helper", test_lost_helper },
  { "/disturbance/pressure", test_pressure }, { "/disturbance/nothing", test_nothing },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, machine_tree_set_up, machine_tree_tear_down)
