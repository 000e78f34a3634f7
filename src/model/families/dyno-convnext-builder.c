/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

/* ConvNeXt, Liu et al. 2022, its second version, Woo et al. 2023, and DINOv3's. Norms and the inner layers work on the
 * channels of a position, so images are transposed to [batch, height, width, channels] for them, as in the published
 * code. */

#define KERNEL    7
#define EXPANSION 4
#define EPSILON   1e-6

typedef struct
{
  GArray *widths;
  GArray *depths;
  gint64 n_channels;
  gint64 sides[2]; /* usual height and width of a picture */
  gint64 patch_side;
  gint64 n_labels;
  double epsilon;
  const char *scope;
  gboolean is_scaled;
  gboolean gives_places; /* the mean is a token before those of all places */
  gboolean
      has_responses; /* whether channels are normalised by how strongly they respond anywhere in the image */
  const char *activation;
} Convnext;

static const char *
add_response_weight (DynoGraph *graph, const char *name, gint64 width)
{
  const gint64 dims[] = { 1, 1, 1, width };

  return dyno_graph_add_weight (graph, name, 0, 0.02, 4, dims);
}

static const char *
add_layer (DynoGraph *graph, const Convnext *self, gint64 width, const char *value)
{
  const DynoConvolution depthwise = { width, KERNEL, 1, 1, width, .has_bias = TRUE };
  const char *inner = dyno_convolution_add (&depthwise, graph, "dwconv", value);
  const char *sums, *mean, *scaled;

  inner = dyno_graph_add (graph, "Transpose", "perm=[0,2,3,1]", inner, NULL);
  inner = dyno_layers_layer_norm (graph, "layernorm", inner, EPSILON);
  inner = dyno_layers_linear (graph, "pwconv1", inner, EXPANSION * width, TRUE);
  inner = dyno_layers_activation (graph, self->activation, inner);
  if (self->has_responses)
    {
      /* Responses are normalised in single precision in any graph, because that sums over the image: [batch, height,
       * width, channels] */
      dyno_graph_push_scope (graph, "grn");
      sums = dyno_layers_cast (graph, inner, DYNO_DATA_TYPE_FLOAT);
      sums = dyno_graph_add (graph, "ReduceL2", "axes=[1,2] keepdims=1", sums, NULL);
      mean = dyno_graph_add (graph, "ReduceMean", "axes=[-1] keepdims=1", sums, NULL);
      mean = dyno_graph_add (graph, "Add", NULL, mean, dyno_graph_add_float (graph, (float)EPSILON), NULL);
      sums = dyno_graph_add (graph, "Div", NULL, sums, mean, NULL);
      sums = dyno_layers_cast (graph, sums, dyno_graph_get_real_type (graph));
      scaled = dyno_graph_add (graph, "Mul", NULL, inner, sums, NULL);
      scaled = dyno_graph_add (graph, "Mul", NULL, scaled,
                               add_response_weight (graph, "weight", EXPANSION * width), NULL);
      scaled = dyno_graph_add (graph, "Add", NULL, scaled,
                               add_response_weight (graph, "bias", EXPANSION * width), NULL);
      inner = dyno_graph_add (graph, "Add", NULL, scaled, inner, NULL);
      dyno_graph_pop_scope (graph);
    }
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

  dyno_graph_push_scope (graph, "%s.encoder.stages.%u", self->scope, stage);
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
  const DynoConvolution patches = {
    g_array_index (self->widths, gint64, 0),
    self->patch_side,
    self->patch_side,
    1,
    1,
    .has_bias = TRUE,
    .is_cropped = TRUE,
  };
  g_autofree char *norm = g_strconcat (self->scope, ".layernorm", NULL);
  const char *value = dyno_convolution_add_pictures (graph, self->n_channels, self->sides);

  dyno_graph_push_scope (graph, "%s.embeddings", self->scope);
  value = dyno_convolution_add (&patches, graph, "patch_embeddings", value);
  value = dyno_convolution_normalize_places (graph, "layernorm", value, EPSILON);
  dyno_graph_pop_scope (graph);
  for (guint stage = 0; stage < self->widths->len; stage++)
    value = add_stage (graph, self, stage, value);
  if (self->gives_places)
    {
      /* The mean of all places, and the places themselves: [batch, 1 + places, channels] */
      gint64 width = dyno_graph_get_shape (graph, value)->dims[1];
      const gint64 rows[] = { 0, width, -1 };
      g_autofree char *features = g_strdup_printf ("batch, places, %" G_GINT64_FORMAT, width);
      g_autofree char *pooled = g_strdup_printf ("batch, %" G_GINT64_FORMAT, width);
      const char *mean;

      dyno_graph_push_scope (graph, "%s.pooler", self->scope);
      value = dyno_layers_reshape (graph, value, 3, rows);
      value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
      mean = dyno_graph_add (graph, "ReduceMean", "axes=[1] keepdims=1", value, NULL);
      value = dyno_graph_add (graph, "Concat", "axis=1", mean, value, NULL);
      dyno_graph_pop_scope (graph);
      value = dyno_layers_layer_norm (graph, norm, value, self->epsilon);
      dyno_graph_add_output (graph, "last_hidden_state", value, features);
      value = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, 0), NULL);
      dyno_graph_add_output (graph, "pooler_output", value, pooled);
      return;
    }
  value = dyno_convolution_pool (graph, self->scope, value);
  value = dyno_layers_layer_norm (graph, norm, value, self->epsilon);
  dyno_head_add_classes (graph, "classifier", value, self->n_labels);
}

static void
check_convnext (const Convnext *self, DynoConfig *config)
{
  dyno_config_check_stages (config, "hidden_sizes", self->widths, self->depths);
  dyno_config_check_activation (config, "hidden_act", self->activation);
}

static void
build (DynoGraph *graph, DynoConfig *config, gboolean is_second)
{
  g_autoptr (GArray) widths = dyno_config_get_ints (config, "hidden_sizes");
  g_autoptr (GArray) depths = dyno_config_get_ints (config, "depths");
  Convnext self = {
    .widths = widths,
    .depths = depths,
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 4),
    .n_labels = dyno_head_count_labels (config),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-12),
    .scope = is_second ? "convnextv2" : "convnext",
    .is_scaled = !is_second && dyno_config_get_double_or (config, "layer_scale_init_value", 1e-6) > 0,
    .has_responses = is_second,
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };

  dyno_config_get_sides (config, 224, self.sides);
  check_convnext (&self, config);
  if (dyno_config_check (config, NULL))
    add_convnext (graph, &self);
}

static void
build_convnext (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, FALSE);
}

/* All norms but the last have this ε here. */
static const DynoConfigFixed fixed_dinov3[] = { { "layer_norm_eps", "1e-06" } };

static void
build_convnext2 (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, TRUE);
}

/* Its norms all have the same ε, and its configs omit the sizes that others have. */
static void
build_dinov3 (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (GArray) widths = NULL;
  g_autoptr (GArray) depths = NULL;
  Convnext self;

  dyno_config_set_defaults (config, "{\"hidden_sizes\": [96, 192, 384, 768], \"depths\": [3, 3, 9, 3]}");
  widths = dyno_config_get_ints (config, "hidden_sizes");
  depths = dyno_config_get_ints (config, "depths");
  self = (Convnext){
    .widths = widths,
    .depths = depths,
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .patch_side = 4,
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", EPSILON),
    .scope = "dinov3",
    .is_scaled = TRUE,
    .gives_places = TRUE,
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };
  dyno_config_get_sides (config, 224, self.sides);
  dyno_config_check_fixed (config, fixed_dinov3, G_N_ELEMENTS (fixed_dinov3));
  check_convnext (&self, config);
  if (dyno_config_check (config, NULL))
    add_convnext (graph, &self);
}

static const DynoNamePair dinov3_pairs[] = {
  { "dinov3.embeddings.patch_embeddings.", "stages.0.downsample_layers.0." },
  { "dinov3.embeddings.layernorm.", "stages.0.downsample_layers.1." },
  { "dinov3.layernorm.", "layer_norm." },
  { "dinov3.encoder.", "" },
  { ".downsampling_layer.", ".downsample_layers." },
  { ".dwconv.", ".depthwise_conv." },
  { ".layernorm.", ".layer_norm." },
  { ".pwconv1.", ".pointwise_conv1." },
  { ".pwconv2.", ".pointwise_conv2." },
  { ".layer_scale_parameter", ".gamma" },
  { NULL }
};
static const DynoNaming dinov3_naming = { "model", dinov3_pairs };
static const DynoNaming naming = { "convnext" };
static const DynoNaming second_naming = { "convnextv2" };

const DynoArchitecture dyno_convnext_architectures[] = {
  { "convnext", &dyno_vision_family, "image-classification", build_convnext, &naming },
  { "convnextv2", &dyno_vision_family, "image-classification", build_convnext2, &second_naming },
  { "dinov3_convnext", &dyno_vision_family, "image-feature-extraction", build_dinov3, &dinov3_naming },
  { NULL },
};
