/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-clock.h"
#include "metric-fixture.h"
#include "overwrite.h"
#include "suite.h"

#define MS       G_GINT64_CONSTANT (1000000)
#define POWERCAP "sys/class/powercap/"
#define HWMON    "sys/class/hwmon/"
#define WINDOW   (100 * MS)

typedef struct
{
  MachineTree tree;
  DynoMeasurement *measurement;
  DynoMetric *power;
  DynoMetric *thermal;
  GArray *chunk_ends;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  machine_tree_set_up (&fixture->tree, data);
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
  fixture->measurement = dyno_measurement_new ();
  fixture->measurement->origin_ns = dyno_clock_now_ns ();
  fixture->measurement->power_milliseconds = 5;
  fixture->measurement->samples = dyno_samples_new (100);
  fixture->measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  fixture->power = metric_fixture_create ("power");
  fixture->thermal = metric_fixture_create ("thermal");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->power);
  g_object_unref (fixture->thermal);
  dyno_measurement_free (fixture->measurement);
  machine_tree_tear_down (&fixture->tree, data);
}

static void
begin (Fixture *fixture, double tdp_watts, const char *provider)
{
  DynoMeasurement *measurement = fixture->measurement;

  measurement->sensors = dyno_sensor_set_discover (tdp_watts);
  measurement->sampler = dyno_sampler_new (measurement->origin_ns);
  dyno_metric_start (fixture->power, measurement);
  dyno_metric_start (fixture->thermal, measurement);
  measurement->provider = g_strdup (provider);
  dyno_metric_loaded (fixture->power, measurement);
  measurement->phase_ns[DYNO_PHASE_MEASURE] = dyno_clock_now_ns ();
}

static void
spin (gint64 nanoseconds)
{
  gint64 until = dyno_clock_now_ns () + nanoseconds;

  while (dyno_clock_now_ns () < until)
    continue;
}

/* One chunk of one sample. The counters are read on both sides of its start and of its end, and left alone in between,
 * so its energy is what they grew by, however slow this machine is. */
static void
measure_chunk (Fixture *fixture, void (*grow) (Fixture *fixture))
{
  DynoMeasurement *measurement = fixture->measurement;
  gint64 start, end;
  gsize n;

  dyno_sampler_mark_edge (measurement->sampler);
  dyno_sampler_mark_edge (measurement->sampler);
  start = dyno_clock_now_ns ();
  dyno_sampler_mark_edge (measurement->sampler);
  spin (WINDOW);
  if (grow != NULL)
    grow (fixture);
  dyno_sampler_mark_edge (measurement->sampler);
  dyno_sampler_mark_edge (measurement->sampler);
  end = dyno_clock_now_ns ();
  dyno_sampler_mark_edge (measurement->sampler);
  dyno_samples_record (measurement->samples, start, end);
  n = dyno_samples_get_length (measurement->samples);
  g_array_append_val (measurement->chunk_ends, n);
  measurement->steady_end = n;
  measurement->steady_wall_ns += end - start;
}

static void
finish (Fixture *fixture)
{
  DynoMeasurement *measurement = fixture->measurement;

  measurement->phase_ns[DYNO_PHASE_ANALYSE] = dyno_clock_now_ns ();
  dyno_sampler_stop (measurement->sampler);
  dyno_metric_collect (fixture->power, measurement);
  dyno_metric_collect (fixture->thermal, measurement);
}

static double
get_number (Fixture *fixture, const char *name)
{
  DynoValue *value = dyno_measurement_get_value (fixture->measurement, name);

  g_test_message ("%s: %g (%s)", name, dyno_value_get_number (value), dyno_value_get_source (value));
  return dyno_value_get_number (value);
}

/* Counters are read one after the other, so sums are exact except for that short time. */
static void
assert_number (Fixture *fixture, const char *name, double expected)
{
  g_assert_cmpfloat_with_epsilon (get_number (fixture, name), expected, 1e-3 * MAX (ABS (expected), 1e-3));
}

static void
assert_unsupported (Fixture *fixture, const char *name, const char *words)
{
  DynoValue *value = dyno_measurement_get_value (fixture->measurement, name);

  g_test_message ("%s: %s", name, dyno_value_get_source (value));
  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

static void
set_energy (Fixture *fixture, const char *zone, const char *microjoules)
{
  g_autofree char *path = g_build_filename (POWERCAP, zone, "energy_uj", NULL);

  overwrite (&fixture->tree, path, microjoules);
}

static void
add_zone (Fixture *fixture, const char *zone, const char *name)
{
  g_autofree char *folder = g_build_filename (POWERCAP, zone, NULL);
  g_autofree char *name_path = g_build_filename (folder, "name", NULL);
  g_autofree char *energy_path = g_build_filename (folder, "energy_uj", NULL);
  g_autofree char *range_path = g_build_filename (folder, "max_energy_range_uj", NULL);

  machine_tree_write (&fixture->tree, name_path, name);
  machine_tree_write (&fixture->tree, energy_path, "1000000");
  machine_tree_write (&fixture->tree, range_path, "262143328850");
}

static void
add_zones (Fixture *fixture)
{
  add_zone (fixture, "intel-rapl:0", "package-0");
  add_zone (fixture, "intel-rapl:0:0", "core");
  add_zone (fixture, "intel-rapl:1", "package-1");
  add_zone (fixture, "intel-rapl:2", "psys");
}

/* The idle machine uses 0.1 J in the first package. */
static void
rest (Fixture *fixture)
{
  DynoMeasurement *measurement = fixture->measurement;

  measurement->rest_ns[0] = dyno_clock_now_ns ();
  dyno_sampler_mark_edge (measurement->sampler);
  spin (100 * MS);
  set_energy (fixture, "intel-rapl:0", "1100000");
  dyno_sampler_mark_edge (measurement->sampler);
  measurement->rest_ns[1] = dyno_clock_now_ns ();
}

/* Lets the first package use @watts for a while. Returns whether the reading was not delayed. */
static gboolean
idle_for (Fixture *fixture, double watts, double *microjoules)
{
  gint64 began = dyno_clock_now_ns ();
  g_autofree char *text = NULL;
  gint64 ended;

  spin (50 * MS);
  ended = dyno_clock_now_ns ();
  *microjoules += watts * (double)(ended - began) / 1e3;
  text = g_strdup_printf ("%.0f", *microjoules);
  set_energy (fixture, "intel-rapl:0", text);
  dyno_sampler_mark_edge (fixture->measurement->sampler);
  return dyno_clock_now_ns () - ended < 2 * MS;
}

/* After the work, the idle machine uses a multiple of its earlier power, in both halves of the idle window. */
static void
rest_again (Fixture *fixture, double first_half, double second_half)
{
  DynoMeasurement *measurement = fixture->measurement;
  double watts = 0.1e9 / (double)(measurement->rest_ns[1] - measurement->rest_ns[0]);
  double microjoules = 7e6;
  gboolean is_undisturbed;

  do
    {
      measurement->rest_after_ns[0] = dyno_clock_now_ns ();
      dyno_sampler_mark_edge (measurement->sampler);
      is_undisturbed = idle_for (fixture, first_half * watts, &microjoules) &&
                       idle_for (fixture, second_half * watts, &microjoules);
      measurement->rest_after_ns[1] = dyno_clock_now_ns ();
    }
  while (!is_undisturbed);
}

/* 6 J in the first package, 4 J of them in its cores; 3 J in the second; the board with all of it 20 J. */
static void
grow_zones (Fixture *fixture)
{
  set_energy (fixture, "intel-rapl:0", "7000000");
  set_energy (fixture, "intel-rapl:0:0", "5000000");
  set_energy (fixture, "intel-rapl:1", "4000000");
  set_energy (fixture, "intel-rapl:2", "21000000");
}

static void
test_packages (Fixture *fixture, gconstpointer data)
{
  DynoMeasurement *measurement = fixture->measurement;
  double seconds;

  measurement->batch_size = 4;
  measurement->sequence_length = 10;
  measurement->steps_per_sample = 5;
  add_zones (fixture);
  begin (fixture, 0, "CPUExecutionProvider");
  g_assert_cmpfloat_with_epsilon (measurement->window_seconds, 0.1, 1e-9); /* 100 of 1 ms */
  measure_chunk (fixture, grow_zones);
  dyno_measurement_add_estimated (measurement, "flops", 9e6, "FLOP", "test");
  finish (fixture);

  seconds = (double)measurement->steady_wall_ns / 1e9;
  assert_number (fixture, "energy_joules", 9);
  assert_number (fixture, "power_avg_watts", 9 / seconds);
  assert_number (fixture, "energy_per_item_joules", 9.0 / 20);
  assert_number (fixture, "energy_per_token_joules", 9.0 / 200);
  assert_number (fixture, "throughput_per_watt", 20 / 9.0);
  g_assert_cmpfloat_with_epsilon (get_number (fixture, "ops_per_watt"), 5 * 9e6 / 9, 1e-3);
  g_assert_cmpfloat_with_epsilon (get_number (fixture, "gflops_per_watt"), 5 * 9e6 / 9 / 1e9, 1e-9);
  g_assert_cmpfloat (get_number (fixture, "energy_quantisation_percent"), <=, 100 * 0.0011 / 0.1);
  g_assert_cmpint (
      dyno_value_get_quality (dyno_measurement_get_value (fixture->measurement, "energy_joules")), ==,
      DYNO_QUALITY_MEASURED);
  /* The work is counted by a model. */
  g_assert_cmpint (dyno_value_get_quality (dyno_measurement_get_value (fixture->measurement, "ops_per_watt")),
                   ==, DYNO_QUALITY_ESTIMATED);
}

/* Another 6 J in the first package. */
static void
grow_again (Fixture *fixture)
{
  set_energy (fixture, "intel-rapl:0", "13000000");
}

/* Under load, energy is that of the window in which items are counted: what comes after the last request was sent has no
 * part in it. */
static void
test_drain (Fixture *fixture, gconstpointer data)
{
  DynoMeasurement *measurement = fixture->measurement;
  const DynoLoad load = { .shape = DYNO_LOAD_RATE, .clients = 1, .rate = 100 };
  DynoLoadPoint point = { .shape = DYNO_LOAD_RATE, .n_clients = 1, .rate = 100 };

  measurement->batch_size = 1;
  add_zones (fixture);
  begin (fixture, 0, "CPUExecutionProvider");
  measure_chunk (fixture, grow_zones);
  point.summary.from_ns = measurement->samples->starts[0];
  point.summary.to_ns = point.summary.from_ns + measurement->samples->durations[0];
  point.summary.answered_per_second = 10 / dyno_load_summary_get_seconds (&point.summary);
  measure_chunk (fixture, grow_again);
  measurement->steady_wall_ns = point.summary.to_ns - point.summary.from_ns;
  measurement->load = dyno_load_outcome_new (&load);
  g_array_append_val (measurement->load->points, point);
  finish (fixture);
  assert_number (fixture, "energy_joules", 9);
  assert_number (fixture, "energy_per_item_joules", 9.0 / 10);
}

/* Two requests at once share the energy of their step. */
static void
test_requests (Fixture *fixture, gconstpointer data)
{
  DynoMeasurement *measurement = fixture->measurement;

  measurement->batch_size = 4;
  measurement->n_requests = 2;
  measurement->sequence_length = 10;
  add_zones (fixture);
  begin (fixture, 0, "CPUExecutionProvider");
  measure_chunk (fixture, grow_zones);
  finish (fixture);
  assert_number (fixture, "energy_joules", 9);
  assert_number (fixture, "energy_per_item_joules", 9.0 / 8);
  assert_number (fixture, "energy_per_token_joules", 9.0 / 80);
  assert_number (fixture, "throughput_per_watt", 8 / 9.0);
}

/* The engine's own clock sees a quarter of the time; the sensors see all of it. */
static void
test_own_clock (Fixture *fixture, gconstpointer data)
{
  DynoMeasurement *measurement = fixture->measurement;
  g_autoptr (GArray) stretches = NULL;
  const DynoStretch *stretch;
  gint64 end;

  measurement->batch_size = 4;
  measurement->sequence_length = 10;
  measurement->idle_seconds = 0.1;
  measurement->has_own_clock = TRUE;
  measurement->chunk_end_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  add_zones (fixture);
  begin (fixture, 0, "CPUExecutionProvider");
  rest (fixture);
  measure_chunk (fixture, grow_zones);
  end = measurement->samples->starts[0] + measurement->samples->durations[0];
  g_array_append_val (measurement->chunk_end_ns, end);
  measurement->samples->durations[0] /= 4;
  measurement->steady_wall_ns /= 4;
  rest_again (fixture, 1, 1);
  finish (fixture);

  stretches = dyno_measurement_list_steady_stretches (measurement);
  stretch = &g_array_index (stretches, DynoStretch, 0);
  assert_number (fixture, "energy_joules", 8.9);
  assert_number (fixture, "energy_package_joules", 8.9);
  assert_number (fixture, "energy_psys_joules", 20);
  assert_number (fixture, "energy_per_item_joules", 8.9 / 4);
  assert_number (fixture, "energy_per_token_joules", 8.9 / 40);
  assert_number (fixture, "throughput_per_watt", 4 / 8.9);
  assert_number (fixture, "power_avg_watts", 8.9e9 / (double)(stretch->end_ns - stretch->start_ns));
  assert_number (fixture, "energy_net_joules",
                 8.9 - get_number (fixture, "idle_power_watts") *
                           (double)(stretch->end_ns - stretch->start_ns) / 1e9);
  g_assert_cmpint (stretch->end_ns, ==, end - measurement->origin_ns);
}

/* Energy is that of the steady state; the idle machine, and each reading, are what they are. */
static void
test_unsteady (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "power_avg_watts",        "power_max_watts",
                                       "energy_joules",          "energy_net_joules",
                                       "energy_per_item_joules", "energy_per_token_joules",
                                       "gflops_per_watt",        "ops_per_watt",
                                       "throughput_per_watt",    "energy_quantisation_percent",
                                       "energy_package_joules",  "energy_psys_joules" };
  DynoMeasurement *measurement = fixture->measurement;

  measurement->sequence_length = 10;
  measurement->idle_seconds = 0.1;
  measurement->steadiness = DYNO_STEADINESS_NONE;
  add_zones (fixture);
  begin (fixture, 0, "CPUExecutionProvider");
  rest (fixture);
  measure_chunk (fixture, grow_zones);
  dyno_measurement_add_estimated (measurement, "flops", 9e6, "FLOP", "test");
  finish (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    assert_unsupported (fixture, names[i], "over a steady state only");
  g_assert_cmpfloat (get_number (fixture, "idle_power_watts"), >, 0);
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "power_package"));
}

/* Two generations of three tokens are timed together. */
static void
test_tokens (Fixture *fixture, gconstpointer data)
{
  DynoMeasurement *measurement = fixture->measurement;

  measurement->steps_per_sample = 2;
  measurement->n_generated = 3;
  dyno_measurement_add_estimated (measurement, "flops", 4.5e9, "FLOP", "shapes");
  add_zones (fixture);
  begin (fixture, 0, "CPUExecutionProvider");
  measure_chunk (fixture, grow_zones);
  finish (fixture);
  assert_number (fixture, "energy_per_item_joules", 9.0 / 2);
  assert_number (fixture, "energy_per_token_joules", 9.0 / 6);
  assert_number (fixture, "throughput_per_watt", 2 / 9.0);
  assert_number (fixture, "gflops_per_watt", 2 * 4.5 / 9.0);
}

static void
test_domains_apart (Fixture *fixture, gconstpointer data)
{
  add_zones (fixture);
  begin (fixture, 0, "CPUExecutionProvider");
  measure_chunk (fixture, grow_zones);
  finish (fixture);
  assert_number (fixture, "energy_package_joules", 9);
  assert_number (fixture, "energy_core_joules", 4);
  assert_number (fixture, "energy_psys_joules", 20);
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "power_package"));
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "power_core"));
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "power_psys"));
  g_assert_null (metric_fixture_find_trace (fixture->measurement, "energy_package"));
}

static void
grow_first (Fixture *fixture)
{
  set_energy (fixture, "intel-rapl:0", "7000000");
}

static void
grow_more (Fixture *fixture)
{
  set_energy (fixture, "intel-rapl:0", "903000000");
}

/* Energy between two stretches of measuring does not count. */
static void
test_pauses (Fixture *fixture, gconstpointer data)
{
  add_zone (fixture, "intel-rapl:0", "package-0");
  begin (fixture, 0, "CPUExecutionProvider");
  measure_chunk (fixture, grow_first);
  spin (50 * MS);
  set_energy (fixture, "intel-rapl:0", "900000000");
  measure_chunk (fixture, grow_more);
  finish (fixture);
  assert_number (fixture, "energy_joules", 6 + 3);
}

static void
assert_no_energy (Fixture *fixture, const char *words)
{
  static const char *const names[] = { "power_avg_watts",        "power_max_watts",
                                       "energy_joules",          "energy_net_joules",
                                       "energy_per_item_joules", "energy_quantisation_percent",
                                       "gflops_per_watt",        "ops_per_watt",
                                       "throughput_per_watt" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    assert_unsupported (fixture, names[i], words);
}

/* A virtual machine may show zones that never move. The integrated graphics may well rest. */
static void
test_stands_still (Fixture *fixture, gconstpointer data)
{
  add_zone (fixture, "intel-rapl:0", "package-0");
  add_zone (fixture, "intel-rapl:0:1", "uncore");
  begin (fixture, 0, "CPUExecutionProvider");
  measure_chunk (fixture, NULL);
  dyno_measurement_add_estimated (fixture->measurement, "flops", 9e6, "FLOP", "test");
  finish (fixture);
  assert_no_energy (fixture, "package-0) did not change");
  assert_unsupported (fixture, "energy_package_joules", "did not change");
  assert_number (fixture, "energy_uncore_joules", 0);
}

static void
test_one_stands_still (Fixture *fixture, gconstpointer data)
{
  add_zone (fixture, "intel-rapl:0", "package-0");
  add_zone (fixture, "intel-rapl:1", "package-1");
  begin (fixture, 0, "CPUExecutionProvider");
  measure_chunk (fixture, grow_first);
  finish (fixture);
  assert_no_energy (fixture, "did not change");
  assert_unsupported (fixture, "energy_package_joules", "did not change");
}

static void
test_idle (Fixture *fixture, gconstpointer data)
{
  DynoMeasurement *measurement = fixture->measurement;
  double idle;

  measurement->idle_seconds = 0.1;
  add_zone (fixture, "intel-rapl:0", "package-0");
  begin (fixture, 0, "CPUExecutionProvider");
  g_assert_cmpfloat (measurement->rest_seconds, ==, 0.1);
  rest (fixture);
  measure_chunk (fixture, grow_first);
  rest_again (fixture, 1, 1);
  finish (fixture);

  idle = get_number (fixture, "idle_power_watts");
  g_assert_cmpfloat_with_epsilon (idle * (double)(measurement->rest_ns[1] - measurement->rest_ns[0]) / 1e9,
                                  0.1, 0.02);
  assert_number (fixture, "energy_joules", 5.9);
  g_assert_cmpfloat_with_epsilon (get_number (fixture, "energy_net_joules"),
                                  5.9 - idle * (double)measurement->steady_wall_ns / 1e9, 1e-6);
}

/* If idle power has changed or is unknown, there is no net energy. */
typedef struct
{
  const char *path;
  double halves[2]; /* of the idle power after the work; 0 if none is measured */
  const char *words;
} NoNet;

static const NoNet no_nets[] = {
  { "idle-rises", { 2, 2 }, "more than 10 % apart" },
  { "idle-not-flat", { 1.5, 0.75 }, "not steady" },
  { "idle-only-before", { 0, 0 }, "after the case" },
};

static void
test_no_net (Fixture *fixture, gconstpointer data)
{
  const NoNet *row = data;

  fixture->measurement->idle_seconds = 0.1;
  add_zone (fixture, "intel-rapl:0", "package-0");
  begin (fixture, 0, "CPUExecutionProvider");
  rest (fixture);
  measure_chunk (fixture, grow_first);
  if (row->halves[0] > 0)
    rest_again (fixture, row->halves[0], row->halves[1]);
  finish (fixture);
  g_assert_cmpfloat (get_number (fixture, "idle_power_watts"), >, 0);
  assert_number (fixture, "energy_joules", 5.9);
  assert_unsupported (fixture, "energy_net_joules", row->words);
}

static void
vanish (Fixture *fixture)
{
  set_energy (fixture, "intel-rapl:0", "");
}

static void
test_vanishes (Fixture *fixture, gconstpointer data)
{
  add_zone (fixture, "intel-rapl:0", "package-0");
  begin (fixture, 0, "CPUExecutionProvider");
  measure_chunk (fixture, vanish);
  finish (fixture);
  assert_unsupported (fixture, "energy_joules", "stopped answering");
  assert_unsupported (fixture, "gflops_per_watt", "package-0");
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  fixture->measurement->idle_seconds = 5;
  begin (fixture, 0, "CPUExecutionProvider");
  g_assert_cmpfloat (fixture->measurement->rest_seconds, ==, 0); /* nothing to look at */
  g_assert_cmpfloat (fixture->measurement->window_seconds, ==, 0);
  measure_chunk (fixture, NULL);
  finish (fixture);
  assert_unsupported (fixture, "power_avg_watts", "irtual machine");
  assert_unsupported (fixture, "energy_quantisation_percent", "modprobe");
  assert_unsupported (fixture, "temperature_max_celsius", "hwmon");
  assert_unsupported (fixture, "clock_avg_mhz", "frequencies");
  g_assert_cmpuint (fixture->measurement->traces->len, ==, 0);
}

static void
work_three_ticks (Fixture *fixture)
{
  overwrite (&fixture->tree, "proc/stat", "cpu  103 0 0 0 0 0 0 0 0 0\n");
}

static void
test_estimate (Fixture *fixture, gconstpointer data)
{
  double tick = 50.0 / (double)(sysconf (_SC_CLK_TCK) * sysconf (_SC_NPROCESSORS_ONLN));

  fixture->measurement->idle_seconds = 5;
  machine_tree_write (&fixture->tree, "proc/stat", "cpu  100 0 0 0 0 0 0 0 0 0\n");
  begin (fixture, 50, "CPUExecutionProvider");
  g_assert_cmpfloat (fixture->measurement->rest_seconds, ==, 0);
  measure_chunk (fixture, work_three_ticks);
  finish (fixture);
  g_assert_cmpfloat_with_epsilon (get_number (fixture, "energy_joules"), 3 * tick, 1e-6);
  g_assert_cmpint (
      dyno_value_get_quality (dyno_measurement_get_value (fixture->measurement, "energy_joules")), ==,
      DYNO_QUALITY_ESTIMATED);
  g_assert_cmpint (
      dyno_value_get_quality (dyno_measurement_get_value (fixture->measurement, "energy_estimate_joules")),
      ==, DYNO_QUALITY_ESTIMATED);
  assert_unsupported (fixture, "energy_net_joules", "estimate");
  assert_unsupported (fixture, "power_max_watts", "moments");
}

static void
test_estimate_of_nothing (Fixture *fixture, gconstpointer data)
{
  machine_tree_write (&fixture->tree, "proc/stat", "cpu  100 0 0 0 0 0 0 0 0 0\n");
  begin (fixture, 50, "CPUExecutionProvider");
  measure_chunk (fixture, NULL);
  dyno_measurement_add_estimated (fixture->measurement, "flops", 9e6, "FLOP", "test");
  finish (fixture);
  assert_number (fixture, "energy_joules", 0);
  assert_unsupported (fixture, "throughput_per_watt", "estimate");
  assert_unsupported (fixture, "ops_per_watt", "estimate");
  assert_unsupported (fixture, "gflops_per_watt", "estimate");
}

static void
work_a_day (Fixture *fixture)
{
  overwrite (&fixture->tree, "proc/stat", "cpu  99999999 0 0 0 0 0 0 0 0 0\n");
}

/* More ticks than possible in the time: utilisation is limited to 100 %. */
static void
test_estimate_is_limited (Fixture *fixture, gconstpointer data)
{
  DynoTrace *power;

  machine_tree_write (&fixture->tree, "proc/stat", "cpu  100 0 0 0 0 0 0 0 0 0\n");
  begin (fixture, 50, "CPUExecutionProvider");
  measure_chunk (fixture, work_a_day);
  finish (fixture);
  g_assert_cmpfloat (get_number (fixture, "power_avg_watts"), >, 0);
  g_assert_cmpfloat (get_number (fixture, "power_avg_watts"), <=, 50.0001);
  power = metric_fixture_find_trace (fixture->measurement, "power_estimate");
  g_assert_nonnull (power);
  for (gsize i = 0; i < dyno_trace_get_length (power); i++)
    g_assert_cmpfloat (dyno_trace_get_values (power)[i], <=, 50.0001);
}

/* A mock device whose power rises by 400 W each second. */
static void
write_script (Fixture *fixture, const char *more)
{
  g_autofree char *file = g_build_filename (fixture->tree.root, "device.ini", NULL);
  g_autofree char *text = g_strdup_printf ("[device]\nsince-ns=%" G_GINT64_FORMAT "\nwatts=100\n"
                                           "watts-per-second=400\ntemperature=66\nclock=1410\n%s",
                                           fixture->measurement->origin_ns, more);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (file, text, -1, &error);
  g_assert_no_error (error);
  g_setenv ("DYNO_FAKE_DEVICE", file, TRUE);
}

/* The mean from beginning to end, over the time that was measured: the pause between is shorter than what the board's
 * counter can see. */
static double
integrate_ramp (Fixture *fixture)
{
  DynoSamples *samples = fixture->measurement->samples;
  gsize last = dyno_samples_get_length (samples) - 1;
  double from = (double)(samples->starts[0] - fixture->measurement->origin_ns) / 1e9;
  double to =
      (double)(samples->starts[last] + samples->durations[last] - fixture->measurement->origin_ns) / 1e9;

  return (100 + 400 * (to + from) / 2) * (double)fixture->measurement->steady_wall_ns / 1e9;
}

static void
measure_device (Fixture *fixture, const char *folder, const char *provider)
{
  g_setenv ("DYNO_LIBRARY_PATH", g_getenv (folder), TRUE);
  begin (fixture, 0, provider);
  dyno_sampler_start (fixture->measurement->sampler);
  measure_chunk (fixture, NULL);
  measure_chunk (fixture, NULL);
  finish (fixture);
}

static void
assert_ramp (Fixture *fixture)
{
  double expected = integrate_ramp (fixture);
  double mean = expected / ((double)fixture->measurement->steady_wall_ns / 1e9);

  g_assert_cmpfloat_with_epsilon (get_number (fixture, "energy_joules"), expected, 0.01 * expected);
  g_assert_cmpfloat (get_number (fixture, "power_max_watts"), >=, 0.99 * mean);
}

static void
test_nvml (Fixture *fixture, gconstpointer data)
{
  write_script (fixture, "devices=1\nenergy-factor=1\nreasons=96\n");
  measure_device (fixture, "DYNO_TEST_NVIDIA_FOLDER", "CUDAExecutionProvider");
  assert_ramp (fixture);
  g_assert_nonnull (strstr (
      dyno_value_get_source (dyno_measurement_get_value (fixture->measurement, "energy_joules")), "counter"));
  g_assert_cmpfloat (fixture->measurement->window_seconds, ==, 5); /* 100 of 0.1 s would be more */
  g_assert_nonnull (metric_fixture_find_diagnostic (fixture->measurement, "energy-quantised"));
  g_assert_nonnull (metric_fixture_find_diagnostic (fixture->measurement, "thermal-throttling"));
  g_assert_cmpfloat (get_number (fixture, "temperature_max_celsius"), ==, 66);
  g_assert_cmpfloat (get_number (fixture, "clock_avg_mhz"), ==, 1410);
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "power_nvidia0"));
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "throttled_nvidia0_heat"));
}

static void
lose_device (Fixture *fixture)
{
  write_script (fixture, "devices=1\nenergy-factor=1\nbroken=1\n");
}

static void
test_device_is_lost (Fixture *fixture, gconstpointer data)
{
  write_script (fixture, "devices=1\nenergy-factor=1\n");
  g_setenv ("DYNO_LIBRARY_PATH", g_getenv ("DYNO_TEST_NVIDIA_FOLDER"), TRUE);
  begin (fixture, 0, "CUDAExecutionProvider");
  measure_chunk (fixture, NULL);
  measure_chunk (fixture, lose_device);
  finish (fixture);
  assert_unsupported (fixture, "energy_joules", "stopped answering");
}

/* What a library says of its boards, and what becomes of it. */
typedef struct
{
  const char *path;
  const char *library; /* NVIDIA, AMD or AMD_SMI */
  const char *script;
  const char *provider; /* another than that of the library's boards */
  const char *device;
  const char *address;
  gboolean has_ramp;        /* energy and power are those of the board that worked */
  const char *source;       /* words of the source of its energy */
  const char *unsupported;  /* why there is no energy of what worked */
  const char *other_energy; /* of a device that did not work */
  const char *said;
  const char *unsaid;
  const char *slowed; /* the trace that shows it */
  const char *not_slowed[2];
} Board;

static const Board boards[] = {
  /* The hardware's slow-down alone (8) may be heat, the power brake or too high a power. */
  { "nvml-slowdown", "NVIDIA", "devices=1\nenergy-factor=1\nreasons=8\n", .said = "hardware-throttling",
    .unsaid = "thermal-throttling", .slowed = "hardware", .not_slowed = { "heat", "power" } },
  /* The power brake (128) comes with the hardware's slow-down, and says more. */
  { "nvml-power-brake", "NVIDIA", "devices=1\nenergy-factor=1\nreasons=136\n", .said = "hardware-throttling",
    .unsaid = "thermal-throttling", .slowed = "power", .not_slowed = { "hardware" } },
  { "nvml-heat", "NVIDIA", "devices=1\nenergy-factor=1\nreasons=72\n", .said = "thermal-throttling",
    .unsaid = "hardware-throttling", .slowed = "heat" },
  { "nvml-without-counter", "NVIDIA", "devices=1\nenergy-factor=0\nreasons=0\n", .has_ramp = TRUE,
    .source = "trapezoids", .unsaid = "thermal-throttling" },
  /* A counter in a wrong unit is detected by comparing it with the power. */
  { "nvml-wrong-counter", "NVIDIA", "devices=1\nenergy-factor=0.001\n", .has_ramp = TRUE,
    .said = "energy-counter" },
  /* With a deviation of a fifth, the counter is used, and both numbers are reported. */
  { "nvml-counter-off", "NVIDIA", "devices=1\nenergy-factor=1.25\n", .said = "energy-counter",
    .source = "counter" },
  { "several-devices", "NVIDIA", "devices=2\nenergy-factor=1\n", .unsupported = "Several devices" },
  { "named-device", "NVIDIA", "devices=2\nenergy-factor=1\n", .device = "GPU-fake-2", .has_ramp = TRUE,
    .source = "Fake Board 2" },
  /* Work on the processor is not charged with the energy of a device. */
  { "device-is-idle", "NVIDIA", "devices=1\nenergy-factor=1\n", .provider = "CPUExecutionProvider",
    .unsupported = "RAPL", .other_energy = "energy_nvidia0_joules" },
  { "no-device", "NVIDIA", "devices=0\n", .unsupported = "NVML found no device" },
  /* The boards' addresses are known, and the second is the one that works. */
  { "rocm-by-address", "AMD", "devices=2\nenergy-factor=1\n", .device = "GPU-0123456789abcdef",
    .address = "0000:04:00.0", .has_ramp = TRUE },
  { "amd-smi-without-counter", "AMD_SMI", "devices=1\nenergy-factor=0\n", .has_ramp = TRUE,
    .source = "trapezoids" },
  /* The first board takes three times as much. */
  { "amd-smi-by-address", "AMD_SMI", "devices=2\nenergy-factor=1\n", .address = "0001:04:00.0",
    .has_ramp = TRUE },
  { "amd-smi-does-not-start", "AMD_SMI", "devices=1\ninit-error=34\n",
    .unsupported = "AMD SMI could not be started (error 34)" },
};

static double
get_highest (Fixture *fixture, const char *reason)
{
  g_autofree char *name = g_strconcat ("throttled_nvidia0_", reason, NULL);
  DynoTrace *trace = metric_fixture_find_trace (fixture->measurement, name);
  double highest = -INFINITY;

  g_assert_nonnull (trace);
  for (gsize i = 0; i < dyno_trace_get_length (trace); i++)
    highest = MAX (highest, dyno_trace_get_values (trace)[i]);
  return highest;
}

static void
test_board (Fixture *fixture, gconstpointer data)
{
  const Board *board = data;
  g_autofree char *folder = g_strdup_printf ("DYNO_TEST_%s_FOLDER", board->library);
  const char *of_library =
      g_str_equal (board->library, "NVIDIA") ? "CUDAExecutionProvider" : "ROCMExecutionProvider";

  write_script (fixture, board->script);
  fixture->measurement->device = g_strdup (board->device);
  fixture->measurement->device_address = g_strdup (board->address);
  measure_device (fixture, folder, board->provider != NULL ? board->provider : of_library);
  if (board->has_ramp)
    assert_ramp (fixture);
  if (board->source != NULL)
    g_assert_nonnull (
        strstr (dyno_value_get_source (dyno_measurement_get_value (fixture->measurement, "energy_joules")),
                board->source));
  if (board->unsupported != NULL)
    assert_unsupported (fixture, "energy_joules", board->unsupported);
  if (board->other_energy != NULL)
    g_assert_cmpfloat (get_number (fixture, board->other_energy), >, 0);
  if (board->said != NULL)
    g_assert_nonnull (metric_fixture_find_diagnostic (fixture->measurement, board->said));
  if (board->unsaid != NULL)
    g_assert_null (metric_fixture_find_diagnostic (fixture->measurement, board->unsaid));
  if (board->slowed != NULL)
    g_assert_cmpfloat (get_highest (fixture, board->slowed), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (board->not_slowed) && board->not_slowed[i] != NULL; i++)
    g_assert_cmpfloat (get_highest (fixture, board->not_slowed[i]), ==, 0);
}

static double
get_resolution (Fixture *fixture, const char *name)
{
  DynoSensorSet *sensors = fixture->measurement->sensors;

  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (sensors); i++)
    {
      const DynoSensorInfo *info = dyno_sensor_get_info (dyno_sensor_set_get_sensor (sensors, i));

      if (info->kind == DYNO_SENSOR_ENERGY && g_str_equal (info->name, name))
        return info->resolution;
    }
  g_error ("There is no counter “%s”.", name);
}

static void
test_rocm (Fixture *fixture, gconstpointer data)
{
  write_script (fixture, "devices=1\nenergy-factor=1\n");
  measure_device (fixture, "DYNO_TEST_AMD_FOLDER", "ROCMExecutionProvider");
  assert_ramp (fixture);
  g_assert_cmpfloat (get_number (fixture, "temperature_max_celsius"), ==, 66);
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "power_amd0"));
  /* As the library says with every reading. */
  g_assert_cmpfloat_with_epsilon (get_resolution (fixture, "amd0"), 15.259e-6, 1e-9);
}

static void
test_amd_smi (Fixture *fixture, gconstpointer data)
{
  write_script (fixture, "devices=1\nenergy-factor=1\n");
  measure_device (fixture, "DYNO_TEST_AMD_SMI_FOLDER", "ROCMExecutionProvider");
  assert_ramp (fixture);
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_measurement_get_value (fixture->measurement, "energy_joules")),
              "AMD SMI, counter"));
  g_assert_cmpfloat (get_number (fixture, "temperature_max_celsius"), ==, 66);
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "power_amd0"));
  g_assert_cmpfloat_with_epsilon (get_resolution (fixture, "amd0"), 15.3e-6, 1e-9);
}

/* Both libraries exist, and each board is listed once. */
static void
test_amd_smi_beside_rocm_smi (Fixture *fixture, gconstpointer data)
{
  g_autofree char *both = g_strjoin (G_SEARCHPATH_SEPARATOR_S, g_getenv ("DYNO_TEST_AMD_FOLDER"),
                                     g_getenv ("DYNO_TEST_AMD_SMI_FOLDER"), NULL);
  guint n_counters = 0;

  write_script (fixture, "devices=2\nenergy-factor=1\n");
  g_setenv ("DYNO_LIBRARY_PATH", both, TRUE);
  begin (fixture, 0, "ROCMExecutionProvider");
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (fixture->measurement->sensors); i++)
    {
      const DynoSensorInfo *info =
          dyno_sensor_get_info (dyno_sensor_set_get_sensor (fixture->measurement->sensors, i));

      g_assert_false (g_str_has_prefix (info->source, "ROCm SMI"));
      n_counters += g_str_has_prefix (info->source, "AMD SMI, counter");
    }
  g_assert_cmpuint (n_counters, ==, 2);
}

/* A card with a gauge of its power, two temperatures and two clocks. */
static void
add_card (Fixture *fixture, const char *folder, const char *address, const char *watts)
{
  const struct
  {
    const char *file;
    const char *text;
  } files[] = {
    { "power1_average", watts }, { "temp1_input", "50000" },      { "temp1_label", "edge" },
    { "temp3_input", "90000" },  { "temp3_label", "mem" },        { "freq1_input", "2000000000" },
    { "freq1_label", "sclk" },   { "freq2_input", "1000000000" }, { "freq2_label", "mclk" },
  };

  add_chip (&fixture->tree, folder, "amdgpu", address);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (HWMON, folder, files[i].file, NULL);
      g_autofree char *line = g_strconcat (files[i].text, "\n", NULL);

      machine_tree_write (&fixture->tree, path, line);
    }
}

static void
measure_cards (Fixture *fixture)
{
  begin (fixture, 0, "ROCMExecutionProvider");
  dyno_sampler_start (fixture->measurement->sampler);
  measure_chunk (fixture, NULL);
  finish (fixture);
}

/* The only card with sensors is another one. */
static void
test_other_card (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "energy_joules", "power_avg_watts", "temperature_max_celsius",
                                       "clock_avg_mhz", "clock_min_mhz" };

  add_card (fixture, "hwmon0", "0000:03:00.0", "243000000");
  fixture->measurement->device = g_strdup ("0000:65:00.0");
  fixture->measurement->device_address = g_strdup ("0000:65:00.0");
  measure_cards (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      assert_unsupported (fixture, names[i], "0000:65:00.0");
      assert_unsupported (fixture, names[i], "0000:03:00.0");
    }
  g_assert_cmpfloat (get_number (fixture, "energy_amdgpu_joules"), >, 0);
}

/* No device was named, but the backend knows the address of its first one. */
static void
test_card_by_address (Fixture *fixture, gconstpointer data)
{
  add_card (fixture, "hwmon0", "0000:03:00.0", "100000000");
  add_card (fixture, "hwmon1", "0000:0A:00.0", "300000000");
  fixture->measurement->device_address = g_strdup ("0000:0a:00.0");
  measure_cards (fixture);
  assert_number (fixture, "power_avg_watts", 300);
  assert_number (fixture, "power_max_watts", 300);
}

/* The engine's name of a device does not contain its address. */
static void
test_card_without_address (Fixture *fixture, gconstpointer data)
{
  add_card (fixture, "hwmon0", "0000:03:00.0", "100000000");
  add_card (fixture, "hwmon1", "0000:0a:00.0", "300000000");
  fixture->measurement->device = g_strdup ("GPU.1");
  measure_cards (fixture);
  assert_unsupported (fixture, "energy_joules", "“GPU.1”");
  assert_unsupported (fixture, "temperature_max_celsius", "0000:03:00.0, 0000:0a:00.0");
}

/* The memory is hotter and slower than the cores, another card hotter and slower than both. */
static void
test_sensors_of_card (Fixture *fixture, gconstpointer data)
{
  add_card (fixture, "hwmon0", "0000:03:00.0", "100000000");
  add_card (fixture, "hwmon1", "0000:0a:00.0", "300000000");
  overwrite (&fixture->tree, HWMON "hwmon1/temp3_input", "99000");
  overwrite (&fixture->tree, HWMON "hwmon1/freq1_input", "500000000");
  fixture->measurement->device_address = g_strdup ("0000:03:00.0");
  measure_cards (fixture);
  assert_number (fixture, "clock_avg_mhz", 2000);
  assert_number (fixture, "clock_min_mhz", 2000);
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_measurement_get_value (fixture->measurement, "clock_min_mhz")),
              "freq1_input"));
  assert_number (fixture, "temperature_max_celsius", 90);
  g_assert_nonnull (strstr (
      dyno_value_get_source (dyno_measurement_get_value (fixture->measurement, "temperature_max_celsius")),
      "temp3"));
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "clock_amdgpu_mclk"));
}

static void
lose_card (Fixture *fixture)
{
  overwrite (&fixture->tree, HWMON "hwmon0/power1_average", "");
  spin (300 * MS);
  overwrite (&fixture->tree, HWMON "hwmon0/power1_average", "100000000");
}

/* Missing readings of a gauge are not interpolated. */
static void
test_card_is_silent (Fixture *fixture, gconstpointer data)
{
  add_card (fixture, "hwmon0", "0000:03:00.0", "100000000");
  begin (fixture, 0, "ROCMExecutionProvider");
  dyno_sampler_start (fixture->measurement->sampler);
  measure_chunk (fixture, lose_card);
  finish (fixture);
  assert_no_energy (fixture, "could not be read");
  assert_unsupported (fixture, "energy_amdgpu_joules", "could not be read");
}

static void
be_silent (Fixture *fixture)
{
  set_energy (fixture, "intel-rapl:0", "");
  spin (300 * MS);
  grow_first (fixture);
}

/* A counter continues during missing readings. */
static void
test_counter_is_silent (Fixture *fixture, gconstpointer data)
{
  add_zone (fixture, "intel-rapl:0", "package-0");
  begin (fixture, 0, "CPUExecutionProvider");
  dyno_sampler_start (fixture->measurement->sampler);
  measure_chunk (fixture, be_silent);
  finish (fixture);
  assert_number (fixture, "energy_joules", 6);
}

/* Another device is throttled than the one that works. */
static void
test_other_card_slows_down (Fixture *fixture, gconstpointer data)
{
  write_script (fixture, "devices=1\nenergy-factor=1\nreasons=96\n");
  add_card (fixture, "hwmon0", "0000:03:00.0", "100000000");
  fixture->measurement->device_address = g_strdup ("0000:03:00.0");
  measure_device (fixture, "DYNO_TEST_NVIDIA_FOLDER", "ROCMExecutionProvider");
  assert_number (fixture, "power_avg_watts", 100);
  g_assert_nonnull (metric_fixture_find_trace (fixture->measurement, "throttled_nvidia0_heat"));
  g_assert_null (metric_fixture_find_diagnostic (fixture->measurement, "thermal-throttling"));
}

static void
grow_card (Fixture *fixture)
{
  overwrite (&fixture->tree, HWMON "hwmon0/energy1_input", "10000000");
  overwrite (&fixture->tree, HWMON "hwmon0/energy2_input", "6000000");
}

/* One card with counters of the whole board and of its chip: 9 J, 5 J of them in the chip. */
static void
test_parts_of_card (Fixture *fixture, gconstpointer data)
{
  add_chip (&fixture->tree, "hwmon0", "xe", "0000:03:00.0");
  machine_tree_fill (&fixture->tree, HWMON, "hwmon0/energy2_input=1000000", "hwmon0/energy2_label=pkg\n",
                     "hwmon0/energy1_input=1000000", "hwmon0/energy1_label=card\n", NULL);
  begin (fixture, 0, "WebGpuExecutionProvider");
  measure_chunk (fixture, grow_card);
  finish (fixture);
  assert_number (fixture, "energy_joules", 9);
  assert_number (fixture, "energy_xe_joules", 9);
  assert_number (fixture, "energy_xe_pkg_joules", 5);
  assert_unsupported (fixture, "energy_quantisation_percent", "steps");
}

/* The rails of cores and uncore are not the package. */
static void
test_rails (Fixture *fixture, gconstpointer data)
{
  machine_tree_fill (&fixture->tree, HWMON, "hwmon0/name=zenpower\n", "hwmon0/update_interval=1",
                     "hwmon0/power1_input=60000000", "hwmon0/power1_label=SVI2_P_Core\n",
                     "hwmon0/power2_input=15000000", "hwmon0/power2_label=SVI2_P_SoC\n",
                     "hwmon0/temp1_input=70000", NULL);
  begin (fixture, 0, "CPUExecutionProvider");
  dyno_sampler_start (fixture->measurement->sampler);
  measure_chunk (fixture, NULL);
  finish (fixture);
  assert_unsupported (fixture, "energy_joules", "RAPL");
  g_assert_cmpfloat (get_number (fixture, "energy_zenpower_svi2_p_core_joules"), >, 0);
  assert_number (fixture, "temperature_max_celsius", 70);
}

static void
add (const char *name, gconstpointer data, void (*func) (Fixture *, gconstpointer))
{
  g_autofree char *path = g_strconcat ("/power/", name, NULL);

  g_test_add (path, Fixture, data, set_up, func, tear_down);
}

#define ADD(path, func) add (path, NULL, func)

static void
add_tests (void)
{
  ADD ("packages", test_packages);
  ADD ("drain", test_drain);
  ADD ("requests", test_requests);
  ADD ("unsteady", test_unsteady);
  ADD ("own-clock", test_own_clock);
  ADD ("tokens", test_tokens);
  ADD ("domains-apart", test_domains_apart);
  ADD ("pauses", test_pauses);
  ADD ("stands-still", test_stands_still);
  ADD ("one-stands-still", test_one_stands_still);
  ADD ("idle", test_idle);
  ADD ("vanishes", test_vanishes);
  ADD ("nothing", test_nothing);
  ADD ("estimate", test_estimate);
  ADD ("estimate-is-limited", test_estimate_is_limited);
  ADD ("estimate-of-nothing", test_estimate_of_nothing);
  ADD ("nvml", test_nvml);
  ADD ("device-is-lost", test_device_is_lost);
  ADD ("rocm", test_rocm);
  ADD ("amd-smi", test_amd_smi);
  ADD ("amd-smi-beside-rocm-smi", test_amd_smi_beside_rocm_smi);
  ADD ("other-card", test_other_card);
  ADD ("card-by-address", test_card_by_address);
  ADD ("card-without-address", test_card_without_address);
  ADD ("sensors-of-card", test_sensors_of_card);
  ADD ("card-is-silent", test_card_is_silent);
  ADD ("counter-is-silent", test_counter_is_silent);
  ADD ("other-card-slows-down", test_other_card_slows_down);
  ADD ("parts-of-card", test_parts_of_card);
  ADD ("rails", test_rails);
  for (guint i = 0; i < G_N_ELEMENTS (boards); i++)
    add (boards[i].path, &boards[i], test_board);
  for (guint i = 0; i < G_N_ELEMENTS (no_nets); i++)
    add (no_nets[i].path, &no_nets[i], test_no_net);
}

SUITE_ADD (add_tests)
