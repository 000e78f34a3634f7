/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "dyno-stats.h"
#include "dyno-stop-rule.h"
#include "dyno-time-series.h"
#include "noise.h"
#include "suite.h"

#define N_TRIALS   1000
#define FIRST_SIZE 50
#define MAX_SIZE   100000

/* Latencies about 10 ms that carry some of their noise on, measured until the rule says stop. */
typedef struct
{
  GRand *rand;
  double carried;
  double noise;
  double *values;
  gsize n;
} Series;

static void
measure_up_to (Series *series, gsize n)
{
  double kept = sqrt (1 - series->carried * series->carried);

  for (; series->n < n; series->n++)
    {
      series->values[series->n] = 10 + series->noise;
      series->noise = series->carried * series->noise + kept * noise_normal (series->rand);
    }
}

static void
measure_until_stopped (Series *series)
{
  DynoStopRule rule = { .percent = 2 };
  gsize n = FIRST_SIZE;

  series->n = 0;
  series->noise = noise_normal (series->rand);
  measure_up_to (series, n);
  while (!dyno_stop_rule_look (&rule, series->values, series->n))
    {
      n *= DYNO_STOP_RULE_GROWTH;
      g_assert_cmpuint (n, <=, MAX_SIZE);
      measure_up_to (series, n);
    }
}

static gboolean
covers (Series *series, double truth)
{
  double n_effective = dyno_stats_effective_size (series->values, series->n);
  double low, high;

  dyno_stats_sort (series->values, series->n);
  g_assert_true (dyno_stats_median_interval (series->values, series->n, n_effective, &low, &high));
  return low <= truth && truth <= high;
}

/* Of 1000 measurements that the rule ended, 930 to 970 intervals hold the true median, however much a latency tells of
 * the next. */
static void
test_coverage (gconstpointer data)
{
  g_autofree double *values = g_new (double, MAX_SIZE);
  Series series = { .rand = g_rand_new_with_seed (2026), .carried = *(const double *)data, .values = values };
  guint n_covered = 0;

  for (guint trial = 0; trial < N_TRIALS; trial++)
    {
      measure_until_stopped (&series);
      n_covered += covers (&series, 10);
    }
  g_rand_free (series.rand);
  g_test_message ("%u of %u intervals hold the median.", n_covered, N_TRIALS);
  g_assert_cmpuint (n_covered, >=, 930);
  g_assert_cmpuint (n_covered, <=, 970);
}

static void
test_in_a_row (void)
{
  static const double good[] = { 10, 10, 10, 10, 10, 10, 10, 10 };
  static const double bad[] = { 9, 11, 8, 12, 7, 13, 6, 14 };
  DynoStopRule rule = { .percent = 1 };

  g_assert_false (dyno_stop_rule_look (&rule, good, 8));
  g_assert_false (dyno_stop_rule_look (&rule, bad, 8));
  g_assert_false (dyno_stop_rule_look (&rule, good, 8));
  g_assert_true (dyno_stop_rule_look (&rule, good, 8));
  g_assert_true (dyno_stop_rule_look (&rule, good, 8));
  g_assert_false (dyno_stop_rule_look (&rule, good, 5));
}

static void
add_tests (void)
{
  static const double carried[] = { 0, 0.3, 0.5, 0.8 };

  g_test_add_func ("/stop-rule/in-a-row", test_in_a_row);
  g_test_add_data_func ("/stop-rule/coverage/0", &carried[0], test_coverage);
  g_test_add_data_func ("/stop-rule/coverage/0.3", &carried[1], test_coverage);
  g_test_add_data_func ("/stop-rule/coverage/0.5", &carried[2], test_coverage);
  g_test_add_data_func ("/stop-rule/coverage/0.8", &carried[3], test_coverage);
}

SUITE_ADD (add_tests)
