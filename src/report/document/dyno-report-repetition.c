/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-report-document-private.h"
#include "dyno-report.h"

/* Before it starts */

static char *
dup_title (const DynoRepetition *repetition)
{
  g_autofree char *title = dyno_report_facts_dup_title (repetition->run);

  /* Translators: %s is the title of a run that is measured again */
  return g_strdup_printf (_ ("Repetition of “%s”"), title);
}

DynoReportDocument *
dyno_report_repetition_plan_new (const DynoRepetition *repetition)
{
  DynoRun *run = repetition->run;
  g_autofree char *title = dup_title (repetition);
  g_autofree char *date = dyno_report_text_format_date (dyno_run_get_started_at (run));
  g_autofree char *machine = dyno_report_facts_dup_machine (run);
  g_autofree char *software = dyno_report_facts_dup_software (run);
  DynoReportDocument *document = dyno_report_document_new (title);

  dyno_report_document_add_heading (document, 1, title);
  dyno_report_document_begin_list (document);
  dyno_report_document_add_fact (document, _ ("Run"), dyno_run_get_id (run));
  dyno_report_document_add_fact (document, _ ("Date"), date);
  dyno_report_document_add_fact (document, _ ("Machine"), machine);
  dyno_report_document_add_fact (document, _ ("Software"), software);
  dyno_report_comparison_add_differences (document, repetition->before);
  if (repetition->before->differences->len == 0)
    dyno_report_document_add_paragraph (document,
                                        _ ("Machine, engines and Dyno are the same as in that run."));
  dyno_report_comparison_add_left_out (document, repetition->before);
  return document;
}

/* The answer for programs */

static JsonNode *
to_json (const DynoRepetition *repetition, const DynoComparison *comparison, const char *answer)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  guint counts[DYNO_N_AGREEMENTS];
  DynoAgreement agreement = dyno_agreement_judge_all (comparison, counts);

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "repeats", dyno_run_get_id (repetition->run));
  dyno_report_member_add_text (builder, "agreement", dyno_agreement_to_string (agreement));
  dyno_report_member_add_text (builder, "answer", answer);
  json_builder_set_member_name (builder, "cases");
  json_builder_begin_array (builder);
  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];
      const char *of_case = dyno_agreement_to_string (dyno_agreement_judge (kase));

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "label", kase->label);
      dyno_report_member_add_text (builder, "agreement", of_case);
      dyno_report_member_add_number (builder, "ratio", kase->ratio);
      dyno_report_member_add_number (builder, "ratio_low", kase->low);
      dyno_report_member_add_number (builder, "ratio_high", kase->high);
      dyno_report_member_add_count (builder, "processes_needed", kase->n_needed);
      dyno_report_member_add_text (builder, "reason", kase->reason);
      json_builder_end_object (builder);
    }
  for (guint i = 0; i < comparison->left_out->len; i++)
    {
      const DynoLeftOutCase *kase = comparison->left_out->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "label", kase->label);
      dyno_report_member_add_text (builder, "agreement", dyno_agreement_to_string (DYNO_AGREEMENT_UNKNOWN));
      dyno_report_member_add_text (builder, "reason", kase->reason);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "comparison");
  json_builder_add_value (builder, dyno_report_comparison_to_json (comparison));
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* For people */

static void
add_table (DynoReportDocument *document, const DynoComparison *comparison)
{
  DynoReportTable *table = dyno_report_table_new ("pr3r2rwr4", _ ("Case"), _ ("Then"), _ ("Now"),
                                                  dyno_comparison_get_ratio_title (comparison), _ ("Verdict"),
                                                  _ ("Processes"), NULL);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];
      DynoAgreement agreement = dyno_agreement_judge (kase);
      const char *label = dyno_agreement_get_label (agreement);
      const char *direction = dyno_verdict_get_label (kase->verdict, comparison->metric);

      dyno_report_table_take_row (table, g_strdup (kase->label), g_strdup (""), g_strdup (""),
                                  dyno_comparison_dup_ratio (comparison, kase),
                                  agreement == DYNO_AGREEMENT_DIFFERS
                                      /* Translators: “differs”, and in which direction: “differs: slower” */
                                      ? g_strdup_printf (_ ("%s: %s"), label, direction)
                                      : g_strdup (label),
                                  g_strdup_printf ("%u + %u", kase->n_baseline, kase->n), NULL);
      dyno_report_table_set_number (table, 3, kase->ratio);
      g_array_append_val (numbers, kase->baseline_value);
      g_array_append_val (numbers, kase->value);
    }
  dyno_report_table_set_quantities (table, 1, numbers, comparison->unit);
  dyno_report_document_take_table (document, table);
}

DynoReportDocument *
dyno_report_repetition_new (const DynoRepetition *repetition, DynoComparison *comparison)
{
  g_autofree char *title = dup_title (repetition);
  g_autofree char *answer = dyno_agreement_dup_answer (comparison);
  g_autoptr (DynoReportNotes) reasons = dyno_report_notes_new ();
  DynoReportDocument *document = dyno_report_document_new (title);

  dyno_report_document_set_subject (document, answer);
  dyno_report_document_take_data (document, to_json (repetition, comparison, answer));
  dyno_report_document_add_heading (document, 1, title);
  dyno_report_document_add_paragraph (document, answer);
  add_table (document, comparison);
  dyno_report_comparison_add_remarks (document, comparison);
  /* Says why it cannot be told, and how many processes would do. */
  dyno_report_notes_begin_comparison (reasons, comparison);
  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];

      if (kase->reason != NULL && dyno_agreement_judge (kase) == DYNO_AGREEMENT_UNKNOWN)
        dyno_report_notes_add_similar (reasons, NULL, kase->reason, kase->label);
    }
  dyno_report_notes_put (reasons, document, 2, _ ("What cannot be told"));
  dyno_report_comparison_add_left_out (document, comparison);
  dyno_report_comparison_add_differences (document, comparison);
  return document;
}
