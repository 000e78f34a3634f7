/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-report-formats.h"
#include "dyno-report-private.h"
#include "dyno-text.h"

/* Comma-separated values for the change-point detection of Apache Otava: a row for each run, in order of
 * time, with the columns `time`, `run` and one for the median latency of each case, or for its replacement. */

static char *
dup_column (DynoResult *result)
{
  const DynoReportFigure *figure = dyno_report_figure_find (result);

  return figure != NULL ? g_strdelimit (dyno_report_figure_dup_name (figure, result), ",\"\r\n", ' ') : NULL;
}

static GPtrArray *
list_columns (GPtrArray *runs)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < runs->len; i++)
    {
      GListModel *results = dyno_run_get_results (runs->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);
          g_autofree char *column = dup_column (result);

          if (column != NULL && !g_ptr_array_find_with_equal_func (columns, column, g_str_equal, NULL))
            g_ptr_array_add (columns, g_steal_pointer (&column));
        }
    }
  return columns;
}

static double
find_number (DynoRun *run, const char *column)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autofree char *own = dup_column (result);

      if (g_strcmp0 (own, column) == 0)
        return dyno_report_figure_get (dyno_report_figure_find (result), result);
    }
  return NAN;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 first = dyno_run_get_started_at (*(DynoRun **)a);
  gint64 second = dyno_run_get_started_at (*(DynoRun **)b);

  return (first > second) - (first < second);
}

static void
append_text (GString *report, const char *text)
{
  g_autofree char *cell = dyno_csv_dup_text (text);

  dyno_csv_append (report, cell, ',');
}

static GBytes *
write_runs (const DynoReportSource *source, GError **error)
{
  GPtrArray *runs = source->runs;
  g_autoptr (GPtrArray) columns = list_columns (runs);
  g_autoptr (GPtrArray) in_time = g_ptr_array_new ();
  GString *report;

  if (!dyno_report_figure_check (runs, dyno_report_otava_format.name, error))
    return NULL;
  report = g_string_new ("time,run");
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (in_time, runs->pdata[i]);
  g_ptr_array_sort (in_time, compare_times);
  for (guint i = 0; i < columns->len; i++)
    {
      g_string_append_c (report, ',');
      append_text (report, columns->pdata[i]);
    }
  g_string_append_c (report, '\n');
  for (guint i = 0; i < in_time->len; i++)
    {
      DynoRun *run = in_time->pdata[i];
      g_autofree char *time = dyno_report_text_format_time (dyno_run_get_started_at (run));

      g_string_append_printf (report, "%s,", time != NULL ? time : "");
      append_text (report, dyno_run_get_id (run));
      for (guint k = 0; k < columns->len; k++)
        {
          double number = find_number (run, columns->pdata[k]);
          g_autofree char *text = isfinite (number) ? dyno_report_text_format_exact (number) : g_strdup ("");

          g_string_append_printf (report, ",%s", text);
        }
      g_string_append_c (report, '\n');
    }
  return g_string_free_to_bytes (report);
}

const DynoReportFormat dyno_report_otava_format = {
  .name = "otava",
  .suffix = "csv",
  .label = N_ ("CSV, a row for each run, for Otava"),
  .write_runs = write_runs,
};
