/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-stats.h"

/* The largest lag of differences, so that noise that carries over from one value to the next is seen too.
 **/
#define MAX_LAG 5

/* This many evenly spread differences give the deviation to two hundredths. */
#define MAX_DIFFERENCES 10000

/* Median absolute deviation and mean absolute value to standard deviation, for normal noise. */
#define MEDIAN_TO_DEVIATION 1.4826022185056018
#define MEAN_TO_DEVIATION   1.2533141373155003

static double
measure_at_lag (const double *values, gsize n, gsize lag, double *differences)
{
  gsize stride = 1 + n / MAX_DIFFERENCES;
  gsize n_differences = 0;
  double slope, deviation;

  /* A ramp has no effect on differences less their median. */
  for (gsize i = lag; i < n; i += stride)
    if (isfinite (values[i]) && isfinite (values[i - lag]))
      differences[n_differences++] = values[i] - values[i - lag];
  dyno_stats_sort (differences, n_differences);
  slope = dyno_stats_percentile (differences, n_differences, 50);
  for (gsize i = 0; i < n_differences; i++)
    differences[i] = fabs (differences[i] - slope);
  dyno_stats_sort (differences, n_differences);
  deviation = dyno_stats_percentile (differences, n_differences, 50) * MEDIAN_TO_DEVIATION;
  if (deviation <= 0)
    deviation = dyno_stats_mean (differences, n_differences) * MEAN_TO_DEVIATION;
  return deviation / G_SQRT2;
}

double
dyno_stats_noise (const double *values, gsize n)
{
  g_autofree double *differences = g_new (double, MIN (n, MAX_DIFFERENCES) + 1);
  gsize lag = CLAMP (n / 40, 1, MAX_LAG);
  double near = measure_at_lag (values, n, 1, differences);

  return lag > 1 ? fmax (near, measure_at_lag (values, n, lag, differences)) : near;
}
