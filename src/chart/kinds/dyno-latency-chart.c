/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

/* Room above the slowest step for the names of the phases, and below the fastest, as shares of the range. */
#define HEAD_ROOM 0.2
#define FOOT_ROOM 0.05
/* The minimum change between the first and the last quarter of the steps that the finding mentions. */
#define MIN_DRIFT 0.05
/* Shorter quarters are not compared. */
#define MIN_QUARTER 25
#define MAX_SAMPLE  4096

static gboolean
has_latency (DynoResult *result)
{
  return dyno_chart_cases_has_trace (result, "latency");
}

/* Returns the median of a range of steps; of a long one, of evenly spaced samples, which also show a drift. */
static double
get_median (const double *values, guint n)
{
  guint stride = MAX (n / MAX_SAMPLE, 1);
  g_autoptr (GArray) sample = g_array_sized_new (FALSE, FALSE, sizeof (double), n / stride + 1);

  for (guint i = 0; i < n; i += stride)
    g_array_append_vals (sample, values + i, 1);
  dyno_stats_sort ((double *)sample->data, sample->len);
  return dyno_stats_percentile ((const double *)sample->data, sample->len, 50);
}

static char *
describe_single (const DynoChartCase *kase, DynoSeries *series)
{
  DynoSample measured = dyno_result_get_measured (kase->result, 0);
  guint n_measured = (guint)measured.n;
  guint quarter = n_measured / 4;
  double before = quarter >= MIN_QUARTER ? get_median (measured.values, quarter) : 0;
  double drift = before > 0 ? get_median (measured.values + n_measured - quarter, quarter) / before - 1 : 0;
  double p50 = dyno_result_get_number (kase->result, "latency_p50_ms");
  g_autofree char *first = dyno_unit_format (dyno_series_get_y (series)[0], "ms");

  if (dyno_result_get_n_invocations (kase->result) > 1)
    {
      g_autofree char *modes = dyno_processes_dup_modes (kase->result);
      g_auto (GStrv) findings = dyno_processes_dup_findings (kase->result);

      return modes != NULL ? g_steal_pointer (&modes) : g_strdup (findings[0]);
    }
  if (fabs (drift) >= MIN_DRIFT)
    {
      g_autofree char *percent = dyno_unit_format_number (fabs (drift) * 100, 0);

      return drift > 0
                 ? g_strdup_printf (
                       _ ("Steps get slower: the last quarter takes %s %% longer than the first."), percent)
                 : g_strdup_printf (_ ("Steps get faster: the last quarter takes %s %% less than the first."),
                                    percent);
    }
  if (!isfinite (p50))
    return g_strdup_printf (_ ("The first step takes %s. No median was measured."), first);
  g_autofree char *median = dyno_unit_format (p50, "ms");
  if (n_measured < dyno_series_get_length (series))
    return g_strdup_printf (_ ("The first step takes %s; after warm-up, the median is %s."), first, median);
  return g_strdup_printf (_ ("The median latency is %s."), median);
}

static char *
describe_several (GPtrArray *cases, guint varying)
{
  const DynoChartCase *best = NULL;
  double least = INFINITY;

  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);
      double median = dyno_result_get_number (kase->result, "latency_p50_ms");

      if (median < least)
        {
          least = median;
          best = kase;
        }
    }
  if (best == NULL)
    return g_strdup (_ ("No median was measured."));
  g_autofree char *name = dyno_chart_cases_dup_name (best, varying);
  g_autofree char *value = dyno_unit_format (least, "ms");
  return g_strdup_printf (_ ("%s has the lowest median latency, %s."), name, value);
}

static DynoLayer *
create_layer (DynoSeries *series, gboolean is_single)
{
  return dyno_scatter_layer_new (series);
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  dyno_time_table_add_head (chart, _ ("Latency"), "ms");
  g_autoptr (GPtrArray) all =
      dyno_time_table_add_cases (chart, cases, "latency", "latency_p50_ms", create_layer);
  if (cases->len == 1)
    {
      /* The median of each process over its measurement makes modes visible. */
      DynoResult *result = ((DynoChartCase *)cases->pdata[0])->result;
      g_autoptr (DynoTrace) phases = dyno_chart_cases_join_trace (result, "phases");
      g_autoptr (DynoSeries) levels = dyno_series_new (_ ("Median of each process"), 1);
      guint n;
      g_autofree double *medians = dyno_result_dup_invocation_numbers (result, "latency_p50_ms", &n);
      guint number = 0;

      if (phases != NULL && n >= 2)
        {
          for (gsize i = 0; i + 1 < dyno_trace_get_length (phases) && number < n; i++)
            if ((int)dyno_trace_get_values (phases)[i] == DYNO_PHASE_MEASURE)
              {
                dyno_series_add (levels, dyno_trace_get_times (phases)[i] / 1e9, medians[number]);
                dyno_series_add (levels, dyno_trace_get_times (phases)[i + 1] / 1e9, medians[number++]);
              }
          dyno_chart_add_series (chart, levels);
          dyno_chart_take_layer (chart, dyno_guide_layer_new (levels, TRUE));
        }
    }
  double begin, end, least, most;
  dyno_series_get_common_extent (all, &begin, &end, &least, &most);
  DynoAxis *y_axis =
      dyno_log_axis_new_around (_ ("Latency of a step"), "ms", least, most, FOOT_ROOM, HEAD_ROOM);
  dyno_axis_set_zoomable (y_axis, TRUE);
  dyno_chart_take_axes (chart, dyno_time_axis_new_between (begin, end), y_axis);
  dyno_chart_take_finding (
      chart, cases->len == 1 ? describe_single (g_ptr_array_index (cases, 0), g_ptr_array_index (all, 0))
                             : describe_several (cases, dyno_chart_cases_get_varying (cases)));
}

const DynoChartInfo dyno_latency_chart = {
  .name = "latency-time",
  .label = N_ ("Latency over time"),
  .empty = N_ ("There are no latencies per step."),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_OF_ONE_CASE,
  .has_data = has_latency,
  .limit = DYNO_CHART_MAX_CASES,
  .build = build,
};
