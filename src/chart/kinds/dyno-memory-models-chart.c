/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

/* Room above the highest reading for the names of phases. */
#define HEAD_ROOM 0.5

static gboolean
has_memory (DynoResult *result)
{
  return dyno_chart_cases_has_trace (result, "memory_rss");
}

/* The kernel keeps the maximum over all time; the readings only sample it. */
static double
get_peak (const DynoChartCase *kase)
{
  DynoTrace *memory = dyno_result_get_trace (kase->result, "memory_rss");
  double peak = dyno_result_get_number (kase->result, "memory_peak_mb");

  if (isfinite (peak))
    return peak;
  for (gsize i = 0; i < dyno_trace_get_length (memory); i++)
    peak = fmax (peak, dyno_trace_get_values (memory)[i]);
  return peak;
}

/* Returns the case of a model that uses the most memory. */
static const DynoChartCase *
find_most (GPtrArray *cases)
{
  const DynoChartCase *most = g_ptr_array_index (cases, 0);

  for (guint i = 1; i < cases->len; i++)
    if (get_peak (cases->pdata[i]) > get_peak (most))
      most = cases->pdata[i];
  return most;
}

/* The other processes repeat the readings of the first. */
static DynoSeries *
create_series (DynoChart *chart, const DynoChartCase *kase)
{
  DynoTrace *memory = dyno_result_get_trace (kase->result, "memory_rss");
  DynoSeries *series =
      dyno_series_new (_ ("Worker memory"), dyno_chart_get_slot (chart, kase, DYNO_COLOR_DIMENSIONS));

  for (gsize i = 0; i < dyno_trace_get_length (memory); i++)
    dyno_series_add (series, dyno_trace_get_times (memory)[i] / 1e9, dyno_trace_get_values (memory)[i]);
  return series;
}

static void
fill_panel (DynoChart *chart, GPtrArray *cases, guint varying, GPtrArray *leaders)
{
  const DynoChartCase *kase = find_most (cases);
  g_autofree char *model = dyno_chart_cases_dup_name (kase, DYNO_DIMENSION_MODEL);
  g_autofree char *part = dyno_chart_cases_dup_part_name (kase, varying);
  g_autofree char *peak = dyno_unit_format (get_peak (kase), "MB");
  g_autoptr (DynoSeries) series = create_series (chart, kase);
  DynoTrace *phases = dyno_result_get_trace (kase->result, "phases");
  guint length = dyno_series_get_length (series);
  DynoAxis *axis =
      dyno_linear_axis_new_nice (_ ("Worker memory"), "MB", 0, get_peak (kase) * (1 + HEAD_ROOM));

  dyno_axis_set_zoomable (axis, TRUE);
  dyno_chart_begin_panel (chart, model);
  dyno_chart_name_panel_axis (chart);
  dyno_chart_take_axes (chart, dyno_time_axis_new_between (0, dyno_series_get_x (series)[length - 1]), axis);
  /* Translators: an engine and a size, and the highest amount of memory */
  dyno_chart_take_panel_finding (chart, g_strdup_printf (_ ("%s: peak %s"), part, peak));
  if (phases != NULL)
    dyno_chart_take_layer (chart, dyno_time_table_create_spans (phases, kase));
  dyno_series_follow (series, leaders);
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, dyno_area_layer_new (series, TRUE));
  dyno_time_table_add_series (chart, series, kase);
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) models = dyno_chart_cases_part_by_model (cases);
  g_autoptr (GPtrArray) leaders = g_ptr_array_new ();
  guint varying = dyno_chart_cases_get_varying_within_models (cases);
  const DynoChartCase *most = find_most (cases);
  g_autofree char *model = dyno_chart_cases_dup_name (most, DYNO_DIMENSION_MODEL);
  g_autofree char *peak = dyno_unit_format (get_peak (most), "MB");

  dyno_chart_table_add_case_columns (dyno_chart_build_table (chart), cases, DYNO_DIMENSION_MODEL);
  dyno_time_table_add_head (chart, _ ("Memory"), "MB");
  for (guint i = 0; i < models->len; i++)
    fill_panel (chart, models->pdata[i], varying, leaders);
  dyno_chart_take_finding (chart, g_strdup_printf (models->len > 1
                                                       ?
                                                       /* Translators: a model, and an amount of memory */
                                                       _ ("%s needs the most memory, %s.")
                                                       :
                                                       /* Translators: a model, and an amount of memory */
                                                       _ ("%s needs up to %s."),
                                                   model, peak));
  dyno_chart_take_caption (chart, dyno_chart_cases_dup_caption (cases, 0));
  dyno_chart_take_note (
      chart,
      g_strdup (_ ("Of each model the case that needs the most: its first process, and the peak of all.")));
}

const DynoChartInfo dyno_memory_models_chart = {
  .name = "memory-models",
  .label = N_ ("Memory of the models"),
  .empty = N_ ("There are no memory readings."),
  .group = DYNO_CHART_GROUP_MEMORY,
  .flags = DYNO_CHART_IS_WIDE,
  .has_data = has_memory,
  .build = build,
};
