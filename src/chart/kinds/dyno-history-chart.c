/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-comparison.h"
#include "dyno-metric.h"
#include "dyno-subject-charts.h"
#include "dyno-unit.h"

/* With more points than this, whiskers would hide everything. */
#define MAX_WHISKERS 300

/* Changes are small relative to the values, so the axis does not begin at zero; but noise must not fill it. */
#define LEAST_SPAN 0.1
#define MARGIN     0.15

/* A position between two runs, which are numbered from 1. */
#define BEFORE(point) ((point) + 0.5)

static char *
dup_time (gint64 microseconds)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (microseconds / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

  return local != NULL ? g_date_time_format (local, "%F %R") : g_strdup ("");
}

/* Points */

static void
add_points (DynoChart *chart, const DynoHistory *history, const DynoHistoryTrend *trend, GPtrArray *leaders)
{
  g_autoptr (DynoSeries) series = dyno_series_new (_ ("Runs"), 0);

  for (guint i = 0; i < trend->points->len; i++)
    {
      /* The subject of a point is its run, which opens when the point is activated. */
      const DynoHistoryPoint *point = trend->points->pdata[i];
      guint index = dyno_series_get_length (series);
      g_autofree char *time = dup_time (point->started_at);
      g_autofree char *number = dyno_unit_format (point->value, trend->unit);
      g_autofree char *ends = dyno_history_point_dup_ends (point);
      g_autofree char *low = dyno_unit_format (point->low, trend->unit);
      g_autofree char *high = dyno_unit_format (point->high, trend->unit);
      g_autofree char *value =
          *ends == '\0'
              ? g_strdup_printf (
                    /* Translators: the id of a run, when it began, and a value */
                    _ ("Run %.8s, %s: %s"), point->run_id, time, number)
              : g_strdup_printf (
                    /* Translators: the id of a run, when it began, a value, and what the two ends are that follow */
                    _ ("Run %.8s, %s: %s; %s: %s – %s"), point->run_id, time, number, ends, low, high);
      g_autofree char *baselines = dyno_history_dup_baselines (history, point);
      g_autofree char *text =
          *baselines != '\0'
              ? g_strdup_printf (
                    /* Translators: what is known of a run, and the names of the baselines it is */
                    _ ("%s; baseline %s"), value, baselines)
              : g_strdup (value);
      g_autoptr (DynoRun) run = dyno_run_new (point->run_id);

      dyno_series_add_with_band (series, i + 1, point->value, point->low, point->high);
      dyno_series_set_text (series, index, text);
      dyno_series_set_subject (series, index, run);
      dyno_series_set_hollow (series, index, !point->is_steady);
      if (!point->is_steady)
        dyno_series_set_doubt (series, index, DYNO_DOUBT_UNSTEADY);
    }
  dyno_series_follow (series, leaders);
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, trend->points->len <= MAX_WHISKERS ? dyno_bubble_layer_new (series)
                                                                   : dyno_scatter_layer_new (series));
}

/* Levels and changes */

static void
add_levels (DynoChart *chart, const DynoHistoryTrend *trend, GPtrArray *leaders)
{
  g_autoptr (DynoSeries) series = dyno_series_new (_ ("Level"), DYNO_CHART_N_COLORS - 1);
  const DynoHistorySegment *last = trend->segments->pdata[trend->segments->len - 1];

  for (guint i = 0; i < trend->segments->len; i++)
    {
      const DynoHistorySegment *segment = trend->segments->pdata[i];

      dyno_series_add (series, BEFORE (i > 0 ? segment->first : 0), segment->level);
    }
  dyno_series_add (series, BEFORE (trend->points->len), last->level);
  dyno_series_follow (series, leaders);
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, dyno_guide_layer_new (series, TRUE));
}

/* Draws a line at the value of each baseline. */
static void
add_baselines (DynoChart *chart,
               const DynoHistory *history,
               const DynoHistoryTrend *trend,
               GPtrArray *leaders)
{
  for (guint i = 0; i < history->baselines->len; i++)
    {
      const DynoBaseline *baseline = history->baselines->pdata[i];
      const DynoHistoryPoint *point = dyno_history_find_point (trend, baseline->run_id);
      g_autofree char *name = g_strdup_printf (_ ("Baseline “%s”"), baseline->name);

      if (point == NULL)
        continue;
      g_autoptr (DynoSeries) series = dyno_series_new (name, 1 + i % (DYNO_CHART_N_COLORS - 2));
      dyno_series_add (series, BEFORE (0), point->value);
      dyno_series_add (series, BEFORE (trend->points->len), point->value);
      dyno_series_follow (series, leaders);
      dyno_chart_add_series (chart, series);
      dyno_chart_take_layer (chart, dyno_guide_layer_new (series, FALSE));
    }
}

/* Axes */

static void
get_range (const DynoHistoryTrend *trend, double *least, double *most)
{
  *least = INFINITY;
  *most = -INFINITY;
  for (guint i = 0; i < trend->points->len; i++)
    {
      const DynoHistoryPoint *point = trend->points->pdata[i];
      gboolean has_ends = isfinite (point->low) && isfinite (point->high);

      *least = MIN (*least, has_ends ? MIN (point->low, point->value) : point->value);
      *most = MAX (*most, has_ends ? MAX (point->high, point->value) : point->value);
    }
}

static void
fill_panel (DynoChart *chart, const DynoHistory *history, const DynoHistoryTrend *trend, GPtrArray *leaders)
{
  DynoAxis *runs = dyno_linear_axis_new (_ ("Run"), "");
  g_autofree char *title = dyno_metric_title_dup (history->metric);
  double least, most;

  get_range (trend, &least, &most);
  dyno_axis_set_range (runs, BEFORE (0), BEFORE (trend->points->len));
  dyno_axis_set_zoomable (runs, TRUE);
  dyno_axis_set_counts (runs, TRUE);
  double margin = MARGIN * MAX (most - least, LEAST_SPAN * fabs (most));
  dyno_chart_take_axes (chart, runs,
                        dyno_linear_axis_new_nice (title, trend->unit,
                                                   least >= 0 ? MAX (least - margin, 0) : least - margin,
                                                   most + margin));
  if (trend->segments->len > 0)
    {
      DynoLayer *rules = dyno_rule_layer_new ();

      for (guint i = 1; i < trend->segments->len; i++)
        {
          const DynoHistorySegment *segment = trend->segments->pdata[i];
          g_autofree char *change = dyno_history_dup_change (history, segment);
          g_autoptr (GString) label = g_string_new (change);

          /* Names the settings in which the run differs; the table has their values. */
          for (guint k = 0; segment->changes != NULL && k < segment->changes->len; k++)
            g_string_append_printf (label, "%s%s", k > 0 ? ", " : ": ",
                                    ((DynoSideDifference *)segment->changes->pdata[k])->name);
          dyno_rule_layer_add (DYNO_RULE_LAYER (rules), BEFORE (segment->first), label->str);
        }
      dyno_chart_take_layer (chart, rules);
      add_levels (chart, trend, leaders);
    }
  add_baselines (chart, history, trend, leaders);
  add_points (chart, history, trend, leaders);
  dyno_chart_take_panel_finding (chart, dyno_history_dup_answer (history, trend));
}

/* Table */

static void
add_row (DynoChartTable *table, const DynoHistory *history, const DynoHistoryTrend *trend, guint number)
{
  const DynoHistoryPoint *point = trend->points->pdata[number];
  const DynoHistorySegment *segment = NULL;

  for (guint i = 0; i < trend->segments->len; i++)
    if (i == 0 || ((DynoHistorySegment *)trend->segments->pdata[i])->first <= number)
      segment = trend->segments->pdata[i];
  gboolean begins = segment != NULL && segment->first == number && !isnan (segment->ratio);
  g_autofree char *time = dup_time (point->started_at);
  g_autofree char *change = begins ? dyno_history_dup_change (history, segment) : NULL;
  g_autofree char *changes = begins ? dyno_history_dup_changes (segment) : NULL;
  g_autofree char *baselines = dyno_history_dup_baselines (history, point);

  dyno_chart_table_begin_row (table, NULL);
  dyno_chart_table_add_text (table, trend->label);
  dyno_chart_table_add_text (table, point->run_id);
  dyno_chart_table_add_text (table, time);
  dyno_chart_table_add_number (table, point->value);
  dyno_chart_table_add_number (table, point->low);
  dyno_chart_table_add_number (table, point->high);
  dyno_chart_table_add_number (table, point->n_processes);
  dyno_chart_table_add_number (table, segment != NULL ? segment->level : NAN);
  dyno_chart_table_add_text (table, point->is_steady ? "" : _ ("never steady"));
  dyno_chart_table_add_text (table, change != NULL ? change : "");
  dyno_chart_table_add_text (table, changes != NULL ? changes : "");
  dyno_chart_table_add_text (table, baselines);
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  DynoHistory *history = dyno_chart_get_subject (chart);
  g_autoptr (GPtrArray) leaders = g_ptr_array_new ();
  g_autofree char *metric = dyno_metric_title_dup (history->metric);

  /* Translators: a metric */
  dyno_chart_take_title (chart, g_strdup_printf (_ ("%s over the runs"), metric));
  dyno_chart_set_empty_message (chart, _ ("No run of this machine has this value of the case."));
  for (guint i = 0; i < history->trends->len; i++)
    {
      const DynoHistoryTrend *trend = history->trends->pdata[i];

      dyno_chart_begin_panel (chart, trend->label);
      fill_panel (chart, history, trend, leaders);
    }
  if (history->trends->len == 0)
    return;
  DynoChartTable *table = dyno_chart_build_table (chart);
  const DynoHistoryTrend *first = history->trends->pdata[0];
  double least, most;
  get_range (first, &least, &most);
  dyno_chart_table_add_columns (table, _ ("Case"), _ ("Run"), _ ("Started"), NULL);
  dyno_chart_table_add_quantity (table, metric, first->unit, least, most);
  dyno_chart_table_add_quantity (table, _ ("From"), first->unit, least, most);
  dyno_chart_table_add_quantity (table, _ ("To"), first->unit, least, most);
  dyno_chart_table_add_column (table, _ ("Processes"));
  dyno_chart_table_add_quantity (table, _ ("Level"), first->unit, least, most);
  dyno_chart_table_add_columns (table, _ ("Status"), _ ("Change"), _ ("What changed there"), _ ("Baseline"),
                                NULL);
  for (guint i = 0; i < history->trends->len; i++)
    for (guint k = 0; k < ((DynoHistoryTrend *)history->trends->pdata[i])->points->len; k++)
      add_row (table, history, history->trends->pdata[i], k);
  dyno_chart_take_note (chart, g_strdup (/* xgettext:no-c-format */ _ (
                                   "Whiskers: range of the processes of a run; of a single one, its "
                                   "95 % interval. Hollow: never steady, not judged.")));
}

DynoChart *
dyno_history_chart_new (DynoHistory *history)
{
  static const DynoChartInfo info = { .name = "history", .build = build };

  g_return_val_if_fail (history != NULL, NULL);
  return dyno_chart_create_for (&info, dyno_history_ref (history), (GDestroyNotify)dyno_history_unref);
}
