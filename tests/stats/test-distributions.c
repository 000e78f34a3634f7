/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-distributions.h"
#include "suite.h"

static void
test_normal (void)
{
  /* Abramowitz and Stegun, table 26.1, and the points that intervals are made of. */
  g_assert_cmpfloat_with_epsilon (dyno_stats_normal_probability (1), 0.841344746068543, 1e-14);
  g_assert_cmpfloat_with_epsilon (dyno_stats_normal_probability (-2), 0.022750131948179, 1e-14);
  g_assert_cmpfloat_with_epsilon (dyno_stats_normal_quantile (0.975), 1.959963984540054, 1e-12);
  g_assert_cmpfloat_with_epsilon (dyno_stats_normal_quantile (0.05), -1.644853626951473, 1e-12);
  g_assert_cmpfloat_with_epsilon (dyno_stats_normal_quantile (0.5), 0, 1e-15);
  g_assert_cmpfloat (dyno_stats_normal_quantile (0), ==, -INFINITY);
  g_assert_cmpfloat (dyno_stats_normal_quantile (1), ==, INFINITY);
}

static void
test_inverses (void)
{
  static const double tails[] = { 1e-12, 1e-6, 0.001, 0.025, 0.3, 0.5, 0.9, 0.999 };
  static const double freedoms[] = { 1, 2, 4.5, 30, 1000, INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (tails); i++)
    {
      double z = dyno_stats_normal_quantile (tails[i]);

      g_assert_cmpfloat_with_epsilon (dyno_stats_normal_probability (z) / tails[i], 1, 1e-9);
      for (guint k = 0; k < G_N_ELEMENTS (freedoms); k++)
        {
          double t = dyno_stats_student_quantile (tails[i], freedoms[k]);

          if (tails[i] >= 1e-6)
            g_assert_cmpfloat_with_epsilon (dyno_stats_student_probability (t, freedoms[k]) / tails[i], 1,
                                            1e-9);
        }
    }
}

static void
test_student (void)
{
  /* Abramowitz and Stegun, table 26.10. */
  g_assert_cmpfloat_with_epsilon (dyno_stats_student_quantile (0.975, 1), 12.706, 5e-4);
  g_assert_cmpfloat_with_epsilon (dyno_stats_student_quantile (0.975, 4), 2.776, 5e-4);
  g_assert_cmpfloat_with_epsilon (dyno_stats_student_quantile (0.025, 9), -2.262157162740992, 1e-10);
  g_assert_cmpfloat_with_epsilon (dyno_stats_student_quantile (0.5, 3), 0, 1e-7);
}

/* The binomial tail that the incomplete beta function is, summed. */
static double
sum_tail (guint n, guint successes, double chance)
{
  double sum = 0;

  for (guint i = successes; i <= n; i++)
    sum += exp (lgamma (n + 1) - lgamma (i + 1) - lgamma (n - i + 1) + i * log (chance) +
                (n - i) * log1p (-chance));
  return sum;
}

static void
test_beta (void)
{
  g_assert_cmpfloat (dyno_stats_beta_probability (0, 2, 3), ==, 0);
  g_assert_cmpfloat (dyno_stats_beta_probability (1, 2, 3), ==, 1);
  g_assert_cmpfloat_with_epsilon (dyno_stats_beta_probability (0.3, 1, 1), 0.3, 1e-14);
  for (guint n = 1; n < 200; n += 33)
    for (guint k = 1; k <= n; k += 7)
      g_assert_cmpfloat_with_epsilon (dyno_stats_beta_probability (0.2, k, n - k + 1), sum_tail (n, k, 0.2),
                                      1e-11);
}

static const SuiteTest tests[] = {
  { "/distributions/normal", test_normal },
  { "/distributions/inverses", test_inverses },
  { "/distributions/student", test_student },
  { "/distributions/beta", test_beta },
};

SUITE_TESTS (tests)
