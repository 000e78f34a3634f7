/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"
#include "dyno-stack.h"
#include "dyno-tower.h"

/* LayoutLMv3, Huang et al. 2022: a text encoder whose tokens have boxes on a page, followed by the patches of the page. */

/* Boxes have coordinates from 0 to this, and larger heights and widths count as the last. */
#define PAGE      1000
#define MOST_SIDE 1023

/* With at least this many labels, the classifier of tokens has two layers. */
#define MANY_LABELS 10

/* Farther than any model reaches, and few enough rows to take little memory. */
#define MAX_DISTANCE 100000

#define MAX_SIDE 64

typedef struct
{
  const char *name;
  gint64 n_buckets; /* 0 if there is none */
  gint64 max_distance;
} Distances;

typedef struct
{
  DynoStack stack;
  gint64 vocabulary;
  gint64 n_positions;
  gint64 n_types;
  gint64 padding;
  gint64 n_coordinates;
  gint64 coordinate_width;
  gint64 shape_width;
  gint64 side; /* patches per side of the page */
  gint64 patch_side;
  gint64 n_channels;
  Distances distances[3]; /* along the text, to the right and down */
  DynoHead head;
} Layout;

/* [batch, tokens] */
static const char *
take_coordinate (DynoGraph *graph, const char *boxes, guint which)
{
  return dyno_graph_add (graph, "Gather", "axis=2", boxes, dyno_graph_add_int (graph, which), NULL);
}

static const char *
add_shape (DynoGraph *graph, const Layout *self, const char *name, const char *first, const char *last)
{
  const char *size = dyno_graph_add (graph, "Sub", NULL, last, first, NULL);

  size = dyno_graph_add (graph, "Clip", NULL, size, dyno_graph_add_int (graph, 0),
                         dyno_graph_add_int (graph, MIN (MOST_SIDE, self->n_coordinates - 1)), NULL);
  return dyno_layers_embedding (graph, name, size, self->n_coordinates, self->shape_width);
}

static const char *
add_text (DynoGraph *graph, const Layout *self, const char *ids, const char *types, const char *boxes)
{
  gint64 width = self->stack.width;
  const char *value, *other;

  dyno_graph_push_scope (graph, "embeddings");
  value = dyno_layers_embedding (graph, "word_embeddings", ids, self->vocabulary, width);
  other = dyno_layers_embedding (graph, "token_type_embeddings", types, self->n_types, width);
  value = dyno_graph_add (graph, "Add", NULL, value, other, NULL);
  other = dyno_layers_embedding (graph, "position_embeddings",
                                 dyno_relative_count (graph, ids, self->padding), self->n_positions, width);
  value = dyno_graph_add (graph, "Add", NULL, value, other, NULL);

  /* The edges of a box, and its height and width: [batch, tokens, width] */
  const char *edges[4], *parts[6];

  for (guint i = 0; i < 4; i++)
    {
      edges[i] = take_coordinate (graph, boxes, i);
      parts[i] = dyno_layers_embedding (graph, i % 2 == 0 ? "x_position_embeddings" : "y_position_embeddings",
                                        edges[i], self->n_coordinates, self->coordinate_width);
    }
  parts[4] = add_shape (graph, self, "h_position_embeddings", edges[1], edges[3]);
  parts[5] = add_shape (graph, self, "w_position_embeddings", edges[0], edges[2]);
  value = dyno_graph_add (graph, "Add", NULL, value,
                          dyno_graph_add_list (graph, "Concat", "axis=2", G_N_ELEMENTS (parts), parts), NULL);
  value = dyno_layers_layer_norm (graph, "LayerNorm", value, self->stack.epsilon);
  dyno_graph_pop_scope (graph);
  return value;
}

/* The boxes of the patches, after that of the page: [1, patches + 1, 4] */
static const char *
add_page_boxes (DynoGraph *graph, const Layout *self)
{
  gint64 side = self->side, n = side * side + 1;
  const gint64 dims[] = { 1, n, 4 };
  g_autofree gint64 *boxes = g_new (gint64, 4 * n);

  boxes[0] = boxes[1] = 1;
  boxes[2] = boxes[3] = PAGE - 1;
  for (gint64 i = 0; i < side * side; i++)
    for (guint j = 0; j < 4; j++)
      boxes[4 * (i + 1) + j] = ((j % 2 == 0 ? i % side : i / side) + j / 2) * PAGE / side;
  return dyno_layers_reshape (graph, dyno_graph_add_ints (graph, (guint)(4 * n), boxes), 3, dims);
}

/* A score for each distance of two of the positions, [batch, tokens]: [batch, heads, queries, keys] */
static const char *
add_distances (DynoGraph *graph, const Layout *self, const Distances *distances, const char *positions)
{
  const gint64 dims[] = { distances->n_buckets, self->stack.n_heads }, second = 1, third = 2;
  const char *keys =
      dyno_graph_add (graph, "Unsqueeze", NULL, positions, dyno_graph_add_ints (graph, 1, &second), NULL);
  const char *queries =
      dyno_graph_add (graph, "Unsqueeze", NULL, positions, dyno_graph_add_ints (graph, 1, &third), NULL);
  const char *rows = dyno_graph_add (graph, "Sub", NULL, keys, queries, NULL);
  const char *weight;

  dyno_graph_push_scope (graph, "%s", distances->name);
  rows = dyno_relative_find (graph, rows, dyno_relative_bucket_both_ways, distances->n_buckets,
                             distances->max_distance);
  weight = dyno_graph_add_weight (graph, "weight", 0, 1, 2, dims);
  dyno_graph_turn_weight (graph, weight);
  rows = dyno_graph_add (graph, "Gather", "axis=0", weight, rows, NULL);
  rows = dyno_graph_add (graph, "Transpose", "perm=[0,3,1,2]", rows, NULL);
  dyno_graph_pop_scope (graph);
  return rows;
}

/* The biases of all distances, divided as the scores, and the mask. */
static const char *
add_scores (DynoGraph *graph, const Layout *self, const char *ids, const char *boxes, const char *mask)
{
  gint64 n = self->side * self->side + 1;
  g_autofree gint64 *places = g_new (gint64, n);
  const gint64 first = 0;
  const char *positions[3], *sum = NULL;

  if (self->distances[0].n_buckets == 0)
    return mask;
  dyno_graph_push_scope (graph, "encoder");

  /* Texts and patches are both counted from 0: [1, tokens] */
  positions[0] = dyno_relative_places (graph, ids, 1);
  for (gint64 i = 0; i < n; i++)
    places[i] = i;
  positions[0] = dyno_graph_add (graph, "Concat", "axis=0", positions[0],
                                 dyno_graph_add_ints (graph, (guint)n, places), NULL);
  positions[0] =
      dyno_graph_add (graph, "Unsqueeze", NULL, positions[0], dyno_graph_add_ints (graph, 1, &first), NULL);
  if (self->distances[1].n_buckets > 0)
    {
      const char *page = add_page_boxes (graph, self);
      const char *batch = dyno_graph_add (graph, "Shape", "start=0 end=1", boxes, NULL);
      const gint64 rest[] = { 1, 1 };

      batch = dyno_graph_add (graph, "Concat", "axis=0", batch, dyno_graph_add_ints (graph, 2, rest), NULL);
      page = dyno_graph_add (graph, "Expand", NULL, page, batch, NULL);
      boxes = dyno_graph_add (graph, "Concat", "axis=1", boxes, page, NULL);
      positions[1] = take_coordinate (graph, boxes, 0);
      positions[2] = take_coordinate (graph, boxes, 3);
    }
  for (guint i = 0; i < 3 && self->distances[i].n_buckets > 0; i++)
    {
      const char *bias = add_distances (graph, self, &self->distances[i], positions[i]);

      sum = sum != NULL ? dyno_graph_add (graph, "Add", NULL, sum, bias, NULL) : bias;
    }
  sum =
      dyno_graph_add (graph, "Mul", NULL, sum,
                      dyno_graph_add_real (graph, (float)(1 / sqrt ((double)self->stack.head_width))), NULL);
  sum = dyno_graph_add (graph, "Add", NULL, sum, mask, NULL);
  dyno_graph_pop_scope (graph);
  return sum;
}

static void
add_output (DynoGraph *graph, const Layout *self, const char *value, const char *ids, const char *mask)
{
  gint64 n = self->side * self->side + 1;
  g_autofree char *dimensions =
      g_strdup_printf ("batch, sequence + %" PRId64 ", %" PRId64, n, self->stack.width);
  const gint64 first = 0, axis = 1;

  if (self->head.kind != DYNO_HEAD_LAYERS)
    {
      dyno_graph_add_output (graph, "last_hidden_state", value, dimensions);
      return;
    }
  dyno_graph_push_scope (graph, "classifier");
  value = dyno_graph_add (graph, "Slice", NULL, value, dyno_graph_add_ints (graph, 1, &first),
                          dyno_graph_add (graph, "Shape", "start=1 end=2", ids, NULL),
                          dyno_graph_add_ints (graph, 1, &axis), NULL);
  dyno_graph_pop_scope (graph);
  dyno_head_add (&self->head, graph, value, mask, "sequence");
}

static void
add_layout (DynoGraph *graph, const Layout *self)
{
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *tokens =
      dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *types = dyno_graph_add_input (graph, "token_type_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *boxes = dyno_graph_add_input (graph, "bbox", DYNO_DATA_TYPE_INT64, "batch, sequence, 4");
  gint64 side = self->side * self->patch_side, width = self->stack.width;
  const gint64 n = self->side * self->side + 1, one[] = { 1, 1, width }, all[] = { 1, n, width };
  const char *pixels = dyno_tower_add_pixels (graph, self->n_channels, side, side);
  DynoStackSources sources = { NULL };
  const char *value, *page, *token;

  dyno_graph_limit_input (graph, "input_ids", self->vocabulary);
  dyno_graph_limit_input (graph, "token_type_ids", self->n_types);
  dyno_graph_limit_input (graph, "bbox", MIN (PAGE + 1, self->n_coordinates));
  dyno_graph_limit_sequence (graph, self->n_positions - self->padding - 1);
  value = add_text (graph, self, ids, types, boxes);
  page = dyno_tower_cut_patches (graph, "patch_embed.proj", pixels, width, self->patch_side, TRUE);
  token = dyno_graph_add_weight (graph, "cls_token", 0, 0.02, 3, one);
  dyno_graph_push_scope (graph, "patch_embed");
  token = dyno_tower_spread_token (graph, token, pixels, width);
  page = dyno_graph_add (graph, "Concat", "axis=1", token, page, NULL);
  dyno_graph_pop_scope (graph);
  token = dyno_graph_add_weight (graph, "pos_embed", 0, 0.02, 3, all);
  dyno_graph_push_scope (graph, "patch_embed");
  page = dyno_graph_add (graph, "Add", NULL, page, token, NULL);
  dyno_graph_pop_scope (graph);
  page = dyno_layers_layer_norm (graph, "norm", page, 1e-6);
  dyno_graph_push_scope (graph, "encoder");

  /* Patches are no padding: [batch, 1, 1, tokens] */
  const char *ones = dyno_graph_add (graph, "Shape", "start=0 end=1", page, NULL);

  ones = dyno_graph_add (graph, "Concat", "axis=0", ones, dyno_graph_add_ints (graph, 1, &n), NULL);
  ones = dyno_graph_add (graph, "Expand", NULL, dyno_graph_add_int (graph, 1), ones, NULL);
  sources.scores =
      dyno_layers_padding_mask (graph, dyno_graph_add (graph, "Concat", "axis=1", tokens, ones, NULL));
  value = dyno_graph_add (graph, "Concat", "axis=1", value, page, NULL);
  dyno_graph_pop_scope (graph);
  sources.scores = add_scores (graph, self, ids, boxes, sources.scores);
  value = dyno_layers_layer_norm (graph, "LayerNorm", value, self->stack.epsilon);
  value = dyno_stack_add (&self->stack, graph, value, &sources);
  add_output (graph, self, value, ids, tokens);
}

static DynoStack
read_stack (DynoConfig *config)
{
  DynoStack self = {
    .scope = "encoder",
    .names = { .layer = "layer",
               .query = "self.query",
               .key = "self.key",
               .value = "self.value",
               .output = "output.dense",
               .up = "intermediate.dense",
               .down = "output.dense",
               .self = { "attention", "attention.output.LayerNorm" },
               .inner = { NULL, "output.LayerNorm" } },
    .width = dyno_config_get_int (config, "hidden_size"),
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .n_heads = dyno_config_get_int (config, "num_attention_heads"),
    .inner_width = dyno_config_get_int (config, "intermediate_size"),
    .has_bias = TRUE,
    .is_scaled = TRUE,
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5),
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };

  self.head_width = self.width / self.n_heads;
  return self;
}

static Distances
read_distances (DynoConfig *config,
                const char *name,
                const char *buckets,
                gint64 n_buckets,
                const char *most,
                gint64 farthest)
{
  Distances self = { name, dyno_config_get_int_or (config, buckets, n_buckets),
                     dyno_config_get_int_or (config, most, farthest) };

  if (self.n_buckets < 4 || self.max_distance <= self.n_buckets / 2 || self.max_distance > MAX_DISTANCE)
    dyno_config_fail (config, _ ("its “%s” and “%s” do not go together"), buckets, most);
  return self;
}

/* Biases of places on the page are only used together with those along the text. */
static void
read_biases (Layout *self, DynoConfig *config)
{
  if (!dyno_config_get_boolean_or (config, "has_relative_attention_bias", TRUE))
    {
      if (dyno_config_get_boolean_or (config, "has_spatial_attention_bias", TRUE))
        dyno_config_fail (config, _ ("“%s” is not supported"), "has_spatial_attention_bias");
      return;
    }
  self->distances[0] = read_distances (config, "rel_pos_bias", "rel_pos_bins", 32, "max_rel_pos", 128);
  if (!dyno_config_get_boolean_or (config, "has_spatial_attention_bias", TRUE))
    return;
  self->distances[1] =
      read_distances (config, "rel_pos_x_bias", "rel_2d_pos_bins", 64, "max_rel_2d_pos", 256);
  self->distances[2] = self->distances[1];
  self->distances[2].name = "rel_pos_y_bias";
}

/* A text without its page, and a page without a text, are other models. */
static const DynoConfigFixed fixed[] = { { "text_embed", "true" }, { "visual_embed", "true" } };

static void
build_layout (DynoGraph *graph, DynoConfig *config)
{
  Layout self = {
    .stack = read_stack (config),
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .n_types = dyno_config_get_int_or (config, "type_vocab_size", 2),
    .padding = dyno_config_get_count_or (config, "pad_token_id", 1),
    .n_coordinates = dyno_config_get_int_or (config, "max_2d_position_embeddings", 1024),
    .coordinate_width = dyno_config_get_int_or (config, "coordinate_size", 128),
    .shape_width = dyno_config_get_int_or (config, "shape_size", 128),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 16),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
  };

  self.side = dyno_config_get_int_or (config, "input_size", 224) / self.patch_side;
  read_biases (&self, config);

  self.head = dyno_head_read (config);
  if (self.head.kind == DYNO_HEAD_LAYERS && self.head.dense == NULL && !self.head.is_span &&
      self.head.n_labels >= MANY_LABELS)
    {
      self.head.dense = "classifier.dense";
      self.head.activation = "tanh";
      self.head.output = "classifier.out_proj";
    }

  dyno_stack_check (&self.stack, config);
  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  if (4 * self.coordinate_width + 2 * self.shape_width != self.stack.width)
    dyno_config_fail (
        config, _ ("four times its “coordinate_size” and twice its “shape_size” are not its “hidden_size”"));
  if (self.side < 1 || self.side > MAX_SIDE)
    dyno_config_fail (config, _ ("%" PRId64 " patches per side (“%s”) are too few or too many"), self.side,
                      "input_size");
  dyno_config_check_padding (config, self.padding, self.n_positions);

  if (dyno_config_check (config, NULL))
    add_layout (graph, &self);
}

static const DynoNaming naming = { "layoutlmv3" };

const DynoArchitecture dyno_layout_architectures[] = {
  { "layoutlmv3", &dyno_vision_text_family, "feature-extraction", build_layout, &naming },
  { NULL },
};
