/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "metric-fixture.h"
#include "suite.h"

#define MS G_GINT64_CONSTANT (1000000)

typedef guint (*FindDuration) (guint index, guint n);

/* Steps one after the other with a pause of 1 ms, from time zero on. */
static DynoMeasurement *
create_measurement_of (guint n, FindDuration find_duration)
{
  DynoMeasurement *measurement = dyno_measurement_new ();
  gint64 now = 0;

  measurement->warm_up = dyno_samples_new (1);
  dyno_samples_record (measurement->warm_up, 0, 50 * MS);
  measurement->samples = dyno_samples_new (n);
  for (guint i = 0; i < n; i++)
    {
      gint64 duration = find_duration (i, n) * MS;

      dyno_samples_record (measurement->samples, now, now + duration);
      now += duration + MS;
    }
  measurement->steady_end = n;
  measurement->steady_wall_ns = now - MS;
  measurement->steadiness = DYNO_STEADINESS_FLAT;
  return measurement;
}

static guint
find_rising (guint index, guint n)
{
  return index + 1;
}

/* 1, n, 2, n - 1, and so on: uncorrelated neighbours. */
static guint
find_alternating (guint index, guint n)
{
  return index % 2 == 0 ? index / 2 + 1 : n - index / 2;
}

/* Steps of 1, 2, … @n ms. */
static DynoMeasurement *
create_measurement (guint n)
{
  return create_measurement_of (n, find_rising);
}

static void
collect (const char *id, DynoMeasurement *measurement)
{
  g_autoptr (DynoMetric) metric = metric_fixture_create (id);

  dyno_metric_start (metric, measurement);
  dyno_metric_stop (metric, measurement);
  dyno_metric_collect (metric, measurement);
}

static void
test_latency (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement_of (101, find_alternating);

  collect ("latency", measurement);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "latency_mean_ms"), 51, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "latency_p50_ms"), 51, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "latency_p90_ms"), 91, 1e-9);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_min_ms"), ==, 1);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_max_ms"), ==, 101);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_median_low_ms"), <, 51);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_median_high_ms"), >, 51);
}

static void
assert_value (DynoMeasurement *measurement, const char *name, DynoQuality quality, const char *words)
{
  DynoValue *value = dyno_measurement_get_value (measurement, name);

  g_assert_cmpint (dyno_value_get_quality (value), ==, quality);
  g_assert_nonnull (strstr (dyno_value_get_source (value), words));
}

static void
test_percentile_guard (void)
{
  g_autoptr (DynoMeasurement) few = create_measurement_of (43, find_alternating);
  g_autoptr (DynoMeasurement) enough = create_measurement_of (44, find_alternating);
  g_autoptr (DynoMeasurement) dependent = create_measurement (100);

  collect ("latency", few);
  g_assert_false (dyno_value_is_number (dyno_measurement_get_value (few, "latency_p90_ms")));
  g_assert_nonnull (
      strstr (dyno_value_get_source (dyno_measurement_get_value (few, "latency_p90_ms")), "44"));
  collect ("latency", enough);
  g_assert_true (dyno_value_is_number (dyno_measurement_get_value (enough, "latency_p90_ms")));
  g_assert_cmpfloat (dyno_measurement_get_number (enough, "latency_effective_samples"), ==, 44);
  g_assert_false (dyno_value_is_number (dyno_measurement_get_value (enough, "latency_p99_ms")));
  collect ("latency", dependent);
  g_assert_cmpfloat (dyno_measurement_get_number (dependent, "latency_effective_samples"), <, 44);
  assert_value (dependent, "latency_p90_ms", DYNO_QUALITY_UNSUPPORTED, "independent");
}

/* An unsteady case has a median, a mean and a rate of the whole measurement, each marked, but no interval and no
 * sums. */
static void
check_unsteady (guint n_samples, const char *words)
{
  static const char *const marked[] = { "latency_p50_ms", "latency_mean_ms", "latency_stddev_ms",
                                        "throughput_items_per_sec", "throughput_tokens_per_sec" };
  static const char *const without[] = { "latency_median_low_ms", "latency_median_high_ms",
                                         "avg_bandwidth_gbps", "peak_bandwidth_gbps", "memory_transfers_gb" };
  g_autoptr (DynoMeasurement) measurement = create_measurement (n_samples);

  measurement->steadiness = DYNO_STEADINESS_NONE;
  measurement->sequence_length = 16;
  collect ("latency", measurement);
  collect ("throughput", measurement);
  dyno_measurement_add_estimated (measurement, "bytes_per_step", 3e6, "B", "shapes");
  collect ("bandwidth", measurement);
  for (guint i = 0; i < G_N_ELEMENTS (marked); i++)
    assert_value (measurement, marked[i], DYNO_QUALITY_UNSTEADY, words);
  for (guint i = 0; i < G_N_ELEMENTS (without); i++)
    assert_value (measurement, without[i], DYNO_QUALITY_UNSUPPORTED, words);
}

static void
test_unsteady (void)
{
  check_unsteady (50, "never became steady");
  check_unsteady (5, "Too few samples");
}

static void
test_only_steady_samples_count (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement (100);
  DynoTrace *trace;

  measurement->steady_first = 90;
  collect ("latency", measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_min_ms"), ==, 91);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_samples"), ==, 10);
  trace = g_ptr_array_index (measurement->traces, 0);
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, 101); /* the trace keeps them all */
}

/* Every fourth step waits for another program and takes ten times as long, in a window of its own; the others are
 * together in windows of three. */
static guint
find_disturbed (guint index, guint n)
{
  return index % 4 == 3 ? 200 : 20 + index % 3;
}

static void
add_windows (DynoMeasurement *measurement, double queued_percent)
{
  DynoWindow window = { 0 };

  measurement->windows = g_array_new (FALSE, FALSE, sizeof (DynoWindow));
  for (gsize i = 0; i < dyno_samples_get_length (measurement->samples); i++)
    {
      gboolean is_long = i % 4 == 3;

      window.begin_ns = i % 4 == 0 || is_long ? measurement->samples->starts[i] : window.begin_ns;
      window.end_ns = measurement->samples->starts[i] + measurement->samples->durations[i];
      window.end = i + 1;
      window.queued_percent = is_long ? queued_percent : 1;
      window.others_percent = is_long ? 40 : 0;
      window.clock_mhz = is_long ? 1000 : 3000;
      window.causes = window.queued_percent > DYNO_WINDOW_MAX_QUEUED_PERCENT ? DYNO_WINDOW_CAUSE_QUEUE : 0;
      if (i % 4 >= 2)
        g_array_append_val (measurement->windows, window);
    }
}

/* The median is that of the undisturbed steps only where these are enough; the other numbers are of all. */
static void
test_undisturbed (void)
{
  static const struct
  {
    guint n;
    double queued_percent;
    double median, over_all, undisturbed;
  } rows[] = {
    { 40, 90, 21, 21.5, 100 * 65.0 / 265 },
    { 40, 4, 21.5, 21.5, 100 },
    { 12, 90, 21.5, NAN, 100 * 65.0 / 265 }, /* nine undisturbed steps */
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoMeasurement) measurement = create_measurement_of (rows[i].n, find_disturbed);

      g_test_message ("row %u", i);
      add_windows (measurement, rows[i].queued_percent);
      collect ("latency", measurement);
      collect ("quiet", measurement);
      g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_p50_ms"), ==, rows[i].median);
      g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_max_ms"), ==, 200);
      g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "undisturbed_percent"),
                                      rows[i].undisturbed, 2);
      if (isnan (rows[i].over_all))
        g_assert_null (dyno_measurement_get_value (measurement, "latency_all_p50_ms"));
      else
        g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_all_p50_ms"), ==,
                           rows[i].over_all);
      g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "queue_delay_percent"),
                                      rows[i].queued_percent > 5 ? 67 : 3.2, 3);
    }
}

/* Windows in which less than a fifth of the time is undisturbed do not represent the measurement. */
static void
test_hardly_undisturbed (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement_of (40, find_disturbed);

  add_windows (measurement, 90);
  g_array_index (measurement->windows, DynoWindow, 0).causes = DYNO_WINDOW_CAUSE_OTHERS;
  g_array_index (measurement->windows, DynoWindow, 2).causes = DYNO_WINDOW_CAUSE_OTHERS;
  g_array_index (measurement->windows, DynoWindow, 4).causes = DYNO_WINDOW_CAUSE_OTHERS;
  collect ("latency", measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_p50_ms"), ==, 21.5);
  g_assert_null (dyno_measurement_get_value (measurement, "latency_all_p50_ms"));
}

/* A window on a lower clock than usual is disturbed; causes that the kernel does not report have no value. */
static void
test_causes (void)
{
  static const char *const unknown[] = { "disturbed_by_limit_percent", "disturbed_by_steal_percent" };
  static const struct
  {
    const char *value;
    double percent;
  } rows[] = {
    { "undisturbed_percent", 100 - 100 * (9 * 200 + 65) / 2650.0 },
    { "disturbed_by_queue_percent", 0 },
    { "disturbed_by_others_percent", 100 * 65.0 / 2650 },
    { "disturbed_by_clock_percent", 100 * 9 * 200.0 / 2650 },
  };
  g_autoptr (DynoMeasurement) measurement = create_measurement_of (40, find_disturbed);
  DynoWindow *windows;

  add_windows (measurement, 4);
  windows = &g_array_index (measurement->windows, DynoWindow, 0);
  windows[0].clock_mhz = 3000 * 0.96;
  windows[1].clock_mhz = NAN;
  windows[2].causes = DYNO_WINDOW_CAUSE_OTHERS;
  windows[4].causes = DYNO_WINDOW_CAUSE_CLOCK;
  dyno_measurement_judge_clock (measurement);
  collect ("quiet", measurement);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, rows[i].value), rows[i].percent,
                                    0.5);
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    g_assert_null (dyno_measurement_get_value (measurement, unknown[i]));
}

static void
test_batched_steps (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement (50);

  measurement->steps_per_sample = 10;
  collect ("latency", measurement);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "latency_max_ms"), 5, 1e-9);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "latency_batched_steps"), ==, 10);
}

static guint
find_slower (guint index, guint n)
{
  return index < n / 2 ? 10 : 20;
}

/* Speed is based on the time of the steps without pauses, whether the case is steady or not. */
static void
test_sustained (void)
{
  g_autoptr (DynoMeasurement) adaptive = create_measurement_of (200, find_slower);
  g_autoptr (DynoMeasurement) few = create_measurement_of (40, find_slower);
  g_autoptr (DynoMeasurement) slower = create_measurement_of (200, find_slower);

  collect ("sustained", adaptive);
  g_assert_cmpuint (adaptive->values->len, ==, 0);
  few->is_of_given_duration = TRUE;
  collect ("sustained", few);
  assert_value (few, "sustained_percent", DYNO_QUALITY_UNSUPPORTED, "fewer than 10 samples");
  slower->is_of_given_duration = TRUE;
  slower->steadiness = DYNO_STEADINESS_NONE;
  collect ("sustained", slower);
  assert_value (slower, "sustained_percent", DYNO_QUALITY_MEASURED, "last tenth of 3.199 s");
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (slower, "sustained_percent"), 50, 1e-9);
}

static void
test_throughput (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement (4);

  measurement->batch_size = 8;
  measurement->sequence_length = 16;
  collect ("throughput", measurement);
  /* 1 + 2 + 3 + 4 ms of steps and three pauses of 1 ms */
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "throughput_items_per_sec"),
                                  4 * 8 / 0.013, 1e-6);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "throughput_tokens_per_sec"),
                                  4 * 8 * 16 / 0.013, 1e-6);
}

/* Two items of 30 seconds in each of four steps. */
static void
test_sound (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement (4);
  DynoValue *factor;

  measurement->batch_size = 2;
  measurement->n_generated = 7;
  dyno_measurement_add_measured (measurement, "audio_seconds", 30, "s", "test");
  collect ("throughput", measurement);
  factor = dyno_measurement_get_value (measurement, "audio_seconds_per_sec");
  g_assert_cmpfloat_with_epsilon (dyno_value_get_number (factor), 4 * 2 * 30 / 0.013, 1e-6);
  g_assert_cmpint (dyno_value_get_quality (factor), ==, DYNO_QUALITY_MEASURED);
  g_assert_nonnull (
      strstr (dyno_value_get_source (factor), "for which 7 tokens are written, of the steady state"));
}

/* A step of three requests works on three times the items in its time, which stays that of the whole step. */
static void
test_requests (void)
{
  g_autoptr (DynoMeasurement) one = create_measurement (10);
  g_autoptr (DynoMeasurement) three = create_measurement (10);

  one->batch_size = three->batch_size = 8;
  one->sequence_length = three->sequence_length = 16;
  three->n_requests = 3;
  collect ("throughput", one);
  collect ("latency", one);
  collect ("throughput", three);
  collect ("latency", three);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (three, "throughput_items_per_sec"),
                                  3 * dyno_measurement_get_number (one, "throughput_items_per_sec"), 1e-6);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (three, "throughput_tokens_per_sec"),
                                  3 * dyno_measurement_get_number (one, "throughput_tokens_per_sec"), 1e-6);
  g_assert_cmpfloat (dyno_measurement_get_number (three, "latency_p50_ms"), ==,
                     dyno_measurement_get_number (one, "latency_p50_ms"));
}

/* Generations of one step of 100 ms over the prompt, and three of 20 ms. */
static DynoMeasurement *
create_generations (void)
{
  DynoMeasurement *measurement = create_measurement (2);

  measurement->batch_size = 2;
  measurement->sequence_length = 4;
  measurement->prompt_tokens = 10; /* with those of passages that it found */
  measurement->cache_bytes = 3 * MS;
  measurement->prefills = dyno_samples_new (2);
  measurement->decodes = dyno_samples_new (6);
  for (guint i = 0; i < 2; i++)
    {
      dyno_samples_record (measurement->prefills, 0, 100 * MS);
      for (guint token = 0; token < 3; token++)
        dyno_samples_record (measurement->decodes, 0, 20 * MS);
    }
  measurement->steady_first = 1;
  return measurement;
}

static void
test_generation (void)
{
  g_autoptr (DynoMeasurement) measurement = create_generations ();

  collect ("generation", measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "first_token_latency_ms"), ==, 100);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "inter_token_latency_ms"), ==, 20);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "prefill_tokens_per_sec"),
                                  2 * 10 / 0.1, 1e-6);
  g_assert_cmpfloat_with_epsilon (dyno_measurement_get_number (measurement, "decode_tokens_per_sec"),
                                  2 / 0.02, 1e-6);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "cache_mb"), ==, 3);
}

static void
test_generation_without_steady_state (void)
{
  g_autoptr (DynoMeasurement) measurement = create_generations ();

  measurement->steadiness = DYNO_STEADINESS_NONE;
  collect ("generation", measurement);
  assert_value (measurement, "prefill_tokens_per_sec", DYNO_QUALITY_UNSTEADY, "tokens");
  assert_value (measurement, "decode_tokens_per_sec", DYNO_QUALITY_UNSTEADY, "tokens");
  assert_value (measurement, "inter_token_latency_ms", DYNO_QUALITY_UNSTEADY, "median");
}

static void
test_load (void)
{
  g_autoptr (DynoMeasurement) measurement = create_measurement (2);
  DynoTrace *trace;

  measurement->origin_ns = 100 * MS;
  for (guint phase = 0; phase <= DYNO_N_PHASES; phase++)
    measurement->phase_ns[phase] = (100 + 10 * phase * phase) * MS;
  collect ("load", measurement);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "load_time_ms"), ==, 10);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "first_run_ms"), ==, 50);
  g_assert_cmpfloat (dyno_measurement_get_number (measurement, "warm_up_ms"), ==, 50);
  trace = g_ptr_array_index (measurement->traces, 0);
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, DYNO_N_PHASES + 1);
  g_assert_cmpint (dyno_trace_get_times (trace)[2], ==, 40 * MS);
  g_assert_cmpfloat (dyno_trace_get_values (trace)[2], ==, DYNO_PHASE_WARM_UP);
}

static void
test_registry (void)
{
  g_autoptr (GPtrArray) metrics = dyno_metric_create_all (TRUE);
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < metrics->len; i++)
    g_assert_true (g_hash_table_add (ids, (char *)dyno_metric_get_id (g_ptr_array_index (metrics, i))));
  g_assert_true (g_hash_table_contains (ids, "latency"));
  g_assert_true (g_hash_table_contains (ids, "memory"));
}

static const SuiteTest tests[] = {
  { "/metrics/latency", test_latency },
  { "/metrics/percentile-guard", test_percentile_guard },
  { "/metrics/no-mean-without-steady-state", test_unsteady },
  { "/metrics/only-steady-samples-count", test_only_steady_samples_count },
  { "/metrics/undisturbed", test_undisturbed },
  { "/metrics/causes", test_causes },
  { "/metrics/hardly-undisturbed", test_hardly_undisturbed },
  { "/metrics/batched-steps", test_batched_steps },
  { "/metrics/sustained", test_sustained },
  { "/metrics/throughput", test_throughput },
  { "/metrics/sound", test_sound },
  { "/metrics/requests", test_requests },
  { "/metrics/generation", test_generation },
  { "/metrics/generation-without-steady-state", test_generation_without_steady_state },
  { "/metrics/load", test_load },
  { "/metrics/registry", test_registry },
};

SUITE_TESTS (tests)
