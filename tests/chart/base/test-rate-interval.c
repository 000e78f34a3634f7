/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-base-private.h"
#include "dyno-stats.h"
#include "suite.h"

static DynoResult *
create_result (const double *steps, guint n_steps)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  DynoResult *result = dyno_result_new (kase, 0);
  DynoTrace *latency = dyno_trace_new ("latency", "ms", 0);

  for (guint i = 0; i < n_steps; i++)
    dyno_trace_add (latency, i, steps[i]);
  dyno_result_take_trace (result, latency);
  return result;
}

/* Batches of 1 ms and of something longer in turn: the logarithms of their means vary by half that of the longer one, times
 * √(10/9) as a sample, and the interval reaches 2.262 / √10 of it to both sides. */
static void
test_by_hand (gconstpointer data)
{
  double longer = *(const double *)data;
  double steps[20];
  double half = 2.262157162740992 * log (longer) / 2 * sqrt (10 / 9.0) / sqrt (10);
  g_autoptr (DynoResult) result = NULL;
  double low, high;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    steps[i] = i / 2 % 2 ? longer : 1;
  result = create_result (steps, G_N_ELEMENTS (steps));
  g_assert_true (dyno_rate_interval_find (result, 1000, &low, &high));
  g_assert_cmpfloat_with_epsilon (low, 1000 * exp (-half), 1e-6);
  g_assert_cmpfloat_with_epsilon (high, 1000 * exp (half), 1e-6);
}

static void
test_too_few (void)
{
  double steps[DYNO_RATE_INTERVAL_MIN_STEPS];
  g_autoptr (DynoResult) few = NULL;
  g_autoptr (DynoResult) enough = NULL;
  g_autoptr (DynoResult) none = create_result (NULL, 0);
  double low = 0;
  double high = 0;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    steps[i] = 1 + 0.01 * i;
  few = create_result (steps, G_N_ELEMENTS (steps) - 1);
  enough = create_result (steps, G_N_ELEMENTS (steps));
  g_assert_true (dyno_rate_interval_find (enough, 1, &low, &high));
  g_assert_false (dyno_rate_interval_find (none, 1, &low, &high));
  g_assert_false (dyno_rate_interval_find (few, 1, &low, &high));
  g_assert_true (isnan (low) && isnan (high));
}

/* A few slow steps do not change the median, but widen the interval of the rate. */
static void
test_outliers (void)
{
  double steps[600];
  g_autoptr (DynoResult) result = NULL;
  double low, high, median_low, median_high;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    steps[i] = i % 97 == 5 ? 60 : 1 + 0.0001 * (i % 10);
  result = create_result (steps, G_N_ELEMENTS (steps));
  g_assert_true (dyno_rate_interval_find (result, 1, &low, &high));
  dyno_stats_sort (steps, G_N_ELEMENTS (steps));
  g_assert_true (dyno_stats_median_interval (steps, G_N_ELEMENTS (steps), G_N_ELEMENTS (steps), &median_low,
                                             &median_high));
  g_assert_cmpfloat (median_high / median_low, <, 1.001);
  g_assert_cmpfloat (high / low, >, 1.3);
}

/* Autocorrelated steps about 10 ms, with the coefficient @memory. */
static DynoResult *
draw_result (GRand *rand, double memory)
{
  double steps[400];
  double deviation = 0;

  for (guint i = 0; i < 100 + G_N_ELEMENTS (steps); i++)
    {
      deviation = memory * deviation + g_rand_double_range (rand, -1, 1);
      if (i >= 100)
        steps[i - 100] = 10 + deviation;
    }
  return create_result (steps, G_N_ELEMENTS (steps));
}

/* Of 500 intervals about 475 hold the true rate; seeds are fixed, so the number is always the same. */
static void
test_coverage (gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20240601);
  guint n_held = 0;

  for (guint i = 0; i < 500; i++)
    {
      g_autoptr (DynoResult) result = draw_result (rand, *(const double *)data);
      DynoTrace *latency = dyno_result_get_trace (result, "latency");
      double mean = dyno_stats_mean (dyno_trace_get_values (latency), dyno_trace_get_length (latency));
      double low, high;

      g_assert_true (dyno_rate_interval_find (result, 1 / mean, &low, &high));
      n_held += low <= 0.1 && 0.1 <= high;
    }
  g_test_message ("%u of 500 intervals hold the true rate", n_held);
  g_assert_cmpuint (n_held, >=, 460);
  g_assert_cmpuint (n_held, <=, 490);
}

/* One and two threads, or items; the first steps of the measurement take four times as long. */
static DynoChart *
create_chart (DynoChartKind kind, guint n_first, guint n_second)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 2, 0.01, n_first, 3, 1 };
  DynoRun *run = fixture_create_run ("Rates");
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);

  fixture_add_case (run, &what);
  if (kind == DYNO_CHART_THREADS)
    what.threads = 2;
  else
    what.batch = 2;
  what.n_steps = n_second;
  fixture_add_case (run, &what);
  return dyno_chart_new (kind, runs);
}

/* Both throughput charts have the interval of the mean, or say that there is none. */
static void
test_charts (void)
{
  static const DynoChartKind charts[] = { DYNO_CHART_SCALING_THROUGHPUT, DYNO_CHART_THREADS };

  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      g_autoptr (DynoChart) all = create_chart (charts[i], 60, 60);
      g_autoptr (DynoChart) some = create_chart (charts[i], 60, 12);
      g_autoptr (DynoChart) none = create_chart (charts[i], 12, 12);

      g_assert_cmpfloat (fixture_get_number (all, 1, "95 % interval to"), >,
                         1.2 * fixture_get_number (all, 1, "95 % interval from"));
      fixture_assert_cell (none, 1, "95 % interval from", "");
      fixture_assert_cell (none, 1, "95 % interval to", "");
      g_assert_cmpstr (dyno_chart_get_note (all), ==,
                       "Bands: 95 % interval of the rate, within this process.");
      g_assert_nonnull (strstr (dyno_chart_get_note (some), "None where there are too few steps"));
      g_assert_nonnull (strstr (dyno_chart_get_note (none), "No bands: too few steps"));
    }
}

static void
add_tests (void)
{
  static const double slightly = 1.1, disturbed = 50;
  static const double none = 0;
  static const double much = 0.8;

  g_test_add_data_func ("/chart/rate-interval/by-hand", &slightly, test_by_hand);
  g_test_add_data_func ("/chart/rate-interval/by-hand/disturbed", &disturbed, test_by_hand);
  g_test_add_func ("/chart/rate-interval/too-few", test_too_few);
  g_test_add_func ("/chart/rate-interval/outliers", test_outliers);
  g_test_add_data_func ("/chart/rate-interval/coverage/independent", &none, test_coverage);
  g_test_add_data_func ("/chart/rate-interval/coverage/alike", &much, test_coverage);
  g_test_add_func ("/chart/rate-interval/charts", test_charts);
}

SUITE_ADD (add_tests)
