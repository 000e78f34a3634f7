/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-further-values.h"
#include "dyno-grade.h"
#include "dyno-item-unit.h"
#include "dyno-latency-interval.h"
#include "dyno-metric.h"
#include "dyno-report-document-private.h"
#include "dyno-report-quantity.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

#define MEDIAN "latency_p50_ms"
#define MEAN   "latency_mean_ms"
#define ITEMS  "throughput_items_per_sec"
#define LOW    "latency_median_low_ms"
#define HIGH   "latency_median_high_ms"

/* A column that a table has if some case has its value. `is_time` puts the unit behind the title; `percent`
 * is that of a percentile, 0 for any other value. */
typedef struct
{
  const char *title;
  const char *metric;
  double scale;
  gboolean is_time;
  double percent;
} FixedColumn;

static const FixedColumn fixed_columns[] = {
  { N_ ("Mean"), MEAN, 1, TRUE, 0 },
  { N_ ("p90"), "latency_p90_ms", 1, TRUE, 90 },
  { N_ ("p99"), "latency_p99_ms", 1, TRUE, 99 },
  { N_ ("Sustained throughput"), ITEMS, 1, FALSE, 0 },
  { N_ ("Output tokens/s"), "output_tokens_per_sec", 1, FALSE, 0 },
  { N_ ("Total tokens/s"), "throughput_tokens_per_sec", 1, FALSE, 0 },
  { N_ ("First token"), "first_token_latency_ms", 1, TRUE, 0 },
  { N_ ("Prompt tokens/s"), "prefill_tokens_per_sec", 1, FALSE, 0 },
  { N_ ("Decoded tokens/s"), "decode_tokens_per_sec", 1, FALSE, 0 },
  { N_ ("Peak memory (MB)"), "memory_peak_mb", 1, FALSE, 0 },
  { N_ ("GFLOP/s"), "flops_per_sec", 1e-9, FALSE, 0 },
};

/* A column of a table in its final form. */
typedef struct
{
  char *title;
  char *metric;
  DynoReportQuantity quantity;
  double percent;
} Column;

static void
column_free (gpointer data)
{
  Column *column = data;

  g_free (column->title);
  g_free (column->metric);
  g_free (column);
}

static gboolean
is_needed (const char *metric, GListModel *results)
{
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (g_str_equal (metric, MEAN) ? dyno_further_values_tells_mean (result)
                                     : dyno_result_get_value (result, metric) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* Returns the sign before a number that is not simply measured. */
static const char *
get_mark (DynoQuality quality)
{
  if (quality == DYNO_QUALITY_UNSTEADY)
    return "~ ";
  if (quality == DYNO_QUALITY_IMPORTED)
    return "← ";
  return quality == DYNO_QUALITY_ESTIMATED ? "≈ " : "";
}

/* Returns a number, with a sign before it if it is unsteady, an estimate or imported; NULL if there is
 * none. */
static char *
format_value (DynoValue *value, const DynoReportQuantity *quantity)
{
  g_autofree char *number = NULL;

  if (value == NULL || !dyno_value_is_number (value))
    return NULL;
  number = dyno_report_quantity_format (quantity, dyno_value_get_number (value), dyno_value_get_unit (value));
  return g_strconcat (get_mark (dyno_value_get_quality (value)), number, NULL);
}

static char *
format_cell (DynoResult *result, const Column *column)
{
  char *text = format_value (dyno_result_get_value (result, column->metric), &column->quantity);
  /* Older runs have no effective samples; fmin() ignores a NaN. */
  double n_samples = fmin (dyno_result_get_number (result, "latency_samples"),
                           dyno_result_get_number (result, "latency_effective_samples"));
  gsize n_needed = column->percent > 0 ? dyno_stats_percentile_min_samples (column->percent) : 0;

  if (text == NULL && n_samples < n_needed)
    /* Translators: replaces a percentile in a table; the number of samples it would take */
    return g_strdup_printf (_ ("needs %zu"), n_needed);
  return text != NULL ? text : g_strdup ("–");
}

static char *
format_median (DynoResult *result, const DynoReportQuantity *quantity)
{
  char *median = format_value (dyno_result_get_value (result, MEDIAN), quantity);
  g_autofree char *low = format_value (dyno_result_get_value (result, LOW), quantity);
  g_autofree char *high = format_value (dyno_result_get_value (result, HIGH), quantity);
  g_autofree char *alone = median;

  if (median == NULL)
    return g_strdup ("–");
  return low != NULL && high != NULL ? g_strdup_printf ("%s (%s – %s)", median, low, high)
                                     : g_steal_pointer (&alone);
}

static Column *
column_new (char *title, const char *metric, DynoReportQuantity quantity)
{
  Column *column = g_new0 (Column, 1);

  *column = (Column){ title, g_strdup (metric), quantity, 0 };
  return column;
}

static Column *
create_fixed (const FixedColumn *fixed, GListModel *results)
{
  DynoReportQuantity quantity = { fixed->scale, "" };
  DynoUnit items;
  Column *column;

  if (fixed->is_time)
    dyno_report_quantity_choose (results, fixed->metric, &quantity);
  if (g_str_equal (fixed->metric, ITEMS))
    {
      dyno_unit_choose (dyno_item_unit_find_common (results, "items/s"), 1, &items);
      quantity.unit = items.name;
    }
  column = column_new (dyno_report_quantity_dup_title (&quantity, _ (fixed->title)), fixed->metric, quantity);
  column->percent = fixed->percent;
  return column;
}

static Column *
create_further (const char *metric, GListModel *results)
{
  g_autofree char *title = dyno_metric_title_dup (metric);
  DynoReportQuantity quantity;

  dyno_report_quantity_choose (results, metric, &quantity);
  return column_new (dyno_report_quantity_dup_title (&quantity, title), metric, quantity);
}

/* Lists the values of the columns that every table may have, and of the median and its interval. */
static char **
list_shown (void)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  g_strv_builder_add_many (names, MEDIAN, LOW, HIGH, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fixed_columns); i++)
    g_strv_builder_add (names, fixed_columns[i].metric);
  return g_strv_builder_end (names);
}

/* Finds the columns that some case has a value for, with or without a number. */
static GPtrArray *
find_columns (GListModel *results, GPtrArray *further)
{
  GPtrArray *needed = g_ptr_array_new_with_free_func (column_free);

  for (guint i = 0; i < G_N_ELEMENTS (fixed_columns); i++)
    if (is_needed (fixed_columns[i].metric, results))
      g_ptr_array_add (needed, create_fixed (&fixed_columns[i], results));
  for (guint i = 0; i < further->len; i++)
    g_ptr_array_add (needed, create_further (further->pdata[i], results));
  return needed;
}

static void
add_row (DynoReportDocument *document,
         GPtrArray *needed,
         const DynoReportQuantity *of_median,
         DynoResult *result)
{
  g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
  gboolean has_numbers = dyno_case_state_has_numbers (dyno_result_get_state (result));
  guint n = dyno_result_get_n_invocations (result);
  g_autofree char *processes = n > 0 && has_numbers ? g_strdup_printf ("%u", n) : g_strdup ("–");

  dyno_report_document_begin_row (document);
  dyno_report_document_add_cell (document, label);
  dyno_report_document_add_cell (document, dyno_result_get_status_label (result));
  if (of_median != NULL)
    {
      g_autofree char *median = format_median (result, of_median);
      const char *kind = isfinite (dyno_result_get_number (result, LOW))
                             ? dyno_latency_interval_kind_get_label (dyno_latency_interval_get_kind (result))
                             : "–";

      dyno_report_document_add_number (document, median, dyno_result_get_number (result, MEDIAN));
      dyno_report_document_add_cell (document, kind);
    }
  dyno_report_document_add_number (document, processes, n);
  for (guint i = 0; i < needed->len; i++)
    {
      const Column *column = needed->pdata[i];
      g_autofree char *cell = format_cell (result, column);

      dyno_report_document_add_number (document, cell, dyno_result_get_number (result, column->metric));
    }
}

/* Adds the values from other tools that have no column. */
static void
add_rest (DynoReportDocument *document, GListModel *results, const char *const *shown, GPtrArray *further)
{
  gboolean has_list = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
      /* Translators: %s is a case; a list of values from another program follows */
      g_autofree char *lead = g_strdup_printf (_ ("%s:"), label);
      g_autofree char *rest =
          dyno_further_values_dup_rest (result, shown, further, dyno_report_quantity_format_value);

      if (rest == NULL)
        continue;
      if (!has_list)
        {
          dyno_report_document_add_heading (document, 3, _ ("Other values"));
          dyno_report_document_begin_list (document);
        }
      has_list = TRUE;
      dyno_report_document_add_item (document, lead, rest, NULL);
    }
}

void
dyno_report_cases_add (DynoReportDocument *document, GListModel *results)
{
  g_auto (GStrv) shown = list_shown ();
  g_autoptr (GPtrArray) further = dyno_further_values_choose (results, (const char *const *)shown);
  g_autoptr (GPtrArray) needed = find_columns (results, further);
  DynoReportQuantity quantity;
  const DynoReportQuantity *of_median = is_needed (MEDIAN, results) ? &quantity : NULL;

  dyno_report_document_begin_table (document);
  dyno_report_document_add_column (document, _ ("Case"), FALSE);
  dyno_report_document_add_column (document, _ ("Status"), FALSE);
  if (of_median != NULL)
    {
      g_autofree char *title = NULL;

      dyno_report_quantity_choose (results, MEDIAN, &quantity);
      title = dyno_report_quantity_dup_title (of_median, _ ("Median"));
      dyno_report_document_add_column (document, title, TRUE);
      dyno_report_document_add_column (document, _ ("Interval"), FALSE);
    }
  dyno_report_document_add_column (document, _ ("Processes"), TRUE);
  for (guint i = 0; i < needed->len; i++)
    dyno_report_document_add_column (document, ((const Column *)needed->pdata[i])->title, TRUE);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      add_row (document, needed, of_median, result);
    }
  add_rest (document, results, (const char *const *)shown, further);
}
