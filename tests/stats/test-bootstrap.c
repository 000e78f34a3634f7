/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-bootstrap.h"
#include "dyno-distributions.h"
#include "dyno-stats.h"
#include "noise.h"
#include "suite.h"

#define MAX_GROUPS 8
#define N          200

typedef struct
{
  double values[MAX_GROUPS][N];
  DynoSample groups[MAX_GROUPS];
} Case;

/* Processes about levels that differ by @between, with as much noise in each as @within, of which each value carries some
 * over. */
static void
fill_dependent (Case *kase, GRand *rand, double level, double between, double within, double carried)
{
  for (guint g = 0; g < MAX_GROUPS; g++)
    {
      noise_fill (rand, kase->values[g], N, level * (1 + between * noise_normal (rand)), within * level,
                  carried);
      kase->groups[g] = (DynoSample){ kase->values[g], N };
    }
}

static void
fill_case (Case *kase, GRand *rand, double level, double between, double within)
{
  fill_dependent (kase, rand, level, between, within, 0.3);
}

static double
find_width (const DynoBootstrap *bootstrap, double confidence)
{
  DynoInterval interval;

  dyno_bootstrap_get_interval (bootstrap, confidence, &interval);
  g_assert_cmpfloat (interval.low, <=, interval.estimate);
  g_assert_cmpfloat (interval.estimate, <=, interval.high);
  return interval.high - interval.low;
}

static void
test_seed (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (DynoBootstrap) one = NULL;
  g_autoptr (DynoBootstrap) same = NULL;
  g_autoptr (DynoBootstrap) other = NULL;
  Case kase;

  fill_case (&kase, rand, 10, 0.02, 0.05);
  one = dyno_bootstrap_new_median (kase.groups, 5, 7);
  same = dyno_bootstrap_new_median (kase.groups, 5, 7);
  other = dyno_bootstrap_new_median (kase.groups, 5, 8);
  g_assert_cmpfloat (find_width (one, 0.9), ==, find_width (same, 0.9));
  g_assert_cmpfloat (find_width (one, 0.9), !=, find_width (other, 0.9));
  g_assert_cmpfloat_with_epsilon (find_width (one, 0.9) / find_width (other, 0.9), 1, 0.1);
}

/* The estimate is what is printed as the median: of all values together. */
static void
test_estimate (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (DynoBootstrap) bootstrap = NULL;
  double values[3 * N];
  Case kase;

  fill_case (&kase, rand, 10, 0.02, 0.05);
  for (guint g = 0; g < 3; g++)
    for (guint i = 0; i < N; i++)
      values[g * N + i] = kase.values[g][i];
  dyno_stats_sort (values, 3 * N);
  bootstrap = dyno_bootstrap_new_median (kase.groups, 3, 1);
  g_assert_cmpfloat (dyno_bootstrap_get_estimate (bootstrap), ==, dyno_stats_percentile (values, 3 * N, 50));
}

/* One process only shows its own noise; several show the differences between them. */
static void
test_processes_count (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (DynoBootstrap) one = NULL;
  g_autoptr (DynoBootstrap) five = NULL;
  g_autoptr (DynoBootstrap) eight = NULL;
  Case kase;

  fill_case (&kase, rand, 10, 0.1, 0.02);
  one = dyno_bootstrap_new_median (kase.groups, 1, 1);
  five = dyno_bootstrap_new_median (kase.groups, 5, 1);
  eight = dyno_bootstrap_new_median (kase.groups, 8, 1);
  g_assert_cmpfloat (find_width (one, 0.95), <, 0.2);
  g_assert_cmpfloat (find_width (five, 0.95), >, 0.5);
  g_assert_cmpfloat (find_width (eight, 0.95), >, 0.5);
  g_assert_cmpfloat (find_width (five, 0.9), <=, find_width (five, 0.95));
}

/* Drift between blocks that both share does not affect a ratio within blocks. */
static void
test_pairs (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (DynoBootstrap) apart = NULL;
  g_autoptr (DynoBootstrap) paired = NULL;
  Case a, b;

  fill_case (&a, rand, 10, 0, 0.01);
  fill_case (&b, rand, 5, 0, 0.01);
  for (guint g = 0; g < MAX_GROUPS; g++)
    for (guint i = 0; i < N; i++)
      {
        a.values[g][i] *= 1 + g / 10.0;
        b.values[g][i] *= 1 + g / 10.0;
      }
  apart = dyno_bootstrap_new_ratio (a.groups, 5, b.groups, 5, 1);
  paired = dyno_bootstrap_new_paired_ratio (a.groups, b.groups, 5, 1);
  g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_estimate (apart), 2, 0.02);
  g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_estimate (paired), 2, 0.02);
  g_assert_cmpfloat (find_width (paired, 0.95), <, 0.05);
  g_assert_cmpfloat (find_width (apart, 0.95), >, 0.5);
}

static void
test_p_values (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (DynoBootstrap) bootstrap = NULL;
  DynoInterval interval;
  Case kase;

  fill_case (&kase, rand, 10, 0.02, 0.05);
  bootstrap = dyno_bootstrap_new_median (kase.groups, 6, 1);
  dyno_bootstrap_get_interval (bootstrap, 0.9, &interval);
  g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_p_below (bootstrap, interval.low), 0.05, 0.003);
  g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_p_above (bootstrap, interval.high), 0.05, 0.003);
  g_assert_cmpfloat (dyno_bootstrap_get_p_below (bootstrap, 11), >, 0.99);
  g_assert_cmpfloat (dyno_bootstrap_get_p_below (bootstrap, 9), <, 0.01);
  g_assert_cmpfloat (dyno_bootstrap_get_p_above (bootstrap, 9), >, 0.99);
  g_assert_cmpfloat (dyno_bootstrap_get_p_above (bootstrap, 11), <, 0.01);
}

/* Each block counts once, however many rounds it has, and what the blocks differ by is in the interval. */
static void
test_rounds (void)
{
  static const double nothing[] = { NAN, NAN };
  static const double zeros[] = { 0, 0 };
  static const double ones[] = { 1, 1, 1, 1, 1, 1, 1, 1, NAN };
  static const double twos[] = { 2, 2 };
  const DynoSample unlike[] = { { ones, 9 }, { twos, 2 }, { nothing, 2 } };
  const DynoSample none[] = { { nothing, 2 }, { zeros, 2 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (DynoBootstrap) two = dyno_bootstrap_new_ratio_of_rounds (unlike, 3, 1);
  g_autoptr (DynoBootstrap) like = NULL;
  g_autoptr (DynoBootstrap) apart = NULL;
  Case same, other;

  g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_estimate (two), sqrt (2), 1e-9);
  g_assert_null (dyno_bootstrap_new_ratio_of_rounds (none, 1, 1));
  g_assert_null (dyno_bootstrap_new_ratio_of_rounds (none, 2, 1));
  fill_case (&same, rand, 1.05, 0, 0.02);
  fill_case (&other, rand, 1.05, 0.05, 0.02);
  like = dyno_bootstrap_new_ratio_of_rounds (same.groups, 5, 1);
  apart = dyno_bootstrap_new_ratio_of_rounds (other.groups, 5, 1);
  g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_estimate (like), 1.05, 0.005);
  g_assert_cmpfloat (find_width (like, 0.95), <, 0.02);
  g_assert_cmpfloat (find_width (apart, 0.95), >, 0.05);
}

static void
test_numbers_alone (void)
{
  static const double broken[] = { NAN, 4, INFINITY, 6, -INFINITY };
  static const double nothing[] = { NAN };
  static const double zeros[] = { 0, 0, 0 };
  const DynoSample groups[] = { { broken, 5 }, { nothing, 1 }, { NULL, 0 }, { zeros, 3 } };
  g_autoptr (DynoBootstrap) bootstrap = dyno_bootstrap_new_median (groups, 3, 1);

  g_assert_cmpfloat (dyno_bootstrap_get_estimate (bootstrap), ==, 5);
  g_assert_cmpfloat (find_width (bootstrap, 0.95), <=, 2);
  g_assert_null (dyno_bootstrap_new_median (groups + 1, 2, 1));
  g_assert_null (dyno_bootstrap_new_median (groups, 0, 1));
  g_assert_null (dyno_bootstrap_new_ratio (groups, 1, groups + 1, 1, 1));
  g_assert_null (dyno_bootstrap_new_ratio (groups, 1, groups + 3, 1, 1));
  g_assert_null (dyno_bootstrap_new_paired_ratio (groups, groups + 1, 1, 1));
  g_assert_null (dyno_bootstrap_new_paired_ratio (groups, groups + 3, 1, 1));
}

static void
test_one_value (void)
{
  static const double seven = 7;
  const DynoSample groups[] = { { &seven, 1 }, { &seven, 1 } };
  g_autoptr (DynoBootstrap) bootstrap = dyno_bootstrap_new_median (groups, 1, 1);
  g_autoptr (DynoBootstrap) ratio = dyno_bootstrap_new_ratio (groups, 2, groups, 1, 1);

  g_assert_cmpfloat (find_width (bootstrap, 0.95), ==, 0);
  g_assert_cmpfloat (find_width (ratio, 0.95), ==, 0);
}

/* The bootstrap of a median has an exact distribution, that of an order statistic: for three values, the median of a
 * resample is the least of them with probability 7/27. */
static void
test_exact_distribution (void)
{
  static const double values[] = { 1, 2, 3 };
  const DynoSample group = { values, 3 };
  g_autoptr (DynoBootstrap) bootstrap = dyno_bootstrap_new_median (&group, 1, 1);
  DynoInterval interval;

  g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_p_below (bootstrap, 1.5), 7 / 27.0, 0.015);
  g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_p_above (bootstrap, 2.5), 7 / 27.0, 0.015);
  dyno_bootstrap_get_interval (bootstrap, 0.4, &interval);
  g_assert_cmpfloat (interval.low, ==, 2);
  g_assert_cmpfloat (interval.high, ==, 2);
}

/* Of intervals over five processes, 95 in 100 reach the level that all processes share out around; here so few are tried
 * that only a gross mistake shows, and bench-stats tries more. */
static void
test_coverage (void)
{
  static const double betweens[] = { 0.01, 0.05 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);

  for (guint i = 0; i < G_N_ELEMENTS (betweens); i++)
    {
      guint median_covered = 0, ratio_covered = 0, rounds_covered = 0;

      for (guint trial = 0; trial < 30; trial++)
        {
          g_autoptr (DynoBootstrap) median = NULL;
          g_autoptr (DynoBootstrap) ratio = NULL;
          g_autoptr (DynoBootstrap) rounds = NULL;
          DynoInterval interval;
          Case a, b;

          fill_case (&a, rand, 10, betweens[i], 0.05);
          fill_case (&b, rand, 5, betweens[i], 0.05);
          median = dyno_bootstrap_new_median (a.groups, 5, trial);
          ratio = dyno_bootstrap_new_paired_ratio (a.groups, b.groups, 5, trial);
          dyno_bootstrap_get_interval (median, 0.95, &interval);
          median_covered += interval.low <= 10 && 10 <= interval.high;
          dyno_bootstrap_get_interval (ratio, 0.95, &interval);
          ratio_covered += interval.low <= 2 && 2 <= interval.high;
          rounds = dyno_bootstrap_new_ratio_of_rounds (b.groups, 5, trial);
          dyno_bootstrap_get_interval (rounds, 0.95, &interval);
          rounds_covered += interval.low <= 5 && 5 <= interval.high;
        }
      g_test_message ("Of 30 intervals, %u of a median, %u of a ratio and %u of rounds hold it.",
                      median_covered, ratio_covered, rounds_covered);
      g_assert_cmpuint (median_covered, >=, 26);
      g_assert_cmpuint (ratio_covered, >=, 26);
      g_assert_cmpuint (rounds_covered, >=, 26);
    }
}

/* Returns the square of the standard error of a median over five processes, by their medians alone. */
static double
find_square_of_error (const Case *kase)
{
  double medians[5];

  for (guint g = 0; g < 5; g++)
    {
      double sorted[N];

      for (guint i = 0; i < N; i++)
        sorted[i] = kase->values[g][i];
      dyno_stats_sort (sorted, N);
      medians[g] = log (dyno_stats_percentile (sorted, N, 50));
    }
  return pow (dyno_stats_standard_deviation (medians, 5), 2) / 5;
}

/* The interval of a ratio of independent processes is as wide as Student's, also where most of the difference of the processes
 * is dependent noise within them, of which resampled blocks have less than there is. */
static void
test_ratio_width (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  double widths = 0, errors = 0;

  for (guint trial = 0; trial < 40; trial++)
    {
      g_autoptr (DynoBootstrap) ratio = NULL;
      DynoInterval interval;
      Case a, b;

      fill_dependent (&a, rand, 10, 0.002, 0.03, 0.6);
      fill_dependent (&b, rand, 5, 0.002, 0.03, 0.6);
      ratio = dyno_bootstrap_new_ratio (a.groups, 5, b.groups, 5, trial);
      dyno_bootstrap_get_interval (ratio, 0.95, &interval);
      widths += log (interval.high / interval.low);
      errors += sqrt (find_square_of_error (&a) + find_square_of_error (&b));
    }
  g_test_message ("The intervals have %.3f of the width of Student's.",
                  widths / (2 * dyno_stats_student_quantile (0.975, 8) * errors));
  g_assert_cmpfloat_with_epsilon (widths / (2 * dyno_stats_student_quantile (0.975, 8) * errors), 1.02, 0.04);
}

/* Where some of few processes were disturbed by a multiple of their latency, the interval of a ratio is wide and still above zero,
 * and p-values agree with its ends. */
static void
test_ratio_above_zero (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  DynoBootstrap *ratios[3];
  Case calm, disturbed, rounds;

  fill_case (&calm, rand, 10, 0.02, 0.05);
  fill_case (&disturbed, rand, 10, 0.02, 0.05);
  fill_case (&rounds, rand, 1, 0.02, 0.05);
  for (guint i = 0; i < N; i++)
    for (guint g = 0; g < 5; g += 2)
      {
        disturbed.values[g][i] *= 4 + g;
        rounds.values[g][i] *= 4 + g;
      }
  ratios[0] = dyno_bootstrap_new_ratio (disturbed.groups, 5, calm.groups, 5, 1);
  ratios[1] = dyno_bootstrap_new_paired_ratio (calm.groups, disturbed.groups, 5, 1);
  ratios[2] = dyno_bootstrap_new_ratio_of_rounds (rounds.groups, 5, 1);
  for (guint i = 0; i < G_N_ELEMENTS (ratios); i++)
    {
      static const double confidences[] = { 0.9, 0.95, 0.999 };

      for (guint k = 0; k < G_N_ELEMENTS (confidences); k++)
        {
          double tail = (1 - confidences[k]) / 2;
          DynoInterval interval;

          dyno_bootstrap_get_interval (ratios[i], confidences[k], &interval);
          g_assert_cmpfloat (interval.low, >, 0);
          g_assert_cmpfloat (interval.high / interval.low, >, 4);
          g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_p_below (ratios[i], interval.low), tail, 1e-3);
          g_assert_cmpfloat_with_epsilon (dyno_bootstrap_get_p_above (ratios[i], interval.high), tail, 1e-3);
        }
      g_assert_cmpfloat (dyno_bootstrap_get_p_below (ratios[i], 0), <, 1e-3);
      dyno_bootstrap_free (ratios[i]);
    }
}

/* One process may have nothing, such as no request within its limit, and so may the median of a resample. */
static void
test_ratio_of_zero (void)
{
  static const double values[] = { 0, 0.99, 1, 1.01, 1.02, 0.98 };
  DynoSample groups[G_N_ELEMENTS (values)];
  g_autoptr (DynoBootstrap) ratio = NULL;
  DynoInterval interval;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    groups[i] = (DynoSample){ values + i, 1 };
  ratio = dyno_bootstrap_new_ratio (groups, 5, groups + 1, 5, 1);
  dyno_bootstrap_get_interval (ratio, 0.95, &interval);
  g_test_message ("%g: %g – %g", interval.estimate, interval.low, interval.high);
  g_assert_cmpfloat (interval.low, >=, 1e-9);
  g_assert_cmpfloat (interval.low, <, 0.9);
  g_assert_cmpfloat (interval.high, >=, interval.estimate);
  g_assert_cmpfloat (interval.high, <, 2);
  g_assert_cmpfloat (dyno_bootstrap_get_p_below (ratio, 0.5), >, 0.025);
  g_assert_cmpfloat (dyno_bootstrap_get_p_below (ratio, 0.5), <, 0.5);
}

static const SuiteTest tests[] = {
  { "/bootstrap/seed", test_seed },
  { "/bootstrap/estimate", test_estimate },
  { "/bootstrap/processes-count", test_processes_count },
  { "/bootstrap/pairs", test_pairs },
  { "/bootstrap/rounds", test_rounds },
  { "/bootstrap/ratio-width", test_ratio_width },
  { "/bootstrap/ratio-above-zero", test_ratio_above_zero },
  { "/bootstrap/ratio-of-zero", test_ratio_of_zero },
  { "/bootstrap/p-values", test_p_values },
  { "/bootstrap/numbers-alone", test_numbers_alone },
  { "/bootstrap/one-value", test_one_value },
  { "/bootstrap/exact-distribution", test_exact_distribution },
  { "/bootstrap/coverage", test_coverage },
};

SUITE_TESTS (tests)
