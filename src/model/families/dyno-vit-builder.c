/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"

typedef struct
{
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gint64 image_side;
  gint64 patch_side;
  gint64 n_channels;
  gint64 n_labels;
  gboolean has_input_bias;
  double epsilon;
  const char *activation;
} Vit;

/* A convolution that steps as far as it is wide cuts the picture into patches: [batch, patches, width]. */
static const char *
add_patches (DynoGraph *graph, const Vit *self, const char *pixels)
{
  const gint64 dims[] = { self->width, self->n_channels, self->patch_side, self->patch_side };
  const gint64 target[] = { 0, self->width, -1 };
  double deviation = 1 / sqrt ((double)(dims[1] * dims[2] * dims[3]));
  g_autofree char *attributes = g_strdup_printf ("kernel_shape=[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                                                 "] strides=[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]",
                                                 dims[2], dims[3], dims[2], dims[3]);
  const char *value;

  dyno_graph_push_scope (graph, "patch_embeddings.projection");
  value = dyno_graph_add (graph, "Conv", attributes, pixels,
                          dyno_graph_add_weight (graph, "weight", 0, deviation, 4, dims),
                          dyno_graph_add_weight (graph, "bias", 0, 0.02, 1, dims), NULL);
  value = dyno_graph_add (graph, "Reshape", NULL, value, dyno_graph_add_ints (graph, 3, target), NULL);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

/* One learned token in front of every picture's patches; the answer is read from it. */
static const char *
add_class_token (DynoGraph *graph, const Vit *self, const char *pixels)
{
  const gint64 dims[] = { 1, 1, self->width };
  const char *batch = dyno_graph_add (graph, "Shape", "start=0 end=1", pixels, NULL);
  const char *shape =
      dyno_graph_add (graph, "Concat", "axis=0", batch, dyno_graph_add_ints (graph, 2, dims + 1), NULL);

  return dyno_graph_add (graph, "Expand", NULL, dyno_graph_add_weight (graph, "cls_token", 0, 0.02, 3, dims),
                         shape, NULL);
}

static const char *
add_embeddings (DynoGraph *graph, const Vit *self, const char *pixels)
{
  gint64 per_side = self->image_side / self->patch_side;
  const gint64 dims[] = { 1, per_side * per_side + 1, self->width };
  const char *value;

  dyno_graph_push_scope (graph, "vit.embeddings");
  value = add_patches (graph, self, pixels);
  value = dyno_graph_add (graph, "Concat", "axis=1", add_class_token (graph, self, pixels), value, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value,
                          dyno_graph_add_weight (graph, "position_embeddings", 0, 0.02, 3, dims), NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_attention (DynoGraph *graph, const Vit *self, const char *value)
{
  const char *query, *key;

  dyno_graph_push_scope (graph, "attention.attention");
  query = dyno_layers_linear (graph, "query", value, self->width, self->has_input_bias);
  key = dyno_layers_linear (graph, "key", value, self->width, self->has_input_bias);
  value = dyno_layers_linear (graph, "value", value, self->width, self->has_input_bias);
  value = dyno_layers_attention (graph, dyno_layers_split_heads (graph, query, self->n_heads),
                                 dyno_layers_split_heads (graph, key, self->n_heads),
                                 dyno_layers_split_heads (graph, value, self->n_heads), NULL,
                                 dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return dyno_layers_linear (graph, "attention.output.dense", value, self->width, TRUE);
}

static const char *
add_layer (DynoGraph *graph, const Vit *self, const char *value)
{
  const char *inner = dyno_layers_layer_norm (graph, "layernorm_before", value, self->epsilon);

  value = dyno_graph_add (graph, "Add", NULL, add_attention (graph, self, inner), value, NULL);
  inner = dyno_layers_layer_norm (graph, "layernorm_after", value, self->epsilon);
  dyno_graph_push_scope (graph, "intermediate");
  inner = dyno_layers_linear (graph, "dense", inner, self->inner_width, TRUE);
  inner = dyno_layers_activation (graph, self->activation, inner);
  dyno_graph_pop_scope (graph);
  dyno_graph_push_scope (graph, "output");
  inner = dyno_layers_linear (graph, "dense", inner, self->width, TRUE);
  value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static void
add_vit (DynoGraph *graph, const Vit *self)
{
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT,
                       self->n_channels, self->image_side, self->image_side);
  g_autofree char *labels = g_strdup_printf ("batch, %" G_GINT64_FORMAT, self->n_labels);
  const char *pixels =
      dyno_graph_add_input (graph, "pixel_values", dyno_graph_get_real_type (graph), dimensions);
  const char *value = add_embeddings (graph, self, pixels);

  for (guint i = 0; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "vit.encoder.layer.%u", i);
      value = add_layer (graph, self, value);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_layers_layer_norm (graph, "vit.layernorm", value, self->epsilon);
  dyno_graph_push_scope (graph, "classifier");
  value = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, 0), NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "logits",
                         dyno_layers_linear (graph, "classifier", value, self->n_labels, TRUE), labels);
}

static void
check_vit (const Vit *self, DynoConfig *config)
{
  if (self->width % self->n_heads != 0)
    dyno_config_fail (config, _ ("its width %" PRId64 " is not a multiple of its %" PRId64 " heads"),
                      self->width, self->n_heads);
  if (self->image_side < self->patch_side)
    dyno_config_fail (config, _ ("its patches are larger than its pictures"));
  if (self->n_layers > 1000)
    dyno_config_fail (config, _ ("%" PRId64 " layers are too many"), self->n_layers);
  if (!dyno_layers_knows_activation (self->activation))
    dyno_config_fail (config, _ ("its activation “%s” is not known"), self->activation);
}

static void
build_vit (DynoGraph *graph, DynoConfig *config)
{
  Vit self = {
    .width = dyno_config_get_int (config, "hidden_size"),
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .n_heads = dyno_config_get_int (config, "num_attention_heads"),
    .inner_width = dyno_config_get_int (config, "intermediate_size"),
    .image_side = dyno_config_get_int_or (config, "image_size", 224),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 16),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_labels = dyno_config_get_n_labels (config),
    .has_input_bias = dyno_config_get_boolean_or (config, "qkv_bias", TRUE),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-12),
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };

  check_vit (&self, config);
  if (dyno_config_check (config, NULL))
    add_vit (graph, &self);
}

static const DynoNaming naming = { "vit" };

const DynoArchitecture dyno_vit_architectures[] = {
  { "vit", &dyno_vision_family, "image-classification", build_vit, &naming },
  { NULL },
};
