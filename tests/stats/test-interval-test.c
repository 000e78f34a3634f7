/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "dyno-distributions.h"
#include "dyno-hypothesis-tests.h"
#include "suite.h"

#define FREEDOM 8

/* Where an end of the 95 % interval is one, the p-value is 0.05. */
static void
test_difference (void)
{
  const DynoInterval above = { 1, 1.1, 1.3 };
  const DynoInterval below = { 0.7, 0.9, 1 };
  const DynoInterval far = { 1.49, 1.5, 1.51 };
  const DynoInterval none = { 0.9, 1, 1.1 };

  g_assert_cmpfloat_with_epsilon (dyno_stats_interval_difference_p (&above, FREEDOM), 0.05, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_stats_interval_difference_p (&below, FREEDOM), 0.05, 1e-9);
  g_assert_cmpfloat (dyno_stats_interval_difference_p (&far, FREEDOM), <, 1e-6);
  g_assert_cmpfloat (dyno_stats_interval_difference_p (&none, FREEDOM), ==, 1);
}

/* Where an end of the 90 % interval is the threshold, the p-value is 0.05. */
static void
test_equivalence (void)
{
  double half =
      log (1.02) * dyno_stats_student_quantile (0.975, FREEDOM) / dyno_stats_student_quantile (0.95, FREEDOM);
  const DynoInterval just = { exp (-half), 1, exp (half) };
  const DynoInterval narrow = { 0.999, 1, 1.001 };
  const DynoInterval wide = { 0.9, 1, 1.1 };

  g_assert_cmpfloat_with_epsilon (dyno_stats_interval_equivalence_p (&just, FREEDOM, 2), 0.05, 1e-9);
  g_assert_cmpfloat (dyno_stats_interval_equivalence_p (&narrow, FREEDOM, 2), <, 1e-6);
  g_assert_cmpfloat (dyno_stats_interval_equivalence_p (&wide, FREEDOM, 2), >, 0.3);
}

/* Of two pairs, Student's distribution is Cauchy's, whose tails are arcs. */
static void
test_paired (void)
{
  const double ratios[] = { exp (1), exp (3) };
  const double inverted[] = { exp (-1), exp (-3) };

  g_assert_cmpfloat_with_epsilon (dyno_stats_paired_difference_p (ratios, 2), 1 - 2 * atan (2) / G_PI, 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_stats_paired_difference_p (inverted, 2), 1 - 2 * atan (2) / G_PI,
                                  1e-9);
  g_assert_true (isnan (dyno_stats_paired_difference_p (ratios, 1)));
}

/* With two degrees of freedom, the tail beyond t is (1 − t ∕ √(2 + t²)) ∕ 2. */
static void
test_groups (void)
{
  const double a[] = { exp (1), exp (3) };
  const double b[] = { exp (7), exp (9) };
  double t = 6 / sqrt (2);

  g_assert_cmpfloat_with_epsilon (dyno_stats_group_difference_p (a, 2, b, 2), 1 - t / sqrt (2 + t * t), 1e-9);
  g_assert_cmpfloat_with_epsilon (dyno_stats_group_difference_p (b, 2, a, 2), 1 - t / sqrt (2 + t * t), 1e-9);
  g_assert_cmpfloat (dyno_stats_group_difference_p (a, 2, a, 2), ==, 1);
  g_assert_true (isnan (dyno_stats_group_difference_p (a, 1, b, 2)));
}

static const SuiteTest tests[] = {
  { "/stats/interval-test/difference", test_difference },
  { "/stats/interval-test/paired", test_paired },
  { "/stats/interval-test/groups", test_groups },
  { "/stats/interval-test/equivalence", test_equivalence },
};

SUITE_TESTS (tests)
