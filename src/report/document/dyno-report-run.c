/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-report-document-private.h"
#include "dyno-report-source.h"
#include "dyno-report.h"
#include "dyno-run-summary.h"
#include "dyno-score.h"

/* The template of runs, one after the other: for each its conclusion, main chart and table first, then the
 * sections for the kind of its models; at the end, once for all, the missing measurements. */

static void
add_sentence (DynoReportDocument *document, const char *sentence)
{
  if (sentence == NULL)
    return;
  dyno_report_document_set_subject (document, sentence);
  dyno_report_document_add_item (document, NULL, sentence, NULL);
}

void
dyno_report_run_add_answer (DynoReportDocument *document, DynoRun *run)
{
  g_auto (GStrv) findings = dyno_run_summary_dup_findings (run);
  g_autofree char *winner = dyno_run_summary_dup_winner (run);
  g_autofree char *interruption = dyno_run_summary_dup_interruption (run);
  g_autoptr (DynoScore) score = dyno_score_new (run, dyno_reference_get_bundled ());
  g_autofree char *scored = score != NULL ? dyno_score_dup_text (score) : NULL;

  dyno_report_document_begin_list (document);
  add_sentence (document, winner);
  for (guint i = 0; findings[i] != NULL; i++)
    add_sentence (document, findings[i]);
  add_sentence (document, scored);
  add_sentence (document, interruption);
}

void
dyno_report_run_add_doubts (DynoReportDocument *document, DynoRun *run)
{
  g_autofree char *doubt = dyno_run_summary_dup_doubt (run);
  g_autofree char *rough = dyno_run_summary_dup_rough (run);

  add_sentence (document, doubt);
  add_sentence (document, rough);
}

static void
add_devices (DynoReportDocument *document, GListModel *results)
{
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();

  dyno_report_notes_begin_results (notes, NULL, results);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
      g_autofree char *device = dyno_result_dup_device_label (result);

      if (device != NULL)
        dyno_report_notes_add (notes, NULL, device, label);
    }
  dyno_report_notes_put (notes, document, 2, _ ("Devices"));
}

/* Sentences with numbers that identify their subject, such as that of a signal in the reason for a failure, are not merged. */
static void
collect_diagnostics (DynoReportNotes *notes, DynoResult *result, DynoSeverity severity, gboolean are_records)
{
  g_autoptr (GPtrArray) diagnostics = dyno_result_list_diagnostics (result, are_records);
  g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
  const char *lead = dyno_severity_get_label (severity);

  for (guint i = 0; i < diagnostics->len; i++)
    {
      DynoDiagnostic *diagnostic = g_ptr_array_index (diagnostics, i);
      const char *message = dyno_diagnostic_get_message (diagnostic);

      if (dyno_diagnostic_get_shown_severity (diagnostic) != severity)
        continue;
      if (g_str_equal (dyno_diagnostic_get_code (diagnostic), "invocation-failed"))
        dyno_report_notes_add (notes, lead, message, label);
      else
        dyno_report_notes_add_similar (notes, lead, message, label);
    }
}

/* The gravest of all cases come first. */
static void
add_diagnostics (DynoReportDocument *document, const char *heading, GListModel *results, gboolean are_records)
{
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();

  dyno_report_notes_begin_results (notes, NULL, results);
  for (int severity = DYNO_SEVERITY_ERROR; severity >= DYNO_SEVERITY_INFO; severity--)
    for (guint i = 0; i < g_list_model_get_n_items (results); i++)
      {
        g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

        collect_diagnostics (notes, result, (DynoSeverity)severity, are_records);
      }
  dyno_report_notes_put (notes, document, 2, heading);
}

static DynoReportDocument *
build (const DynoReportTemplate *of, const DynoReportSource *source, GError **error)
{
  g_autofree char *title =
      source->runs->len > 0 ? dyno_report_facts_dup_title (source->runs->pdata[0]) : g_strdup (_ ("Results"));
  DynoReportDocument *document = dyno_report_document_new (title);

  for (guint i = 0; i < source->runs->len; i++)
    {
      DynoRun *run = source->runs->pdata[i];
      GListModel *results = dyno_run_get_results (run);
      g_autofree char *heading = dyno_report_facts_dup_title (run);
      g_autoptr (GPtrArray) charts = dyno_report_charts_list (run, source->ceilings);

      dyno_report_document_add_heading (document, 1, heading);
      dyno_report_run_add_answer (document, run);
      dyno_report_run_add_doubts (document, run);
      dyno_report_charts_put_main (charts, document);
      dyno_report_document_add_heading (document, 2, _ ("Results"));
      dyno_report_cases_add (document, run, FALSE);
      if (source->goal != NULL)
        dyno_report_costs_add (document, results, &source->goal->price);
      dyno_report_kind_add_sections (document, run, charts);
      dyno_report_charts_put (charts, document);
      dyno_report_document_add_heading (document, 2, _ ("How it was measured"));
      dyno_report_facts_add (document, run);
      add_devices (document, results);
      add_diagnostics (document, _ ("Findings"), results, FALSE);
      dyno_report_estimates_add (document, results);
      add_diagnostics (document, _ ("Details"), results, TRUE);
    }
  dyno_report_facts_add_missing (document, source->runs, source->runs->len > 1 ? 1 : 2);
  return document;
}

const DynoReportTemplate dyno_report_run_template = {
  .name = "run",
  .label = N_ ("Runs"),
  .build = build,
};
