/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-time-series.h"
#include "noise.h"
#include "suite.h"

#define N 20000

/* Of signs about the median, neighbours k apart correlate with 2/π asin (ρᵏ) (Sheppard, 1899). */
static double
find_expected_size (double carried)
{
  double sum = 0;

  for (guint lag = 1; lag < 1000; lag++)
    sum += 2 / G_PI * asin (pow (carried, lag));
  return N / (1 + 2 * sum);
}

static void
test_effective_size (void)
{
  static const double carried[] = { 0, 0.3, 0.5, 0.8, 0.95 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree double *values = g_new (double, N);

  for (guint i = 0; i < G_N_ELEMENTS (carried); i++)
    {
      double expected = find_expected_size (carried[i]);

      noise_fill (rand, values, N, 100, 3, carried[i]);
      g_assert_cmpfloat_with_epsilon (dyno_stats_effective_size (values, N) / expected, 1, 0.15);
    }
}

/* Outliers add no autocorrelation, however large they are. */
static void
test_outliers (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree double *values = g_new (double, N);

  noise_fill (rand, values, N, 100, 3, 0.8);
  for (gsize i = 0; i < N; i += 100)
    values[i] = 1e6;
  g_assert_cmpfloat_with_epsilon (dyno_stats_effective_size (values, N) / find_expected_size (0.8), 1, 0.2);
}

static void
test_extremes (void)
{
  double values[1000];

  for (guint i = 0; i < 1000; i++)
    values[i] = 5;
  g_assert_cmpfloat (dyno_stats_effective_size (values, 1000), ==, 1000);
  g_assert_cmpuint (dyno_stats_block_length (values, 1000), ==, 1);
  for (guint i = 0; i < 1000; i++)
    values[i] = i % 2;
  g_assert_cmpfloat (dyno_stats_effective_size (values, 1000), ==, 1000);
  for (guint i = 0; i < 1000; i++)
    values[i] = i;
  g_assert_cmpfloat (dyno_stats_effective_size (values, 1000), <, 10);
  g_assert_cmpuint (dyno_stats_block_length (values, 1000), >, 50);
  for (gsize n = 0; n < 6; n++)
    {
      g_assert_cmpfloat (dyno_stats_effective_size (values, n), ==, n);
      g_assert_cmpuint (dyno_stats_block_length (values, n), ==, 1);
    }
}

/* A clock of two ticks, the median at the later one. */
static void
test_coarse_clock (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree double *values = g_new (double, N);

  for (guint i = 0; i < N; i++)
    values[i] = g_rand_double (rand) < 0.3 ? 1 : 2;
  g_assert_cmpfloat (dyno_stats_effective_size (values, N), >, 0.85 * N);
  for (guint i = 0; i < N; i++)
    values[i] = i / 50 % 3 == 0 ? 1 : 2;
  g_assert_cmpfloat (dyno_stats_effective_size (values, N), <, N / 20.0);
}

static void
test_block_length (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree double *values = g_new (double, N);
  gsize last = 1;

  noise_fill (rand, values, N, 100, 3, 0);
  g_assert_cmpuint (dyno_stats_block_length (values, N), <=, 3);
  for (guint i = 3; i < 10; i += 3)
    {
      gsize length;

      noise_fill (rand, values, N, 100, 3, i / 10.0);
      length = dyno_stats_block_length (values, N);
      g_assert_cmpuint (length, >, last);
      last = length;
    }
  g_assert_cmpuint (last, <=, 3 * sqrt (N) + 1);
}

static const SuiteTest tests[] = {
  { "/autocorrelation/effective-size", test_effective_size },
  { "/autocorrelation/outliers", test_outliers },
  { "/autocorrelation/extremes", test_extremes },
  { "/autocorrelation/coarse-clock", test_coarse_clock },
  { "/autocorrelation/block-length", test_block_length },
};

SUITE_TESTS (tests)
