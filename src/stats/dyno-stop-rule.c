/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-autocorrelation.h"
#include "dyno-stats.h"
#include "dyno-stop-rule.h"

/* An interval that happens to be short once is not yet short. */
#define N_LOOKS 2

/**
 * dyno_stop_rule_look:
 * @self: a rule
 * @values: (array length=n): what was measured so far, in the order of time
 * @n: how many there are
 *
 * Checks whether the median is precise enough, by the effective sample size. Whoever stops as soon as an interval is
 * short stops too often where it is short by chance, so that it does not hold what it says: sequential intervals keep
 * their coverage only as they grow (Chow and Robbins, “On the Asymptotic Theory of Fixed-Width Sequential Confidence
 * Intervals”, 1965). So there are few looks, each with %DYNO_STOP_RULE_GROWTH times as many values, and two in a row
 * have to find it.
 *
 * Returns: whether to stop
 */
gboolean
dyno_stop_rule_look (DynoStopRule *self, const double *values, gsize n)
{
  double n_effective = dyno_stats_effective_size (values, n);
  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));

  dyno_stats_sort (sorted, n);
  if (dyno_stats_median_interval_percent (sorted, n, n_effective) <= self->percent)
    self->n_met++;
  else
    self->n_met = 0;
  return self->n_met >= N_LOOKS;
}
