/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-subject-charts.h"
#include "dyno-recommendation.h"
#include "dyno-report-document-private.h"
#include "dyno-report.h"
#include "dyno-report-source.h"

/* The template to select hardware and settings: for each machine the matrix of the best choices, then the
 * data behind it. */

static const DynoCandidate *
get_best (const DynoRecommendationCell *cell)
{
  return cell->candidates->len > 0 ? cell->candidates->pdata[0] : NULL;
}

static char *
dup_evidence (const DynoRecommendationCell *cell, guint place)
{
  return place < cell->candidates->len ? dyno_candidate_dup_evidence (cell->candidates->pdata[place])
                                       : g_strdup ("");
}

static void
add_table (DynoReportDocument *document, const DynoRecommendation *self)
{
  DynoObjective objective = dyno_goal_get_main (&self->goal);
  g_autofree char *row_title = dyno_recommendation_axis_dup_title (self->row_axis);
  g_autofree char *column_title = dyno_recommendation_axis_dup_title (self->column_axis);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  DynoReportTable *table =
      dyno_report_table_new ("LPwrwl5l7l3", row_title, column_title, _ ("Best"), _ ("Value"), _ ("Margin"),
                             _ ("Measured in"), _ ("Next best in"), _ ("Remark"), NULL);

  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];
      const DynoCandidate *best = get_best (cell);
      double number =
          best != NULL ? dyno_result_get_number (best->result, dyno_objective_get_metric (objective)) : NAN;

      if (cell->state == DYNO_RECOMMENDATION_NO_SUCH_SIZE)
        continue;
      dyno_report_table_take_row (
          table, g_strdup (self->rows->pdata[i / self->columns->len]),
          g_strdup (self->columns->pdata[i % self->columns->len]), dyno_recommendation_dup_answer (cell),
          g_strdup (""), dyno_recommendation_dup_margin (self, cell), dup_evidence (cell, 0),
          dup_evidence (cell, 1), g_strdup (best != NULL && best->doubt != NULL ? _ ("doubtful") : ""), NULL);
      g_array_append_val (numbers, number);
    }
  dyno_report_table_set_quantities (table, 3, numbers, dyno_objective_get_unit (objective));
  dyno_report_document_take_table (document, table);
}

/* Counts what the details are about; NULL if there is nothing. */
static char *
dup_summary (const DynoRecommendation *self)
{
  g_autoptr (GPtrArray) clauses = g_ptr_array_new_null_terminated (2, g_free, TRUE);
  guint n_doubtful = 0, n_refused = 0;

  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];

      n_doubtful += get_best (cell) != NULL && get_best (cell)->doubt != NULL;
      n_refused += cell->refused->len;
    }
  if (n_doubtful > 0)
    g_ptr_array_add (clauses, g_strdup_printf (ngettext ("%u recommendation is doubtful",
                                                         "%u recommendations are doubtful", n_doubtful),
                                               n_doubtful));
  if (n_refused > 0)
    g_ptr_array_add (
        clauses, g_strdup_printf (ngettext ("%u case was ruled out", "%u cases were ruled out", n_refused),
                                  n_refused));
  return dyno_report_notes_dup_summary (clauses);
}

static void
add_doubts (DynoReportDocument *document, const DynoRecommendation *self)
{
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();

  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoCandidate *best = get_best (self->cells->pdata[i]);
      g_autofree char *name =
          best != NULL && best->doubt != NULL ? dyno_case_parts_dup_label (best->result) : NULL;

      if (name != NULL)
        dyno_report_notes_add_similar (notes, NULL, best->doubt, name);
    }
  dyno_report_notes_put (notes, document, 2, _ ("Doubtful, although best"));
}

static void
add_refusals (DynoReportDocument *document, const DynoRecommendation *self)
{
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();

  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];

      for (guint k = 0; k < cell->refused->len; k++)
        {
          const DynoCandidate *refused = cell->refused->pdata[k];
          g_autofree char *name = dyno_case_parts_dup_label (refused->result);

          dyno_report_notes_add_similar (notes, NULL, refused->reason, name);
        }
    }
  dyno_report_notes_put (notes, document, 2, _ ("Not recommended"));
}

static void
add_recommendation (DynoReportDocument *document, DynoRecommendation *self)
{
  g_autofree char *goal = dyno_goal_dup_label (&self->goal);
  g_autofree char *machine = dyno_report_facts_dup_machine (self->runs->pdata[0]);
  g_autofree char *summary = dup_summary (self);
  g_autofree char *basis = dyno_recommendation_dup_basis (self);
  g_autofree char *noise = dyno_recommendation_dup_noise (self);
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  /* Translators: the goal of the recommendation, and the machine */
  g_autofree char *title = g_strdup_printf (_ ("%s on %s"), goal, machine);

  dyno_report_document_set_subject (document, title);
  dyno_report_document_add_heading (document, 1, title);
  dyno_report_document_take_chart (document, dyno_matrix_chart_new (self));
  dyno_report_document_add_heading (document, 2, _ ("Recommendations"));
  add_table (document, self);
  dyno_report_document_begin_list (document);
  dyno_report_facts_add_limits (document, &self->goal);
  dyno_report_document_add_item (document, NULL, basis, NULL);
  if (noise != NULL)
    dyno_report_document_add_item (document, NULL, noise, NULL);
  for (guint i = 0; i < self->cells->len; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[i];

      for (guint k = 0; k < cell->candidates->len; k++)
        g_list_store_append (results, ((const DynoCandidate *)cell->candidates->pdata[k])->result);
    }
  dyno_report_costs_add (document, G_LIST_MODEL (results), &self->goal.price);
  dyno_report_document_begin_details (document, summary);
  add_doubts (document, self);
  add_refusals (document, self);
  dyno_report_document_add_heading (document, 2, _ ("How it was measured"));
  for (guint i = 0; i < self->runs->len; i++)
    {
      g_autofree char *name = dyno_report_facts_dup_title (self->runs->pdata[i]);

      dyno_report_document_add_heading (document, 3, name);
      dyno_report_facts_add (document, self->runs->pdata[i]);
    }
}

DynoReportDocument *
dyno_report_hardware_document_new (DynoRecommendation *recommendation)
{
  DynoReportDocument *document = dyno_report_document_new (_ ("Hardware selection"));

  add_recommendation (document, recommendation);
  dyno_report_document_take_data (document, dyno_report_recommendation_to_json (recommendation));
  return document;
}

static DynoRecommendation *
recommend (GPtrArray *runs, const DynoReportSource *source, GError **error)
{
  DynoGoal least;

  dyno_goal_init (&least, DYNO_OBJECTIVE_LATENCY);
  return dyno_recommendation_new (runs, source->goal != NULL ? source->goal : &least,
                                  source->row_axis != NULL ? source->row_axis : "model",
                                  source->column_axis != NULL ? source->column_axis : "size", error);
}

static gpointer
ref_run (gconstpointer run, gpointer data)
{
  return g_object_ref ((gpointer)run);
}

/* A recommendation is for one machine: makes another one for each further machine. */
static GPtrArray *
recommend_for_each (const DynoReportSource *source, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_recommendation_unref);
  g_autoptr (GPtrArray) left = g_ptr_array_ref (source->runs);

  while (left->len > 0)
    {
      g_autoptr (DynoRecommendation) first = recommend (left, source, error);
      g_autoptr (GPtrArray) runs = NULL;
      DynoRecommendation *of_machine;

      if (first == NULL)
        return NULL;
      /* Recommends again without the runs of other machines, which have their own sections. */
      runs = g_ptr_array_copy (first->runs, ref_run, NULL);
      g_ptr_array_extend (runs, first->imported_runs, ref_run, NULL);
      of_machine =
          first->other_runs->len > 0 ? recommend (runs, source, error) : dyno_recommendation_ref (first);
      if (of_machine == NULL)
        return NULL;
      g_ptr_array_add (all, of_machine);
      g_ptr_array_unref (left);
      left = g_ptr_array_ref (first->other_runs);
    }
  return g_steal_pointer (&all);
}

static DynoReportDocument *
build (const DynoReportTemplate *of, const DynoReportSource *source, GError **error)
{
  g_autoptr (GPtrArray) all = recommend_for_each (source, error);
  g_autoptr (JsonBuilder) builder = NULL;
  DynoReportDocument *document;

  if (all == NULL)
    return NULL;
  document = dyno_report_document_new (_ ("Hardware selection"));
  for (guint i = 0; i < all->len; i++)
    add_recommendation (document, all->pdata[i]);
  dyno_report_facts_add_missing (document, source->runs, all->len > 1 ? 1 : 2);
  /* Programs get an object for one machine, and an array of such objects for several. */
  if (all->len == 1)
    {
      dyno_report_document_take_data (document, dyno_report_recommendation_to_json (all->pdata[0]));
      return document;
    }
  builder = json_builder_new ();
  json_builder_begin_array (builder);
  for (guint i = 0; i < all->len; i++)
    json_builder_add_value (builder, dyno_report_recommendation_to_json (all->pdata[i]));
  json_builder_end_array (builder);
  dyno_report_document_take_data (document, json_builder_get_root (builder));
  return document;
}

const DynoReportTemplate dyno_report_hardware_template = {
  .name = "hardware",
  .label = N_ ("Hardware Selection"),
  .build = build,
};
