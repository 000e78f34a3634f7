/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-metric.h"
#include "dyno-plan.h"
#include "dyno-race.h"
#include "dyno-report-document-private.h"
#include "dyno-report-private.h"
#include "dyno-report-source.h"
#include "dyno-report.h"
#include "dyno-subject-charts.h"
#include "dyno-unit.h"

/* The template of every engine: who is the fastest in each class of precisions, the ratios as pictures, and the fastest
 * setting of each engine with its error; then the differences, and the engines that are not part of it. */

/* For programs */

static void
add_setting (JsonBuilder *builder, const DynoEveryEngine *self, const DynoEngineEntry *entry)
{
  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "engine", entry->engine);
  dyno_report_member_add_count (builder, "bits", entry->bits);
  dyno_report_member_add_text (builder, "sizes", entry->sizes);
  dyno_report_member_add_text (builder, "setting", entry->setting);
  dyno_report_member_add_case (builder, entry->result);
  for (guint i = 0; i < self->comparisons->len; i++)
    {
      const DynoComparison *comparison = self->comparisons->pdata[i];

      dyno_report_member_add_number (builder, comparison->metric,
                                     dyno_result_get_number (entry->result, comparison->metric));
    }
  dyno_report_member_add_number (builder, "output_max_error",
                                 dyno_result_get_number (entry->result, "output_max_error"));
  dyno_report_member_add_flag (builder, "is_fastest", entry->fastest[0] == entry);
  json_builder_end_object (builder);
}

static JsonNode *
to_json (const DynoEveryEngine *self, const char *model, char **answers)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const DynoComparison *first = self->comparisons->pdata[0];

  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "run", dyno_run_get_id (self->run));
  dyno_report_member_add_text (builder, "model", model);
  json_builder_set_member_name (builder, "answers");
  json_builder_begin_array (builder);
  for (char **answer = answers; *answer != NULL; answer++)
    json_builder_add_string_value (builder, *answer);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "settings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->entries->len; i++)
    add_setting (builder, self, self->entries->pdata[i]);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "comparisons");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->comparisons->len && self->entries->len > 0; i++)
    json_builder_add_value (builder, dyno_report_comparison_to_json (self->comparisons->pdata[i]));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "left_out");
  json_builder_begin_array (builder);
  for (guint i = 0; i < first->left_out->len; i++)
    {
      const DynoLeftOutCase *kase = first->left_out->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "engine", kase->engine);
      if (kase->bits > 0)
        dyno_report_member_add_count (builder, "bits", kase->bits);
      else
        dyno_report_member_add_text (builder, "bits", NULL);
      dyno_report_member_add_text (builder, "reason", kase->reason);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* For people */

static char *
dup_margin (const DynoComparison *comparison, const DynoComparedCase *margin)
{
  g_autofree char *ratio = margin != NULL ? dyno_comparison_dup_ratio (comparison, margin) : NULL;

  if (margin == NULL)
    return g_strdup (_ ("the fastest"));
  /* Translators: a ratio with its interval, and its verdict: “1.31 (1.29 – 1.34), slower” */
  return g_strdup_printf (_ ("%s, %s"), ratio, dyno_verdict_get_label (margin->verdict, comparison->metric));
}

/* Adds the time of one question, and how it compares with that of the fastest. */
static void
add_columns (DynoReportTable *table, const DynoEveryEngine *self, guint question)
{
  const DynoComparison *comparison = self->comparisons->pdata[question];
  g_autofree char *title = dyno_metric_title_dup (comparison->metric);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  GStrv times = g_new0 (char *, self->entries->len + 1);
  GStrv margins = g_new0 (char *, self->entries->len + 1);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const DynoEngineEntry *entry = self->entries->pdata[i];
      double number = dyno_result_get_number (entry->result, comparison->metric);

      times[i] = g_strdup ("");
      margins[i] = dup_margin (comparison, entry->margins[question]);
      g_array_append_val (numbers, number);
    }
  dyno_report_table_take_column (table, "r", title, times);
  dyno_report_table_set_quantities (table, table->columns->len - 1, numbers, comparison->unit);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const DynoEngineEntry *entry = self->entries->pdata[i];
      DynoValue *value = dyno_result_get_value (entry->result, comparison->metric);
      DynoReportCell *cell =
          &g_array_index ((GArray *)table->rows->pdata[i], DynoReportCell, table->columns->len - 1);
      g_autofree char *number = g_steal_pointer (&cell->text);
      gboolean is_unsteady = value != NULL && dyno_value_get_quality (value) == DYNO_QUALITY_UNSTEADY;

      cell->text = g_strconcat (is_unsteady ? "~" : "", number, NULL);
    }
  dyno_report_table_take_column (table, "w", _ ("Against the fastest"), margins);
}

static void
add_table (DynoReportDocument *document, const DynoEveryEngine *self)
{
  DynoReportTable *table =
      dyno_report_table_new ("LllL", _ ("Bits"), _ ("Engine"), _ ("Setting"), _ ("Size"), NULL);
  GStrv errors = g_new0 (char *, self->entries->len + 1);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const DynoEngineEntry *entry = self->entries->pdata[i];
      double error = dyno_result_get_number (entry->result, "output_max_error");

      dyno_report_table_take_row (table, g_strdup_printf (_ ("%u bit"), entry->bits),
                                  g_strdup (entry->engine), g_strdup (entry->setting),
                                  g_strdup (entry->sizes), NULL);
      errors[i] = isfinite (error) ? dyno_unit_format_percent (100 * error) : g_strdup ("–");
    }
  for (guint question = 0; question < self->comparisons->len; question++)
    add_columns (table, self, question);
  dyno_report_table_take_column (table, "r3", _ ("Error (%)"), errors);
  dyno_report_table_take_note (table,
                               g_strdup (_ ("The error is the largest deviation of an output from that "
                                            "of the CPU in fp32, in per cent of its scale.")));
  dyno_report_document_add_heading (document, 2, _ ("Results"));
  dyno_report_document_take_table (document, table);
}

static void
add_reasons (DynoReportDocument *document, const DynoEveryEngine *self)
{
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();

  for (guint i = 0; i < self->comparisons->len; i++)
    {
      const DynoComparison *comparison = self->comparisons->pdata[i];

      for (guint k = 0; k < comparison->cases->len; k++)
        {
          const DynoComparedCase *kase = comparison->cases->pdata[k];
          g_autofree char *name = dyno_comparison_dup_case_name (comparison, kase);

          if (kase->reason != NULL)
            dyno_report_notes_add_similar (notes, dyno_verdict_get_label (kase->verdict, comparison->metric),
                                           kase->reason, name);
        }
    }
  dyno_report_notes_put (notes, document, 2, _ ("What is not certain"));
}

static void
add_engines (DynoReportDocument *document, const DynoEveryEngine *self, const char *title, char **answers)
{
  DynoComparison *first = self->comparisons->pdata[0];
  g_autofree char *details =
      first->differences->len > 0
          ? g_strdup_printf (
                ngettext ("%u other thing differs", "%u other things differ", first->differences->len),
                first->differences->len)
          : NULL;
  g_autoptr (GPtrArray) clauses = g_ptr_array_new_null_terminated (1, NULL, TRUE);
  g_autofree char *summary = NULL;

  if (details != NULL)
    g_ptr_array_add (clauses, details);
  summary = dyno_report_notes_dup_summary (clauses);
  dyno_report_document_add_heading (document, 1, title);
  if (*answers == NULL)
    dyno_report_document_add_paragraph (document, _ ("No engine could be measured."));
  dyno_report_document_set_subject (document, *answers != NULL ? *answers : title);
  dyno_report_document_begin_list (document);
  for (char **answer = answers; *answer != NULL; answer++)
    dyno_report_document_add_item (document, NULL, *answer, NULL);
  for (guint i = 0; i < self->comparisons->len; i++)
    dyno_report_document_take_chart (document, dyno_forest_chart_new (self->comparisons->pdata[i]));
  if (self->entries->len > 0)
    add_table (document, self);
  if (first->cases->len > 0)
    dyno_report_comparison_add_remarks (document, first);
  dyno_report_comparison_add_left_out (document, first);
  dyno_report_document_begin_details (document, summary);
  add_reasons (document, self);
  dyno_report_comparison_add_differences (document, first);
  dyno_report_document_add_heading (document, 2, _ ("How it was measured"));
  dyno_report_facts_add (document, self->run);
}

/* A run that ended before its first case has no result that names the model, but a plan. */
static char *
dup_model (DynoRun *run)
{
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  const char *json = dyno_run_get_plan (run);
  g_autoptr (DynoPlan) plan = result == NULL && json != NULL ? dyno_plan_new_from_json (json, NULL) : NULL;
  const char *const *models = plan != NULL ? dyno_plan_get_models (plan) : NULL;

  if (result != NULL)
    return dyno_case_parts_dup_model (result);
  return models != NULL && *models != NULL ? dyno_model_dup_title (*models) : NULL;
}

static DynoReportDocument *
build (const DynoReportTemplate *of, const DynoReportSource *source, GError **error)
{
  DynoReportDocument *document = NULL;
  g_autoptr (JsonArray) all = json_array_new ();

  for (guint i = 0; i < source->runs->len; i++)
    if (!dyno_every_engine_is_of_one_model (source->runs->pdata[i]))
      {
        g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                             _ ("The run has several models, and engines are compared for one model at a "
                                "time. Choose the template “hardware”, or measure one model."));
        return NULL;
      }
  for (guint i = 0; i < source->runs->len; i++)
    {
      g_autoptr (DynoEveryEngine) self = dyno_every_engine_new (source->runs->pdata[i]);
      g_auto (GStrv) answers = dyno_every_engine_dup_answers (self);
      g_autofree char *model = dup_model (self->run);
      g_autofree char *title = model != NULL
                                   /* Translators: %s is a model */
                                   ? g_strdup_printf (_ ("Every engine for %s"), model)
                                   : g_strdup (_ ("Every Engine"));

      if (document == NULL)
        document = dyno_report_document_new (title);
      add_engines (document, self, title, answers);
      json_array_add_element (all, to_json (self, model, answers));
    }
  /* Programs get an object for one run, and an array of such objects for several. */
  dyno_report_document_take_data (document, json_array_get_length (all) == 1
                                                ? json_array_dup_element (all, 0)
                                                : json_node_init_array (json_node_alloc (), all));
  return document;
}

const DynoReportTemplate dyno_report_engines_template = {
  .name = "engines",
  .label = N_ ("Every Engine"),
  .build = build,
};
