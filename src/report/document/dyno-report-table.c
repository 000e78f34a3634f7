/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-latency-interval.h"
#include "dyno-report-table.h"
#include "dyno-report-text.h"
#include "dyno-stats.h"

#define MEDIAN "latency_p50_ms"
#define MEAN   "latency_mean_ms"

/* A column of one metric; `percent` is that of a percentile, 0 for anything else. */
typedef struct
{
  const char *title;
  const char *metric;
  double scale;
  double percent;
} Column;

static const Column columns[] = {
  { N_ ("Mean (ms)"), MEAN, 1, 0 },
  { N_ ("p90 (ms)"), "latency_p90_ms", 1, 90 },
  { N_ ("p99 (ms)"), "latency_p99_ms", 1, 99 },
  { N_ ("Items/s"), "throughput_items_per_sec", 1, 0 },
  { N_ ("Tokens/s"), "throughput_tokens_per_sec", 1, 0 },
  { N_ ("First token (ms)"), "first_token_latency_ms", 1, 0 },
  { N_ ("Prompt tokens/s"), "prefill_tokens_per_sec", 1, 0 },
  { N_ ("Decoded tokens/s"), "decode_tokens_per_sec", 1, 0 },
  { N_ ("Peak memory (MB)"), "memory_peak_mb", 1, 0 },
  { N_ ("GFLOP/s"), "flops_per_sec", 1e-9, 0 },
};

/* A mean is worth a column where it stands in for a median. */
static gboolean
has_for_column (DynoResult *result, const char *metric)
{
  if (g_str_equal (metric, MEAN))
    return isfinite (dyno_result_get_number (result, MEAN)) &&
           !isfinite (dyno_result_get_number (result, MEDIAN));
  return dyno_result_get_value (result, metric) != NULL;
}

static gboolean
is_needed (const char *metric, GListModel *results)
{
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (has_for_column (result, metric))
        return TRUE;
    }
  return FALSE;
}

/* What stands before a number that is not simply measured. */
static const char *
get_mark (DynoQuality quality)
{
  if (quality == DYNO_QUALITY_UNSTEADY)
    return "~ ";
  if (quality == DYNO_QUALITY_IMPORTED)
    return "← ";
  return quality == DYNO_QUALITY_ESTIMATED ? "≈ " : "";
}

/* A number, with a sign before it if it is unsteady, an estimate or imported; %NULL where there is none. */
static char *
format_value (DynoValue *value, double scale)
{
  g_autofree char *number = NULL;

  if (value == NULL || !dyno_value_is_number (value))
    return NULL;
  number = dyno_report_text_format_number (dyno_value_get_number (value) * scale);
  return g_strconcat (get_mark (dyno_value_get_quality (value)), number, NULL);
}

static char *
format_cell (DynoResult *result, const Column *column)
{
  char *text = format_value (dyno_result_get_value (result, column->metric), column->scale);
  /* Older runs know nothing of effective samples; fmin() leaves out a NaN. */
  double n_samples = fmin (dyno_result_get_number (result, "latency_samples"),
                           dyno_result_get_number (result, "latency_effective_samples"));
  gsize n_needed = column->percent > 0 ? dyno_stats_percentile_min_samples (column->percent) : 0;

  if (text == NULL && n_samples < n_needed)
    /* Translators: stands in a table in place of a percentile; how many samples it would take */
    return g_strdup_printf (_ ("needs %zu"), n_needed);
  return text != NULL ? text : g_strdup ("–");
}

static char *
format_median (DynoResult *result)
{
  char *median = format_value (dyno_result_get_value (result, MEDIAN), 1);
  g_autofree char *low = format_value (dyno_result_get_value (result, "latency_median_low_ms"), 1);
  g_autofree char *high = format_value (dyno_result_get_value (result, "latency_median_high_ms"), 1);
  g_autofree char *alone = median;

  if (median == NULL)
    return g_strdup ("–");
  return low != NULL && high != NULL ? g_strdup_printf ("%s (%s – %s)", median, low, high)
                                     : g_steal_pointer (&alone);
}

/* The columns that some case has a value for, with or without a number. */
static GPtrArray *
find_columns (GListModel *results)
{
  GPtrArray *needed = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (is_needed (columns[i].metric, results))
      g_ptr_array_add (needed, (gpointer)&columns[i]);
  return needed;
}

/* What stands in parentheses behind the median; nothing where there is no interval. */
static const char *
get_interval (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "latency_median_low_ms"))
             ? dyno_latency_interval_kind_get_label (dyno_latency_interval_get_kind (result))
             : "–";
}

static char *
format_processes (DynoResult *result)
{
  gboolean has_numbers = dyno_case_state_has_numbers (dyno_result_get_state (result));
  guint n = dyno_result_get_n_invocations (result);

  return n > 0 && has_numbers ? g_strdup_printf ("%u", n) : g_strdup ("–");
}

static void
add_head (DynoReportDocument *document, GPtrArray *needed, gboolean has_medians)
{
  dyno_report_document_begin_table (document);
  dyno_report_document_add_column (document, _ ("Case"), FALSE);
  dyno_report_document_add_column (document, _ ("Status"), FALSE);
  if (has_medians)
    {
      dyno_report_document_add_column (document, _ ("Median (ms)"), TRUE);
      dyno_report_document_add_column (document, _ ("Interval"), FALSE);
    }
  dyno_report_document_add_column (document, _ ("Processes"), TRUE);
  for (guint i = 0; i < needed->len; i++)
    {
      const Column *column = needed->pdata[i];

      dyno_report_document_add_column (document, _ (column->title), TRUE);
    }
}

static void
add_median (DynoReportDocument *document, DynoResult *result)
{
  g_autofree char *median = format_median (result);

  dyno_report_document_add_number (document, median, dyno_result_get_number (result, MEDIAN));
  dyno_report_document_add_cell (document, get_interval (result));
}

static void
add_row (DynoReportDocument *document, GPtrArray *needed, gboolean has_medians, DynoResult *result)
{
  g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
  g_autofree char *processes = format_processes (result);

  dyno_report_document_begin_row (document);
  dyno_report_document_add_cell (document, label);
  dyno_report_document_add_cell (document, dyno_case_state_get_label (dyno_result_get_state (result)));
  if (has_medians)
    add_median (document, result);
  dyno_report_document_add_number (document, processes, dyno_result_get_n_invocations (result));
  for (guint i = 0; i < needed->len; i++)
    {
      const Column *column = needed->pdata[i];
      g_autofree char *cell = format_cell (result, column);

      dyno_report_document_add_number (document, cell, dyno_result_get_number (result, column->metric));
    }
}

/**
 * dyno_report_table_add:
 * @document: a document
 * @results: the results
 *
 * Adds a table with a row for each case, with its number of processes and what the two ends beside its median are.
 * Columns that no case has a value for, with or without a number, are left out. An estimate has “≈” before it, a
 * percentile that lacks samples says how many it needs.
 */
void
dyno_report_table_add (DynoReportDocument *document, GListModel *results)
{
  g_autoptr (GPtrArray) needed = find_columns (results);
  gboolean has_medians = is_needed (MEDIAN, results);

  add_head (document, needed, has_medians);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      add_row (document, needed, has_medians, result);
    }
}
