/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-subject-charts.h"
#include "dyno-unit.h"

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (DynoTrace) trace = dyno_chart_guard_trace (dyno_chart_get_subject (chart));
  g_autoptr (DynoSeries) series = dyno_series_new_from_trace (dyno_trace_get_name (trace), 0, trace);

  dyno_chart_set_empty_message (chart, _ ("Waiting for the first reading."));
  dyno_chart_add_series (chart, series);
  if (dyno_series_get_length (series) > 0)
    {
      gboolean is_memory = g_str_has_prefix (dyno_trace_get_name (trace), "memory");
      guint length = dyno_series_get_length (series);
      double least = 0;
      double most = 1;

      dyno_series_get_extent (series, 0, length, &least, &most);
      DynoAxis *y_axis = dyno_linear_axis_new_nice (is_memory ? _ ("Memory") : _ ("Latency"),
                                                    dyno_trace_get_unit (trace), is_memory ? 0 : least, most);
      dyno_axis_set_zoomable (y_axis, TRUE);
      dyno_chart_take_axes (
          chart,
          dyno_time_axis_new_between (dyno_series_get_x (series)[0], dyno_series_get_x (series)[length - 1]),
          y_axis);
      dyno_chart_take_layer (chart, is_memory ? dyno_area_layer_new (series, TRUE)
                                              : dyno_scatter_layer_new (series));
      g_autofree char *least_text = dyno_unit_format (least, dyno_trace_get_unit (trace));
      g_autofree char *most_text = dyno_unit_format (most, dyno_trace_get_unit (trace));
      dyno_chart_take_finding (chart, g_strdup_printf (
                                          /* Translators: the least and the greatest reading so far */
                                          _ ("Between %s and %s so far."), least_text, most_text));
    }
  dyno_time_table_add_head (chart, dyno_trace_get_name (trace), dyno_trace_get_unit (trace));
  dyno_time_table_add_series (chart, series, NULL);
}

DynoChart *
dyno_chart_new_for_trace (DynoTrace *trace, const char *title)
{
  static const DynoChartInfo info = { .build = build };

  g_return_val_if_fail (DYNO_IS_TRACE (trace), NULL);
  g_return_val_if_fail (title != NULL, NULL);

  DynoChart *chart = dyno_chart_create_for (&info, g_object_ref (trace), g_object_unref);
  dyno_chart_take_title (chart, g_strdup (title));
  return chart;
}
