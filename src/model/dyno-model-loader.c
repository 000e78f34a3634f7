/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-model-description.h"
#include "dyno-json.h"
#include "dyno-model-families-private.h"
#include "dyno-model-gguf-private.h"
#include "dyno-model-library.h"
#include "dyno-model-private.h"
#include "dyno-model-spec.h"
#include "dyno-onnx-file.h"
#include "dyno-pipeline.h"
#include "dyno-text.h"

static const char *
get_string (JsonObject *object, const char *name, const char *fallback)
{
  const char *string = dyno_json_member_get_string (object, name);

  return string != NULL ? string : fallback;
}

/* A bundled model wraps its config in an object with its name; a config from Hugging Face has no wrapper. */
static JsonNode *
dup_config (JsonObject *object)
{
  JsonNode *node = dyno_json_member_get_object (object, "config") != NULL
                       ? json_node_ref (json_object_get_member (object, "config"))
                       : json_node_init_object (json_node_alloc (), object);

  json_node_seal (node);
  return node;
}

/* A config may be a stranger's, and its texts appear in titles and messages. */
static char *
dup_shown (const char *text)
{
  return text != NULL ? dyno_plain_text_quote (text, DYNO_PLAIN_TEXT_NAME) : NULL;
}

/* Adds the quantisation of the weights to the error. */
static void
tell_quantisation (DynoModel *self, GError **error)
{
  g_autofree char *asked = dyno_model_dup_quantisation (self);
  g_autofree char *quantisation = asked != NULL ? dyno_plain_text_quote (asked, DYNO_PLAIN_TEXT_NAME) : NULL;
  g_autofree char *sentence = NULL;
  char *message;

  if (quantisation == NULL || error == NULL)
    return;
  /* Translators: a method of quantisation, such as “gptq, 4 bits” */
  sentence = g_strdup_printf (_ ("Its weights are quantised (%s)."), quantisation);
  message = g_strdup_printf ("%s %s", (*error)->message, sentence);
  g_free ((*error)->message);
  (*error)->message = message;
}

/* PEFT stores its trained weights, such as LoRA, beside a model as a model of its own. */
static gboolean
check_adapter (const char *spec, JsonObject *object, GError **error)
{
  g_autofree char *type = dup_shown (get_string (object, "peft_type", NULL));
  g_autofree char *base = dup_shown (get_string (object, "base_model_name_or_path", NULL));

  if (type == NULL)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               /* Translators: a file, a kind of adapter such as LORA, and the name of a model */
               _ ("“%s” is an adapter (%s) of the model “%s”, not a model by itself. Measure that model, or "
                  "merge the adapter into it (“merge_and_unload” in PEFT) and measure the merged model."),
               spec, type, base != NULL ? base : "?");
  return FALSE;
}

static void
copy_member_cb (JsonObject *object, const char *name, JsonNode *node, gpointer data)
{
  json_object_set_member (data, name, json_node_ref (node));
}

/* Returns the object in a file beside the config, NULL if there is none. */
static JsonObject *
read_beside (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GBytes) text = dyno_file_read (path, DYNO_FILE_MAX_TEXT, NULL);

  return text != NULL ? dyno_json_try_object (g_bytes_get_data (text, NULL), (gssize)g_bytes_get_size (text))
                      : NULL;
}

/* Older versions of NVIDIA's Model Optimizer write how weights are quantised into a file beside the config, and others
 * how sound and pictures are prepared. Returns a copy with both as members of the config, where newer versions and other
 * tools write the former; NULL if there is neither. */
static JsonObject *
add_beside (JsonObject *object, const char *folder)
{
  g_autoptr (JsonObject) weights = read_beside (folder, "hf_quant_config.json");
  g_autoptr (JsonObject) preparation = read_beside (folder, DYNO_LOG_MEL_CONFIG ".json");
  JsonObject *how = dyno_json_member_get_object (weights, "quantization");
  JsonObject *whole, *added;
  gboolean is_told = preparation != NULL && (json_object_has_member (preparation, "sampling_rate") ||
                                             json_object_has_member (preparation, "image_mean"));

  if (json_object_has_member (object, "quantization_config"))
    how = NULL;
  if (how == NULL && !is_told)
    return NULL;
  whole = json_object_new ();
  json_object_foreach_member (object, copy_member_cb, whole);
  if (is_told)
    json_object_set_object_member (whole, DYNO_LOG_MEL_CONFIG, g_steal_pointer (&preparation));
  if (how == NULL)
    return whole;
  added = json_object_new ();
  json_object_foreach_member (how, copy_member_cb, added);
  json_object_set_string_member (added, "quant_method", "modelopt");
  json_object_set_object_member (whole, "quantization_config", added);
  return whole;
}

static DynoModel *
load_object (const char *spec, const char *path, JsonObject *object, GError **error)
{
  g_autoptr (DynoModel) self = g_object_new (DYNO_TYPE_MODEL, NULL);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  g_autoptr (JsonObject) complete = NULL;
  g_autoptr (JsonObject) whole = NULL;
  g_autoptr (DynoConfig) config = NULL;

  if (!check_adapter (spec, object, error))
    return NULL;
  complete = folder != NULL ? add_beside (object, folder) : NULL;
  if (complete != NULL)
    object = complete;
  if (path != NULL && g_str_has_suffix (path, G_DIR_SEPARATOR_S DYNO_PIPELINE_FILE))
    {
      whole = dyno_pipeline_load (spec, folder, object, error);
      if (whole == NULL)
        return NULL;
      object = whole;
    }
  self->config = dup_config (object);
  config = dyno_config_new (json_node_get_object (self->config));
  self->architecture = dyno_architecture_find (config, error);
  if (self->architecture == NULL)
    {
      g_prefix_error (error, "“%s”: ", spec);
      tell_quantisation (self, error);
      return NULL;
    }
  self->id = g_strdup (get_string (object, "id", spec));
  self->name = dup_shown (get_string (object, "name", get_string (object, "_name_or_path", self->id)));
  self->task =
      dup_shown (get_string (object, "task", dyno_architecture_find_task (self->architecture, config)));
  self->licence = dup_shown (get_string (object, "licence", NULL));
  self->source = dup_shown (get_string (object, "source", NULL));
  /* The wrapper of a bundled config contains everything that lists show. */
  if (path == NULL && json_object_has_member (object, "parameters"))
    {
      self->n_listed_parameters = MAX (dyno_json_member_get_int64 (object, "parameters", 0), 0);
      self->n_listed_bytes = MAX (dyno_json_member_get_int64 (object, "weight_bytes", 0), 0);
    }
  else if (!dyno_model_describe (self, folder, NULL, error))
    {
      g_prefix_error (error, "“%s”: ", spec);
      return NULL;
    }
  return g_steal_pointer (&self);
}

static DynoModel *
load_json (const char *spec, const char *path, const char *text, gssize size, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autofree char *strict = dyno_json_text_dup_strict (text, (gsize)size);
  g_autoptr (GError) local_error = NULL;
  JsonObject *object = NULL;

  if (size > 0 && dyno_json_text_is_shallow (text, (gsize)size) &&
      dyno_json_text_load (parser, strict, strlen (strict), &local_error))
    object = dyno_json_node_get_object (json_parser_get_root (parser));
  if (object != NULL)
    return load_object (spec, path, object, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("“%s” is not a config in JSON: %s. Download it again."), spec,
               local_error != NULL ? local_error->message : _ ("it holds no object"));
  return NULL;
}

static DynoModel *
load_json_file (const char *spec, const char *path, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GBytes) text = dyno_file_read (path, DYNO_FILE_MAX_TEXT, &local_error);
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);

  if (text != NULL)
    return load_json (spec, absolute, g_bytes_get_data (text, NULL), (gssize)g_bytes_get_size (text), error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("The config “%s” could not be read: %s. Check the path."), path, local_error->message);
  return NULL;
}

/* Takes the description. */
static DynoModel *
create_of_file (const char *spec, DynoModelDescription *description, const DynoEngineFormat *format)
{
  DynoModel *self = g_object_new (DYNO_TYPE_MODEL, NULL);

  self->id = g_strdup (spec);
  self->task = g_strdup ("");
  self->is_served = dyno_model_get_served_name (spec) != NULL;
  self->path = self->is_served ? g_strdup (spec) : g_canonicalize_filename (spec, NULL);
  self->name = dyno_model_dup_short_name (self->path);
  self->precision = NULL;
  self->engine_format = format;
  self->real_type = description->real_type;
  self->description = description;
  return self;
}

gboolean
dyno_model_is_served (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  return self->is_served;
}

DynoModelFormat
dyno_model_get_format (DynoModel *self)
{
  if (dyno_model_is_served (self))
    return DYNO_MODEL_FORMAT_SERVED;
  if (self->engine_format != NULL)
    return dyno_engine_format_get_number (self->engine_format);
  return self->is_gguf || (self->path != NULL && self->description->architecture != NULL)
             ? DYNO_MODEL_FORMAT_GGUF
             : DYNO_MODEL_FORMAT_ONNX;
}

static DynoModel *
load_config_of_folder (const char *spec, const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *index = g_build_filename (folder, DYNO_PIPELINE_FILE, NULL);
  g_autofree char *adapter = g_build_filename (folder, "adapter_config.json", NULL);

  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return load_json_file (spec, path, error);
  if (g_file_test (index, G_FILE_TEST_IS_REGULAR))
    return load_json_file (spec, index, error);
  if (g_file_test (adapter, G_FILE_TEST_IS_REGULAR))
    return load_json_file (spec, adapter, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("The folder “%s” holds no config.json. Name a folder with one, or an ONNX file."), folder);
  return NULL;
}

DynoModel *
dyno_model_load (const char *spec, GError **error)
{
  g_autoptr (DynoModelSpec) parsed = NULL;
  g_autoptr (GBytes) bytes = NULL;
  DynoModelDescription *description;
  DynoTensorInfo *tokens;
  const DynoEngineFormat *format;

  g_return_val_if_fail (spec != NULL, NULL);

  parsed = dyno_model_spec_parse (spec);
  if (parsed->modality != NULL)
    {
      g_autofree char *base = dyno_model_spec_split (spec, NULL);
      DynoModel *whole = dyno_model_load (base, error);

      return whole != NULL ? dyno_model_take_modality (whole, spec, parsed->modality, error) : NULL;
    }
  switch (parsed->kind)
    {
    case DYNO_MODEL_SPEC_SERVED:
      /* The only known fact is that it takes tokens. */
      description = dyno_model_description_new ();
      tokens = dyno_tensor_info_new ("input_ids", DYNO_DATA_TYPE_INT64);
      dyno_tensor_info_add_size (tokens, 1);
      dyno_tensor_info_add_symbol (tokens, "sequence");
      g_ptr_array_add (description->inputs, tokens);
      return create_of_file (spec, description, NULL);
    case DYNO_MODEL_SPEC_FOLDER:
      return load_config_of_folder (spec, parsed->path, error);
    case DYNO_MODEL_SPEC_CONFIG:
      return load_json_file (spec, parsed->path, error);
    case DYNO_MODEL_SPEC_ONNX:
      format = dyno_engine_format_recognise (parsed->path);
      description = format != NULL ? format->describe (parsed->path, error)
                    : dyno_file_has_magic (parsed->path, 0, DYNO_GGUF_MAGIC)
                        ? dyno_gguf_file_describe (parsed->path, error)
                        : dyno_onnx_file_describe (parsed->path, error);
      return description != NULL ? create_of_file (spec, description, format) : NULL;
    case DYNO_MODEL_SPEC_BUNDLED:
    case DYNO_MODEL_SPEC_UNKNOWN:
    default:
      bytes = dyno_model_library_lookup (parsed->name != NULL ? parsed->name : spec, error);
      return bytes != NULL ? load_json (spec, NULL, g_bytes_get_data (bytes, NULL),
                                        (gssize)g_bytes_get_size (bytes), error)
                           : NULL;
    }
}

static JsonArray *
texts_to_json (GPtrArray *texts)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < texts->len; i++)
    json_array_add_string_element (array, texts->pdata[i]);
  return array;
}

static GPtrArray *
dup_texts (JsonObject *object, const char *name)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char **strings = dyno_json_member_dup_strings (object, name);

  for (char **string = strings; *string != NULL; string++)
    g_ptr_array_add (texts, *string);
  return texts;
}

JsonObject *
dyno_model_to_json (DynoModel *self)
{
  JsonObject *object = json_object_new ();

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (self->path != NULL)
    {
      json_object_set_object_member (object,
                                     self->engine_format != NULL ? self->engine_format->family.id : "onnx",
                                     dyno_model_description_to_json (dyno_model_get_description (self)));
      return object;
    }
  json_object_set_string_member (object, "id", self->id);
  json_object_set_string_member (object, "name", self->name);
  json_object_set_string_member (object, "task", self->task);
  json_object_set_member (object, "config", json_node_ref (self->config));
  if (self->weights_folder != NULL)
    {
      g_autoptr (GPtrArray) files = dyno_model_list_external_files (self);
      DynoModelDescription *description = dyno_model_get_description (self);
      JsonObject *weights = json_object_new ();

      json_object_set_string_member (weights, "folder", self->weights_folder);
      json_object_set_array_member (weights, "files", texts_to_json (files));
      json_object_set_array_member (weights, "lacking", texts_to_json (description->lacking));
      json_object_set_array_member (weights, "unused", texts_to_json (description->unused));
      json_object_set_object_member (object, "weights", weights);
    }
  return object;
}

DynoModel *
dyno_model_new_from_json (const char *spec, JsonObject *object, GError **error)
{
  const DynoEngineFormat *format;
  DynoModelDescription *description;
  JsonObject *weights;
  const char *modality;
  g_autofree char *base = NULL;
  DynoModel *self;

  g_return_val_if_fail (spec != NULL && object != NULL, NULL);

  base = dyno_model_spec_split (spec, &modality);
  for (guint i = 0; (format = dyno_engine_format_get (i)) != NULL; i++)
    if (json_object_has_member (object, format->family.id))
      break;
  if (format != NULL || json_object_has_member (object, "onnx"))
    {
      description = dyno_model_description_new_from_json (
          dyno_json_member_get_object (object, format != NULL ? format->family.id : "onnx"));
      if (description != NULL)
        return create_of_file (spec, description, format);
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The answer about the model “%s” is damaged. Read the model again."), spec);
      return NULL;
    }
  self = load_object (spec, NULL, object, error);
  /* Only of a bundled model can a listed number of parameters replace the description. */
  if (self != NULL && self->description == NULL && !dyno_model_describe (self, NULL, NULL, error))
    g_clear_object (&self);
  weights = dyno_json_member_get_object (object, "weights");
  if (self != NULL && weights != NULL)
    {
      g_autoptr (GPtrArray) files = dup_texts (weights, "files");
      g_autoptr (GPtrArray) lacking = dup_texts (weights, "lacking");
      g_autoptr (GPtrArray) unused = dup_texts (weights, "unused");

      self->weights_folder = g_strdup (dyno_json_member_get_string (weights, "folder"));
      dyno_model_description_add_weights (dyno_model_get_description (self), files, lacking, unused);
    }
  return self != NULL && modality != NULL ? dyno_model_take_modality (self, spec, modality, error) : self;
}
