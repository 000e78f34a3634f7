/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"

/* The maximum number of rows for each series in a table of readings over time; longer series have one row for
 * several readings. */
#define MAX_ROWS 500

void
dyno_time_table_add_head (DynoChart *chart, const char *title, const char *unit)
{
  g_autofree char *least = g_strdup_printf (_ ("%s, minimum (%s)"), title, unit);
  g_autofree char *most = g_strdup_printf (_ ("%s, maximum (%s)"), title, unit);

  dyno_chart_table_add_columns (dyno_chart_build_table (chart), _ ("Series"), _ ("Phase"), _ ("Time (s)"),
                                _ ("Readings"), least, most, NULL);
}

void
dyno_time_table_add_series (DynoChart *chart, DynoSeries *series, const DynoChartCase *kase)
{
  guint length = dyno_series_get_length (series);
  guint stride = (length + MAX_ROWS - 1) / MAX_ROWS;
  g_autoptr (DynoTrace) phases = kase != NULL ? dyno_chart_cases_join_trace (kase->result, "phases") : NULL;

  for (guint i = 0; i < length; i += stride)
    {
      DynoChartTable *table = dyno_chart_build_table (chart);
      guint end = MIN (i + stride, length);
      double seconds = dyno_series_get_x (series)[i];
      double least = 0;
      double most = 0;

      dyno_series_get_extent (series, i, end, &least, &most);
      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_text (table, dyno_series_get_name (series));
      dyno_chart_table_add_text (
          table, dyno_span_layer_get_phase_name (dyno_span_layer_find_phase (phases, seconds)));
      dyno_chart_table_add_number (table, seconds);
      dyno_chart_table_add_number (table, end - i);
      dyno_chart_table_add_number (table, least);
      dyno_chart_table_add_number (table, most);
    }
}

GPtrArray *
dyno_time_table_add_cases (
    DynoChart *chart, GPtrArray *cases, const char *trace, const char *value, DynoTimeLayer create_layer)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);
  const DynoChartCase *first = g_ptr_array_index (cases, 0);
  g_autoptr (DynoTrace) phases =
      cases->len == 1 ? dyno_chart_cases_join_trace (first->result, "phases") : NULL;
  guint varying = dyno_chart_cases_get_varying (cases);

  if (phases != NULL)
    dyno_chart_take_layer (chart, dyno_span_layer_new (phases));
  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);
      guint slot = dyno_chart_get_slot (chart, kase, DYNO_ALL_DIMENSIONS);
      DynoSeries *series = dyno_chart_cases_create_series (trace, kase, slot, varying, value);

      g_ptr_array_add (all, series);
      dyno_chart_add_series (chart, series);
      dyno_chart_take_layer (chart, create_layer (series, cases->len == 1));
      dyno_time_table_add_series (chart, series, kase);
    }
  return all;
}
