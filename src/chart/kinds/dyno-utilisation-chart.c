/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-metric.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

/* Room above 100 % for the names of the phases, but not for a number. */
#define HIGHEST 119

/* The traces most relevant to the work come first. */
static const char *const first[] = { "utilisation_device_global", "utilisation_device", "utilisation_process",
                                     "utilisation_cpu" };

static int
get_rank (DynoTrace *trace)
{
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    if (g_str_equal (dyno_trace_get_name (trace), first[i]))
      return (int)i;
  return G_N_ELEMENTS (first);
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  return get_rank (*(DynoTrace *const *)a) - get_rank (*(DynoTrace *const *)b);
}

/* Each trace goes on through all processes of the case, as those of the charts beside this one do. */
static GPtrArray *
list_traces (DynoResult *result)
{
  g_autoptr (GPtrArray) of_first = dyno_sensor_traces_list (result, DYNO_TRACES_USAGE);
  GPtrArray *traces = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < of_first->len; i++)
    g_ptr_array_add (traces, dyno_chart_cases_join_trace (result, dyno_trace_get_name (of_first->pdata[i])));
  g_ptr_array_sort (traces, compare_ranks);
  return traces;
}

static gboolean
has_usage (DynoResult *result)
{
  g_autoptr (GPtrArray) traces = list_traces (result);

  return traces->len > 0;
}

static char *
dup_value_name (DynoTrace *trace)
{
  return g_strconcat (dyno_trace_get_name (trace), "_percent", NULL);
}

static char *
dup_title (DynoTrace *trace)
{
  g_autofree char *value = dup_value_name (trace);

  return dyno_metric_title_dup (value);
}

static void
add_trace (DynoChart *chart, DynoTrace *trace, const char *name, guint slot, const DynoChartCase *kase)
{
  g_autoptr (DynoSeries) series = dyno_sensor_traces_create_means (trace, name, slot);

  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, dyno_area_layer_new (series, FALSE));
  dyno_time_table_add_series (chart, series, kase);
}

static double
get_end (DynoTrace *trace)
{
  return (double)dyno_trace_get_times (trace)[dyno_trace_get_length (trace) - 1] / 1e9;
}

static double
get_mean (const DynoChartCase *kase)
{
  g_autoptr (GPtrArray) traces = list_traces (kase->result);
  g_autofree char *value = dup_value_name (traces->pdata[0]);

  return dyno_result_get_number (kase->result, value);
}

static double
fill_single (DynoChart *chart, const DynoChartCase *kase)
{
  g_autoptr (GPtrArray) traces = list_traces (kase->result);
  g_autoptr (GPtrArray) results = g_ptr_array_new ();
  g_autofree char *first_title = dup_title (traces->pdata[0]);
  g_autofree char *percent = dyno_unit_format_percent (get_mean (kase));
  char *finding;
  g_autoptr (DynoTrace) phases = dyno_chart_cases_join_trace (kase->result, "phases");
  double end = 0;

  if (phases != NULL)
    dyno_chart_take_layer (chart, dyno_span_layer_new (phases));
  for (guint i = 0; i < MIN (traces->len, DYNO_CHART_MAX_CASES); i++)
    {
      g_autofree char *title = dup_title (traces->pdata[i]);

      add_trace (chart, traces->pdata[i], title, i, kase);
      end = MAX (end, get_end (traces->pdata[i]));
    }
  g_ptr_array_add (results, kase->result);
  finding = dyno_device_idle_dup (results);
  if (finding == NULL && isfinite (get_mean (kase)))
    /* Translators: a title such as “Processor utilisation”, and a percentage */
    finding = g_strdup_printf (_ ("%s: %s %% on average."), first_title, percent);
  dyno_chart_take_finding (chart, finding != NULL ? finding : g_strdup (first_title));
  return end;
}

static char *
describe_several (GPtrArray *cases, guint varying)
{
  const DynoChartCase *most = NULL;
  const DynoChartCase *least = NULL;

  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);

      if (!isfinite (get_mean (kase)))
        continue;
      most = most == NULL || get_mean (kase) > get_mean (most) ? kase : most;
      least = least == NULL || get_mean (kase) < get_mean (least) ? kase : least;
    }
  if (most == NULL || most == least)
    return g_strdup (_ ("Fewer than two cases have an average utilisation."));

  g_autofree char *most_name = dyno_chart_cases_dup_name (most, varying);
  g_autofree char *least_name = dyno_chart_cases_dup_name (least, varying);
  g_autofree char *most_text = dyno_unit_format_percent (get_mean (most));
  g_autofree char *least_text = dyno_unit_format_percent (get_mean (least));

  /* Translators: a case and a percentage, twice */
  return g_strdup_printf (_ ("%s is busiest, %s %% on average; %s is least busy, %s %%."), most_name,
                          most_text, least_name, least_text);
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  DynoAxis *y_axis = dyno_linear_axis_new (_ ("Utilisation"), "%");
  guint varying = dyno_chart_cases_get_varying (cases);
  double end = 0;

  dyno_axis_set_range (y_axis, 0, HIGHEST);
  dyno_time_table_add_head (chart, _ ("Utilisation"), "%");
  if (cases->len == 1)
    end = fill_single (chart, g_ptr_array_index (cases, 0));
  else
    dyno_chart_take_finding (chart, describe_several (cases, varying));
  /* Each of several cases has the line of the part most relevant to its work. */
  for (guint i = 0; cases->len > 1 && i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);
      g_autoptr (GPtrArray) traces = list_traces (kase->result);
      g_autofree char *value = dup_value_name (traces->pdata[0]);
      g_autofree char *name = dyno_chart_cases_dup_marked_name (kase, varying, value);

      add_trace (chart, traces->pdata[0], name, dyno_chart_get_slot (chart, kase, DYNO_ALL_DIMENSIONS), kase);
      end = MAX (end, get_end (traces->pdata[0]));
    }
  dyno_chart_take_axes (chart, dyno_time_axis_new_between (0, end), y_axis);
}

const DynoChartInfo dyno_utilisation_chart = {
  .name = "utilisation-timeline",
  .label = N_ ("Utilisation over time"),
  .empty =
      N_ ("No sensor says how busy the processors or the device were. “dyno-cli hardware --all” lists the "
          "sensors."),
  .group = DYNO_CHART_GROUP_ENERGY,
  .flags = DYNO_CHART_OF_ONE_CASE | DYNO_CHART_IS_WIDE,
  .has_data = has_usage,
  .limit = DYNO_CHART_MAX_CASES,
  .build = build,
};
