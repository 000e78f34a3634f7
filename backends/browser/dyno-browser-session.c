/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-browser.h"
#include "dyno-browser-private.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-port.h"
#include "dyno-process-family.h"

#define ALIGNMENT 8

/* The names of the cache in exports of Hugging Face models. */
#define CACHE_INPUT_PREFIX  "past_key_values."
#define CACHE_OUTPUT_PREFIX "present."

#define CPU_PROVIDER "CPUExecutionProvider"

struct _DynoBrowserSession
{
  DynoSession parent_instance;

  const DynoBrowserTarget *target;
  DynoBrowserHost *host;
  DynoBrowserModel *model;
  DynoPort *inputs; /* the session's inputs, beside the model's */
  DynoPort *outputs;
  char *path;
  char *provider;
  double clock_resolution_ns;
  GArray *stages;
  guint threads;
  char *level;
  gboolean plain_weights;
  gboolean profiles;
  gboolean is_half;

  gboolean fixes_shapes; /* whether the engine compiles for the sizes of the first inputs */
  gboolean is_compiled;
  GHashTable *dimensions; /* sizes of free dimensions by name, as compiled */
  guint n_slots;
};

G_DEFINE_FINAL_TYPE (DynoBrowserSession, dyno_browser_session, DYNO_TYPE_SESSION)

static DynoBrowserMessage *
call (DynoBrowserSession *self, JsonBuilder *builder, GByteArray *payload, GError **error)
{
  g_autoptr (JsonNode) request = json_builder_get_root (builder);
  g_autoptr (GError) problem = NULL;
  DynoBrowserMessage *answer = dyno_browser_host_call (self->host, request, payload, &problem);

  if (answer == NULL)
    g_propagate_prefixed_error (error, g_steal_pointer (&problem), "“%s”: ", self->path);
  return answer;
}

static JsonBuilder *
begin_call (const char *name)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "call");
  json_builder_add_string_value (builder, name);
  return builder;
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_boolean (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

static gint64
read_duration_ns (DynoBrowserMessage *answer)
{
  return llround (1e6 * dyno_json_member_get_double (answer->header, "duration", 0));
}

/* Checks a tensor, and binds its dimensions if they must be known. */
static gboolean
take_input (DynoBrowserSession *self, DynoTensor *tensor, GError **error)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);
  gsize index;

  if (!dyno_port_find_input (self->inputs, self->model->inputs->len, dyno_tensor_get_name (tensor),
                             self->path, &index, error) ||
      !dyno_port_check_tensor (&self->inputs[index], tensor, self->path, error))
    return FALSE;
  for (guint axis = 0; self->fixes_shapes && axis < shape->rank; axis++)
    {
      const char *symbol = dyno_tensor_info_get_symbol (self->model->inputs->pdata[index], axis);
      const gint64 *bound = symbol != NULL ? g_hash_table_lookup (self->dimensions, symbol) : NULL;

      if (symbol == NULL || *symbol == '\0' || (bound != NULL && *bound == shape->dims[axis]))
        continue;
      if (bound != NULL)
        {
          /* Compiling again for each step would not measure it. */
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("WebNN compiles “%s” for fixed sizes, but “%s” is first %" PRId64
                          " and then %" PRId64 ". Generate no tokens, or choose the device webgpu or wasm."),
                       self->path, symbol, *bound, shape->dims[axis]);
          return FALSE;
        }
      g_hash_table_insert (self->dimensions, g_strdup (symbol),
                           g_memdup2 (&shape->dims[axis], sizeof shape->dims[axis]));
    }
  return TRUE;
}

/* Returns an empty text if the engine's log does not mention any. */
static char *
describe_refused (DynoBrowserMessage *answer)
{
  g_auto (GStrv) refused = dyno_json_member_dup_strings (answer->header, "refused");
  g_autoptr (GString) names = g_string_new (NULL);

  for (char **name = refused; *name != NULL; name++)
    g_string_append_printf (names, "%s“%s”", name > refused ? ", " : " (", *name);
  if (names->len > 0)
    g_string_append_c (names, ')');
  return g_string_free (g_steal_pointer (&names), FALSE);
}

static gboolean
check_placement (DynoBrowserSession *self, DynoBrowserMessage *answer, GError **error)
{
  g_autofree char *refused = NULL;
  JsonArray *graphs = dyno_json_member_get_array (answer->header, "devices");

  if (!g_str_equal (self->target->provider, "webnn"))
    return TRUE;
  if (graphs != NULL && json_array_get_length (graphs) > 0)
    {
      /* A browser takes the requested kind of device as a hint; if it reports its choice, that counts. */
      const char *wanted = self->target->device_type;

      for (guint i = 0; i < json_array_get_length (graphs); i++)
        {
          JsonArray *kinds = dyno_json_node_get_array (json_array_get_element (graphs, i));
          gboolean is_right = kinds == NULL && g_str_equal (wanted, "cpu");

          for (guint k = 0; kinds != NULL && k < json_array_get_length (kinds); k++)
            is_right |=
                g_strcmp0 (dyno_json_node_get_string (json_array_get_element (kinds, k)), wanted) == 0;
          if (is_right)
            continue;
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_FELL_BACK,
              kinds != NULL
                  ? _ ("The browser was asked to run “%s” on WebNN’s device “%s”, but chose another one.")
                  : _ ("The browser was asked to run “%s” on WebNN’s device “%s”, but does not report "
                       "where it runs."),
              self->path, wanted);
          return FALSE;
        }
      return TRUE;
    }
  refused = describe_refused (answer);
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      _ ("WebNN takes none of the %" PRId64
         " operators of “%s”%s: all of them would run in WebAssembly. Choose the device wasm for that."),
      dyno_json_member_get_int64 (answer->header, "nodes", 0), self->path, refused);
  return FALSE;
}

static gboolean
compile (DynoBrowserSession *self, GError **error)
{
  g_autoptr (JsonBuilder) builder = begin_call ("compile");
  g_autoptr (DynoBrowserMessage) answer = NULL;
  GHashTableIter iter;
  gpointer name, size;

  add_string (builder, "level", self->level);
  add_boolean (builder, "plainWeights", self->plain_weights);
  add_boolean (builder, "profile", self->profiles);
  json_builder_set_member_name (builder, "dimensions");
  json_builder_begin_object (builder);
  g_hash_table_iter_init (&iter, self->dimensions);
  while (g_hash_table_iter_next (&iter, &name, &size))
    add_int (builder, name, *(gint64 *)size);
  json_builder_end_object (builder);

  /* A cache that goes from step to step stays on the device; all else is copied back, as a page would do. */
  gboolean is_webgpu = g_str_equal (self->target->provider, "webgpu");

  json_builder_set_member_name (builder, "keep");
  json_builder_begin_object (builder);
  for (guint i = 0; is_webgpu && i < self->model->outputs->len; i++)
    {
      const char *output = self->outputs[i].name;
      g_autofree char *input = NULL;
      gsize index;

      if (!g_str_has_prefix (output, CACHE_OUTPUT_PREFIX))
        continue;
      input = g_strconcat (CACHE_INPUT_PREFIX, output + strlen (CACHE_OUTPUT_PREFIX), NULL);
      if (dyno_port_find_input (self->inputs, self->model->inputs->len, input, self->path, &index, NULL))
        add_string (builder, output, "gpu-buffer");
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  answer = call (self, builder, NULL, error);
  if (answer == NULL || !check_placement (self, answer, error))
    return FALSE;
  self->is_compiled = TRUE;
  dyno_load_stages_add (self->stages, "compile", read_duration_ns (answer));
  return TRUE;
}

/* Describes a tensor to the page and appends its bytes to the payload. */
static void
add_tensor (JsonBuilder *builder, GByteArray *payload, DynoTensor *tensor)
{
  static const char *const types[] = {
    [DYNO_DATA_TYPE_FLOAT] = "float32",     [DYNO_DATA_TYPE_UINT8] = "uint8",
    [DYNO_DATA_TYPE_INT8] = "int8",         [DYNO_DATA_TYPE_UINT16] = "uint16",
    [DYNO_DATA_TYPE_INT16] = "int16",       [DYNO_DATA_TYPE_INT32] = "int32",
    [DYNO_DATA_TYPE_INT64] = "int64",       [DYNO_DATA_TYPE_BOOL] = "bool",
    [DYNO_DATA_TYPE_FLOAT16] = "float16",   [DYNO_DATA_TYPE_DOUBLE] = "float64",
    [DYNO_DATA_TYPE_UINT32] = "uint32",     [DYNO_DATA_TYPE_UINT64] = "uint64",
    [DYNO_DATA_TYPE_BFLOAT16] = "bfloat16",
  };
  static const guint8 padding[ALIGNMENT];
  const DynoShape *shape = dyno_tensor_get_shape (tensor);

  json_builder_begin_object (builder);
  add_string (builder, "name", dyno_tensor_get_name (tensor));
  add_string (builder, "type", types[shape->type]);
  add_int (builder, "offset", payload->len);
  add_int (builder, "count", dyno_shape_count (shape));
  json_builder_set_member_name (builder, "dims");
  json_builder_begin_array (builder);
  for (guint i = 0; i < shape->rank; i++)
    json_builder_add_int_value (builder, shape->dims[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  g_byte_array_append (payload, dyno_tensor_get_data (tensor), (guint)dyno_tensor_get_size (tensor));
  g_byte_array_append (payload, padding, (ALIGNMENT - payload->len % ALIGNMENT) % ALIGNMENT);
}

/* Some inputs may come later, from another session. */
static gboolean
knows_shapes (DynoBrowserSession *self)
{
  for (guint i = 0; i < self->model->inputs->len; i++)
    for (guint axis = 0; axis < self->inputs[i].shape.rank; axis++)
      {
        const char *symbol = dyno_tensor_info_get_symbol (self->model->inputs->pdata[i], axis);

        if (symbol != NULL && *symbol != '\0' && !g_hash_table_contains (self->dimensions, symbol))
          return FALSE;
      }
  return TRUE;
}

static gboolean
dyno_browser_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  DynoBrowserSession *self = DYNO_BROWSER_SESSION (session);
  g_autoptr (JsonBuilder) builder = NULL;
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (DynoBrowserMessage) answer = NULL;

  g_return_val_if_fail (slot <= self->n_slots, FALSE);

  for (guint i = 0; i < tensors->len; i++)
    if (!take_input (self, tensors->pdata[i], error))
      return FALSE;
  if (!self->is_compiled && knows_shapes (self) && !compile (self, error))
    return FALSE;
  builder = begin_call ("setInputs");
  add_int (builder, "slot", slot);
  json_builder_set_member_name (builder, "tensors");
  json_builder_begin_array (builder);
  for (guint i = 0; i < tensors->len; i++)
    add_tensor (builder, payload, tensors->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  answer = call (self, builder, payload, error);
  if (answer == NULL)
    return FALSE;
  self->n_slots = MAX (self->n_slots, slot + 1);
  return TRUE;
}

static gboolean
fail_garbled (DynoBrowserSession *self, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The page in the browser sent an invalid answer for “%s”."), self->path);
  return FALSE;
}

static gboolean
dyno_browser_session_run_timed (DynoSession *session, guint n_steps, gint64 *elapsed_ns, GError **error)
{
  DynoBrowserSession *self = DYNO_BROWSER_SESSION (session);
  g_autoptr (JsonBuilder) builder = begin_call ("run");
  g_autoptr (DynoBrowserMessage) answer = NULL;

  if (self->n_slots == 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("The inputs of “%s” were given no values."), self->path);
      return FALSE;
    }
  add_int (builder, "steps", n_steps);
  json_builder_end_object (builder);
  if (!self->is_compiled && !compile (self, error))
    return FALSE;
  answer = call (self, builder, NULL, error);
  if (answer == NULL)
    return FALSE;
  if (!json_object_has_member (answer->header, "duration"))
    return fail_garbled (self, error);
  *elapsed_ns = read_duration_ns (answer);
  return TRUE;
}

static gboolean
dyno_browser_session_run (DynoSession *session, GError **error)
{
  gint64 elapsed_ns;

  return dyno_browser_session_run_timed (session, 1, &elapsed_ns, error);
}

static double
dyno_browser_session_get_clock_resolution_ns (DynoSession *session)
{
  return DYNO_BROWSER_SESSION (session)->clock_resolution_ns;
}

static gboolean
read_shape (JsonObject *object, DynoShape *shape)
{
  JsonArray *dims = dyno_json_member_get_array (object, "dims");

  shape->type = (DynoDataType)dyno_json_member_get_int64 (object, "type", 0);
  shape->rank = dims != NULL ? json_array_get_length (dims) : G_MAXUINT;
  if (shape->rank > DYNO_SHAPE_MAX_RANK || dyno_data_type_get_size (shape->type) == 0)
    return FALSE;
  for (guint i = 0; i < shape->rank; i++)
    {
      shape->dims[i] = dyno_json_node_get_int64 (json_array_get_element (dims, i), -1);
      if (shape->dims[i] < 0)
        return FALSE;
    }
  return dyno_shape_bytes (shape) >= 0;
}

static GPtrArray *
dyno_browser_session_get_outputs (DynoSession *session, GError **error)
{
  DynoBrowserSession *self = DYNO_BROWSER_SESSION (session);
  g_autoptr (JsonBuilder) builder = begin_call ("getOutputs");
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (DynoBrowserMessage) answer = NULL;
  JsonArray *described;

  json_builder_end_object (builder);
  answer = call (self, builder, NULL, error);
  if (answer == NULL)
    return NULL;
  described = dyno_json_member_get_array (answer->header, "tensors");
  for (guint i = 0; described != NULL && i < json_array_get_length (described); i++)
    {
      JsonObject *object = dyno_json_member_get_element (described, i);
      gsize size;
      const guint8 *bytes = g_bytes_get_data (answer->payload, &size);
      gint64 offset = dyno_json_member_get_int64 (object, "offset", -1);
      DynoShape shape;
      DynoTensor *tensor;
      const char *name;
      if (!read_shape (object, &shape) || offset < 0 || offset > (gint64)size ||
          dyno_shape_bytes (&shape) > (gint64)size - offset)
        {
          fail_garbled (self, error);
          return NULL;
        }
      name = dyno_json_member_get_string (object, "name");
      tensor = dyno_tensor_new (name != NULL ? name : "", &shape);
      if (dyno_tensor_get_size (tensor) > 0)
        memcpy (dyno_tensor_get_data (tensor), bytes + offset, dyno_tensor_get_size (tensor));

      g_ptr_array_add (tensors, tensor);
    }
  return g_steal_pointer (&tensors);
}

static gboolean
dyno_browser_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  DynoBrowserSession *self = DYNO_BROWSER_SESSION (session);
  g_autoptr (JsonBuilder) builder = begin_call ("carry");
  g_autoptr (DynoBrowserMessage) answer = NULL;
  gsize index;

  if (!dyno_port_find_output (self->outputs, self->model->outputs->len, output, self->path, &index, error) ||
      !dyno_port_find_input (self->inputs, self->model->inputs->len, input, self->path, &index, error))
    return FALSE;
  add_string (builder, "output", output);
  add_string (builder, "input", input);
  json_builder_end_object (builder);
  answer = call (self, builder, NULL, error);
  return answer != NULL;
}

static GPtrArray *
dyno_browser_session_end_profile (DynoSession *session, GError **error)
{
  DynoBrowserSession *self = DYNO_BROWSER_SESSION (session);
  g_autoptr (JsonBuilder) builder = begin_call ("endProfile");
  g_autoptr (DynoBrowserMessage) answer = NULL;

  if (!self->profiles)
    {
      dyno_session_set_not_recording (error);
      return NULL;
    }
  self->profiles = FALSE;
  json_builder_end_object (builder);
  answer = call (self, builder, NULL, error);
  return answer != NULL ? dyno_browser_profile_read (answer, self->provider, self->is_half, error) : NULL;
}

static const char *
dyno_browser_session_get_provider (DynoSession *session)
{
  return DYNO_BROWSER_SESSION (session)->provider;
}

static GArray *
dyno_browser_session_get_load_stages (DynoSession *session)
{
  return g_array_ref (DYNO_BROWSER_SESSION (session)->stages);
}

/* May be called while another thread waits for a step. */
static GArray *
dyno_browser_session_get_processes (DynoSession *session)
{
  return dyno_process_family_list (dyno_browser_host_get_pid (DYNO_BROWSER_SESSION (session)->host));
}

static void
dyno_browser_session_finalize (GObject *object)
{
  DynoBrowserSession *self = DYNO_BROWSER_SESSION (object);

  g_clear_object (&self->host);
  if (self->model != NULL)
    {
      dyno_port_free_array (self->inputs, self->model->inputs->len);
      dyno_port_free_array (self->outputs, self->model->outputs->len);
    }
  g_clear_pointer (&self->model, dyno_browser_model_free);
  g_clear_pointer (&self->stages, g_array_unref);
  g_clear_pointer (&self->dimensions, g_hash_table_unref);
  g_free (self->path);
  g_free (self->level);
  g_free (self->provider);

  G_OBJECT_CLASS (dyno_browser_session_parent_class)->finalize (object);
}

static void
dyno_browser_session_class_init (DynoBrowserSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_browser_session_finalize;
  session_class->set_inputs = dyno_browser_session_set_inputs;
  session_class->run = dyno_browser_session_run;
  session_class->run_timed = dyno_browser_session_run_timed;
  session_class->get_clock_resolution_ns = dyno_browser_session_get_clock_resolution_ns;
  session_class->get_outputs = dyno_browser_session_get_outputs;
  session_class->carry = dyno_browser_session_carry;
  session_class->end_profile = dyno_browser_session_end_profile;
  session_class->get_provider = dyno_browser_session_get_provider;
  session_class->get_load_stages = dyno_browser_session_get_load_stages;
  session_class->get_processes = dyno_browser_session_get_processes;
}

static void
dyno_browser_session_init (DynoBrowserSession *self)
{
  self->stages = dyno_load_stages_new ();
  self->dimensions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static gboolean
start_runtime (DynoBrowserSession *self, GError **error)
{
  g_autoptr (JsonBuilder) builder = begin_call ("start");
  g_autoptr (DynoBrowserMessage) answer = NULL;
  double resolution_ms;

  add_string (builder, "provider", self->target->provider);
  if (self->target->device_type != NULL)
    add_string (builder, "deviceType", self->target->device_type);
  add_int (builder, "threads", self->threads);
  json_builder_end_object (builder);
  answer = call (self, builder, NULL, error);
  if (answer == NULL)
    return FALSE;
  resolution_ms = dyno_json_member_get_double (answer->header, "resolution", 0);
  self->clock_resolution_ns = 1e6 * resolution_ms;
  self->provider = g_strdup (dyno_json_member_get_string (answer->header, "provider"));
  if (!(resolution_ms > 0))
    return fail_garbled (self, error);
  if (g_strcmp0 (self->provider, CPU_PROVIDER) == 0 && !g_str_equal (self->target->provider, "wasm"))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FELL_BACK,
                   _ ("ONNX Runtime Web was asked for “%s”, but runs even a single operator in WebAssembly."),
                   self->target->provider);
      return FALSE;
    }
  dyno_load_stages_add (self->stages, "runtime_start", read_duration_ns (answer));
  return TRUE;
}

static gboolean
transfer (DynoBrowserSession *self, GError **error)
{
  g_autoptr (JsonBuilder) builder = begin_call ("transfer");
  g_autoptr (DynoBrowserMessage) answer = NULL;

  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->model->files->len; i++)
    {
      g_autofree char *url = g_strdup_printf ("model/%u", i);

      json_builder_begin_object (builder);
      add_string (builder, "name", ((DynoBrowserFile *)self->model->files->pdata[i])->name);
      add_string (builder, "url", url);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  answer = call (self, builder, NULL, error);
  if (answer == NULL)
    return FALSE;
  dyno_load_stages_add (self->stages, "transfer", read_duration_ns (answer));
  return TRUE;
}

static DynoPort *
create_ports (GPtrArray *infos)
{
  DynoPort *ports = g_new0 (DynoPort, infos->len);

  for (guint i = 0; i < infos->len; i++)
    {
      DynoTensorInfo *info = infos->pdata[i];

      ports[i].name = g_strdup (dyno_tensor_info_get_name (info));
      ports[i].shape.type = dyno_tensor_info_get_data_type (info);
      ports[i].shape.rank = dyno_tensor_info_get_rank (info);
      ports[i].is_tensor = dyno_data_type_get_size (ports[i].shape.type) > 0;
      for (guint axis = 0; axis < ports[i].shape.rank; axis++)
        ports[i].shape.dims[axis] =
            dyno_tensor_info_get_symbol (info, axis) != NULL ? -1 : dyno_tensor_info_get_size (info, axis);
    }
  return ports;
}

static DynoBrowserSession *
create (const DynoBrowserTarget *target,
        const char *onnx_path,
        const DynoSessionOptions *options,
        GError **error)
{
  g_autoptr (DynoBrowserSession) self = g_object_new (DYNO_TYPE_BROWSER_SESSION, NULL);
  const char *level = dyno_session_options_get (options, "graph-optimisation");

  self->target = target;
  self->path = g_strdup (onnx_path);
  self->threads = options->threads > 0 ? options->threads : g_get_num_processors ();
  /* These are the words of ONNX Runtime Web, which differ in one case. */
  if (!options->optimise || g_strcmp0 (level, "none") == 0)
    level = "disabled";
  self->level = g_strdup (level != NULL ? level : dyno_backend_optimisations[0]);
  self->plain_weights = options->plain_weights || !options->optimise;
  self->profiles = options->profile;
  self->is_half = g_strcmp0 (options->precision, "fp16") == 0;
  self->model = dyno_browser_model_new (onnx_path, error);
  if (self->model == NULL)
    return NULL;
  self->inputs = create_ports (self->model->inputs);
  self->outputs = create_ports (self->model->outputs);
  self->fixes_shapes = g_str_equal (target->provider, "webnn") && dyno_browser_model_is_free (self->model);
  return g_steal_pointer (&self);
}

static gboolean
load (DynoBrowserSession *self, GError **error)
{
  return start_runtime (self, error) && transfer (self, error) &&
         (self->fixes_shapes || compile (self, error));
}

DynoSession *
dyno_browser_session_new (const DynoBrowserTarget *target,
                          const char *onnx_path,
                          const DynoSessionOptions *options,
                          GError **error)
{
  g_autoptr (DynoBrowserSession) self = NULL;
  g_autofree char *browser = NULL;

  g_return_val_if_fail (target != NULL, NULL);
  g_return_val_if_fail (onnx_path != NULL, NULL);
  g_return_val_if_fail (options != NULL, NULL);

  self = create (target, onnx_path, options, error);
  browser = self != NULL ? dyno_browser_survey_choose (error) : NULL;
  if (browser == NULL)
    return NULL;
  self->host = dyno_browser_host_new (browser, self->model, G_MAXINT64, error);
  if (self->host == NULL)
    return NULL;
  dyno_load_stages_add (self->stages, "browser_start", dyno_browser_host_get_browser_start_ns (self->host));
  dyno_load_stages_add (self->stages, "page_load", dyno_browser_host_get_page_load_ns (self->host));
  if (!load (self, error))
    return NULL;
  return DYNO_SESSION (g_steal_pointer (&self));
}

DynoSession *
dyno_browser_session_new_in (DynoBrowserHost *host,
                             const DynoBrowserTarget *target,
                             const char *onnx_path,
                             const DynoSessionOptions *options,
                             GError **error)
{
  g_autoptr (DynoBrowserSession) self = NULL;

  g_return_val_if_fail (DYNO_IS_BROWSER_HOST (host), NULL);

  self = create (target, onnx_path, options, error);
  if (self == NULL)
    return NULL;
  self->host = g_object_ref (host);
  dyno_browser_host_offer (host, self->model);
  return load (self, error) ? DYNO_SESSION (g_steal_pointer (&self)) : NULL;
}

DynoBrowserHost *
dyno_browser_session_get_host (DynoBrowserSession *self)
{
  return self->host;
}
