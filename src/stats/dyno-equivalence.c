/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-distributions.h"
#include "dyno-hypothesis-tests.h"

/* The significance level and the power of the planned experiment. */
#define SIGNIFICANCE 0.05
#define POWER        0.8

/* More processes would take too long. */
#define MAX_PROCESSES 1000

double
dyno_stats_equivalence_p (const DynoBootstrap *ratio, double threshold_percent)
{
  double limit = 1 + threshold_percent / 100;

  g_return_val_if_fail (threshold_percent > 0, NAN);

  return MAX (dyno_bootstrap_get_p_below (ratio, 1 / limit), dyno_bootstrap_get_p_above (ratio, limit));
}

/* Returns how many standard errors two means of @n values must be apart for a test at the level to show it
 * with this power. */
static double
find_reach (double level, gsize n)
{
  double freedom = n - 1;

  return dyno_stats_student_quantile (1 - level, freedom) + dyno_stats_student_quantile (POWER, freedom);
}

/* Returns whether this many processes suffice, with this power, to show that the ratio is not one or, below
 * the threshold, that it is equivalent to one. */
static gboolean
would_do (double difference, double deviation, double threshold, gsize n)
{
  double error = deviation / sqrt (n);

  if (difference > threshold)
    return difference >= find_reach (SIGNIFICANCE / 2, n) * error;
  return threshold - difference >= find_reach (SIGNIFICANCE, n) * error;
}

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
