/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-case-check.h"
#include "dyno-insight-private.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"

static void
add (DynoCaseSamples *self, DynoSample sample, guint block)
{
  g_array_append_val (self->groups, sample);
  g_array_append_val (self->blocks, block);
}

DynoCaseSamples *
dyno_case_samples_new (DynoResult *result, const char *metric, gboolean undisturbed)
{
  DynoCaseSamples *self = g_new0 (DynoCaseSamples, 1);
  GPtrArray *invocations = dyno_result_get_invocations (result);
  double percent = dyno_result_get_percentile (metric);

  self->groups = g_array_new (FALSE, FALSE, sizeof (DynoSample));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (guint));
  self->numbers = g_new (double, MAX (invocations->len, 1));
  self->undisturbed = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  for (guint i = 0; i < MAX (invocations->len, 1); i++)
    {
      const DynoInvocation *invocation = i < invocations->len ? invocations->pdata[i] : NULL;
      guint number = invocation != NULL ? invocation->number : 0;

      if (undisturbed && percent == 50)
        {
          GArray *values = dyno_result_dup_undisturbed (result, number);

          if (values == NULL)
            continue;
          g_ptr_array_add (self->undisturbed, values);
          add (self, (DynoSample){ (const double *)(gpointer)values->data, values->len }, number);
        }
      else
        {
          /* The sample of one process: its steady latencies or a percentile of them, else the value itself. */
          DynoSample steady = percent > 0 ? dyno_result_get_steady (result, number) : (DynoSample){ 0 };
          double *place = &self->numbers[self->n_processes++];

          *place = steady.n > 0 && percent != 50
                       ? dyno_result_get_process_percentile (result, number, percent)
                   : invocation != NULL ? dyno_invocation_get_number (invocation, metric)
                                        : dyno_result_get_number (result, metric);
          if (isfinite (*place))
            add (self, steady.n > 0 && percent == 50 ? steady : (DynoSample){ place, 1 }, number);
        }
    }
  return self;
}

double
dyno_case_samples_get_number (DynoResult *result, DynoResult *other, const char *metric)
{
  gboolean is_over_all = dyno_result_get_percentile (metric) == 50 && dyno_result_is_undisturbed (result) &&
                         !dyno_result_is_undisturbed (other);

  return dyno_result_get_number (result, is_over_all ? "latency_all_p50_ms" : metric);
}

void
dyno_case_samples_free (DynoCaseSamples *self)
{
  g_array_unref (self->groups);
  g_array_unref (self->blocks);
  g_ptr_array_unref (self->undisturbed);
  g_free (self->numbers);
  g_free (self);
}

/* Rounds: turns that belong together */

/* Undisturbed rounds represent a block if there are so many, and no fewer than one in five. */
#define MIN_UNDISTURBED_ROUNDS 5
#define MIN_UNDISTURBED_PART   5

/* The series of the times whose median is a value. */
static const struct
{
  const char *metric;
  const char *series;
} of_rounds[] = {
  { "latency_p50_ms", "latency" },
  { "first_token_latency_ms", "first_token_latency" },
  { "inter_token_latency_ms", "inter_token_latency" },
};

const char *
dyno_round_ratios_find_series (const char *metric)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_rounds); i++)
    if (g_str_equal (of_rounds[i].metric, metric))
      return of_rounds[i].series;
  return NULL;
}

/* Returns the median of the series in each turn of an invocation; NULL if it had none. */
static GArray *
list_turns (DynoResult *result, guint number, const char *series)
{
  DynoTrace *turns = dyno_result_get_invocation_trace (result, "turns", number);
  DynoTrace *latency = dyno_result_get_invocation_trace (result, series, number);
  gsize n = turns != NULL && latency != NULL ? dyno_trace_get_length (turns) : 0;
  GArray *medians = n > 0 ? g_array_sized_new (FALSE, FALSE, sizeof (double), (guint)n) : NULL;
  gsize index = 0;

  for (gsize i = 0; i <= n && n > 0; i++)
    {
      const gint64 *times = dyno_trace_get_times (latency);
      gint64 before = i < n ? dyno_trace_get_times (turns)[i] : G_MAXINT64;
      gsize start = index;
      g_autofree double *sorted = NULL;
      double median;

      while (index < dyno_trace_get_length (latency) && times[index] < before)
        index++;
      sorted = g_memdup2 (dyno_trace_get_values (latency) + start, (index - start) * sizeof (double));
      dyno_stats_sort (sorted, index - start);
      median = dyno_stats_percentile (sorted, index - start, 50); /* NaN if no step began in this turn */
      if (i > 0)                                                  /* before the first turn it warmed up */
        g_array_append_val (medians, median);
    }
  return medians;
}

/* Returns whether other programs disturbed a turn; FALSE if that is unknown. */
static gboolean
is_disturbed (DynoResult *result, guint number, guint turn)
{
  DynoTrace *turns = dyno_result_get_invocation_trace (result, "turns", number);
  DynoTrace *windows = dyno_result_get_invocation_trace (result, "undisturbed", number);
  gsize n = windows != NULL ? dyno_trace_get_length (windows) : 0;
  gint64 from = dyno_trace_get_times (turns)[turn];
  gint64 until =
      turn + 1 < dyno_trace_get_length (turns) ? dyno_trace_get_times (turns)[turn + 1] : G_MAXINT64;

  for (gsize i = 0; i < n; i++)
    if (dyno_trace_get_times (windows)[i] > from && dyno_trace_get_times (windows)[i] <= until &&
        !(dyno_trace_get_values (windows)[i] > 0))
      return TRUE;
  return FALSE;
}

gboolean
dyno_round_ratios_exist (DynoResult *baseline, DynoResult *result)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  if (dyno_result_get_trace (baseline, "turns") == NULL || dyno_result_get_trace (result, "turns") == NULL)
    return FALSE;
  before = dyno_case_dup_work (dyno_result_get_case (baseline));
  after = dyno_case_dup_work (dyno_result_get_case (result));
  return g_str_equal (before, after);
}

DynoRoundRatios *
dyno_round_ratios_new (DynoResult *baseline, DynoResult *result, const char *metric)
{
  g_autoptr (DynoRoundRatios) self = NULL;
  GPtrArray *invocations = dyno_result_get_invocations (baseline);
  const char *series = dyno_round_ratios_find_series (metric);

  if (series == NULL)
    return NULL;
  self = g_new0 (DynoRoundRatios, 1);
  self->blocks = g_array_new (FALSE, FALSE, sizeof (DynoSample));
  self->numbers = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  for (guint k = 0; k < invocations->len; k++)
    {
      guint number = ((const DynoInvocation *)invocations->pdata[k])->number;
      g_autoptr (GArray) before = list_turns (baseline, number, series);
      g_autoptr (GArray) after = list_turns (result, number, series);
      guint n = before != NULL && after != NULL ? MIN (before->len, after->len) : 0;
      g_autoptr (GArray) ratios = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GArray) undisturbed = g_array_new (FALSE, FALSE, sizeof (double));
      GArray *chosen = ratios;
      DynoSample block;

      if (n == 0)
        continue;
      for (guint i = 0; i < n; i++)
        {
          double ratio = g_array_index (after, double, i) / g_array_index (before, double, i);

          g_array_append_val (ratios, ratio);
          if (!is_disturbed (baseline, number, i) && !is_disturbed (result, number, i))
            g_array_append_val (undisturbed, ratio);
        }
      /* Rounds in which neither turn was disturbed have the say where there are enough of them. */
      if (undisturbed->len >= MIN_UNDISTURBED_ROUNDS && undisturbed->len * MIN_UNDISTURBED_PART >= n)
        chosen = undisturbed;
      g_ptr_array_add (self->numbers, g_array_ref (chosen));
      block = (DynoSample){ (const double *)(gpointer)chosen->data, chosen->len };
      g_array_append_val (self->blocks, block);
      self->n_rounds += chosen->len;
    }
  return self->blocks->len > 0 ? g_steal_pointer (&self) : NULL;
}

void
dyno_round_ratios_free (DynoRoundRatios *self)
{
  g_array_unref (self->blocks);
  g_ptr_array_unref (self->numbers);
  g_free (self);
}
