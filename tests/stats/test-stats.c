/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-stats.h"
#include "suite.h"

/* NIST/SEMATECH e-Handbook 7.2.6.2, “Percentiles”: twelve resistivities of silicon wafers, sorted. */
static const double wafers[] = { 95.0610, 95.0925, 95.1065, 95.1195, 95.1442, 95.1567,
                                 95.1591, 95.1682, 95.1772, 95.1937, 95.1959, 95.1990 };

/* NIST Statistical Reference Datasets, univariate summary: Michelso, with certified mean and deviation. */
static const double michelson[] = {
  299.85, 299.74, 299.90, 300.07, 299.93, 299.85, 299.95, 299.98, 299.98, 299.88, 300.00, 299.98, 299.93,
  299.65, 299.76, 299.81, 300.00, 300.00, 299.96, 299.96, 299.96, 299.94, 299.96, 299.94, 299.88, 299.80,
  299.85, 299.88, 299.90, 299.84, 299.83, 299.79, 299.81, 299.88, 299.88, 299.83, 299.80, 299.79, 299.76,
  299.80, 299.88, 299.88, 299.88, 299.86, 299.72, 299.72, 299.62, 299.86, 299.97, 299.95, 299.88, 299.91,
  299.85, 299.87, 299.84, 299.84, 299.85, 299.84, 299.84, 299.84, 299.89, 299.81, 299.81, 299.82, 299.80,
  299.77, 299.76, 299.74, 299.75, 299.76, 299.91, 299.92, 299.89, 299.86, 299.88, 299.72, 299.84, 299.85,
  299.85, 299.78, 299.89, 299.84, 299.78, 299.81, 299.76, 299.81, 299.79, 299.81, 299.82, 299.85, 299.87,
  299.87, 299.81, 299.74, 299.81, 299.94, 299.95, 299.80, 299.81, 299.87,
};

static void
fill_with_ranks (double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    values[i] = i + 1;
}

static void
test_mean_and_deviation (void)
{
  static const double far[] = { 10000000.2, 10000000.1, 10000000.3, 10000000.1, 10000000.3 };

  g_assert_cmpfloat_with_epsilon (dyno_stats_mean (michelson, G_N_ELEMENTS (michelson)), 299.852400000000,
                                  1e-12);
  g_assert_cmpfloat_with_epsilon (dyno_stats_standard_deviation (michelson, G_N_ELEMENTS (michelson)),
                                  0.0790105478190518, 1e-12);
  /* The naive formula, Σx² − n x̄², loses all digits here. */
  g_assert_cmpfloat_with_epsilon (dyno_stats_standard_deviation (far, 5), 0.1, 1e-8);
}

static void
test_mean_and_deviation_of_few (void)
{
  static const double one[] = { 7 };
  static const double broken[] = { 1, NAN, 3 };

  g_assert_true (isnan (dyno_stats_mean (one, 0)));
  g_assert_cmpfloat (dyno_stats_mean (one, 1), ==, 7);
  g_assert_true (isnan (dyno_stats_standard_deviation (one, 1)));
  g_assert_true (isnan (dyno_stats_mean (broken, 3)));
  g_assert_true (isnan (dyno_stats_standard_deviation (broken, 3)));
}

static void
test_sort (void)
{
  double values[] = { 3, NAN, -1, INFINITY, 2, NAN, -INFINITY };

  dyno_stats_sort (values, G_N_ELEMENTS (values));
  g_assert_cmpfloat (values[0], ==, -INFINITY);
  g_assert_cmpfloat (values[1], ==, -1);
  g_assert_cmpfloat (values[2], ==, 2);
  g_assert_cmpfloat (values[3], ==, 3);
  g_assert_cmpfloat (values[4], ==, INFINITY);
  g_assert_true (isnan (values[5]));
  g_assert_true (isnan (values[6]));
}

static void
test_percentile (void)
{
  /* 11 × 0.9 = 9.9: from 95.1937 nine tenths of the way to 95.1959, as R and NumPy have it too. */
  g_assert_cmpfloat_with_epsilon (dyno_stats_percentile (wafers, 12, 90), 95.19568, 1e-5);
  g_assert_cmpfloat_with_epsilon (dyno_stats_percentile (wafers, 12, 50), (95.1567 + 95.1591) / 2, 1e-12);
  g_assert_cmpfloat_with_epsilon (dyno_stats_percentile (wafers, 12, 25), 95.11625, 1e-9);
  g_assert_cmpfloat (dyno_stats_percentile (wafers, 12, 0), ==, wafers[0]);
  g_assert_cmpfloat (dyno_stats_percentile (wafers, 12, 100), ==, wafers[11]);
}

static void
test_percentile_of_few (void)
{
  static const double two[] = { 1, 3 };
  static const double broken[] = { 1, 3, NAN };

  g_assert_true (isnan (dyno_stats_percentile (two, 0, 50)));
  g_assert_cmpfloat (dyno_stats_percentile (two, 1, 99), ==, 1);
  g_assert_cmpfloat (dyno_stats_percentile (two, 2, 50), ==, 2);
  g_assert_cmpfloat (dyno_stats_percentile (two, 2, 75), ==, 2.5);
  g_assert_true (isnan (dyno_stats_percentile (broken, 3, 50)));
}

static void
test_percentile_min_samples (void)
{
  static const double percents[] = { 50, 75, 90, 95, 99, 99.9 };

  g_assert_cmpuint (dyno_stats_percentile_min_samples (90), ==, 44);
  g_assert_cmpuint (dyno_stats_percentile_min_samples (99), ==, 459);
  g_assert_cmpuint (dyno_stats_percentile_min_samples (99.9), ==, 4603);
  g_assert_cmpuint (dyno_stats_percentile_min_samples (10), ==, 44);
  g_assert_cmpuint (dyno_stats_percentile_min_samples (0), ==, G_MAXSIZE);
  g_assert_cmpuint (dyno_stats_percentile_min_samples (100), ==, G_MAXSIZE);
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    {
      gsize n = dyno_stats_percentile_min_samples (percents[i]);

      g_assert_cmpfloat (pow (percents[i] / 100, n), <=, 0.01);
      g_assert_cmpfloat (pow (percents[i] / 100, n - 1), >, 0.01);
      g_assert_true (dyno_stats_percentile_is_supported (n, percents[i]));
      g_assert_false (dyno_stats_percentile_is_supported (n - 1, percents[i]));
    }
}

/* Ranks of the 95 % sign-test interval as the tables print them (Conover, table A3; David and Nagaraja). */
static void
test_median_interval_ranks (void)
{
  static const struct
  {
    gsize n;
    double low;
    double high;
  } rows[] = {
    { 6, 1, 6 },   { 8, 1, 8 },    { 9, 2, 8 },    { 10, 2, 9 },    { 15, 4, 12 },      { 20, 6, 15 },
    { 25, 8, 18 }, { 30, 10, 21 }, { 50, 18, 33 }, { 100, 40, 61 }, { 1000, 469, 532 }, { 2000, 956, 1045 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree double *values = g_new (double, rows[i].n);
      double low, high;

      fill_with_ranks (values, rows[i].n);
      g_assert_true (dyno_stats_median_interval (values, rows[i].n, rows[i].n, &low, &high));
      g_assert_cmpfloat (low, ==, rows[i].low);
      g_assert_cmpfloat (high, ==, rows[i].high);
    }
}

static void
test_median_interval_of_few (void)
{
  double values[6] = { 1, 2, 3, 4, 5, 6 };
  double low = 0, high = 0;

  for (gsize n = 0; n < 6; n++)
    {
      g_assert_false (dyno_stats_median_interval (values, n, n, &low, &high));
      g_assert_true (isnan (low) && isnan (high));
      g_assert_true (isinf (dyno_stats_median_interval_percent (values, n, n)));
    }
  values[5] = NAN;
  g_assert_false (dyno_stats_median_interval (values, 6, 6, &low, &high));
}

/* The interval of many samples reaches the true median in 95 of 100 draws; 93 leaves room for chance. */
static void
test_median_interval_coverage (void)
{
  static const gsize sizes[] = { 6, 21, 100, 1500 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1996);
  g_autofree double *values = g_new (double, 1500);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint covered = 0;

      for (guint draw = 0; draw < 2000; draw++)
        {
          double low, high;

          for (gsize k = 0; k < sizes[i]; k++)
            values[k] = -log1p (-g_rand_double (rand));
          dyno_stats_sort (values, sizes[i]);
          g_assert_true (dyno_stats_median_interval (values, sizes[i], sizes[i], &low, &high));
          covered += low <= G_LN2 && G_LN2 <= high;
        }
      g_assert_cmpuint (covered, >=, 1860);
      g_assert_cmpuint (covered, <=, 1990);
    }
}

/* A quarter of the independent values knows the median half as well; the ends lie where theirs would. */
static void
test_median_interval_effective (void)
{
  double values[1001];
  double low, high;

  fill_with_ranks (values, 1001);
  g_assert_true (dyno_stats_median_interval (values, 1001, 100, &low, &high));
  g_assert_cmpfloat_with_epsilon (low, 1 + 39 * 1000 / 99.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (high, 1 + 60 * 1000 / 99.0, 1e-9);
  g_assert_true (dyno_stats_median_interval (values, 1001, 6.9, &low, &high));
  g_assert_cmpfloat (low, ==, 1);
  g_assert_cmpfloat (high, ==, 1001);
  g_assert_false (dyno_stats_median_interval (values, 1001, 5.9, &low, &high));
}

static void
test_median_interval_percent (void)
{
  static const double values[] = { 90, 99, 100, 100, 101, 102 };
  static const double zeros[6] = { 0 };

  g_assert_cmpfloat_with_epsilon (dyno_stats_median_interval_percent (values, 6, 6), 10, 1e-12);
  g_assert_true (isinf (dyno_stats_median_interval_percent (zeros, 6, 6)));
}

static void
test_geometric_mean (void)
{
  static const double values[] = { 0.5, 2, 8 };
  static const double negative[] = { 2, -2 };
  static const double zero[] = { 0, 5 };

  g_assert_cmpfloat_with_epsilon (dyno_stats_geometric_mean (values, 3), 2, 1e-12);
  g_assert_cmpfloat (dyno_stats_geometric_mean (zero, 2), ==, 0);
  g_assert_true (isnan (dyno_stats_geometric_mean (negative, 2)));
  g_assert_true (isnan (dyno_stats_geometric_mean (values, 0)));
}

static void
test_harmonic_mean (void)
{
  static const double values[] = { 40, 60 };
  static const double zero[] = { 0, 5 };

  g_assert_cmpfloat_with_epsilon (dyno_stats_harmonic_mean (values, 2), 48, 1e-12);
  g_assert_true (isnan (dyno_stats_harmonic_mean (zero, 2)));
  g_assert_true (isnan (dyno_stats_harmonic_mean (values, 0)));
}

static void
test_outliers (void)
{
  /* Quartiles 4.25 and 8.75: the fences stand at -2.5 and 15.5 (mild), -9.25 and 22.25 (severe). */
  static const double values[] = { -12, -5, 4, 5, 6, 7, 8, 9, 17, 24 };
  static const double ranks[] = { 1, 2, 3, 4, 5 };
  DynoOutliers outliers;

  dyno_stats_outliers (values, G_N_ELEMENTS (values), &outliers);
  g_assert_cmpuint (outliers.low_severe, ==, 1);
  g_assert_cmpuint (outliers.low_mild, ==, 1);
  g_assert_cmpuint (outliers.high_mild, ==, 1);
  g_assert_cmpuint (outliers.high_severe, ==, 1);

  dyno_stats_outliers (ranks, G_N_ELEMENTS (ranks), &outliers);
  g_assert_cmpuint (outliers.low_severe + outliers.low_mild + outliers.high_mild + outliers.high_severe, ==,
                    0);
  dyno_stats_outliers (ranks, 0, &outliers);
  g_assert_cmpuint (outliers.low_severe + outliers.low_mild + outliers.high_mild + outliers.high_severe, ==,
                    0);
}

static const SuiteTest tests[] = {
  { "/stats/mean-and-deviation", test_mean_and_deviation },
  { "/stats/mean-and-deviation/few", test_mean_and_deviation_of_few },
  { "/stats/sort", test_sort },
  { "/stats/percentile", test_percentile },
  { "/stats/percentile/few", test_percentile_of_few },
  { "/stats/percentile/min-samples", test_percentile_min_samples },
  { "/stats/median-interval/ranks", test_median_interval_ranks },
  { "/stats/median-interval/few", test_median_interval_of_few },
  { "/stats/median-interval/coverage", test_median_interval_coverage },
  { "/stats/median-interval/effective", test_median_interval_effective },
  { "/stats/median-interval/percent", test_median_interval_percent },
  { "/stats/geometric-mean", test_geometric_mean },
  { "/stats/harmonic-mean", test_harmonic_mean },
  { "/stats/outliers", test_outliers },
};

SUITE_TESTS (tests)
