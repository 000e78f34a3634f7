/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-distributions.h"
#include "dyno-hypothesis-tests.h"
#include "dyno-stats.h"

/* The width of a 95 % interval is tested instead of a count of resamples: ten thousand of these over few
 * processes cannot give a p-value below a hundredth, which a correction for many tests would never leave
 * significant. */

#define TAIL 0.025

double
dyno_stats_paired_difference_p (const double *ratios, gsize n)
{
  g_autofree double *logs = g_new (double, n);
  double error;

  if (n < 2)
    return NAN;
  for (gsize i = 0; i < n; i++)
    logs[i] = log (ratios[i]);
  error = dyno_stats_standard_deviation (logs, n) / sqrt (n);
  return 2 * dyno_stats_student_probability (-fabs (dyno_stats_mean (logs, n)) / error, n - 1);
}

double
dyno_stats_group_difference_p (const double *a, gsize n_a, const double *b, gsize n_b)
{
  g_autofree double *logs_a = g_new (double, n_a);
  g_autofree double *logs_b = g_new (double, n_b);
  double freedom = n_a + n_b - 2.0;
  double squares, error;

  if (n_a < 2 || n_b < 2)
    return NAN;
  for (gsize i = 0; i < n_a; i++)
    logs_a[i] = log (a[i]);
  for (gsize i = 0; i < n_b; i++)
    logs_b[i] = log (b[i]);
  squares = (n_a - 1) * pow (dyno_stats_standard_deviation (logs_a, n_a), 2) +
            (n_b - 1) * pow (dyno_stats_standard_deviation (logs_b, n_b), 2);
  error = sqrt (squares / freedom * (1.0 / n_a + 1.0 / n_b));
  return 2 * dyno_stats_student_probability (
                 -fabs (dyno_stats_mean (logs_a, n_a) - dyno_stats_mean (logs_b, n_b)) / error, freedom);
}

/* Returns the distance in standard errors, by the end of the interval on the side of @value. */
static double
get_distance (const DynoInterval *ratio, double freedom, double value)
{
  double end = value < ratio->estimate ? ratio->low : ratio->high;
  double error = fabs (log (ratio->estimate / end)) / dyno_stats_student_quantile (1 - TAIL, freedom);

  return log (ratio->estimate / value) / error;
}

double
dyno_stats_interval_difference_p (const DynoInterval *ratio, double freedom)
{
  if (ratio->estimate == 1)
    return 1;
  return 2 * dyno_stats_student_probability (-fabs (get_distance (ratio, freedom, 1)), freedom);
}

double
dyno_stats_interval_equivalence_p (const DynoInterval *ratio, double freedom, double threshold_percent)
{
  double limit = 1 + threshold_percent / 100;
  double below = dyno_stats_student_probability (-get_distance (ratio, freedom, 1 / limit), freedom);
  double above = dyno_stats_student_probability (get_distance (ratio, freedom, limit), freedom);

  return MAX (below, above);
}
