/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-phase.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"

static const struct
{
  const char *name;
  double percent;
} percentiles[] = {
  { "latency_p50_ms", 50 }, { "latency_p90_ms", 90 },    { "latency_p95_ms", 95 },
  { "latency_p99_ms", 99 }, { "latency_p999_ms", 99.9 },
};

double
dyno_result_get_percentile (const char *name)
{
  g_return_val_if_fail (name != NULL, -1);
  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++)
    if (g_str_equal (percentiles[i].name, name))
      return percentiles[i].percent;
  return -1;
}

/* Returns the index of the first reading at @time or later. */
static gsize
find_time (DynoTrace *trace, gint64 time)
{
  const gint64 *times = dyno_trace_get_times (trace);
  gsize low = 0;
  gsize high = dyno_trace_get_length (trace);

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (times[middle] < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

DynoSample
dyno_result_get_measured (DynoResult *self, guint invocation)
{
  DynoTrace *latency = dyno_result_get_invocation_trace (self, "latency", invocation);
  DynoTrace *phases = dyno_result_get_invocation_trace (self, "phases", invocation);
  gsize n_phases = phases != NULL ? dyno_trace_get_length (phases) : 0;
  gsize first = 0, end;

  if (latency == NULL)
    return (DynoSample){ 0 };
  end = dyno_trace_get_length (latency);
  for (gsize i = 0; i < n_phases; i++)
    if ((int)dyno_trace_get_values (phases)[i] == DYNO_PHASE_MEASURE)
      {
        first = find_time (latency, dyno_trace_get_times (phases)[i]);
        end = i + 1 < n_phases ? find_time (latency, dyno_trace_get_times (phases)[i + 1]) : end;
      }
  return (DynoSample){ dyno_trace_get_values (latency) + first, end > first ? end - first : 0 };
}

/* Returns the number of one process, or of a case without invocations; NaN if there is none. */
static double
get_process_number (DynoResult *self, guint invocation, const char *name)
{
  GPtrArray *invocations = dyno_result_get_invocations (self);

  for (guint i = 0; i < invocations->len; i++)
    if (((DynoInvocation *)invocations->pdata[i])->number == invocation)
      return dyno_invocation_get_number (invocations->pdata[i], name);
  return dyno_result_get_number (self, name);
}

DynoSample
dyno_result_get_steady (DynoResult *self, guint invocation)
{
  DynoSample sample = dyno_result_get_measured (self, invocation);
  double n_steady = get_process_number (self, invocation, "latency_samples");

  if (!(n_steady >= 0 && n_steady < (double)sample.n))
    return sample;
  sample.values += sample.n - (gsize)n_steady;
  sample.n = (gsize)n_steady;
  return sample;
}

gboolean
dyno_result_is_undisturbed (DynoResult *self)
{
  return isfinite (dyno_result_get_number (self, "latency_all_p50_ms"));
}

GArray *
dyno_result_dup_undisturbed (DynoResult *self, guint invocation)
{
  DynoSample steady = dyno_result_get_steady (self, invocation);
  DynoTrace *latency = dyno_result_get_invocation_trace (self, "latency", invocation);
  DynoTrace *windows = dyno_result_get_invocation_trace (self, "undisturbed", invocation);
  GArray *undisturbed;

  if (steady.n == 0 || windows == NULL ||
      !isfinite (get_process_number (self, invocation, "latency_all_p50_ms")))
    return NULL;
  undisturbed = g_array_new (FALSE, FALSE, sizeof (double));
  for (gsize i = 0; i < steady.n; i++)
    {
      gsize index = (gsize)(steady.values - dyno_trace_get_values (latency)) + i;
      gsize window = find_time (windows, dyno_trace_get_times (latency)[index]);

      if (window < dyno_trace_get_length (windows) && dyno_trace_get_values (windows)[window] > 0)
        g_array_append_val (undisturbed, steady.values[i]);
    }
  return undisturbed;
}

GPtrArray *
dyno_result_list_median_samples (DynoResult *self)
{
  GPtrArray *invocations = dyno_result_get_invocations (self);
  GPtrArray *samples = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  gboolean is_undisturbed = dyno_result_is_undisturbed (self);

  for (guint i = 0; i < MAX (invocations->len, 1); i++)
    {
      guint number = i < invocations->len ? ((const DynoInvocation *)invocations->pdata[i])->number : 0;
      DynoSample steady = dyno_result_get_steady (self, number);
      g_autoptr (GArray) values = is_undisturbed ? dyno_result_dup_undisturbed (self, number)
                                                 : g_array_new (FALSE, FALSE, sizeof (double));

      if (!is_undisturbed)
        g_array_append_vals (values, steady.values, (guint)steady.n);
      if (values != NULL && values->len > 0)
        g_ptr_array_add (samples, g_steal_pointer (&values));
    }
  return samples;
}

double *
dyno_result_dup_process_medians (DynoResult *self, guint *n)
{
  GPtrArray *invocations = dyno_result_get_invocations (self);
  gboolean is_undisturbed = dyno_result_is_undisturbed (self);
  double *medians = g_new (double, MAX (invocations->len, 1));
  double own = dyno_result_get_number (self, "latency_p50_ms");

  *n = 0;
  if (invocations->len == 0 && isfinite (own))
    medians[(*n)++] = own;
  for (guint i = 0; i < invocations->len; i++)
    {
      double median = dyno_invocation_get_number (invocations->pdata[i], "latency_p50_ms");
      double over_all = dyno_invocation_get_number (invocations->pdata[i], "latency_all_p50_ms");

      if (is_undisturbed && isnan (over_all))
        continue;
      median = !is_undisturbed && isfinite (over_all) ? over_all : median;
      if (isfinite (median))
        medians[(*n)++] = median;
    }
  return medians;
}

double
dyno_result_get_process_percentile (DynoResult *self, guint invocation, double percent)
{
  DynoSample steady =
      percent > 0 && percent < 100 ? dyno_result_get_steady (self, invocation) : (DynoSample){ 0 };
  g_autofree double *sorted = NULL;

  if (steady.n == 0)
    return NAN;
  sorted = g_memdup2 (steady.values, steady.n * sizeof (double));
  dyno_stats_sort (sorted, steady.n);
  return dyno_stats_percentile (sorted, steady.n, percent);
}

GArray *
dyno_result_list_steady (DynoResult *self)
{
  GPtrArray *invocations = dyno_result_get_invocations (self);
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (DynoSample));

  for (guint i = 0; i < MAX (invocations->len, 1); i++)
    {
      const DynoInvocation *invocation = i < invocations->len ? invocations->pdata[i] : NULL;
      DynoSample sample = dyno_result_get_steady (self, invocation != NULL ? invocation->number : 0);

      if (sample.n > 0)
        g_array_append_val (samples, sample);
    }
  return samples;
}

gint64
dyno_result_get_process_end (DynoResult *self, guint invocation)
{
  DynoTrace *phases = dyno_result_get_invocation_trace (self, "phases", invocation);
  gsize length = phases != NULL ? dyno_trace_get_length (phases) : 0;

  return length > 0 ? MAX (dyno_trace_get_times (phases)[length - 1], 0) : 0;
}
