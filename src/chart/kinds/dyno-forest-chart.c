/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-metric.h"
#include "dyno-subject-charts.h"
#include "dyno-unit.h"

/* The range around 1 and around the ratio farthest from it, as factors. */
#define LEAST_SPAN 1.12
#define MARGIN     1.06
/* An interval may be far wider than the range of the ratios: it is cut. */
#define MOST_BEYOND 2.0

/* The colours of verdicts, as slots: green, red, the same hollow, blue, slate, slate, ochre. */
static const guint slots[DYNO_N_VERDICTS] = { 2, 5, 18, 21, 0, 7, 7, 6 };

static int
compare_ratios (gconstpointer a, gconstpointer b)
{
  double left = (*(DynoComparedCase *const *)a)->ratio;
  double right = (*(DynoComparedCase *const *)b)->ratio;

  return (left > right) - (left < right);
}

static void
add_point (DynoComparison *comparison,
           const DynoComparedCase *kase,
           DynoCategoryAxis *rows,
           DynoSeries *series)
{
  g_autofree char *name = dyno_comparison_dup_case_name (comparison, kase);
  g_autofree char *label = dyno_comparison_dup_ratio (comparison, kase);
  g_autofree char *before = dyno_unit_format (kase->baseline_value, comparison->unit);
  g_autofree char *after = dyno_unit_format (kase->value, comparison->unit);
  g_autofree char *plain = g_strdup_printf (
      /* Translators: a case, its ratio with the interval, the verdict, and the two values */
      _ ("%s: %s, %s; %s → %s"), name, label, dyno_verdict_get_label (kase->verdict, comparison->metric),
      before, after);
  g_autofree char *text = kase->reason != NULL ? g_strdup_printf (
                                                     /* Translators: two sentences */
                                                     _ ("%s. %s"), plain, kase->reason)
                                               : g_strdup (plain);
  guint index = dyno_series_get_length (series);
  guint row = dyno_category_axis_add (rows, name);

  if (!dyno_series_add_with_band (series, row, kase->ratio, kase->low, kase->high))
    return;
  dyno_series_set_text (series, index, text);
  dyno_series_set_label (series, index, label);
  dyno_series_set_subject (series, index, kase->result);
}

static const char *
get_title (DynoComparison *comparison)
{
  return dyno_comparison_is_within_blocks (comparison) ? _ ("Ratio within blocks") : _ ("Ratio");
}

/* Extends the axis equally to both sides of 1 if that costs little room, so that no side looks like the usual one. The better
 * side is the right one, whether a larger or a smaller value is better. */
static DynoAxis *
create_ratio_axis (DynoComparison *comparison, GPtrArray *sorted)
{
  DynoAxis *axis = dyno_log_axis_new (get_title (comparison), "×", 2);
  const char *metric = comparison->metric;
  double least = 1 / LEAST_SPAN;
  double most = LEAST_SPAN;

  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoComparedCase *kase = g_ptr_array_index (sorted, i);

      least = MIN (least, kase->ratio);
      most = MAX (most, kase->ratio);
      if (isfinite (kase->low) && isfinite (kase->high))
        {
          least = MIN (least, MAX (kase->low, kase->ratio / MOST_BEYOND));
          most = MAX (most, MIN (kase->high, kase->ratio * MOST_BEYOND));
        }
    }
  dyno_axis_set_range (axis, least / MARGIN, most * MARGIN);
  dyno_axis_set_turned (axis, !dyno_verdict_more_is_better (metric));
  dyno_axis_set_sides (axis, dyno_verdict_get_label (DYNO_VERDICT_WORSE, metric),
                       dyno_verdict_get_label (DYNO_VERDICT_BETTER, metric));
  dyno_axis_set_zoomable (axis, TRUE);
  return axis;
}

static void
add_rows (DynoChart *chart, DynoComparison *comparison, GPtrArray *sorted)
{
  DynoChartTable *table = dyno_chart_build_table (chart);
  double least = INFINITY, most = 0;

  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoComparedCase *kase = g_ptr_array_index (sorted, i);

      least = MIN (least, MIN (kase->baseline_value, kase->value));
      most = MAX (most, MAX (kase->baseline_value, kase->value));
    }
  dyno_chart_table_add_column (table, _ ("Case"));
  dyno_chart_table_add_quantity (table, _ ("Baseline"), comparison->unit, least, most);
  dyno_chart_table_add_quantity (table, _ ("Compared"), comparison->unit, least, most);
  dyno_chart_table_add_columns (table, get_title (comparison),
                                /* xgettext:no-c-format */ _ ("95 % interval from"),
                                /* xgettext:no-c-format */ _ ("95 % interval to"), _ ("Verdict"),
                                _ ("Cliff’s delta"), _ ("Processes in the baseline"), _ ("Processes"),
                                _ ("Noise floor (%)"), _ ("Reason"), NULL);
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoComparedCase *kase = g_ptr_array_index (sorted, i);
      g_autofree char *name = dyno_comparison_dup_case_name (comparison, kase);

      dyno_chart_table_begin_row (table, NULL);
      dyno_chart_table_add_text (table, name);
      dyno_chart_table_add_number (table, kase->baseline_value);
      dyno_chart_table_add_number (table, kase->value);
      dyno_chart_table_add_number (table, kase->ratio);
      dyno_chart_table_add_number (table, kase->low);
      dyno_chart_table_add_number (table, kase->high);
      dyno_chart_table_add_text (table, dyno_verdict_get_label (kase->verdict, comparison->metric));
      dyno_chart_table_add_number (table, kase->effect);
      dyno_chart_table_add_number (table, kase->n_baseline);
      dyno_chart_table_add_number (table, kase->n);
      dyno_chart_table_add_number (table, kase->noise_floor * 100);
      dyno_chart_table_add_text (table, kase->reason != NULL ? kase->reason : "");
    }
}

/* Smaller differences either do not matter, or are within the machine's own noise. */
static double
get_least_claim (DynoComparison *comparison)
{
  return fmax (comparison->threshold, dyno_comparison_get_noise_floor (comparison));
}

static void
fill_chart (DynoChart *chart, DynoComparison *comparison, GPtrArray *sorted)
{
  double least = get_least_claim (comparison);
  DynoAxis *rows = dyno_category_axis_new (_ ("Case"));
  g_autoptr (GPtrArray) series = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *percent = dyno_unit_format_significant (get_least_claim (comparison) * 100);

  for (DynoVerdict verdict = 0; verdict < DYNO_N_VERDICTS; verdict++)
    g_ptr_array_add (series,
                     dyno_series_new (dyno_verdict_get_label (verdict, comparison->metric), slots[verdict]));
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoComparedCase *kase = g_ptr_array_index (sorted, i);
      /* Verdicts with the same words are one series. */
      DynoVerdict verdict =
          kase->verdict == DYNO_VERDICT_WITHIN_NOISE ? DYNO_VERDICT_NOT_ENOUGH_DATA : kase->verdict;

      add_point (comparison, kase, DYNO_CATEGORY_AXIS (rows), g_ptr_array_index (series, verdict));
    }
  dyno_chart_take_axes (chart, create_ratio_axis (comparison, sorted), rows);
  dyno_chart_take_layer (chart, dyno_tolerance_layer_new (1, 1 / (1 + least), 1 + least));
  for (guint i = 0; i < series->len; i++)
    if (dyno_series_get_length (g_ptr_array_index (series, i)) > 0)
      {
        dyno_chart_add_series (chart, g_ptr_array_index (series, i));
        dyno_chart_take_layer (chart, dyno_forest_layer_new (g_ptr_array_index (series, i)));
      }
  dyno_chart_keep_aside (chart);
  dyno_chart_take_note (
      chart, g_strdup_printf (get_least_claim (comparison) > comparison->threshold
                                  ? _ ("Lines: 95 %% interval of the ratio, between processes. Grey: "
                                       "within %s %%, the noise floor of the machine.")
                                  : _ ("Lines: 95 %% interval of the ratio, between processes. Grey: "
                                       "within %s %%, which does not matter."),
                              percent));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  DynoComparison *comparison = dyno_chart_get_subject (chart);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autofree char *metric = dyno_metric_title_dup (comparison->metric);

  /* From the best to the worst. */
  for (guint i = 0; i < comparison->cases->len; i++)
    {
      DynoComparedCase *kase = g_ptr_array_index (comparison->cases, i);

      if (isfinite (kase->ratio) && kase->ratio > 0)
        g_ptr_array_add (sorted, kase);
    }
  g_ptr_array_sort (sorted, compare_ratios);
  for (guint i = 0; dyno_verdict_more_is_better (comparison->metric) && i < sorted->len / 2; i++)
    {
      gpointer kase = sorted->pdata[i];

      sorted->pdata[i] = sorted->pdata[sorted->len - 1 - i];
      sorted->pdata[sorted->len - 1 - i] = kase;
    }

  dyno_chart_take_title (chart, g_strdup_printf (
                                    /* Translators: a metric, and what it is compared with */
                                    _ ("%s, relative to %s"), metric,
                                    dyno_comparison_get_side_title (comparison, comparison->baseline)));
  dyno_chart_set_empty_message (chart, _ ("No case was measured on both sides."));
  if (sorted->len > 0)
    fill_chart (chart, comparison, sorted);
  add_rows (chart, comparison, sorted);
}

DynoChart *
dyno_forest_chart_new (DynoComparison *comparison)
{
  static const DynoChartInfo info = { .name = "forest", .build = build };

  g_return_val_if_fail (comparison != NULL, NULL);
  return dyno_chart_create_for (&info, dyno_comparison_ref (comparison),
                                (GDestroyNotify)dyno_comparison_unref);
}
