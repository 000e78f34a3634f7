/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "dyno-architecture.h"
#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-graph-private.h"
#include "dyno-hub-cache.h"
#include "dyno-inputs.h"
#include "dyno-json-text.h"
#include "dyno-manifest.h"
#include "dyno-model-cache.h"
#include "dyno-model-export.h"
#include "dyno-model-library.h"
#include "dyno-model.h"
#include "dyno-node.h"
#include "dyno-onnx-export.h"
#include "dyno-onnx-file.h"
#include "dyno-onnx-writer.h"
#include "dyno-pipeline.h"
#include "dyno-precision.h"
#include "dyno-stages.h"

/* What a decoder with a sequence of its own calls that dimension. */
#define ANSWER_PREFIX "decoder_"

struct _DynoModel
{
  GObject parent_instance;

  char *id;
  char *name;
  char *task;
  char *licence; /* NULL where its config does not tell */
  char *source;  /* likewise */
  char *path;
  JsonObject *config;
  char *weights_folder;       /* NULL for random weights, and where they are the file's own */
  DynoCheckpoint *checkpoint; /* NULL until it was opened in this process */
  const DynoArchitecture *architecture;
  const char *precision; /* of our own table; NULL of a file, which is in real_type */
  gboolean is_fused;
  DynoDataType real_type;
  DynoModelDescription *description;
  GMutex mutex;
  GArray *locks;
};

enum
{
  PROP_0,
  PROP_ID,
  PROP_NAME,
  PROP_FAMILY,
  PROP_ARCHITECTURE,
  PROP_TASK,
  PROP_PARAMETER_COUNT,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoModel, dyno_model, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_model_finalize (GObject *object)
{
  DynoModel *self = DYNO_MODEL (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->task);
  g_free (self->licence);
  g_free (self->source);
  g_free (self->path);
  g_clear_pointer (&self->config, json_object_unref);
  g_free (self->weights_folder);
  g_clear_pointer (&self->checkpoint, dyno_checkpoint_unref);
  g_clear_pointer (&self->description, dyno_model_description_free);
  for (guint i = 0; i < self->locks->len; i++)
    close (g_array_index (self->locks, int, i));
  g_array_unref (self->locks);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (dyno_model_parent_class)->finalize (object);
}

static void
dyno_model_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoModel *self = DYNO_MODEL (object);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, self->id);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_FAMILY:
      g_value_set_string (value, dyno_model_get_family (self));
      break;
    case PROP_ARCHITECTURE:
      g_value_set_string (value, dyno_model_get_architecture (self));
      break;
    case PROP_TASK:
      g_value_set_string (value, self->task);
      break;
    case PROP_PARAMETER_COUNT:
      g_value_set_int64 (value, dyno_model_get_parameter_count (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_model_class_init (DynoModelClass *klass)
{
  static const char *const names[N_PROPS] = { NULL, "id", "name", "family", "architecture", "task" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = dyno_model_finalize;
  object_class->get_property = dyno_model_get_property;

  for (guint id = PROP_ID; id <= PROP_TASK; id++)
    properties[id] =
        g_param_spec_string (names[id], NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_PARAMETER_COUNT] = g_param_spec_int64 ("parameter-count", NULL, NULL, 0, G_MAXINT64, 0,
                                                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_model_init (DynoModel *self)
{
  g_mutex_init (&self->mutex);
  self->locks = g_array_new (FALSE, FALSE, sizeof (int));
  self->precision = dyno_precision_list ()[0];
}

static GPtrArray *
build_graphs (DynoModel *self, DynoBinding *binding, GError **error)
{
  g_autoptr (DynoConfig) config = dyno_config_new (self->config);

  return dyno_architecture_build (self->architecture, config, binding, self->precision, self->is_fused,
                                  error);
}

static const char *
get_string (JsonObject *object, const char *name, const char *fallback)
{
  JsonNode *node = json_object_get_member (object, name);
  const char *string = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;

  return string != NULL ? string : fallback;
}

/* Whether the files beside a config hold the weights that it asks for. */
static gboolean
bind_weights (DynoModel *self, GPtrArray *graphs, GPtrArray *lacking, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->weights_folder == NULL)
    return TRUE;
  if (self->checkpoint == NULL)
    self->checkpoint = dyno_checkpoint_open (self->weights_folder, error);
  for (guint i = 0; self->checkpoint != NULL && i < graphs->len; i++)
    if (!dyno_checkpoint_bind (self->checkpoint, self->architecture->naming, graphs->pdata[i], lacking,
                               error))
      return FALSE;
  return self->checkpoint != NULL;
}

static void
describe_weights (DynoModelDescription *self, GPtrArray *files, GPtrArray *lacking)
{
  for (guint i = 0; i < files->len; i++)
    g_hash_table_add (self->external_files, g_strdup (files->pdata[i]));
  for (guint i = 0; i < lacking->len; i++)
    if (!g_ptr_array_find_with_equal_func (self->lacking, lacking->pdata[i], g_str_equal, NULL))
      g_ptr_array_add (self->lacking, g_strdup (lacking->pdata[i]));
}

/* Nothing is read yet of weights that are there. */
static gboolean
describe (DynoModel *self, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) lacking = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) graphs = build_graphs (self, NULL, error);

  if (graphs == NULL)
    return FALSE;
  if (folder != NULL && dyno_checkpoint_exists (folder))
    self->weights_folder = g_strdup (folder);
  if (!bind_weights (self, graphs, lacking, error))
    return FALSE;
  self->description = self->architecture->stages != NULL
                          ? dyno_stages_describe (self->architecture->stages, graphs, error)
                          : dyno_graph_describe (graphs->pdata[0]);
  if (self->description != NULL && self->checkpoint != NULL)
    describe_weights (self->description, dyno_checkpoint_list_files (self->checkpoint), lacking);
  return self->description != NULL;
}

/* A bundled model wraps its config in an object that names it; a config of Hugging Face stands by itself. */
static DynoModel *
load_object (const char *spec, const char *path, JsonObject *object, GError **error)
{
  g_autoptr (DynoModel) self = g_object_new (DYNO_TYPE_MODEL, NULL);
  JsonNode *node = json_object_get_member (object, "config");
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  g_autoptr (JsonObject) whole = NULL;
  g_autoptr (DynoConfig) config = NULL;

  if (path != NULL && g_str_has_suffix (path, G_DIR_SEPARATOR_S DYNO_PIPELINE_FILE))
    {
      whole = dyno_pipeline_load (spec, folder, object, error);
      if (whole == NULL)
        return NULL;
      object = whole;
    }
  self->config =
      json_object_ref (node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : object);
  config = dyno_config_new (self->config);
  self->architecture = dyno_architecture_find (config, error);
  if (self->architecture == NULL)
    {
      g_prefix_error (error, "“%s”: ", spec);
      return NULL;
    }
  self->id = g_strdup (get_string (object, "id", spec));
  self->name = g_strdup (get_string (object, "name", get_string (object, "_name_or_path", self->id)));
  self->task = g_strdup (get_string (object, "task", self->architecture->task));
  self->licence = g_strdup (get_string (object, "licence", NULL));
  self->source = g_strdup (get_string (object, "source", NULL));
  if (!describe (self, folder, error))
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
  g_autoptr (GError) local_error = NULL;
  JsonNode *root = NULL;

  if (size > 0 && dyno_json_text_is_shallow (text, (gsize)size) &&
      json_parser_load_from_data (parser, text, size, &local_error))
    root = json_parser_get_root (parser);
  if (local_error == NULL && root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    return load_object (spec, path, json_node_get_object (root), error);
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

static void
strip_suffix (char *name, const char *suffix)
{
  if (g_str_has_suffix (name, suffix))
    name[strlen (name) - strlen (suffix)] = '\0';
}

/**
 * dyno_model_dup_short_name:
 * @spec: what [func@Dyno.Model.load] takes
 *
 * What a model is called where there is little room, without reading it. Many exporters call every file
 * “model.onnx”, and every configuration is a “config.json”: the folder says more then.
 *
 * Returns: (transfer full): the id of a bundled model, else the stem of the file or the name of its folder
 */
char *
dyno_model_dup_short_name (const char *spec)
{
  g_autofree char *name = g_path_get_basename (spec);
  g_autofree char *path = g_canonicalize_filename (spec, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  strip_suffix (name, ".onnx");
  strip_suffix (name, ".json");
  if (g_str_equal (name, "model") || g_str_equal (name, "config"))
    return g_path_get_basename (folder);
  return g_steal_pointer (&name);
}

/* Takes the description. */
static DynoModel *
create_of_file (const char *spec, DynoModelDescription *description)
{
  DynoModel *self = g_object_new (DYNO_TYPE_MODEL, NULL);

  self->id = g_strdup (spec);
  self->task = g_strdup ("");
  self->path = g_canonicalize_filename (spec, NULL);
  self->name = dyno_model_dup_short_name (self->path);
  self->precision = NULL;
  self->real_type = description->real_type;
  self->description = description;
  return self;
}

static DynoModel *
load_onnx_file (const char *spec, GError **error)
{
  DynoModelDescription *description = dyno_onnx_file_describe (spec, error);

  return description != NULL ? create_of_file (spec, description) : NULL;
}

static DynoModel *
load_config_of_folder (const char *spec, const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *index = g_build_filename (folder, DYNO_PIPELINE_FILE, NULL);

  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return load_json_file (spec, path, error);
  if (g_file_test (index, G_FILE_TEST_IS_REGULAR))
    return load_json_file (spec, index, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("The folder “%s” holds no config.json. Name a folder with one, or an ONNX file."), folder);
  return NULL;
}

static gboolean
is_path (const char *spec)
{
  return g_path_is_absolute (spec) || *spec == '.' || g_str_has_suffix (spec, ".onnx") ||
         g_str_has_suffix (spec, ".json") || g_file_test (spec, G_FILE_TEST_EXISTS);
}

/**
 * dyno_model_find_fetched:
 * @spec: what to give [func@Dyno.Model.load]
 *
 * Returns: (transfer full) (nullable) (type filename): its folder, if it names a model that was fetched from the hub,
 *   and no file
 */
char *
dyno_model_find_fetched (const char *spec)
{
  return is_path (spec) ? NULL : dyno_hub_cache_find (spec, "main");
}

/* A bundled id wins over a file of the same name, which `./name` reaches, but not over what was fetched under the very
 * name that it has on the hub, `owner/name`. */
static GBytes *
lookup_bundled (const char *spec, GError **error)
{
  gboolean is_plain = !g_path_is_absolute (spec) && *spec != '.';
  g_autofree char *fetched = strchr (spec, '/') != NULL ? dyno_model_find_fetched (spec) : NULL;

  return is_plain && fetched == NULL ? dyno_model_library_lookup (spec, error) : NULL;
}

/**
 * dyno_model_is_bundled:
 * @spec: what to give [func@Dyno.Model.load]
 *
 * Returns: whether it names a model that comes with Dyno, and no file that may be a stranger's
 */
gboolean
dyno_model_is_bundled (const char *spec)
{
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (spec != NULL, FALSE);

  bytes = lookup_bundled (spec, NULL);
  return bytes != NULL;
}

/**
 * dyno_model_load:
 * @spec: the id of a bundled model or of one fetched from the hub, or the path of an ONNX file, of a `config.json`, or of
 *   a folder with one
 * @error: return location
 *
 * Reads what describes the model, in milliseconds; no weights are read or made. Where trained weights lie beside a config
 * (`model.safetensors`), the model is the real one, else its weights are drawn at random. A bundled id wins over a file
 * of the same name, which `./name` reaches. Files may be a stranger's, so only workers call this for them; everything
 * else calls [func@Dyno.model_reader_load].
 *
 * Returns: (transfer full): the model
 */
DynoModel *
dyno_model_load (const char *spec, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *fetched = NULL;

  g_return_val_if_fail (spec != NULL, NULL);

  bytes = lookup_bundled (spec, &local_error);
  if (bytes != NULL)
    return load_json (spec, NULL, g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes), error);
  fetched = dyno_model_find_fetched (spec);
  if (fetched != NULL)
    return load_config_of_folder (spec, fetched, error);
  if (!is_path (spec))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  if (g_file_test (spec, G_FILE_TEST_IS_DIR))
    return load_config_of_folder (spec, spec, error);
  if (g_str_has_suffix (spec, ".json"))
    return load_json_file (spec, spec, error);
  return load_onnx_file (spec, error);
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
  JsonArray *array = json_object_get_array_member (object, name);

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_ptr_array_add (texts, g_strdup (json_array_get_string_element (array, i)));
  return texts;
}

static GPtrArray *
list_external_files (DynoModel *self)
{
  GPtrArray *files = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->description->external_files);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (files, name);
  return files;
}

static JsonObject *
weights_to_json (DynoModel *self)
{
  g_autoptr (GPtrArray) files = list_external_files (self);
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "folder", self->weights_folder);
  json_object_set_array_member (object, "files", texts_to_json (files));
  json_object_set_array_member (object, "lacking", texts_to_json (self->description->lacking));
  return object;
}

static void
restore_weights (DynoModel *self, JsonObject *object)
{
  g_autoptr (GPtrArray) files = dup_texts (object, "files");
  g_autoptr (GPtrArray) lacking = dup_texts (object, "lacking");

  self->weights_folder = g_strdup (json_object_get_string_member (object, "folder"));
  describe_weights (self->description, files, lacking);
}

/**
 * dyno_model_to_json:
 * @self: a model, as loaded
 *
 * Returns: (transfer full): what [ctor@Dyno.Model.new_from_json] makes the same model of, without reading any file
 */
JsonObject *
dyno_model_to_json (DynoModel *self)
{
  JsonObject *object = json_object_new ();

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (self->path != NULL)
    {
      json_object_set_object_member (object, "onnx", dyno_model_description_to_json (self->description));
      return object;
    }
  json_object_set_string_member (object, "id", self->id);
  json_object_set_string_member (object, "name", self->name);
  json_object_set_string_member (object, "task", self->task);
  json_object_set_object_member (object, "config", json_object_ref (self->config));
  if (self->weights_folder != NULL)
    json_object_set_object_member (object, "weights", weights_to_json (self));
  return object;
}

/**
 * dyno_model_new_from_json:
 * @spec: what the model was loaded from
 * @object: from [method@Dyno.Model.to_json]
 * @error: return location
 *
 * Returns: (transfer full): the model
 */
DynoModel *
dyno_model_new_from_json (const char *spec, JsonObject *object, GError **error)
{
  DynoModel *self;

  g_return_val_if_fail (spec != NULL && object != NULL, NULL);

  if (json_object_has_member (object, "onnx"))
    return create_of_file (
        spec, dyno_model_description_new_from_json (json_object_get_object_member (object, "onnx")));
  self = load_object (spec, NULL, object, error);
  if (self != NULL && json_object_has_member (object, "weights"))
    restore_weights (self, json_object_get_object_member (object, "weights"));
  return self;
}

/**
 * dyno_model_list_external_files:
 * @self: a model
 *
 * Returns: (transfer container) (element-type utf8): the files that hold weights beside the model's own, relative to its
 *   folder
 */
GList *
dyno_model_list_external_files (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return g_hash_table_get_keys (self->description->external_files);
}

static DynoModel *
copy_in (DynoModel *self, const char *precision, gboolean is_fused, GError **error)
{
  g_autoptr (DynoModel) copy = g_object_new (DYNO_TYPE_MODEL, NULL);
  g_autoptr (GPtrArray) files = list_external_files (self);

  copy->config = json_object_ref (self->config);
  copy->architecture = self->architecture;
  copy->id = g_strdup (self->id);
  copy->name = g_strdup (self->name);
  copy->task = g_strdup (self->task);
  copy->licence = g_strdup (self->licence);
  copy->source = g_strdup (self->source);
  copy->precision = g_intern_string (precision);
  copy->is_fused = is_fused;
  if (!describe (copy, NULL, error))
    return NULL;
  describe_weights (copy->description, files, self->description->lacking);
  copy->weights_folder = g_strdup (self->weights_folder);
  copy->checkpoint = self->checkpoint != NULL ? dyno_checkpoint_ref (self->checkpoint) : NULL;
  return g_steal_pointer (&copy);
}

/**
 * dyno_model_in_precision:
 * @self: a model
 * @precision: what to compute in
 * @error: return location, as of [method@Dyno.Model.check_precision]
 *
 * As loaded, a model is in `fp32`. In another precision it has other inputs, outputs, weights and needs, and the same
 * parameters. An ONNX file is what it is.
 *
 * Returns: (transfer full): the model in that precision
 */
DynoModel *
dyno_model_in_precision (DynoModel *self, const char *precision, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (precision != NULL, NULL);

  if (!dyno_model_check_precision (self, precision, error))
    return NULL;
  return self->path != NULL || g_str_equal (precision, self->precision)
             ? g_object_ref (self)
             : copy_in (self, precision, self->is_fused, error);
}

static gboolean
has_fused_attention (DynoModel *self)
{
  return g_hash_table_contains (self->description->operators, DYNO_NODE_CONTRIB ".GroupQueryAttention") ||
         g_hash_table_contains (self->description->operators, DYNO_NODE_CONTRIB ".MultiHeadAttention");
}

/**
 * dyno_model_with_attention:
 * @self: a model
 * @attention: `decomposed`, into products and a softmax, or `fused`, in one operator of ONNX Runtime's; where there is a
 *   cache, padding can only stand behind the tokens then
 * @error: return location, %DYNO_ERROR_UNSUPPORTED where nothing of it can be fused
 *
 * As loaded, attention is decomposed. An ONNX file is what it is.
 *
 * Returns: (transfer full): the model with such attention, and otherwise the same
 */
DynoModel *
dyno_model_with_attention (DynoModel *self, const char *attention, GError **error)
{
  gboolean is_fused;
  g_autoptr (DynoModel) copy = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (attention != NULL, NULL);

  is_fused = g_str_equal (attention, "fused");
  if (is_fused == self->is_fused)
    return g_object_ref (self);
  if (self->path != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("“%s” is an ONNX file and is measured as it is. Leave out the option “attention”."),
                 self->name);
  else
    copy = copy_in (self, self->precision, is_fused, error);
  if (copy == NULL || !is_fused || has_fused_attention (copy))
    return g_steal_pointer (&copy);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("“%s” has no attention that could be fused. Leave out the option “attention”."),
               self->name);
  return NULL;
}

/**
 * dyno_model_get_id:
 * @self: a model
 *
 * Returns: (transfer none): what to give [func@Dyno.Model.load] to have it again
 */
const char *
dyno_model_get_id (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->id;
}

const char *
dyno_model_get_name (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->name;
}

static const DynoFamily *
get_family (DynoModel *self)
{
  return self->architecture != NULL ? self->architecture->family : &dyno_onnx_family;
}

/**
 * dyno_model_get_family:
 * @self: a model
 *
 * Returns: (transfer none): `encoder`, `decoder`, `vision` …, or `onnx` for a file
 */
const char *
dyno_model_get_family (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return get_family (self)->id;
}

/**
 * dyno_model_get_family_label:
 * @self: a model
 *
 * Returns: (transfer none): the family in the user's language
 */
const char *
dyno_model_get_family_label (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return _ (get_family (self)->label);
}

/**
 * dyno_model_get_architecture:
 * @self: a model
 *
 * Returns: (transfer none): the config's model type, such as `bert`, or `onnx` for a file
 */
const char *
dyno_model_get_architecture (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->architecture != NULL ? self->architecture->model_type : "onnx";
}

/**
 * dyno_model_get_task:
 * @self: a model
 *
 * Returns: (transfer none): what it does in Hugging Face's words, empty when not known
 */
const char *
dyno_model_get_task (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->task;
}

/**
 * dyno_model_get_licence:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): under what its trained weights are published, %NULL where that is not known
 */
const char *
dyno_model_get_licence (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->licence;
}

/**
 * dyno_model_get_source:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): the id on the hub that a bundled config is from, %NULL of any other model
 */
const char *
dyno_model_get_source (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->source;
}

/**
 * dyno_model_get_parameter_count:
 * @self: a model
 *
 * Returns: its trainable numbers, tied ones counted once
 */
gint64
dyno_model_get_parameter_count (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return self->description->parameter_count;
}

/**
 * dyno_model_get_weight_bytes:
 * @self: a model
 *
 * Returns: the bytes of all its weights, trainable or not
 */
gint64
dyno_model_get_weight_bytes (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return self->description->weight_bytes;
}

/**
 * dyno_model_get_weights_origin:
 * @self: a model
 *
 * Returns: (transfer none): `trained` where its weights are read from files beside its config, `random` where Dyno draws
 *   them, `file` where an ONNX file has its own
 */
const char *
dyno_model_get_weights_origin (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (self->path != NULL)
    return "file";
  return self->weights_folder != NULL ? "trained" : "random";
}

/**
 * dyno_model_list_random_weights:
 * @self: a model with trained weights
 *
 * Returns: (transfer none) (element-type utf8): those that its files lack, and that are random therefore
 */
GPtrArray *
dyno_model_list_random_weights (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->description->lacking;
}

/**
 * dyno_model_get_inputs:
 * @self: a model
 *
 * Returns: (transfer none) (element-type DynoTensorInfo): what it takes
 */
GPtrArray *
dyno_model_get_inputs (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->description->inputs;
}

/**
 * dyno_model_get_outputs:
 * @self: a model
 *
 * Returns: (transfer none) (element-type DynoTensorInfo): what it gives
 */
GPtrArray *
dyno_model_get_outputs (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->description->outputs;
}

/**
 * dyno_model_has_batch:
 * @self: a model
 *
 * Returns: whether its batch size is free
 */
gboolean
dyno_model_has_batch (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  return dyno_binding_has_kind (self->description->inputs, DYNO_DIMENSION_BATCH);
}

/**
 * dyno_model_has_sequence:
 * @self: a model
 *
 * Returns: whether its sequence length is free
 */
gboolean
dyno_model_has_sequence (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  return dyno_binding_has_kind (self->description->inputs, DYNO_DIMENSION_SEQUENCE);
}

/**
 * dyno_model_has_cache:
 * @self: a model
 *
 * Returns: whether it takes what was left of tokens before, keys and values or a state: a decoder that can go on
 */
gboolean
dyno_model_has_cache (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);

  for (guint i = 0; i < self->description->inputs->len; i++)
    if (dyno_tensor_info_is_cache (self->description->inputs->pdata[i]))
      return TRUE;
  return FALSE;
}

/**
 * dyno_model_get_max_sequence_length:
 * @self: a model
 *
 * Returns: the most tokens of one item, past ones included; 0 when the model does not say
 */
guint
dyno_model_get_max_sequence_length (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return self->description->max_sequence_length;
}

/**
 * dyno_model_get_usual_sequence_length:
 * @self: a model
 *
 * Returns: how many tokens an item has where nobody chose: %DYNO_MODEL_USUAL_LENGTH, and those of a picture where a
 *   text has one, or as many as the model takes
 */
guint
dyno_model_get_usual_sequence_length (DynoModel *self)
{
  guint longest = dyno_model_get_max_sequence_length (self);

  guint usual = DYNO_MODEL_USUAL_LENGTH + self->description->n_picture_tokens;

  return longest > 0 ? MIN (longest, usual) : usual;
}

/**
 * dyno_model_dup_operators:
 * @self: a model
 *
 * Returns: (transfer full) (array zero-terminated=1): the kinds of operators in it, each once, in alphabetical order;
 *   those that are not ONNX's own as `domain.kind`
 */
char **
dyno_model_dup_operators (DynoModel *self)
{
  g_autoptr (GList) names = NULL;
  g_autoptr (GStrvBuilder) operators = g_strv_builder_new ();

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  names = g_list_sort (g_hash_table_get_keys (self->description->operators), (GCompareFunc)strcmp);
  for (GList *l = names; l != NULL; l = l->next)
    g_strv_builder_add (operators, l->data);
  return g_strv_builder_end (operators);
}

/**
 * dyno_model_get_window_elements:
 * @self: a model
 * @node: the name of one of its nodes
 *
 * Returns: product of the sizes of the window the node slides, as pooling does; 0 when it has none
 */
gint64
dyno_model_get_window_elements (DynoModel *self, const char *node)
{
  const gint64 *elements;

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);

  elements = g_hash_table_lookup (self->description->windows, node);
  return elements != NULL ? *elements : 0;
}

static gboolean
check_length (DynoModel *self, DynoBinding *binding, GError **error)
{
  gint64 length = dyno_binding_get_kind (binding, DYNO_DIMENSION_PAST, 0) +
                  dyno_binding_get_kind (binding, DYNO_DIMENSION_SEQUENCE, 0);
  guint most = self->description->max_sequence_length;

  if (most == 0 || length <= most)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” takes at most %u tokens, not %" PRId64 ". Choose a shorter sequence."), self->name,
               most, length);
  return FALSE;
}

/* What an engine would refuse in words of its own, deep in the graph. */
static gboolean
check_least (DynoModel *self, DynoBinding *binding, GError **error)
{
  GHashTableIter iter;
  gpointer symbol, least;
  gint64 size;

  g_hash_table_iter_init (&iter, self->description->least_sizes);
  while (g_hash_table_iter_next (&iter, &symbol, &least))
    if (dyno_binding_get (binding, symbol, &size) && size < *(gint64 *)least)
      {
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     _ ("“%s” takes at least %" PRId64 " in the dimension “%s”, not %" PRId64
                        ". Choose a larger size."),
                     self->name, *(gint64 *)least, (const char *)symbol, size);
        return FALSE;
      }
  return TRUE;
}

/* A text that begins with a picture has tokens for it, and one of its own at least; what goes on with a cache has neither. */
static gboolean
check_picture (DynoModel *self, DynoBinding *binding, GError **error)
{
  gint64 length = dyno_binding_get_kind (binding, DYNO_DIMENSION_SEQUENCE, 0);
  guint n_tokens = self->description->n_picture_tokens;

  if (n_tokens == 0 || length > n_tokens || dyno_binding_get_kind (binding, DYNO_DIMENSION_PAST, 0) > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” takes at least %u tokens, of which %u are its picture, not %" PRId64
                  ". Choose a longer sequence."),
               self->name, n_tokens + 1, n_tokens, length);
  return FALSE;
}

static gboolean
check_batch (DynoModel *self, guint batch_size, const char *overrides, GError **error)
{
  if (batch_size == 1 || dyno_model_has_batch (self) || (overrides != NULL && *overrides != '\0'))
    return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      _ ("“%s” has no free dimension for a batch, so it cannot run %u items at once. Choose batch size 1, or "
         "export it with a free dimension named “batch”."),
      self->name, batch_size);
  return FALSE;
}

/**
 * dyno_model_bind:
 * @self: a model
 * @batch_size: items of a step
 * @sequence_length: tokens of an item, where the model has a sequence
 * @overrides: (nullable): `dimension=size`, several separated by commas; these win
 * @error: return location, %DYNO_ERROR_INVALID_ARGUMENT with the dimensions that still need a size
 *
 * Sizes every free dimension: by its name (a batch, a sequence, the side of an image, an empty past …), or as
 * asked.
 *
 * Returns: (transfer full): the sizes
 */
DynoBinding *
dyno_model_bind (
    DynoModel *self, guint batch_size, guint sequence_length, const char *overrides, GError **error)
{
  g_autoptr (GHashTable) binding = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (!check_batch (self, batch_size, overrides, error))
    return NULL;
  binding = dyno_binding_new (self->description->inputs, batch_size, sequence_length, overrides, error);
  if (binding == NULL || !check_length (self, binding, error) || !check_least (self, binding, error) ||
      !check_picture (self, binding, error))
    return NULL;
  return g_steal_pointer (&binding);
}

/* What is too large for any machine stays so, instead of becoming negative. */
static gint64
add_bytes (gint64 first, gint64 second)
{
  gint64 sum;

  return __builtin_add_overflow (first, second, &sum) ? G_MAXINT64 : sum;
}

static gint64
sum_bytes (GPtrArray *infos, DynoBinding *binding)
{
  gint64 bytes = 0;

  for (guint i = 0; i < infos->len; i++)
    {
      DynoShape shape;

      if (dyno_binding_get_shape (binding, infos->pdata[i], &shape))
        bytes = add_bytes (bytes, MAX (dyno_shape_bytes (&shape), 0));
    }
  return bytes;
}

static DynoGraph *
find_graph (GPtrArray *graphs, DynoTensorInfo *output)
{
  for (guint i = 0; i < graphs->len; i++)
    {
      GPtrArray *outputs = dyno_graph_get_outputs (graphs->pdata[i]);

      for (guint k = 0; k < outputs->len; k++)
        if (g_str_equal (dyno_tensor_info_get_name (outputs->pdata[k]), dyno_tensor_info_get_name (output)))
          return graphs->pdata[i];
    }
  return NULL;
}

/* Of a graph of our own every size follows from those of the inputs. */
static gboolean
get_output_shape (GPtrArray *graphs, DynoBinding *binding, DynoTensorInfo *info, DynoShape *shape)
{
  if (graphs == NULL)
    return dyno_binding_get_shape (binding, info, shape);
  *shape = *dyno_graph_get_shape (find_graph (graphs, info), dyno_tensor_info_get_name (info));
  return TRUE;
}

/* Empty where no size is known. */
static char *
describe_largest (GPtrArray *infos, GPtrArray *graphs, DynoBinding *binding)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 largest = -1;

  for (guint i = 0; i < infos->len; i++)
    {
      DynoShape shape;

      if (!get_output_shape (graphs, binding, infos->pdata[i], &shape) ||
          dyno_shape_bytes (&shape) <= largest)
        continue;
      largest = dyno_shape_bytes (&shape);
      g_string_printf (text, "%s ", dyno_tensor_info_get_name (infos->pdata[i]));
      for (guint axis = 0; axis < shape.rank; axis++)
        g_string_append_printf (text, "%" G_GINT64_FORMAT " × ", shape.dims[axis]);
      g_string_append_printf (text, "%" G_GSIZE_FORMAT " B", dyno_data_type_get_size (shape.type));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* %NULL of a file, whose shapes only a runtime knows. */
static GPtrArray *
build_sized (DynoModel *self, DynoBinding *binding)
{
  return self->architecture != NULL ? build_graphs (self, binding, NULL) : NULL;
}

/* What a step computes: for a graph of our own all values that live at once, for a file at least its outputs. */
static gint64
estimate_computed (DynoModel *self, GPtrArray *graphs, DynoBinding *binding)
{
  gint64 bytes = 0;

  if (graphs == NULL)
    return sum_bytes (self->description->outputs, binding);
  for (guint i = 0; i < graphs->len; i++)
    bytes = add_bytes (bytes, dyno_graph_get_peak_bytes (graphs->pdata[i]));
  return bytes;
}

/* Each stage has the weights it needs, also those that another one has. */
static gint64
get_loaded_bytes (DynoModel *self)
{
  return add_bytes (self->description->weight_bytes, self->description->duplicate_bytes);
}

static char *
describe_memory (gint64 weights, gint64 inputs, gint64 computed, const char *largest)
{
  g_autofree char *weights_text = g_format_size ((guint64)weights);
  g_autofree char *inputs_text = g_format_size ((guint64)inputs);
  g_autofree char *computed_text = g_format_size ((guint64)computed);

  if (*largest == '\0')
    return g_strdup_printf (_ ("%s of weights × 2 while loading + %s of inputs + %s of results at once"),
                            weights_text, inputs_text, computed_text);
  return g_strdup_printf (
      _ ("%s of weights × 2 while loading + %s of inputs + %s of results at once (largest output: %s)"),
      weights_text, inputs_text, computed_text, largest);
}

/**
 * dyno_model_estimate_memory:
 * @self: a model
 * @binding: the sizes of a case
 * @arithmetic: (out) (optional): how the number comes about, for people
 *
 * A guess from the shapes alone, for refusing a case that cannot fit: weights twice, as a runtime holds the
 * file and its own copy while it loads, inputs, and what a step computes.
 *
 * Returns: bytes
 */
gint64
dyno_model_estimate_memory (DynoModel *self, DynoBinding *binding, char **arithmetic)
{
  g_autoptr (GPtrArray) graphs = NULL;
  g_autofree char *largest = NULL;
  gint64 weights, inputs, computed;

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  g_return_val_if_fail (binding != NULL, 0);

  graphs = build_sized (self, binding);
  weights = get_loaded_bytes (self);
  inputs = sum_bytes (self->description->inputs, binding);
  computed = estimate_computed (self, graphs, binding);
  if (arithmetic != NULL)
    {
      largest = describe_largest (self->description->outputs, graphs, binding);
      *arithmetic = describe_memory (weights, inputs, computed, largest);
    }
  return add_bytes (2 * weights, add_bytes (inputs, computed));
}

/**
 * dyno_model_estimate_device_memory:
 * @self: a model
 * @binding: the sizes of a case
 * @arithmetic: (out) (optional): how the number comes about, for people
 *
 * As [method@Dyno.Model.estimate_memory], for a device with memory of its own: the file stays with the host.
 *
 * Returns: bytes
 */
gint64
dyno_model_estimate_device_memory (DynoModel *self, DynoBinding *binding, char **arithmetic)
{
  g_autoptr (GPtrArray) graphs = NULL;
  gint64 weights, rest;
  g_autofree char *weights_text = NULL;
  g_autofree char *rest_text = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  g_return_val_if_fail (binding != NULL, 0);

  weights = get_loaded_bytes (self);
  graphs = build_sized (self, binding);
  rest =
      add_bytes (sum_bytes (self->description->inputs, binding), estimate_computed (self, graphs, binding));
  if (arithmetic != NULL)
    {
      weights_text = g_format_size (weights);
      rest_text = g_format_size (rest);
      *arithmetic =
          g_strdup_printf (_ ("%s of weights + %s of inputs and results at once"), weights_text, rest_text);
    }
  return add_bytes (weights, rest);
}

/**
 * dyno_model_estimate_flops:
 * @self: a model
 * @binding: the sizes of a case
 * @flops: (out): floating-point operations of one step, as [func@Dyno.operator_cost_flops] counts them
 *
 * Returns: %FALSE for an ONNX file, whose shapes only a runtime knows
 */
gboolean
dyno_model_estimate_flops (DynoModel *self, DynoBinding *binding, gint64 *flops)
{
  g_autoptr (GPtrArray) graphs = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  g_return_val_if_fail (binding != NULL && flops != NULL, FALSE);

  *flops = 0;
  graphs = build_sized (self, binding);
  for (guint i = 0; graphs != NULL && i < graphs->len; i++)
    {
      gint64 n_times = dyno_architecture_count_times (self->architecture, i, binding), once;

      if (!dyno_graph_get_flops (graphs->pdata[i], &once) || __builtin_mul_overflow (once, n_times, &once) ||
          __builtin_add_overflow (*flops, once, flops))
        return FALSE;
    }
  return graphs != NULL;
}

/* What runs several times in a step counts as often. */
static void
add_products (GArray *products, GArray *once, gint64 n_times)
{
  for (gint64 time = 0; time < n_times; time++)
    g_array_append_vals (products, once->data, once->len);
}

/**
 * dyno_model_list_products:
 * @self: a model
 * @binding: the sizes of a case
 *
 * Returns: (transfer full) (nullable) (element-type DynoGraphProduct): its matrix products and convolutions; %NULL for an
 *   ONNX file, whose shapes only a runtime knows
 */
GArray *
dyno_model_list_products (DynoModel *self, DynoBinding *binding)
{
  g_autoptr (GArray) products = g_array_new (FALSE, FALSE, sizeof (DynoGraphProduct));
  g_autoptr (GPtrArray) graphs = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (binding != NULL, NULL);

  graphs = build_sized (self, binding);
  for (guint i = 0; graphs != NULL && i < graphs->len; i++)
    add_products (products, dyno_graph_get_products (graphs->pdata[i]),
                  dyno_architecture_count_times (self->architecture, i, binding));
  return graphs != NULL ? g_steal_pointer (&products) : NULL;
}

/* The sum covers the whole graph, so that a change of a builder needs no version of its own. */
static char *
make_key (DynoModel *self, DynoGraph *graph, const char *stage, const char *precision, guint64 seed)
{
  const char *state = self->checkpoint != NULL ? dyno_checkpoint_get_state (self->checkpoint) : NULL;
  g_autofree char *checksum = dyno_onnx_writer_get_checksum (graph, seed, state);

  return g_strdup_printf ("%s%s%s-%s-%.32s", self->architecture->model_type, stage != NULL ? "." : "",
                          stage != NULL ? stage : "", precision, checksum);
}

/* Finds what is made in the cache, or makes it, and keeps it there. */
static char *
keep (DynoModel *self, const char *key, gint64 size, DynoModelCacheFill fill, gpointer data, GError **error)
{
  int lock = -1;
  char *folder = dyno_model_cache_get (key, size, fill, data, &lock, error);

  if (folder == NULL)
    return NULL;
  g_mutex_lock (&self->mutex);
  g_array_append_val (self->locks, lock);
  g_mutex_unlock (&self->mutex);
  return folder;
}

typedef struct
{
  DynoGraph *graph;
  guint64 seed;
  GCancellable *cancellable;
} Preparation;

static gboolean
write_model (const char *folder, gpointer data, GError **error)
{
  const Preparation *self = data;

  return dyno_onnx_writer_write (self->graph, folder, self->seed, self->cancellable, error);
}

/* @precision is the model's own. Returns the folder. */
static char *
prepare_graph (DynoModel *self,
               DynoGraph *graph,
               const char *stage,
               guint64 seed,
               GCancellable *cancellable,
               GError **error)
{
  Preparation preparation = { graph, seed, cancellable };
  g_autofree char *key = make_key (self, graph, stage, self->precision, seed);

  return keep (self, key, dyno_onnx_writer_get_size (graph), write_model, &preparation, error);
}

/* Puts the hash of all trained weights beside the manifest, if there are any. */
static gboolean
write_hash (const DynoManifest *manifest, const char *folder, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *path = g_build_filename (folder, DYNO_ONNX_WRITER_HASH, NULL);
  gboolean is_read = FALSE;

  for (guint i = 0; i < manifest->stages->len; i++)
    {
      const DynoManifestStage *stage = manifest->stages->pdata[i];
      g_autofree char *file = g_canonicalize_filename (stage->file, folder);
      g_autofree char *place = g_path_get_dirname (file);
      g_autofree char *beside = g_build_filename (place, DYNO_ONNX_WRITER_HASH, NULL);
      g_autofree char *hash = NULL;

      if (!g_file_get_contents (beside, &hash, NULL, NULL))
        continue;
      g_checksum_update (checksum, (const guchar *)hash, -1);
      is_read = TRUE;
    }
  return !is_read || g_file_set_contents (path, g_checksum_get_string (checksum), -1, error);
}

static gboolean
write_manifest (const char *folder, gpointer data, GError **error)
{
  return dyno_manifest_write (data, folder, error) && write_hash (data, folder, error);
}

/* Relative to where the manifest will be: the cache can be moved. */
static char *
dup_stage_path (const char *folder)
{
  g_autofree char *name = g_path_get_basename (folder);

  return g_build_filename ("..", name, DYNO_ONNX_WRITER_FILE, NULL);
}

/* Takes the files of the manifest's stages to be named. */
static char *
keep_manifest (DynoModel *self, DynoManifest *manifest, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *key = NULL;
  g_autofree char *folder = NULL;

  for (guint i = 0; i < manifest->stages->len; i++)
    g_checksum_update (checksum, (const guchar *)((DynoManifestStage *)manifest->stages->pdata[i])->file, -1);
  key = g_strdup_printf ("%s-%s-%.32s", self->architecture->model_type, self->precision,
                         g_checksum_get_string (checksum));
  folder = keep (self, key, 0, write_manifest, manifest, error);
  return folder != NULL ? g_build_filename (folder, DYNO_MANIFEST_FILE, NULL) : NULL;
}

static char *
prepare_stages (DynoModel *self, GPtrArray *graphs, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_autoptr (DynoManifest) manifest = dyno_stages_link (self->architecture->stages, graphs, error);

  for (guint i = 0; manifest != NULL && i < graphs->len; i++)
    {
      DynoManifestStage *stage = manifest->stages->pdata[i];
      g_autofree char *folder = prepare_graph (self, graphs->pdata[i], stage->name, seed, cancellable, error);

      if (folder == NULL)
        return NULL;
      g_free (stage->file);
      stage->file = dup_stage_path (folder);
    }
  return manifest != NULL ? keep_manifest (self, manifest, error) : NULL;
}

static char *
prepare_graphs (DynoModel *self, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) graphs = build_graphs (self, NULL, error);
  g_autofree char *folder = NULL;

  if (graphs == NULL || !bind_weights (self, graphs, NULL, error))
    return NULL;
  if (self->architecture->stages != NULL)
    return prepare_stages (self, graphs, seed, cancellable, error);
  folder = prepare_graph (self, graphs->pdata[0], NULL, seed, cancellable, error);
  return folder != NULL ? g_build_filename (folder, DYNO_ONNX_WRITER_FILE, NULL) : NULL;
}

/* A file is measured as it is, so it cannot be asked for anything else; the usual precision asks for nothing, and
 * engines without half precision do compute in it. What it is in can be told only as far as its weights tell. */
static gboolean
check_file_precision (DynoModel *self, const char *precision, GError **error)
{
  const char *own = dyno_precision_from_type (self->real_type);

  if (own == NULL || g_str_equal (precision, own) || g_str_equal (precision, dyno_precision_list ()[0]) ||
      dyno_precision_get_type (precision) == DYNO_DATA_TYPE_UNDEFINED)
    return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      _ ("“%s” is an ONNX file with %s weights and is measured as it is. Choose %s, or convert it to %s."),
      self->name, own, own, precision);
  return FALSE;
}

/**
 * dyno_model_check_precision:
 * @self: a model
 * @precision: what to compute in
 * @error: return location, %DYNO_ERROR_UNSUPPORTED
 *
 * Returns: whether there can be a file of the model in that precision; an ONNX file stays in its own
 */
gboolean
dyno_model_check_precision (DynoModel *self, const char *precision, GError **error)
{
  g_autofree char *known = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  g_return_val_if_fail (precision != NULL, FALSE);

  if (self->path != NULL)
    return check_file_precision (self, precision, error);
  if (dyno_precision_can_build (precision))
    return TRUE;
  known = g_strjoinv (", ", (char **)dyno_precision_list ());
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("Dyno cannot build “%s” with the precision %s. It can build: %s."), self->name, precision,
               known);
  return FALSE;
}

static gboolean
check_own_precision (DynoModel *self, const char *precision, GError **error)
{
  if (!dyno_model_check_precision (self, precision, error))
    return FALSE;
  if (self->path != NULL || g_str_equal (precision, self->precision))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” is in %s here, with inputs and sizes to suit, so it cannot be written in %s."),
               self->name, self->precision, precision);
  return FALSE;
}

/**
 * dyno_model_prepare:
 * @self: a model
 * @precision: the model's own, see [method@Dyno.Model.in_precision]
 * @seed: seed of random weights, which are drawn alike in every precision and rounded to it; trained ones are rounded too
 * @cancellable: (nullable): stops the making of weights
 * @error: return location
 *
 * Makes the file that an engine opens, or finds it in the cache; an ONNX file is its own. Takes as long as
 * writing the weights: call it in a thread. The file stays as long as the model does.
 *
 * Returns: (transfer full): the path of an ONNX file, or of a [struct@Dyno.Manifest] where the model has several graphs
 */
char *
dyno_model_prepare (
    DynoModel *self, const char *precision, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (precision != NULL, NULL);

  if (!check_own_precision (self, precision, error))
    return NULL;
  return self->path != NULL ? g_strdup (self->path) : prepare_graphs (self, seed, cancellable, error);
}

/**
 * dyno_model_dup_stages:
 * @self: a model
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the graphs of a model of several, in the order in which
 *   they run; none of a model that is a single graph
 */
char **
dyno_model_dup_stages (DynoModel *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const DynoStage *stage;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  stage = self->architecture != NULL ? self->architecture->stages : NULL;
  for (; stage != NULL && stage->name != NULL; stage++)
    g_strv_builder_add (names, stage->name);
  return g_strv_builder_end (names);
}

/**
 * dyno_model_dup_export_paths:
 * @self: a model
 * @path: (type filename): where it is to be written
 *
 * Returns: (transfer full) (array zero-terminated=1) (type filename): @path, or of a model of several graphs a path beside it
 *   for each: `NAME.encoder.onnx`
 */
char **
dyno_model_dup_export_paths (DynoModel *self, const char *path)
{
  g_auto (GStrv) stages = dyno_model_dup_stages (self);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_autofree char *stem = g_strdup (path);

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  strip_suffix (stem, ".onnx");
  if (*stages == NULL)
    g_strv_builder_add (paths, path);
  for (char **stage = stages; *stage != NULL; stage++)
    {
      g_autofree char *own = g_strdup_printf ("%s.%s.onnx", stem, *stage);

      g_strv_builder_add (paths, own);
    }
  return g_strv_builder_end (paths);
}

/**
 * dyno_model_export:
 * @self: a model in the precision to write, see [method@Dyno.Model.in_precision]
 * @seed: seed of random weights
 * @path: where to write it, in place of what is there
 * @error: return location, %DYNO_ERROR_UNSUPPORTED for an ONNX file
 *
 * Writes the very files that engines open, for other programs, to [method@Dyno.Model.dup_export_paths]; over 2 GB the
 * weights go beside each, to `path.data`.
 *
 * Returns: whether all is written
 */
gboolean
dyno_model_export (DynoModel *self, guint64 seed, const char *path, GError **error)
{
  g_autoptr (GPtrArray) graphs = NULL;
  g_auto (GStrv) paths = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (self->path != NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("“%s” is an ONNX file already. Copy it, with the files of weights beside it."),
                   self->name);
      return FALSE;
    }
  graphs = build_graphs (self, NULL, error);
  paths = dyno_model_dup_export_paths (self, path);
  if (graphs == NULL || !bind_weights (self, graphs, NULL, error))
    return FALSE;
  for (guint i = 0; i < graphs->len; i++)
    if (!dyno_onnx_export (graphs->pdata[i], paths[i], seed, error))
      return FALSE;
  return TRUE;
}

/**
 * dyno_model_create_inputs:
 * @self: a model
 * @binding: the sizes of a case
 * @seed: another seed gives other values
 * @error: return location
 *
 * Makes valid values for every input: token ids below the vocabulary, masks of ones, positions in order, images
 * and sounds as noise of mean 0 and deviation 1.
 *
 * Returns: (transfer full) (element-type DynoTensor): one tensor for each input, in order
 */
GPtrArray *
dyno_model_create_inputs (DynoModel *self, DynoBinding *binding, guint64 seed, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (binding != NULL, NULL);

  return dyno_inputs_create (self->description, binding, TRUE, seed, error);
}

static char *
override_past (DynoModel *self, guint past_length)
{
  g_autoptr (GPtrArray) names = dyno_binding_list_names (self->description->inputs);
  GString *overrides = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    if (dyno_dimension_kind (names->pdata[i]) == DYNO_DIMENSION_PAST)
      g_string_append_printf (overrides, "%s=%u,", (const char *)names->pdata[i], past_length);
  return g_string_free (overrides, FALSE);
}

/**
 * dyno_model_get_cache_bytes:
 * @self: a model with a cache
 * @batch_size: items of a step
 * @n_positions: how many tokens have been seen
 *
 * Keys and values grow with every token, up to the window of their layer; a state stays as large as it is.
 *
 * Returns: the bytes of all that is carried from step to step
 */
gint64
dyno_model_get_cache_bytes (DynoModel *self, guint batch_size, guint n_positions)
{
  g_autofree char *overrides = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GPtrArray) caches = g_ptr_array_new ();

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);

  for (guint i = 0; i < self->description->inputs->len; i++)
    if (dyno_tensor_info_is_cache (self->description->inputs->pdata[i]))
      g_ptr_array_add (caches, self->description->inputs->pdata[i]);
  overrides = override_past (self, n_positions);
  binding = dyno_binding_new (self->description->inputs, batch_size, 1, overrides, NULL);
  return binding != NULL ? sum_bytes (caches, binding) : 0;
}

/* Where the prompt is an encoder’s, the decoder has a sequence of its own: NULL where it has none. */
static const char *
find_answer (DynoModel *self)
{
  g_autoptr (GPtrArray) names = dyno_binding_list_names (self->description->inputs);

  for (guint i = 0; dyno_model_has_cache (self) && i < names->len; i++)
    if (g_str_has_prefix (names->pdata[i], ANSWER_PREFIX) &&
        dyno_dimension_kind (names->pdata[i]) == DYNO_DIMENSION_SEQUENCE)
      return g_intern_string (names->pdata[i]);
  return NULL;
}

/**
 * dyno_model_has_prompt:
 * @self: a model with a cache
 *
 * Returns: whether a generation begins with tokens of any number; else with what is no text, and one token of the answer
 */
gboolean
dyno_model_has_prompt (DynoModel *self)
{
  const char *answer = find_answer (self);
  g_autoptr (GPtrArray) names = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);

  names = dyno_binding_list_names (self->description->inputs);
  for (guint i = 0; i < names->len; i++)
    if (g_strcmp0 (names->pdata[i], answer) != 0 &&
        dyno_dimension_kind (names->pdata[i]) == DYNO_DIMENSION_SEQUENCE)
      return TRUE;
  return FALSE;
}

/**
 * dyno_model_count_positions:
 * @self: a model with a cache
 * @prompt_length: tokens of the prompt
 * @n_generated: tokens that were generated after it, at least one
 *
 * The last token is only given out, never taken in. Where an encoder reads the prompt, the decoder begins with one token.
 *
 * Returns: of how many tokens the cache holds keys and values then
 */
guint
dyno_model_count_positions (DynoModel *self, guint prompt_length, guint n_generated)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return (guint)MIN ((guint64)(find_answer (self) != NULL ? 1 : prompt_length) + n_generated - 1, G_MAXUINT);
}

/**
 * dyno_model_bind_prompt:
 * @self: a model with a cache
 * @batch_size: items of a step
 * @prompt_length: tokens of the prompt
 * @overrides: (nullable): as of [method@Dyno.Model.bind]
 * @error: return location
 *
 * Returns: (transfer full): the sizes of the step that reads a prompt and gives the first token
 */
DynoBinding *
dyno_model_bind_prompt (
    DynoModel *self, guint batch_size, guint prompt_length, const char *overrides, GError **error)
{
  const char *answer = find_answer (self);
  g_autofree char *joined = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (answer != NULL)
    joined = g_strdup_printf ("%s,%s=1", overrides != NULL ? overrides : "", answer);
  return dyno_model_bind (self, batch_size, prompt_length, joined != NULL ? joined : overrides, error);
}

/**
 * dyno_model_create_decode_inputs:
 * @self: a model with a cache
 * @batch_size: items of a step
 * @past_length: tokens that the cache holds
 * @seed: another seed gives other values
 * @error: return location
 *
 * Makes the inputs of the step that decodes one more token; those of the cache itself are left to whoever
 * carries it from step to step.
 *
 * Returns: (transfer full) (element-type DynoTensor): one tensor for each input that is no cache, in order
 */
GPtrArray *
dyno_model_create_decode_inputs (
    DynoModel *self, guint batch_size, guint past_length, guint64 seed, GError **error)
{
  g_autofree char *overrides = NULL;
  g_autoptr (GHashTable) binding = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (dyno_model_has_cache (self), NULL);

  overrides = override_past (self, past_length);
  binding = dyno_model_bind (self, batch_size, 1, overrides, error);
  return binding != NULL ? dyno_inputs_create (self->description, binding, FALSE, seed, error) : NULL;
}
