/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

/* Room above the highest reading for the names of phases. */
#define HEAD_ROOM 0.5

static gboolean
has_memory (DynoResult *result)
{
  return dyno_chart_cases_has_trace (result, "memory_rss");
}

static char *
describe_peak (DynoPhase phase, const char *stage, const char *value)
{
  if (phase == DYNO_PHASE_LOAD && stage != NULL)
    /* Translators: an amount of memory, and a part of a model, such as “decoder” */
    return g_strdup_printf (_ ("Memory peaks at %s while loading “%s”."), value, stage);
  switch (phase)
    {
    case DYNO_PHASE_LOAD:
      return g_strdup_printf (_ ("Memory peaks at %s while loading."), value);
    case DYNO_PHASE_FIRST_RUN:
      return g_strdup_printf (_ ("Memory peaks at %s during the first run."), value);
    case DYNO_PHASE_WARM_UP:
      return g_strdup_printf (_ ("Memory peaks at %s while warming up."), value);
    case DYNO_PHASE_MEASURE:
      return g_strdup_printf (_ ("Memory peaks at %s while measuring."), value);
    case DYNO_PHASE_ANALYSE:
      return g_strdup_printf (_ ("Memory peaks at %s during the analysis."), value);
    case DYNO_N_PHASES:
    default:
      return g_strdup_printf (_ ("Memory peaks at %s."), value);
    }
}

static double
get_peak (DynoSeries *series)
{
  return dyno_series_get_y (series)[dyno_series_find_greatest (series)];
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  double end = 0;

  dyno_time_table_add_head (chart, _ ("Memory"), "MB");
  g_autoptr (GPtrArray) all =
      dyno_time_table_add_cases (chart, cases, "memory_rss", "memory_peak_mb", dyno_area_layer_new);
  DynoSeries *most = g_ptr_array_index (all, 0);
  DynoSeries *least = most;
  for (guint i = 0; i < all->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (all, i);

      end = MAX (end, dyno_series_get_x (series)[dyno_series_get_length (series) - 1]);
      most = get_peak (series) > get_peak (most) ? series : most;
      least = get_peak (series) < get_peak (least) ? series : least;
    }
  DynoAxis *y_axis =
      dyno_linear_axis_new_nice (_ ("Worker memory"), "MB", 0, MAX (get_peak (most), 0) * (1 + HEAD_ROOM));
  dyno_axis_set_zoomable (y_axis, TRUE);
  dyno_chart_take_axes (chart, dyno_time_axis_new_between (0, end), y_axis);
  g_autofree char *most_text = dyno_unit_format (get_peak (most), "MB");
  g_autofree char *least_text = dyno_unit_format (get_peak (least), "MB");
  if (cases->len == 1)
    {
      /* The kernel keeps the maximum over all time; the readings only sample it. */
      DynoResult *result = ((DynoChartCase *)cases->pdata[0])->result;
      double kept = dyno_result_get_number (result, "memory_peak_mb");
      double time = dyno_series_get_x (most)[dyno_series_find_greatest (most)];
      g_autofree char *between = dyno_unit_format (kept, "MB");
      g_autoptr (DynoTrace) phases = dyno_chart_cases_join_trace (result, "phases");
      g_autoptr (DynoTrace) openings = dyno_chart_cases_join_trace (result, DYNO_STAGE_OPENINGS);
      g_autoptr (GArray) times = dyno_stage_times_list (result);
      g_auto (GStrv) stages = dyno_stage_times_dup_names (times);
      g_autofree char *sentence =
          describe_peak (dyno_span_layer_find_phase (phases, time),
                         dyno_span_layer_find_stage (openings, (const char *const *)stages, time), most_text);
      gboolean is_higher = kept > get_peak (most) && !g_str_equal (most_text, between);

      dyno_chart_take_finding (
          chart, is_higher ? g_strdup_printf (
                                 /* Translators: the first %s is a sentence, the second an amount of memory */
                                 _ ("%s Between readings it reached %s."), sentence, between)
                           : g_strdup (sentence));
      return;
    }
  dyno_chart_take_finding (chart, g_strdup_printf (_ ("%s uses the most memory, %s; %s uses the least, %s."),
                                                   dyno_series_get_name (most), most_text,
                                                   dyno_series_get_name (least), least_text));
}

const DynoChartInfo dyno_memory_chart = {
  .name = "memory",
  .label = N_ ("Memory over time"),
  .empty = N_ ("There are no memory readings."),
  .group = DYNO_CHART_GROUP_MEMORY,
  .flags = DYNO_CHART_OF_ONE_CASE,
  .has_data = has_memory,
  .limit = DYNO_CHART_MAX_CASES,
  .build = build,
};
