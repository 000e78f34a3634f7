/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-manifest.h"
#include "dyno-model-weights-private.h"
#include "dyno-onnx-writer.h"
#include "dyno-paths.h"
#include "engine-probe.h"
#include "model-test.h"
#include "suite.h"

/* Every file in the folder “references” contains a config, inputs, and the outputs of an independent implementation
 * with weights that follow from their names: see make-references.py there. */

#define TOLERANCE 1e-3

#define CACHE_INPUT  "past_key_values."
#define CACHE_OUTPUT "present."
#define ANSWER       "decoder_input_ids"

typedef struct
{
  JsonParser *parser;
  JsonObject *reference;
  DynoModel *model;
  DynoSession *session;
} Run;

static char *cache;

static char *
dup_folder (void)
{
  return g_test_build_filename (G_TEST_DIST, "model", "families", "references", NULL);
}

/* From −1 to 1; draw() in the script. */
static double
draw (guint64 key, gsize index)
{
  return (double)(dyno_weights_mix (key + index) >> 11) / 4503599627370496.0 - 1;
}

static guint64
key_of (const char *name)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (const char *c = name; *c != '\0'; c++)
    hash = (hash ^ (guint8)*c) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

static DynoShape
read_shape (JsonArray *dims, DynoDataType type)
{
  DynoShape shape = { type, json_array_get_length (dims), { 0 } };

  for (guint i = 0; i < shape.rank; i++)
    shape.dims[i] = json_array_get_int_element (dims, i);
  return shape;
}

/* make_weight() in the script. */
static void
append_weight (GByteArray *bytes, const char *name, const DynoShape *shape)
{
  guint begin = bytes->len;
  gsize n = (gsize)dyno_shape_count (shape);
  guint64 key = key_of (name);
  double scale = sqrt ((double)(3 * shape->dims[0]) / (double)n);
  gboolean is_small =
      g_str_has_suffix (name, "bias") || g_str_has_suffix (name, "beta") || g_str_has_suffix (name, "mean");
  float *values;

  g_byte_array_set_size (bytes, begin + (guint)(n * sizeof *values));
  values = (float *)(gpointer)(bytes->data + begin);
  for (gsize i = 0; i < n; i++)
    {
      double number = draw (key, i);

      if (shape->rank >= 2)
        values[i] = (float)(number * scale);
      else
        values[i] = (float)(is_small ? number * 0.1 : 1 + number * 0.1);
    }
}

static void
begin_tensor (JsonBuilder *builder, const char *name, const DynoShape *shape, gsize begin)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "dtype");
  json_builder_add_string_value (builder, "F32");
  json_builder_set_member_name (builder, "shape");
  json_builder_begin_array (builder);
  for (guint i = 0; i < shape->rank; i++)
    json_builder_add_int_value (builder, shape->dims[i]);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "data_offsets");
  json_builder_begin_array (builder);
  json_builder_add_int_value (builder, (gint64)begin);
  json_builder_add_int_value (builder, (gint64)begin + dyno_shape_bytes (shape));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
write_file (const char *folder, const char *name, gconstpointer data, gsize size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, data, (gssize)size, &error);
  g_assert_no_error (error);
}

static void
write_weights (JsonObject *tensors, const char *folder)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GByteArray) data = g_byte_array_new ();
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *header = NULL;
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  guint64 length;

  json_builder_begin_object (builder);
  json_object_iter_init (&iter, tensors);
  while (json_object_iter_next (&iter, &name, &node))
    {
      DynoShape shape = read_shape (json_node_get_array (node), DYNO_DATA_TYPE_FLOAT);

      begin_tensor (builder, name, &shape, data->len);
      append_weight (data, name, &shape);
    }
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  header = dyno_json_text_write (root, FALSE);
  length = GUINT64_TO_LE (strlen (header));
  g_byte_array_append (file, (const guint8 *)&length, sizeof length);
  g_byte_array_append (file, (const guint8 *)header, (guint)strlen (header));
  g_byte_array_append (file, data->data, data->len);
  write_file (folder, "model.safetensors", file->data, file->len);
}

/* @n_unused: how many of the tensors do not belong to what is built */
static void
load_model (Run *self, const char *folder, guint n_unused)
{
  g_autofree char *config = dyno_json_text_write (json_object_get_member (self->reference, "config"), FALSE);

  write_file (folder, "config.json", config, strlen (config));
  write_weights (json_object_get_object_member (self->reference, "tensors"), folder);
  self->model = model_test_load (folder);
  g_assert_cmpstr (dyno_model_get_weights_origin (self->model), ==, "trained");
  g_assert_cmpuint (dyno_model_list_random_weights (self->model)->len, ==, 0);
  g_assert_cmpuint (dyno_model_list_unused_tensors (self->model)->len, ==, n_unused);
}

/* @engine: the id of a backend, and of a device after a colon where it is not the backend's first */
static void
open_session (Run *self, const char *engine)
{
  g_auto (GStrv) ids = g_strsplit (engine, ":", 2);
  const DynoSessionOptions options = {
    .device = ids[1], .precision = "fp32", .threads = 1, .optimise = TRUE
  };
  DynoBackend *backend = dyno_backend_lookup (ids[0], NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = dyno_model_prepare (self->model, "fp32", 0, NULL, &error);

  g_assert_no_error (error);
  self->session = dyno_backend_open (backend, path, &options, &error);
  g_assert_no_error (error);
}

/* Attention in one operator instead of several; %FALSE where there is none in the model. */
static gboolean
fuse_attention (Run *self)
{
  g_autoptr (GError) error = NULL;
  DynoModel *fused = dyno_model_with_attention (self->model, "fused", &error);

  if (fused == NULL)
    {
      suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "no attention");
      return FALSE;
    }
  g_object_unref (self->model);
  self->model = fused;
  return TRUE;
}

static void
set_up (Run *self, const char *name, const char *folder)
{
  g_autofree char *references = dup_folder ();
  g_autofree char *path = g_build_filename (references, name, NULL);
  g_autoptr (GError) error = NULL;

  self->parser = json_parser_new ();
  json_parser_load_from_file (self->parser, path, &error);
  g_assert_no_error (error);
  self->reference = json_node_get_object (json_parser_get_root (self->parser));
  load_model (self, folder, 0);
}

static void
run_clear (Run *self)
{
  g_clear_object (&self->session);
  g_clear_object (&self->model);
  g_clear_object (&self->parser);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static DynoTensor *
read_tensor (const char *name, JsonObject *object)
{
  gboolean is_whole = g_str_equal (json_object_get_string_member (object, "type"), "int64");
  DynoShape shape = read_shape (json_object_get_array_member (object, "shape"),
                                is_whole ? DYNO_DATA_TYPE_INT64 : DYNO_DATA_TYPE_FLOAT);
  DynoTensor *tensor = dyno_tensor_new (name, &shape);
  gpointer data = dyno_tensor_get_data (tensor);
  JsonArray *values =
      json_object_has_member (object, "values") ? json_object_get_array_member (object, "values") : NULL;
  gint64 n = dyno_shape_count (&shape);

  g_assert_true (values == NULL || (gint64)json_array_get_length (values) == n);
  for (gint64 i = 0; i < n; i++)
    if (is_whole)
      ((gint64 *)data)[i] = json_array_get_int_element (values, (guint)i);
    else if (values == NULL)
      ((float *)data)[i] =
          (float)(draw (key_of (name), (gsize)i) * json_object_get_double_member (object, "noise"));
    else
      ((float *)data)[i] = (float)json_array_get_double_element (values, (guint)i);
  return tensor;
}

/* The part of a tensor with the tokens from @first to before @end, of a mask those to before @end. */
static DynoTensor *
cut (DynoTensor *tensor, gint64 first, gint64 end)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);
  gint64 start = strstr (dyno_tensor_get_name (tensor), "mask") != NULL ? 0 : first;
  DynoShape part = { shape->type, shape->rank, { shape->dims[0], end - start } };
  DynoTensor *result = dyno_tensor_new (dyno_tensor_get_name (tensor), &part);
  gsize size = dyno_data_type_get_size (shape->type);

  g_assert_cmpuint (shape->rank, ==, 2);
  for (gint64 row = 0; row < shape->dims[0]; row++)
    memcpy ((char *)dyno_tensor_get_data (result) + (gsize)(row * part.dims[1]) * size,
            (char *)dyno_tensor_get_data (tensor) + (gsize)(row * shape->dims[1] + start) * size,
            (gsize)part.dims[1] * size);
  return result;
}

/* The cache is initially empty: no tokens, or a state of zeros. */
static DynoTensor *
create_empty (DynoTensorInfo *info, gint64 batch_size)
{
  DynoShape shape = { dyno_tensor_info_get_data_type (info), dyno_tensor_info_get_rank (info), { 0 } };

  for (guint axis = 0; axis < shape.rank; axis++)
    {
      const char *symbol = dyno_tensor_info_get_symbol (info, axis);

      if (symbol == NULL)
        shape.dims[axis] = dyno_tensor_info_get_size (info, axis);
      else if (dyno_dimension_kind (symbol) == DYNO_DIMENSION_KIND_BATCH)
        shape.dims[axis] = batch_size;
    }
  return dyno_tensor_new (dyno_tensor_info_get_name (info), &shape);
}

/* The first dimension of any input. */
static gint64
get_batch_size (Run *self)
{
  JsonObject *inputs = json_object_get_object_member (self->reference, "inputs");
  g_autoptr (GList) values = json_object_get_values (inputs);
  JsonObject *object = json_node_get_object (values->data);

  return json_array_get_int_element (json_object_get_array_member (object, "shape"), 0);
}

/* If an encoder reads the prompt, decoding continues with the answer alone; images and sound are read once. */
static gboolean
is_of_prompt (Run *self, const char *name)
{
  if (g_str_equal (name, "pixel_values") || g_str_equal (name, "input_features"))
    return TRUE;
  return json_object_has_member (json_object_get_object_member (self->reference, "inputs"), ANSWER) &&
         !g_str_equal (name, ANSWER);
}

/* Sets the tokens from @first to before @end, or all if @end is 0. */
static void
give_inputs (Run *self, gint64 first, gint64 end)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  JsonObject *inputs = json_object_get_object_member (self->reference, "inputs");
  GPtrArray *infos = dyno_model_get_inputs (self->model);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < infos->len; i++)
    {
      const char *name = dyno_tensor_info_get_name (infos->pdata[i]);
      g_autoptr (DynoTensor) tensor = NULL;

      if (dyno_tensor_info_is_cache (infos->pdata[i]))
        {
          if (first == 0)
            g_ptr_array_add (tensors, create_empty (infos->pdata[i], get_batch_size (self)));
          continue;
        }
      if (first > 0 && is_of_prompt (self, name))
        continue;
      if (!json_object_has_member (inputs, name))
        g_error ("The reference has no input “%s”.", name);
      tensor = read_tensor (name, json_object_get_object_member (inputs, name));
      g_ptr_array_add (tensors, end > 0 && !is_of_prompt (self, name) ? cut (tensor, first, end)
                                                                      : dyno_tensor_ref (tensor));
    }
  dyno_session_set_inputs (self->session, 0, tensors, &error);
  g_assert_no_error (error);
}

static GPtrArray *
run_step (Run *self)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *outputs;

  dyno_session_run (self->session, &error);
  g_assert_no_error (error);
  outputs = dyno_session_get_outputs (self->session, &error);
  g_assert_no_error (error);
  return outputs;
}

static DynoTensor *
find_output (GPtrArray *outputs, const char *name)
{
  for (guint i = 0; i < outputs->len; i++)
    if (g_str_equal (dyno_tensor_get_name (outputs->pdata[i]), name))
      return outputs->pdata[i];
  g_error ("The model has no output “%s”.", name);
}

static double
find_scale (DynoTensor *tensor)
{
  double largest = 0;

  for (gint64 i = 0; i < dyno_shape_count (dyno_tensor_get_shape (tensor)); i++)
    largest = MAX (largest, fabs (dyno_tensor_get_number (tensor, i)));
  return largest;
}

static void
assert_near (const char *name, gint64 i, double value, double expected, double scale)
{
  if (!(fabs (value - expected) <= TOLERANCE * scale))
    g_error ("Element %" G_GINT64_FORMAT " of “%s” is %g instead of %g.", i, name, value, expected);
}

static void
check_outputs (Run *self, GPtrArray *outputs)
{
  JsonObject *references = json_object_get_object_member (self->reference, "outputs");
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  g_assert_cmpuint (json_object_get_size (references), >, 0);
  json_object_iter_init (&iter, references);
  while (json_object_iter_next (&iter, &name, &node))
    {
      g_autoptr (DynoTensor) expected = read_tensor (name, json_node_get_object (node));
      DynoTensor *output = find_output (outputs, name);
      g_autofree char *shape = dyno_shape_to_string (dyno_tensor_get_shape (output));
      g_autofree char *expected_shape = dyno_shape_to_string (dyno_tensor_get_shape (expected));
      double scale = find_scale (expected);

      g_assert_cmpstr (shape, ==, expected_shape);
      for (gint64 i = 0; i < dyno_shape_count (dyno_tensor_get_shape (expected)); i++)
        assert_near (name, i, dyno_tensor_get_number (output, i), dyno_tensor_get_number (expected, i),
                     scale);
    }
}

/* The outputs for the last token with a cache agree with those for the whole sequence. */
static void
check_step (GPtrArray *outputs, DynoTensor *whole, gint64 place)
{
  DynoTensor *part = find_output (outputs, dyno_tensor_get_name (whole));
  const DynoShape *shape = dyno_tensor_get_shape (whole);
  double scale = find_scale (whole);

  for (gint64 row = 0; row < shape->dims[0]; row++)
    for (gint64 i = 0; i < shape->dims[2]; i++)
      assert_near ("a step", place, dyno_tensor_get_number (part, row * shape->dims[2] + i),
                   dyno_tensor_get_number (whole, (row * shape->dims[1] + place) * shape->dims[2] + i),
                   scale);
}

static void
carry_caches (Run *self)
{
  GPtrArray *infos = dyno_model_get_inputs (self->model);

  for (guint i = 0; i < infos->len; i++)
    {
      const char *name = dyno_tensor_info_get_name (infos->pdata[i]);
      g_autofree char *output = NULL;
      g_autoptr (GError) error = NULL;

      if (!dyno_tensor_info_is_cache (infos->pdata[i]))
        continue;
      g_assert_true (g_str_has_prefix (name, CACHE_INPUT));
      output = g_strconcat (CACHE_OUTPUT, name + strlen (CACHE_INPUT), NULL);
      dyno_session_carry (self->session, output, name, &error);
      g_assert_no_error (error);
    }
}

/* A prompt of two tokens, or as many as the reference says, then one token after the other: as @whole, which has all. */
static void
check_decoding (Run *self, DynoTensor *whole)
{
  gint64 length = dyno_tensor_get_shape (whole)->dims[1];
  gint64 prompt = json_object_get_int_member_with_default (self->reference, "prompt", 2);

  g_assert_cmpint (length, >, prompt + 1);
  for (gint64 end = prompt; end <= length; end++)
    {
      g_autoptr (GPtrArray) step = NULL;

      if (end > prompt)
        carry_caches (self);
      give_inputs (self, end == prompt ? 0 : end - 1, end);
      step = run_step (self);
      if (end > prompt)
        check_step (step, whole, end - 1);
    }
}

/* The same where the tokens of a prompt attend to later ones, so that a text at once is another thing. */
static void
check_steps (Run *self)
{
  JsonObject *outputs = json_object_get_object_member (self->reference, "outputs");
  g_autoptr (DynoTensor) whole = read_tensor ("logits", json_object_get_object_member (outputs, "logits"));

  check_decoding (self, whole);
}

static void
check_session (Run *self)
{
  g_autoptr (GPtrArray) outputs = NULL;

  if (json_object_get_boolean_member_with_default (self->reference, "by_steps", FALSE))
    {
      check_steps (self);
      return;
    }
  give_inputs (self, 0, 0);
  outputs = run_step (self);
  check_outputs (self, outputs);
  if (dyno_model_has_cache (self->model))
    check_decoding (self, find_output (outputs, "logits"));
}

/* As it is built, and with attention in one operator where there is any: the weights are made once for both. */
static void
test_reference (gconstpointer name)
{
  g_autofree char *folder = NULL;
  g_auto (Run) self = { 0 };

  if (!has_engine_or_skip ("cpu"))
    return;
  folder = model_test_make_folder ();
  set_up (&self, name, folder);
  open_session (&self, "cpu");
  check_session (&self);
  if (fuse_attention (&self))
    {
      g_test_message ("with attention in one operator");
      g_clear_object (&self.session);
      open_session (&self, "cpu");
      check_session (&self);
    }
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* Carrying values from step to step is the engine's work, so others are tested as well. */
static void
check_on (const char *name, const char *engine)
{
  g_autofree char *id = g_strndup (engine, strcspn (engine, ":"));
  g_autofree char *folder = NULL;
  g_auto (Run) self = { 0 };

  if (!has_engine_or_skip (id))
    return;
  folder = model_test_make_folder ();
  set_up (&self, name, folder);
  open_session (&self, engine);
  model_test_remove_folder (g_steal_pointer (&folder));
  check_session (&self);
}

static void
test_other_engine (gconstpointer name)
{
  check_on (name, "openvino");
}

static void
test_browser (gconstpointer name)
{
  check_on (name, "webnn:wasm");
}

/* With the window of a reference in place of another in its config, the outputs are those of the reference; with the other,
 * they are not. */
static void
test_window (gconstpointer data)
{
  g_autofree char *references = dup_folder ();
  g_autofree char *path = g_build_filename (references, data, NULL);
  g_autofree char *folder = model_test_make_folder ();
  g_auto (Run) self = { .parser = json_parser_new () };
  g_autoptr (GPtrArray) wide = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  g_autoptr (DynoTensor) logits = NULL;
  g_autoptr (GError) error = NULL;
  JsonObject *config;
  DynoModel *windowed;
  gint64 window, last;

  if (!has_engine_or_skip ("cpu"))
    return;
  json_parser_load_from_file (self.parser, path, NULL);
  self.reference = json_node_get_object (json_parser_get_root (self.parser));
  config = json_object_get_object_member (self.reference, "config");
  window = json_object_get_int_member (config, "sliding_window");
  json_object_set_int_member (config, "sliding_window", 32);
  load_model (&self, folder, 0);
  open_session (&self, "cpu");
  give_inputs (&self, 0, 0);
  wide = run_step (&self);
  logits = read_tensor ("logits", json_object_get_object_member (
                                      json_object_get_object_member (self.reference, "outputs"), "logits"));
  last = dyno_shape_count (dyno_tensor_get_shape (logits)) - 1;
  g_assert_cmpfloat (fabs (dyno_tensor_get_number (find_output (wide, "logits"), last) -
                           dyno_tensor_get_number (logits, last)),
                     >, TOLERANCE * find_scale (logits));

  windowed = dyno_model_with_window (self.model, (guint)window, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (dyno_model_get_window (windowed), ==, window);
  g_clear_object (&self.session);
  g_set_object (&self.model, windowed);
  g_object_unref (windowed);
  open_session (&self, "cpu");
  give_inputs (&self, 0, 0);
  outputs = run_step (&self);
  check_outputs (&self, outputs);
  check_decoding (&self, find_output (outputs, "logits"));
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* A model without a window, or with one that no layer has, has none that could be changed. */
static void
test_no_window (void)
{
  static const char *const configs[] = {
    "{\"model_type\": \"llama\", \"vocab_size\": 19, \"hidden_size\": 32, \"num_hidden_layers\": 2, "
    "\"num_attention_heads\": 4, \"intermediate_size\": 12, \"max_position_embeddings\": 32}",
    "{\"model_type\": \"qwen2\", \"vocab_size\": 19, \"hidden_size\": 32, \"num_hidden_layers\": 2, "
    "\"num_attention_heads\": 4, \"intermediate_size\": 12, \"max_position_embeddings\": 32, "
    "\"sliding_window\": 4, \"use_sliding_window\": false}",
    "{\"model_type\": \"mistral\", \"vocab_size\": 19, \"hidden_size\": 32, \"num_hidden_layers\": 2, "
    "\"num_attention_heads\": 4, \"intermediate_size\": 12, \"max_position_embeddings\": 32, "
    "\"sliding_window\": 4, \"layer_types\": [\"full_attention\", \"full_attention\"]}",
  };
  g_autofree char *folder = model_test_make_folder ();
  g_autofree char *file = g_build_filename (folder, "config.json", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (configs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (DynoModel) model = NULL;
      g_autoptr (DynoModel) same = NULL;

      write_file (folder, "config.json", configs[i], strlen (configs[i]));
      model = model_test_load (file);
      same = dyno_model_with_window (model, 0, NULL);
      g_assert_true (same == model);
      g_assert_null (dyno_model_with_window (model, 3, &error));
      suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "no sliding window");
    }
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* Heads of a width that GroupQueryAttention supports, unlike those of the references. */
static const char *const grouped[] = {
  "{\"model_type\": \"llama\", \"vocab_size\": 19, \"hidden_size\": 32, \"num_hidden_layers\": 2, "
  "\"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"intermediate_size\": 12, "
  "\"max_position_embeddings\": 32}",
  "{\"model_type\": \"mistral\", \"vocab_size\": 19, \"hidden_size\": 32, \"num_hidden_layers\": 2, "
  "\"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"intermediate_size\": 12, "
  "\"max_position_embeddings\": 32, \"sliding_window\": 3}",
  "{\"model_type\": \"gemma2\", \"vocab_size\": 19, \"hidden_size\": 32, \"num_hidden_layers\": 2, "
  "\"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"head_dim\": 8, \"intermediate_size\": 12, "
  "\"max_position_embeddings\": 32, \"sliding_window\": 4, \"query_pre_attn_scalar\": 16, "
  "\"attn_logit_softcapping\": 2.0, \"final_logit_softcapping\": 30.0}",
  "{\"model_type\": \"qwen3\", \"vocab_size\": 19, \"hidden_size\": 32, \"num_hidden_layers\": 2, "
  "\"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"head_dim\": 16, \"intermediate_size\": 12, "
  "\"max_position_embeddings\": 32}",
  "{\"model_type\": \"bloom\", \"vocab_size\": 19, \"hidden_size\": 32, \"n_layer\": 2, \"n_head\": 4}",
  "{\"model_type\": \"gpt2\", \"vocab_size\": 19, \"n_embd\": 32, \"n_layer\": 2, \"n_head\": 4, "
  "\"n_positions\": 32}",
};

static void
load_grouped (Run *self, const char *config, gboolean is_fused)
{
  g_autofree char *path = g_build_filename (cache, "grouped.json", NULL);

  write_file (cache, "grouped.json", config, strlen (config));
  self->model = model_test_load (path);
  if (is_fused)
    {
      g_auto (GStrv) operators = NULL;

      g_assert_true (fuse_attention (self));
      operators = dyno_model_dup_operators (self->model);
      g_assert_true (g_strv_contains ((const char *const *)operators, "com.microsoft.GroupQueryAttention"));
    }
  open_session (self, "cpu");
}

static void
give_part (Run *self, GPtrArray *inputs, gint64 first, gint64 end)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  GPtrArray *infos = dyno_model_get_inputs (self->model);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < infos->len; i++)
    if (!dyno_tensor_info_is_cache (infos->pdata[i]))
      g_ptr_array_add (tensors, cut (inputs->pdata[i], first, end));
    else if (first == 0)
      g_ptr_array_add (tensors, create_empty (infos->pdata[i], 2));
  dyno_session_set_inputs (self->session, 0, tensors, &error);
  g_assert_no_error (error);
}

static void
assert_same_outputs (GPtrArray *outputs, GPtrArray *expected)
{
  for (guint i = 0; i < expected->len; i++)
    {
      const char *name = dyno_tensor_get_name (expected->pdata[i]);
      DynoTensor *output = find_output (outputs, name);
      double scale = find_scale (expected->pdata[i]);

      g_assert_cmpint (dyno_shape_count (dyno_tensor_get_shape (output)), ==,
                       dyno_shape_count (dyno_tensor_get_shape (expected->pdata[i])));
      for (gint64 k = 0; k < dyno_shape_count (dyno_tensor_get_shape (output)); k++)
        assert_near (name, k, dyno_tensor_get_number (output, k),
                     dyno_tensor_get_number (expected->pdata[i], k), scale);
    }
}

/* With fused attention a decoder has the same outputs and the same work as decomposed, at once and token by token. */
static void
test_grouped (gconstpointer data)
{
  g_auto (Run) plain = { 0 };
  g_auto (Run) fused = { 0 };
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GPtrArray) inputs = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  gint64 flops, fused_flops;

  if (!has_engine_or_skip ("cpu"))
    return;
  load_grouped (&plain, data, FALSE);
  load_grouped (&fused, data, TRUE);
  binding = dyno_model_bind (plain.model, 2, 7, NULL, NULL);
  inputs = dyno_model_create_inputs (plain.model, binding, NULL, 1, NULL);
  g_assert_true (dyno_model_estimate_flops (plain.model, binding, &flops));
  g_assert_true (dyno_model_estimate_flops (fused.model, binding, &fused_flops));
  g_assert_cmpfloat_with_epsilon ((double)fused_flops / (double)flops, 1, 0.01);
  give_part (&plain, inputs, 0, 7);
  expected = run_step (&plain);
  give_part (&fused, inputs, 0, 7);
  outputs = run_step (&fused);
  assert_same_outputs (outputs, expected);
  for (gint64 end = 2; end <= 7; end++)
    {
      g_autoptr (GPtrArray) step = NULL;

      if (end > 2)
        carry_caches (&fused);
      give_part (&fused, inputs, end == 2 ? 0 : end - 1, end);
      step = run_step (&fused);
      if (end > 2)
        check_step (step, find_output (expected, "logits"), end - 1);
    }
}

static char *
prepare_in (const char *folder, const char *precision, char **hash)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) loaded = dyno_model_load (folder, &error);
  g_autoptr (DynoModel) model = loaded != NULL ? dyno_model_in_precision (loaded, precision, &error) : NULL;
  g_autofree char *place = NULL;
  g_autofree char *beside = NULL;
  char *path = model != NULL ? dyno_model_prepare (model, precision, 1, NULL, &error) : NULL;

  g_assert_no_error (error);
  place = g_path_get_dirname (path);
  beside = g_build_filename (place, DYNO_ONNX_WRITER_HASH, NULL);
  g_assert_true (g_file_get_contents (beside, hash, NULL, NULL));
  return path;
}

/* Changes the last value of the file, which only shows in the content and the modification time. */
static void
spoil_weights (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  bytes[size - 2] ^= 1;
  g_assert_true (g_file_set_contents (path, bytes, (gssize)size, NULL));
}

/* Other weights are another model in the cache with another hash; another precision of the same weights has the same
 * hash. */
static void
test_hash (void)
{
  g_autofree char *references = dup_folder ();
  g_autofree char *path = g_build_filename (references, "bert.json", NULL);
  g_autofree char *folder = model_test_make_folder ();
  g_auto (Run) self = { .parser = json_parser_new () };
  g_autofree char *first_hash = NULL;
  g_autofree char *half_hash = NULL;
  g_autofree char *other_hash = NULL;
  g_autofree char *first = NULL;
  g_autofree char *half = NULL;
  g_autofree char *other = NULL;

  json_parser_load_from_file (self.parser, path, NULL);
  self.reference = json_node_get_object (json_parser_get_root (self.parser));
  load_model (&self, folder, 0);
  first = prepare_in (folder, "fp32", &first_hash);
  half = prepare_in (folder, "fp16", &half_hash);
  spoil_weights (folder);
  other = prepare_in (folder, "fp32", &other_hash);
  g_assert_cmpstr (first_hash, ==, half_hash);
  g_assert_cmpstr (first_hash, !=, other_hash);
  g_assert_cmpstr (first, !=, other);
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* The model whose weights have a head, as if its config named another class. */
static void
load_class (Run *self, const char *folder, const char *name, guint n_unused)
{
  g_autofree char *references = dup_folder ();
  g_autofree char *path = g_build_filename (references, "bert-classifier.json", NULL);
  JsonArray *classes = json_array_new ();

  self->parser = json_parser_new ();
  json_parser_load_from_file (self->parser, path, NULL);
  self->reference = json_node_get_object (json_parser_get_root (self->parser));
  json_array_add_string_element (classes, name);
  json_object_set_array_member (json_object_get_object_member (self->reference, "config"), "architectures",
                                classes);
  load_model (self, folder, n_unused);
}

/* What a model was only trained with is not missed. */
static void
test_class_of_training (void)
{
  g_autofree char *folder = model_test_make_folder ();
  g_auto (Run) self = { NULL };
  g_autofree char *note = NULL;

  load_class (&self, folder, "BertForPreTraining", 2);
  note = dyno_model_dup_note (self.model);
  g_assert_null (note);
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* A class whose head is not built is told, with the tensors that are left over; also after the way from a worker. */
static void
test_other_class (void)
{
  g_autofree char *folder = model_test_make_folder ();
  g_auto (Run) self = { NULL };
  g_autoptr (JsonObject) restored = NULL;
  g_autoptr (DynoModel) again = NULL;
  g_autofree char *note = NULL;
  g_autofree char *other = NULL;

  load_class (&self, folder, "BertForNextSentencePrediction", 2);
  note = dyno_model_dup_note (self.model);
  g_assert_nonnull (strstr (note, "2 tensors in the files of"));
  g_assert_nonnull (strstr (note, "“BertForNextSentencePrediction”"));
  g_assert_nonnull (strstr (note, "such as “classifier.bias”"));
  restored = dyno_model_to_json (self.model);
  again = dyno_model_new_from_json (folder, restored, NULL);
  other = dyno_model_dup_note (again);
  g_assert_cmpstr (other, ==, note);
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* What making a picture does not need of a pipeline is not told. */
static void
test_unused_part (void)
{
  g_autofree char *references = dup_folder ();
  g_autofree char *path = g_build_filename (references, "dit.json", NULL);
  g_autofree char *folder = model_test_make_folder ();
  g_auto (Run) self = { .parser = json_parser_new () };
  JsonArray *dims = json_array_new ();

  json_parser_load_from_file (self.parser, path, NULL);
  self.reference = json_node_get_object (json_parser_get_root (self.parser));
  json_array_add_int_element (dims, 3);
  json_object_set_array_member (json_object_get_object_member (self.reference, "tensors"), "encoder.bias",
                                dims);
  load_model (&self, folder, 0);
  model_test_remove_folder (g_steal_pointer (&folder));
}

/* Tokens per picture of the references, and the placeholder for them. */
#define N_PLACES 4
#define PLACE    39

/* A prompt of pictures, each followed by a token of text. The number of an item and of a picture in it make the pixels. */
static DynoTensor *
create_seeing (Run *self, DynoTensorInfo *info, guint n_images)
{
  const char *name = dyno_tensor_info_get_name (info);
  gint64 length = n_images * (N_PLACES + 1), count, size;
  g_autoptr (DynoTensor) like = NULL;
  DynoShape shape = { DYNO_DATA_TYPE_INT64, 2, { 2, length } };
  DynoTensor *tensor;

  if (dyno_tensor_info_is_cache (info))
    return create_empty (info, 2);
  if (g_str_equal (name, "pixel_values"))
    {
      like = read_tensor (name, json_object_get_object_member (
                                    json_object_get_object_member (self->reference, "inputs"), name));
      shape = *dyno_tensor_get_shape (like);
      shape.dims[0] = 2 * n_images;
    }
  tensor = dyno_tensor_new (name, &shape);
  count = dyno_shape_count (&shape);
  size = count / shape.dims[0];
  for (gint64 i = 0; i < count; i++)
    {
      gint64 row = i / size, place = i % size;
      g_autofree char *picture =
          g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, row / n_images, row % n_images);

      if (like != NULL)
        dyno_tensor_set_number (tensor, i, draw (key_of (picture), (gsize)place));
      else if (g_str_equal (name, "input_ids"))
        dyno_tensor_set_integer (tensor, i,
                                 place % (N_PLACES + 1) < N_PLACES ? PLACE : 3 + place / (N_PLACES + 1));
      else
        dyno_tensor_set_integer (tensor, i, g_str_equal (name, "position_ids") ? place : 1);
    }
  return tensor;
}

static GPtrArray *
run_seeing (Run *self, const char *name, guint n_images)
{
  g_autofree char *references = dup_folder ();
  g_autofree char *path = g_build_filename (references, name, NULL);
  g_autofree char *folder = model_test_make_folder ();
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GError) error = NULL;
  DynoModel *seeing;

  self->parser = json_parser_new ();
  json_parser_load_from_file (self->parser, path, NULL);
  self->reference = json_node_get_object (json_parser_get_root (self->parser));
  load_model (self, folder, 0);
  seeing = dyno_model_with_images (self->model, n_images, &error);
  g_assert_no_error (error);
  g_object_unref (self->model);
  self->model = seeing;
  open_session (self, "cpu");
  model_test_remove_folder (g_steal_pointer (&folder));
  for (guint i = 0; i < dyno_model_get_inputs (self->model)->len; i++)
    g_ptr_array_add (inputs, create_seeing (self, dyno_model_get_inputs (self->model)->pdata[i], n_images));
  dyno_session_set_inputs (self->session, 0, inputs, &error);
  g_assert_no_error (error);
  return run_step (self);
}

/* A picture attends to itself and to what comes before it, never to a later one: up to its end, a prompt of two pictures
 * has the outputs of a prompt of its first. */
static void
test_two_pictures (gconstpointer data)
{
  g_auto (Run) one = { NULL };
  g_auto (Run) two = { NULL };
  g_autoptr (GPtrArray) alone = NULL;
  g_autoptr (GPtrArray) both = NULL;
  DynoTensor *expected, *logits;
  gint64 width;
  double largest = 0;

  if (!has_engine_or_skip ("cpu"))
    return;
  alone = run_seeing (&one, data, 1);
  both = run_seeing (&two, data, 2);
  expected = find_output (alone, "logits");
  logits = find_output (both, "logits");
  width = dyno_tensor_get_shape (logits)->dims[2];
  g_assert_cmpint (dyno_tensor_get_shape (logits)->dims[1], ==, 2 * (N_PLACES + 1));
  for (gint64 item = 0; item < 2; item++)
    for (gint64 i = 0; i < (N_PLACES + 1) * width; i++)
      {
        gint64 place = item * 2 * (N_PLACES + 1) * width + i;
        double value = dyno_tensor_get_number (expected, item * (N_PLACES + 1) * width + i);

        assert_near ("the first picture", i, dyno_tensor_get_number (logits, place), value,
                     find_scale (expected));
        largest =
            MAX (largest, fabs (value - dyno_tensor_get_number (logits, place + (N_PLACES + 1) * width)));
      }
  /* The second picture is another one. */
  g_assert_cmpfloat (largest, >, 0.01 * find_scale (expected));
}

/* Each placeholder gets the next token of the pictures of its own text. */
static void
test_placed (void)
{
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = TRUE };
  g_autoptr (DynoModel) model = model_test_load ("llava-miniature");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) seeing = dyno_model_with_images (model, 3, &error);
  g_autofree char *path = NULL;
  g_autoptr (DynoManifest) manifest = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GHashTable) binding = dyno_model_bind (seeing, 2, 60, NULL, NULL);
  g_autoptr (GPtrArray) all = dyno_model_create_inputs (seeing, binding, NULL, 1, NULL);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GPtrArray) outputs = NULL;
  DynoTensor *ids = NULL, *features;
  gint64 width, n_seen = 0;

  if (!has_engine_or_skip ("cpu"))
    return;
  path = dyno_model_prepare (seeing, "fp32", 0, NULL, &error);
  g_assert_no_error (error);
  manifest = dyno_manifest_read (path, &error);
  g_assert_no_error (error);
  session = dyno_backend_open (dyno_backend_lookup ("cpu", NULL),
                               ((DynoManifestStage *)manifest->stages->pdata[2])->file, &options, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (dyno_tensor_get_name (all->pdata[i]), "input_ids"))
      ids = all->pdata[i];
  g_ptr_array_add (inputs, dyno_tensor_ref (ids));
  width = 256;
  features = dyno_tensor_new ("image_features", &(DynoShape){ DYNO_DATA_TYPE_FLOAT, 3, { 6, 16, width } });
  g_ptr_array_add (inputs, features);
  for (gint64 i = 0; i < dyno_shape_count (dyno_tensor_get_shape (features)); i++)
    dyno_tensor_set_number (features, i, 1000 + (double)(i / width));
  dyno_session_set_inputs (session, 0, inputs, &error);
  g_assert_no_error (error);
  dyno_session_run (session, &error);
  g_assert_no_error (error);
  outputs = dyno_session_get_outputs (session, &error);
  for (gint64 i = 0; i < 2 * (3 * 17 - 1) * width; i++)
    {
      gint64 item = i / ((3 * 17 - 1) * width), place = i / width % (3 * 17 - 1);
      double value = dyno_tensor_get_number (find_output (outputs, "inputs_embeds"),
                                             (item * 60 + place) * width + i % width);

      if (place % 17 == 16)
        g_assert_cmpfloat (value, <, 1000);
      else
        g_assert_cmpfloat (value, ==, 1000 + (double)(n_seen++ / width));
    }
  g_assert_cmpint (n_seen, ==, 6 * 16 * width);
}

/* One reference of each builder, and more decoders; the others run where all tests do. */
static const char *const usual[] = {
  "audio-spectrogram-transformer",
  "bart",
  "beit",
  "bert",
  "blip-2",
  "clap",
  "clip",
  "convnext",
  "deepseek_v3",
  "depth_anything",
  "detr",
  "dit",
  "efficientnet",
  "esm",
  "florence2",
  "gemma3",
  "gpt2",
  "idefics3",
  "imagebind",
  "layoutlmv3",
  "llama",
  "llava",
  "mamba",
  "mobilenet_v2",
  "mobilevit",
  "modernbert",
  "moonshine",
  "qwen2_5_vl",
  "qwen2_audio",
  "qwen3",
  "retrieval",
  "rt_detr",
  "rwkv",
  "sam",
  "sam2",
  "segformer",
  "stable-diffusion",
  "swin",
  "t5",
  "timm-mobilenetv3-small",
  "vision-encoder-decoder",
  "vit",
  "wav2vec2",
  "wav2vec2-bert",
  "whisper",
  "yolos",
  "zamba2",
};

static void
add_references (void)
{
  g_autofree char *folder = dup_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n_usual = 0;

  g_assert_nonnull (dir);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_strconcat ("/references/", name, NULL);
      g_autofree char *id = g_strndup (name, strcspn (name, "."));
      gboolean is_usual = FALSE;

      if (!g_str_has_suffix (name, ".json"))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
        is_usual = is_usual || g_str_equal (usual[i], id);
      n_usual += is_usual;
      if (is_usual || suite_is_thorough ())
        g_test_add_data_func_full (path, g_strdup (name), test_reference, g_free);
    }
  g_assert_cmpuint (n_usual, ==, G_N_ELEMENTS (usual));
}

static int
run_suite (int argc, char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  cache = model_test_make_folder ();
  dyno_paths_set_root (DYNO_PATH_CACHE, cache);
  add_references ();
  g_test_add_data_func ("/references/openvino/t5", "t5.json", test_other_engine);
  g_test_add_data_func ("/references/openvino/bart", "bart.json", test_other_engine);
  g_test_add_data_func ("/references/openvino/whisper", "whisper.json", test_other_engine);
  if (suite_is_thorough ())
    g_test_add_data_func ("/references/browser/whisper", "whisper.json", test_browser);
  g_test_add_data_func ("/references/two-pictures/llava", "llava.json", test_two_pictures);
  g_test_add_data_func ("/references/two-pictures/idefics3", "idefics3.json", test_two_pictures);
  g_test_add_data_func ("/references/two-pictures/gemma3", "gemma3.json", test_two_pictures);
  g_test_add_data_func ("/references/window/mistral", "mistral.json", test_window);
  g_test_add_data_func ("/references/window/gemma2", "gemma2.json", test_window);
  g_test_add_data_func ("/references/window/phi3", "phi3.json", test_window);
  g_test_add_func ("/references/no-window", test_no_window);
  g_test_add_func ("/references/placed", test_placed);
  g_test_add_func ("/references/hash", test_hash);
  g_test_add_func ("/references/other-class", test_other_class);
  g_test_add_func ("/references/class-of-training", test_class_of_training);
  g_test_add_func ("/references/unused-part", test_unused_part);
  for (guint i = 0; i < G_N_ELEMENTS (grouped); i++)
    {
      g_autofree char *path = g_strdup_printf ("/references/grouped/%u", i);

      g_test_add_data_func (path, grouped[i], test_grouped);
    }
  result = g_test_run ();
  model_test_remove_folder (cache);
  return result;
}

SUITE (run_suite)
