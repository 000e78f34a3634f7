/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-unit.h"

/* Room behind the longest bar for its value, as a share of its length. */
#define LABEL_ROOM 0.18

/* From this ratio on, the two values say more than their ratio. */
#define MOST_TIMES 1000

#define MEDIAN "latency_p50_ms"
/* Values measured by other tools may lack a median. */
#define MEAN "latency_mean_ms"

static double
get_latency (const DynoChartCase *kase, const char *value)
{
  return dyno_result_get_number (kase->result, value);
}

static gboolean
has_median (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, MEDIAN));
}

static gboolean
has_mean (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, MEAN));
}

static const char *
get_quantity (const char *value)
{
  return g_str_equal (value, MEDIAN) ? _ ("Median latency") : _ ("Mean latency");
}

static void
get_interval (const DynoChartCase *kase, double *low, double *high)
{
  *low = dyno_result_get_number (kase->result, "latency_median_low_ms");
  *high = dyno_result_get_number (kase->result, "latency_median_high_ms");
}

static char *
describe (GPtrArray *sorted, const char *value, guint dimensions)
{
  const DynoChartCase *first = g_ptr_array_index (sorted, 0);
  const DynoChartCase *last = g_ptr_array_index (sorted, sorted->len - 1);
  g_autofree char *fastest = dyno_chart_cases_dup_name (first, dimensions);
  g_autofree char *slowest = dyno_chart_cases_dup_name (last, dimensions);
  g_autofree char *latency = dyno_unit_format (get_latency (first, value), "ms");
  g_autofree char *most = dyno_unit_format (get_latency (last, value), "ms");
  double times = get_latency (last, value) / get_latency (first, value);
  g_autofree char *ratio = dyno_unit_format_ratio (times);

  if (sorted->len == 1)
    return g_strdup_printf (_ ("%s takes %s per step."), fastest, latency);
  if (!(times < MOST_TIMES))
    return g_strdup_printf (g_str_equal (value, MEDIAN)
                                ? _ ("The median latency ranges from %s (%s) to %s (%s).")
                                : _ ("The mean latency ranges from %s (%s) to %s (%s)."),
                            latency, fastest, most, slowest);
  return g_strdup_printf (g_str_equal (value, MEDIAN)
                              ? _ ("The median latency ranges from %s (%s) to %s× that (%s).")
                              : _ ("The mean latency ranges from %s (%s) to %s× that (%s)."),
                          latency, fastest, ratio, slowest);
}

static void
add_rows (DynoChart *chart, GPtrArray *sorted, const char *value)
{
  DynoChartTable *table = dyno_chart_build_table (chart);
  double least = get_latency (g_ptr_array_index (sorted, 0), value);
  double most = get_latency (g_ptr_array_index (sorted, sorted->len - 1), value);

  dyno_chart_table_add_case_columns (table, sorted, 0);
  dyno_chart_table_add_quantity (table, get_quantity (value), "ms", least, most);
  dyno_chart_table_add_quantity (table, dyno_chart_cases_get_interval_heading (sorted, FALSE), "ms", least,
                                 most);
  dyno_chart_table_add_quantity (table, dyno_chart_cases_get_interval_heading (sorted, TRUE), "ms", least,
                                 most);
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      double low, high;

      get_interval (kase, &low, &high);
      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_number (table, get_latency (kase, value));
      dyno_chart_table_add_number (table, low);
      dyno_chart_table_add_number (table, high);
    }
}

static GPtrArray *
sort_cases (GPtrArray *cases, const char *value)
{
  GPtrArray *sorted = dyno_chart_cases_copy (cases);

  dyno_chart_cases_sort (sorted, value, FALSE);
  return sorted;
}

/* Draws the bars of one model below each other, from the fastest to the slowest. */
static void
fill_bars (DynoChart *chart, GPtrArray *cases, const char *value, guint varying, GPtrArray *leaders)
{
  g_autoptr (GPtrArray) sorted = sort_cases (cases, value);
  g_autoptr (DynoBars) bars = dyno_bars_new (chart, cases, varying, value, NULL);
  DynoAxis *values = dyno_linear_axis_new (get_quantity (value), "ms");
  double longest = get_latency (g_ptr_array_index (sorted, sorted->len - 1), value);

  if (leaders != NULL)
    {
      g_autofree char *model = dyno_chart_cases_dup_name (g_ptr_array_index (cases, 0), DYNO_DIMENSION_MODEL);

      dyno_chart_begin_panel (chart, model);
      g_autofree char *least = dyno_unit_format (get_latency (g_ptr_array_index (sorted, 0), value), "ms");
      g_autofree char *most =
          dyno_unit_format (get_latency (g_ptr_array_index (sorted, sorted->len - 1), value), "ms");
      dyno_chart_take_panel_finding (chart, sorted->len == 1 ? g_steal_pointer (&least)
                                                             : g_strdup_printf (_ ("%s to %s"), least, most));
      dyno_bars_set_in_panel (bars, leaders);
    }
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      g_autofree char *name = dyno_chart_cases_dup_name (
          kase, leaders != NULL ? varying & ~(guint)DYNO_DIMENSION_MODEL : varying);
      g_autofree char *latency = dyno_unit_format (get_latency (kase, value), "ms");
      double low, high;

      get_interval (kase, &low, &high);
      g_autofree char *from = dyno_unit_format (low, "ms");
      g_autofree char *to = dyno_unit_format (high, "ms");
      g_autofree char *text =
          isfinite (low) && isfinite (high)
              ? g_strdup_printf (
                    /* Translators: a case, its median latency, and the 95 % interval of that */
                    _ ("%s: %s, between %s and %s"), name, latency, from, to)
              : g_strdup_printf ("%s: %s", name, latency);
      dyno_bars_add (bars, kase, get_latency (kase, value), low, high, text);
    }
  dyno_axis_set_range (values, 0, longest * (1 + LABEL_ROOM));
  dyno_axis_set_limit (values, longest);
  dyno_bars_fill (bars, values);
}

static gboolean
has_numbers (DynoResult *result)
{
  return dyno_case_state_has_numbers (dyno_result_get_state (result));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  gboolean has_medians = dyno_chart_cases_any_has (cases, MEDIAN);
  const char *value = has_medians ? MEDIAN : MEAN;
  g_autoptr (GPtrArray) measured =
      dyno_chart_cases_select (cases, has_medians ? has_median : has_mean, G_MAXUINT);
  g_autofree char *nothing = dyno_chart_cases_dup_no_latency (cases);
  /* Cases that have only a rate are not in the chart, but in the total. */
  g_autoptr (GPtrArray) all = dyno_chart_cases_select (cases, has_numbers, G_MAXUINT);

  if (measured->len == 0 || measured->len >= all->len)
    dyno_chart_take_title (chart, g_strdup (_ ("Latency of all cases")));
  else
    dyno_chart_take_title (
        chart,
        /* Translators: how many cases are shown, and how many were measured */
        g_strdup_printf (ngettext ("Latency of %u of %u case", "Latency of %u of %u cases", all->len),
                         measured->len, all->len));
  dyno_chart_set_empty_message (chart, nothing);
  if (measured->len == 0)
    return;
  g_autoptr (GPtrArray) sorted = sort_cases (measured, value);
  guint varying = dyno_chart_cases_get_varying (measured);
  g_autoptr (GPtrArray) models = dyno_chart_cases_part_by_model (measured);
  g_autoptr (GPtrArray) leaders = g_ptr_array_new ();
  /* The differences between models are in the titles of the panels, and in the legend. */
  guint within = dyno_chart_cases_get_varying_within_models (measured) |
                 (varying & (DYNO_DIMENSION_RUN | DYNO_DIMENSION_DEVICE));
  /* If each model has a single case, the cases share a panel: one panel per bar would compare nothing. */
  if (models->len == 1 || models->len == measured->len)
    fill_bars (chart, measured, value, models->len == 1 ? varying : DYNO_DIMENSION_MODEL, NULL);
  else
    for (guint i = 0; i < models->len; i++)
      fill_bars (chart, g_ptr_array_index (models, i), value, within, leaders);
  dyno_chart_take_caption (chart, dyno_chart_cases_dup_caption (measured, 0));
  if (has_medians && dyno_chart_cases_any_has (measured, "latency_median_low_ms"))
    {
      g_autofree char *words = dyno_chart_cases_dup_interval_words (measured);

      /* Translators: %s is what the whiskers are, such as “95 % interval of the median over 5 processes” */
      dyno_chart_take_note (chart, g_strdup_printf (_ ("Whiskers: %s."), words));
    }
  dyno_chart_tell_doubtful (chart, measured);
  dyno_chart_take_finding (chart, describe (sorted, value, varying));
  add_rows (chart, sorted, value);
}

const DynoChartInfo dyno_comparison_chart = {
  .name = "comparison",
  .label = N_ ("Latency of all cases"),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_IS_WIDE,
  .build = build,
};
