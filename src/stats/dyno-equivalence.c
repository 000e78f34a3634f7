/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-distributions.h"
#include "dyno-equivalence.h"

/* The significance level and the power of the planned experiment. */
#define SIGNIFICANCE 0.05
#define POWER        0.8

/* More processes would take too long. */
#define MAX_PROCESSES 1000

/**
 * dyno_stats_equivalence_p:
 * @ratio: resamples of a ratio
 * @threshold_percent: the smallest difference that matters, above zero
 *
 * Two one-sided tests (Schuirmann, “A Comparison of the Two One-Sided Tests Procedure and the Power Approach”, 1987):
 * is the true ratio neither above 1 + t nor below 1 / (1 + t)? Below 0.05 exactly where the 90 % interval lies within
 * these limits.
 *
 * Returns: the p-value of the hypothesis that the difference is at least as large as the threshold
 */
double
dyno_stats_equivalence_p (const DynoBootstrap *ratio, double threshold_percent)
{
  double limit = 1 + threshold_percent / 100;

  g_return_val_if_fail (threshold_percent > 0, NAN);

  return MAX (dyno_bootstrap_get_p_below (ratio, 1 / limit), dyno_bootstrap_get_p_above (ratio, limit));
}

/* How many standard errors two means of @n values must be apart, so that a test at the level mostly shows it. */
static double
find_reach (double level, gsize n)
{
  double freedom = n - 1;

  return dyno_stats_student_quantile (1 - level, freedom) + dyno_stats_student_quantile (POWER, freedom);
}

/* Whether this many processes mostly show that the ratio is not one or, below the threshold, that it is equivalent to
 * one. */
static gboolean
would_do (double difference, double deviation, double threshold, gsize n)
{
  double error = deviation / sqrt (n);

  if (difference > threshold)
    return difference >= find_reach (SIGNIFICANCE / 2, n) * error;
  return threshold - difference >= find_reach (SIGNIFICANCE, n) * error;
}

/**
 * dyno_stats_processes_needed:
 * @ratio: the 95 % interval of a ratio over @n processes of each case
 * @n: how many processes there were, two at least
 * @threshold_percent: the smallest difference that matters, above zero
 *
 * How many processes of each case would do for a verdict in four of five experiments, if the true ratio is what was
 * found and processes go on to differ as they did: for a ratio beyond the threshold by the two-sided test of a
 * difference, for one within it by two one-sided tests (Julious, “Sample Sizes for Clinical Trials with Normal Data”,
 * 2004, with the approximation of the power by Student's distribution).
 *
 * Returns: the number, more than @n; 0 where a thousand would be too few, or where it cannot be computed
 */
gsize
dyno_stats_processes_needed (const DynoInterval *ratio, gsize n, double threshold_percent)
{
  double difference = fabs (log (ratio->estimate));
  double half = log (ratio->high / ratio->low) / 2;
  double threshold = log1p (threshold_percent / 100);
  double deviation;

  if (n < 2 || !isfinite (half) || !isfinite (difference))
    return 0;
  deviation = half * sqrt (n) / dyno_stats_student_quantile (1 - SIGNIFICANCE / 2, n - 1);
  for (gsize needed = n + 1; needed <= MAX_PROCESSES; needed++)
    if (would_do (difference, deviation, threshold, needed))
      return needed;
  return 0;
}
