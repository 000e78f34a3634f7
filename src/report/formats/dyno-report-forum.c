/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-report-facts.h"
#include "dyno-report-formats.h"
#include "dyno-report-text.h"

/* A block to be pasted into a forum, in the manner of llama-bench: a table that lines up in letters of equal width, and is
 * one in Markdown, too, with a line about the machine. */

static const char *const titles[] = {
  "model", "params", "backend", "precision", "threads", "test", "ms", "items/s", "state",
};

/* Words are aligned at their beginning, numbers at their end. */
static const gboolean is_number[] = { FALSE, TRUE, FALSE, FALSE, TRUE, FALSE, TRUE, TRUE, FALSE };

static char *
dup_parameters (DynoResult *result)
{
  gint64 count = dyno_result_get_parameter_count (result);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (count <= 0)
    return g_strdup ("");
  return count >= 1000000000
             ? g_strdup_printf ("%s B", g_ascii_formatd (number, sizeof number, "%.2f", (double)count / 1e9))
             : g_strdup_printf ("%s M", g_ascii_formatd (number, sizeof number, "%.2f", (double)count / 1e6));
}

/* Sizes as llama-bench writes them: what was put in, and the batch. */
static char *
dup_test (DynoCase *kase)
{
  g_autoptr (GString) test = g_string_new (NULL);

  if (dyno_case_get_generate_tokens (kase) > 0)
    g_string_append_printf (test, "pp%u+tg%u", dyno_case_get_sequence_length (kase),
                            dyno_case_get_generate_tokens (kase));
  else if (dyno_case_get_sequence_length (kase) > 0)
    g_string_append_printf (test, "pp%u", dyno_case_get_sequence_length (kase));
  g_string_append_printf (test, "%sb%u", test->len > 0 ? " " : "", dyno_case_get_batch_size (kase));
  return g_string_free (g_steal_pointer (&test), FALSE);
}

static char *
dup_number (DynoResult *result, const char *metric)
{
  double number = dyno_result_get_number (result, metric);

  return isfinite (number) ? dyno_report_text_format_number (number) : g_strdup ("–");
}

/* With the larger of its two distances to the ends of the interval. */
static char *
dup_median (DynoResult *result)
{
  double median = dyno_result_get_number (result, "latency_p50_ms");
  double low = dyno_result_get_number (result, "latency_median_low_ms");
  double high = dyno_result_get_number (result, "latency_median_high_ms");
  g_autofree char *middle = dup_number (result, "latency_p50_ms");
  g_autofree char *off = dyno_report_text_format_number (fmax (high - median, median - low));

  return isfinite (low) && isfinite (high) ? g_strdup_printf ("%s ± %s", middle, off)
                                           : g_steal_pointer (&middle);
}

static char *
dup_name (DynoResult *result)
{
  const char *name = dyno_result_get_model_name (result);
  g_autofree char *escaped =
      dyno_report_text_escape (name != NULL ? name : dyno_case_get_model (dyno_result_get_case (result)));

  return g_steal_pointer (&escaped);
}

static char **
build_row (DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  guint threads = dyno_case_get_threads (kase);
  char *cells[] = {
    dup_name (result),
    dup_parameters (result),
    dyno_report_text_escape (dyno_case_get_backend (kase)),
    g_strdup (dyno_case_get_computed_precision (kase)),
    threads > 0 ? g_strdup_printf ("%u", threads) : g_strdup (_ ("auto")),
    dup_test (kase),
    dup_median (result),
    dup_number (result, "throughput_items_per_sec"),
    g_strdup (dyno_case_state_get_label (dyno_result_get_state (result))),
    NULL,
  };

  return g_memdup2 (cells, sizeof cells);
}

static glong
find_width (GPtrArray *rows, guint column)
{
  glong width = 0;

  for (guint i = 0; i < rows->len; i++)
    width = MAX (width, g_utf8_strlen (((char **)rows->pdata[i])[column], -1));
  return width;
}

static void
append_padding (GString *report, glong n, char letter)
{
  for (glong i = 0; i < n; i++)
    g_string_append_c (report, letter);
}

static void
append_row (GString *report, char **cells, const glong *widths)
{
  for (guint i = 0; cells[i] != NULL; i++)
    {
      glong room = widths[i] - g_utf8_strlen (cells[i], -1);

      g_string_append (report, "| ");
      append_padding (report, is_number[i] ? room : 0, ' ');
      g_string_append (report, cells[i]);
      append_padding (report, is_number[i] ? 0 : room, ' ');
      g_string_append_c (report, ' ');
    }
  g_string_append (report, "|\n");
}

static void
append_line (GString *report, const glong *widths)
{
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      g_string_append (report, "| ");
      append_padding (report, widths[i] - (is_number[i] ? 1 : 0), '-');
      g_string_append (report, is_number[i] ? ": " : " ");
    }
  g_string_append (report, "|\n");
}

static void
append_run (GString *report, DynoRun *run)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  g_autofree char *machine = dyno_report_facts_dup_machine (run);
  GListModel *results = dyno_run_get_results (run);
  const char *head[G_N_ELEMENTS (titles) + 1] = { NULL };
  glong widths[G_N_ELEMENTS (titles)];

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    head[i] = titles[i];
  g_ptr_array_add (rows, g_strdupv ((char **)head));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      g_ptr_array_add (rows, build_row (result));
    }
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    widths[i] = find_width (rows, i);
  g_string_append_printf (report, "%s\n\n", machine);
  for (guint i = 0; i < rows->len; i++)
    {
      append_row (report, rows->pdata[i], widths);
      if (i == 0)
        append_line (report, widths);
    }
  if (dyno_run_get_app_version (run) != NULL)
    g_string_append_printf (report, "\nDyno %s\n", dyno_run_get_app_version (run));
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
  .write_runs = write_runs,
};
