/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-graph.h"
#include "dyno-json.h"
#include "dyno-manifest.h"
#include "dyno-onnx-taps.h"
#include "dyno-precision.h"
#include "dyno-worker-client.h"
#include "dyno-worker-private.h"

/* Measurements use the seed of the case and those just after it. */
#define FIRST_SEED 1000

/* Writing the model in single precision, and a few unhurried steps. */
#define MAX_SECONDS 600

/* What another process needs to know, in the order of its arguments. */
typedef struct
{
  DynoModel *model;
  const char *attention;
  guint window;
  const char *precision;
  guint batch_size;
  guint sequence_length;
  const char *dimensions;
  const char *inputs;
  guint n_images;
  guint64 seed;
} Request;

/* Only given inputs need the sizes of the case. */
static Request
create_request (DynoModel *model, DynoCase *kase, guint64 seed)
{
  g_autoptr (DynoModel) decomposed = dyno_model_with_attention (model, "decomposed", NULL);
  g_auto (GStrv) precisions = dyno_model_dup_precisions (model);
  const char *precision = NULL;
  for (char **one = precisions; *one != NULL; one++)
    if (dyno_precision_needs_ranges (*one))
      precision = g_intern_string (*one);
  const DynoQuantisation *quantisation = dyno_precision_get_quantisation (precision);
  gboolean is_cache = quantisation != NULL && quantisation->is_cache;
  gboolean is_given = kase != NULL && *dyno_case_get_inputs (kase) != '\0';

  return (Request){
    .model = model,
    .attention = decomposed == model && !is_cache ? "decomposed" : "fused",
    .window = dyno_model_get_window (model),
    .precision = precision,
    .batch_size = is_given ? dyno_case_get_batch_size (kase) : 1,
    .sequence_length = is_given                          ? dyno_case_get_sequence_length (kase)
                       : dyno_model_has_sequence (model) ? dyno_model_get_usual_sequence_length (model)
                                                         : 0,
    .dimensions = is_given ? dyno_case_get_dimensions (kase) : "",
    .inputs = is_given ? dyno_case_get_inputs (kase) : "",
    .n_images = kase != NULL ? dyno_case_get_images (kase) : 1,
    .seed = seed,
  };
}

static GPtrArray *
create_inputs (const Request *self, DynoModel *model, DynoBinding *binding, guint index, GError **error)
{
  return dyno_model_create_inputs (model, binding, self->inputs, self->seed + FIRST_SEED + index, error);
}

static DynoBinding *
bind (const Request *self, DynoModel *model, GError **error)
{
  return dyno_model_bind (model, self->batch_size, self->sequence_length, self->dimensions, error);
}

/* Given values may come from files, which may change. */
static char *
dup_fingerprint (const Request *self, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GHashTable) binding = bind (self, self->model, error);

  for (guint i = 0; binding != NULL && i < DYNO_CALIBRATION_INPUTS; i++)
    {
      g_autoptr (GPtrArray) tensors = create_inputs (self, self->model, binding, i, error);

      if (tensors == NULL)
        return NULL;
      for (guint k = 0; k < tensors->len; k++)
        g_checksum_update (checksum, dyno_tensor_get_data (tensors->pdata[k]),
                           (gssize)dyno_tensor_get_size (tensors->pdata[k]));
    }
  return binding != NULL ? g_strdup (g_checksum_get_string (checksum)) : NULL;
}

/* The memory of the measuring process is measured, so another one runs the model. */
static char *
ask (gpointer data, GError **error)
{
  const Request *self = data;
  g_autofree char *batch = g_strdup_printf ("%u", self->batch_size);
  g_autofree char *sequence = g_strdup_printf ("%u", self->sequence_length);
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, self->seed);
  g_autofree char *images = g_strdup_printf ("%u", self->n_images);
  g_autofree char *window = g_strdup_printf ("%u", self->window);
  const char *const arguments[] = {
    "--calibrate",   dyno_model_get_id (self->model),
    self->attention, batch,
    sequence,        self->dimensions,
    self->inputs,    seed,
    images,          window,
    self->precision, NULL,
  };
  g_autoptr (DynoWorkerReply) reply = dyno_worker_query_run (arguments, MAX_SECONDS, NULL, error);
  g_autoptr (JsonObject) answer = NULL;
  gsize size = 0;
  const char *text, *problem;

  if (reply == NULL)
    return NULL;
  if (reply->answer == NULL)
    {
      if (reply->is_late)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                     _ ("Measuring the ranges of activations took more than %d s."), MAX_SECONDS);
      else
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED,
                     _ ("The worker ended while it measured the ranges of activations: %s"),
                     reply->last_words);
      return NULL;
    }
  text = g_bytes_get_data (reply->answer, &size);
  answer = dyno_json_parse_object (text, (gssize)size, dyno_model_get_id (self->model), error);
  problem = dyno_json_member_get_string (answer, "error");
  if (problem != NULL)
    g_set_error (error, DYNO_ERROR, (int)dyno_json_member_get_int64 (answer, "code", DYNO_ERROR_INVALID_DATA),
                 _ ("The ranges of activations could not be measured: %s"), problem);
  return answer != NULL && problem == NULL ? g_strndup (text, size) : NULL;
}

char *
dyno_calibration_prepare (DynoCase *kase, DynoBackend *backend, DynoModel *model, GError **error)
{
  guint64 seed = dyno_case_get_seed (kase);
  Request request;
  g_autofree char *fingerprint = NULL;
  DynoModelCalibration calibration = { .measure = ask, .data = &request };

  if (!dyno_model_needs_ranges (model))
    return dyno_backend_prepare (backend, model, NULL, seed, error);
  request = create_request (model, kase, seed);
  calibration.inputs = fingerprint = dup_fingerprint (&request, error);
  return fingerprint != NULL ? dyno_backend_prepare (backend, model, &calibration, seed, error) : NULL;
}

gboolean
dyno_calibration_export (DynoModel *model, guint64 seed, const char *path, GError **error)
{
  Request request;
  g_autofree char *fingerprint = NULL;
  DynoModelCalibration calibration = { .measure = ask, .data = &request };

  if (!dyno_model_needs_ranges (model))
    return dyno_model_export (model, NULL, seed, path, error);
  request = create_request (model, NULL, seed);
  calibration.inputs = fingerprint = dup_fingerprint (&request, error);
  return fingerprint != NULL && dyno_model_export (model, &calibration, seed, path, error);
}

static gboolean
take_number (GHashTable *ranges, DynoTensor *tensor, GError **error)
{
  const char *name = dyno_tensor_get_name (tensor);
  gboolean is_lowest = g_str_has_prefix (name, DYNO_ONNX_TAPS_LOWEST);
  const char *value;
  DynoRange *range;

  if (!is_lowest && !g_str_has_prefix (name, DYNO_ONNX_TAPS_HIGHEST))
    return TRUE;
  value = name + strlen (is_lowest ? DYNO_ONNX_TAPS_LOWEST : DYNO_ONNX_TAPS_HIGHEST);
  range = g_hash_table_lookup (ranges, value);
  if (range == NULL)
    {
      range = g_new (DynoRange, 1);
      *range = (DynoRange){ INFINITY, -INFINITY };
      g_hash_table_insert (ranges, g_strdup (value), range);
    }
  for (gint64 i = 0; i < dyno_shape_count (dyno_tensor_get_shape (tensor)); i++)
    {
      double number = dyno_tensor_get_number (tensor, i);

      if (!isfinite (number))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("“%s” holds numbers that are not finite. Choose other inputs (--input), or fp32."),
                       value);
          return FALSE;
        }
      range->lowest = is_lowest ? fmin (range->lowest, number) : range->lowest;
      range->highest = is_lowest ? range->highest : fmax (range->highest, number);
    }
  return TRUE;
}

/* Runs one graph of the model with more outputs, over all inputs. */
static JsonObject *
measure_graph (const Request *self,
               DynoBinding *binding,
               const char *onnx_path,
               const char *file,
               GPtrArray *values,
               GError **error)
{
  g_autoptr (GHashTable) ranges = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GBytes) tapped = dyno_onnx_taps_add_ranges (file, values, error);
  g_autoptr (DynoSession) session =
      tapped != NULL ? dyno_reference_open_tapped (onnx_path, file, tapped, error) : NULL;
  JsonObject *object;
  GHashTableIter iter;
  gpointer name, range;

  if (session == NULL)
    return NULL;
  for (guint i = 0; i < DYNO_CALIBRATION_INPUTS; i++)
    {
      g_autoptr (GPtrArray) inputs = create_inputs (self, self->model, binding, i, error);
      g_autoptr (GPtrArray) outputs = NULL;

      if (inputs == NULL || !dyno_session_set_inputs (session, 0, inputs, error) ||
          !dyno_session_run (session, error))
        return NULL;
      outputs = dyno_session_get_outputs (session, error);
      for (guint k = 0; outputs != NULL && k < outputs->len; k++)
        if (!take_number (ranges, outputs->pdata[k], error))
          return NULL;
      if (outputs == NULL)
        return NULL;
    }
  object = json_object_new ();
  g_hash_table_iter_init (&iter, ranges);
  while (g_hash_table_iter_next (&iter, &name, &range))
    {
      JsonArray *pair = json_array_new ();

      json_array_add_double_element (pair, ((DynoRange *)range)->lowest);
      json_array_add_double_element (pair, ((DynoRange *)range)->highest);
      json_object_set_array_member (object, name, pair);
    }
  return object;
}

static JsonObject *
measure_all (const Request *self, GPtrArray *values, GError **error)
{
  g_autoptr (GHashTable) binding = bind (self, self->model, error);
  g_autofree char *path = NULL;
  g_autoptr (DynoManifest) manifest = NULL;
  g_autoptr (JsonArray) graphs = json_array_new ();
  JsonObject *answer;

  if (binding == NULL || !dyno_reference_is_affordable (self->model, binding, error))
    return NULL;
  path = dyno_model_prepare (self->model, "fp32", self->seed, NULL, error);
  if (path == NULL)
    return NULL;
  if (dyno_manifest_is_path (path))
    {
      manifest = dyno_manifest_read (path, error);
      if (manifest == NULL)
        return NULL;
    }
  for (guint i = 0; i < values->len; i++)
    {
      const char *file = manifest != NULL ? ((DynoManifestStage *)manifest->stages->pdata[i])->file : path;
      GPtrArray *of_graph = values->pdata[i];
      JsonObject *ranges =
          of_graph->len > 0 ? measure_graph (self, binding, path, file, of_graph, error) : json_object_new ();

      if (ranges == NULL)
        return NULL;
      json_array_add_object_element (graphs, ranges);
    }
  answer = json_object_new ();
  json_object_set_array_member (answer, "graphs", g_steal_pointer (&graphs));
  return answer;
}

JsonObject *
dyno_calibration_measure (char **arguments, GError **error)
{
  g_autoptr (DynoModel) loaded = dyno_model_load (arguments[0], error);
  g_autoptr (DynoModel) seeing =
      loaded != NULL
          ? dyno_model_with_images (loaded, (guint)g_ascii_strtoull (arguments[7], NULL, 10), error)
          : NULL;
  g_autoptr (DynoModel) windowed =
      seeing != NULL
          ? dyno_model_with_window (seeing, (guint)g_ascii_strtoull (arguments[8], NULL, 10), error)
          : NULL;
  g_autoptr (DynoModel) single =
      windowed != NULL ? dyno_model_with_attention (windowed, arguments[1], error) : NULL;
  g_autoptr (DynoModel) quantised =
      single != NULL ? dyno_model_in_precision (single, arguments[9], error) : NULL;
  g_autoptr (GPtrArray) values = quantised != NULL ? dyno_model_list_ranged (quantised, error) : NULL;
  const Request request = {
    .model = single,
    .batch_size = (guint)g_ascii_strtoull (arguments[2], NULL, 10),
    .sequence_length = (guint)g_ascii_strtoull (arguments[3], NULL, 10),
    .dimensions = arguments[4],
    .inputs = arguments[5],
    .seed = g_ascii_strtoull (arguments[6], NULL, 10),
  };

  return values != NULL ? measure_all (&request, values, error) : NULL;
}
