/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-metrics-sources-private.h"
#include "machine-tree.h"
#include "metric-fixture.h"
#include "suite.h"

#define MS G_GINT64_CONSTANT (1000000)

#define N_LINES 10000000

#define UMC "sys/bus/event_source/devices/amd_umc_0/"

static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  g_setenv ("DYNO_LIBRARY_PATH", "", TRUE);
}

/* Ten steps of 2 ms with a pause of 1 ms, five to a sample. */
static DynoMeasurement *
create_measurement (void)
{
  DynoMeasurement *measurement = dyno_measurement_new ();

  measurement->origin_ns = dyno_clock_now_ns ();
  measurement->samples = dyno_samples_new (2);
  measurement->steps_per_sample = 5;
  for (guint i = 0; i < 2; i++)
    dyno_samples_record (measurement->samples, measurement->origin_ns + i * 11 * MS,
                         measurement->origin_ns + i * 11 * MS + 10 * MS);
  measurement->steady_end = 2;
  return measurement;
}

static void
add_operator (DynoMeasurement *measurement, gint64 calls, gint64 time_ns, gint64 bytes)
{
  DynoOperator *op = dyno_operator_new ("node", "MatMul", NULL);

  dyno_operator_set_calls (op, calls);
  dyno_operator_set_time_ns (op, time_ns);
  dyno_operator_set_bytes (op, bytes);
  dyno_measurement_take_operator (measurement, op);
}

static void
assert_number (DynoMeasurement *measurement, const char *name, double expected, DynoQuality quality)
{
  g_assert_cmpfloat_with_epsilon (dyno_value_get_number (dyno_measurement_get_value (measurement, name)),
                                  expected, expected * 1e-9);
  g_assert_cmpint (dyno_value_get_quality (dyno_measurement_get_value (measurement, name)), ==, quality);
}

static void
assert_unsupported (DynoMeasurement *measurement, const char *name, const char *words)
{
  DynoValue *value = dyno_measurement_get_value (measurement, name);

  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

static void
collect (DynoMeasurement *measurement)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("bandwidth");

  dyno_metric_start (metric, measurement);
  dyno_metric_collect (metric, measurement);
  dyno_metric_analysed (metric, measurement);
}

/* What is modelled of 10 steps of 2 ms, whose operators ran 10 times. */
typedef struct
{
  const char *path;
  guint n_requests;
  guint n_generated;
  gboolean has_sensors;
  double bytes_per_step;
  struct
  {
    gint64 time_ns;
    gint64 bytes;
  } operators[3];
  double average;
  double transfers;
  double peak;            /* 0 if there is none */
  const char *no_peak[2]; /* words why */
} Modelled;

static const Modelled modelled[] = {
  /* An operator too short to be timed says nothing of the peak. */
  { "model", .bytes_per_step = 3e6,
    .operators = { { 10 * MS, 2000000 }, { 4 * MS, 1600000 }, { MS / 10, 1000000 } }, .average = 1.5,
    .transfers = 0.03, .peak = 4 },
  /* Operators are timed one request at a time, so the fastest of them is no peak of several at once. */
  { "requests", .n_requests = 2, .bytes_per_step = 6e6, .operators = { { 10 * MS, 2000000 } }, .average = 3,
    .transfers = 0.06, .no_peak = { "one request at a time" } },
  /* An operator without a time may be the fastest. */
  { "untimed", .bytes_per_step = 300e6, .operators = { { -1, 200000000 }, { MS / 10, 4000 } }, .average = 150,
    .transfers = 3, .no_peak = { "1 of 2 operators" } },
  /* Half of the average is no peak. */
  { "below-average", .bytes_per_step = 3e6, .operators = { { 40 * MS, 3000000 } }, .average = 1.5,
    .transfers = 0.03, .no_peak = { "0.75 GB/s", "1.5 GB/s" } },
  /* The bytes of a step are those of the whole generation. */
  { "generation", .n_generated = 2, .bytes_per_step = 3e6, .average = 1.5, .transfers = 0.03 },
  /* Operators that the engine times have no bytes, and those with bytes have no time. */
  { "no-operator", .has_sensors = TRUE, .bytes_per_step = 3e6, .operators = { { 10 * MS, 0 } },
    .average = 1.5, .transfers = 0.03, .no_peak = { "both the time and the bytes" } },
};

static void
test_modelled (MachineTree *tree, gconstpointer data)
{
  const Modelled *row = data;
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  if (row->n_requests > 0)
    measurement->n_requests = row->n_requests;
  if (row->n_generated > 0)
    measurement->n_generated = row->n_generated;
  if (row->has_sensors)
    measurement->sensors = dyno_sensor_set_discover (0);
  dyno_measurement_add_estimated (measurement, "bytes_per_step", row->bytes_per_step, "B", "shapes");
  for (guint i = 0; i < G_N_ELEMENTS (row->operators) && row->operators[i].time_ns != 0; i++)
    add_operator (measurement, 10, row->operators[i].time_ns, row->operators[i].bytes);
  collect (measurement);
  assert_number (measurement, "avg_bandwidth_gbps", row->average, DYNO_QUALITY_ESTIMATED);
  assert_number (measurement, "memory_transfers_gb", row->transfers, DYNO_QUALITY_ESTIMATED);
  if (row->peak > 0)
    assert_number (measurement, "peak_bandwidth_gbps", row->peak, DYNO_QUALITY_ESTIMATED);
  for (guint i = 0; i < G_N_ELEMENTS (row->no_peak) && row->no_peak[i] != NULL; i++)
    assert_unsupported (measurement, "peak_bandwidth_gbps", row->no_peak[i]);
}

static void
test_nothing (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  measurement->sensors = dyno_sensor_set_discover (0);
  collect (measurement);
  assert_unsupported (measurement, "avg_bandwidth_gbps", "uncore_imc");
  assert_unsupported (measurement, "peak_theoretical_bandwidth_gbps", "firmware");
}

static void
test_switched_off (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  collect (measurement);
  assert_unsupported (measurement, "memory_transfers_gb", "power-milliseconds");
}

static int writer;

static int
open_fake (const DynoPerfEvent *event, int processor)
{
  int ends[2];

  g_assert_cmpint (pipe2 (ends, O_NONBLOCK), ==, 0);
  writer = ends[1];
  return ends[0];
}

static void
answer (guint64 count)
{
  const guint64 reading[] = { count, 1, 1 };

  g_assert_cmpint (write (writer, reading, sizeof reading), ==, sizeof reading);
}

static void
spin (gint64 nanoseconds)
{
  gint64 until = dyno_clock_now_ns () + nanoseconds;

  while (dyno_clock_now_ns () < until)
    continue;
}

static void
read_counter (DynoMeasurement *measurement, guint64 count)
{
  answer (count);
  dyno_sampler_mark_edge (measurement->sampler);
}

/* One sample of 50 ms, in which the memory controllers count @n_lines of 64 bytes, after @n_before in the 10 ms before. */
static void
measure_sample (DynoMeasurement *measurement, guint64 n_before, guint64 n_lines)
{
  gsize end = 1;
  gint64 began, ended;

  read_counter (measurement, 0);
  spin (10 * MS);
  read_counter (measurement, n_before);
  began = dyno_clock_now_ns ();
  spin (25 * MS);
  read_counter (measurement, n_before);
  spin (25 * MS);
  read_counter (measurement, n_before + n_lines);
  ended = dyno_clock_now_ns ();
  read_counter (measurement, n_before + n_lines);
  dyno_samples_record (measurement->samples, began, ended);
  g_array_append_val (measurement->chunk_ends, end);
  measurement->steady_end = 1;
}

static DynoMeasurement *
create_counted (MachineTree *tree)
{
  DynoMeasurement *measurement = dyno_measurement_new ();

  machine_tree_fill (tree, UMC, "type=30\n", "format/event=config:0-7\n", NULL);
  measurement->origin_ns = dyno_clock_now_ns ();
  measurement->power_milliseconds = 1000;
  measurement->sampler = dyno_sampler_new (measurement->origin_ns);
  measurement->samples = dyno_samples_new (1);
  measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  return measurement;
}

static void
count_lines (DynoMeasurement *measurement, guint64 n_before, guint64 n_lines)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create ("bandwidth");

  dyno_perf_event_set_opener (open_fake);
  measurement->sensors = dyno_sensor_set_discover (0);
  dyno_metric_start (metric, measurement);
  measure_sample (measurement, n_before, n_lines);
  dyno_metric_collect (metric, measurement);
  dyno_metric_analysed (metric, measurement);
  dyno_perf_event_set_opener (NULL);
  close (writer);
}

/* The counters are read at the edges of what was measured, whatever the thread reads between. */
static void
test_counters (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = create_counted (tree);

  count_lines (measurement, 0, N_LINES);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "memory_transfers_gb"), 0.64,
                                  0.01);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "avg_bandwidth_gbps"),
                                  0.64e9 / (double)measurement->samples->durations[0], 0.2);
  g_assert_cmpint (dyno_value_get_quality (dyno_measurement_get_value (measurement, "memory_transfers_gb")),
                   ==, DYNO_QUALITY_MEASURED);
  g_assert_cmpuint (measurement->traces->len, ==, 1);
  g_assert_cmpstr (dyno_trace_get_name (measurement->traces->pdata[0]), ==, "bandwidth_dram");
  g_assert_cmpstr (dyno_trace_get_unit (measurement->traces->pdata[0]), ==, "GB/s");
}

static void
test_unsteady_counters (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = create_counted (tree);

  measurement->steadiness = DYNO_STEADINESS_NONE;
  count_lines (measurement, 0, N_LINES);
  assert_unsupported (measurement, "avg_bandwidth_gbps", "oo few samples");
  assert_unsupported (measurement, "peak_bandwidth_gbps", "oo few samples");
  assert_unsupported (measurement, "memory_transfers_gb", "oo few samples");
  g_assert_cmpuint (measurement->traces->len, ==, 1);
}

/* Ten times as many lines went through before the sample, and a reading lies across its start. */
static void
test_peak_before (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = create_counted (tree);

  count_lines (measurement, 10 * N_LINES, N_LINES);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "peak_bandwidth_gbps"), >=,
                     dyno_measurement_get_number (measurement, "avg_bandwidth_gbps"));
  /* All lines of the sample within the shortest interval considered. */
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "peak_bandwidth_gbps"), <=, 0.64 / 20e-3);
}

/* A virtual machine may show counters that never move. */
static void
test_counters_stand_still (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = create_counted (tree);

  count_lines (measurement, 0, 0);
  assert_unsupported (measurement, "avg_bandwidth_gbps", "stood still");
  assert_unsupported (measurement, "memory_transfers_gb", "stood still");
}

/* A channel of 3200 million transfers of 64 bits: 25.6 GB/s. */
static void
add_module (MachineTree *tree)
{
  machine_tree_write (tree, "sys/class/dmi/id/sys_vendor", "Maker\n");
  machine_tree_write (tree, "run/udev/data/+dmi:id",
                      "E:MEMORY_DEVICE_0_LOCATOR=ChannelA-DIMM0\nE:MEMORY_DEVICE_0_DATA_WIDTH=64\n"
                      "E:MEMORY_DEVICE_0_CONFIGURED_SPEED_MTS=3200\n");
}

/* The memory of a card is not that of the machine. */
static void
test_graphics_card (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = create_counted (tree);

  add_module (tree);
  measurement->device_kind = DYNO_DEVICE_KIND_DISCRETE_GPU;
  count_lines (measurement, 0, N_LINES);
  assert_unsupported (measurement, "avg_bandwidth_gbps", "its own memory");
  assert_unsupported (measurement, "peak_theoretical_bandwidth_gbps", "its own memory");
}

static void
test_theory (MachineTree *tree, gconstpointer data)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement ();

  add_module (tree);
  collect (measurement);
  assert_number (measurement, "peak_theoretical_bandwidth_gbps", 25.6, DYNO_QUALITY_ESTIMATED);
}

#define ADD(path, func)                                                                                      \
  g_test_add ("/bandwidth/" path, MachineTree, NULL, set_up, func, machine_tree_tear_down)

static void
add_tests (void)
{
  ADD ("nothing", test_nothing);
  ADD ("switched-off", test_switched_off);
  ADD ("counters", test_counters);
  ADD ("unsteady-counters", test_unsteady_counters);
  ADD ("peak-before", test_peak_before);
  ADD ("counters-stand-still", test_counters_stand_still);
  ADD ("graphics-card", test_graphics_card);
  ADD ("theory", test_theory);
  for (guint i = 0; i < G_N_ELEMENTS (modelled); i++)
    {
      g_autofree char *path = g_strconcat ("/bandwidth/", modelled[i].path, NULL);

      g_test_add (path, MachineTree, &modelled[i], set_up, test_modelled, machine_tree_tear_down);
    }
}

SUITE_ADD (add_tests)
