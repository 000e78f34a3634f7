/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "dyno-stats.h"

/* The probability that a percentile is shown although all samples are on one side of the true one. */
#define PERCENTILE_RISK 0.01

/* Half of the probability outside a 95 % interval, and the point of the normal distribution beyond which it
 * is. */
#define INTERVAL_TAIL   0.025
#define INTERVAL_NORMAL 1.959963984540054

/* Up to here the binomial distribution is summed exactly; 2^-n is still a normal double. */
#define MAX_EXACT_RANKS 1000

static double
sum_of_differences (const double *values, gsize n, double centre)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += values[i] - centre;
  return sum;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *)a;
  double y = *(const double *)b;

  if (isnan (x) || isnan (y))
    return (int)isnan (x) - (int)isnan (y);
  return (x > y) - (x < y);
}

/* Sorted values have their NaNs at the end. */
static gboolean
is_usable (const double *sorted, gsize n)
{
  return n > 0 && !isnan (sorted[n - 1]);
}

/* Interpolates between the values next to a rank, which counts from 0. */
static double
interpolate (const double *sorted, gsize n, double rank)
{
  gsize below = rank;

  if (below + 1 >= n)
    return sorted[n - 1];
  return sorted[below] + (rank - below) * (sorted[below + 1] - sorted[below]);
}

/* Returns the largest k with P(B ≤ k) ≤ 2.5 % for B binomial (n, ½), or -1 if there is none. */
static gssize
find_exact_rank (gsize n)
{
  double probability = ldexp (1, -(int)n);
  double sum = probability;
  gssize k = -1;

  while (sum <= INTERVAL_TAIL)
    {
      k++;
      probability *= (double)(n - k) / (k + 1);
      sum += probability;
    }
  return k;
}

double
dyno_stats_mean (const double *values, gsize n)
{
  double rough;

  if (n == 0)
    return NAN;
  rough = sum_of_differences (values, n, 0) / n;
  return rough + sum_of_differences (values, n, rough) / n;
}

double
dyno_stats_standard_deviation (const double *values, gsize n)
{
  if (n < 2)
    return NAN;

  double centre = dyno_stats_mean (values, n);
  double sum = 0;
  for (gsize i = 0; i < n; i++)
    sum += (values[i] - centre) * (values[i] - centre);
  return sqrt (sum / (n - 1));
}

void
dyno_stats_sort (double *values, gsize n)
{
  if (n > 1)
    qsort (values, n, sizeof (double), compare_doubles);
}

double
dyno_stats_percentile (const double *sorted, gsize n, double percent)
{
  g_return_val_if_fail (percent >= 0 && percent <= 100, NAN);

  return is_usable (sorted, n) ? interpolate (sorted, n, (n - 1) * (percent / 100)) : NAN;
}

gsize
dyno_stats_percentile_min_samples (double percent)
{
  double tail = MIN (percent, 100 - percent) / 100;

  g_return_val_if_fail (percent >= 0 && percent <= 100, G_MAXSIZE);

  return tail > 0 ? (gsize)ceil (log (PERCENTILE_RISK) / log1p (-tail)) : G_MAXSIZE;
}

gboolean
dyno_stats_percentile_is_supported (gsize n, double percent)
{
  return n >= dyno_stats_percentile_min_samples (percent);
}

gboolean
dyno_stats_median_interval (const double *sorted, gsize n, double n_effective, double *low, double *high)
{
  gsize n_independent = MIN (n_effective, n);
  gssize rank = -1;
  double position;

  *low = *high = NAN;
  if (is_usable (sorted, n))
    rank = n_independent <= MAX_EXACT_RANKS
               ? find_exact_rank (n_independent)
               : floor (n_independent / 2.0 - 0.5 - INTERVAL_NORMAL * sqrt (n_independent) / 2);
  if (rank < 0)
    return FALSE;
  position = (double)rank * (n - 1) / (n_independent - 1);
  *low = interpolate (sorted, n, position);
  *high = interpolate (sorted, n, n - 1 - position);
  return TRUE;
}

double
dyno_stats_median_interval_percent (const double *sorted, gsize n, double n_effective)
{
  double median = dyno_stats_percentile (sorted, n, 50);
  double low, high;

  if (!dyno_stats_median_interval (sorted, n, n_effective, &low, &high) || median <= 0)
    return INFINITY;
  return MAX (high - median, median - low) / median * 100;
}

double
dyno_stats_geometric_mean (const double *values, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += log (values[i]);
  return n > 0 ? exp (sum / n) : NAN;
}

double
dyno_stats_harmonic_mean (const double *values, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += values[i] > 0 ? 1 / values[i] : NAN;
  return n > 0 ? n / sum : NAN;
}

void
dyno_stats_outliers (const double *sorted, gsize n, DynoOutliers *outliers)
{
  double q1 = dyno_stats_percentile (sorted, n, 25);
  double q3 = dyno_stats_percentile (sorted, n, 75);
  double range = q3 - q1;

  *outliers = (DynoOutliers){ 0 };
  for (gsize i = 0; i < n; i++)
    {
      if (sorted[i] < q1 - 3 * range)
        outliers->low_severe++;
      else if (sorted[i] < q1 - 1.5 * range)
        outliers->low_mild++;
      else if (sorted[i] > q3 + 3 * range)
        outliers->high_severe++;
      else if (sorted[i] > q3 + 1.5 * range)
        outliers->high_mild++;
    }
}
