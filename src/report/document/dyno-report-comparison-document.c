/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-forest-chart.h"
#include "dyno-report-comparison-document.h"
#include "dyno-report-document-private.h"
#include "dyno-report-quantity.h"
#include "dyno-report-source.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

/* The template of a comparison: the answer, the ratios as a picture and as a table; then the reasons and the
 * conditions. */

static gboolean
has_several (const DynoComparison *comparison)
{
  return comparison->sides->len > 2;
}

static char *
dup_title (const DynoComparison *comparison)
{
  const char *baseline = dyno_comparison_get_side_title (comparison, comparison->baseline);
  guint other = comparison->baseline == 0 ? 1 : 0;

  if (comparison->sides->len != 2)
    /* Translators: %s is the baseline of the comparison */
    return g_strdup_printf (_ ("Comparison with %s"), baseline);
  /* Translators: the side that is compared, and the baseline */
  return g_strdup_printf (_ ("%s compared with %s"), dyno_comparison_get_side_title (comparison, other),
                          baseline);
}

static void
add_answer (DynoReportDocument *document, const DynoComparison *comparison)
{
  g_autofree char *answer = dyno_comparison_dup_answer (comparison);
  g_autofree char *remark = dyno_comparison_dup_remark (comparison);
  g_autofree char *noise = dyno_comparison_dup_noise (comparison);
  g_autofree char *cost = dyno_comparison_dup_cost (comparison);

  dyno_report_document_set_subject (document, answer);
  dyno_report_document_begin_list (document);
  dyno_report_document_add_item (document, NULL, answer, NULL);
  dyno_report_document_add_item (document, NULL, remark, NULL);
  if (noise != NULL)
    dyno_report_document_add_item (document, NULL, noise, NULL);
  if (cost != NULL)
    dyno_report_document_add_item (document, NULL, cost, NULL);
}

/* Chooses the same unit for both sides. */
static DynoReportQuantity
choose_quantity (const DynoComparison *comparison)
{
  DynoReportQuantity quantity;
  double least = INFINITY, most = 0;

  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];

      least = fmin (least, fmin (kase->baseline_value, kase->value));
      most = fmax (most, fmax (kase->baseline_value, kase->value));
    }
  dyno_report_quantity_choose_between (comparison->unit, least, most, &quantity);
  return quantity;
}

static void
add_quantity_column (DynoReportDocument *document, const char *title, const DynoReportQuantity *quantity)
{
  g_autofree char *full = dyno_report_quantity_dup_title (quantity, title);

  dyno_report_document_add_column (document, full, TRUE);
}

static void
add_head (DynoReportDocument *document, const DynoComparison *comparison, const DynoReportQuantity *quantity)
{
  dyno_report_document_begin_table (document);
  dyno_report_document_add_column (document, _ ("Case"), FALSE);
  if (has_several (comparison))
    dyno_report_document_add_column (document, _ ("Compared"), FALSE);
  add_quantity_column (document, _ ("Baseline"), quantity);
  add_quantity_column (document, _ ("Value"), quantity);
  dyno_report_document_add_column (document, dyno_comparison_get_ratio_title (comparison), TRUE);
  dyno_report_document_add_column (document, _ ("Verdict"), FALSE);
  dyno_report_document_add_column (document, _ ("Processes"), TRUE);
  dyno_report_document_add_column (document, _ ("Noise floor (%)"), TRUE);
}

static void
add_quantity (DynoReportDocument *document,
              double number,
              const char *unit,
              const DynoReportQuantity *quantity)
{
  g_autofree char *text =
      isfinite (number) ? dyno_report_quantity_format (quantity, number, unit) : g_strdup ("–");

  dyno_report_document_add_number (document, text, number);
}

static void
add_row (DynoReportDocument *document,
         const DynoComparison *comparison,
         const DynoReportQuantity *quantity,
         const DynoComparedCase *kase)
{
  const DynoReportQuantity percent = { 100, "%" };
  g_autofree char *ratio = dyno_comparison_dup_ratio (comparison, kase);
  g_autofree char *processes = g_strdup_printf ("%u, %u", kase->n_baseline, kase->n);

  dyno_report_document_begin_row (document);
  dyno_report_document_add_cell (document, kase->label);
  if (has_several (comparison))
    dyno_report_document_add_cell (document, dyno_comparison_get_side_title (comparison, kase->side));
  add_quantity (document, kase->baseline_value, comparison->unit, quantity);
  add_quantity (document, kase->value, comparison->unit, quantity);
  dyno_report_document_add_number (document, ratio, kase->ratio);
  dyno_report_document_add_cell (document, dyno_verdict_get_label (kase->verdict, comparison->metric));
  dyno_report_document_add_number (document, processes, MIN (kase->n_baseline, kase->n));
  add_quantity (document, kase->noise_floor, "%", &percent);
}

static void
add_table (DynoReportDocument *document, const DynoComparison *comparison)
{
  DynoReportQuantity quantity = choose_quantity (comparison);

  if (comparison->cases->len == 0)
    return;
  add_head (document, comparison, &quantity);
  for (guint i = 0; i < comparison->cases->len; i++)
    add_row (document, comparison, &quantity, comparison->cases->pdata[i]);
}

/* Adds the reasons that are not part of the answer. */
static void
add_reasons (DynoReportDocument *document, const DynoComparison *comparison)
{
  g_autofree char *answer = dyno_comparison_dup_answer (comparison);
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();

  dyno_report_notes_begin_group (notes, NULL);
  for (guint i = 0; i < comparison->cases->len; i++)
    dyno_report_notes_add_case (notes, ((DynoComparedCase *)comparison->cases->pdata[i])->label);
  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];

      if (kase->reason != NULL && strstr (answer, kase->reason) == NULL)
        dyno_report_notes_add_similar (notes, dyno_verdict_get_label (kase->verdict, comparison->metric),
                                       kase->reason, kase->label);
    }
  dyno_report_notes_put (notes, document, 2, _ ("What is not certain"));
}

static void
add_differences (DynoReportDocument *document, const DynoComparison *comparison)
{
  if (comparison->differences->len == 0)
    return;
  dyno_report_document_add_heading (document, 2, _ ("What differs"));
  dyno_report_document_begin_table (document);
  dyno_report_document_add_column (document, _ ("What differs"), FALSE);
  if (has_several (comparison))
    dyno_report_document_add_column (document, _ ("Compared"), FALSE);
  dyno_report_document_add_column (document, _ ("Baseline"), FALSE);
  dyno_report_document_add_column (document, _ ("Value"), FALSE);
  for (guint i = 0; i < comparison->differences->len; i++)
    {
      const DynoSideDifference *difference = comparison->differences->pdata[i];

      dyno_report_document_begin_row (document);
      dyno_report_document_add_cell (document, difference->name);
      if (has_several (comparison))
        dyno_report_document_add_cell (document,
                                       dyno_comparison_get_side_title (comparison, difference->side));
      dyno_report_document_add_cell (document, difference->baseline);
      dyno_report_document_add_cell (document, difference->value);
    }
}

/* Lists the runs once each; sides within one run share it. */
static GPtrArray *
list_runs (const DynoComparison *comparison)
{
  GPtrArray *runs = g_ptr_array_new ();

  for (guint i = 0; i < comparison->sides->len; i++)
    {
      const DynoComparisonSide *side = comparison->sides->pdata[i];

      if (!g_ptr_array_find (runs, side->run, NULL))
        g_ptr_array_add (runs, side->run);
    }
  return runs;
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

static void
add_left_out (DynoReportDocument *document, const DynoComparison *comparison)
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
  g_autofree char *title = dup_title (comparison);
  g_autoptr (GPtrArray) runs = list_runs (comparison);
  DynoReportDocument *document = dyno_report_document_new (title);

  dyno_report_document_add_heading (document, 1, title);
  add_answer (document, comparison);
  dyno_report_document_take_chart (document, dyno_forest_chart_new (comparison));
  dyno_report_document_add_heading (document, 2, _ ("Results"));
  add_table (document, comparison);
  add_reasons (document, comparison);
  add_differences (document, comparison);
  add_runs (document, runs);
  add_left_out (document, comparison);
  dyno_report_facts_add_missing (document, runs, 2);
  return document;
}

static DynoReportDocument *
build (const DynoReportSource *source, GError **error)
{
  g_autoptr (DynoComparison) comparison = dyno_comparison_new (source->runs, &source->comparison, error);

  return comparison != NULL ? dyno_report_comparison_document_new (comparison) : NULL;
}

const DynoReportTemplate dyno_report_comparison_template = {
  .name = "comparison",
  .label = N_ ("Comparison"),
  .build = build,
};
