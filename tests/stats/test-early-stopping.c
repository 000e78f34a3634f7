/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-stats.h"
#include "dyno-stop-rule.h"
#include "suite.h"

static void
fill_with_ranks (double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    values[i] = i + 1;
}

/* The rank of the bound from the top, as in the load generator. */
static void
test_ranks (void)
{
  static const struct
  {
    double percent;
    gsize n;
    gsize rank;
  } rows[] = {
    { 90, 64, 1 },  { 90, 100, 3 },  { 90, 500, 34 }, { 90, 1000, 78 }, { 90, 5000, 450 },
    { 99, 662, 1 }, { 99, 1000, 2 }, { 99, 2000, 9 }, { 99, 5000, 33 }, { 99, 10000, 77 },
  };
  g_autofree double *values = g_new (double, 10000);

  fill_with_ranks (values, 10000);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpfloat (dyno_stats_percentile_bound (values, rows[i].n, rows[i].percent), ==,
                       rows[i].n - rows[i].rank + 1);
  g_assert_true (isnan (dyno_stats_percentile_bound (values, 63, 90)));
  g_assert_true (isnan (dyno_stats_percentile_bound (values, 661, 99)));
  g_assert_true (isnan (dyno_stats_percentile_bound (values, 0, 99)));
}

/* A percentile may be shown where the largest sample is a bound: the same counting, so the same numbers. */
static void
test_agrees_with_guard (void)
{
  static const double percents[] = { 75, 90, 95, 99, 99.9 };

  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    g_assert_cmpuint (dyno_stats_early_stopping_size (percents[i], 0), ==,
                      dyno_stats_percentile_min_samples (percents[i]));
}

/* Of 2000 bounds, 99 in 100 are above the true percentile. */
static void
test_coverage (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint n_above = 0;

  for (guint trial = 0; trial < 2000; trial++)
    {
      double values[200];

      for (guint i = 0; i < 200; i++)
        values[i] = -log1p (-g_rand_double (rand));
      dyno_stats_sort (values, 200);
      n_above += dyno_stats_percentile_bound (values, 200, 90) >= log (10);
    }
  g_assert_cmpuint (n_above, >=, 1980);
}

/* Far beyond what a sum over all counts could handle. */
static void
test_many (void)
{
  gsize n = dyno_stats_early_stopping_size (99, 10000);

  g_assert_cmpuint (n, >, 1000000);
  g_assert_cmpuint (n, <, 1030000);
}

static const SuiteTest tests[] = {
  { "/early-stopping/ranks", test_ranks },
  { "/early-stopping/agrees-with-guard", test_agrees_with_guard },
  { "/early-stopping/coverage", test_coverage },
  { "/early-stopping/many", test_many },
};

SUITE_TESTS (tests)
