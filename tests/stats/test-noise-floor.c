/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-hypothesis-tests.h"
#include "dyno-stats.h"
#include "noise.h"
#include "suite.h"

#define SIZE     5
#define N_TRIALS 400
#define N_PAIRS  10

static void
test_senseless (void)
{
  double values[10] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };

  g_assert_cmpfloat (dyno_stats_noise_floor (values, 10, SIZE), ==, 0);
  g_assert_true (isnan (dyno_stats_noise_floor (values, 9, SIZE)));
  g_assert_true (isnan (dyno_stats_noise_floor (values, 10, 0)));
  values[4] = 0;
  g_assert_true (isnan (dyno_stats_noise_floor (values, 10, SIZE)));
  values[4] = NAN;
  g_assert_true (isnan (dyno_stats_noise_floor (values, 10, SIZE)));
}

/* Two modes make a floor as wide as they lie apart, and a faster machine of the same kind has the same. */
static void
test_modes (void)
{
  static const double values[] = { 4, 6, 4, 6, 4, 6, 4, 6, 4, 6 };
  static const double faster[] = { 2, 3, 2, 3, 2, 3, 2, 3, 2, 3 };

  g_assert_cmpfloat (dyno_stats_noise_floor (values, 10, SIZE), ==, 0.5);
  g_assert_cmpfloat (dyno_stats_noise_floor (faster, 10, SIZE), ==, 0.5);
}

/* A single outlier is ignored. */
static void
test_outlier (void)
{
  static const double values[] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 50 };

  g_assert_cmpfloat (dyno_stats_noise_floor (values, 10, SIZE), ==, 0);
}

/* Of the same figure by formula: the 97.5th percentile of the ratio of the medians of fives, of log-normal values. */
static void
test_large (void)
{
  const double deviation = 0.02;
  const double of_median =
      0.5356; /* standard deviation of the median of five normal values (Tippett's tables) */
  g_autofree double *values = g_new (double, 5000);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 5000; i++)
    values[i] = exp (deviation * noise_normal (rand));
  g_assert_cmpfloat_with_epsilon (dyno_stats_noise_floor (values, 5000, SIZE),
                                  exp (2.2414 * sqrt (2) * of_median * deviation) - 1, 0.003);
}

typedef double (*Machine) (GRand *rand);

static double
run_normal (GRand *rand)
{
  return 10 * exp (0.02 * noise_normal (rand));
}

static double
run_skewed (GRand *rand)
{
  return 10 * exp (-0.02 * log1p (-g_rand_double (rand)));
}

static double
run_in_modes (GRand *rand)
{
  return (g_rand_double (rand) < 0.8 ? 4.3 : 7.3) * exp (0.01 * noise_normal (rand));
}

static double
measure_median (GRand *rand, Machine machine)
{
  double group[SIZE];

  for (guint i = 0; i < SIZE; i++)
    group[i] = machine (rand);
  dyno_stats_sort (group, SIZE);
  return group[SIZE / 2];
}

static double
count_beyond (GRand *rand, Machine machine, guint n)
{
  g_autofree double *values = g_new (double, n);
  guint n_beyond = 0;
  double noise_floor;

  for (guint i = 0; i < n; i++)
    values[i] = machine (rand);
  noise_floor = dyno_stats_noise_floor (values, n, SIZE);
  for (guint i = 0; i < N_PAIRS; i++)
    n_beyond +=
        fabs (log (measure_median (rand, machine) / measure_median (rand, machine))) > log1p (noise_floor);
  return n_beyond;
}

/* Its purpose: of later pairs of groups on the same machine, about one in twenty differs by more. */
static void
test_coverage (void)
{
  static const Machine machines[] = { run_normal, run_skewed, run_in_modes };
  static const struct
  {
    guint n;
    double most;
  } sizes[] = { { 10, 9 }, { 20, 6.5 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < G_N_ELEMENTS (machines); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        double percent = 0;

        for (guint trial = 0; trial < N_TRIALS; trial++)
          percent += 100 * count_beyond (rand, machines[i], sizes[k].n) / (N_TRIALS * N_PAIRS);
        g_test_message ("machine %u, %u processes: %.1f %% beyond", i, sizes[k].n, percent);
        g_assert_cmpfloat (percent, >, 1);
        g_assert_cmpfloat (percent, <, sizes[k].most);
      }
}

static const SuiteTest tests[] = {
  { "/stats/noise-floor/senseless", test_senseless }, { "/stats/noise-floor/modes", test_modes },
  { "/stats/noise-floor/outlier", test_outlier },     { "/stats/noise-floor/large", test_large },
  { "/stats/noise-floor/coverage", test_coverage },
};

SUITE_TESTS (tests)
