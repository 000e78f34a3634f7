/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"
#include "dyno-rotary.h"

/* ModernBERT, Warner et al. 2024: pre-norm, rotary positions, and local attention in all layers but every n-th. */
typedef struct
{
  gint64 vocabulary;
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gint64 n_positions;
  gint64 every; /* every n-th layer attends to all tokens */
  gint64 reach; /* tokens on either side to which the others attend */
  DynoRotary rotaries[2];
  gboolean has_norm_bias;
  gboolean has_attention_bias;
  gboolean has_inner_bias;
  double epsilon;
  const char *activation;
  DynoHead head;
} Modernbert;

/* The values that layers with global attention share, and those that layers with a window share. */
typedef struct
{
  const Modernbert *model;
  DynoGraph *graph;
  const char *masks[2];
  DynoRotation rotations[2];
} Building;

static const char *
add_norm (const Building *self, const char *name, const char *value)
{
  return self->model->has_norm_bias
             ? dyno_layers_layer_norm (self->graph, name, value, self->model->epsilon)
             : dyno_layers_layer_norm_unbiased (self->graph, name, value, self->model->epsilon);
}

/* The input of the first layer is already normalised. */
static const char *
add_layer (const Building *self, guint layer, const char *value)
{
  const Modernbert *model = self->model;
  DynoGraph *graph = self->graph;
  guint kind = layer % model->every == 0 ? 0 : 1;
  const gint64 widths[] = { model->width, model->width, model->width };
  const gint64 sizes[] = { model->inner_width, model->inner_width };
  const char *parts[3];
  const char *inner = layer > 0 ? add_norm (self, "attn_norm", value) : value;

  dyno_graph_push_scope (graph, "attn");
  inner = dyno_layers_linear (graph, "Wqkv", inner, 3 * model->width, model->has_attention_bias);
  dyno_graph_add_split (graph, inner, 2, 3, widths, parts);
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_split_heads (graph, parts[i], model->n_heads);
  for (guint i = 0; i < 2; i++)
    parts[i] = dyno_rotary_turn (&model->rotaries[kind], graph, &self->rotations[kind], parts[i]);
  inner =
      dyno_layers_attention (graph, parts[0], parts[1], parts[2], self->masks[kind], DYNO_DATA_TYPE_FLOAT);
  inner = dyno_layers_linear (graph, "Wo", inner, model->width, model->has_attention_bias);
  dyno_graph_pop_scope (graph);
  value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
  inner = add_norm (self, "mlp_norm", value);
  dyno_graph_push_scope (graph, "mlp");
  inner = dyno_layers_linear (graph, "Wi", inner, 2 * model->inner_width, model->has_inner_bias);
  dyno_graph_add_split (graph, inner, 2, 2, sizes, parts);
  inner = dyno_layers_activation (graph, model->activation, parts[0]);
  inner = dyno_graph_add (graph, "Mul", NULL, inner, parts[1], NULL);
  inner = dyno_layers_linear (graph, "Wo", inner, model->width, model->has_inner_bias);
  dyno_graph_pop_scope (graph);
  return dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
}

static void
add_shared (Building *self, const char *ids, const char *mask)
{
  DynoGraph *graph = self->graph;
  const gint64 first = 0, last = 1;
  const char *places, *row, *reach, *limit, *distance, *near;

  dyno_graph_push_scope (graph, "rotary_emb");
  places = dyno_relative_places (graph, ids, 1);
  row = dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &first), NULL);
  dyno_graph_pop_scope (graph);
  self->masks[0] = dyno_layers_padding_mask (graph, mask);

  /* Masks positions further apart than the reach of the window: [queries, keys]. */
  reach = dyno_graph_add_int (graph, self->model->reach);
  limit = dyno_graph_add_int (graph, -self->model->reach);
  dyno_graph_push_scope (graph, "attention_mask");
  distance = dyno_graph_add (graph, "Unsqueeze", NULL, places, dyno_graph_add_ints (graph, 1, &last), NULL);
  distance = dyno_graph_add (graph, "Sub", NULL, places, distance, NULL);
  near =
      dyno_graph_add (graph, "And", NULL, dyno_graph_add (graph, "LessOrEqual", NULL, distance, reach, NULL),
                      dyno_graph_add (graph, "LessOrEqual", NULL, limit, distance, NULL), NULL);
  self->masks[1] =
      dyno_graph_add (graph, "Where", NULL, near, self->masks[0], dyno_layers_masked_score (graph), NULL);
  dyno_graph_pop_scope (graph);

  for (guint i = 0; i < 2; i++)
    self->rotations[i] = dyno_rotary_add (&self->model->rotaries[i], graph, "rotary_emb", row, 1);
}

static void
add_modernbert (DynoGraph *graph, const Modernbert *model)
{
  g_autofree char *dimensions = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, model->width);
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *mask = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  Building self = { .model = model, .graph = graph };
  const char *value;

  dyno_graph_limit_input (graph, "input_ids", model->vocabulary);
  dyno_graph_limit_sequence (graph, model->n_positions);
  add_shared (&self, ids, mask);
  dyno_graph_push_scope (graph, "embeddings");
  value = dyno_layers_embedding (graph, "tok_embeddings", ids, model->vocabulary, model->width);
  value = add_norm (&self, "norm", value);
  dyno_graph_pop_scope (graph);
  for (guint i = 0; i < model->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "layers.%u", i);
      value = add_layer (&self, i, value);
      dyno_graph_pop_scope (graph);
    }
  value = add_norm (&self, "final_norm", value);
  if (model->head.kind == DYNO_HEAD_LAYERS)
    dyno_head_add (&model->head, graph, value, mask, "sequence");
  else
    dyno_graph_add_output (graph, "last_hidden_state", value, dimensions);
}

static void
build_modernbert (DynoGraph *graph, DynoConfig *config)
{
  Modernbert self = {
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = dyno_config_get_int (config, "hidden_size"),
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .n_heads = dyno_config_get_int (config, "num_attention_heads"),
    .inner_width = dyno_config_get_int (config, "intermediate_size"),
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .every = dyno_config_get_int_or (config, "global_attn_every_n_layers", 3),
    .reach = dyno_config_get_int_or (config, "local_attention", 128) / 2,
    .has_norm_bias = dyno_config_get_boolean_or (config, "norm_bias", FALSE),
    .has_attention_bias = dyno_config_get_boolean_or (config, "attention_bias", FALSE),
    .has_inner_bias = dyno_config_get_boolean_or (config, "mlp_bias", FALSE),
    .epsilon = dyno_config_get_double_or (config, "norm_eps", 1e-5),
    .activation = dyno_config_get_string_or (config, "hidden_activation", "gelu"),
    .head = dyno_head_read (config),
  };
  gint64 head_width = self.width / self.n_heads;

  self.rotaries[0] =
      dyno_rotary_read (config, "full_attention",
                        dyno_config_get_double_or (config, "global_rope_theta", 160000), head_width, 1);
  self.rotaries[1] =
      dyno_rotary_read (config, "sliding_attention",
                        dyno_config_get_double_or (config, "local_rope_theta", 10000), head_width, 1);

  dyno_config_check_heads (config, &(DynoConfigFields){ 0 }, self.width, self.n_heads);
  dyno_config_check_layers (config, "num_hidden_layers", self.n_layers);
  dyno_config_check_activation (config, "hidden_activation", self.activation);

  if (dyno_config_check (config, NULL))
    add_modernbert (graph, &self);
}

static const DynoNaming naming = { "model" };

const DynoArchitecture dyno_modernbert_architectures[] = {
  { "modernbert", &dyno_encoder_family, "feature-extraction", build_modernbert, &naming },
  { NULL },
};
