/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-grade.h"
#include "dyno-latency-interval.h"
#include "dyno-metric.h"
#include "dyno-model-needs.h"
#include "dyno-report-formats.h"
#include "dyno-report-private.h"
#include "dyno-text.h"

/* RFC 4180 ends its lines like this. */
#define LINE_END "\r\n"

static const char *const case_columns[] = {
  "run",        "started_at",      "title",           "ordinal",     "model",
  "model_name", "architecture",    "parameter_count", "size",        "weights",
  "backend",    "device",          "device_kind",     "device_id",   "options",
  "precision",  "batch_size",      "sequence_length", "threads",     "pinning",
  "load",       "generate_tokens", "images",          "dimensions",  "inputs",
  "seed",       "status",          "state",           "reason",      "diagnostics",
  "estimated",  "unsteady",        "imported",        "invocations", "interval",
  "grade",
};

static void
append_row (GString *report, GPtrArray *cells)
{
  for (guint i = 0; i < cells->len; i++)
    {
      if (i > 0)
        g_string_append_c (report, ',');
      if (cells->pdata[i] != NULL)
        dyno_csv_append (report, cells->pdata[i], ',');
    }
  g_string_append (report, LINE_END);
}

static void
add_text (GPtrArray *cells, const char *text)
{
  g_ptr_array_add (cells, dyno_csv_dup_text (text));
}

static void
add_count (GPtrArray *cells, guint64 count)
{
  g_ptr_array_add (cells, g_strdup_printf ("%" G_GUINT64_FORMAT, count));
}

/* Adds an empty cell for NULL, or a value that is no number. */
static void
add_number (GPtrArray *cells, DynoValue *value)
{
  gboolean is_number = value != NULL && dyno_value_is_number (value);

  g_ptr_array_add (cells, is_number ? dyno_report_text_format_exact (dyno_value_get_number (value)) : NULL);
}

static void
add_run (GPtrArray *cells, DynoRun *run)
{
  add_text (cells, dyno_run_get_id (run));
  g_ptr_array_add (cells, dyno_report_text_format_time (dyno_run_get_started_at (run)));
  add_text (cells, dyno_run_get_title (run));
}

static void
add_case (GPtrArray *cells, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  gint64 parameter_count = dyno_result_get_parameter_count (result);
  const DynoSizeClass *size = dyno_size_class_find (parameter_count);

  add_count (cells, dyno_result_get_ordinal (result));
  add_text (cells, dyno_case_get_model (kase));
  add_text (cells, dyno_result_get_model_name (result));
  add_text (cells, dyno_result_get_architecture (result));
  if (parameter_count > 0)
    add_count (cells, parameter_count);
  else
    add_text (cells, NULL);
  add_text (cells, size != NULL ? size->id : NULL);
  add_text (cells, dyno_result_get_weights (result));
  add_text (cells, dyno_case_get_backend (kase));
  add_text (cells, dyno_result_get_device (result));
  add_text (cells, dyno_result_get_device_kind (result));
  add_text (cells, dyno_case_get_device (kase));
  add_text (cells, dyno_case_get_options (kase));
  add_text (cells, dyno_case_get_precision (kase));
  if (dyno_case_get_batch_size (kase) > 0)
    add_count (cells, dyno_case_get_batch_size (kase));
  else
    add_text (cells, NULL);
  add_count (cells, dyno_case_get_sequence_length (kase));
  add_count (cells, dyno_case_get_threads (kase));
  add_text (cells, dyno_case_get_pinning (kase));
  add_text (cells, dyno_case_get_load (kase));
  add_count (cells, dyno_case_get_generate_tokens (kase));
  add_count (cells, dyno_case_get_images (kase));
  add_text (cells, dyno_case_get_dimensions (kase));
  add_text (cells, dyno_case_get_inputs (kase));
  add_count (cells, dyno_case_get_seed (kase));
}

static void
add_of_quality (GPtrArray *cells, DynoQuality quality, GPtrArray *values)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (values, i);

      if (dyno_value_get_quality (value) == quality)
        g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", dyno_value_get_name (value));
    }
  g_ptr_array_add (cells, g_string_free (names, FALSE));
}

static void
add_outcome (GPtrArray *cells, DynoResult *result)
{
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);
  GString *codes = g_string_new (NULL);

  add_text (cells, dyno_status_to_string (dyno_result_get_status (result)));
  add_text (cells, dyno_case_state_to_string (dyno_result_get_state (result)));
  add_text (cells, dyno_result_get_reason (result));
  for (guint i = 0; i < diagnostics->len; i++)
    {
      DynoDiagnostic *diagnostic = g_ptr_array_index (diagnostics, i);

      g_string_append_printf (codes, "%s%s", i > 0 ? " " : "", dyno_diagnostic_get_code (diagnostic));
    }
  g_ptr_array_add (cells, g_string_free (codes, FALSE));

  add_of_quality (cells, DYNO_QUALITY_ESTIMATED, dyno_result_get_values (result));
  add_of_quality (cells, DYNO_QUALITY_UNSTEADY, dyno_result_get_values (result));
  add_of_quality (cells, DYNO_QUALITY_IMPORTED, dyno_result_get_values (result));
  add_count (cells, dyno_result_get_n_invocations (result));
  add_text (cells, dyno_case_state_has_numbers (dyno_result_get_state (result))
                       ? dyno_latency_interval_kind_to_string (dyno_latency_interval_get_kind (result))
                       : NULL);
  add_text (cells, dyno_grade_to_string (dyno_result_get_grade (result)));
}

static void
collect_names (GPtrArray *names, GListModel *results)
{
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *values = dyno_result_get_values (result);

      for (guint k = 0; k < values->len; k++)
        {
          DynoValue *value = g_ptr_array_index (values, k);
          const char *name = dyno_value_get_name (value);

          if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
            g_ptr_array_add (names, g_strdup (name));
        }
    }
}

static void
append_head (GString *report, const char *const *further, gsize n_further)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (case_columns); i++)
    add_text (cells, case_columns[i]);
  for (gsize i = 0; i < n_further; i++)
    add_text (cells, further[i]);
  append_row (report, cells);
}

/* Comma-separated values in the format of RFC 4180: a header and a row for each case. The first columns are
 * the settings and the outcome of the case, with the codes of its diagnostics and the names of its values
 * that are estimates, unsteady and imported, each list separated by blanks. Then comes a column for each
 * value that metrics name as one (`is_column`), always the same ones in the same order; other values follow.
 * A cell is empty if there is no number. */
static GBytes *
write_runs (const DynoReportSource *source, GError **error)
{
  GPtrArray *runs = source->runs;
  GPtrArray *values = dyno_metric_list_values ();
  g_autoptr (GPtrArray) metrics = g_ptr_array_new_with_free_func (g_free);
  GString *report = g_string_new (NULL);

  /* The same columns as in the flat views of the store, then all other values of the runs in their order. */
  for (guint i = 0; i < values->len; i++)
    {
      const DynoMetricValue *value = values->pdata[i];

      if (value->is_column)
        g_ptr_array_add (metrics, g_strdup (value->name));
    }
  for (guint i = 0; i < runs->len; i++)
    collect_names (metrics, dyno_run_get_results (runs->pdata[i]));
  append_head (report, (const char *const *)metrics->pdata, metrics->len);
  for (guint i = 0; i < runs->len; i++)
    {
      GListModel *results = dyno_run_get_results (runs->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);
          g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

          add_run (cells, runs->pdata[i]);
          add_case (cells, result);
          add_outcome (cells, result);
          for (guint m = 0; m < metrics->len; m++)
            add_number (cells, dyno_result_get_value (result, metrics->pdata[m]));
          append_row (report, cells);
        }
    }
  return g_string_free_to_bytes (report);
}

/* Numbers are exact; a cell that says only that there is nothing is empty. */
static void
append_table (GString *report, const DynoReportTable *table)
{
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < table->columns->len; i++)
    {
      const DynoReportColumn *column = &g_array_index (table->columns, DynoReportColumn, i);

      add_text (titles, column->exact_title != NULL ? column->exact_title : column->title);
    }
  append_row (report, titles);
  for (guint row = 0; row < table->rows->len; row++)
    {
      g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
      const GArray *of_row = table->rows->pdata[row];

      for (guint i = 0; i < of_row->len; i++)
        {
          const DynoReportCell *cell = &g_array_index (of_row, DynoReportCell, i);
          gboolean is_number = g_array_index (table->columns, DynoReportColumn, i).is_number;
          gboolean is_nothing = is_number && g_unichar_isalnum (g_utf8_get_char (cell->text)) == 0;

          g_ptr_array_add (cells, isfinite (cell->number) ? dyno_report_text_format_exact (cell->number)
                                  : is_nothing            ? NULL
                                                          : dyno_csv_dup_text (cell->text));
        }
      append_row (report, cells);
    }
}

/* Appends the items of lists and lines to be copied: a row for each, with its name where any of them has one. */
static void
append_rest (GString *report, GPtrArray *blocks)
{
  gboolean is_named = FALSE;

  for (guint i = 0; i < blocks->len; i++)
    {
      const GPtrArray *items = ((const DynoReportBlock *)blocks->pdata[i])->items;

      for (guint k = 0; items != NULL && k < items->len; k++)
        is_named = is_named || ((const DynoReportItem *)items->pdata[k])->lead != NULL;
    }
  for (guint i = 0; i < blocks->len; i++)
    {
      const DynoReportBlock *block = blocks->pdata[i];
      g_auto (GStrv) lines = g_strsplit (block->kind == DYNO_REPORT_CODE ? block->text : "", "\n", -1);
      guint n = block->kind == DYNO_REPORT_LIST ? block->items->len : g_strv_length (lines);

      for (guint k = 0; k < n; k++)
        {
          g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
          const DynoReportItem *item = block->kind == DYNO_REPORT_LIST ? block->items->pdata[k] : NULL;

          if (item == NULL && *lines[k] == '\0')
            continue;
          if (is_named)
            add_text (cells, item == NULL ? NULL : item->name != NULL ? item->name : item->lead);
          add_text (cells, item != NULL ? item->text : lines[k]);
          append_row (report, cells);
        }
    }
}

/* The first table begins the file, so that programs read a file of one table as usual. Further ones follow after a
 * blank line, each below the last heading before it. A document without tables has rows of its lists. */
static GBytes *
write_document (const DynoReportDocument *document, GError **error)
{
  GString *report = g_string_new (NULL);
  const char *heading = NULL;

  for (guint i = 0; i < document->blocks->len; i++)
    {
      const DynoReportBlock *block = document->blocks->pdata[i];
      gboolean is_further = report->len > 0;

      if (block->kind == DYNO_REPORT_HEADING)
        heading = block->text;
      if (block->kind != DYNO_REPORT_TABLE || (is_further && dyno_report_block_is_empty (block)))
        continue;
      if (is_further)
        g_string_append (report, LINE_END);
      if (is_further && heading != NULL)
        {
          g_autoptr (GPtrArray) title = g_ptr_array_new_with_free_func (g_free);

          add_text (title, heading);
          append_row (report, title);
        }
      append_table (report, block->table);
      heading = NULL;
    }
  if (report->len == 0)
    append_rest (report, document->blocks);
  return g_string_free_to_bytes (report);
}

const DynoReportFormat dyno_report_csv_format = {
  .name = "csv",
  .suffix = "csv",
  .label = N_ ("CSV, a row for each case"),
  .write_document = write_document,
  .write_runs = write_runs,
};

/* The long form: a row for each value of each case and of each of its processes */

static const char *const value_columns[] = {
  "invocation", "name", "unit", "value", "quality", "source",
};

/* @first holds the cells of the case. */
static void
append_values (GString *report, GPtrArray *first, const char *invocation, GPtrArray *values)
{
  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (values, i);
      g_autoptr (GPtrArray) cells = g_ptr_array_copy (first, (GCopyFunc)g_strdup, NULL);

      g_ptr_array_set_free_func (cells, g_free);
      add_text (cells, invocation);
      add_text (cells, dyno_value_get_name (value));
      add_text (cells, dyno_value_get_unit (value));
      add_number (cells, value);
      add_text (cells, dyno_quality_to_string (dyno_value_get_quality (value)));
      add_text (cells, dyno_value_get_source (value));
      append_row (report, cells);
    }
}

/* `invocation` is empty in rows for the case as a whole, and the number of a process in the others. */
static GBytes *
write_runs_long (const DynoReportSource *source, GError **error)
{
  GPtrArray *runs = source->runs;
  GString *report = g_string_new (NULL);

  append_head (report, value_columns, G_N_ELEMENTS (value_columns));
  for (guint i = 0; i < runs->len; i++)
    {
      GListModel *results = dyno_run_get_results (runs->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);
          g_autoptr (GPtrArray) first = g_ptr_array_new_with_free_func (g_free);
          GPtrArray *invocations = dyno_result_get_invocations (result);

          add_run (first, runs->pdata[i]);
          add_case (first, result);
          add_outcome (first, result);
          append_values (report, first, NULL, dyno_result_get_values (result));
          for (guint p = 0; p < invocations->len; p++)
            {
              const DynoInvocation *invocation = g_ptr_array_index (invocations, p);
              g_autofree char *number = g_strdup_printf ("%u", invocation->number);

              append_values (report, first, number, invocation->values);
            }
        }
    }
  return g_string_free_to_bytes (report);
}

const DynoReportFormat dyno_report_csv_long_format = {
  .name = "csv-long",
  .suffix = "csv",
  .label = N_ ("CSV, a row for each value"),
  .write_runs = write_runs_long,
};
