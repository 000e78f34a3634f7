/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-bars.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-private.h"
#include "dyno-linear-axis.h"
#include "dyno-unit.h"

/* Room behind the longest bar for its value, as a share of its length. */
#define LABEL_ROOM 0.18

static double
get_latency (const DynoChartCase *kase)
{
  return dyno_result_get_number (kase->result, "latency_p50_ms");
}

static gboolean
has_latency (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "latency_p50_ms"));
}

static void
get_interval (const DynoChartCase *kase, double *low, double *high)
{
  *low = dyno_result_get_number (kase->result, "latency_median_low_ms");
  *high = dyno_result_get_number (kase->result, "latency_median_high_ms");
}

static int
compare_latencies (gconstpointer a, gconstpointer b)
{
  double left = get_latency (*(DynoChartCase *const *)a);
  double right = get_latency (*(DynoChartCase *const *)b);

  return left < right ? -1 : left > right;
}

static char *
describe_case (const DynoChartCase *kase, const char *name)
{
  g_autofree char *value = dyno_unit_format (get_latency (kase), "ms");
  double low, high;

  get_interval (kase, &low, &high);
  if (isfinite (low) && isfinite (high))
    {
      g_autofree char *from = dyno_unit_format (low, "ms");
      g_autofree char *to = dyno_unit_format (high, "ms");

      /* Translators: a case, its median latency, and the 95 % interval of that */
      return g_strdup_printf (_ ("%s: %s, between %s and %s"), name, value, from, to);
    }
  return g_strdup_printf ("%s: %s", name, value);
}

static char *
describe (GPtrArray *sorted, guint dimensions)
{
  const DynoChartCase *first = g_ptr_array_index (sorted, 0);
  const DynoChartCase *last = g_ptr_array_index (sorted, sorted->len - 1);
  g_autofree char *fastest = dyno_chart_cases_dup_name (first, dimensions);
  g_autofree char *slowest = dyno_chart_cases_dup_name (last, dimensions);
  g_autofree char *value = dyno_unit_format (get_latency (first), "ms");
  g_autofree char *ratio = dyno_unit_format_ratio (get_latency (last) / get_latency (first));

  if (sorted->len == 1)
    return g_strdup_printf (_ ("%s takes %s per step."), fastest, value);
  return g_strdup_printf (_ ("The median latency ranges from %s (%s) to %s× that (%s)."), value, fastest,
                          ratio, slowest);
}

static char *
describe_panel (GPtrArray *sorted)
{
  g_autofree char *least = dyno_unit_format (get_latency (g_ptr_array_index (sorted, 0)), "ms");
  g_autofree char *most = dyno_unit_format (get_latency (g_ptr_array_index (sorted, sorted->len - 1)), "ms");

  return sorted->len == 1 ? g_steal_pointer (&least) : g_strdup_printf (_ ("%s to %s"), least, most);
}

static void
add_rows (DynoChart *chart, GPtrArray *sorted)
{
  DynoChartTable *table = dyno_chart_build_table (chart);
  double least = get_latency (g_ptr_array_index (sorted, 0));
  double most = get_latency (g_ptr_array_index (sorted, sorted->len - 1));

  dyno_chart_table_add_case_columns (table, sorted, 0);
  dyno_chart_table_add_quantity (table, _ ("Median latency"), "ms", least, most);
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
      dyno_chart_table_add_number (table, get_latency (kase));
      dyno_chart_table_add_number (table, low);
      dyno_chart_table_add_number (table, high);
    }
}

static void
add_bar (DynoBars *bars, const DynoChartCase *kase, guint varying)
{
  g_autofree char *name = dyno_chart_cases_dup_name (kase, varying);
  g_autofree char *text = describe_case (kase, name);
  double low, high;

  get_interval (kase, &low, &high);
  dyno_bars_add (bars, kase, get_latency (kase), low, high, text);
}

static GPtrArray *
sort_cases (GPtrArray *cases)
{
  GPtrArray *sorted = g_ptr_array_copy (cases, NULL, NULL);

  g_ptr_array_set_free_func (sorted, NULL);
  g_ptr_array_sort (sorted, compare_latencies);
  return sorted;
}

/* Bars of one model below each other, from the fastest to the slowest. */
static void
fill_bars (DynoChart *chart, GPtrArray *cases, guint varying, GPtrArray *leaders)
{
  g_autoptr (GPtrArray) sorted = sort_cases (cases);
  g_autoptr (DynoBars) bars = dyno_bars_new (chart, cases, varying, "latency_p50_ms", NULL);
  DynoAxis *values = dyno_linear_axis_new (_ ("Median latency"), "ms");

  if (leaders != NULL)
    {
      g_autofree char *model = dyno_chart_cases_dup_name (g_ptr_array_index (cases, 0), DYNO_DIMENSION_MODEL);

      dyno_chart_begin_panel (chart, model);
      dyno_chart_take_panel_finding (chart, describe_panel (sorted));
      dyno_bars_set_in_panel (bars, leaders);
    }
  for (guint i = 0; i < sorted->len; i++)
    add_bar (bars, g_ptr_array_index (sorted, i),
             leaders != NULL ? varying & ~(guint)DYNO_DIMENSION_MODEL : varying);
  dyno_axis_set_range (values, 0,
                       get_latency (g_ptr_array_index (sorted, sorted->len - 1)) * (1 + LABEL_ROOM));
  dyno_bars_fill (bars, values);
}

static void
fill_chart (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) models = dyno_chart_cases_part_by_model (cases);
  g_autoptr (GPtrArray) sorted = sort_cases (cases);
  g_autoptr (GPtrArray) leaders = g_ptr_array_new ();
  guint varying = dyno_chart_cases_get_varying (cases);
  g_autofree char *words = dyno_chart_cases_dup_interval_words (cases);
  /* Translators: %s is what the whiskers are, such as “95 % CI of the median over 5 processes” */
  g_autofree char *whiskers = g_strdup_printf (_ ("Whiskers: %s."), words);

  for (guint i = 0; i < models->len; i++)
    fill_bars (chart, g_ptr_array_index (models, i), varying, models->len > 1 ? leaders : NULL);
  dyno_chart_take_caption (chart, dyno_chart_cases_dup_caption (cases, 0));
  dyno_chart_take_note (chart, g_steal_pointer (&whiskers));
  dyno_chart_tell_doubtful (chart, cases);
  dyno_chart_take_finding (chart, describe (sorted, varying));
  add_rows (chart, sorted);
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) measured = dyno_chart_cases_select (cases, has_latency, G_MAXUINT);

  dyno_chart_take_title (chart, g_strdup (_ ("Latency of all cases")));
  dyno_chart_set_empty_message (chart, _ ("No case has been measured yet."));
  if (measured->len > 0)
    fill_chart (chart, measured);
}

const DynoChartInfo dyno_comparison_chart = {
  .name = "comparison",
  .label = N_ ("Latency of all cases"),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_IS_WIDE,
  .build = build,
};
