/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-machine.h"
#include "dyno-model-needs.h"
#include "dyno-model-work.h"
#include "dyno-prediction.h"
#include "dyno-report.h"
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

static void
count_work (Work *work, DynoModel *model, const DynoCliSizes *sizes)
{
  g_autoptr (GError) error = NULL;

  work->counted = dyno_model_work_count (model, sizes->batch_size, sizes->sequence_length, sizes->dimensions,
                                         sizes->inputs, sizes->deadline_seconds, NULL, &error);
  if (g_error_matches (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT))
    work->problem = g_strdup_printf (_ ("%s With --deadline-seconds it may take longer."), error->message);
  else if (error != NULL)
    work->problem = g_strdup (error->message);
}

/* The expected needs of a step on this machine and its duration on the processor, without a measurement. */
typedef struct
{
  gint64 needed;
  gint64 available;
  char *arithmetic;
  GArray *needs; /* of DynoModelNeed */
  DynoPrediction prediction;
} Forecast;

static void
forecast_clear (Forecast *self)
{
  g_free (self->arithmetic);
  g_clear_pointer (&self->needs, g_array_unref);
  dyno_prediction_clear (&self->prediction);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Forecast, forecast_clear)

static GPtrArray *
load_ceilings (const char *machine)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_store (NULL);

  return store != NULL ? dyno_store_load_ceilings (store, machine, NULL) : NULL;
}

static void
forecast (Forecast *self, DynoModel *model, const DynoCliSizes *sizes, DynoBinding *binding)
{
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (NULL);
  g_autoptr (JsonNode) node = machine != NULL ? dyno_machine_to_json (machine) : NULL;
  g_autofree char *json = node != NULL ? dyno_json_text_write (node, FALSE) : NULL;
  g_autoptr (GPtrArray) ceilings = json != NULL ? load_ceilings (json) : NULL;
  const char *id = dyno_model_get_id (model);
  g_autoptr (DynoCase) kase = dyno_case_new (id != NULL ? id : "", "cpu");

  g_object_set (kase, "batch-size", sizes->batch_size, "sequence-length", sizes->sequence_length, NULL);
  self->needed = dyno_model_estimate_memory (model, binding, &self->arithmetic);
  self->available = machine != NULL ? dyno_machine_get_available_memory (machine) : 0;
  self->needs = dyno_model_needs_list (model, sizes->batch_size, sizes->sequence_length, sizes->dimensions);
  dyno_prediction_make (&self->prediction, model, binding, kase, json, ceilings);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text != NULL ? text : "");
}

void
dyno_cli_model_info_add_json (JsonBuilder *builder, DynoModel *model)
{
  const DynoSizeClass *size = dyno_size_class_find (dyno_model_get_parameter_count (model));
  g_autofree char *note = dyno_model_dup_note (model);

  add_text (builder, "id", dyno_model_get_id (model));
  add_text (builder, "name", dyno_model_get_name (model));
  add_text (builder, "family", dyno_model_get_family (model));
  add_text (builder, "architecture", dyno_model_get_architecture (model));
  add_text (builder, "task", dyno_model_get_task (model));
  add_text (builder, "licence", dyno_model_get_licence (model));
  add_text (builder, "source", dyno_model_get_source (model));
  dyno_report_member_add_count (builder, "parameters", dyno_model_get_parameter_count (model));
  dyno_report_member_add_count (builder, "weight_bytes", dyno_model_get_weight_bytes (model));
  add_text (builder, "weights", dyno_model_get_weights_origin (model));
  add_text (builder, "note", note);
  add_text (builder, "size", size != NULL ? size->id : "");
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
add_stages (JsonBuilder *builder, DynoModel *model)
{
  g_auto (GStrv) stages = dyno_model_dup_stages (model);

  json_builder_set_member_name (builder, "stages");
  json_builder_begin_array (builder);
  for (char **stage = stages; *stage != NULL; stage++)
    json_builder_add_string_value (builder, *stage);
  json_builder_end_array (builder);
}

static void
add_shape (JsonBuilder *builder, DynoTensorInfo *info)
{
  json_builder_begin_array (builder);
  for (guint axis = 0; axis < dyno_tensor_info_get_rank (info); axis++)
    if (dyno_tensor_info_get_symbol (info, axis) != NULL)
      json_builder_add_string_value (builder, dyno_tensor_info_get_symbol (info, axis));
    else
      json_builder_add_int_value (builder, dyno_tensor_info_get_size (info, axis));
  json_builder_end_array (builder);
}

static void
add_tensor (JsonBuilder *builder, DynoTensorInfo *info)
{
  json_builder_begin_object (builder);
  add_text (builder, "name", dyno_tensor_info_get_name (info));
  add_text (builder, "type", dyno_data_type_to_string (dyno_tensor_info_get_data_type (info)));
  json_builder_set_member_name (builder, "shape");
  if (dyno_tensor_info_has_shape (info))
    add_shape (builder, info);
  else
    json_builder_add_null_value (builder);
  json_builder_end_object (builder);
}

static void
add_tensors (JsonBuilder *builder, const char *name, GPtrArray *tensors)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < tensors->len; i++)
    add_tensor (builder, tensors->pdata[i]);
  json_builder_end_array (builder);
}

static void
add_work (JsonBuilder *builder, DynoBinding *binding, const Work *work)
{
  g_autofree char *sizes = dyno_binding_to_string (binding);
  g_autofree char *uncounted =
      work->counted != NULL ? g_strjoinv (",", work->counted->uncounted) : g_strdup ("");
  double flops = work->problem == NULL ? work->counted->flops : NAN;

  add_text (builder, "flops_sizes", sizes);
  dyno_report_member_add_number (builder, "flops", *uncounted == '\0' ? flops : NAN);
  dyno_report_member_add_number (builder, "flops_at_least", flops);
  dyno_report_member_add_number (builder, "multiply_adds",
                                 work->problem == NULL ? work->counted->multiply_adds : NAN);
  add_text (builder, "flops_problem", work->problem);
  add_text (builder, "flops_uncounted_operators", uncounted);
}

static void
add_need (JsonBuilder *builder, const DynoModelNeed *need, gint64 available)
{
  json_builder_begin_object (builder);
  add_text (builder, "precision", need->precision);
  dyno_report_member_add_count (builder, "weight_bytes", need->weight_bytes);
  dyno_report_member_add_count (builder, "memory_needed_bytes", need->memory_bytes);
  json_builder_set_member_name (builder, "fits");
  json_builder_add_boolean_value (builder, dyno_model_need_fits (need, available));
  json_builder_end_object (builder);
}

static void
add_needs (JsonBuilder *builder, const Forecast *self)
{
  json_builder_set_member_name (builder, "needs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->needs->len; i++)
    add_need (builder, &g_array_index (self->needs, DynoModelNeed, i), self->available);
  json_builder_end_array (builder);
}

static void
add_forecast (JsonBuilder *builder, const Forecast *self)
{
  dyno_report_member_add_count (builder, "memory_needed_bytes", self->needed);
  dyno_report_member_add_count (builder, "memory_available_bytes", self->available);
  add_text (builder, "memory_arithmetic", self->arithmetic);
  dyno_report_member_add_number (builder, DYNO_PREDICTION_VALUE, self->prediction.milliseconds);
  add_text (builder, "prediction_source", self->prediction.source);
}

static void
print_json (DynoModel *model, DynoBinding *binding, const Work *work, const Forecast *predicted)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  dyno_cli_model_info_add_json (builder, model);
  add_names (builder, "random_weights", dyno_model_list_random_weights (model));
  add_names (builder, "unused_tensors", dyno_model_list_unused_tensors (model));
  add_stages (builder, model);
  add_work (builder, binding, work);
  add_forecast (builder, predicted);
  add_needs (builder, predicted);
  add_tensors (builder, "inputs", dyno_model_get_inputs (model));
  add_tensors (builder, "outputs", dyno_model_get_outputs (model));
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  dyno_cli_print_json (root);
}

static void
print_tensors (const char *heading, GPtrArray *tensors)
{
  g_print ("\n%s\n", heading);
  for (guint i = 0; i < tensors->len; i++)
    {
      g_autofree char *text = dyno_tensor_info_to_string (tensors->pdata[i]);

      dyno_cli_say ("  %s\n", text);
    }
}

static void
print_flops (double flops, const char *sizes, const char *uncounted)
{
  g_autofree char *text = dyno_cli_format_quantity (flops, "FLOP");

  if (*uncounted == '\0')
    /* Translators: such as “1.12 GFLOP per step, at batch 1, sequence 128” */
    dyno_cli_say (_ ("FLOPs: %s per step, at %s\n"), text, sizes);
  else if (flops > 0)
    /* Translators: an amount of work, sizes, and the names of operators */
    dyno_cli_say (_ ("FLOPs: at least %s per step, at %s; no rule counts %s\n"), text, sizes, uncounted);
  else
    dyno_cli_say (_ ("FLOPs: unknown, because no rule counts %s\n"), uncounted);
}

static void
print_work (DynoBinding *binding, const Work *work)
{
  g_autofree char *sizes = dyno_binding_to_string (binding);
  const char *const *names = work->counted != NULL ? (const char *const *)work->counted->uncounted : NULL;
  guint n_names = names != NULL ? g_strv_length ((char **)names) : 0;
  g_autofree char *uncounted = dyno_plain_text_join (names, n_names, ", ", "");

  if (work->problem != NULL)
    dyno_cli_say (_ ("FLOPs: unknown. %s\n"), work->problem);
  else
    print_flops (work->counted->flops, sizes, uncounted);
  if (work->problem == NULL && isfinite (work->counted->multiply_adds))
    {
      g_autofree char *sum = dyno_cli_format_quantity (work->counted->multiply_adds, "MAC");

      /* Translators: a number of multiply-adds, such as “386 MMAC” */
      dyno_cli_say (_ ("Multiply-adds: %s in matrix products and convolutions, as papers count them\n"), sum);
    }
}

static void
print_forecast (const Forecast *self)
{
  g_autofree char *needed = g_format_size ((guint64)self->needed);
  g_autofree char *available = g_format_size ((guint64)MAX (self->available, 0));
  g_autofree char *time = NULL;

  /* Translators: an amount of memory, how it comes about, and how much there is */
  dyno_cli_say (_ ("Memory: about %s needed (%s), %s available\n"), needed, self->arithmetic, available);
  if (!isfinite (self->prediction.milliseconds))
    {
      dyno_cli_say (_ ("Predicted: no time. %s\n"), self->prediction.source);
      return;
    }
  time = dyno_unit_format (self->prediction.milliseconds, "ms");
  dyno_cli_say (_ ("Predicted: about %s per step on the CPU. %s\n"), time, self->prediction.source);
}

static void
print_needs (const Forecast *self)
{
  g_autoptr (DynoReportTable) table = dyno_report_table_new ("lrrl", _ ("Precision"), _ ("Weights"),
                                                             _ ("Memory of a step"), _ ("Fits"), NULL);

  for (guint i = 0; i < self->needs->len; i++)
    {
      const DynoModelNeed *need = &g_array_index (self->needs, DynoModelNeed, i);

      dyno_report_table_take_row (
          table, g_strdup (need->precision), g_format_size ((guint64)need->weight_bytes),
          g_format_size ((guint64)need->memory_bytes),
          g_strdup (dyno_model_need_fits (need, self->available) ? _ ("yes") : _ ("no")), NULL);
    }
  dyno_cli_say ("\n%s\n", _ ("Needs by precision"));
  dyno_cli_print_table (table);
}

/* The origin of an ONNX file is unknown. */
static void
print_origin (DynoModel *model)
{
  const char *task = dyno_model_get_task (model);
  const char *source = dyno_model_get_source (model);
  const char *licence = dyno_model_get_licence (model);

  if (task != NULL && *task != '\0')
    dyno_cli_say (_ ("Task: %s\n"), task);
  if (source != NULL)
    dyno_cli_say (_ ("Source: %s\n"), source);
  if (licence != NULL)
    dyno_cli_say (_ ("Licence of the weights: %s\n"), licence);
}

/* Some parameters of a trained model may be missing from its files, be it a few or nearly all. */
static void
print_weights (DynoModel *model)
{
  g_autofree char *size = g_format_size (dyno_model_get_weight_bytes (model));
  GPtrArray *random = dyno_model_list_random_weights (model);
  const char *origin = dyno_model_get_weights_origin (model);
  g_autofree char *note = dyno_model_dup_note (model);

  if (g_str_equal (origin, "trained"))
    dyno_cli_say (_ ("Weights: %s, trained\n"), size);
  else if (g_str_equal (origin, "random"))
    dyno_cli_say (_ ("Weights: %s, drawn at random\n"), size);
  else
    dyno_cli_say (_ ("Weights: %s\n"), size);
  for (guint i = 0; i < random->len; i++)
    dyno_cli_say (_ ("  not in the files, so drawn at random: %s\n"), (const char *)random->pdata[i]);
  if (note != NULL)
    dyno_cli_say (_ ("Note: %s\n"), note);
}

static void
print_text (DynoModel *model, DynoBinding *binding, const Work *work, const Forecast *predicted)
{
  g_auto (GStrv) stages = dyno_model_dup_stages (model);
  g_autofree char *joined = g_strjoinv (", ", stages);
  g_autofree char *parameters = dyno_cli_format_count (dyno_model_get_parameter_count (model));
  const DynoSizeClass *size = dyno_size_class_find (dyno_model_get_parameter_count (model));

  g_print ("%s\n", dyno_model_get_name (model));
  dyno_cli_say (_ ("Family: %s\nArchitecture: %s\n"), dyno_model_get_family_label (model),
                dyno_model_get_architecture (model));
  print_origin (model);
  dyno_cli_say (_ ("Parameters: %s\n"), parameters);
  if (size != NULL)
    dyno_cli_say (_ ("Size: %s\n"), _ (size->label));
  if (*stages != NULL)
    dyno_cli_say (_ ("Stages: %s\n"), joined);
  print_weights (model);
  print_work (binding, work);
  print_forecast (predicted);
  print_needs (predicted);
  print_tensors (_ ("Inputs"), dyno_model_get_inputs (model));
  print_tensors (_ ("Outputs"), dyno_model_get_outputs (model));
}

gboolean
dyno_cli_model_info_print (DynoModel *model, const DynoCliSizes *sizes, gboolean as_json, GError **error)
{
  g_autoptr (GHashTable) binding =
      dyno_model_bind (model, sizes->batch_size, dyno_model_has_sequence (model) ? sizes->sequence_length : 0,
                       sizes->dimensions, error);
  g_auto (Work) work = { 0 };
  g_auto (Forecast) predicted = { 0 };

  if (binding == NULL)
    return FALSE;
  count_work (&work, model, sizes);
  forecast (&predicted, model, sizes, binding);
  if (as_json)
    print_json (model, binding, &work, &predicted);
  else
    print_text (model, binding, &work, &predicted);
  return TRUE;
}
