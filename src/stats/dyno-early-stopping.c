/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-distributions.h"
#include "dyno-stop-rule.h"

/* The probability that a bound is below the true percentile. */
#define RISK 0.01

/* Returns whether @n_over slower ones of @n samples show that the percentile is below them: P[Bin(n, 1 − p)
 * ≤ t] ≤ 1 %. */
static gboolean
is_enough (double percent, gsize n, gsize n_over)
{
  return n > n_over && dyno_stats_beta_probability (percent / 100, n - n_over, n_over + 1) <= RISK;
}

gsize
dyno_stats_early_stopping_size (double percent, gsize n_over)
{
  gsize low = n_over;
  gsize high = n_over + 1;

  g_return_val_if_fail (percent > 0 && percent < 100, 0);

  while (!is_enough (percent, high, n_over))
    {
      low = high;
      high *= 2;
    }
  while (high - low > 1)
    {
      gsize middle = low + (high - low) / 2;

      if (is_enough (percent, middle, n_over))
        high = middle;
      else
        low = middle;
    }
  return high;
}

double
dyno_stats_percentile_bound (const double *sorted, gsize n, double percent)
{
  gsize low = 0;
  gsize high = n;

  g_return_val_if_fail (percent > 0 && percent < 100, NAN);

  while (high - low > 1)
    {
      gsize middle = low + (high - low) / 2;

      if (is_enough (percent, n, middle))
        low = middle;
      else
        high = middle;
    }
  return low > 0 ? sorted[n - low] : NAN;
}
