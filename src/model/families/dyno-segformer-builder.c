/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

/* SegFormer, Xie et al. 2021: stages of attention with keys and values from a downsampled image, and a head that
 * combines all stages. Between convolutions images are [batch, height, width, channels]. */

#define EPSILON 1e-5 /* independent of the config, which the published code ignores here */

typedef struct
{
  GArray *widths;
  GArray *depths;
  GArray *heads;
  GArray *reductions;
  GArray *patch_sides;
  GArray *strides;
  GArray *inner_factors;
  gint64 n_channels;
  gint64 sides[2]; /* usual height and width of a picture */
  gint64 head_width;
  gint64 n_labels;
  const char *activation;
  DynoHead head;
} Segformer;

static const char *
channels_first (DynoGraph *graph, const char *value)
{
  return dyno_graph_add (graph, "Transpose", "perm=[0,3,1,2]", value, NULL);
}

static const char *
channels_last (DynoGraph *graph, const char *value)
{
  return dyno_graph_add (graph, "Transpose", "perm=[0,2,3,1]", value, NULL);
}

/* A convolution of a value with channels last. */
static const char *
convolve (DynoGraph *graph, const DynoConvolution *convolution, const char *name, const char *value)
{
  value = dyno_convolution_add (convolution, graph, name, channels_first (graph, value));
  return channels_last (graph, value);
}

/* [batch, heads, positions, width of a head] */
static const char *
split_heads (DynoGraph *graph, const char *value, gint64 n_heads)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  const gint64 flat[] = { 0, -1, shape->dims[shape->rank - 1] };

  value = dyno_layers_reshape (graph, value, 3, flat);
  return dyno_layers_split_heads (graph, value, n_heads);
}

static const char *
add_layer (DynoGraph *graph, const Segformer *self, guint stage, const char *value)
{
  const char *inner = dyno_layers_layer_norm (graph, "layer_norm_1", value, EPSILON);
  gint64 width = dyno_config_get_item (self->widths, stage);
  gint64 n_heads = dyno_config_get_item (self->heads, stage);
  gint64 reduction = dyno_config_get_item (self->reductions, stage);
  gint64 inner_width = width * dyno_config_get_item (self->inner_factors, stage);
  const DynoConvolution depthwise = { inner_width, 3, 1, 1, inner_width, .has_bias = TRUE };
  const DynoConvolution convolution = {
    width, reduction, reduction, 1, 1, .has_bias = TRUE, .is_cropped = TRUE,
  };
  const char *shape, *query, *key;

  dyno_graph_push_scope (graph, "attention.self");
  shape = dyno_graph_add (graph, "Shape", NULL, inner, NULL);
  query = dyno_layers_linear (graph, "query", inner, width, TRUE);
  if (reduction != 1)
    {
      inner = convolve (graph, &convolution, "sr", inner);
      inner = dyno_layers_layer_norm (graph, "layer_norm", inner, EPSILON);
    }
  key = dyno_layers_linear (graph, "key", inner, width, TRUE);
  inner = dyno_layers_linear (graph, "value", inner, width, TRUE);
  query = split_heads (graph, query, n_heads);
  key = split_heads (graph, key, n_heads);
  inner = split_heads (graph, inner, n_heads);
  inner = dyno_layers_attention (graph, query, key, inner, NULL, DYNO_DATA_TYPE_FLOAT);
  inner = dyno_graph_add (graph, "Reshape", NULL, inner, shape, NULL);
  dyno_graph_pop_scope (graph);
  inner = dyno_layers_linear (graph, "attention.output.dense", inner, width, TRUE);
  value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
  inner = dyno_layers_layer_norm (graph, "layer_norm_2", value, EPSILON);

  /* Its convolution replaces position embeddings. */
  dyno_graph_push_scope (graph, "mlp");
  inner = dyno_layers_linear (graph, "dense1", inner, inner_width, TRUE);
  inner = convolve (graph, &depthwise, "dwconv.dwconv", inner);
  inner = dyno_layers_activation (graph, self->activation, inner);
  inner = dyno_layers_linear (graph, "dense2", inner, width, TRUE);
  dyno_graph_pop_scope (graph);
  return dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
}

/* Takes [batch, channels, height, width]. */
static const char *
add_stage (DynoGraph *graph, const Segformer *self, guint stage, const char *value)
{
  const DynoConvolution patches = { dyno_config_get_item (self->widths, stage),
                                    dyno_config_get_item (self->patch_sides, stage),
                                    dyno_config_get_item (self->strides, stage),
                                    1,
                                    1,
                                    .has_bias = TRUE };

  dyno_graph_push_scope (graph, "segformer.encoder.patch_embeddings.%u", stage);
  value = channels_last (graph, dyno_convolution_add (&patches, graph, "proj", value));
  value = dyno_layers_layer_norm (graph, "layer_norm", value, EPSILON);
  dyno_graph_pop_scope (graph);
  for (guint i = 0; i < dyno_config_get_item (self->depths, stage); i++)
    {
      dyno_graph_push_scope (graph, "segformer.encoder.block.%u.%u", stage, i);
      value = add_layer (graph, self, stage, value);
      dyno_graph_pop_scope (graph);
    }
  return value;
}

/* The class of each position, at a quarter of the height and width if the first stride is 4. */
static void
add_head (DynoGraph *graph, const Segformer *self, const char **stages)
{
  const DynoConvolution fuse = { self->head_width, 1, 1, 1, 1 };
  const DynoConvolution classify = { self->n_labels, 1, 1, 1, 1, .has_bias = TRUE };
  guint n_stages = self->widths->len;
  g_autofree const char **parts = g_new (const char *, n_stages);
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", rows, columns", self->n_labels);
  const char *value, *size, *shape;

  dyno_graph_push_scope (graph, "decode_head.size");
  size = dyno_graph_add (graph, "Shape", "start=1 end=3", stages[0], NULL);
  dyno_graph_pop_scope (graph);
  for (guint i = 0; i < n_stages; i++)
    {
      /* Projects each stage to the width of the head and resizes it to the first. */
      dyno_graph_push_scope (graph, "decode_head.linear_c.%u", i);
      value = dyno_layers_linear (graph, "proj", stages[i], self->head_width, TRUE);
      value = channels_first (graph, value);
      if (i > 0)
        {
          shape = dyno_graph_add (graph, "Shape", "start=0 end=2", value, NULL);
          shape = dyno_graph_add (graph, "Concat", "axis=0", shape, size, NULL);
          value = dyno_graph_add (graph, "Resize", "mode=linear coordinate_transformation_mode=half_pixel",
                                  value, "", "", shape, NULL);
        }
      dyno_graph_pop_scope (graph);
      parts[n_stages - 1 - i] = value;
    }
  dyno_graph_push_scope (graph, "decode_head");
  value = dyno_graph_add_list (graph, "Concat", "axis=1", n_stages, parts);
  value = dyno_convolution_add (&fuse, graph, "linear_fuse", value);
  value = dyno_convolution_normalize (graph, "batch_norm", value, 1, EPSILON);
  value = dyno_layers_activation (graph, "relu", value);
  value = dyno_convolution_add (&classify, graph, "classifier", value);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "logits", value, dimensions);
}

static void
add_segformer (DynoGraph *graph, const Segformer *self)
{
  g_autofree const char **stages = g_new (const char *, self->widths->len);
  const char *value = dyno_convolution_add_pictures (graph, self->n_channels, self->sides);

  for (guint i = 0; i < self->widths->len; i++)
    {
      g_autofree char *norm = g_strdup_printf ("layer_norm.%u", i);

      value = add_stage (graph, self, i, value);
      dyno_graph_push_scope (graph, "segformer.encoder");
      stages[i] = dyno_layers_layer_norm (graph, norm, value, EPSILON);
      dyno_graph_pop_scope (graph);
      if (i + 1 < self->widths->len)
        {
          dyno_graph_push_scope (graph, "segformer.encoder.block.%u", i);
          value = channels_first (graph, stages[i]);
          dyno_graph_pop_scope (graph);
        }
    }
  if (self->head.kind == DYNO_HEAD_LAYERS)
    {
      /* A classifier reads the mean of all places of the last stage: [batch, width] */
      value = stages[self->widths->len - 1];
      dyno_graph_push_scope (graph, "segformer.pooler");
      value = dyno_graph_add (graph, "ReduceMean", "axes=[1,2] keepdims=1", value, NULL);
      value = dyno_graph_add (graph, "Flatten", "axis=1", value, NULL);
      dyno_graph_pop_scope (graph);
      dyno_head_add (&self->head, graph, value, NULL, NULL);
    }
  else
    add_head (graph, self, stages);
}

static void
check (const Segformer *self, DynoConfig *config)
{
  const struct
  {
    const char *name;
    GArray *sizes;
  } lists[] = {
    { "depths", self->depths },        { "num_attention_heads", self->heads },
    { "sr_ratios", self->reductions }, { "patch_sizes", self->patch_sides },
    { "strides", self->strides },      { "mlp_ratios", self->inner_factors },
  };
  guint n_stages = self->widths->len;

  if (n_stages == 0 || dyno_config_get_int_or (config, "num_encoder_blocks", n_stages) != n_stages)
    dyno_config_fail (config, _ ("its “hidden_sizes” are not as many as its “num_encoder_blocks”"));
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (lists[i].sizes->len != n_stages)
      dyno_config_fail (config, _ ("its “%s” are not as many as its “hidden_sizes”"), lists[i].name);
  dyno_config_check_activation (config, "hidden_act", self->activation);
  for (guint i = 0; i < n_stages && dyno_config_check (config, NULL); i++)
    {
      if (dyno_config_get_item (self->widths, i) % dyno_config_get_item (self->heads, i) != 0)
        dyno_config_fail (config,
                          _ ("in stage %u, its “hidden_sizes” are no multiple of its “num_attention_heads”"),
                          i + 1);
      if (dyno_config_get_item (self->patch_sides, i) % 2 == 0)
        dyno_config_fail (config, _ ("its “patch_sizes” must be odd"));
      if (dyno_config_get_item (self->depths, i) > 1000)
        dyno_config_fail (config, _ ("its “depths” are too many layers"));
      if (dyno_config_get_item (self->inner_factors, i) > 1000)
        dyno_config_fail (config, _ ("its “mlp_ratios” are too large"));
    }
}

static void
build_segformer (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (GArray) widths = dyno_config_get_ints (config, "hidden_sizes");
  g_autoptr (GArray) depths = dyno_config_get_ints (config, "depths");
  g_autoptr (GArray) heads = dyno_config_get_ints (config, "num_attention_heads");
  g_autoptr (GArray) reductions = dyno_config_get_ints (config, "sr_ratios");
  g_autoptr (GArray) patch_sides = dyno_config_get_ints (config, "patch_sizes");
  g_autoptr (GArray) strides = dyno_config_get_ints (config, "strides");
  g_autoptr (GArray) inner_factors = dyno_config_get_ints (config, "mlp_ratios");
  Segformer self = {
    .widths = widths,
    .depths = depths,
    .heads = heads,
    .reductions = reductions,
    .patch_sides = patch_sides,
    .strides = strides,
    .inner_factors = inner_factors,
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .head_width = dyno_config_get_int_or (config, "decoder_hidden_size", 256),
    .n_labels = dyno_config_get_n_labels (config, 2),
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
    .head = dyno_head_read (config),
  };

  dyno_config_get_sides (config, 224, self.sides);
  check (&self, config);
  if (dyno_config_check (config, NULL))
    add_segformer (graph, &self);
}

/* Files of the encoder alone, trained for classification, lack the head. */
static const char *const optional[] = { "decode_head.", NULL };
static const DynoNaming naming = { "segformer", NULL, optional };

const DynoArchitecture dyno_segformer_architectures[] = {
  { "segformer", &dyno_vision_family, "image-segmentation", build_segformer, &naming },
  { NULL },
};
