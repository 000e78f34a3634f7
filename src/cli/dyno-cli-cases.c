/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-cli-private.h"
#include "dyno-grade.h"
#include "dyno-machine.h"
#include "dyno-metric.h"
#include "dyno-missing.h"
#include "dyno-prediction.h"

#define MAX_OPERATORS 15

char *
dyno_cli_cases_dup_counts (DynoRun *run)
{
  g_autofree char *text = dyno_run_dup_outcome (run);

  if (dyno_run_is_running (run))
    return g_strdup_printf (_ ("Being measured by another process: %s"), text);
  if (dyno_run_is_interrupted (run))
    return g_strdup_printf (_ ("Interrupted: %s. Continue with “dyno-cli run --remaining %.8s”."), text,
                            dyno_run_get_id (run));
  return g_steal_pointer (&text);
}

void
dyno_cli_cases_add_heading (DynoReportDocument *document, DynoRun *run)
{
  g_autofree char *tool = dyno_run_dup_tool (run);
  g_autofree char *date = dyno_report_text_format_date (dyno_run_get_started_at (run));
  const char *snapshot = dyno_run_get_machine (run);
  g_autofree char *machine = snapshot != NULL && *snapshot != '\0' ? dyno_machine_dup_summary (snapshot)
                                                                   : g_strdup (_ ("unknown machine"));
  g_autofree char *taken = g_strdup_printf ("%s · %s · %s", dyno_run_get_id (run), date, tool);
  g_autofree char *counts = dyno_cli_cases_dup_counts (run);
  const char *title = dyno_run_get_title (run);
  const char *notes = dyno_run_get_notes (run);

  dyno_report_document_add_heading (document, 1,
                                    title != NULL && *title != '\0' ? title : _ ("Untitled run"));
  dyno_report_document_begin_list (document);
  dyno_report_document_add_item (document, NULL, taken, NULL);
  dyno_report_document_add_item (document, NULL, machine, NULL);
  dyno_report_document_add_item (document, NULL, counts, NULL);

  /* The devices of cases that were not measured are unknown. */
  g_autoptr (GHashTable) added = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);

  for (guint i = 0; i < results->len; i++)
    {
      DynoCase *kase = dyno_result_get_case (results->pdata[i]);
      g_autofree char *engine =
          dyno_cli_format_engine (dyno_case_get_backend (kase), dyno_case_get_device (kase));
      g_autofree char *device = dyno_result_dup_device_label (results->pdata[i]);

      if (device != NULL && g_hash_table_add (added, g_strdup_printf ("%s: %s", engine, device)))
        dyno_report_document_add_fact (document, engine, device);
    }

  if (notes != NULL && *notes != '\0')
    dyno_report_document_add_paragraph (document, notes);
}

static void
add_sentence (DynoReportDocument *document, const char *sentence)
{
  if (sentence != NULL && *sentence != '\0')
    dyno_report_document_add_item (document, NULL, sentence, NULL);
}

void
dyno_cli_cases_add (DynoReportDocument *document, DynoRun *run)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);
  g_autofree char *command = dyno_run_dup_command (run);

  dyno_cli_cases_add_heading (document, run);
  dyno_report_run_add_answer (document, run);
  dyno_report_cases_add (document, run, TRUE);
  dyno_cli_notes_add_reasons (document, results);
  dyno_report_document_begin_list (document);
  dyno_report_run_add_doubts (document, run);
  dyno_report_document_add_command (document, _ ("This command repeats the run:"), command);
  dyno_cli_notes_add_warnings (document, results);

  g_autoptr (GPtrArray) list = dyno_missing_find (dyno_run_get_results (run));

  if (list->len == 0)
    return;
  dyno_report_document_add_heading (document, 2, _ ("Not measured"));
  dyno_report_document_begin_list (document);
  for (guint i = 0; i < list->len; i++)
    {
      DynoMissing *missing = list->pdata[i];
      g_autofree char *title = dyno_missing_dup_title (missing);

      dyno_report_document_add_fact (document, title, missing->reason);
    }
}

void
dyno_cli_cases_print (DynoRun *run)
{
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("");

  dyno_cli_cases_add (document, run);
  dyno_cli_print_document (document);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 first = dyno_operator_get_time_ns (*(DynoOperator *const *)a);
  gint64 second = dyno_operator_get_time_ns (*(DynoOperator *const *)b);

  return (first < second) - (first > second);
}

/* Numbers that the engine does not report are negative. */
static char *
format_known (gint64 number, const char *unit)
{
  return number >= 0 ? dyno_cli_format_quantity ((double)number, unit) : g_strdup ("—");
}

static void
add_operators (DynoReportDocument *document, DynoResult *result)
{
  GPtrArray *operators = dyno_result_get_operators (result);
  gboolean has_kernels = dyno_result_has_kernels (result);
  DynoReportTable *table =
      dyno_report_table_new (has_kernels ? "ll1l3r4rr2r2l5" : "ll1l3r4rr2r2", _ ("Operator"), _ ("Type"),
                             _ ("Provider"), _ ("Calls"), _ ("Total time"), _ ("FLOPs per call"),
                             _ ("Bytes per call"), has_kernels ? _ ("Kernel") : NULL, NULL);
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (operators, (GCopyFunc)g_object_ref, NULL);
  guint n_more = sorted->len > MAX_OPERATORS ? sorted->len - MAX_OPERATORS : 0;
  g_autofree char *more = g_strdup_printf (ngettext ("and %u more", "and %u more", n_more), n_more);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  g_ptr_array_sort (sorted, compare_times);
  for (guint i = 0; i < MIN (sorted->len, MAX_OPERATORS); i++)
    {
      DynoOperator *op = sorted->pdata[i];
      gint64 nanoseconds = dyno_operator_get_time_ns (op);
      double milliseconds = nanoseconds >= 0 ? (double)nanoseconds * 1e-6 : NAN;

      dyno_report_table_take_row (
          table, g_strdup (dyno_operator_get_name (op)), g_strdup (dyno_operator_get_op_type (op)),
          dyno_cli_format_text (dyno_operator_get_provider (op)),
          dyno_cli_format_count (dyno_operator_get_calls (op)), g_strdup (""),
          format_known (dyno_operator_get_flops (op), "FLOP"),
          format_known (dyno_operator_get_bytes (op), "B"),
          has_kernels ? dyno_cli_format_text (dyno_operator_get_kernel (op)) : NULL, NULL);
      g_array_append_val (numbers, milliseconds);
    }
  dyno_report_table_set_quantities (table, 4, numbers, "ms");
  dyno_report_document_take_table (document, table);
  if (n_more > 0)
    dyno_report_document_add_paragraph (document, more);
}

static char *
format_invocation (const DynoInvocation *invocation, const char *name, const char *unit)
{
  double number = dyno_invocation_get_number (invocation, name);

  return isfinite (number) ? dyno_cli_format_quantity (number, unit) : g_strdup ("—");
}

/* Adds the result of each process, how much they differ, and how much was disturbed. */
static void
add_invocations (DynoReportDocument *document, DynoResult *result)
{
  DynoReportTable *table = dyno_report_table_new ("rrrrrw", _ ("Process"), _ ("Median"), _ ("Samples"),
                                                  _ ("Load"), _ ("Peak memory"), _ ("Failure"), NULL);
  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_auto (GStrv) findings = dyno_processes_dup_findings (result);

  for (guint i = 0; invocations->len > 1 && i < invocations->len; i++)
    {
      const DynoInvocation *invocation = invocations->pdata[i];

      dyno_report_table_take_row (table, g_strdup_printf ("%u", invocation->number + 1),
                                  format_invocation (invocation, "latency_p50_ms", "ms"),
                                  format_invocation (invocation, "latency_samples", ""),
                                  format_invocation (invocation, "load_time_ms", "ms"),
                                  format_invocation (invocation, "memory_peak_mb", "MB"),
                                  dyno_cli_format_text (invocation->failure), NULL);
    }
  dyno_report_document_take_table (document, table);
  dyno_report_document_begin_list (document);
  for (guint i = 0; findings[i] != NULL; i++)
    add_sentence (document, findings[i]);
}

void
dyno_cli_cases_add_one (DynoReportDocument *document, DynoResult *result)
{
  g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
  g_autofree char *device = dyno_result_dup_device_label (result);
  g_autofree char *heading = g_strdup_printf ("%s: %s", label, dyno_result_get_status_label (result));
  g_autofree char *prediction = dyno_prediction_dup_outcome (result);

  dyno_report_document_add_heading (document, 2, heading);
  dyno_report_document_begin_list (document);
  add_sentence (document, device);
  add_sentence (document, dyno_result_get_reason (result));
  add_sentence (document, prediction);

  DynoReportTable *table =
      dyno_report_table_new ("lrl1w2", _ ("Value"), _ ("Number"), _ ("Quality"), _ ("Source"), NULL);
  GPtrArray *values = dyno_result_get_values (result);

  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (values, i);
      const char *source = dyno_value_get_source (value);

      dyno_report_table_take_row (table, g_strdup (dyno_value_get_name (value)),
                                  dyno_cli_format_value (value),
                                  g_strdup (dyno_quality_to_string (dyno_value_get_quality (value))),
                                  dyno_cli_format_text (source), NULL);
    }
  dyno_report_document_take_table (document, table);

  add_invocations (document, result);
  dyno_cli_modules_add (document, result);
  add_operators (document, result);

  dyno_report_document_begin_list (document);
  for (int are_records = FALSE; are_records <= TRUE; are_records++)
    {
      g_autoptr (GPtrArray) diagnostics = dyno_result_list_diagnostics (result, are_records);

      for (guint i = 0; i < diagnostics->len; i++)
        dyno_report_document_add_item (
            document, dyno_severity_get_label (dyno_diagnostic_get_shown_severity (diagnostics->pdata[i])),
            dyno_diagnostic_get_message (diagnostics->pdata[i]), NULL);
    }
}
