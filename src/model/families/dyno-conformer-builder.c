/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* wav2vec 2.0-BERT, Seamless Communication 2023: an encoder of spectrograms whose layers convolve over time as well, the
 * Conformer of Gulati et al. 2020. A frame is 20 milliseconds of audio. */

#define FRAMES "frames=250"

/* More distances than any model uses. */
#define MAX_DISTANCE 100000

typedef struct
{
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gint64 n_features;
  gint64 kernel;
  gint64 left;  /* farther keys before a query share a row of the table of distances */
  gint64 right; /* and farther ones after it */
  double epsilon;
  const char *activation;
  DynoHead head;
} Conformer;

/* Adds half of the result of the feed-forward layers. */
static const char *
add_feed (const Conformer *self, DynoGraph *graph, const char *name, const char *value)
{
  g_autofree char *norm = g_strconcat (name, "_layer_norm", NULL);
  const char *inner = dyno_layers_layer_norm (graph, norm, value, self->epsilon);

  dyno_graph_push_scope (graph, "%s", name);
  inner = dyno_layers_linear (graph, "intermediate_dense", inner, self->inner_width, TRUE);
  inner = dyno_layers_activation (graph, self->activation, inner);
  inner = dyno_layers_linear (graph, "output_dense", inner, self->width, TRUE);
  inner = dyno_graph_add (graph, "Mul", NULL, inner, dyno_graph_add_real (graph, 0.5f), NULL);
  dyno_graph_pop_scope (graph);
  return dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
}

/* A frame only uses itself and those before it. */
static const char *
convolve (const Conformer *self, DynoGraph *graph, const char *value)
{
  gint64 width = self->width;
  const DynoTimeConvolution first = { 2 * width, 1, 1, 1, { 0 }, FALSE },
                            last = { width, 1, 1, 1, { 0 }, FALSE };
  const DynoTimeConvolution along = { width, self->kernel, 1, width, { self->kernel - 1, 0 }, FALSE };
  const gint64 sizes[] = { width, width };
  const char *parts[2];

  dyno_graph_push_scope (graph, "conv_module");
  value = dyno_layers_layer_norm (graph, "layer_norm", value, self->epsilon);
  value = dyno_time_convolution_swap (graph, value);
  value = dyno_time_convolution_add (&first, graph, "pointwise_conv1", value);
  dyno_graph_add_split (graph, value, 1, 2, sizes, parts);
  value = dyno_graph_add (graph, "Mul", NULL, parts[0],
                          dyno_graph_add (graph, "Sigmoid", NULL, parts[1], NULL), NULL);
  value = dyno_time_convolution_add (&along, graph, "depthwise_conv", value);
  value = dyno_layers_layer_norm (graph, "depthwise_layer_norm", dyno_time_convolution_swap (graph, value),
                                  self->epsilon);
  value = dyno_layers_activation (graph, self->activation, dyno_time_convolution_swap (graph, value));
  value = dyno_time_convolution_add (&last, graph, "pointwise_conv2", value);
  value = dyno_time_convolution_swap (graph, value);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_layer (const Conformer *self, DynoGraph *graph, const char *value, const char *rows)
{
  const char *inner;

  value = add_feed (self, graph, "ffn1", value);
  inner = dyno_layers_layer_norm (graph, "self_attn_layer_norm", value, self->epsilon);

  const char *query, *key, *distances;

  dyno_graph_push_scope (graph, "self_attn");
  query = dyno_layers_linear (graph, "linear_q", inner, self->width, TRUE);
  query = dyno_layers_split_heads (graph, query, self->n_heads);
  key = dyno_layers_linear (graph, "linear_k", inner, self->width, TRUE);
  key = dyno_layers_split_heads (graph, key, self->n_heads);
  inner = dyno_layers_linear (graph, "linear_v", inner, self->width, TRUE);
  inner = dyno_layers_split_heads (graph, inner, self->n_heads);

  /* The product of each query with the vector of its distance to each key: [batch, heads, frames, frames] */
  gint64 head_width = self->width / self->n_heads;
  const gint64 flat[] = { 0, -1, head_width }, open = -1;
  const char *vectors =
      dyno_layers_embedding (graph, "distance_embedding", rows, self->left + self->right + 1, head_width);
  const char *shape = dyno_graph_add (graph, "Shape", "start=0 end=3", query, NULL);
  const char *result = dyno_graph_add (graph, "Transpose", "perm=[2,0,1,3]", query, NULL);

  result = dyno_layers_reshape (graph, result, 3, flat);
  vectors = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", vectors, NULL);
  result = dyno_graph_add (graph, "MatMul", NULL, result, vectors, NULL);
  result = dyno_graph_add (graph, "Transpose", "perm=[1,0,2]", result, NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", shape, dyno_graph_add_ints (graph, 1, &open), NULL);
  result = dyno_graph_add (graph, "Reshape", NULL, result, shape, NULL);
  distances = dyno_graph_add (graph, "Div", NULL, result,
                              dyno_graph_add_real (graph, sqrtf ((float)head_width)), NULL);
  inner = dyno_layers_attention (graph, query, key, inner, distances, dyno_graph_get_real_type (graph));
  inner = dyno_layers_linear (graph, "linear_out", inner, self->width, TRUE);
  dyno_graph_pop_scope (graph);
  value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, convolve (self, graph, value), NULL);
  value = add_feed (self, graph, "ffn2", value);
  return dyno_layers_layer_norm (graph, "final_layer_norm", value, self->epsilon);
}

static void
add_conformer (const Conformer *self, DynoGraph *graph)
{
  g_autofree char *taken = g_strdup_printf ("batch, " FRAMES ", %" PRId64, self->n_features);
  g_autofree char *given = g_strdup_printf ("batch, frames, %" PRId64, self->width);
  const char *value = dyno_graph_add_input (graph, "input_features", dyno_graph_get_real_type (graph), taken);
  const gint64 last = 1;
  const char *places, *distance, *rows;

  dyno_graph_push_scope (graph, "feature_projection");
  value = dyno_layers_layer_norm (graph, "layer_norm", value, self->epsilon);
  value = dyno_layers_linear (graph, "projection", value, self->width, TRUE);
  dyno_graph_pop_scope (graph);
  dyno_graph_push_scope (graph, "encoder");

  /* The row of the table for each query and key: [frames, frames] */
  places = dyno_relative_places (graph, value, 1);
  distance = dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &last), NULL);
  distance = dyno_graph_add (graph, "Sub", NULL, places, distance, NULL);
  distance = dyno_graph_add (graph, "Clip", NULL, distance, dyno_graph_add_int (graph, -self->left),
                             dyno_graph_add_int (graph, self->right), NULL);
  rows = dyno_graph_add (graph, "Add", NULL, distance, dyno_graph_add_int (graph, self->left), NULL);
  for (guint i = 0; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "layers.%u", i);
      value = add_layer (self, graph, value, rows);
      dyno_graph_pop_scope (graph);
    }
  dyno_graph_pop_scope (graph);
  if (self->head.kind == DYNO_HEAD_LAYERS)
    dyno_head_add (&self->head, graph, value, NULL, "frames");
  else
    dyno_graph_add_output (graph, "last_hidden_state", value, given);
}

static const DynoConfigFixed fixed[] = {
  { "position_embeddings_type", "\"relative_key\"" },
  { "add_adapter", "false" },
  { "use_intermediate_ffn_before_adapter", "false" },
};

static void
build_conformer (DynoGraph *graph, DynoConfig *config)
{
  const Conformer self = {
    .width = dyno_config_get_int_or (config, "hidden_size", 1024),
    .n_layers = dyno_config_get_int_or (config, "num_hidden_layers", 24),
    .n_heads = dyno_config_get_int_or (config, "num_attention_heads", 16),
    .inner_width = dyno_config_get_int_or (config, "intermediate_size", 4096),
    .n_features = dyno_config_get_int_or (config, "feature_projection_input_dim", 160),
    .kernel = dyno_config_get_int_or (config, "conv_depthwise_kernel_size", 31),
    .left = dyno_config_get_count_or (config, "left_max_position_embeddings", 64),
    .right = dyno_config_get_count_or (config, "right_max_position_embeddings", 8),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5),
    .activation = dyno_config_get_string_or (config, "hidden_act", "swish"),
    .head = dyno_head_read (config),
  };

  const DynoConfigFields fields = dyno_config_fields_complete (&(const DynoConfigFields){ NULL });
  const struct
  {
    const char *name;
    gint64 most;
  } reaches[] = { { "left_max_position_embeddings", self.left },
                  { "right_max_position_embeddings", self.right } };

  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  dyno_config_check_layers (config, fields.layers, self.n_layers);
  dyno_config_check_heads (config, &fields, self.width, self.n_heads);
  dyno_config_check_activation (config, fields.activation, self.activation);
  if (self.kernel % 2 == 0)
    dyno_config_fail (config, _ ("its “%s” is even"), "conv_depthwise_kernel_size");
  for (guint i = 0; i < G_N_ELEMENTS (reaches); i++)
    if (reaches[i].most > MAX_DISTANCE)
      dyno_config_fail (config, _ ("its “%s” is %" PRId64 ", but must be at most %d"), reaches[i].name,
                        reaches[i].most, MAX_DISTANCE);

  if (!dyno_config_check (config, NULL))
    return;
  add_conformer (&self, graph);
  dyno_time_convolution_add_mask (graph, config, self.width);
}

static const char *const untrained[] = { "masked_spec_embed", NULL };
static const DynoNaming naming = { "wav2vec2_bert", NULL, untrained };

const DynoArchitecture dyno_conformer_architectures[] = {
  { "wav2vec2-bert", &dyno_speech_family, "feature-extraction", build_conformer, &naming },
  { NULL },
};
