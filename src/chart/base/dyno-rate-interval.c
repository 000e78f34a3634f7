/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-distributions.h"
#include "dyno-latency-interval.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"

#define N_BATCHES 10

/* Returns the mean of each process. If there is only one, returns those of consecutive batches, whose lengths differ
 * by at most one step. */
static GArray *
find_means (DynoResult *result)
{
  g_autoptr (GArray) samples = dyno_result_list_steady (result);
  const DynoSample *only = &g_array_index (samples, DynoSample, 0);
  GArray *means = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; samples->len == 1 && only->n >= DYNO_RATE_INTERVAL_MIN_STEPS && i < N_BATCHES; i++)
    {
      gsize first = i * only->n / N_BATCHES;
      gsize end = (i + 1) * only->n / N_BATCHES;
      double mean = dyno_stats_mean (only->values + first, end - first);

      g_array_append_val (means, mean);
    }
  for (guint i = 0; samples->len > 1 && i < samples->len; i++)
    {
      const DynoSample *sample = &g_array_index (samples, DynoSample, i);
      double mean = dyno_stats_mean (sample->values, sample->n);

      g_array_append_val (means, mean);
    }
  return means;
}

gboolean
dyno_rate_interval_find (DynoResult *result, double rate, double *low, double *high)
{
  /* Computing the quantile is slow, and most cases have the same number of means: cache the last one. */
  static _Thread_local guint last_n_means;
  static _Thread_local double quantile;

  *low = *high = NAN;
  if (dyno_chart_cases_is_unsteady (result))
    return FALSE;
  g_autoptr (GArray) found = find_means (result);
  double *means = (double *)(void *)found->data;
  if (found->len < 2)
    return FALSE;
  if (dyno_latency_interval_get_kind (result) == DYNO_INTERVAL_RANGE)
    {
      double mean = dyno_stats_mean (means, found->len);

      dyno_stats_sort (means, found->len);
      *low = rate * mean / means[found->len - 1];
      *high = rate * mean / means[0];
      return TRUE;
    }
  if (found->len != last_n_means)
    quantile = dyno_stats_student_quantile (0.975, found->len - 1);
  last_n_means = found->len;
  /* Means of disturbed processes are skewed, and a rate is above zero, so their logarithms are taken. */
  for (guint i = 0; i < found->len; i++)
    means[i] = log (means[i]);
  double half = quantile * dyno_stats_standard_deviation (means, found->len) / sqrt (found->len);
  *low = rate * exp (-half);
  *high = rate * exp (half);
  return TRUE;
}

static const char *
get_words (GPtrArray *cases)
{
  DynoIntervalKind kind = DYNO_INTERVAL_WITHIN_PROCESS;

  for (guint i = 0; i < cases->len; i++)
    {
      DynoIntervalKind other =
          dyno_latency_interval_get_kind (((const DynoChartCase *)cases->pdata[i])->result);

      if (i > 0 && other != kind)
        return /* xgettext:no-c-format */ _ ("Bands: 95 % interval of the rate over processes; range of "
                                             "fewer than five; within the process of "
                                             "a single one.");
      kind = other;
    }
  if (kind == DYNO_INTERVAL_BETWEEN_PROCESSES)
    return /* xgettext:no-c-format */ _ ("Bands: 95 % interval of the rate over processes.");
  if (kind == DYNO_INTERVAL_RANGE)
    return _ ("Bands: range of the rates of the processes.");
  return /* xgettext:no-c-format */ _ ("Bands: 95 % interval of the rate, within this process.");
}

char *
dyno_rate_interval_dup_description (GPtrArray *cases)
{
  guint n_known = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);
      double low, high;

      n_known += dyno_rate_interval_find (kase->result, 1, &low, &high);
    }
  if (n_known == 0)
    return g_strdup (_ ("No bands: too few steps for an interval of the rate."));
  if (n_known < cases->len)
    /* Translators: %s is a sentence about bands */
    return g_strdup_printf (_ ("%s None where there are too few steps."), get_words (cases));
  return g_strdup (get_words (cases));
}
