/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-subject-charts.h"
#include "dyno-report.h"
#include "dyno-report-document-private.h"
#include "dyno-report-source.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

/* The template of a comparison: the answer, the ratios as a picture and as a table; then the reasons and the
 * conditions. */

void
dyno_report_comparison_add_remarks (DynoReportDocument *document, const DynoComparison *comparison)
{
  g_autofree char *evidence = dyno_comparison_dup_evidence (comparison);
  g_autofree char *remark = dyno_comparison_dup_remark (comparison);
  g_autofree char *noise = dyno_comparison_dup_noise (comparison);
  const char *const remarks[] = { evidence, remark, noise };

  dyno_report_document_begin_list (document);
  for (guint i = 0; i < G_N_ELEMENTS (remarks); i++)
    if (remarks[i] != NULL)
      dyno_report_document_add_item (document, NULL, remarks[i], NULL);
}

static const char *
get_compared (const DynoComparison *comparison, guint side)
{
  return comparison->sides->len > 2 ? dyno_comparison_get_side_title (comparison, side) : "";
}

static void
add_table (DynoReportDocument *document, const DynoComparison *comparison)
{
  DynoReportTable *table =
      dyno_report_table_new ("pLr4r2rwr6r5", _ ("Case"), _ ("Compared"), _ ("Baseline"), _ ("Value"),
                             dyno_comparison_get_ratio_title (comparison), _ ("Verdict"), _ ("Processes"),
                             _ ("Noise floor (%)"), NULL);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];

      dyno_report_table_take_row (
          table, g_strdup (kase->label), g_strdup (get_compared (comparison, kase->side)), g_strdup (""),
          g_strdup (""), dyno_comparison_dup_ratio (comparison, kase),
          g_strdup (dyno_verdict_get_label (kase->verdict, comparison->metric)),
          g_strdup_printf (kase->n == kase->n_baseline ? "%u" : "%u, %u", kase->n_baseline, kase->n),
          isfinite (kase->noise_floor) ? dyno_unit_format_percent (100 * kase->noise_floor) : g_strdup (""),
          NULL);
      dyno_report_table_set_number (table, 4, kase->ratio);
      if (kase->n == kase->n_baseline)
        dyno_report_table_set_number (table, 6, kase->n);
      dyno_report_table_set_number (table, 7, 100 * kase->noise_floor);
      g_array_append_val (numbers, kase->baseline_value);
      g_array_append_val (numbers, kase->value);
    }
  dyno_report_table_set_quantities (table, 2, numbers, comparison->unit);
  dyno_report_document_take_table (document, table);
}

static gboolean
has_reason (const DynoComparedCase *kase, const char *summary)
{
  return kase->reason != NULL && strstr (summary, kase->reason) == NULL;
}

/* Adds the reasons that are not part of the summary. */
static void
add_reasons (DynoReportDocument *document, const DynoComparison *comparison, const char *summary)
{
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();

  dyno_report_notes_begin_comparison (notes, comparison);
  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];

      if (has_reason (kase, summary))
        dyno_report_notes_add_similar (notes, dyno_verdict_get_label (kase->verdict, comparison->metric),
                                       kase->reason, kase->label);
    }
  dyno_report_notes_put (notes, document, 2, _ ("What is not certain"));
}

void
dyno_report_comparison_add_differences (DynoReportDocument *document, const DynoComparison *comparison)
{
  DynoReportTable *table =
      dyno_report_table_new ("lLww", _ ("Name"), _ ("Compared"), _ ("Baseline"), _ ("Value"), NULL);

  for (guint i = 0; i < comparison->differences->len; i++)
    {
      const DynoSideDifference *difference = comparison->differences->pdata[i];

      dyno_report_table_take_row (table, g_strdup (difference->name),
                                  g_strdup (get_compared (comparison, difference->side)),
                                  g_strdup (difference->baseline), g_strdup (difference->value), NULL);
    }
  if (comparison->differences->len > 0)
    dyno_report_document_add_heading (document, 2, _ ("What differs"));
  dyno_report_document_take_table (document, table);
}

/* Counts what the details are about; NULL if there is nothing. */
static char *
dup_counts (const DynoComparison *comparison, const char *summary)
{
  g_autoptr (GPtrArray) clauses = g_ptr_array_new_null_terminated (3, g_free, TRUE);
  guint n_left_out = comparison->left_out->len;
  guint n_differences = comparison->differences->len;
  guint n_reasons = 0;

  for (guint i = 0; i < comparison->cases->len; i++)
    n_reasons += has_reason (comparison->cases->pdata[i], summary);
  if (n_reasons > 0)
    g_ptr_array_add (
        clauses, g_strdup_printf (ngettext ("%u case is not certain", "%u cases are not certain", n_reasons),
                                  n_reasons));
  if (n_left_out > 0)
    g_ptr_array_add (clauses, g_strdup_printf (ngettext ("%u case was not compared",
                                                         "%u cases were not compared", n_left_out),
                                               n_left_out));
  if (n_differences > 0)
    g_ptr_array_add (clauses, g_strdup_printf (ngettext ("%u other thing differs", "%u other things differ",
                                                         n_differences),
                                               n_differences));
  return dyno_report_notes_dup_summary (clauses);
}

/* Calls the runs by the same unique titles as the table above. */
static void
add_runs (DynoReportDocument *document, GPtrArray *runs)
{
  g_auto (GStrv) titles = dyno_run_titles_dup (runs);

  dyno_report_document_add_heading (document, 2, _ ("How it was measured"));
  for (guint i = 0; i < runs->len; i++)
    {
      dyno_report_document_add_heading (document, 3, titles[i]);
      dyno_report_facts_add (document, runs->pdata[i]);
    }
}

void
dyno_report_comparison_add_left_out (DynoReportDocument *document, const DynoComparison *comparison)
{
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();

  for (guint i = 0; i < comparison->left_out->len; i++)
    {
      const DynoLeftOutCase *kase = comparison->left_out->pdata[i];

      dyno_report_notes_add (notes, NULL, kase->reason, kase->label);
    }
  dyno_report_notes_put (notes, document, 2, _ ("Not compared"));
}

DynoReportDocument *
dyno_report_comparison_document_new (DynoComparison *comparison)
{
  const char *baseline = dyno_comparison_get_side_title (comparison, comparison->baseline);
  guint other = comparison->baseline == 0 ? 1 : 0;
  g_autofree char *title =
      comparison->sides->len != 2
          /* Translators: %s is the baseline of the comparison */
          ? g_strdup_printf (_ ("Comparison with %s"), baseline)
          /* Translators: the side that is compared, and the baseline */
          : g_strdup_printf (_ ("%s compared with %s"), dyno_comparison_get_side_title (comparison, other),
                             baseline);
  g_autofree char *headline = dyno_comparison_dup_headline (comparison);
  g_autofree char *summary = dyno_comparison_dup_summary (comparison);
  /* Translators: the baseline, and a range with the cases: “Compared with CPU: 9 to 15 %; 8 of 10 cases” */
  g_autofree char *range = g_strdup_printf (_ ("Compared with %s: %s"), baseline, summary);
  g_autofree char *counts = dup_counts (comparison, summary);
  g_autofree char *cost = dyno_comparison_dup_cost (comparison);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  DynoReportDocument *document = dyno_report_document_new (title);

  /* Sides within one run share it. */
  for (guint i = 0; i < comparison->sides->len; i++)
    {
      DynoRun *run = ((DynoComparisonSide *)comparison->sides->pdata[i])->run;

      if (!g_ptr_array_find (runs, run, NULL))
        g_ptr_array_add (runs, run);
    }
  dyno_report_document_set_subject (document, headline);
  dyno_report_document_take_data (document, dyno_report_comparison_to_json (comparison));
  dyno_report_document_add_heading (document, 1, title);
  dyno_report_document_add_paragraph (document, headline);
  /* A summary that is no sentence does not name the baseline. */
  dyno_report_document_add_paragraph (document, g_str_has_suffix (summary, ".") ? summary : range);
  dyno_report_document_take_chart (document, dyno_forest_chart_new (comparison));
  if (comparison->cases->len > 0)
    dyno_report_document_add_heading (document, 2, _ ("Results"));
  add_table (document, comparison);
  dyno_report_comparison_add_remarks (document, comparison);
  if (cost != NULL)
    dyno_report_document_add_item (document, NULL, cost, NULL);
  dyno_report_document_begin_details (document, counts);
  add_reasons (document, comparison, summary);
  dyno_report_comparison_add_differences (document, comparison);
  add_runs (document, runs);
  dyno_report_comparison_add_left_out (document, comparison);
  dyno_report_facts_add_missing (document, runs, 2);
  return document;
}

static DynoReportDocument *
build (const DynoReportTemplate *of, const DynoReportSource *source, GError **error)
{
  g_autoptr (DynoComparison) comparison = dyno_comparison_new (source->runs, &source->comparison, error);

  return comparison != NULL ? dyno_report_comparison_document_new (comparison) : NULL;
}

const DynoReportTemplate dyno_report_comparison_template = {
  .name = "comparison",
  .label = N_ ("Comparison"),
  .build = build,
};
