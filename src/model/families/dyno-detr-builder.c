/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

/* DETR, Carion et al. 2020: a ResNet with frozen norms, an encoder over the positions of its feature map, and a decoder
 * in which each query finds one object or none. The images of a batch have the same size and no padding. */

#define EPSILON     1e-5
#define PLACE_EPS   1e-6f /* avoids a division by 0 */
#define TEMPERATURE 10000
#define REDUCTION   4
#define USUAL_SIDE  800 /* the shorter side of a picture, as in its paper */

/* The names of convolutions and norms of a backbone in files. */
typedef struct
{
  const char *stem[2];
  const char *stage; /* its number follows, */
  guint first_stage; /* from this on, */
  const char *layer; /* and behind this the layer's */
  const char *body[3][2];
  const char *shortcut[2];
} BackboneNames;

static const BackboneNames timm_names = {
  .stem = { "conv1", "bn1" },
  .stage = "layer",
  .first_stage = 1,
  .layer = ".",
  .body = { { "conv1", "bn1" }, { "conv2", "bn2" }, { "conv3", "bn3" } },
  .shortcut = { "downsample.0", "downsample.1" },
};

static const BackboneNames resnet_names = {
  .stem = { "embedder.embedder.convolution", "embedder.embedder.normalization" },
  .stage = "encoder.stages.",
  .layer = ".layers.",
  .body = { { "layer.0.convolution", "layer.0.normalization" },
            { "layer.1.convolution", "layer.1.normalization" },
            { "layer.2.convolution", "layer.2.normalization" } },
  .shortcut = { "shortcut.convolution", "shortcut.normalization" },
};

typedef struct
{
  const BackboneNames *names;
  GArray *widths;
  GArray *depths;
  gint64 stem_width;
  gint64 n_channels;
  gboolean is_dilated; /* the last stage keeps its size, and looks twice as far instead */
} Backbone;

typedef struct
{
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  DynoConfigFields fields;
} Stack;

typedef struct
{
  Backbone backbone;
  Stack encoder;
  Stack decoder;
  gint64 width;
  gint64 n_queries;
  gint64 n_labels;
  const char *activation;
  gint64 sides[2]; /* usual height and width of a picture */
} Detr;

/* @geometry: channels, kernel, stride and dilation */
static const char *
convolve (DynoGraph *graph, const char *const names[2], const char *value, const gint64 geometry[4])
{
  const DynoConvolution convolution = { geometry[0], geometry[1], geometry[2], geometry[3], 1 };

  value = dyno_convolution_add (&convolution, graph, names[0], value);
  return dyno_convolution_normalize_frozen (graph, names[1], value);
}

static const char *
add_backbone (DynoGraph *graph, const Backbone *self, const char *value)
{
  value = convolve (graph, self->names->stem, value, (gint64[]){ self->stem_width, 7, 2, 1 });
  value = dyno_layers_activation (graph, "relu", value);
  value = dyno_graph_add (graph, "MaxPool", "kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]", value, NULL);
  for (guint stage = 0; stage < self->widths->len; stage++)
    for (guint i = 0; i < g_array_index (self->depths, gint64, stage); i++)
      {
        dyno_graph_push_scope (graph, "%s%u%s%u", self->names->stage, self->names->first_stage + stage,
                               self->names->layer, i);
        const char *residual = value;
        /* In a dilated stage the first layer has no stride, and the others are dilated: “DC5” of Carion et al. 2020. */
        gboolean is_dilated = self->is_dilated && stage + 1 == self->widths->len;
        gint64 stride = i == 0 && stage > 0 && !is_dilated ? 2 : 1;
        gint64 dilation = is_dilated && i > 0 ? 2 : 1;
        gint64 width = g_array_index (self->widths, gint64, stage);
        gint64 inner = width / REDUCTION;
        if (stride != 1 || dyno_graph_get_shape (graph, value)->dims[1] != width)
          residual = convolve (graph, self->names->shortcut, value, (gint64[]){ width, 1, stride, 1 });
        value = convolve (graph, self->names->body[0], value, (gint64[]){ inner, 1, 1, 1 });
        value = dyno_layers_activation (graph, "relu", value);
        value = convolve (graph, self->names->body[1], value, (gint64[]){ inner, 3, stride, dilation });
        value = dyno_layers_activation (graph, "relu", value);
        value = convolve (graph, self->names->body[2], value, (gint64[]){ width, 1, 1, 1 });
        value = dyno_graph_add (graph, "Add", NULL, value, residual, NULL);
        value = dyno_layers_activation (graph, "relu", value);
        dyno_graph_pop_scope (graph);
      }
  return value;
}

/* (position + 1) / (positions + ε) · 2π along a dimension of the image, each divided by the wavelengths: [positions,
 * half]. Every other column is shifted by a quarter period, so that its sine is the cosine. */
static const char *
add_waves (DynoGraph *graph, const char *picture, guint axis, gint64 half)
{
  const gint64 last = 1;
  g_autofree char *range = g_strdup_printf ("start=%u end=%u", axis, axis + 1);
  g_autofree float *frequencies = g_new (float, half);
  g_autofree float *phases = g_new (float, half);
  const char *places = dyno_relative_places (graph, picture, axis);
  const char *length = dyno_graph_add (graph, "Shape", range, picture, NULL);

  for (gint64 i = 0; i < half; i++)
    {
      frequencies[i] = (float)(2 * G_PI / pow (TEMPERATURE, 2.0 * (double)(i / 2) / (double)half));
      phases[i] = i % 2 == 0 ? 0 : (float)G_PI_2;
    }
  places = dyno_layers_cast (graph, places, DYNO_DATA_TYPE_FLOAT);
  places = dyno_graph_add (graph, "Add", NULL, places, dyno_graph_add_float (graph, 1), NULL);
  length = dyno_layers_cast (graph, length, DYNO_DATA_TYPE_FLOAT);
  length = dyno_graph_add (graph, "Add", NULL, length, dyno_graph_add_float (graph, PLACE_EPS), NULL);
  places = dyno_graph_add (graph, "Div", NULL, places, length, NULL);
  places = dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &last), NULL);
  places = dyno_graph_add (graph, "Mul", NULL, places,
                           dyno_graph_add_floats (graph, (guint)half, frequencies), NULL);
  places =
      dyno_graph_add (graph, "Add", NULL, places, dyno_graph_add_floats (graph, (guint)half, phases), NULL);
  return dyno_graph_add (graph, "Sin", NULL, places, NULL);
}

/* Half of the width encodes the row of a position, the other half the column: [1, positions, width]. */
static const char *
add_positions (DynoGraph *graph, const Detr *self, const char *picture)
{
  gint64 half = self->width / 2;
  const gint64 column = 1, flat[] = { 1, -1, self->width };
  const char *shape, *rows, *columns;

  dyno_graph_push_scope (graph, "model.position_embedding");
  shape = dyno_graph_add (graph, "Shape", "start=2 end=4", picture, NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", shape, dyno_graph_add_ints (graph, 1, &half), NULL);
  rows = add_waves (graph, picture, 2, half);
  rows = dyno_graph_add (graph, "Unsqueeze", NULL, rows, dyno_graph_add_ints (graph, 1, &column), NULL);
  rows = dyno_graph_add (graph, "Expand", NULL, rows, shape, NULL);
  columns = dyno_graph_add (graph, "Expand", NULL, add_waves (graph, picture, 3, half), shape, NULL);
  rows = dyno_graph_add (graph, "Concat", "axis=-1", rows, columns, NULL);
  rows = dyno_layers_reshape (graph, rows, 3, flat);
  rows = dyno_layers_cast (graph, rows, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return rows;
}

/* Position embeddings are added to the inputs of queries and keys, not of values. */
static const char *
add_attention (DynoGraph *graph, gint64 n_heads, const char *query, const char *key, const char *value)
{
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];

  query = dyno_layers_split_heads (graph, dyno_layers_linear (graph, "q_proj", query, width, TRUE), n_heads);
  key = dyno_layers_split_heads (graph, dyno_layers_linear (graph, "k_proj", key, width, TRUE), n_heads);
  value = dyno_layers_split_heads (graph, dyno_layers_linear (graph, "v_proj", value, width, TRUE), n_heads);
  value = dyno_layers_attention (graph, query, key, value, NULL, dyno_graph_get_real_type (graph));
  return dyno_layers_linear (graph, "out_proj", value, width, TRUE);
}

static const char *
add_self_attention (DynoGraph *graph, gint64 n_heads, const char *value, const char *places)
{
  const char *inner, *placed;

  dyno_graph_push_scope (graph, "self_attn");
  placed = dyno_graph_add (graph, "Add", NULL, value, places, NULL);
  inner = add_attention (graph, n_heads, placed, placed, value);
  value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
  dyno_graph_pop_scope (graph);
  return dyno_layers_layer_norm (graph, "self_attn_layer_norm", value, EPSILON);
}

static const char *
add_feed_forward (DynoGraph *graph, const Detr *self, gint64 inner_width, const char *value)
{
  const char *inner = dyno_layers_linear (graph, "fc1", value, inner_width, TRUE);

  inner = dyno_layers_activation (graph, self->activation, inner);
  inner = dyno_layers_linear (graph, "fc2", inner, self->width, TRUE);
  value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
  return dyno_layers_layer_norm (graph, "final_layer_norm", value, EPSILON);
}

/* The input of the first layer is zero: the learned queries are added in each layer. */
static const char *
add_decoder (DynoGraph *graph, const Detr *self, const char *pixels, const char *const memory[2])
{
  const gint64 dims[] = { self->n_queries, self->width };
  const char *queries, *shape, *value, *inner;

  dyno_graph_push_scope (graph, "model.query_position_embeddings");
  queries = dyno_graph_add_weight (graph, "weight", 0, 1, 2, dims);
  shape = dyno_graph_add (graph, "Shape", "start=0 end=1", pixels, NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", shape, dyno_graph_add_ints (graph, 2, dims), NULL);
  value = dyno_graph_add (graph, "Expand", NULL, dyno_graph_add_real (graph, 0), shape, NULL);
  dyno_graph_pop_scope (graph);
  for (guint i = 0; i < self->decoder.n_layers; i++)
    {
      dyno_graph_push_scope (graph, "model.decoder.layers.%u", i);

      value = add_self_attention (graph, self->decoder.n_heads, value, queries);
      dyno_graph_push_scope (graph, "encoder_attn");
      inner = dyno_graph_add (graph, "Add", NULL, value, queries, NULL);
      inner = add_attention (graph, self->decoder.n_heads, inner, memory[1], memory[0]);
      value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
      dyno_graph_pop_scope (graph);
      value = dyno_layers_layer_norm (graph, "encoder_attn_layer_norm", value, EPSILON);
      value = add_feed_forward (graph, self, self->decoder.inner_width, value);
      dyno_graph_pop_scope (graph);
    }
  return dyno_layers_layer_norm (graph, "model.decoder.layernorm", value, EPSILON);
}

static void
add_detr (DynoGraph *graph, const Detr *self)
{
  const DynoConvolution projection = { self->width, 1, 1, 1, 1, .has_bias = TRUE };
  const gint64 flat[] = { 0, self->width, -1 };
  const char *pixels = dyno_convolution_add_pictures (graph, self->backbone.n_channels, self->sides);
  const char *value, *places, *memory[2];

  dyno_graph_push_scope (graph, "model.backbone.conv_encoder.model");
  value = add_backbone (graph, &self->backbone, pixels);
  dyno_graph_pop_scope (graph);
  places = add_positions (graph, self, value);
  dyno_graph_push_scope (graph, "model");
  value = dyno_convolution_add (&projection, graph, "input_projection", value);
  value = dyno_layers_reshape (graph, value, 3, flat);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
  dyno_graph_pop_scope (graph);
  for (guint i = 0; i < self->encoder.n_layers; i++)
    {
      dyno_graph_push_scope (graph, "model.encoder.layers.%u", i);
      value = add_self_attention (graph, self->encoder.n_heads, value, places);
      value = add_feed_forward (graph, self, self->encoder.inner_width, value);
      dyno_graph_pop_scope (graph);
    }
  memory[0] = value;
  dyno_graph_push_scope (graph, "model.encoder");
  memory[1] = dyno_graph_add (graph, "Add", NULL, memory[0], places, NULL);
  dyno_graph_pop_scope (graph);

  /* A class for each query, including “no object”, and the box: centre and size relative to the image. */
  value = add_decoder (graph, self, pixels, memory);

  g_autofree char *classes =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, self->n_queries, self->n_labels + 1);
  g_autofree char *boxes = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", 4", self->n_queries);
  const char *logits = dyno_layers_linear (graph, "class_labels_classifier", value, self->n_labels + 1, TRUE);

  value = dyno_head_add_perceptron (graph, "bbox_predictor", value, 4);
  dyno_graph_push_scope (graph, "bbox_predictor");
  value = dyno_graph_add (graph, "Sigmoid", NULL, value, NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "logits", logits, classes);
  dyno_graph_add_output (graph, "pred_boxes", value, boxes);
}

/* The names in timm of ResNets with bottlenecks, by depth. */
static const struct
{
  const char *name;
  gint64 depths[4];
} timm_backbones[] = {
  { "resnet50", { 3, 4, 6, 3 } },
  { "resnet101", { 3, 4, 23, 3 } },
};

static void
read_timm_backbone (Backbone *self, DynoConfig *config)
{
  const char *name = dyno_config_get_string_or (config, "backbone", "resnet50");

  self->names = &timm_names;
  self->stem_width = 64;
  self->is_dilated = dyno_config_get_boolean_or (config, "dilation", FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (timm_backbones); i++)
    if (g_str_equal (timm_backbones[i].name, name))
      {
        const gint64 widths[] = { 256, 512, 1024, 2048 };

        g_array_append_vals (self->widths, widths, G_N_ELEMENTS (widths));
        g_array_append_vals (self->depths, timm_backbones[i].depths, 4);
        return;
      }
  dyno_config_fail (config, _ ("its “backbone” is “%s”, but resnet50 and resnet101 are known"), name);
}

static void
read_resnet_backbone (Backbone *self, DynoConfig *config)
{
  DynoConfig *inner = dyno_config_get_child (config, "backbone_config");
  g_autoptr (GArray) widths = dyno_config_get_ints (inner, "hidden_sizes");
  g_autoptr (GArray) depths = dyno_config_get_ints (inner, "depths");
  const char *type = dyno_config_get_string_or (inner, "model_type", "resnet");
  const char *layer = dyno_config_get_string_or (inner, "layer_type", "bottleneck");

  self->names = &resnet_names;
  self->stem_width = dyno_config_get_int_or (inner, "embedding_size", 64);
  g_array_append_vals (self->widths, widths->data, widths->len);
  g_array_append_vals (self->depths, depths->data, depths->len);
  if (!g_str_equal (type, "resnet") || !g_str_equal (layer, "bottleneck"))
    dyno_config_fail (inner, _ ("its “model_type” or “layer_type” is not that of a ResNet with bottlenecks"));
}

static void
check_stack (const Detr *self, const Stack *stack, DynoConfig *config)
{
  dyno_config_check_heads (config, &stack->fields, self->width, stack->n_heads);
  dyno_config_check_layers (config, stack->fields.layers, stack->n_layers);
}

static Stack
read_stack (DynoConfig *config, const char *layers, const char *heads, const char *inner)
{
  return (Stack){
    .fields = { "d_model", layers, heads },
    .n_layers = dyno_config_get_int_or (config, layers, 6),
    .n_heads = dyno_config_get_int_or (config, heads, 8),
    .inner_width = dyno_config_get_int_or (config, inner, 2048),
  };
}

/* The published code dilates only the backbones of timm. */
static const DynoConfigFixed fixed_resnet[] = { { "dilation", "false" } };

/* Defaults of published configs are those of the first model. */
static void
build_detr (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (GArray) widths = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) depths = g_array_new (FALSE, FALSE, sizeof (gint64));
  Detr self = {
    .backbone = { .widths = widths,
                  .depths = depths,
                  .n_channels = dyno_config_get_int_or (config, "num_channels", 3) },
    .encoder = read_stack (config, "encoder_layers", "encoder_attention_heads", "encoder_ffn_dim"),
    .decoder = read_stack (config, "decoder_layers", "decoder_attention_heads", "decoder_ffn_dim"),
    .width = dyno_config_get_int_or (config, "d_model", 256),
    .n_queries = dyno_config_get_int_or (config, "num_queries", 100),
    .n_labels = dyno_config_get_n_labels (config, 2),
    .activation = dyno_config_get_string_or (config, "activation_function", "relu"),
  };

  if (dyno_config_get_boolean_or (config, "use_timm_backbone", TRUE))
    read_timm_backbone (&self.backbone, config);
  else
    {
      read_resnet_backbone (&self.backbone, config);
      dyno_config_check_fixed (config, fixed_resnet, G_N_ELEMENTS (fixed_resnet));
    }
  dyno_config_get_sides (config, USUAL_SIDE, self.sides);

  dyno_config_check_stages (config, "hidden_sizes", self.backbone.widths, self.backbone.depths);
  for (guint i = 0; i < self.backbone.widths->len; i++)
    if (g_array_index (self.backbone.widths, gint64, i) < REDUCTION)
      dyno_config_fail (config, _ ("its “hidden_sizes” are too small"));

  check_stack (&self, &self.encoder, config);
  check_stack (&self, &self.decoder, config);
  if (self.width % 2 != 0)
    dyno_config_fail (config, _ ("its “d_model” is odd"));
  dyno_config_check_activation (config, "activation_function", self.activation);
  if (!g_str_equal (dyno_config_get_string_or (config, "position_embedding_type", "sine"), "sine"))
    dyno_config_fail (config, _ ("its “position_embedding_type” is not “sine”"));

  if (dyno_config_check (config, NULL))
    add_detr (graph, &self);
}

const DynoArchitecture dyno_detr_architectures[] = {
  { "detr", &dyno_vision_family, "object-detection", build_detr },
  { NULL },
};
