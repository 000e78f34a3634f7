/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "dyno-stats.h"

/* The chance that a percentile is printed although all samples lie on one side of the true one. */
#define PERCENTILE_RISK 0.01

/* Half of what a 95 % interval leaves out, and the point of the normal distribution beyond which it lies. */
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

static double
sum_of_squares (const double *values, gsize n, double centre)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += (values[i] - centre) * (values[i] - centre);
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

/* Between the values next to a rank, which counts from 0. */
static double
interpolate (const double *sorted, gsize n, double rank)
{
  gsize below = rank;

  if (below + 1 >= n)
    return sorted[n - 1];
  return sorted[below] + (rank - below) * (sorted[below + 1] - sorted[below]);
}

/* The largest k with P(B ≤ k) ≤ 2.5 % for B binomial (n, ½), or -1 if there is none. */
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

static gssize
find_normal_rank (gsize n)
{
  return floor (n / 2.0 - 0.5 - INTERVAL_NORMAL * sqrt (n) / 2);
}

/**
 * dyno_stats_mean:
 * @values: the values
 * @n: how many there are
 *
 * The arithmetic mean, in two passes so that rounding does not pile up.
 *
 * Returns: the mean; NaN without values or with a NaN among them
 */
double
dyno_stats_mean (const double *values, gsize n)
{
  double rough;

  if (n == 0)
    return NAN;
  rough = sum_of_differences (values, n, 0) / n;
  return rough + sum_of_differences (values, n, rough) / n;
}

/**
 * dyno_stats_standard_deviation:
 * @values: the values
 * @n: how many there are
 *
 * The standard deviation of a sample, with n − 1 in the denominator.
 *
 * Returns: the deviation; NaN for fewer than two values or with a NaN among them
 */
double
dyno_stats_standard_deviation (const double *values, gsize n)
{
  if (n < 2)
    return NAN;
  return sqrt (sum_of_squares (values, n, dyno_stats_mean (values, n)) / (n - 1));
}

/**
 * dyno_stats_sort:
 * @values: the values, sorted in place
 * @n: how many there are
 *
 * Sorts in ascending order, NaNs to the end.
 */
void
dyno_stats_sort (double *values, gsize n)
{
  if (n > 1)
    qsort (values, n, sizeof (double), compare_doubles);
}

/**
 * dyno_stats_percentile:
 * @sorted: the values in ascending order
 * @n: how many there are
 * @percent: 0 to 100
 *
 * The percentile by linear interpolation between order statistics, type 7 of Hyndman and Fan (“Sample
 * Quantiles in Statistical Packages”, 1996): with h = (n − 1) p, the value between the ranks ⌊h⌋ and ⌊h⌋ + 1,
 * counted from 0. It is what R, NumPy and spreadsheets give by default.
 *
 * Returns: the percentile; NaN without values or with a NaN among them
 */
double
dyno_stats_percentile (const double *sorted, gsize n, double percent)
{
  g_return_val_if_fail (percent >= 0 && percent <= 100, NAN);

  return is_usable (sorted, n) ? interpolate (sorted, n, (n - 1) * (percent / 100)) : NAN;
}

/**
 * dyno_stats_percentile_min_samples:
 * @percent: 0 to 100
 *
 * How many samples a percentile needs before it may be shown: the smallest n for which the largest sample
 * lies beyond the true percentile with 99 % certainty, pⁿ ≤ 0.01 (for those below the median, the smallest
 * sample, (1 − p)ⁿ). With fewer, the “percentile” may well be one the samples have never reached. That is
 * 44 for the 90th, 459 for the 99th, 4603 for the 99.9th.
 *
 * Returns: the number, %G_MAXSIZE for 0 and 100, which no number of samples shows
 */
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

/**
 * dyno_stats_median_interval:
 * @sorted: the values in ascending order
 * @n: how many there are
 * @n_effective: how many independent values they are worth, at most @n: see [func@Dyno.stats_effective_size]
 * @low: (out): lower end
 * @high: (out): upper end
 *
 * The 95 % interval of the median that assumes no distribution: between the order statistics k + 1 and n − k, with the
 * largest k for which a binomial variable (n, ½) is at most k in no more than 2.5 % of cases (David and Nagaraja,
 * “Order Statistics”, 7.1). Exact up to n = 1000, by the normal approximation with continuity correction beyond. Where
 * the effective sample size is smaller, k is that of the effective size, and the ends are scaled to the values.
 *
 * Returns: %FALSE with both ends NaN for fewer than six values, or what is worth so few, which support no such interval,
 *   or with a NaN among them
 */
gboolean
dyno_stats_median_interval (const double *sorted, gsize n, double n_effective, double *low, double *high)
{
  gsize n_independent = MIN (n_effective, n);
  gssize rank = -1;
  double position;

  *low = *high = NAN;
  if (is_usable (sorted, n))
    rank =
        n_independent <= MAX_EXACT_RANKS ? find_exact_rank (n_independent) : find_normal_rank (n_independent);
  if (rank < 0)
    return FALSE;
  position = (double)rank * (n - 1) / (n_independent - 1);
  *low = interpolate (sorted, n, position);
  *high = interpolate (sorted, n, n - 1 - position);
  return TRUE;
}

/**
 * dyno_stats_median_interval_percent:
 * @sorted: the values in ascending order
 * @n: how many there are
 * @n_effective: how many independent values they are worth
 *
 * How far the 95 % interval of the median reaches from the median, on its longer side, in per cent of the
 * median.
 *
 * Returns: the reach; infinity where there is no interval or the median is not above zero
 */
double
dyno_stats_median_interval_percent (const double *sorted, gsize n, double n_effective)
{
  double median = dyno_stats_percentile (sorted, n, 50);
  double low, high;

  if (!dyno_stats_median_interval (sorted, n, n_effective, &low, &high) || median <= 0)
    return INFINITY;
  return MAX (high - median, median - low) / median * 100;
}

/**
 * dyno_stats_geometric_mean:
 * @values: the values
 * @n: how many there are
 *
 * The n-th root of the product, the mean for ratios.
 *
 * Returns: the mean; NaN without values, with a NaN or a negative value among them
 */
double
dyno_stats_geometric_mean (const double *values, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += log (values[i]);
  return n > 0 ? exp (sum / n) : NAN;
}

/**
 * dyno_stats_harmonic_mean:
 * @values: the values, above zero
 * @n: how many there are
 *
 * The number over the sum of reciprocals, the mean for rates over the same work (Smith, “Characterizing Computer
 * Performance with a Single Number”, 1988).
 *
 * Returns: the mean; NaN without values, with a NaN or a value that is not above zero among them
 */
double
dyno_stats_harmonic_mean (const double *values, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += values[i] > 0 ? 1 / values[i] : NAN;
  return n > 0 ? n / sum : NAN;
}

/**
 * dyno_stats_outliers:
 * @sorted: the values in ascending order
 * @n: how many there are
 * @outliers: (out): how many lie in each band
 *
 * Counts the values beyond the fences of Tukey (“Exploratory Data Analysis”, 1977), with quartiles as
 * [func@Dyno.stats_percentile] has them. A value is counted once: a severe one is not also mild.
 */
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
