/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-convolution.h"
#include "dyno-layers.h"

/* ConvNeXt, Liu et al. 2022. Norms and the inner layers work on the channels of a position, so images are transposed to
 * [batch, height, width, channels] for them, as in the published code. */

#define KERNEL    7
#define EXPANSION 4
#define EPSILON   1e-6

typedef struct
{
  GArray *widths;
  GArray *depths;
  gint64 n_channels;
  gint64 patch_side;
  gint64 n_labels;
  double epsilon;
  gboolean is_scaled;
  const char *activation;
} Convnext;

static const char *
add_layer (DynoGraph *graph, const Convnext *self, gint64 width, const char *value)
{
  const DynoConvolution depthwise = { width, KERNEL, 1, 1, width, .has_bias = TRUE };
  const char *inner = dyno_convolution_add (&depthwise, graph, "dwconv", value);

  inner = dyno_graph_add (graph, "Transpose", "perm=[0,2,3,1]", inner, NULL);
  inner = dyno_layers_layer_norm (graph, "layernorm", inner, EPSILON);
  inner = dyno_layers_linear (graph, "pwconv1", inner, EXPANSION * width, TRUE);
  inner = dyno_layers_activation (graph, self->activation, inner);
  inner = dyno_layers_linear (graph, "pwconv2", inner, width, TRUE);
  if (self->is_scaled)
    inner =
        dyno_graph_add (graph, "Mul", NULL, inner,
                        dyno_graph_add_weight (graph, "layer_scale_parameter", 0.5, 0.02, 1, &width), NULL);
  inner = dyno_graph_add (graph, "Transpose", "perm=[0,3,1,2]", inner, NULL);
  return dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
}

static const char *
add_stage (DynoGraph *graph, const Convnext *self, guint stage, const char *value)
{
  gint64 width = g_array_index (self->widths, gint64, stage);
  const DynoConvolution halve = { width, 2, 2, 1, 1, .has_bias = TRUE, .is_cropped = TRUE };

  dyno_graph_push_scope (graph, "convnext.encoder.stages.%u", stage);
  if (stage > 0)
    {
      value = dyno_convolution_normalize_places (graph, "downsampling_layer.0", value, EPSILON);
      value = dyno_convolution_add (&halve, graph, "downsampling_layer.1", value);
    }
  for (gint64 i = 0; i < g_array_index (self->depths, gint64, stage); i++)
    {
      dyno_graph_push_scope (graph, "layers.%" G_GINT64_FORMAT, i);
      value = add_layer (graph, self, width, value);
      dyno_graph_pop_scope (graph);
    }
  dyno_graph_pop_scope (graph);
  return value;
}

static void
add_convnext (DynoGraph *graph, const Convnext *self)
{
  g_autofree char *labels = g_strdup_printf ("batch, %" G_GINT64_FORMAT, self->n_labels);
  const DynoConvolution patches = {
    g_array_index (self->widths, gint64, 0),
    self->patch_side,
    self->patch_side,
    1,
    1,
    .has_bias = TRUE,
    .is_cropped = TRUE,
  };
  const char *value = dyno_convolution_add_pictures (graph, self->n_channels);

  dyno_graph_push_scope (graph, "convnext.embeddings");
  value = dyno_convolution_add (&patches, graph, "patch_embeddings", value);
  value = dyno_convolution_normalize_places (graph, "layernorm", value, EPSILON);
  dyno_graph_pop_scope (graph);
  for (guint stage = 0; stage < self->widths->len; stage++)
    value = add_stage (graph, self, stage, value);
  dyno_graph_push_scope (graph, "convnext.pooler");
  value = dyno_graph_add (graph, "GlobalAveragePool", NULL, value, NULL);
  value = dyno_graph_add (graph, "Flatten", "axis=1", value, NULL);
  dyno_graph_pop_scope (graph);
  value = dyno_layers_layer_norm (graph, "convnext.layernorm", value, self->epsilon);
  value = dyno_layers_linear (graph, "classifier", value, self->n_labels, TRUE);
  dyno_graph_add_output (graph, "logits", value, labels);
}

static void
check_convnext (const Convnext *self, DynoConfig *config)
{
  dyno_config_check_stages (config, "hidden_sizes", self->widths, self->depths);
  dyno_config_check_activation (config, self->activation);
}

static void
build_convnext (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (GArray) widths = dyno_config_get_ints (config, "hidden_sizes");
  g_autoptr (GArray) depths = dyno_config_get_ints (config, "depths");
  Convnext self = {
    .widths = widths,
    .depths = depths,
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 4),
    .n_labels = dyno_config_get_n_labels (config),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-12),
    .is_scaled = dyno_config_get_double_or (config, "layer_scale_init_value", 1e-6) > 0,
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };

  check_convnext (&self, config);
  if (dyno_config_check (config, NULL))
    add_convnext (graph, &self);
}

static const DynoNaming naming = { "convnext" };

const DynoArchitecture dyno_convnext_architectures[] = {
  { "convnext", &dyno_vision_family, "image-classification", build_convnext, &naming },
  { NULL },
};
