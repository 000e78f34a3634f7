/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-case.h"
#include "dyno-engine-name.h"
#include "dyno-engine-options.h"
#include "dyno-input-values.h"
#include "dyno-json.h"
#include "dyno-model.h"
#include "dyno-pinning.h"
#include "dyno-precision.h"

struct _DynoCase
{
  GObject parent_instance;

  char *texts[9];
  guint counts[DYNO_CASE_N_SIZES];
  guint64 seed;
  guint64 bytes_per_step;
  DynoMethod *method;
  double expected_seconds;
  gint64 weight_bytes;
  double work;
};

enum
{
  PROP_0,
  PROP_MODEL,
  PROP_BACKEND,
  PROP_DEVICE,
  PROP_PRECISION,
  PROP_DIMENSIONS,
  PROP_INPUTS,
  PROP_PINNING,
  PROP_OPTIONS,
  PROP_LOAD,
  PROP_BATCH_SIZE,
  PROP_SEQUENCE_LENGTH,
  PROP_THREADS,
  PROP_GENERATE_TOKENS,
  PROP_IMAGES,
  PROP_SEED,
  PROP_BYTES_PER_STEP,
  PROP_METHOD,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoCase, dyno_case, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

/* More than any model generates at once, and more than any prompt has. */
#define MAX_GENERATED 1000000
#define MAX_IMAGES    10000

/* A store takes no larger ones. */
#define MAX_BATCH    16777216
#define MAX_SEQUENCE 1073741824

/* A new axis is a row here, with its getter, and a word for it in each of: the options of `dyno-cli run` and of
 * dyno_plan_dup_command(), the title of a run, the label of a case, DynoCaseParts, DynoDimension, and the columns of reports. */
static const DynoCaseSize sizes[DYNO_CASE_N_SIZES] = {
  { "batch-size", "batch-sizes", 1, MAX_BATCH, 1, FALSE, TRUE, dyno_case_get_batch_size },
  { "sequence-length", "sequence-lengths", 0, MAX_SEQUENCE, 0, FALSE, TRUE, dyno_case_get_sequence_length },
  { "threads", "threads", 0, G_MAXINT32, 0, FALSE, FALSE, dyno_case_get_threads },
  { "generate-tokens", "generate-tokens", 0, MAX_GENERATED, 0, FALSE, TRUE, dyno_case_get_generate_tokens },
  { "images", "images", 0, MAX_IMAGES, 1, TRUE, TRUE, dyno_case_get_images },
};

static void
dyno_case_finalize (GObject *object)
{
  DynoCase *self = DYNO_CASE (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->texts); i++)
    g_free (self->texts[i]);
  g_clear_object (&self->method);

  G_OBJECT_CLASS (dyno_case_parent_class)->finalize (object);
}

static void
dyno_case_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoCase *self = DYNO_CASE (object);

  if (prop_id >= PROP_MODEL && prop_id <= PROP_LOAD)
    g_value_set_string (value, self->texts[prop_id - PROP_MODEL]);
  else if (prop_id >= PROP_BATCH_SIZE && prop_id <= PROP_IMAGES)
    g_value_set_uint (value, self->counts[prop_id - PROP_BATCH_SIZE]);
  else if (prop_id == PROP_SEED)
    g_value_set_uint64 (value, self->seed);
  else if (prop_id == PROP_BYTES_PER_STEP)
    g_value_set_uint64 (value, self->bytes_per_step);
  else if (prop_id == PROP_METHOD)
    g_value_set_object (value, self->method);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
dyno_case_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoCase *self = DYNO_CASE (object);

  if (prop_id >= PROP_MODEL && prop_id <= PROP_LOAD)
    {
      const char *text = g_value_get_string (value);
      char **field = &self->texts[prop_id - PROP_MODEL];

      if (g_strcmp0 (*field, text) != 0)
        {
          g_free (*field);
          *field = g_strdup (text != NULL ? text : "");
          g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
        }
    }
  else if (prop_id >= PROP_BATCH_SIZE && prop_id <= PROP_IMAGES)
    {
      guint count = g_value_get_uint (value);
      guint *field = &self->counts[prop_id - PROP_BATCH_SIZE];

      if (*field != count)
        {
          *field = count;
          g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
        }
    }
  else if (prop_id == PROP_SEED && self->seed != g_value_get_uint64 (value))
    {
      self->seed = g_value_get_uint64 (value);
      g_object_notify_by_pspec (object, pspec);
    }
  else if (prop_id == PROP_BYTES_PER_STEP && self->bytes_per_step != g_value_get_uint64 (value))
    {
      self->bytes_per_step = g_value_get_uint64 (value);
      g_object_notify_by_pspec (object, pspec);
    }
  else if (prop_id == PROP_METHOD && g_value_get_object (value) != NULL)
    {
      if (g_set_object (&self->method, g_value_get_object (value)))
        g_object_notify_by_pspec (object, pspec);
    }
  else if (prop_id != PROP_SEED && prop_id != PROP_BYTES_PER_STEP && prop_id != PROP_METHOD)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
dyno_case_class_init (DynoCaseClass *klass)
{
  static const char *const text_names[] = { "model",  "backend", "device",  "precision", "dimensions",
                                            "inputs", "pinning", "options", "load" };
  static const char *const text_defaults[] = { "", "cpu", "", "fp32", "", "", "", "", "single" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags =
      G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_case_finalize;
  object_class->get_property = dyno_case_get_property;
  object_class->set_property = dyno_case_set_property;

  for (guint i = 0; i < G_N_ELEMENTS (text_names); i++)
    properties[PROP_MODEL + i] = g_param_spec_string (text_names[i], NULL, NULL, text_defaults[i], flags);
  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    properties[PROP_BATCH_SIZE + i] =
        g_param_spec_uint (sizes[i].property, NULL, NULL, 0, G_MAXUINT, sizes[i].usual, flags);
  properties[PROP_SEED] = g_param_spec_uint64 ("seed", NULL, NULL, 0, G_MAXINT64, 1, flags);
  properties[PROP_BYTES_PER_STEP] =
      g_param_spec_uint64 ("bytes-per-step", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_METHOD] = g_param_spec_object ("method", NULL, NULL, DYNO_TYPE_METHOD, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_case_init (DynoCase *self)
{
  self->method = dyno_method_new ();
}

DynoCase *
dyno_case_new (const char *model, const char *backend)
{
  return g_object_new (DYNO_TYPE_CASE, "model", model, "backend", backend, NULL);
}

DynoCase *
dyno_case_new_from_json (JsonObject *object, GError **error)
{
  g_autoptr (DynoCase) self = g_object_new (DYNO_TYPE_CASE, NULL);

  if (!dyno_json_apply (G_OBJECT (self), object, _ ("the case"), error))
    return NULL;

  JsonNode *method = json_object_get_member (object, "method");

  if (method == NULL || !JSON_NODE_HOLDS_OBJECT (method) ||
      !json_object_has_member (json_node_get_object (method), "invocations"))
    g_object_set (self->method, "invocations", 1, NULL);
  return g_steal_pointer (&self);
}

JsonNode *
dyno_case_to_json (DynoCase *self)
{
  JsonNode *node;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  node = dyno_json_from_object (G_OBJECT (self));
  /* Earlier versions do not know these, and the JSON identifies cases that they stored. */
  if (self->bytes_per_step == 0)
    json_object_remove_member (json_node_get_object (node), "bytes-per-step");
  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    if (sizes[i].is_new && self->counts[i] == sizes[i].usual)
      json_object_remove_member (json_node_get_object (node), sizes[i].property);
  return node;
}

static const char *
get_text (DynoCase *self, guint prop_id)
{
  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);
  return self->texts[prop_id - PROP_MODEL];
}

static guint
get_count (DynoCase *self, guint prop_id)
{
  g_return_val_if_fail (DYNO_IS_CASE (self), 0);
  return self->counts[prop_id - PROP_BATCH_SIZE];
}

const char *
dyno_case_get_model (DynoCase *self)
{
  return get_text (self, PROP_MODEL);
}

const char *
dyno_case_get_backend (DynoCase *self)
{
  return get_text (self, PROP_BACKEND);
}

const char *
dyno_case_get_device (DynoCase *self)
{
  return get_text (self, PROP_DEVICE);
}

const char *
dyno_case_get_precision (DynoCase *self)
{
  return get_text (self, PROP_PRECISION);
}

const char *
dyno_case_get_computed_precision (DynoCase *self)
{
  g_autoptr (GHashTable) options = NULL;
  const char *precision = dyno_case_get_precision (self);
  const char *computed = dyno_precision_get_computed (precision);
  const char *text = dyno_case_get_options (self);
  const char *told;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  if (text == NULL || *text == '\0')
    return computed;
  options = dyno_engine_options_parse (text, NULL);
  told = options != NULL ? g_hash_table_lookup (options, "inference-precision") : NULL;
  if (told == NULL || g_str_equal (told, "model") || g_str_equal (precision, "int8") ||
      g_str_equal (precision, "uint8") ||
      (g_str_equal (told, DYNO_PRECISION_TF32) && !g_str_equal (computed, "fp32")))
    return computed;
  return g_intern_string (told);
}

const char *
dyno_case_get_dimensions (DynoCase *self)
{
  return get_text (self, PROP_DIMENSIONS);
}

const char *
dyno_case_get_inputs (DynoCase *self)
{
  return get_text (self, PROP_INPUTS);
}

char *
dyno_case_dup_given (DynoCase *self)
{
  GString *text;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  text = g_string_new (dyno_case_get_dimensions (self));
  if (*dyno_case_get_inputs (self) != '\0')
    {
      /* Files appear by their names only; their folders would fill the line. */
      const char *inputs = dyno_case_get_inputs (self);
      g_auto (GStrv) entries = dyno_input_values_split (inputs);

      for (char **entry = entries; *entry != NULL; entry++)
        {
          const char *equals = strchr (*entry, '=');
          const char *value = **entry != '@' && equals != NULL ? equals + 1 : *entry;
          g_autofree char *file = *value == '@' ? g_path_get_basename (value + 1) : NULL;

          g_string_append (text, text->len > 0 ? " · " : "");
          g_string_append_len (text, *entry, file != NULL ? value + 1 - *entry : (gssize)strlen (*entry));
          g_string_append (text, file != NULL ? file : "");
        }
    }
  return g_string_free (text, FALSE);
}

const char *
dyno_case_get_pinning (DynoCase *self)
{
  return get_text (self, PROP_PINNING);
}

const char *
dyno_case_get_options (DynoCase *self)
{
  return get_text (self, PROP_OPTIONS);
}

/* Most cases have no options of stages, and charts ask for each of their points. */
static gboolean
may_have_stages (DynoCase *self)
{
  return strchr (dyno_case_get_options (self), '.') != NULL;
}

char **
dyno_case_list_stages (DynoCase *self)
{
  g_autoptr (GHashTable) options = NULL;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  if (!may_have_stages (self))
    return g_new0 (char *, 1);
  options = dyno_engine_options_parse (dyno_case_get_options (self), NULL);
  return options != NULL ? dyno_engine_options_list_stages (options) : g_new0 (char *, 1);
}

/* Another engine has other options. */
static GHashTable *
list_stage_options (DynoCase *self, const char *stage, gboolean is_elsewhere)
{
  g_autoptr (GHashTable) parsed = dyno_engine_options_parse (dyno_case_get_options (self), NULL);
  /* Those of another tool may have another form. */
  g_autoptr (GHashTable) all =
      parsed != NULL ? g_hash_table_ref (parsed) : dyno_engine_options_parse ("", NULL);
  g_autoptr (GHashTable) own = dyno_engine_options_take_stage (all, stage);
  GHashTable *options = is_elsewhere ? g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free)
                                     : dyno_engine_options_take_stage (all, NULL);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, own);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_replace (options, g_strdup (name), g_strdup (value));
  return options;
}

DynoCase *
dyno_case_for_stage (DynoCase *self, const char *stage)
{
  if (!may_have_stages (self))
    return g_object_ref (self);

  g_autoptr (JsonNode) node = dyno_case_to_json (self);
  g_autoptr (GHashTable) own = list_stage_options (self, stage, TRUE);
  const char *spec = g_hash_table_lookup (own, "device");
  const char *precision = g_hash_table_lookup (own, "precision");
  const char *threads = g_hash_table_lookup (own, "threads");
  DynoCase *kase = dyno_case_new_from_json (json_node_get_object (node), NULL);
  g_autofree char *device = NULL;
  g_autoptr (GHashTable) options = NULL;
  g_autofree char *text = NULL;
  if (spec != NULL)
    {
      DynoBackend *backend = dyno_backend_lookup_spec (spec, &device, NULL);

      if (backend != NULL)
        g_object_set (kase, "backend", dyno_backend_get_id (backend), "device", device, NULL);
    }
  if (precision != NULL)
    g_object_set (kase, "precision", precision, NULL);
  if (threads != NULL)
    g_object_set (kase, "threads", (guint)g_ascii_strtoull (threads, NULL, 10), NULL);
  options = list_stage_options (self, stage,
                                !g_str_equal (dyno_case_get_backend (kase), dyno_case_get_backend (self)));
  g_hash_table_remove (options, "device");
  g_hash_table_remove (options, "precision");
  g_hash_table_remove (options, "threads");
  text = dyno_engine_options_to_string (options);
  g_object_set (kase, "options", text, NULL);
  return kase;
}

static gboolean
is_elsewhere (DynoCase *self, DynoCase *of_stage)
{
  return !g_str_equal (dyno_case_get_backend (of_stage), dyno_case_get_backend (self)) ||
         !g_str_equal (dyno_case_get_device (of_stage), dyno_case_get_device (self));
}

gboolean
dyno_case_is_mixed (DynoCase *self)
{
  g_auto (GStrv) stages = dyno_case_list_stages (self);

  for (char **stage = stages; *stage != NULL; stage++)
    {
      g_autoptr (DynoCase) own = dyno_case_for_stage (self, *stage);

      if (is_elsewhere (self, own) || dyno_case_get_threads (own) != dyno_case_get_threads (self) ||
          !g_str_equal (dyno_case_get_computed_precision (own), dyno_case_get_computed_precision (self)))
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
dyno_case_list_stage_options (DynoCase *self)
{
  g_auto (GStrv) stages = dyno_case_list_stages (self);
  GPtrArray *list =
      *stages != NULL ? g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_stage_options_free) : NULL;

  for (char **stage = stages; *stage != NULL; stage++)
    {
      g_autoptr (DynoCase) kase = dyno_case_for_stage (self, *stage);
      DynoStageOptions *own = g_new0 (DynoStageOptions, 1);

      own->name = g_strdup (*stage);
      if (is_elsewhere (self, kase))
        {
          own->backend = g_strdup (dyno_case_get_backend (kase));
          own->device = *dyno_case_get_device (kase) != '\0' ? g_strdup (dyno_case_get_device (kase)) : NULL;
        }
      own->precision = g_strdup (dyno_case_get_computed_precision (kase));
      own->threads = dyno_case_get_threads (kase);
      own->engine = dyno_engine_options_parse (dyno_case_get_options (kase), NULL);
      g_ptr_array_add (list, own);
    }
  return list;
}

char *
dyno_case_dup_library (DynoCase *self)
{
  g_autoptr (GHashTable) options = NULL;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  options = dyno_engine_options_parse (dyno_case_get_options (self), NULL);
  return options != NULL ? g_strdup (g_hash_table_lookup (options, DYNO_BACKEND_LIBRARY)) : NULL;
}

const char *
dyno_case_get_load (DynoCase *self)
{
  return get_text (self, PROP_LOAD);
}

guint64
dyno_case_get_bytes_per_step (DynoCase *self)
{
  g_return_val_if_fail (DYNO_IS_CASE (self), 0);
  return self->bytes_per_step;
}

/* Returns the precisions of the stages that have options, by their names; NULL if the model lacks one. */
static GHashTable *
list_stage_precisions (DynoCase *self, DynoModel *model, GError **error)
{
  g_auto (GStrv) stages = dyno_case_list_stages (self);
  g_autoptr (GHashTable) of_stages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (char **stage = stages; *stage != NULL; stage++)
    {
      g_autoptr (DynoCase) kase = dyno_case_for_stage (self, *stage);

      if (!dyno_model_check_stage (model, *stage, error))
        return NULL;
      g_hash_table_insert (of_stages, g_strdup (*stage), g_strdup (dyno_case_get_precision (kase)));
    }
  return g_steal_pointer (&of_stages);
}

DynoModel *
dyno_case_adapt_model (DynoCase *self, DynoModel *model, GError **error)
{
  g_autoptr (GHashTable) options = NULL;
  g_autoptr (GHashTable) of_stages = NULL;
  g_autoptr (DynoModel) converted = NULL;
  g_autoptr (DynoModel) seeing = NULL;
  g_autoptr (DynoModel) windowed = NULL;
  DynoBackend *backend;
  const char *attention, *window;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);
  g_return_val_if_fail (DYNO_IS_MODEL (model), NULL);

  options = dyno_engine_options_parse (dyno_case_get_options (self), NULL);
  attention = options != NULL ? g_hash_table_lookup (options, "attention") : NULL;
  window = options != NULL ? g_hash_table_lookup (options, "window") : NULL;
  backend = dyno_backend_lookup (dyno_case_get_backend (self), NULL);
  seeing = dyno_model_with_images (model, dyno_case_get_images (self), error);
  windowed = seeing != NULL
                 ? dyno_model_with_window (
                       seeing, window != NULL ? (guint)g_ascii_strtoull (window, NULL, 10) : 0, error)
                 : NULL;
  if (windowed == NULL)
    return NULL;
  of_stages = list_stage_precisions (self, windowed, error);
  if (of_stages == NULL)
    return NULL;
  converted = g_hash_table_size (of_stages) > 0
                  ? dyno_model_with_stages (windowed, dyno_case_get_precision (self), of_stages, error)
                  : dyno_model_in_format (windowed,
                                          backend != NULL ? dyno_backend_get_format (backend)
                                                          : DYNO_MODEL_FORMAT_ONNX,
                                          dyno_case_get_precision (self), error);
  if (converted == NULL || attention == NULL)
    return g_steal_pointer (&converted);
  return dyno_model_with_attention (converted, attention, error);
}

guint
dyno_case_get_batch_size (DynoCase *self)
{
  return get_count (self, PROP_BATCH_SIZE);
}

guint
dyno_case_get_sequence_length (DynoCase *self)
{
  return get_count (self, PROP_SEQUENCE_LENGTH);
}

guint
dyno_case_get_threads (DynoCase *self)
{
  return get_count (self, PROP_THREADS);
}

guint
dyno_case_get_generate_tokens (DynoCase *self)
{
  return get_count (self, PROP_GENERATE_TOKENS);
}

guint
dyno_case_get_images (DynoCase *self)
{
  return get_count (self, PROP_IMAGES);
}

const DynoCaseSize *
dyno_case_list_sizes (void)
{
  return sizes;
}

gboolean
dyno_case_has_same_sizes (DynoCase *self, DynoCase *other)
{
  gboolean is_same = TRUE;

  g_return_val_if_fail (DYNO_IS_CASE (self) && DYNO_IS_CASE (other), FALSE);

  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    is_same &= !sizes[i].is_work || self->counts[i] == other->counts[i];
  return is_same;
}

char *
dyno_case_dup_sizes (DynoCase *self, gboolean is_work)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    if (sizes[i].is_work || !is_work)
      g_string_append_printf (text, "|%u", self->counts[i]);
  return g_string_free (text, FALSE);
}

guint64
dyno_case_get_seed (DynoCase *self)
{
  g_return_val_if_fail (DYNO_IS_CASE (self), 0);
  return self->seed;
}

DynoMethod *
dyno_case_get_method (DynoCase *self)
{
  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);
  return self->method;
}

double
dyno_case_get_expected_seconds (DynoCase *self)
{
  g_return_val_if_fail (DYNO_IS_CASE (self), 0);
  return self->expected_seconds;
}

void
dyno_case_set_expected_seconds (DynoCase *self, double seconds)
{
  g_return_if_fail (DYNO_IS_CASE (self));
  self->expected_seconds = seconds;
}

void
dyno_case_get_work (DynoCase *self, gint64 *weight_bytes, double *work)
{
  g_return_if_fail (DYNO_IS_CASE (self));
  *weight_bytes = self->weight_bytes;
  *work = self->work;
}

void
dyno_case_set_work (DynoCase *self, gint64 weight_bytes, double work)
{
  g_return_if_fail (DYNO_IS_CASE (self));
  self->weight_bytes = weight_bytes;
  self->work = work;
}

char *
dyno_case_dup_precision_label (DynoCase *self)
{
  const char *given = dyno_case_get_precision (self);
  const char *computed = dyno_case_get_computed_precision (self);

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  if (g_str_equal (dyno_precision_get_computed (given), computed))
    return g_strdup (given);
  /* Translators: a precision of a model, and the one that it is computed in */
  return g_strdup_printf (_ ("%s computed in %s"), given, computed);
}

/* The device, dimensions, threads, placement and options are only included if they are not the usual ones. */
static char *
dup_settings (DynoCase *self, const char *model, const char *engine)
{
  g_autofree char *precision = dyno_case_dup_precision_label (self);
  g_autofree char *given = dyno_case_dup_given (self);
  GString *label = g_string_new (model);

  g_string_append_printf (label, " · %s · %s", engine, precision);
  if (dyno_case_get_batch_size (self) > 0)
    /* Translators: a part of a case's label, after the model's name */
    g_string_append_printf (label, _ (" · batch %u"), dyno_case_get_batch_size (self));
  if (dyno_case_get_sequence_length (self) > 0)
    g_string_append_printf (label,
                            ngettext (" · %u token", " · %u tokens", dyno_case_get_sequence_length (self)),
                            dyno_case_get_sequence_length (self));
  if (dyno_case_get_generate_tokens (self) > 0)
    g_string_append_printf (label, _ (" · %u generated"), dyno_case_get_generate_tokens (self));
  if (dyno_case_get_images (self) == 0)
    /* Translators: a part of a case's label: the prompt has no image */
    g_string_append (label, _ (" · no image"));
  else if (dyno_case_get_images (self) > 1)
    g_string_append_printf (label, ngettext (" · %u image", " · %u images", dyno_case_get_images (self)),
                            dyno_case_get_images (self));
  if (*given != '\0')
    g_string_append_printf (label, " · %s", given);

  if (!dyno_load_is_single (dyno_case_get_load (self)))
    {
      g_autofree char *load = dyno_load_dup_label (dyno_case_get_load (self));

      g_string_append_printf (label, " · %s", load);
    }
  if (dyno_case_get_threads (self) > 0)
    g_string_append_printf (label, ngettext (" · %u thread", " · %u threads", dyno_case_get_threads (self)),
                            dyno_case_get_threads (self));
  if (*dyno_case_get_pinning (self) != '\0')
    {
      g_autofree char *pinning = dyno_pinning_dup_label (dyno_case_get_pinning (self));

      g_string_append_printf (label, " · %s", pinning);
    }
  if (*dyno_case_get_options (self) != '\0')
    g_string_append_printf (label, " · %s", dyno_case_get_options (self));

  return g_string_free (label, FALSE);
}

char *
dyno_case_dup_engine (DynoCase *self)
{
  const char *backend = dyno_case_get_backend (self);
  const char *device = dyno_case_get_device (self);
  g_autofree char *engine = NULL;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  engine = dyno_engine_name_dup (backend, device);
  return dyno_engine_name_tells_device (backend, device) ? g_steal_pointer (&engine)
                                                         : g_strdup_printf ("%s · %s", engine, device);
}

char *
dyno_case_dup_place (DynoCase *self)
{
  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);
  return dyno_engine_name_dup_spec (dyno_case_get_backend (self), dyno_case_get_device (self));
}

char *
dyno_case_dup_label (DynoCase *self)
{
  g_autofree char *model = NULL;
  g_autofree char *engine = NULL;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  model = dyno_model_dup_title (dyno_case_get_model (self));
  engine = dyno_case_dup_engine (self);
  return dup_settings (self, model, engine);
}

char *
dyno_case_dup_key (DynoCase *self)
{
  g_autofree char *model = NULL;
  g_autofree char *place = NULL;

  g_return_val_if_fail (DYNO_IS_CASE (self), NULL);

  model = dyno_model_dup_short_name (dyno_case_get_model (self));
  place = dyno_case_dup_place (self);
  return dup_settings (self, model, place);
}
