/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-json.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-private.h"
#include "dyno-model-spec.h"
#include "dyno-precision.h"

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
  g_clear_pointer (&self->config, json_node_unref);
  g_clear_pointer (&self->of_stages, g_hash_table_unref);
  g_free (self->weights_folder);
  g_clear_pointer (&self->checkpoint, dyno_checkpoint_unref);
  g_clear_pointer (&self->description, dyno_model_description_unref);
  for (guint i = 0; i < self->locks->len; i++)
    close (g_array_index (self->locks, int, i));
  g_array_unref (self->locks);
  g_clear_pointer (&self->estimates, g_hash_table_unref);
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
  self->n_pictures = 1;
}

/* Quantised graphs have their sizes and operators before the ranges of their activations are known. */
GPtrArray *
dyno_model_build (DynoModel *self, DynoBinding *binding, gboolean is_outline, GError **error)
{
  g_autoptr (GPtrArray) graphs = dyno_model_build_plain (self, binding, is_outline, error);

  for (guint i = 0; graphs != NULL && dyno_model_needs_ranges (self) && i < graphs->len; i++)
    if (dyno_precision_needs_ranges (dyno_model_get_graph_precision (self, i)) &&
        !dyno_graph_quantise (graphs->pdata[i], NULL, error))
      return NULL;
  return g_steal_pointer (&graphs);
}

const char *
dyno_model_get_graph_precision (DynoModel *self, guint graph)
{
  const char *own = self->of_stages != NULL
                        ? g_hash_table_lookup (self->of_stages, self->architecture->stages[graph].name)
                        : NULL;

  return own != NULL ? own : self->precision;
}

GPtrArray *
dyno_model_build_plain (DynoModel *self, DynoBinding *binding, gboolean is_outline, GError **error)
{
  g_autoptr (DynoConfig) config = dyno_config_new (json_node_get_object (self->config));

  dyno_config_set_zero_points (config, dyno_model_quantisation_has_zeros (self));
  /* The writer of GGUF files rounds the weights itself. */
  return dyno_architecture_build (self->architecture, config, binding,
                                  self->is_gguf ? dyno_precision_list ()[0] : self->precision,
                                  self->of_stages, self->is_fused, self->n_pictures, is_outline, error);
}

/* Returns whether the files beside a config hold the weights of the model. */
gboolean
dyno_model_bind_weights (DynoModel *self, GPtrArray *graphs, GPtrArray *lacking, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  const DynoPackedFormat format = dyno_model_quantisation_get_format (self);
  g_autoptr (GError) reason = NULL;
  g_autofree char *quantisation = NULL;

  if (self->weights_folder == NULL)
    return TRUE;
  if (self->checkpoint == NULL)
    self->checkpoint = dyno_checkpoint_open (self->weights_folder, &format, error);
  for (guint i = 0; self->checkpoint != NULL && i < graphs->len; i++)
    if (!dyno_checkpoint_bind (self->checkpoint, self->architecture->naming, graphs->pdata[i], lacking,
                               &reason))
      break;
  if (reason == NULL)
    return self->checkpoint != NULL;

  quantisation = dyno_model_dup_quantisation (self);
  if (quantisation == NULL)
    g_propagate_error (error, g_steal_pointer (&reason));
  else
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
        /* Translators: a whole sentence, a folder, and a method of quantisation such as “gptq, 4 bits” */
        _ ("%s The weights in “%s” are quantised (%s). Put the config into a folder without them, then "
           "weights are drawn at random."),
        reason->message, self->weights_folder, quantisation);
  return FALSE;
}

/* Does not read the weights; the names of all of them are needed only to find them in files. If sizes are
 * given, estimates the needs of the model at these on the way. */
gboolean
dyno_model_describe (DynoModel *self, const char *folder, DynoBinding *binding, GError **error)
{
  g_autoptr (GPtrArray) lacking = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) graphs = NULL;

  if (folder != NULL && dyno_checkpoint_exists (folder))
    self->weights_folder = g_strdup (folder);
  graphs = dyno_model_build (self, binding, self->weights_folder == NULL && !self->is_gguf, error);
  if (graphs == NULL)
    return FALSE;
  if (self->weights_folder != NULL && !dyno_model_bind_weights (self, graphs, lacking, error))
    return FALSE;
  self->description = self->is_gguf ? dyno_model_describe_gguf (self, graphs, error)
                      : self->architecture->stages != NULL
                          ? dyno_stages_describe (self->architecture->stages, graphs, error)
                          : dyno_graph_describe (graphs->pdata[0]);
  if (self->description != NULL && binding != NULL && !self->is_gguf)
    dyno_model_estimates_keep (self, binding, graphs);
  if (self->description != NULL && self->checkpoint != NULL)
    {
      /* A pipeline of Diffusers has parts that making a picture does not need, such as the encoder of pictures. */
      g_autoptr (GPtrArray) unused =
          json_object_has_member (json_node_get_object (self->config), "_class_name")
              ? g_ptr_array_new ()
              : dyno_checkpoint_list_unused (self->checkpoint, graphs);

      dyno_model_description_add_weights (self->description, dyno_checkpoint_list_files (self->checkpoint),
                                          lacking, unused);
    }
  return self->description != NULL;
}

/* The graph of a bundled model is built only when a caller needs more than its list entry; a test builds
 * each. */
DynoModelDescription *
dyno_model_get_description (DynoModel *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->description == NULL)
    dyno_model_describe (self, NULL, NULL, NULL);
  g_assert (self->description != NULL);
  return self->description;
}

GPtrArray *
dyno_model_list_external_files (DynoModel *self)
{
  g_autoptr (GList) names = NULL;
  GPtrArray *files;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  files = g_ptr_array_new ();
  names = g_list_sort (g_hash_table_get_keys (dyno_model_get_description (self)->external_files),
                       (GCompareFunc)strcmp);
  for (GList *l = names; l != NULL; l = l->next)
    g_ptr_array_add (files, l->data);
  return files;
}

static const char *const *
list_precisions (DynoModelFormat format)
{
  return format == DYNO_MODEL_FORMAT_GGUF ? dyno_precision_list_gguf () : dyno_precision_list ();
}

/* A file is measured as it is, so no other precision can be requested. The default precision means no request, because
 * engines without half precision compute in it. The precision of a file is only known from its weights. */
static gboolean
check_precision (DynoModel *self, DynoModelFormat format, const char *precision, GError **error)
{
  const char *const *precisions = list_precisions (format);
  const char *own = self->path != NULL ? dyno_model_get_file_precision (self) : NULL;
  g_autofree char *known = NULL;

  if (self->path == NULL && g_strv_contains (precisions, precision))
    return TRUE;
  if (self->path != NULL && (own == NULL || g_str_equal (precision, own) ||
                             g_str_equal (precision, dyno_precision_get_computed (own)) ||
                             g_str_equal (precision, dyno_precision_list ()[0])))
    return TRUE;
  known = g_strjoinv (", ", (char **)precisions);
  if (own != NULL && dyno_model_get_format (self) == DYNO_MODEL_FORMAT_GGUF)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("“%s” is a GGUF file with %s weights and is measured as it is. Choose %s, or name a "
                    "GGUF file in %s."),
                 self->name, own, own, precision);
  else if (self->engine_format != NULL && own != NULL)
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
        /* Translators: a file, the name of a format, and three times a precision */
        _ ("“%s” is a file of %s with %s weights and is measured as it is. Choose %s, or name a file "
           "in %s."),
        self->name, self->engine_format->name, own, own, precision);
  else if (own != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("“%s” is an ONNX file with %s weights and is measured as it is. Choose %s, or convert "
                    "it to %s."),
                 self->name, own, own, precision);
  else if (format == DYNO_MODEL_FORMAT_GGUF)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("Dyno cannot write “%s” as a GGUF file with the precision %s. It can write: %s."),
                 self->name, precision, known);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("Dyno cannot build “%s” with the precision %s. It can build: %s."), self->name, precision,
                 known);
  return FALSE;
}

static DynoModel *
copy_facts (DynoModel *self)
{
  DynoModel *copy = g_object_new (DYNO_TYPE_MODEL, NULL);

  copy->config = json_node_ref (self->config);
  copy->architecture = self->architecture;
  copy->id = g_strdup (self->id);
  copy->name = g_strdup (self->name);
  copy->task = g_strdup (self->task);
  copy->licence = g_strdup (self->licence);
  copy->source = g_strdup (self->source);
  copy->precision = self->precision;
  copy->of_stages = self->of_stages != NULL ? g_hash_table_ref (self->of_stages) : NULL;
  copy->is_fused = self->is_fused;
  copy->window = self->window;
  copy->n_pictures = self->n_pictures;
  copy->picture = self->picture;
  copy->is_gguf = self->is_gguf;
  return copy;
}

static void
copy_weights (DynoModel *self, DynoModel *copy)
{
  g_autoptr (GPtrArray) files = dyno_model_list_external_files (self);

  dyno_model_description_add_weights (copy->description, files, dyno_model_get_description (self)->lacking,
                                      dyno_model_get_description (self)->unused);
  copy->weights_folder = g_strdup (self->weights_folder);
  copy->checkpoint = self->checkpoint != NULL ? dyno_checkpoint_ref (self->checkpoint) : NULL;
}

/* Takes the copy, and describes it before it knows where its weights are: they are found already. */
static DynoModel *
complete_copy (DynoModel *self, DynoModel *copy, DynoBinding *binding, GError **error)
{
  g_autoptr (DynoModel) taken = copy;

  if (!dyno_model_describe (taken, NULL, binding, error))
    return NULL;
  copy_weights (self, taken);
  return g_steal_pointer (&taken);
}

/* Returns whether both tables, of which none may be empty, hold the same. */
static gboolean
is_same_table (GHashTable *table, GHashTable *other)
{
  GHashTableIter iter;
  gpointer name, value;

  if (table == NULL || other == NULL || g_hash_table_size (table) != g_hash_table_size (other))
    return table == other;
  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (g_strcmp0 (g_hash_table_lookup (other, name), value) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
keeps_bytes (const char *precision)
{
  const DynoQuantisation *quantisation = dyno_precision_get_quantisation (precision);

  return quantisation != NULL && quantisation->is_cache;
}

static gboolean
has_fused_cache (DynoModel *self)
{
  return g_hash_table_contains (dyno_model_get_description (self)->operators,
                                DYNO_NODE_CONTRIB ".GroupQueryAttention");
}

/* Given sizes are those of the estimates that follow. */
static DynoModel *
convert (DynoModel *self,
         DynoModelFormat format,
         const char *precision,
         GHashTable *of_stages,
         DynoBinding *binding,
         GError **error)
{
  gboolean is_gguf = format == DYNO_MODEL_FORMAT_GGUF;
  DynoModel *copy;

  if (!check_precision (self, format, precision, error))
    return NULL;
  if (self->path != NULL || (g_str_equal (precision, self->precision) && self->is_gguf == is_gguf &&
                             is_same_table (self->of_stages, of_stages)))
    return g_object_ref (self);
  copy = copy_facts (self);
  copy->precision = g_intern_string (precision);
  copy->is_gguf = is_gguf;
  g_clear_pointer (&copy->of_stages, g_hash_table_unref);
  copy->of_stages = of_stages != NULL ? g_hash_table_ref (of_stages) : NULL;
  copy = complete_copy (self, copy, binding, error);
  if (copy == NULL || !keeps_bytes (precision) || has_fused_cache (copy))
    return copy;
  g_object_unref (copy);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("“%s” has no attention with a cache that could be kept in 8 bits (GroupQueryAttention). "
                  "Choose another precision than %s."),
               self->name, precision);
  return NULL;
}

DynoModel *
dyno_model_convert (
    DynoModel *self, DynoModelFormat format, const char *precision, DynoBinding *binding, GError **error)
{
  return convert (self, format, precision, NULL, binding, error);
}

gboolean
dyno_model_may_have_format (DynoModel *self, DynoModelFormat format)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);

  return dyno_model_get_format (self) == format ||
         (self->path == NULL && (format == DYNO_MODEL_FORMAT_ONNX ||
                                 (format == DYNO_MODEL_FORMAT_GGUF &&
                                  dyno_gguf_content_has_type (self->architecture->model_type))));
}

gboolean
dyno_model_may_have_precision (DynoModel *self, DynoModelFormat format, const char *precision)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  g_return_val_if_fail (precision != NULL, FALSE);

  return self->path != NULL || g_strv_contains (list_precisions (format), precision);
}

DynoModel *
dyno_model_in_format (DynoModel *self, DynoModelFormat format, const char *precision, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (precision != NULL, NULL);

  return dyno_model_convert (self, format, precision, NULL, error);
}

gboolean
dyno_model_check_stage (DynoModel *self, const char *stage, GError **error)
{
  g_auto (GStrv) stages = NULL;
  g_autofree char *known = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  g_return_val_if_fail (stage != NULL, FALSE);

  stages = dyno_model_dup_stages (self);
  known = g_strjoinv (", ", stages);
  if (g_strv_contains ((const char *const *)stages, stage))
    return TRUE;
  if (*stages == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 /* Translators: a model, and a name such as “vision” */
                 _ ("“%s” has no stages, so it has no options that begin with “%s.”. Leave them out."),
                 self->name, stage);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("“%s” has no stage “%s”. Its stages are: %s."),
                 self->name, stage, known);
  return FALSE;
}

DynoModel *
dyno_model_with_stages (DynoModel *self, const char *precision, GHashTable *of_stages, GError **error)
{
  g_autoptr (GHashTable) differing = NULL;
  GHashTableIter iter;
  gpointer stage, own;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (precision != NULL && of_stages != NULL, NULL);

  differing = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_iter_init (&iter, of_stages);
  while (g_hash_table_iter_next (&iter, &stage, &own))
    {
      if (!dyno_model_check_stage (self, stage, error) ||
          !check_precision (self, DYNO_MODEL_FORMAT_ONNX, own, error))
        return NULL;
      if (!g_str_equal (own, precision))
        g_hash_table_insert (differing, g_strdup (stage), (gpointer)g_intern_string (own));
    }
  return convert (self, DYNO_MODEL_FORMAT_ONNX, precision,
                  g_hash_table_size (differing) > 0 ? differing : NULL, NULL, error);
}

char **
dyno_model_dup_precisions (DynoModel *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  GHashTableIter iter;
  gpointer own;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (self->precision != NULL)
    g_strv_builder_add (builder, self->precision);
  if (self->of_stages != NULL)
    {
      g_hash_table_iter_init (&iter, self->of_stages);
      while (g_hash_table_iter_next (&iter, NULL, &own))
        g_strv_builder_add (builder, own);
    }
  return g_strv_builder_end (builder);
}

DynoModel *
dyno_model_as_written (DynoModel *self, const char *path, GError **error)
{
  g_autoptr (DynoModelDescription) description = NULL;
  DynoModel *copy;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  if (!self->is_gguf)
    return g_object_ref (self);
  description = dyno_gguf_file_describe (path, error);
  if (description == NULL)
    return NULL;
  copy = copy_facts (self);
  copy->description = g_steal_pointer (&description);
  copy_weights (self, copy);
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->locks->len; i++)
    {
      int lock = fcntl (g_array_index (self->locks, int, i), F_DUPFD_CLOEXEC, 0);

      g_array_append_val (copy->locks, lock);
    }
  g_mutex_unlock (&self->mutex);
  return copy;
}

DynoModel *
dyno_model_in_precision (DynoModel *self, const char *precision, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (precision != NULL, NULL);

  return dyno_model_convert (self, DYNO_MODEL_FORMAT_ONNX, precision, NULL, error);
}

/* In place of pixels, a vision model may be given a file in one of these. */
static const char *const picture_formats[] = { "jpeg", "png", NULL };

/* Returns whether it may be given picture files in place of pixels. */
static gboolean
sees (DynoModel *self)
{
  GPtrArray *inputs = self->path == NULL ? dyno_model_get_inputs (self) : NULL;

  for (guint i = 0; inputs != NULL && !dyno_model_has_cache (self) && i < inputs->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (inputs->pdata[i]), DYNO_INPUTS_PIXELS) &&
        dyno_tensor_info_get_rank (inputs->pdata[i]) == 4)
      return TRUE;
  return FALSE;
}

char **
dyno_model_dup_modalities (DynoModel *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const DynoModality *modality;
  const char *own;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  g_free (dyno_model_spec_split (self->id, &own));
  if (self->architecture == NULL || own != NULL)
    return g_new0 (char *, 1);
  for (modality = self->architecture->modalities; modality != NULL && modality->name != NULL; modality++)
    g_strv_builder_add (names, modality->name);
  if (self->architecture->build_features != NULL)
    g_strv_builder_add (names, DYNO_ARCHITECTURE_WAVEFORM);
  if (sees (self))
    g_strv_builder_addv (names, (const char **)picture_formats);
  return g_strv_builder_end (names);
}

/* Returns the architecture of a model that is given files in place of pixels: the same. */
static const DynoArchitecture *
find_seeing (DynoModel *self, const char *format, GError **error)
{
  if (sees (self))
    return self->architecture;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      /* Translators: a model, and “jpeg” or “png” */
      _ ("“%s” cannot be given a picture file: it is none of the vision models that Dyno builds, or it "
         "generates text. Leave out “%s”."),
      self->name, format);
  return NULL;
}

DynoModel *
dyno_model_take_modality (DynoModel *whole, const char *spec, const char *modality, GError **error)
{
  g_autoptr (DynoModel) self = whole;
  gboolean is_picture = g_strv_contains (picture_formats, modality);
  const DynoArchitecture *part =
      is_picture ? find_seeing (self, modality, error)
                 : dyno_architecture_find_modality (self->architecture, modality, self->name, error);
  DynoModel *copy;

  if (part == NULL)
    return NULL;
  copy = copy_facts (self);
  copy->architecture = part;
  if (is_picture)
    copy->picture = g_intern_string (modality);
  /* A model from JSON has both names already. */
  if (!g_str_equal (self->id, spec))
    {
      g_free (copy->id);
      g_free (copy->name);
      copy->id = g_strdup (spec);
      copy->name = g_strdup_printf ("%s (%s)", self->name, modality);
    }
  return complete_copy (self, copy, NULL, error);
}

const char *
dyno_model_get_picture (DynoModel *self, double mean[3], double deviation[3])
{
  /* Those of ImageNet, where no file says others. */
  static const double means[] = { 0.485, 0.456, 0.406 }, deviations[] = { 0.229, 0.224, 0.225 };
  JsonObject *config, *published;
  JsonArray *arrays[2];

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  config = self->config != NULL ? json_node_get_object (self->config) : NULL;
  published = dyno_json_member_get_object (config, DYNO_LOG_MEL_CONFIG);
  arrays[0] = dyno_json_member_get_array (published, "image_mean");
  arrays[1] = dyno_json_member_get_array (published, "image_std");
  for (guint i = 0; i < 3; i++)
    {
      gboolean are_given = arrays[0] != NULL && arrays[1] != NULL && json_array_get_length (arrays[0]) == 3 &&
                           json_array_get_length (arrays[1]) == 3;

      mean[i] =
          are_given ? dyno_json_node_get_double (json_array_get_element (arrays[0], i), means[i]) : means[i];
      deviation[i] = are_given
                         ? dyno_json_node_get_double (json_array_get_element (arrays[1], i), deviations[i])
                         : deviations[i];
      if (!(deviation[i] > 0))
        deviation[i] = deviations[i];
    }
  return self->picture;
}

DynoModel *
dyno_model_with_attention (DynoModel *self, const char *attention, GError **error)
{
  gboolean is_fused;
  g_autoptr (DynoModel) copy = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (attention != NULL, NULL);

  is_fused = g_str_equal (attention, "fused");
  if (!is_fused && keeps_bytes (self->precision))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("Only fused attention keeps its cache in 8 bits. Choose “attention=fused”, or another "
                      "precision than %s."),
                   self->precision);
      return NULL;
    }
  if (is_fused == self->is_fused)
    return g_object_ref (self);
  if (self->path != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("“%s” is an ONNX file and is measured as it is. Leave out the option “attention”."),
                 self->name);
  else
    {
      copy = copy_facts (self);
      copy->is_fused = is_fused;
      copy = complete_copy (self, g_steal_pointer (&copy), NULL, error);
    }
  if (copy == NULL || !is_fused ||
      (has_fused_cache (copy) || g_hash_table_contains (dyno_model_get_description (copy)->operators,
                                                        DYNO_NODE_CONTRIB ".MultiHeadAttention")))
    return g_steal_pointer (&copy);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("“%s” has no attention that could be fused. Leave out the option “attention”."),
               self->name);
  return NULL;
}

DynoModel *
dyno_model_with_window (DynoModel *self, guint window, GError **error)
{
  g_autofree char *written = NULL;
  JsonObject *config = NULL;
  JsonArray *types;
  gboolean has_window;
  DynoModel *copy;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (window == self->window)
    return g_object_ref (self);
  copy = copy_facts (self);
  if (self->path == NULL && self->config != NULL)
    {
      written = dyno_json_text_write (self->config, FALSE);
      json_node_unref (copy->config);
      copy->config = dyno_json_text_parse (written);
      config = json_node_get_object (copy->config);
    }
  if (dyno_json_member_get_int64 (config, "sliding_window", 0) <= 0)
    config = dyno_json_member_get_object (config, "text_config");
  types = dyno_json_member_get_array (config, "layer_types");
  has_window = dyno_json_member_get_int64 (config, "sliding_window", 0) > 0 &&
               (!json_object_has_member (config, "use_sliding_window") ||
                dyno_json_member_get_boolean (config, "use_sliding_window"));
  for (guint i = 0, n = types != NULL ? json_array_get_length (types) : 0; has_window && i < n; i++)
    {
      if (g_strcmp0 (dyno_json_node_get_string (json_array_get_element (types, i)), "sliding_attention") == 0)
        break;
      has_window = i + 1 < n;
    }
  if (has_window)
    {
      json_object_set_int_member (config, "sliding_window", window);
      copy->window = window;
      return complete_copy (self, copy, NULL, error);
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The config of “%s” has no sliding window that could have another length. Leave out the "
                  "option “window”."),
               self->name);
  g_object_unref (copy);
  return NULL;
}

guint
dyno_model_get_window (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return self->window;
}

gboolean
dyno_model_takes_images (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  return self->path == NULL && !self->is_gguf && self->architecture->takes_images;
}

DynoModel *
dyno_model_with_images (DynoModel *self, guint n_images, GError **error)
{
  DynoModel *copy;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (n_images == self->n_pictures)
    return g_object_ref (self);
  if (!dyno_model_takes_images (self))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("“%s” does not take any number of images in a prompt. Leave out “images”."),
                   self->name);
      return NULL;
    }
  copy = copy_facts (self);
  copy->n_pictures = n_images;
  if (n_images == 0)
    copy->architecture = dyno_architecture_find_modality (self->architecture, "text", self->name, NULL);
  return complete_copy (self, copy, NULL, error);
}

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
  if (dyno_model_is_served (self))
    return &dyno_served_family;
  if (self->path != NULL && dyno_model_get_format (self) == DYNO_MODEL_FORMAT_GGUF)
    return &dyno_gguf_family;
  if (self->engine_format != NULL)
    return &self->engine_format->family;
  return self->architecture != NULL ? self->architecture->family : &dyno_onnx_family;
}

const char *
dyno_model_get_family (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return get_family (self)->id;
}

gboolean
dyno_model_counts_tokens (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  return !get_family (self)->text_is_condition;
}

const char *
dyno_model_get_family_label (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return _ (get_family (self)->label);
}

const char *
dyno_model_get_architecture (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  if (self->path != NULL && dyno_model_get_description (self)->architecture != NULL)
    return dyno_model_get_description (self)->architecture;
  return self->architecture != NULL ? self->architecture->model_type : "onnx";
}

const char *
dyno_model_get_task (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->task;
}

const char *
dyno_model_get_licence (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->licence;
}

const char *
dyno_model_get_source (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return self->source;
}

gint64
dyno_model_get_parameter_count (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return self->n_listed_parameters > 0 ? self->n_listed_parameters
                                       : dyno_model_get_description (self)->parameter_count;
}

gint64
dyno_model_get_weight_bytes (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return self->n_listed_bytes > 0 ? self->n_listed_bytes : dyno_model_get_description (self)->weight_bytes;
}

const char *
dyno_model_get_weights_origin (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (dyno_model_is_served (self))
    return "served";
  if (self->path != NULL)
    return "file";
  return self->weights_folder != NULL ? "trained" : "random";
}

GPtrArray *
dyno_model_list_random_weights (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return dyno_model_get_description (self)->lacking;
}

GPtrArray *
dyno_model_list_unused_tensors (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return dyno_model_get_description (self)->unused;
}

const char *
dyno_model_get_weight_mix (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return dyno_model_get_format (self) == DYNO_MODEL_FORMAT_GGUF || self->engine_format != NULL
             ? dyno_model_get_description (self)->weight_mix
             : NULL;
}

GPtrArray *
dyno_model_get_inputs (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return dyno_model_get_description (self)->inputs;
}

GPtrArray *
dyno_model_get_outputs (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return dyno_model_get_description (self)->outputs;
}

gboolean
dyno_model_has_batch (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  return dyno_binding_has_kind (dyno_model_get_description (self)->inputs, DYNO_DIMENSION_KIND_BATCH);
}

gboolean
dyno_model_has_sequence (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  return dyno_binding_has_kind (dyno_model_get_description (self)->inputs, DYNO_DIMENSION_KIND_SEQUENCE);
}

gboolean
dyno_model_has_cache (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);

  if (dyno_model_is_served (self))
    return TRUE; /* its server keeps it */
  for (guint i = 0; i < dyno_model_get_description (self)->inputs->len; i++)
    if (dyno_tensor_info_is_cache (dyno_model_get_description (self)->inputs->pdata[i]))
      return TRUE;
  return FALSE;
}

guint
dyno_model_get_max_sequence_length (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return dyno_model_get_description (self)->max_sequence_length;
}

guint
dyno_model_get_usual_sequence_length (DynoModel *self)
{
  guint longest = dyno_model_get_max_sequence_length (self);
  gint64 usual = DYNO_MODEL_USUAL_LENGTH;
  GHashTableIter iter;
  gpointer symbol, least;

  /* A file's convolution may need more. */
  g_hash_table_iter_init (&iter, dyno_model_get_description (self)->least_sizes);
  while (self->architecture == NULL && g_hash_table_iter_next (&iter, &symbol, &least))
    if (dyno_dimension_kind (symbol) == DYNO_DIMENSION_KIND_SEQUENCE)
      usual = MAX (usual, *(gint64 *)least);
  usual = MIN (usual + dyno_model_description_count_places (dyno_model_get_description (self)), G_MAXINT32);
  return longest > 0 ? (guint)MIN (longest, usual) : (guint)usual;
}

char **
dyno_model_dup_operators (DynoModel *self)
{
  g_autoptr (GList) names = NULL;
  g_autoptr (GStrvBuilder) operators = g_strv_builder_new ();

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  names = g_list_sort (g_hash_table_get_keys (dyno_model_get_description (self)->operators),
                       (GCompareFunc)strcmp);
  for (GList *l = names; l != NULL; l = l->next)
    g_strv_builder_add (operators, l->data);
  return g_strv_builder_end (operators);
}

gint64
dyno_model_get_window_elements (DynoModel *self, const char *node)
{
  const gint64 *elements;

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);

  elements = g_hash_table_lookup (dyno_model_get_description (self)->windows, node);
  return elements != NULL ? *elements : 0;
}

const char *
dyno_model_get_equation (DynoModel *self, const char *node)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return g_hash_table_lookup (dyno_model_get_description (self)->equations, node);
}

const char *
dyno_model_get_branch (DynoModel *self, const char *node)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  return g_hash_table_lookup (dyno_model_get_description (self)->branches, node);
}

static int
compare_sizes (gconstpointer one, gconstpointer other)
{
  gint64 a = *(const gint64 *)one, b = *(const gint64 *)other;

  return (a > b) - (a < b);
}

GArray *
dyno_model_list_suggested_sizes (DynoModel *self)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  GHashTableIter iter;
  gpointer text;

  g_return_val_if_fail (DYNO_IS_MODEL (self), sizes);

  g_hash_table_iter_init (&iter, dyno_model_get_description (self)->sizes);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    {
      gint64 size = g_ascii_strtoll (text, NULL, 10);

      g_array_append_val (sizes, size);
    }
  g_array_sort (sizes, compare_sizes);
  return sizes;
}

const char *
dyno_model_get_file_precision (DynoModel *self)
{
  const char *quantisation;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (self->path == NULL || dyno_model_is_served (self))
    return NULL;
  quantisation = dyno_model_get_description (self)->quantisation;
  return quantisation != NULL ? quantisation : dyno_precision_from_type (self->real_type);
}

const char *
dyno_model_get_case_precision (DynoModel *self, const char *asked)
{
  const char *own = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (asked != NULL, NULL);

  if (dyno_model_is_served (self))
    return DYNO_MODEL_SERVED_PRECISION;
  if (self->path != NULL)
    own = dyno_model_get_format (self) == DYNO_MODEL_FORMAT_GGUF
              ? dyno_model_get_file_precision (self)
              : dyno_model_get_description (self)->quantisation;
  return own != NULL && (g_str_equal (asked, dyno_precision_list ()[0]) ||
                         g_str_equal (asked, dyno_precision_get_computed (own)))
             ? own
             : asked;
}

gboolean
dyno_model_check_precision (DynoModel *self, const char *precision, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  g_return_val_if_fail (precision != NULL, FALSE);

  return check_precision (self, dyno_model_get_format (self), precision, error);
}
