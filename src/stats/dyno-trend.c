/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-distributions.h"
#include "dyno-stats.h"
#include "dyno-time-series.h"

double
dyno_stats_trend_probability (const double *values, gsize n)
{
  double score, variance;

  if (n < 4)
    return 1;
  score = 0;

  for (gsize i = 0; i < n; i++)
    for (gsize j = i + 1; j < n; j++)
      score += (values[j] > values[i]) - (values[j] < values[i]);

  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));
  variance = (double)n * (n - 1.0) * (2.0 * n + 5);
  gsize first = 0;
  dyno_stats_sort (sorted, n);
  for (gsize i = 1; i <= n; i++)
    if (i == n || sorted[i] > sorted[first])
      {
        double t = (double)(i - first);

        variance -= t * (t - 1) * (2 * t + 5);
        first = i;
      }
  variance /= 18;

  if (score <= 0 || variance <= 0)
    return 1;
  return 1 - dyno_stats_normal_probability ((score - 1) / sqrt (variance));
}
