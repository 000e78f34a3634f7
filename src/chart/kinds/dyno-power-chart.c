/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-phase.h"
#include "dyno-unit.h"

/* Room above the highest reading for the names of the phases. */
#define HEAD_ROOM 0.55

/* The lines of a chart. */
typedef struct
{
  GPtrArray *all;
  guint n_estimated;
} Power;

static gboolean
has_power (DynoResult *result)
{
  g_autoptr (GPtrArray) traces = dyno_sensor_traces_list (result, DYNO_TRACES_POWER);

  return traces->len > 0;
}

/* An estimated trace is not filled, and its name says so. */
static void
add_trace (Power *power,
           DynoChart *chart,
           const char *plain,
           guint slot,
           DynoTrace *trace,
           gboolean filled,
           const DynoChartCase *kase)
{
  /* A case may have measured parts beside an estimated one. */
  g_autofree char *energy = g_strdup_printf ("energy_%s_joules", dyno_sensor_traces_get_part (trace));
  gboolean estimated = strcmp (dyno_sensor_traces_get_part (trace), "estimate") == 0 ||
                       dyno_chart_cases_is_estimated (kase->result, energy);
  g_autofree char *name = dyno_energy_quality_dup_name (estimated, plain);
  DynoSeries *series = dyno_sensor_traces_create_means (trace, name, slot);

  g_ptr_array_add (power->all, series);
  power->n_estimated += estimated;
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, dyno_area_layer_new (series, filled && !estimated));
  dyno_time_table_add_series (chart, series, kase);
}

/* --- one case: parts, temperature, throttling --- */

static void
add_temperatures (DynoChart *chart, DynoResult *result, guint slot)
{
  g_autoptr (GPtrArray) traces = dyno_sensor_traces_list (result, DYNO_TRACES_TEMPERATURE);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  double begin, end, least, most;

  for (guint i = 0; i < traces->len && i < DYNO_CHART_MAX_CASES; i++)
    {
      DynoTrace *trace = g_ptr_array_index (traces, i);
      g_autofree char *name = g_strdup_printf (_ ("Temperature: %s"), dyno_trace_get_name (trace) +
                                                                          strlen (DYNO_TRACES_TEMPERATURE));
      DynoSeries *series = dyno_series_new_from_trace (name, slot + i, trace);

      g_ptr_array_add (all, series);
      dyno_chart_add_series (chart, series);
      dyno_chart_take_lower_layer (chart, dyno_area_layer_new (series, FALSE));
    }
  dyno_series_get_common_extent (all, &begin, &end, &least, &most);
  if (all->len > 0)
    dyno_chart_take_lower_axis (chart, dyno_linear_axis_new_nice (_ ("Temperature"), "°C", least, most));
}

/* Returns the throttled share of the measurement, for the most throttled sensor. */
static double
get_throttled_share (DynoResult *result)
{
  g_autoptr (GPtrArray) traces = dyno_sensor_traces_list (result, DYNO_TRACES_THROTTLED);
  DynoTrace *phases = dyno_result_get_trace (result, "phases");
  double worst = 0;

  for (guint i = 0; i < traces->len; i++)
    {
      DynoTrace *trace = g_ptr_array_index (traces, i);
      const gint64 *times = dyno_trace_get_times (trace);
      gint64 inside = 0;
      gint64 throttled = 0;

      for (gsize j = 1; j < dyno_trace_get_length (trace); j++)
        {
          gint64 length = times[j] - times[j - 1];

          if (phases != NULL && dyno_span_layer_find_phase (phases, times[j - 1] / 1e9) != DYNO_PHASE_MEASURE)
            continue;
          inside += length;
          throttled += dyno_trace_get_values (trace)[j - 1] > 0 ? length : 0;
        }
      worst = inside > 0 ? MAX (worst, (double)throttled / inside) : worst;
    }
  return worst;
}

static char *
describe_temperature (DynoResult *result)
{
  g_autoptr (GPtrArray) traces = dyno_sensor_traces_list (result, DYNO_TRACES_TEMPERATURE);
  double most = -INFINITY;

  if (traces->len == 0)
    return g_strdup ("");
  const double *values = dyno_trace_get_values (traces->pdata[0]);
  for (gsize i = 0; i < dyno_trace_get_length (traces->pdata[0]); i++)
    most = MAX (most, values[i]);
  g_autofree char *from = dyno_unit_format_number (values[0], 0);
  g_autofree char *to = dyno_unit_format_number (most, 0);
  if (strcmp (from, to) == 0)
    return g_strdup_printf (_ ("The temperature stays at %s °C."), to);
  return g_strdup_printf (_ ("The temperature rises from %s °C to %s °C."), from, to);
}

static char *
describe_power (const DynoChartCase *kase, DynoSeries *series)
{
  double average = dyno_result_get_number (kase->result, "power_avg_watts");
  double most = dyno_result_get_number (kase->result, "power_max_watts");
  g_autofree char *average_text =
      dyno_energy_quality_dup_amount (dyno_energy_quality_is_estimated (kase), average, "W");
  double least;

  if (!isfinite (average))
    dyno_series_get_extent (series, 0, dyno_series_get_length (series), &least, &most);
  g_autofree char *most_text = dyno_unit_format (most, "W");
  if (!isfinite (average))
    /* Translators: a part of the machine, and the most power it took */
    return g_strdup_printf (_ ("%s: up to %s."), dyno_series_get_name (series), most_text);
  if (!isfinite (most))
    return g_strdup_printf (_ ("Power is %s on average."), average_text);
  return g_strdup_printf (_ ("Power is %s on average and %s at its peak."), average_text, most_text);
}

static void
fill_single (Power *power, DynoChart *chart, const DynoChartCase *kase)
{
  g_autoptr (GPtrArray) traces = dyno_sensor_traces_list (kase->result, DYNO_TRACES_POWER);
  double share = get_throttled_share (kase->result);
  g_autofree char *percent = dyno_unit_format_percent (100 * share);
  g_autofree char *throttling =
      g_strdup_printf (_ ("The hardware is throttled for %s %% of the measurement."), percent);
  g_autofree char *temperature = describe_temperature (kase->result);
  /* The shades are behind the readings of both panels; the upper one has the names. */
  g_autoptr (GPtrArray) throttled = dyno_sensor_traces_list (kase->result, DYNO_TRACES_THROTTLED);
  DynoTrace *phases = dyno_result_get_trace (kase->result, "phases");

  if (phases != NULL)
    {
      DynoLayer *lower = dyno_span_layer_new (phases);

      dyno_span_layer_set_named (DYNO_SPAN_LAYER (lower), FALSE);
      dyno_chart_take_layer (chart, dyno_span_layer_new (phases));
      dyno_chart_take_lower_layer (chart, lower);
    }
  for (guint i = 0; i < throttled->len; i++)
    {
      dyno_chart_take_layer (chart, dyno_stretch_layer_new (throttled->pdata[i], _ ("Throttled")));
      dyno_chart_take_lower_layer (chart, dyno_stretch_layer_new (throttled->pdata[i], NULL));
    }

  for (guint i = 0; i < traces->len; i++)
    add_trace (power, chart, dyno_sensor_traces_get_part_name (traces->pdata[i]), i, traces->pdata[i],
               traces->len == 1, kase);
  add_temperatures (chart, kase->result, traces->len);
  g_autofree char *watts = describe_power (kase, g_ptr_array_index (power->all, 0));
  GString *finding = g_string_new (watts);
  dyno_sentences_append (finding, temperature);
  if (share > 0)
    dyno_sentences_append (finding, throttling);
  dyno_chart_take_finding (chart, g_string_free (finding, FALSE));
}

/* --- several cases --- */

static double
get_average (const DynoChartCase *kase)
{
  return dyno_result_get_number (kase->result, "power_avg_watts");
}

static const DynoChartCase *
find_extreme (GPtrArray *cases, gboolean greatest)
{
  const DynoChartCase *found = NULL;

  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);

      if (isfinite (get_average (kase)) &&
          (found == NULL ||
           (greatest ? get_average (kase) > get_average (found) : get_average (kase) < get_average (found))))
        found = kase;
    }
  return found;
}

static char *
describe_several (GPtrArray *cases, guint varying)
{
  const DynoChartCase *most = find_extreme (cases, TRUE);
  const DynoChartCase *least = find_extreme (cases, FALSE);
  gboolean estimated = most != NULL && dyno_energy_quality_is_estimated (most);

  if (most == NULL)
    return g_strdup (_ ("No average power is known."));
  g_autofree char *most_name = dyno_chart_cases_dup_name (most, varying);
  g_autofree char *most_text = dyno_energy_quality_dup_amount (estimated, get_average (most), "W");
  if (most == least && cases->len > 1)
    return g_strdup_printf (_ ("All cases use %s on average."), most_text);
  if (most == least)
    return g_strdup_printf (_ ("%s uses %s on average."), most_name, most_text);
  g_autofree char *least_name = dyno_chart_cases_dup_name (least, varying);
  g_autofree char *least_text = dyno_energy_quality_dup_amount (estimated, get_average (least), "W");
  return g_strdup_printf (_ ("%s uses the most power, %s on average; %s uses the least, %s."), most_name,
                          most_text, least_name, least_text);
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  Power power = { .all = all };
  double begin, end, least, most;

  dyno_chart_take_caption (chart, dyno_energy_quality_dup_caption (cases, dyno_chart_get_caption (chart)));
  dyno_time_table_add_head (chart, _ ("Power"), "W");
  if (cases->len == 1)
    fill_single (&power, chart, g_ptr_array_index (cases, 0));
  else
    {
      guint varying = dyno_chart_cases_get_varying (cases);
      g_autoptr (GPtrArray) comparable = dyno_energy_quality_select_comparable (cases);
      g_autofree char *finding = describe_several (comparable, varying);

      for (guint i = 0; i < cases->len; i++)
        {
          const DynoChartCase *kase = g_ptr_array_index (cases, i);
          g_autofree char *name = dyno_chart_cases_dup_marked_name (kase, varying, "power_avg_watts");

          add_trace (&power, chart, name, dyno_chart_get_slot (chart, kase, DYNO_ALL_DIMENSIONS),
                     dyno_sensor_traces_find_main_power (kase->result), FALSE, kase);
        }
      dyno_chart_take_finding (
          chart, dyno_energy_quality_dup_finding (dyno_energy_quality_from_cases (cases), finding));
    }
  g_autofree char *heading = dyno_energy_quality_dup_name (power.n_estimated == all->len, _ ("Power"));
  dyno_series_get_common_extent (all, &begin, &end, &least, &most);
  DynoAxis *y_axis = dyno_linear_axis_new_nice (heading, "W", 0, most * (1 + HEAD_ROOM));
  dyno_axis_set_zoomable (y_axis, TRUE);
  dyno_chart_take_axes (chart, dyno_time_axis_new_between (0, end), y_axis);
  DynoEnergyQuality quality = dyno_energy_quality_from_count (power.n_estimated, all->len);
  dyno_chart_take_title (chart, dyno_energy_quality_dup_heading (quality, dyno_chart_get_title (chart)));
}

const DynoChartInfo dyno_power_chart = {
  .name = "power-timeline",
  .label = N_ ("Power over time"),
  .dup_empty = dyno_chart_cases_dup_no_energy,
  .group = DYNO_CHART_GROUP_ENERGY,
  .flags = DYNO_CHART_OF_ONE_CASE | DYNO_CHART_IS_WIDE,
  .has_data = has_power,
  .limit = DYNO_CHART_MAX_CASES,
  .build = build,
};
