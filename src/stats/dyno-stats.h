/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Plain C on double arrays; nothing here knows of samples, time or units. Sorted means ascending. */

double dyno_stats_mean (const double *values, gsize n);
double dyno_stats_standard_deviation (const double *values, gsize n);
void dyno_stats_sort (double *values, gsize n);
double dyno_stats_percentile (const double *sorted, gsize n, double percent);
gsize dyno_stats_percentile_min_samples (double percent);
/* Returns whether @n samples are enough, see dyno_stats_percentile_min_samples(). @percent: 0 to 100. */
gboolean dyno_stats_percentile_is_supported (gsize n, double percent);
gboolean
dyno_stats_median_interval (const double *sorted, gsize n, double n_effective, double *low, double *high);
double dyno_stats_median_interval_percent (const double *sorted, gsize n, double n_effective);
double dyno_stats_noise (const double *values, gsize n);
double dyno_stats_geometric_mean (const double *values, gsize n);
double dyno_stats_harmonic_mean (const double *values, gsize n);

/**
 * DynoOutliers:
 * @low_severe: below Q1 − 3 IQR
 * @low_mild: below Q1 − 1.5 IQR
 * @high_mild: above Q3 + 1.5 IQR
 * @high_severe: above Q3 + 3 IQR
 *
 * How many values lie beyond Tukey's fences.
 */
typedef struct
{
  gsize low_severe;
  gsize low_mild;
  gsize high_mild;
  gsize high_severe;
} DynoOutliers;

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
DynoSteadiness dyno_stats_classify_steadiness (const double *values, gsize n, gsize *steady_start);
GArray *dyno_stats_change_points (const double *values, gsize n, double penalty);

G_END_DECLS
