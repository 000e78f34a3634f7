/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Plain C on double arrays, independent of samples, time or units. Sorted means ascending. */

/* Returns the arithmetic mean, in two passes so that rounding errors do not add up; NaN without values or
 * with a NaN among them. */
double dyno_stats_mean (const double *values, gsize n);
/* Returns the standard deviation of a sample, with n − 1 in the denominator; NaN for fewer than two values
 * or with a NaN among them. */
double dyno_stats_standard_deviation (const double *values, gsize n);
/* Sorts in ascending order, NaNs to the end. @values: the values, sorted in place. */
void dyno_stats_sort (double *values, gsize n);
/* Returns the percentile by linear interpolation between order statistics, type 7 of Hyndman and Fan
 * (“Sample Quantiles in Statistical Packages”, 1996): with h = (n − 1) p, the value between the ranks ⌊h⌋
 * and ⌊h⌋ + 1, counted from 0; NaN without values or with a NaN among them. R, NumPy and spreadsheets use
 * the same by default. @sorted: the values in ascending order. @percent: 0 to 100. */
double dyno_stats_percentile (const double *sorted, gsize n, double percent);
/* Returns the number of samples that a percentile needs before it may be shown, G_MAXSIZE for 0 and 100,
 * which no number of samples shows: the smallest n for which the largest sample is beyond the true
 * percentile with 99 % certainty, pⁿ ≤ 0.01 (for those below the median, the smallest sample, (1 − p)ⁿ).
 * With fewer, the samples may never have reached the true percentile. The number is 44 for the 90th, 459
 * for the 99th, 4603 for the 99.9th. @percent: 0 to 100. */
gsize dyno_stats_percentile_min_samples (double percent);
/* Returns whether @n samples are enough, see dyno_stats_percentile_min_samples(). @percent: 0 to 100. */
gboolean dyno_stats_percentile_is_supported (gsize n, double percent);
/* The 95 % interval of the median that assumes no distribution: between the order statistics k + 1 and n −
 * k, with the largest k for which a binomial variable (n, ½) is at most k in no more than 2.5 % of cases
 * (David and Nagaraja, “Order Statistics”, 7.1). Exact up to n = 1000, by the normal approximation with
 * continuity correction beyond. If the effective sample size is smaller, k is that of the effective size,
 * and the ends are scaled to the values. Returns FALSE with both ends NaN for fewer than six values, or for
 * an effective size below six, which support no such interval, or with a NaN among them. @sorted: the
 * values in ascending order. @n_effective: the number of independent values they are worth, at most @n: see
 * dyno_stats_effective_size(). */
gboolean
dyno_stats_median_interval (const double *sorted, gsize n, double n_effective, double *low, double *high);
/* Returns the distance from the median to the further end of its 95 % interval, in per cent of the median;
 * infinity if there is no interval or the median is not above zero. @sorted: the values in ascending order.
 **/
double dyno_stats_median_interval_percent (const double *sorted, gsize n, double n_effective);
/* Returns the standard deviation of the noise about a level that may change; NaN for fewer than two
 * numbers. It is taken from the median absolute deviation of differences, between neighbours and between
 * values five apart (less in short series), whichever is larger. Levels, ramps, slow drift and outliers
 * hardly affect it. If more than half of the differences are zero, as with a coarse clock, their mean is
 * taken. */
double dyno_stats_noise (const double *values, gsize n);
/* Returns the geometric mean, the n-th root of the product, which is the mean for ratios; NaN without
 * values, with a NaN or a negative value among them. */
double dyno_stats_geometric_mean (const double *values, gsize n);
/* Returns the harmonic mean, the number over the sum of reciprocals, which is the mean for rates over the
 * same work (Smith, “Characterizing Computer Performance with a Single Number”, 1988); NaN without values,
 * with a NaN or a value that is not above zero among them. @values: the values, above zero. */
double dyno_stats_harmonic_mean (const double *values, gsize n);

/**
 * DynoOutliers:
 * @low_severe: below Q1 − 3 IQR
 * @low_mild: below Q1 − 1.5 IQR
 * @high_mild: above Q3 + 1.5 IQR
 * @high_severe: above Q3 + 3 IQR
 *
 * The number of values beyond Tukey's fences.
 */
typedef struct
{
  gsize low_severe;
  gsize low_mild;
  gsize high_mild;
  gsize high_severe;
} DynoOutliers;

/* Counts the values beyond the fences of Tukey (“Exploratory Data Analysis”, 1977), with quartiles by
 * dyno_stats_percentile(). A value is counted once: a severe one is not also mild. @sorted: the values in
 * ascending order. */
void dyno_stats_outliers (const double *sorted, gsize n, DynoOutliers *outliers);

/**
 * DynoSteadiness:
 * @DYNO_STEADINESS_FLAT: one level from the first sample on
 * @DYNO_STEADINESS_WARM_UP: slower at first, then a steady, faster level
 * @DYNO_STEADINESS_SLOW_DOWN: faster at first, then a steady, slower level
 * @DYNO_STEADINESS_NONE: no steady level at the end
 *
 * The shape of a series of latencies, after Barrett et al., “Virtual Machine Warmup Blows Hot and Cold”.
 */
typedef enum
{
  DYNO_STEADINESS_FLAT,
  DYNO_STEADINESS_WARM_UP,
  DYNO_STEADINESS_SLOW_DOWN,
  DYNO_STEADINESS_NONE,
} DynoSteadiness;

/* Returns its stable name. */
const char *dyno_steadiness_to_string (DynoSteadiness steadiness);
/* Returns the shape of the series. The levels that dyno_stats_change_points() finds are compared with the
 * final one: those within 2 %, or within the deviation of the noise if that is more, are the same, give or
 * take three errors of their medians. The steady level has to fill at least the last quarter of the series,
 * with no larger drift than that; disturbances that together last no longer than a twentieth are stepped
 * over. Fewer than six values are never steady. @values: latencies, or anything for which less is faster,
 * in the order of time. @steady_start: index of the first value of the steady level; @n if there is none.
 **/
DynoSteadiness dyno_stats_classify_steadiness (const double *values, gsize n, gsize *steady_start);
/* Finds where the mean changes: of all ways to cut the series into levels, the one with the least Σ(x −
 * mean of its level)² + @penalty ln (n) σ² for each level, by PELT (Killick, Fearnhead and Eckley, “Optimal
 * Detection of Changepoints with a Linear Computational Cost”, 2012). Before that, lone outliers are
 * replaced by the median around them (Hampel's filter, five neighbours to each side), and σ is taken from
 * the differences of neighbours. Series of more than 500 values are searched as block means and the changes
 * then placed to the value, so the cost is linear in n. A NaN is a missing reading and has no effect.
 * Returns the index of the first value of each level but the first, ascending; empty for a series of one
 * level. Elements are gsize. The caller owns it. @penalty: the cost of a further level, in variances of the
 * noise and units of ln n; 2 is the Bayesian information criterion for independent noise, more is needed if
 * the noise drifts. */
GArray *dyno_stats_change_points (const double *values, gsize n, double penalty);

G_END_DECLS
