/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-cases.h"
#include "dyno-further-values.h"
#include "dyno-grade.h"
#include "dyno-metric.h"
#include "dyno-report-document-private.h"
#include "dyno-report-formats-private.h"
#include "dyno-report-formats.h"
#include "dyno-report-private.h"
#include "dyno-report-quantity.h"
#include "dyno-text.h"

/* A block for pasting into a forum, in the style of llama-bench: a Markdown table that also lines up in a
 * monospaced font, with a line about the machine above it and one about the software below. Columns without
 * any value are left out. */

/* The maximum length of a cell, in characters. */
#define MAX_CELL 300

#define MEDIAN "latency_p50_ms"
#define MEAN   "latency_mean_ms"
#define LOW    "latency_median_low_ms"
#define HIGH   "latency_median_high_ms"
#define OUTPUT "output_tokens_per_sec"
#define TOTAL  "throughput_tokens_per_sec"
#define PROMPT "prefill_tokens_per_sec"
#define DECODE "decode_tokens_per_sec"
#define ITEMS  "throughput_items_per_sec"

/* The values that the columns show. */
static const char *const shown[] = { MEDIAN, MEAN, LOW, HIGH, OUTPUT, TOTAL, PROMPT, DECODE, ITEMS, NULL };

/* The table lines up, so long names are shortened. */
static char *
escape (const char *text)
{
  g_autofree char *short_text = dyno_plain_text_shorten (text, MAX_CELL);

  return dyno_report_text_escape (short_text);
}

static char *
dup_parameters (DynoResult *result)
{
  gint64 count = dyno_result_get_parameter_count (result);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (count <= 0)
    return NULL;
  return count >= 1000000000
             ? g_strdup_printf ("%s B", g_ascii_formatd (number, sizeof number, "%.2f", (double)count / 1e9))
             : g_strdup_printf ("%s M", g_ascii_formatd (number, sizeof number, "%.2f", (double)count / 1e6));
}

/* Returns sizes in the notation of llama-bench: the prompt, the generated tokens, and the batch. */
static char *
dup_test (DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  guint prompt = dyno_case_get_sequence_length (kase);
  guint generated = dyno_case_get_generate_tokens (kase);
  g_autoptr (GString) test = g_string_new (NULL);

  if (prompt > 0)
    g_string_append_printf (test, "pp%u", prompt);
  if (generated > 0)
    g_string_append_printf (test, "%stg%u", prompt > 0 ? "+" : "", generated);
  if (dyno_case_get_images (kase) != 1)
    g_string_append_printf (test, "%s%u img", test->len > 0 ? " + " : "", dyno_case_get_images (kase));
  if (dyno_case_get_batch_size (kase) > 0)
    g_string_append_printf (test, "%sb%u", test->len > 0 ? " " : "", dyno_case_get_batch_size (kase));
  return g_string_free (g_steal_pointer (&test), FALSE);
}

static char *
dup_number (DynoResult *result, const char *metric)
{
  double number = dyno_result_get_number (result, metric);

  return isfinite (number) ? dyno_report_text_format_number (number) : NULL;
}

static char *
dup_quantity (DynoResult *result, const char *metric, const DynoReportQuantity *quantity)
{
  DynoValue *value = dyno_result_get_value (result, metric);
  g_autofree char *text = NULL;

  if (value == NULL || !dyno_value_is_number (value))
    return NULL;
  text = dyno_report_quantity_format (quantity, dyno_value_get_number (value), dyno_value_get_unit (value));
  return escape (text);
}

/* Appends the larger of the two distances to the ends of the interval. */
static char *
dup_median (DynoResult *result, const DynoReportQuantity *quantity)
{
  double median = dyno_result_get_number (result, MEDIAN);
  double low = dyno_result_get_number (result, LOW);
  double high = dyno_result_get_number (result, HIGH);
  g_autofree char *middle = dup_quantity (result, MEDIAN, quantity);
  g_autofree char *off = dyno_report_quantity_format (quantity, fmax (high - median, median - low), "ms");

  return middle != NULL && isfinite (low) && isfinite (high) ? g_strdup_printf ("%s ± %s", middle, off)
                                                             : g_steal_pointer (&middle);
}

static char *
dup_mean (DynoResult *result, const DynoReportQuantity *quantity)
{
  return dyno_further_values_tells_mean (result) ? dup_quantity (result, MEAN, quantity) : NULL;
}

/* A case that generates has several kinds of rates; a case that only reads a prompt or only generates has
 * one. */
static gboolean
generates (DynoResult *result)
{
  return dyno_case_get_generate_tokens (dyno_result_get_case (result)) > 0 ||
         isfinite (dyno_result_get_number (result, OUTPUT));
}

static gboolean
has_two_phases (DynoResult *result)
{
  return generates (result) && (dyno_case_get_sequence_length (dyno_result_get_case (result)) > 0 ||
                                isfinite (dyno_result_get_number (result, OUTPUT)));
}

/* Returns the rate of a case that only reads or only generates; of a case that does both, that of the output. */
static char *
dup_tokens (DynoResult *result)
{
  char *rate = NULL;

  if (has_two_phases (result))
    return dup_number (result, OUTPUT);
  rate = dup_number (result, generates (result) ? DECODE : PROMPT);
  return rate != NULL ? rate : generates (result) ? NULL : dup_number (result, TOTAL);
}

/* Returns the rate of prompt and generated tokens together. */
static char *
dup_total (DynoResult *result)
{
  return generates (result) ? dup_number (result, TOTAL) : NULL;
}

static char *
dup_prefilled (DynoResult *result)
{
  return has_two_phases (result) ? dup_number (result, PROMPT) : NULL;
}

static char *
dup_decoded (DynoResult *result)
{
  return has_two_phases (result) ? dup_number (result, DECODE) : NULL;
}

static char *
dup_items (DynoResult *result)
{
  return dup_number (result, ITEMS);
}

static char *
dup_name (DynoResult *result)
{
  g_autofree char *name = dyno_case_parts_dup_model (result);

  return escape (name);
}

static char *
dup_engine (DynoResult *result)
{
  g_autofree char *engine = dyno_case_dup_engine (dyno_result_get_case (result));

  return escape (engine);
}

static char *
dup_precision (DynoResult *result)
{
  return g_strdup (dyno_case_get_computed_precision (dyno_result_get_case (result)));
}

/* If another tool does not report the threads, it is unknown whether its engine chose them. */
static char *
dup_threads (DynoResult *result)
{
  guint threads = dyno_case_get_threads (dyno_result_get_case (result));

  if (threads > 0)
    return g_strdup_printf ("%u", threads);
  return dyno_result_find_message (result, DYNO_ORIGIN_CODE) != NULL ? NULL : g_strdup (_ ("auto"));
}

static char *
dup_setting (DynoResult *result)
{
  g_autofree char *setting =
      dyno_case_parts_dup_text (result, DYNO_CASE_PINNING | DYNO_CASE_OPTIONS | DYNO_CASE_LIBRARY |
                                            DYNO_CASE_DIMENSIONS | DYNO_CASE_LOAD);

  return *setting != '\0' ? escape (setting) : NULL;
}

static char *
dup_state (DynoResult *result)
{
  return g_strdup (dyno_result_get_status_label (result));
}

/* Words are aligned at their beginning, numbers at their end. A time has its unit in the title, or in its
 * cells if the values are too far apart. */
static const struct
{
  const char *title;
  gboolean is_number;
  char *(*dup) (DynoResult *result);
  const char *time;
  char *(*dup_time) (DynoResult *result, const DynoReportQuantity *quantity);
} columns[] = {
  { "model", FALSE, dup_name },
  { "params", TRUE, dup_parameters },
  { "engine", FALSE, dup_engine },
  { "precision", FALSE, dup_precision },
  { "threads", TRUE, dup_threads },
  { "setting", FALSE, dup_setting },
  { "test", FALSE, dup_test },
  { "median", TRUE, NULL, MEDIAN, dup_median },
  { "mean", TRUE, NULL, MEAN, dup_mean },
  { "t/s", TRUE, dup_tokens },
  { "total t/s", TRUE, dup_total },
  { "prompt t/s", TRUE, dup_prefilled },
  { "decoded t/s", TRUE, dup_decoded },
  { "items/s", TRUE, dup_items },
  { "state", FALSE, dup_state },
};

/* The last column comes after the columns that only some tools have. */
#define N_BEFORE_FURTHER (G_N_ELEMENTS (columns) - 1)

/* A printed column: its title, then a cell for each case. */
typedef struct
{
  GPtrArray *cells;
  gboolean is_number;
  gboolean is_empty;
  glong width;
} Column;

static void
column_free (gpointer data)
{
  Column *column = data;

  g_ptr_array_unref (column->cells);
  g_free (column);
}

static void
take_cell (Column *column, char *text)
{
  column->width = MAX (column->width, g_utf8_strlen (text, -1));
  g_ptr_array_add (column->cells, text);
}

static Column *
column_new (gboolean is_number, char *title)
{
  Column *column = g_new0 (Column, 1);

  column->cells = g_ptr_array_new_with_free_func (g_free);
  column->is_number = is_number;
  column->is_empty = TRUE;
  take_cell (column, title);
  return column;
}

/* Takes the text, NULL for an empty cell. */
static void
take_text (Column *column, char *text)
{
  column->is_empty = column->is_empty && text == NULL;
  take_cell (column, text != NULL ? text : g_strdup (column->is_number ? "–" : ""));
}

/* Leaves out a column without any value. */
static void
take_column (GPtrArray *table, Column *column)
{
  if (column->is_empty)
    column_free (column);
  else
    g_ptr_array_add (table, column);
}

static Column *
create_column (guint i, GListModel *results)
{
  DynoReportQuantity quantity = { 1, NULL };
  char *title;
  Column *column;

  if (columns[i].time != NULL)
    dyno_report_quantity_choose (results, columns[i].time, &quantity);
  if (columns[i].dup == dup_items)
    title = g_strdup_printf ("sustained %s", dyno_item_unit_find_common (results, columns[i].title));
  else if (columns[i].time == NULL)
    title = g_strdup (columns[i].title);
  else if (quantity.unit == NULL)
    title = g_strdup (columns[i].title);
  else
    title = g_str_equal (columns[i].time, MEDIAN)
                ? g_strdup (quantity.unit)
                : g_strdup_printf ("%s %s", columns[i].title, quantity.unit);
  column = column_new (columns[i].is_number, title);
  for (guint k = 0; k < g_list_model_get_n_items (results); k++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, k);

      take_text (column,
                 columns[i].time != NULL ? columns[i].dup_time (result, &quantity) : columns[i].dup (result));
    }
  return column;
}

static Column *
create_further (const char *metric, GListModel *results)
{
  g_autofree char *title = dyno_metric_title_dup (metric);
  g_autofree char *with_unit = NULL;
  DynoReportQuantity quantity;
  Column *column;

  dyno_report_quantity_choose (results, metric, &quantity);
  with_unit = dyno_report_quantity_dup_title (&quantity, title);
  column = column_new (TRUE, escape (with_unit));
  for (guint k = 0; k < g_list_model_get_n_items (results); k++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, k);

      take_text (column, dup_quantity (result, metric, &quantity));
    }
  return column;
}

static void
append_padding (GString *report, glong n, char letter)
{
  for (glong i = 0; i < n; i++)
    g_string_append_c (report, letter);
}

static void
append_table (GString *report, GListModel *results, GPtrArray *further)
{
  g_autoptr (GPtrArray) table = g_ptr_array_new_with_free_func (column_free);

  for (guint i = 0; i < N_BEFORE_FURTHER; i++)
    take_column (table, create_column (i, results));
  for (guint i = 0; i < further->len; i++)
    take_column (table, create_further (further->pdata[i], results));
  for (guint i = N_BEFORE_FURTHER; i < G_N_ELEMENTS (columns); i++)
    take_column (table, create_column (i, results));
  for (guint row = 0; row <= g_list_model_get_n_items (results); row++)
    {
      for (guint i = 0; i < table->len; i++)
        {
          const Column *column = table->pdata[i];
          const char *text = column->cells->pdata[row];
          glong room = column->width - g_utf8_strlen (text, -1);

          g_string_append (report, "| ");
          append_padding (report, column->is_number ? room : 0, ' ');
          g_string_append (report, text);
          append_padding (report, column->is_number ? 0 : room, ' ');
          g_string_append_c (report, ' ');
        }
      g_string_append (report, "|\n");
      if (row > 0)
        continue;
      for (guint i = 0; i < table->len; i++)
        {
          const Column *column = table->pdata[i];

          g_string_append (report, "| ");
          append_padding (report, column->width - (column->is_number ? 1 : 0), '-');
          g_string_append (report, column->is_number ? ": " : " ");
        }
      g_string_append (report, "|\n");
    }
}

static void
append_run (GString *report, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  g_autofree char *machine = dyno_report_facts_dup_machine (run);
  g_autofree char *software = dyno_report_facts_dup_software (run);
  g_autoptr (GPtrArray) further = dyno_further_values_choose (results, shown);
  g_autoptr (GString) head = g_string_new (machine);
  g_autofree char *escaped_head = NULL;
  g_autofree char *escaped_software = dyno_report_text_escape (software);

  /* Devices other than the processor that did the work are named as well. */
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      const char *device = dyno_result_get_device (result);
      gboolean is_processor = g_strcmp0 (dyno_result_get_device_kind (result), "cpu") == 0;

      if (device != NULL && *device != '\0' && !is_processor && strstr (head->str, device) == NULL)
        g_string_append_printf (head, " · %s", device);
    }
  escaped_head = dyno_report_text_escape (head->str);
  g_string_append_printf (report, "%s\n\n", escaped_head);
  append_table (report, results, further);

  gboolean is_first = TRUE;
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) each = g_list_model_get_item (results, i);
      g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (each));
      g_autofree char *escaped = dyno_report_text_escape (label);
      g_autofree char *rest =
          dyno_further_values_dup_rest (each, shown, further, dyno_report_quantity_format_value);
      g_autofree char *escaped_rest = dyno_report_text_escape (rest);

      if (rest == NULL)
        continue;
      g_string_append_printf (report, "%s- %s: %s\n", is_first ? "\n" : "", escaped, escaped_rest);
      is_first = FALSE;
    }

  g_string_append_printf (report, "\n%s\n", escaped_software);
}

static GBytes *
write_runs (const DynoReportSource *source, GError **error)
{
  GPtrArray *runs = source->runs;
  GString *report = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++)
    {
      if (i > 0)
        g_string_append_c (report, '\n');
      append_run (report, runs->pdata[i]);
    }
  return g_string_free_to_bytes (report);
}

const DynoReportFormat dyno_report_forum_format = {
  .name = "text",
  .suffix = "txt",
  .label = N_ ("Text, for forums"),
  .write_document = dyno_report_plain_write_document,
  .write_runs = write_runs,
};
