/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-run-summary.h"

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

/* Returns the names of the stages of a model of several graphs; empty for any other. @kase may be NULL. */
static char **
dup_stages (const DynoChartCase *kase)
{
  g_autoptr (GArray) stages = kase != NULL ? dyno_stage_times_list (kase->result) : NULL;

  return stages != NULL ? dyno_stage_times_dup_names (stages) : g_new0 (char *, 1);
}

void
dyno_time_table_add_series (DynoChart *chart, DynoSeries *series, const DynoChartCase *kase)
{
  guint length = dyno_series_get_length (series);
  guint stride = (length + MAX_ROWS - 1) / MAX_ROWS;
  g_autoptr (DynoTrace) phases = kase != NULL ? dyno_chart_cases_join_trace (kase->result, "phases") : NULL;
  g_autoptr (DynoTrace) openings =
      kase != NULL ? dyno_chart_cases_join_trace (kase->result, DYNO_STAGE_OPENINGS) : NULL;
  g_auto (GStrv) stages = dup_stages (kase);

  for (guint i = 0; i < length; i += stride)
    {
      DynoChartTable *table = dyno_chart_build_table (chart);
      guint end = MIN (i + stride, length);
      double seconds = dyno_series_get_x (series)[i];
      const char *stage = dyno_span_layer_find_stage (openings, (const char *const *)stages, seconds);
      const char *phase = dyno_span_layer_get_phase_name (dyno_span_layer_find_phase (phases, seconds));
      /* Translators: a phase of a case, such as “Load”, and a part of its model, such as “vision” */
      g_autofree char *both = stage != NULL ? g_strdup_printf (_ ("%s: %s"), phase, stage) : NULL;
      double least = 0;
      double most = 0;

      dyno_series_get_extent (series, i, end, &least, &most);
      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_text (table, dyno_series_get_name (series));
      dyno_chart_table_add_text (table, both != NULL ? both : phase);
      dyno_chart_table_add_number (table, seconds);
      dyno_chart_table_add_number (table, end - i);
      dyno_chart_table_add_number (table, least);
      dyno_chart_table_add_number (table, most);
    }
}

DynoLayer *
dyno_time_table_create_spans (DynoTrace *phases, const DynoChartCase *kase)
{
  DynoLayer *layer = dyno_span_layer_new (phases);
  g_auto (GStrv) stages = dup_stages (kase);

  dyno_span_layer_set_stages (DYNO_SPAN_LAYER (layer),
                              dyno_result_get_trace (kase->result, DYNO_STAGE_OPENINGS),
                              (const char *const *)stages);
  return layer;
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
    dyno_chart_take_layer (chart, dyno_time_table_create_spans (phases, first));
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
