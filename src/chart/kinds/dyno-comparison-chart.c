/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-bars.h"
#include "dyno-chart-cases.h"
#include "dyno-chart-private.h"
#include "dyno-comparison-chart.h"
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

static gboolean
intervals_overlap (const DynoChartCase *a, const DynoChartCase *b)
{
  double a_low, a_high, b_low, b_high;

  get_interval (a, &a_low, &a_high);
  get_interval (b, &b_low, &b_high);
  return a_low <= b_high && b_low <= a_high;
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
    return g_strdup_printf (_ ("A step of %s takes %s."), fastest, value);
  if (intervals_overlap (first, g_ptr_array_index (sorted, 1)))
    {
      g_autofree char *second = dyno_chart_cases_dup_name (g_ptr_array_index (sorted, 1), dimensions);

      return g_strdup_printf (_ ("The fastest are %s and %s, whose intervals overlap, with %s a step."),
                              fastest, second, value);
    }
  return g_strdup_printf (_ ("The fastest is %s with %s a step, %s× as fast as %s."), fastest, value, ratio,
                          slowest);
}

static void
add_rows (DynoChart *chart, GPtrArray *sorted, guint dimensions)
{
  dyno_chart_add_row (chart, _ ("Case"), _ ("Median latency (ms)"), _ ("From"), _ ("To"), NULL);
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (sorted, i);
      g_autofree char *name = dyno_chart_cases_dup_name (kase, dimensions);
      g_autofree char *value = dyno_unit_format_significant (get_latency (kase));
      g_autofree char *from = NULL;
      g_autofree char *to = NULL;
      double low, high;

      get_interval (kase, &low, &high);
      from = isfinite (low) ? dyno_unit_format_significant (low) : g_strdup ("");
      to = isfinite (high) ? dyno_unit_format_significant (high) : g_strdup ("");
      dyno_chart_add_row (chart, name, value, from, to, NULL);
    }
}

static void
add_bar (DynoBars *bars, const DynoChartCase *kase)
{
  g_autofree char *name = dyno_chart_cases_dup_name (kase, dyno_bars_get_varying (bars));
  g_autofree char *text = describe_case (kase, name);
  double low, high;

  get_interval (kase, &low, &high);
  dyno_bars_add (bars, kase, get_latency (kase), low, high, text);
}

static void
fill_chart (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (cases, NULL, NULL);
  g_autoptr (DynoBars) bars = dyno_bars_new (cases, NULL);
  g_autofree char *common = dyno_chart_cases_dup_caption (cases, 0);
  DynoAxis *values = dyno_linear_axis_new (_ ("Median latency"), "ms");

  g_ptr_array_set_free_func (sorted, NULL);
  g_ptr_array_sort (sorted, compare_latencies);
  for (guint i = 0; i < sorted->len; i++)
    add_bar (bars, g_ptr_array_index (sorted, i));
  dyno_axis_set_range (values, 0,
                       get_latency (g_ptr_array_index (sorted, sorted->len - 1)) * (1 + LABEL_ROOM));
  dyno_bars_fill (bars, chart, values);
  dyno_chart_take_caption (
      chart, g_strdup_printf (_ ("%s\nThe whiskers are 95 %% intervals of the median."), common));
  dyno_chart_take_finding (chart, describe (sorted, dyno_bars_get_varying (bars)));
  add_rows (chart, sorted, dyno_bars_get_varying (bars));
}

void
dyno_comparison_chart_build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (GPtrArray) measured = dyno_chart_cases_select (cases, has_latency, G_MAXUINT);

  dyno_chart_take_title (chart, g_strdup (_ ("Latency of all cases")));
  dyno_chart_set_empty_message (chart, _ ("No case was measured yet, so there is nothing to compare."));
  if (measured->len > 0)
    fill_chart (chart, measured);
}
