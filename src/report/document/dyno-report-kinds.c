/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-cases.h"
#include "dyno-error.h"
#include "dyno-report-document-private.h"
#include "dyno-report-private.h"
#include "dyno-report-source.h"
#include "dyno-report.h"
#include "dyno-run-summary.h"

/* The templates by kind of model: a report of runs with sections of the values and charts that matter to that kind. The
 * template “run” has them as well where all models are of one kind. */

#define MAX_FAMILIES 8
#define MAX_VALUES   10
#define MAX_CHARTS   5
#define MAX_SECTIONS 7

/* Returns a table of the values; NULL where there is none. */
typedef DynoReportTable *(*ListValues) (DynoRun *run, const char *const *values);

/* A section without a table is left out, and leaves its charts to the others. */
typedef struct
{
  const char *title;
  ListValues list;
  const char *values[MAX_VALUES + 1];
  const char *charts[MAX_CHARTS + 1];
} Section;

struct _DynoReportKind
{
  const char *families[MAX_FAMILIES + 1];
  const char *signs[3]; /* values by which a case of no known family is of this kind */
  Section sections[MAX_SECTIONS + 1];
};

/* Tables of sections */

static const struct
{
  const char *title;
  const char *unit;
  gsize offset;
} stage_columns[] = {
  { N_ ("Time"), "ms", G_STRUCT_OFFSET (DynoStageTime, p50_ms) },
  { N_ ("Share"), "%", G_STRUCT_OFFSET (DynoStageTime, percent) },
  { N_ ("One run"), "ms", G_STRUCT_OFFSET (DynoStageTime, run_ms) },
  { N_ ("Hand-over"), "ms", G_STRUCT_OFFSET (DynoStageTime, handover_ms) },
  { N_ ("Weights"), "MB", G_STRUCT_OFFSET (DynoStageTime, weights_mb) },
  { N_ ("Peak memory"), "MB", G_STRUCT_OFFSET (DynoStageTime, peak_mb) },
  { N_ ("Work"), "FLOP", G_STRUCT_OFFSET (DynoStageTime, flops) },
  { N_ ("Traffic"), "B", G_STRUCT_OFFSET (DynoStageTime, bytes) },
};

/* A row is a stage of a case. */
static DynoReportTable *
list_stages (DynoRun *run, const char *const *values)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);
  g_autoptr (DynoReportTable) table = dyno_report_table_new ("wl", _ ("Case"), _ ("Stage"), NULL);
  g_autoptr (GPtrArray) lists = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);

  for (guint i = 0; i < results->len; i++)
    {
      GArray *stages = dyno_stage_times_list (results->pdata[i]);

      g_ptr_array_add (lists, stages);
      for (guint k = 0; k < stages->len; k++)
        dyno_report_table_take_row (table, dyno_case_dup_label (dyno_result_get_case (results->pdata[i])),
                                    g_strdup (g_array_index (stages, DynoStageTime, k).name), NULL);
    }
  for (guint column = 0; column < G_N_ELEMENTS (stage_columns); column++)
    {
      g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
      GStrv cells = g_new0 (char *, table->rows->len + 1);
      gboolean is_needed = FALSE;

      for (guint i = 0; i < lists->len; i++)
        for (guint k = 0; k < ((GArray *)lists->pdata[i])->len; k++)
          {
            const DynoStageTime *stage = &g_array_index ((GArray *)lists->pdata[i], DynoStageTime, k);
            double number = G_STRUCT_MEMBER (double, stage, stage_columns[column].offset);

            is_needed |= isfinite (number);
            cells[numbers->len] = g_strdup ("");
            g_array_append_val (numbers, number);
          }
      dyno_report_table_take_column (table, "r", _ (stage_columns[column].title), cells);
      if (is_needed)
        dyno_report_table_set_quantities (table, table->columns->len - 1, numbers,
                                          stage_columns[column].unit);
    }
  return table->rows->len > 0 ? g_steal_pointer (&table) : NULL;
}

/* Returns nothing unless the cases differ in the model, of which its modality is a part, or in the number of images. */
static DynoReportTable *
list_inputs (DynoRun *run, const char *const *values)
{
  g_autoptr (GPtrArray) results = dyno_case_order_sort (run);
  gboolean has_several = FALSE;

  for (guint i = 1; i < results->len; i++)
    {
      DynoCase *first = dyno_result_get_case (results->pdata[0]);
      DynoCase *kase = dyno_result_get_case (results->pdata[i]);

      has_several |= !g_str_equal (dyno_case_get_model (kase), dyno_case_get_model (first)) ||
                     dyno_case_get_images (kase) != dyno_case_get_images (first);
    }
  return has_several ? dyno_report_cases_list_values (run, values) : NULL;
}

/* The kinds */

#define STAGES                                                                                               \
  {                                                                                                          \
    N_ ("Stages"), list_stages, .charts = { "stages" }                                                       \
  }
#define MEMORY                                                                                               \
  {                                                                                                          \
    N_ ("Memory and cache"), dyno_report_cases_list_values,                                                  \
        { "memory_weights_mb", "cache_mb", "memory_workspace_mb", "memory_peak_mb",                          \
          "device_memory_peak_mb" },                                                                         \
    {                                                                                                        \
      "memory"                                                                                               \
    }                                                                                                        \
  }
#define TOKENS(title)                                                                                        \
  {                                                                                                          \
    title, dyno_report_cases_list_values,                                                                    \
    {                                                                                                        \
      "first_token_latency_ms", "first_token_p99_ms", "prefill_tokens_per_sec", "inter_token_latency_ms",    \
          "inter_token_p99_ms", "decode_tokens_per_sec", "output_tokens_per_sec"                             \
    }                                                                                                        \
  }

static const DynoReportKind language = {
  { "decoder", "encoder", "encoder-decoder", "mixture-of-experts", "retrieval", "state-space" },
  { "decode_tokens_per_sec", "output_tokens_per_sec" },
  {
      { N_ ("Prompt"),
        dyno_report_cases_list_values,
        { "first_token_latency_ms", "first_token_p90_ms", "first_token_p99_ms", "prefill_tokens_per_sec",
          "prefill_flops_per_sec" } },
      { N_ ("Decoding"),
        dyno_report_cases_list_values,
        { "inter_token_latency_ms", "inter_token_p90_ms", "inter_token_p99_ms", "decode_tokens_per_sec",
          "output_tokens_per_sec", "decode_flops_per_sec", "decode_product_ms", "decode_other_ms",
          "draft_acceptance_percent" } },
      { N_ ("Rate by batch and length"),
        dyno_report_cases_list_values,
        { "latency_p50_ms", "throughput_items_per_sec", "throughput_tokens_per_sec" },
        { "scaling-latency", "scaling-throughput" } },
      MEMORY,
      { N_ ("Quality"),
        dyno_report_cases_list_values,
        { "output_divergence", "output_divergence_f16", "output_max_error", "output_cosine" },
        { "pareto" } },
      { N_ ("Under load"),
        dyno_report_cases_list_values,
        { "load_rate_delivered", "goodput_items_per_sec", "goodput_percent", "user_tokens_per_sec",
          "queue_p99_ms", "capacity_items_per_sec" },
        { "load-latency", "goodput", "clients", "endpoints", "queue" } },
      { N_ ("Experts"),
        dyno_report_cases_list_values,
        { "expert_share_max_percent", "expert_share_min_percent" } },
  },
};

static const DynoReportKind vision = {
  { "diffusion", "vision" },
  { NULL },
  {
      { N_ ("Throughput by batch"),
        dyno_report_cases_list_values,
        { "throughput_items_per_sec", "latency_p50_ms", "flops_per_sec", "memory_peak_mb" },
        { "scaling-throughput", "scaling-latency" } },
      { N_ ("Distribution of latency"),
        dyno_report_cases_list_values,
        { "latency_min_ms", "latency_p50_ms", "latency_p90_ms", "latency_p95_ms", "latency_p99_ms",
          "latency_p999_ms", "latency_max_ms", "latency_stddev_ms" },
        { "distribution", "latency" } },
      { N_ ("Precision"),
        dyno_report_cases_list_values,
        { "memory_weights_mb", "output_max_error", "output_cosine", "output_divergence" },
        { "pareto" } },
      STAGES,
  },
};

static const DynoReportKind speech = {
  { "speech" },
  { "audio_seconds_per_sec" },
  {
      { N_ ("Real time"),
        dyno_report_cases_list_values,
        { "audio_seconds", "audio_seconds_per_sec", "latency_p50_ms", "latency_p90_ms" },
        { "scaling-throughput", "scaling-latency" } },
      STAGES,
      TOKENS (N_ ("Writing the text")),
      MEMORY,
  },
};

static const DynoReportKind multimodal = {
  { "multimodal", "vision-text" },
  { NULL },
  {
      STAGES,
      { N_ ("Combinations of inputs"),
        list_inputs,
        { "latency_p50_ms", "throughput_items_per_sec", "first_token_latency_ms", "decode_tokens_per_sec",
          "memory_peak_mb" },
        { "comparison" } },
      TOKENS (N_ ("Prompt and decoding")),
      MEMORY,
  },
};

/* Returns the template of the kind of the model; NULL if it is unknown. */
static const DynoReportTemplate *
find_template (DynoResult *result)
{
  const DynoFamily *family = dyno_architecture_get_family (dyno_result_get_architecture (result));
  const DynoReportTemplate *const *templates = dyno_report_template_list ();

  for (guint i = 0; templates[i] != NULL; i++)
    {
      const DynoReportKind *kind = templates[i]->kind;

      if (kind == NULL)
        continue;
      if (family != NULL && g_strv_contains (kind->families, family->id))
        return templates[i];
      for (guint k = 0; family == NULL && kind->signs[k] != NULL; k++)
        if (isfinite (dyno_result_get_number (result, kind->signs[k])))
          return templates[i];
    }
  return NULL;
}

/* Returns the templates of the measured cases of the run, one time each; a NULL is for cases of an unknown kind. */
static GPtrArray *
list_templates (DynoRun *run)
{
  GPtrArray *templates = g_ptr_array_new ();
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      gpointer of = (gpointer)find_template (result);

      if (dyno_case_state_has_numbers (dyno_result_get_state (result)) &&
          !g_ptr_array_find (templates, of, NULL))
        g_ptr_array_add (templates, of);
    }
  return templates;
}

void
dyno_report_kind_add_sections (DynoReportDocument *document, DynoRun *run, GPtrArray *charts)
{
  g_autoptr (GPtrArray) templates = list_templates (run);
  const DynoReportTemplate *of = templates->len == 1 ? templates->pdata[0] : NULL;

  for (const Section *section = of != NULL ? of->kind->sections : NULL;
       section != NULL && section->title != NULL; section++)
    {
      DynoReportTable *table = section->list (run, section->values);

      if (table == NULL)
        continue;
      dyno_report_document_add_heading (document, 2, _ (section->title));
      dyno_report_document_take_table (document, table);
      for (guint i = 0; section->charts[i] != NULL; i++)
        {
          g_autoptr (GPtrArray) own = dyno_report_charts_steal (charts, section->charts[i]);

          for (guint k = 0; k < own->len; k++)
            dyno_report_document_take_chart (document, g_object_ref (own->pdata[k]));
        }
    }
}

/* Templates */

/* Returns a run with the results that are of this kind; NULL with an error if there are none. */
static DynoRun *
select_cases (DynoRun *run, const DynoReportTemplate *of, GError **error)
{
  static const char *const facts[] = { "title", "notes", "plan", "machine", "source", "app-version" };
  g_autoptr (DynoRun) chosen = dyno_run_new (dyno_run_get_id (run));
  g_autoptr (GPtrArray) fitting = list_templates (run);
  g_autoptr (GString) names = g_string_new (dyno_report_run_template.name);
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < fitting->len; i++)
    if (fitting->pdata[i] != NULL)
      g_string_append_printf (names, ", %s", ((const DynoReportTemplate *)fitting->pdata[i])->name);
  if (!g_ptr_array_find (fitting, of, NULL))
    {
      g_autofree char *title = dyno_report_facts_dup_title (run);

      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   /* Translators: a template, a run, and a list of templates */
                   _ ("The template “%s” fits no measured case of the run “%s”. Choose one of: %s."),
                   of->name, title, names->str);
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (run), facts[i], &value);
      g_object_set_property (G_OBJECT (chosen), facts[i], &value);
    }
  g_object_set (chosen, "started-at", dyno_run_get_started_at (run), "finished-at",
                dyno_run_get_finished_at (run), NULL);
  dyno_run_set_origin (chosen, dyno_run_get_origin (run));
  dyno_run_set_self_test (chosen, dyno_run_get_self_test (run));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (find_template (result) == of)
        dyno_run_add_result (chosen, result);
    }
  return g_steal_pointer (&chosen);
}

/* For programs: each case with every value of the sections. */
static JsonNode *
to_json (GPtrArray *runs, const DynoReportTemplate *of)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < runs->len; i++)
    {
      g_autoptr (GPtrArray) results = dyno_case_order_sort (runs->pdata[i]);

      for (guint k = 0; k < results->len; k++)
        {
          GPtrArray *values = dyno_result_get_values (results->pdata[k]);

          json_builder_begin_object (builder);
          dyno_report_member_add_text (builder, "run", dyno_run_get_id (runs->pdata[i]));
          dyno_report_member_add_text (builder, "template", of->name);
          dyno_report_member_add_text (builder, "model",
                                       dyno_case_get_model (dyno_result_get_case (results->pdata[k])));
          dyno_report_member_add_case (builder, results->pdata[k]);
          for (guint v = 0; v < values->len; v++)
            {
              const char *name = dyno_value_get_name (values->pdata[v]);
              gboolean is_shown = FALSE;

              for (const Section *section = of->kind->sections; section->title != NULL; section++)
                is_shown |= section->list == list_stages ? g_str_has_prefix (name, "stage_")
                                                         : g_strv_contains (section->values, name);
              if (is_shown)
                dyno_report_member_add_number (builder, name, dyno_value_get_number (values->pdata[v]));
            }
          json_builder_end_object (builder);
        }
    }
  json_builder_end_array (builder);
  return json_builder_get_root (builder);
}

static DynoReportDocument *
build (const DynoReportTemplate *of, const DynoReportSource *source, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) ceilings =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
  DynoReportSource chosen = *source;
  DynoReportDocument *document;

  for (guint i = 0; i < source->runs->len; i++)
    {
      GPtrArray *of_machine =
          source->ceilings != NULL ? g_hash_table_lookup (source->ceilings, source->runs->pdata[i]) : NULL;
      DynoRun *run = select_cases (source->runs->pdata[i], of, error);

      if (run == NULL)
        return NULL;
      g_ptr_array_add (runs, run);
      if (of_machine != NULL)
        g_hash_table_insert (ceilings, run, g_ptr_array_ref (of_machine));
    }
  chosen.runs = runs;
  chosen.ceilings = ceilings;
  document = dyno_report_run_template.build (&dyno_report_run_template, &chosen, error);
  dyno_report_document_take_data (document, to_json (runs, of));
  return document;
}

const DynoReportTemplate dyno_report_language_template = {
  .name = "language",
  .label = N_ ("Language Models"),
  .build = build,
  .kind = &language,
};

const DynoReportTemplate dyno_report_vision_template = {
  .name = "vision",
  .label = N_ ("Vision Models"),
  .build = build,
  .kind = &vision,
};

const DynoReportTemplate dyno_report_speech_template = {
  .name = "speech",
  .label = N_ ("Speech Models"),
  .build = build,
  .kind = &speech,
};

const DynoReportTemplate dyno_report_multimodal_template = {
  .name = "multimodal",
  .label = N_ ("Multimodal Models"),
  .build = build,
  .kind = &multimodal,
};
