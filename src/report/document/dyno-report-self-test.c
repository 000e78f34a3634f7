/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-comparison-builder.h"
#include "dyno-false-alarms.h"
#include "dyno-metric.h"
#include "dyno-report-document-private.h"
#include "dyno-report.h"
#include "dyno-self-test-plan.h"
#include "dyno-unit.h"

/* The maximum acceptable share of false alarms. */
#define GOAL_PERCENT 5

static void
add_turns (JsonBuilder *builder, const DynoComparedCase *kase)
{
  json_builder_set_member_name (builder, "in_turns");
  json_builder_begin_object (builder);
  dyno_report_member_add_number (builder, "ratio", kase->ratio);
  dyno_report_member_add_number (builder, "low", kase->low);
  dyno_report_member_add_number (builder, "high", kase->high);
  dyno_report_member_add_count (builder, "processes", kase->n);
  dyno_report_member_add_count (builder, "rounds", kase->n_rounds);
  dyno_report_member_add_text (builder, "verdict",
                               dyno_verdict_to_string (kase->verdict, DYNO_COMPARISON_METRIC));
  json_builder_end_object (builder);
}

static char *
dup_turns (const DynoComparedCase *kase)
{
  g_autofree char *ratio = dyno_unit_format_number (kase->ratio, 3);
  g_autofree char *low = dyno_unit_format_number (kase->low, 3);
  g_autofree char *high = dyno_unit_format_number (kase->high, 3);

  return g_strdup_printf (
      /* Translators: a ratio, its interval, the number of blocks, and a verdict such as “same” */
      _ ("In turns, the case took %s times as long as itself (%s – %s, %u blocks): %s."), ratio, low, high,
      kase->n, dyno_verdict_get_label (kase->verdict, DYNO_COMPARISON_METRIC));
}

static JsonNode *
to_json (DynoRun *run,
         DynoResult *result,
         const DynoSelfTest *self_test,
         const DynoFalseAlarms *alarms,
         const DynoComparedCase *turns)
{
  DynoCase *kase = dyno_result_get_case (result);
  GPtrArray *values = dyno_result_get_values (result);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "run", dyno_run_get_id (run));
  dyno_report_member_add_text (builder, "model", dyno_case_get_model (kase));
  dyno_report_member_add_text (builder, "backend", dyno_case_get_backend (kase));
  dyno_report_member_add_text (builder, "device", dyno_case_get_device (kase));
  dyno_report_member_add_text (builder, "metric", DYNO_COMPARISON_METRIC);
  dyno_report_member_add_count (builder, "processes",
                                dyno_self_test_count (self_test, DYNO_COMPARISON_METRIC));
  dyno_report_member_add_number (builder, "noise_floor",
                                 dyno_self_test_get_floor (self_test, DYNO_COMPARISON_METRIC));
  json_builder_set_member_name (builder, "noise_floors");
  json_builder_begin_object (builder);
  for (guint i = 0; i < values->len; i++)
    {
      const char *name = dyno_value_get_name (values->pdata[i]);
      double noise_floor = dyno_self_test_get_floor (self_test, name);

      if (isfinite (noise_floor))
        dyno_report_member_add_number (builder, name, noise_floor);
    }
  json_builder_end_object (builder);
  dyno_report_member_add_count (builder, "comparisons", alarms->n_comparisons);
  dyno_report_member_add_count (builder, "false_alarms", alarms->n_alarms);
  if (turns != NULL)
    add_turns (builder, turns);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static void
add_sentences (DynoReportDocument *document, GStrv sentences)
{
  for (char **sentence = sentences; *sentence != NULL; sentence++)
    dyno_report_document_add_item (document, NULL, *sentence, NULL);
}

/* Adds the floor of every value that has one. */
static void
add_floors (DynoReportDocument *document, DynoResult *result, const DynoSelfTest *self_test)
{
  DynoReportTable *table = dyno_report_table_new ("lr", _ ("Value"), _ ("Noise floor (%)"), NULL);
  GPtrArray *values = dyno_result_get_values (result);

  for (guint i = 0; i < values->len; i++)
    {
      const char *name = dyno_value_get_name (values->pdata[i]);
      double percent = 100 * dyno_self_test_get_floor (self_test, name);

      if (!isfinite (percent))
        continue;
      dyno_report_table_take_row (table, dyno_metric_title_dup (name), dyno_unit_format_percent (percent),
                                  NULL);
      dyno_report_table_set_number (table, 1, percent);
    }
  dyno_report_document_begin_details (document, NULL);
  dyno_report_document_take_table (document, table);
}

DynoReportDocument *
dyno_report_self_test_new (DynoRun *run,
                           DynoResult *result,
                           const DynoSelfTest *self_test,
                           const DynoComparison *in_turns)
{
  const DynoComparedCase *kase = in_turns != NULL ? in_turns->cases->pdata[0] : NULL;
  const DynoComparedCase *turns =
      kase != NULL && kase->n_rounds > 0 && isfinite (kase->low) && isfinite (kase->high) ? kase : NULL;
  g_autofree char *answer = dyno_self_test_dup_sentence (self_test, DYNO_COMPARISON_METRIC);
  g_auto (GStrv) findings = dyno_processes_dup_findings (result);
  g_auto (GStrv) doubts = dyno_result_dup_doubts (result);
  g_autofree char *source = g_strdup_printf (_ ("All results are in run %.8s."), dyno_run_get_id (run));
  DynoReportDocument *document = dyno_report_document_new (_ ("Self-test"));
  DynoFalseAlarms alarms;

  dyno_false_alarms_count (result, &alarms);

  g_autofree char *percent = dyno_unit_format_percent (100.0 * alarms.n_alarms / alarms.n_comparisons);
  g_autofree char *counted = g_strdup_printf (
      ngettext ("The case was compared with itself %u time, and said to differ in %u (%s %%; %d %% would be "
                "acceptable).",
                "The case was compared with itself %u times, and said to differ in %u (%s %%; %d %% would "
                "be acceptable).",
                alarms.n_comparisons),
      alarms.n_comparisons, alarms.n_alarms, percent, GOAL_PERCENT);
  dyno_report_document_set_subject (document, answer);
  dyno_report_document_take_data (document, to_json (run, result, self_test, &alarms, turns));
  dyno_report_document_add_heading (document, 1, _ ("Self-test"));
  dyno_report_document_add_paragraph (document, answer);
  dyno_report_document_begin_list (document);
  dyno_report_document_add_item (
      document, NULL, _ ("Smaller differences are no evidence, however often they are measured this way."),
      NULL);
  dyno_report_document_add_item (document, NULL, counted, NULL);
  if (turns != NULL)
    {
      g_autofree char *words = dup_turns (turns);

      dyno_report_document_add_item (document, NULL, words, NULL);
    }
  add_sentences (document, findings);
  add_sentences (document, doubts);
  dyno_report_document_add_item (document, NULL, source, NULL);
  add_floors (document, result, self_test);
  return document;
}
