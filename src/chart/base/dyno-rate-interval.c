/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-cases.h"
#include "dyno-rate-interval.h"
#include "dyno-stats.h"

#define N_BATCHES 10
/* Student's t of nine degrees of freedom, beyond which a fortieth lies. */
#define STUDENT_T 2.262157162740992

/* Batches of steps that follow each other, as long as each other but for a step. */
static void
find_batch_means (const double *steps, guint n_steps, double *means)
{
  for (guint i = 0; i < N_BATCHES; i++)
    {
      guint64 first = (guint64)i * n_steps / N_BATCHES;
      guint64 end = (guint64)(i + 1) * n_steps / N_BATCHES;

      means[i] = dyno_stats_mean (steps + first, end - first);
    }
}

/**
 * dyno_rate_interval_find:
 * @result: a result
 * @rate: of its steady state, work over time
 * @low: (out): where the interval of the rate begins
 * @high: (out): where it ends
 *
 * Work over time follows the mean of the steps, not their median: a few slow steps move the one and not the other. The
 * 95 % interval of the mean is that of the means of ten batches, which holds also where steps resemble those before them,
 * and is turned over. Schmeiser: Batch Size Effects in the Analysis of Simulation Output, 1982.
 *
 * Returns: whether there is one; else both ends are NaN
 */
gboolean
dyno_rate_interval_find (DynoResult *result, double rate, double *low, double *high)
{
  double means[N_BATCHES];
  double mean, half;
  guint n_steps;
  const double *steps = dyno_chart_cases_get_steady (result, &n_steps);

  *low = *high = NAN;
  if (n_steps < DYNO_RATE_INTERVAL_MIN_STEPS || dyno_chart_cases_is_unsteady (result))
    return FALSE;
  find_batch_means (steps, n_steps, means);
  mean = dyno_stats_mean (means, N_BATCHES);
  half = STUDENT_T * dyno_stats_standard_deviation (means, N_BATCHES) / sqrt (N_BATCHES);
  if (!(half < mean))
    return FALSE;
  *low = rate * mean / (mean + half);
  *high = rate * mean / (mean - half);
  return TRUE;
}

/**
 * dyno_rate_interval_describe:
 * @cases: (element-type DynoChartCase): the cases in a chart whose rates have bands
 *
 * Returns: what the bands are, or why there are none, for a note
 */
const char *
dyno_rate_interval_describe (GPtrArray *cases)
{
  guint n_known = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);
      double low, high;

      n_known += dyno_rate_interval_find (kase->result, 1, &low, &high);
    }
  if (n_known == 0)
    return _ ("No bands: too few steps for a CI of the rate.");
  if (n_known < cases->len)
    return _ ("Bands: 95 % CI of the rate, within this process; none where there are too few steps.");
  return _ ("Bands: 95 % CI of the rate, within this process.");
}
