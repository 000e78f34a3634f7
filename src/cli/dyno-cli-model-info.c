/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-binding.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-model-needs.h"
#include "dyno-model-work.h"
#include "dyno-prediction.h"
#include "dyno-report.h"
#include "dyno-roofline.h"
#include "dyno-text.h"
#include "dyno-unit.h"

/* @problem says why the work of a step could not be counted. */
typedef struct
{
  DynoModelWork *counted;
  char *problem;
} Work;

static void
work_clear (Work *self)
{
  g_clear_pointer (&self->counted, dyno_model_work_free);
  g_free (self->problem);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

/* The expected needs of a step on this machine and its duration on the processor, without a measurement. */
typedef struct
{
  gint64 needed;
  gint64 available;
  char *arithmetic;
  GArray *needs; /* of DynoModelNeed */
  DynoPrediction prediction;
  char *thread_split; /* NULL for a model of one graph */
} Forecast;

static void
forecast_clear (Forecast *self)
{
  g_free (self->arithmetic);
  g_clear_pointer (&self->needs, g_array_unref);
  g_free (self->thread_split);
  dyno_prediction_clear (&self->prediction);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Forecast, forecast_clear)

void
dyno_cli_model_info_add_json (JsonBuilder *builder, DynoModel *model)
{
  const DynoSizeClass *size = dyno_size_class_find (dyno_model_get_parameter_count (model));
  g_autofree char *note = dyno_model_dup_note (model);

  dyno_report_member_add_string (builder, "id", dyno_model_get_id (model));
  dyno_report_member_add_string (builder, "name", dyno_model_get_name (model));
  dyno_report_member_add_string (builder, "family", dyno_model_get_family (model));
  dyno_report_member_add_string (builder, "architecture", dyno_model_get_architecture (model));
  dyno_report_member_add_string (builder, "task", dyno_model_get_task (model));
  dyno_report_member_add_string (builder, "licence", dyno_model_get_licence (model));
  dyno_report_member_add_string (builder, "source", dyno_model_get_source (model));
  dyno_report_member_add_count (builder, "parameters", dyno_model_get_parameter_count (model));
  dyno_report_member_add_count (builder, "weight_bytes", dyno_model_get_weight_bytes (model));
  dyno_report_member_add_string (builder, "weights", dyno_model_get_weights_origin (model));
  dyno_report_member_add_string (builder, "weight_mix", dyno_model_get_weight_mix (model));
  dyno_report_member_add_string (builder, "note", note);
  dyno_report_member_add_string (builder, "size", size != NULL ? size->id : "");
}

static void
add_names (JsonBuilder *builder, const char *name, GPtrArray *names)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < names->len; i++)
    json_builder_add_string_value (builder, names->pdata[i]);
  json_builder_end_array (builder);
}

static void
add_tensors (JsonBuilder *builder, const char *name, GPtrArray *tensors)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < tensors->len; i++)
    {
      DynoTensorInfo *info = tensors->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_string (builder, "name", dyno_tensor_info_get_name (info));
      dyno_report_member_add_string (builder, "type",
                                     dyno_data_type_to_string (dyno_tensor_info_get_data_type (info)));
      json_builder_set_member_name (builder, "shape");
      if (dyno_tensor_info_has_shape (info))
        {
          json_builder_begin_array (builder);
          for (guint axis = 0; axis < dyno_tensor_info_get_rank (info); axis++)
            if (dyno_tensor_info_get_symbol (info, axis) != NULL)
              json_builder_add_string_value (builder, dyno_tensor_info_get_symbol (info, axis));
            else
              json_builder_add_int_value (builder, dyno_tensor_info_get_size (info, axis));
          json_builder_end_array (builder);
        }
      else
        json_builder_add_null_value (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_need (JsonBuilder *builder, const DynoModelNeed *need, gint64 available)
{
  json_builder_begin_object (builder);
  dyno_report_member_add_string (builder, "precision", need->precision);
  dyno_report_member_add_count (builder, "weight_bytes", need->weight_bytes);
  dyno_report_member_add_count (builder, "memory_needed_bytes", need->memory_bytes);
  dyno_report_member_add_flag (builder, "fits", dyno_model_need_fits (need, available));
  json_builder_end_object (builder);
}

static JsonNode *
to_json (DynoModel *model, DynoBinding *binding, const Work *work, const Forecast *predicted)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_auto (GStrv) stages = dyno_model_dup_stages (model);
  g_autofree char *sizes = dyno_binding_to_string (binding);
  g_autofree char *uncounted =
      work->counted != NULL ? g_strjoinv (",", work->counted->uncounted) : g_strdup ("");
  double flops = work->problem == NULL ? work->counted->flops : NAN;

  json_builder_begin_object (builder);
  dyno_cli_model_info_add_json (builder, model);
  add_names (builder, "random_weights", dyno_model_list_random_weights (model));
  add_names (builder, "unused_tensors", dyno_model_list_unused_tensors (model));
  json_builder_set_member_name (builder, "stages");
  json_builder_begin_array (builder);
  for (char **stage = stages; *stage != NULL; stage++)
    json_builder_add_string_value (builder, *stage);
  json_builder_end_array (builder);

  dyno_report_member_add_string (builder, "thread_split", predicted->thread_split);
  dyno_report_member_add_string (builder, "flops_sizes", sizes);
  dyno_report_member_add_number (builder, "flops", *uncounted == '\0' ? flops : NAN);
  dyno_report_member_add_number (builder, "flops_at_least", flops);
  dyno_report_member_add_number (builder, "multiply_adds",
                                 work->problem == NULL ? work->counted->multiply_adds : NAN);
  dyno_report_member_add_string (builder, "flops_problem", work->problem);
  dyno_report_member_add_string (builder, "flops_uncounted_operators", uncounted);

  dyno_report_member_add_count (builder, "memory_needed_bytes", predicted->needed);
  dyno_report_member_add_count (builder, "memory_available_bytes", predicted->available);
  dyno_report_member_add_string (builder, "memory_arithmetic", predicted->arithmetic);
  dyno_report_member_add_number (builder, DYNO_PREDICTION_VALUE, predicted->prediction.milliseconds);
  dyno_report_member_add_string (builder, "prediction_source", predicted->prediction.source);
  json_builder_set_member_name (builder, "needs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < predicted->needs->len; i++)
    add_need (builder, &g_array_index (predicted->needs, DynoModelNeed, i), predicted->available);
  json_builder_end_array (builder);

  add_tensors (builder, "inputs", dyno_model_get_inputs (model));
  add_tensors (builder, "outputs", dyno_model_get_outputs (model));
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static void
put_tensors (DynoReportDocument *document, const char *heading, GPtrArray *tensors)
{
  dyno_report_document_add_heading (document, 2, heading);
  dyno_report_document_begin_list (document);
  for (guint i = 0; i < tensors->len; i++)
    {
      g_autofree char *text = dyno_tensor_info_to_string (tensors->pdata[i]);

      dyno_report_document_add_item (document, NULL, text, NULL);
    }
}

static void
put_work (DynoReportDocument *document, DynoBinding *binding, const Work *work)
{
  g_autofree char *sizes = dyno_binding_to_string (binding);
  const char *const *names = work->counted != NULL ? (const char *const *)work->counted->uncounted : NULL;
  guint n_names = names != NULL ? g_strv_length ((char **)names) : 0;
  g_autofree char *uncounted = dyno_plain_text_join (names, n_names, ", ", "");
  g_autofree char *amount =
      work->problem == NULL ? dyno_cli_format_quantity (work->counted->flops, "FLOP") : NULL;
  g_autofree char *flops = NULL;
  g_autofree char *sum = NULL;
  g_autofree char *multiply_adds = NULL;

  if (work->problem != NULL)
    /* Translators: an amount of work; %s is the reason */
    flops = g_strdup_printf (_ ("unknown. %s"), work->problem);
  else if (n_names == 0)
    /* Translators: such as “1.12 GFLOP per step, at batch 1, sequence 128” */
    flops = g_strdup_printf (_ ("%s per step, at %s"), amount, sizes);
  else if (work->counted->flops > 0)
    /* Translators: an amount of work, sizes, and the names of operators */
    flops = g_strdup_printf (_ ("at least %s per step, at %s; no rule counts %s"), amount, sizes, uncounted);
  else
    flops = g_strdup_printf (_ ("unknown, because no rule counts %s"), uncounted);

  dyno_report_document_add_fact (document, _ ("FLOPs"), flops);
  if (work->problem != NULL || !isfinite (work->counted->multiply_adds))
    return;
  sum = dyno_cli_format_quantity (work->counted->multiply_adds, "MAC");
  /* Translators: a number of multiply-adds, such as “386 MMAC” */
  multiply_adds = g_strdup_printf (_ ("%s in matrix products and convolutions, as papers count them"), sum);
  dyno_report_document_add_fact (document, _ ("Multiply-adds"), multiply_adds);
}

static void
put_needs (DynoReportDocument *document, const Forecast *self)
{
  DynoReportTable *table = dyno_report_table_new ("lrrl", _ ("Precision"), _ ("Weights"),
                                                  _ ("Memory of a step"), _ ("Fits"), NULL);

  for (guint i = 0; i < self->needs->len; i++)
    {
      const DynoModelNeed *need = &g_array_index (self->needs, DynoModelNeed, i);

      dyno_report_table_take_row (
          table, g_strdup (need->precision), g_format_size ((guint64)need->weight_bytes),
          g_format_size ((guint64)need->memory_bytes),
          g_strdup (dyno_model_need_fits (need, self->available) ? _ ("yes") : _ ("no")), NULL);
      dyno_report_table_set_number (table, 1, (double)need->weight_bytes);
      dyno_report_table_set_number (table, 2, (double)need->memory_bytes);
    }
  dyno_report_table_set_unit (table, 1, "B");
  dyno_report_table_set_unit (table, 2, "B");
  dyno_report_document_add_heading (document, 2, _ ("Needs by precision"));
  dyno_report_document_take_table (document, table);
}

/* Some parameters of a trained model may be missing from its files, be it a few or nearly all. */
static void
put_weights (DynoReportDocument *document, DynoModel *model)
{
  g_autofree char *size = g_format_size (dyno_model_get_weight_bytes (model));
  GPtrArray *random = dyno_model_list_random_weights (model);
  const char *origin = dyno_model_get_weights_origin (model);
  g_autofree char *note = dyno_model_dup_note (model);
  g_autofree char *text = g_str_equal (origin, "trained")  ? g_strdup_printf (_ ("%s, trained"), size)
                          : g_str_equal (origin, "random") ? g_strdup_printf (_ ("%s, drawn at random"), size)
                                                           : g_strdup (size);

  dyno_report_document_add_fact (document, _ ("Weights"), text);
  dyno_report_document_add_fact (document, _ ("Types of the weights"), dyno_model_get_weight_mix (model));
  for (guint i = 0; i < random->len; i++)
    dyno_report_document_add_fact (document, _ ("Not in the files, so drawn at random"), random->pdata[i]);
  dyno_report_document_add_fact (document, _ ("Note"), note);
}

static DynoReportDocument *
create_document (DynoModel *model, DynoBinding *binding, const Work *work, const Forecast *predicted)
{
  g_auto (GStrv) stages = dyno_model_dup_stages (model);
  g_autofree char *joined = g_strjoinv (", ", stages);
  g_autofree char *parameters = dyno_cli_format_count (dyno_model_get_parameter_count (model));
  const DynoSizeClass *size = dyno_size_class_find (dyno_model_get_parameter_count (model));
  DynoReportDocument *document = dyno_report_document_new (dyno_model_get_name (model));

  dyno_report_document_take_data (document, to_json (model, binding, work, predicted));
  dyno_report_document_add_heading (document, 1, dyno_model_get_name (model));
  dyno_report_document_begin_list (document);
  dyno_report_document_add_fact (document, _ ("Family"), dyno_model_get_family_label (model));
  dyno_report_document_add_fact (document, _ ("Architecture"), dyno_model_get_architecture (model));
  dyno_report_document_add_fact (document, _ ("Task"), dyno_model_get_task (model));
  dyno_report_document_add_fact (document, _ ("Source"), dyno_model_get_source (model));
  dyno_report_document_add_fact (document, _ ("Licence of the weights"), dyno_model_get_licence (model));
  dyno_report_document_add_fact (document, _ ("Parameters"), parameters);
  dyno_report_document_add_fact (document, _ ("Size"), size != NULL ? _ (size->label) : NULL);
  dyno_report_document_add_fact (document, _ ("Stages"), joined);
  if (predicted->thread_split != NULL)
    {
      g_autofree char *split = g_strdup_printf (
          /* Translators: an option of the command line */
          _ ("--option-set %s: the stage with the most FLOPs has all threads, the others their share of "
             "them"),
          predicted->thread_split);

      dyno_report_document_add_fact (document, _ ("Threads by work"), split);
    }
  put_weights (document, model);
  put_work (document, binding, work);

  g_autofree char *needed = g_format_size ((guint64)predicted->needed);
  g_autofree char *available = g_format_size ((guint64)MAX (predicted->available, 0));
  g_autofree char *memory = g_strdup_printf (
      /* Translators: an amount of memory, how it comes about, and how much there is */
      _ ("about %s needed (%s), %s available"), needed, predicted->arithmetic, available);
  g_autofree char *time = dyno_unit_format (predicted->prediction.milliseconds, "ms");
  g_autofree char *prediction =
      isfinite (predicted->prediction.milliseconds)
          /* Translators: a time, and how it was predicted */
          ? g_strdup_printf (_ ("about %s per step on the CPU. %s"), time, predicted->prediction.source)
          /* Translators: the reason why no time was predicted */
          : g_strdup_printf (_ ("no time. %s"), predicted->prediction.source);

  dyno_report_document_add_fact (document, _ ("Memory"), memory);
  dyno_report_document_add_fact (document, _ ("Prediction"), prediction);

  put_needs (document, predicted);
  put_tensors (document, _ ("Inputs"), dyno_model_get_inputs (model));
  put_tensors (document, _ ("Outputs"), dyno_model_get_outputs (model));
  return document;
}

gboolean
dyno_cli_model_info_print (DynoModel *model, const DynoCliSizes *sizes, GError **error)
{
  g_autoptr (GHashTable) binding =
      dyno_model_bind (model, sizes->batch_size, dyno_model_has_sequence (model) ? sizes->sequence_length : 0,
                       sizes->dimensions, error);
  g_autoptr (DynoReportDocument) document = NULL;
  g_auto (Work) work = { 0 };
  g_auto (Forecast) predicted = { 0 };

  if (binding == NULL)
    return FALSE;

  g_autoptr (GError) failure = NULL;

  work.counted = dyno_model_work_count (model, sizes->batch_size, sizes->sequence_length, sizes->dimensions,
                                        sizes->inputs, sizes->deadline_seconds, NULL, &failure);
  if (g_error_matches (failure, DYNO_ERROR, DYNO_ERROR_TIMED_OUT))
    work.problem = g_strdup_printf (_ ("%s With --deadline-seconds it may take longer."), failure->message);
  else if (failure != NULL)
    work.problem = g_strdup (failure->message);

  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (NULL);
  g_autoptr (JsonNode) node = machine != NULL ? dyno_machine_to_json (machine) : NULL;
  g_autofree char *json = node != NULL ? dyno_json_text_write (node, FALSE) : NULL;
  g_autoptr (DynoStore) store = json != NULL ? dyno_cli_runs_open_store (NULL) : NULL;
  g_autoptr (GPtrArray) ceilings = store != NULL ? dyno_store_load_ceilings (store, json, NULL) : NULL;
  const char *id = dyno_model_get_id (model);
  g_autoptr (DynoCase) kase = dyno_case_new (id != NULL ? id : "", "cpu");

  g_clear_object (&store);
  g_object_set (kase, "batch-size", sizes->batch_size, "sequence-length", sizes->sequence_length, NULL);
  predicted.needed = dyno_model_estimate_memory (model, binding, &predicted.arithmetic);
  predicted.available = machine != NULL ? dyno_machine_get_available_memory (machine) : 0;
  predicted.thread_split =
      dyno_model_dup_thread_split (model, binding, MAX (dyno_roofline_count_cores (json), 1));
  predicted.needs =
      dyno_model_needs_list (model, sizes->batch_size, sizes->sequence_length, sizes->dimensions);
  dyno_prediction_make (&predicted.prediction, model, binding, kase, json, ceilings);

  document = create_document (model, binding, &work, &predicted);
  return dyno_cli_answer_print (document, error);
}
