/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-hypothesis-tests.h"
#include "noise.h"
#include "suite.h"

#define N_PROCESSES 5
#define N           100

typedef struct
{
  double values[N_PROCESSES][N];
  DynoSample groups[N_PROCESSES];
} Case;

static void
fill_case (Case *kase, GRand *rand, double level)
{
  for (guint g = 0; g < N_PROCESSES; g++)
    {
      noise_fill (rand, kase->values[g], N, level * (1 + 0.002 * noise_normal (rand)), 0.01 * level, 0.3);
      kase->groups[g] = (DynoSample){ kase->values[g], N };
    }
}

static DynoBootstrap *
compare_levels (double level_a, double level_b)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  Case a, b;

  fill_case (&a, rand, level_a);
  fill_case (&b, rand, level_b);
  return dyno_bootstrap_new_paired_ratio (a.groups, b.groups, N_PROCESSES, 1);
}

static void
test_rank_test_without_values (void)
{
  static const double values[] = { 1, NAN, 3 };
  DynoRankTest test;

  g_assert_false (dyno_stats_rank_test (values, 3, values, 1, &test));
  g_assert_true (isnan (test.p) && isnan (test.u) && isnan (test.delta));
  g_assert_false (dyno_stats_rank_test (values, 1, values, 0, &test));
  g_assert_true (dyno_stats_rank_test (values, 1, values + 2, 1, &test));
  g_assert_cmpfloat (test.delta, ==, -1);
  g_assert_cmpfloat (test.p, ==, 1);
}

/* Five in a hundred pairs of equal samples seem to differ, with the exact and the approximate test. */
static void
test_rank_test_level (void)
{
  static const gsize sizes[] = { 8, 30 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint n_alarms = 0;

      for (guint trial = 0; trial < 1000; trial++)
        {
          double a[30], b[30];
          DynoRankTest test;

          noise_fill (rand, a, sizes[i], 10, 1, 0);
          noise_fill (rand, b, sizes[i], 10, 1, 0);
          g_assert_true (dyno_stats_rank_test (a, sizes[i], b, sizes[i], &test));
          n_alarms += test.p < 0.05;
        }
      g_assert_cmpuint (n_alarms, >, 30);
      g_assert_cmpuint (n_alarms, <, 70);
    }
}

/* Differences that no resample reaches still have distinct p-values; else ten thousand resamples would limit them. */
static void
test_difference (void)
{
  g_autoptr (DynoBootstrap) same = compare_levels (10, 10);
  g_autoptr (DynoBootstrap) slower = compare_levels (10.5, 10);
  g_autoptr (DynoBootstrap) faster = compare_levels (10, 10.5);
  g_autoptr (DynoBootstrap) much_faster = compare_levels (10, 20);

  g_assert_cmpfloat (dyno_bootstrap_get_p_below (same, 1), >, 0.025);
  g_assert_cmpfloat (dyno_bootstrap_get_p_above (same, 1), >, 0.025);
  g_assert_cmpfloat (dyno_bootstrap_get_p_below (slower, 1), <, 0.005);
  g_assert_cmpfloat (dyno_bootstrap_get_p_above (faster, 1), <, 0.005);
  g_assert_cmpfloat (dyno_bootstrap_get_p_above (much_faster, 1), <,
                     dyno_bootstrap_get_p_above (faster, 1) / 10);
}

static void
test_equivalence (void)
{
  g_autoptr (DynoBootstrap) same = compare_levels (10, 10);
  g_autoptr (DynoBootstrap) slower = compare_levels (10.5, 10);
  DynoInterval interval;

  g_assert_cmpfloat (dyno_stats_equivalence_p (same, 2), <, 0.05);
  g_assert_cmpfloat (dyno_stats_equivalence_p (same, 0.01), >, 0.05);
  g_assert_cmpfloat (dyno_stats_equivalence_p (slower, 2), >, 0.9);
  g_assert_cmpfloat (dyno_stats_equivalence_p (slower, 10), <, 0.05);
  dyno_bootstrap_get_interval (same, 0.9, &interval);
  g_assert_cmpfloat_with_epsilon (
      dyno_stats_equivalence_p (same, 100 * (fmax (interval.high, 1 / interval.low) - 1)), 0.05, 0.01);
}

/* The book's formula for two arms in a crossover: about 2 (t₁ + t₂)² over the squared distance in deviations. */
static void
test_processes_needed (void)
{
  const DynoInterval shown = { 1.02, 1.05, 1.08 };
  const DynoInterval wide = { 0.97, 1.03, 1.09 };
  const DynoInterval within = { 0.975, 1.0, 1.0256 };
  const DynoInterval on_edge = { 0.9, 1.0199, 1.15 };
  const DynoInterval broken = { NAN, 1, NAN };
  gsize needed = dyno_stats_processes_needed (&wide, 5, 2);

  g_assert_cmpuint (dyno_stats_processes_needed (&shown, 5, 2), ==, 6);
  g_assert_cmpuint (needed, >, 10);
  g_assert_cmpuint (needed, <, 30);
  g_assert_cmpuint (dyno_stats_processes_needed (&wide, 10, 2), >, needed);
  g_assert_cmpuint (dyno_stats_processes_needed (&within, 5, 2), >, 5);
  g_assert_cmpuint (dyno_stats_processes_needed (&within, 5, 5), ==, 6);
  g_assert_cmpuint (dyno_stats_processes_needed (&on_edge, 5, 2), ==, 0);
  g_assert_cmpuint (dyno_stats_processes_needed (&broken, 5, 2), ==, 0);
  g_assert_cmpuint (dyno_stats_processes_needed (&wide, 1, 2), ==, 0);
}

/* The recommended number is enough: with processes that vary as much as the interval shows, four in five experiments
 * detect the difference. */
static void
test_power (void)
{
  const DynoInterval found = { 0.98, 1.03, 1.0825 };
  double deviation = log (found.high / found.low) / 2 * sqrt (5) / 2.776;
  gsize n = dyno_stats_processes_needed (&found, 5, 2);
  g_autoptr (GRand) rand = g_rand_new_with_seed (13);
  guint n_shown = 0;

  for (guint trial = 0; trial < 1000; trial++)
    {
      double sum = 0, squares = 0;

      for (gsize i = 0; i < n; i++)
        {
          double value = log (found.estimate) + deviation * noise_normal (rand);

          sum += value;
          squares += value * value;
        }
      n_shown += sum / sqrt (n) > 2.1 * sqrt ((squares - sum * sum / n) / (n - 1));
    }
  g_assert_cmpuint (n_shown, >, 700);
  g_assert_cmpuint (n_shown, <, 900);
}

static void
test_false_discovery_of_few (void)
{
  static const double p[] = { NAN, 0.03, NAN, 0.01 };
  double adjusted[4];

  dyno_stats_control_false_discovery (p, 0, adjusted);
  dyno_stats_control_false_discovery (p, 4, adjusted);
  g_assert_true (isnan (adjusted[0]) && isnan (adjusted[2]));
  g_assert_cmpfloat (adjusted[1], ==, 0.03);
  g_assert_cmpfloat (adjusted[3], ==, 0.02);
}

static const SuiteTest tests[] = {
  { "/comparison/rank-test/without-values", test_rank_test_without_values },
  { "/comparison/rank-test/level", test_rank_test_level },
  { "/comparison/difference", test_difference },
  { "/comparison/equivalence", test_equivalence },
  { "/comparison/processes-needed", test_processes_needed },
  { "/comparison/power", test_power },
  { "/comparison/false-discovery/few", test_false_discovery_of_few },
};

SUITE_TESTS (tests)
