/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-convolution.h"
#include "dyno-layers.h"
#include "dyno-tower.h"

/* SAM, Kirillov et al. 2023: a vision transformer with mostly windowed attention, a prompt for each image, and a decoder
 * in which mask tokens and image positions attend to each other. Published configs do not say what prompts a model is
 * given: points, unless Dyno's own member “prompts” names others. */

#define NECK_EPSILON  1e-6 /* of norms without an epsilon in the config, */
#define FINAL_EPSILON 1e-5 /* and of the last norm of the decoder */

/* Resolution of the mask relative to the feature map: each of two convolutions doubles it. */
#define REFINEMENT 4

/* Padding points, after the real ones. */
#define NO_POINT (-1)

/* Kinds of points in a prompt: outside and inside the object, followed by the corners of a box. */
#define N_POINT_KINDS 2
#define N_CORNERS     2

/* Several times that of any model. */
#define MAX_SIDE  512
#define MAX_DEPTH 64

typedef struct
{
  GArray *global_layers;
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gint64 image_side;
  gint64 patch_side;
  gint64 n_channels;
  gint64 n_features; /* per position, for the decoder */
  gint64 window;     /* 0: every layer attends globally */
  gboolean has_input_bias;
  gboolean has_positions;
  gboolean has_distances;
  double epsilon;
  const char *activation;
} Vision;

typedef struct
{
  gint64 n_kinds;
  gint64 n_mask_channels;
  gint64 n_waves; /* number of sines, and of cosines, in a position embedding */
  gboolean has_points;
  gboolean has_boxes;
  gboolean has_masks;
  double epsilon;
  const char *activation;
} Prompt;

typedef struct
{
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gint64 reduction; /* by what the width of cross-attention is divided */
  gint64 n_masks;
  gint64 score_depth;
  gint64 score_width;
  double epsilon;
  const char *activation;
} Decoder;

typedef struct
{
  Vision vision;
  Prompt prompt;
  Decoder decoder;
  gint64 side; /* positions per row of an image */
} Sam;

typedef struct
{
  const char *pixels;
  const char *points; /* like the following, NULL if the prompt has none */
  const char *labels;
  const char *boxes;
  const char *masks;
} Inputs;

/* The values between layers of the decoder, and the position embeddings of tokens and image. */
typedef struct
{
  const char *tokens;
  const char *places;
  const char *token_positions;
  const char *place_positions;
} Exchange;

static const char *
reshape (DynoGraph *graph, const char *value, guint rank, const gint64 *target)
{
  return dyno_graph_add (graph, "Reshape", NULL, value, dyno_graph_add_ints (graph, rank, target), NULL);
}

static const char *
add (DynoGraph *graph, const char *first, const char *second)
{
  return dyno_graph_add (graph, "Add", NULL, first, second, NULL);
}

/* A row of the table of distances for each pair of positions in a row, transposed: [positions, width, positions]. */
static const char *
add_distances (DynoGraph *graph, const char *name, gint64 side, gint64 width)
{
  const gint64 dims[] = { 2 * side - 1, width };
  const gint64 target[] = { side, side, width };
  g_autofree gint64 *rows = g_new (gint64, side * side);
  const char *table = dyno_graph_add_weight (graph, name, 0, 1 / sqrt ((double)width), 2, dims);

  for (gint64 i = 0; i < side * side; i++)
    rows[i] = i / side - i % side + side - 1;
  table = dyno_graph_add (graph, "Gather", "axis=0", table,
                          dyno_graph_add_ints (graph, (guint)(side * side), rows), NULL);
  return dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", reshape (graph, table, 3, target), NULL);
}

/* Added to the scores: each query times the embeddings of its vertical and horizontal distances, Li et al. 2021.
 * [batch, heads, positions, positions] */
static const char *
add_bias (const Vision *self, DynoGraph *graph, const char *query, gint64 side)
{
  gint64 width = self->width / self->n_heads, n = side * side;
  const gint64 grid[] = { 0, self->n_heads, side, side, width };
  const gint64 rows[] = { 0, self->n_heads * n, side, 1 }, columns[] = { 0, self->n_heads * n, 1, side };
  const gint64 target[] = { 0, self->n_heads, n, n };
  const char *down, *right;

  query = reshape (graph, query, 5, grid);
  down = dyno_graph_add (graph, "MatMul", NULL, query, add_distances (graph, "rel_pos_h", side, width), NULL);
  query = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2,4]", query, NULL);
  right =
      dyno_graph_add (graph, "MatMul", NULL, query, add_distances (graph, "rel_pos_w", side, width), NULL);
  right = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2,4]", right, NULL);
  down = reshape (graph, down, 4, rows);
  return reshape (graph, add (graph, down, reshape (graph, right, 4, columns)), 4, target);
}

static const char *
add_vision_attention (const Vision *self, DynoGraph *graph, const char *value, gint64 side)
{
  const gint64 sizes[] = { self->width, self->width, self->width };
  const char *parts[3], *bias = NULL;

  dyno_graph_push_scope (graph, "attn");
  value = dyno_layers_linear (graph, "qkv", value, 3 * self->width, self->has_input_bias);
  dyno_graph_add_split (graph, value, 2, 3, sizes, parts);
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_split_heads (graph, parts[i], self->n_heads);
  if (self->has_distances)
    bias = add_bias (self, graph, parts[0], side);
  value = dyno_layers_attention (graph, parts[0], parts[1], parts[2], bias, DYNO_DATA_TYPE_FLOAT);
  value = dyno_layers_linear (graph, "proj", value, self->width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

/* [batch, positions, width] into [batch × windows, positions of a window, width]. Padding beyond the edge is zero. */
static const char *
cut_windows (const Vision *self, DynoGraph *graph, const char *value, gint64 side)
{
  gint64 window = self->window, n = (side + window - 1) / window;
  gint64 missing = n * window - side;
  const gint64 picture[] = { 0, side, side, self->width };
  const gint64 pads[] = { 0, 0, 0, 0, 0, missing, missing, 0 };
  const gint64 cut[] = { -1, n, window, n, window, self->width };
  const gint64 rows[] = { -1, window * window, self->width };

  value = reshape (graph, value, 4, picture);
  if (missing > 0)
    value = dyno_graph_add (graph, "Pad", NULL, value, dyno_graph_add_ints (graph, 8, pads), NULL);
  value = reshape (graph, value, 6, cut);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2,4,5]", value, NULL);
  return reshape (graph, value, 3, rows);
}

static const char *
join_windows (const Vision *self, DynoGraph *graph, const char *value, gint64 side)
{
  gint64 window = self->window, n = (side + window - 1) / window;
  const gint64 cut[] = { -1, n, n, window, window, self->width };
  const gint64 picture[] = { -1, n * window, n * window, self->width };
  const gint64 rows[] = { 0, side * side, self->width };
  const gint64 starts[] = { 0, 0 }, ends[] = { side, side }, axes[] = { 1, 2 };

  value = reshape (graph, value, 6, cut);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2,4,5]", value, NULL);
  value = reshape (graph, value, 4, picture);
  if (n * window > side)
    value = dyno_graph_add (graph, "Slice", NULL, value, dyno_graph_add_ints (graph, 2, starts),
                            dyno_graph_add_ints (graph, 2, ends), dyno_graph_add_ints (graph, 2, axes), NULL);
  return reshape (graph, value, 3, rows);
}

static const char *
add_feed (DynoGraph *graph, const char *value, gint64 width, gint64 inner_width, const char *activation)
{
  dyno_graph_push_scope (graph, "mlp");
  value = dyno_layers_linear (graph, "lin1", value, inner_width, TRUE);
  value = dyno_layers_activation (graph, activation, value);
  value = dyno_layers_linear (graph, "lin2", value, width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

static gboolean
has_window (const Vision *self, gint64 layer)
{
  for (guint i = 0; i < self->global_layers->len; i++)
    if (g_array_index (self->global_layers, gint64, i) == layer)
      return FALSE;
  return self->window > 0;
}

static const char *
add_vision_layer (const Sam *sam, DynoGraph *graph, gint64 layer, const char *value)
{
  const Vision *self = &sam->vision;
  const char *inner = dyno_layers_layer_norm (graph, "layer_norm1", value, self->epsilon);

  if (has_window (self, layer))
    {
      inner = cut_windows (self, graph, inner, sam->side);
      inner = add_vision_attention (self, graph, inner, self->window);
      inner = join_windows (self, graph, inner, sam->side);
    }
  else
    inner = add_vision_attention (self, graph, inner, sam->side);
  value = add (graph, value, inner);
  inner = dyno_layers_layer_norm (graph, "layer_norm2", value, self->epsilon);
  return add (graph, value, add_feed (graph, inner, self->width, self->inner_width, self->activation));
}

/* The image embedding as the input of the decoder: [batch, positions, width]. */
static const char *
add_neck (const Sam *sam, DynoGraph *graph, const char *value)
{
  gint64 width = sam->vision.n_features;
  const DynoConvolution narrow = { width, 1, 1, 1, 1 }, blend = { width, 3, 1, 1, 1 };
  const gint64 picture[] = { 0, sam->side, sam->side, sam->vision.width };
  const gint64 rows[] = { 0, sam->side * sam->side, width };

  dyno_graph_push_scope (graph, "neck");
  value = reshape (graph, value, 4, picture);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,3,1,2]", value, NULL);
  value = dyno_convolution_add (&narrow, graph, "conv1", value);
  value = dyno_convolution_normalize_places (graph, "layer_norm1", value, NECK_EPSILON);
  value = dyno_convolution_add (&blend, graph, "conv2", value);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,3,1]", value, NULL);
  value = dyno_layers_layer_norm (graph, "layer_norm2", value, NECK_EPSILON);
  value = reshape (graph, value, 3, rows);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_patch_positions (const Sam *sam, DynoGraph *graph, const char *value)
{
  const gint64 dims[] = { 1, sam->side, sam->side, sam->vision.width };
  const gint64 rows[] = { 1, sam->side * sam->side, sam->vision.width };
  const char *table = dyno_graph_add_weight (graph, "pos_embed", 0, 0.02, 4, dims);

  return add (graph, value, reshape (graph, table, 3, rows));
}

static const char *
add_vision (const Sam *sam, DynoGraph *graph, const char *pixels)
{
  const Vision *self = &sam->vision;
  const char *value;

  dyno_graph_push_scope (graph, "vision_encoder");
  value =
      dyno_tower_cut_patches (graph, "patch_embed.projection", pixels, self->width, self->patch_side, TRUE);
  if (self->has_positions)
    value = add_patch_positions (sam, graph, value);
  for (gint64 i = 0; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "layers.%" G_GINT64_FORMAT, i);
      value = add_vision_layer (sam, graph, i, value);
      dyno_graph_pop_scope (graph);
    }
  value = add_neck (sam, graph, value);
  dyno_graph_pop_scope (graph);
  return value;
}

/* A fixed random matrix, Tancik et al. 2020. In single precision in any graph, because angles span many periods. */
static const char *
add_waves (const Sam *self, DynoGraph *graph)
{
  const gint64 dims[] = { 2, self->prompt.n_waves };
  const char *waves;

  dyno_graph_push_scope (graph, "shared_image_embedding");
  waves = dyno_graph_add_buffer (graph, "positional_embedding", 0, 1, 2, dims);
  waves = dyno_layers_cast (graph, waves, DYNO_DATA_TYPE_FLOAT);
  dyno_graph_pop_scope (graph);
  return waves;
}

/* Sines and cosines of 2π · (coordinates from −1 to 1) · matrix. */
static const char *
encode (DynoGraph *graph, const char *where, const char *waves)
{
  where = dyno_graph_add (graph, "MatMul", NULL, where, waves, NULL);
  where = dyno_graph_add (graph, "Mul", NULL, where, dyno_graph_add_float (graph, (float)(2 * G_PI)), NULL);
  where = dyno_graph_add (graph, "Concat", "axis=-1", dyno_graph_add (graph, "Sin", NULL, where, NULL),
                          dyno_graph_add (graph, "Cos", NULL, where, NULL), NULL);
  return dyno_layers_cast (graph, where, dyno_graph_get_real_type (graph));
}

/* Embeddings of the centre of each position: [positions, width]. */
static const char *
encode_picture (const Sam *self, DynoGraph *graph, const char *waves)
{
  gint64 n = self->side * self->side;
  const gint64 target[] = { n, 2 };
  g_autofree float *middles = g_new (float, 2 * n);
  const char *where;

  for (gint64 i = 0; i < n; i++)
    {
      middles[2 * i] = (2 * (float)(i % self->side) + 1) / (float)self->side - 1;
      middles[2 * i + 1] = (2 * (float)(i / self->side) + 1) / (float)self->side - 1;
    }
  dyno_graph_push_scope (graph, "shared_image_embedding");
  where = reshape (graph, dyno_graph_add_floats (graph, (guint)(2 * n), middles), 2, target);
  where = encode (graph, where, waves);
  dyno_graph_pop_scope (graph);
  return where;
}

/* Coordinates of the points from −1 to 1, by the centres of pixels: [batch, points, 2]. */
static const char *
scale_points (const Sam *self, DynoGraph *graph, const char *points)
{
  const gint64 target[] = { 0, -1, 2 };
  float scale = 2 / (float)self->vision.image_side;

  points = reshape (graph, points, 3, target);
  points = dyno_graph_add (graph, "Mul", NULL, points, dyno_graph_add_float (graph, scale), NULL);
  return add (graph, points, dyno_graph_add_float (graph, scale / 2 - 1));
}

/* The kinds of points are outside, inside, and the corners of a box. */
static void
add_kinds (const Sam *self, DynoGraph *graph, const char **kinds)
{
  const gint64 dims[] = { 1, self->decoder.width };

  for (guint i = 0; i < self->prompt.n_kinds; i++)
    {
      g_autofree char *name = g_strdup_printf ("point_embed.%u.weight", i);
      const char *kind = dyno_graph_add_weight (graph, name, 0, 0.02, 2, dims);

      if (i < N_POINT_KINDS + N_CORNERS)
        kinds[i] = kind;
    }
}

/* The embedding of the kind of each point: [batch, points, width]. */
static const char *
pick_kinds (DynoGraph *graph, const char *labels, const char *const *kinds)
{
  const char *table = dyno_graph_add_list (graph, "Concat", "axis=0", N_POINT_KINDS, kinds);

  labels = dyno_graph_add (graph, "Clip", NULL, labels, dyno_graph_add_int (graph, 0),
                           dyno_graph_add_int (graph, N_POINT_KINDS - 1), NULL);
  return dyno_graph_add (graph, "Gather", "axis=0", table, labels, NULL);
}

/* Points inside and outside the object, and a padding point instead of a box: [batch, points, width]. */
static const char *
add_points (const Sam *self,
            DynoGraph *graph,
            const Inputs *inputs,
            const char *waves,
            const char *const *kinds,
            const char *none)
{
  const gint64 target[] = { 0, -1 }, last = 2;
  const char *labels = reshape (graph, inputs->labels, 2, target);
  const char *value = encode (graph, scale_points (self, graph, inputs->points), waves);

  value = add (graph, value, pick_kinds (graph, labels, kinds));
  labels = dyno_graph_add (graph, "Equal", NULL, labels, dyno_graph_add_int (graph, NO_POINT), NULL);
  labels = dyno_graph_add (graph, "Unsqueeze", NULL, labels, dyno_graph_add_ints (graph, 1, &last), NULL);
  value = dyno_graph_add (graph, "Where", NULL, labels, none, value, NULL);
  if (inputs->boxes != NULL)
    return value;
  return dyno_graph_add (graph, "Concat", "axis=1", value,
                         dyno_tower_spread_token (graph, none, inputs->pixels, self->decoder.width), NULL);
}

/* The upper left and the lower right corner: [batch, 2, width]. */
static const char *
add_corners (
    const Sam *self, DynoGraph *graph, const Inputs *inputs, const char *waves, const char *const *kinds)
{
  const char *value = encode (graph, scale_points (self, graph, inputs->boxes), waves);

  return add (graph, value,
              dyno_graph_add_list (graph, "Concat", "axis=0", N_CORNERS, kinds + N_POINT_KINDS));
}

/* What of the prompt becomes tokens: [batch, tokens, width]. */
static const char *
add_prompt (const Sam *self, DynoGraph *graph, const Inputs *inputs, const char *waves)
{
  const gint64 dims[] = { 1, self->decoder.width };
  const char *none = dyno_graph_add_weight (graph, "not_a_point_embed.weight", 0, 0.02, 2, dims);
  const char *kinds[N_POINT_KINDS + N_CORNERS] = { NULL };
  const char *points = NULL, *corners = NULL;

  add_kinds (self, graph, kinds);
  if (inputs->points != NULL)
    points = add_points (self, graph, inputs, waves, kinds, none);
  if (inputs->boxes != NULL)
    corners = add_corners (self, graph, inputs, waves, kinds);
  if (points == NULL || corners == NULL)
    return points != NULL ? points : corners;
  return dyno_graph_add (graph, "Concat", "axis=1", points, corners, NULL);
}

static const char *
embed_mask_once (DynoGraph *graph, guint layer, const gint64 *dims, const char *value)
{
  double deviation = 1 / sqrt ((double)(dims[1] * dims[2] * dims[3]));
  g_autofree char *attributes =
      g_strdup_printf ("kernel_shape=[%" PRId64 ",%" PRId64 "] strides=[%" PRId64 ",%" PRId64 "]", dims[2],
                       dims[3], dims[2], dims[3]);
  const char *weight, *bias;

  dyno_graph_push_scope (graph, "mask_embed.conv%u", layer);
  weight = dyno_graph_add_weight (graph, "weight", 0, deviation, 4, dims);
  bias = dyno_graph_add_weight (graph, "bias", 0, 0.02, 1, dims);
  if (value != NULL)
    value = dyno_graph_add (graph, "Conv", attributes, value, weight, bias, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
normalize_mask (const Sam *self, DynoGraph *graph, guint layer, gint64 width, const char *value)
{
  g_autofree char *name = g_strdup_printf ("mask_embed.layer_norm%u", layer);

  if (value != NULL)
    {
      value = dyno_convolution_normalize_places (graph, name, value, self->prompt.epsilon);
      return dyno_layers_activation (graph, self->prompt.activation, value);
    }
  dyno_graph_push_scope (graph, "%s", name);
  dyno_graph_add_weight (graph, "weight", 1, 0.02, 1, &width);
  dyno_graph_add_weight (graph, "bias", 0, 0.02, 1, &width);
  dyno_graph_pop_scope (graph);
  return NULL;
}

/* A mask of an earlier answer, or instead of it the same for all positions; the weights belong to the model in both
 * cases. [batch or 1, positions, width] */
static const char *
add_mask_prompt (const Sam *self, DynoGraph *graph, const char *mask)
{
  gint64 n = self->prompt.n_mask_channels, width = self->decoder.width;
  const gint64 first[] = { n / 4, 1, 2, 2 }, second[] = { n, n / 4, 2, 2 }, third[] = { width, n, 1, 1 };
  const gint64 dims[] = { 1, width }, rows[] = { 0, width, self->side * self->side };
  const char *none = dyno_graph_add_weight (graph, "no_mask_embed.weight", 0, 0.02, 2, dims);

  mask = embed_mask_once (graph, 1, first, mask);
  mask = normalize_mask (self, graph, 1, first[0], mask);
  mask = embed_mask_once (graph, 2, second, mask);
  mask = normalize_mask (self, graph, 2, second[0], mask);
  mask = embed_mask_once (graph, 3, third, mask);
  if (mask == NULL)
    return none;
  return dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", reshape (graph, mask, 3, rows), NULL);
}

static const char *
add_attention (
    const Decoder *self, DynoGraph *graph, const char *scope, gint64 reduction, const char *const inputs[3])
{
  static const char *const names[] = { "q_proj", "k_proj", "v_proj" };
  const char *parts[3], *value;

  dyno_graph_push_scope (graph, "%s", scope);
  for (guint i = 0; i < 3; i++)
    {
      parts[i] = dyno_layers_linear (graph, names[i], inputs[i], self->width / reduction, TRUE);
      parts[i] = dyno_layers_split_heads (graph, parts[i], self->n_heads);
    }
  value = dyno_layers_attention (graph, parts[0], parts[1], parts[2], NULL, dyno_graph_get_real_type (graph));
  value = dyno_layers_linear (graph, "out_proj", value, self->width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Tokens attend to the image, */
static const char *
look (const Decoder *self, DynoGraph *graph, const char *scope, const Exchange *at)
{
  const char *query = add (graph, at->tokens, at->token_positions);
  const char *key = add (graph, at->places, at->place_positions);
  const char *value =
      add_attention (self, graph, scope, self->reduction, (const char *const[]){ query, key, at->places });

  return add (graph, at->tokens, value);
}

/* and the image to the tokens. */
static const char *
answer (const Decoder *self, DynoGraph *graph, const Exchange *at)
{
  const char *query = add (graph, at->places, at->place_positions);
  const char *key = add (graph, at->tokens, at->token_positions);
  const char *value = add_attention (self, graph, "cross_attn_image_to_token", self->reduction,
                                     (const char *const[]){ query, key, at->tokens });

  return add (graph, at->places, value);
}

/* In the first layer the tokens are their own position embeddings. */
static const char *
confer (const Decoder *self, DynoGraph *graph, gboolean is_first, const Exchange *at)
{
  const char *query = is_first ? at->tokens : add (graph, at->tokens, at->token_positions);
  const char *value =
      add_attention (self, graph, "self_attn", 1, (const char *const[]){ query, query, at->tokens });

  return is_first ? value : add (graph, at->tokens, value);
}

static void
add_decoder_layer (const Decoder *self, DynoGraph *graph, gint64 layer, Exchange *at)
{
  const char *inner;

  dyno_graph_push_scope (graph, "layers.%" G_GINT64_FORMAT, layer);
  at->tokens = confer (self, graph, layer == 0, at);
  at->tokens = dyno_layers_layer_norm (graph, "layer_norm1", at->tokens, self->epsilon);
  at->tokens = look (self, graph, "cross_attn_token_to_image", at);
  at->tokens = dyno_layers_layer_norm (graph, "layer_norm2", at->tokens, self->epsilon);
  inner = add_feed (graph, at->tokens, self->width, self->inner_width, self->activation);
  at->tokens = dyno_layers_layer_norm (graph, "layer_norm3", add (graph, at->tokens, inner), self->epsilon);
  at->places = answer (self, graph, at);
  at->places = dyno_layers_layer_norm (graph, "layer_norm4", at->places, self->epsilon);
  dyno_graph_pop_scope (graph);
}

static void
add_exchange (const Decoder *self, DynoGraph *graph, Exchange *at)
{
  dyno_graph_push_scope (graph, "transformer");
  for (gint64 i = 0; i < self->n_layers; i++)
    add_decoder_layer (self, graph, i, at);
  at->tokens = look (self, graph, "final_attn_token_to_image", at);
  at->tokens = dyno_layers_layer_norm (graph, "layer_norm_final_attn", at->tokens, FINAL_EPSILON);
  dyno_graph_pop_scope (graph);
}

/* Upsamples each position to four. */
static const char *
refine (DynoGraph *graph, const char *name, const char *value, gint64 channels)
{
  const gint64 dims[] = { dyno_graph_get_shape (graph, value)->dims[1], channels, 2, 2 };
  const char *weight, *bias;

  dyno_graph_push_scope (graph, "%s", name);
  weight = dyno_graph_add_weight (graph, "weight", 0, 1 / sqrt ((double)dims[0]), 4, dims);
  bias = dyno_graph_add_weight (graph, "bias", 0, 0.02, 1, &channels);
  value =
      dyno_graph_add (graph, "ConvTranspose", "kernel_shape=[2,2] strides=[2,2]", value, weight, bias, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

/* [batch, width / 8, fine positions] */
static const char *
refine_picture (const Sam *self, DynoGraph *graph, const char *places)
{
  gint64 width = self->decoder.width, side = REFINEMENT * self->side;
  const gint64 picture[] = { 0, width, self->side, self->side }, flat[] = { 0, width / 8, side * side };
  const char *value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", places, NULL);

  value = refine (graph, "upscale_conv1", reshape (graph, value, 4, picture), width / 4);
  value = dyno_convolution_normalize_places (graph, "upscale_layer_norm", value, NECK_EPSILON);
  value = dyno_layers_activation (graph, "gelu", value);
  value = dyno_layers_activation (graph, "gelu", refine (graph, "upscale_conv2", value, width / 8));
  return reshape (graph, value, 3, flat);
}

/* An MLP on one of the tokens: [batch, @width]. */
static const char *
read_token (
    DynoGraph *graph, const char *tokens, gint64 token, gint64 inner_width, gint64 width, gint64 depth)
{
  const char *value =
      dyno_graph_add (graph, "Gather", "axis=1", tokens, dyno_graph_add_int (graph, token), NULL);

  value = dyno_layers_linear (graph, "proj_in", value, inner_width, TRUE);
  value = dyno_layers_activation (graph, "relu", value);
  for (gint64 i = 0; i + 2 < depth; i++)
    {
      g_autofree char *name = g_strdup_printf ("layers.%" G_GINT64_FORMAT, i);

      value = dyno_layers_linear (graph, name, value, inner_width, TRUE);
      value = dyno_layers_activation (graph, "relu", value);
    }
  return dyno_layers_linear (graph, "proj_out", value, width, TRUE);
}

/* All but the first, which is for unambiguous prompts. */
static const char *
drop_first (DynoGraph *graph, const char *value, gint64 n)
{
  const gint64 sizes[] = { 1, n };
  const char *parts[2];

  dyno_graph_add_split (graph, value, 1, 2, sizes, parts);
  return parts[1];
}

static void
add_masks (const Sam *self, DynoGraph *graph, const Exchange *at)
{
  gint64 width = self->decoder.width, n = self->decoder.n_masks, side = REFINEMENT * self->side;
  const gint64 target[] = { -1, 1, n, side, side }, axis = 1;
  g_autofree const char **parts = g_new (const char *, n + 1);
  g_autofree char *dimensions =
      g_strdup_printf ("batch, 1, %" PRId64 ", %" PRId64 ", %" PRId64, n, side, side);
  const char *value;

  for (gint64 i = 0; i <= n; i++)
    {
      dyno_graph_push_scope (graph, "output_hypernetworks_mlps.%" G_GINT64_FORMAT, i);
      parts[i] = read_token (graph, at->tokens, 1 + i, width, width / 8, 3);
      parts[i] =
          dyno_graph_add (graph, "Unsqueeze", NULL, parts[i], dyno_graph_add_ints (graph, 1, &axis), NULL);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_graph_add_list (graph, "Concat", "axis=1", (guint)n + 1, parts);
  value = dyno_graph_add (graph, "MatMul", NULL, value, refine_picture (self, graph, at->places), NULL);
  value = reshape (graph, drop_first (graph, value, n), 5, target);
  dyno_graph_add_output (graph, "pred_masks", value, dimensions);
}

static void
add_scores (const Sam *self, DynoGraph *graph, const Exchange *at)
{
  gint64 n = self->decoder.n_masks;
  const gint64 target[] = { -1, 1, n };
  g_autofree char *dimensions = g_strdup_printf ("batch, 1, %" PRId64, n);
  const char *value;

  dyno_graph_push_scope (graph, "iou_prediction_head");
  value = read_token (graph, at->tokens, 0, self->decoder.score_width, n + 1, self->decoder.score_depth);
  value = reshape (graph, drop_first (graph, value, n), 3, target);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "iou_scores", value, dimensions);
}

/* A token for the scores, one for each mask, and the prompt. */
static const char *
add_tokens (const Sam *self, DynoGraph *graph, const char *prompt, const char *pixels)
{
  gint64 width = self->decoder.width;
  const gint64 dims[] = { 1, width }, mask_dims[] = { self->decoder.n_masks + 1, width };
  const char *tokens;

  tokens = dyno_graph_add (graph, "Concat", "axis=0",
                           dyno_graph_add_weight (graph, "iou_token.weight", 0, 0.02, 2, dims),
                           dyno_graph_add_weight (graph, "mask_tokens.weight", 0, 0.02, 2, mask_dims), NULL);
  tokens = dyno_tower_spread_token (graph, tokens, pixels, width);
  return dyno_graph_add (graph, "Concat", "axis=1", tokens, prompt, NULL);
}

static void
add_prompt_inputs (const Sam *self, DynoGraph *graph, Inputs *inputs)
{
  gint64 side = REFINEMENT * self->side;
  g_autofree char *dimensions = g_strdup_printf ("batch, 1, %" PRId64 ", %" PRId64, side, side);

  if (self->prompt.has_points)
    {
      inputs->points =
          dyno_graph_add_input (graph, "input_points", DYNO_DATA_TYPE_FLOAT, "batch, 1, points=1, 2");
      inputs->labels =
          dyno_graph_add_input (graph, "input_labels", DYNO_DATA_TYPE_INT64, "batch, 1, points=1");
      dyno_graph_limit_input (graph, "input_labels", N_POINT_KINDS);
    }
  if (self->prompt.has_boxes)
    inputs->boxes = dyno_graph_add_input (graph, "input_boxes", DYNO_DATA_TYPE_FLOAT, "batch, 1, 4");
  if (self->prompt.has_masks)
    inputs->masks = dyno_graph_add_input (graph, "input_masks", dyno_graph_get_real_type (graph), dimensions);
}

static Inputs
add_inputs (const Sam *self, DynoGraph *graph)
{
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" PRId64 ", %" PRId64 ", %" PRId64, self->vision.n_channels,
                       self->vision.image_side, self->vision.image_side);
  Inputs inputs = {
    .pixels = dyno_graph_add_input (graph, "pixel_values", dyno_graph_get_real_type (graph), dimensions),
  };

  add_prompt_inputs (self, graph, &inputs);
  return inputs;
}

static void
add_sam (DynoGraph *graph, const Sam *self)
{
  const Inputs inputs = add_inputs (self, graph);
  const char *waves = add_waves (self, graph);
  const char *prompt;
  Exchange at = { .places = add_vision (self, graph, inputs.pixels),
                  .place_positions = encode_picture (self, graph, waves) };

  dyno_graph_push_scope (graph, "prompt_encoder");
  prompt = add_prompt (self, graph, &inputs, waves);
  at.places = add (graph, at.places, add_mask_prompt (self, graph, inputs.masks));
  dyno_graph_pop_scope (graph);
  dyno_graph_push_scope (graph, "mask_decoder");
  at.tokens = at.token_positions = add_tokens (self, graph, prompt, inputs.pixels);
  add_exchange (&self->decoder, graph, &at);
  add_masks (self, graph, &at);
  add_scores (self, graph, &at);
  dyno_graph_pop_scope (graph);
}

/* The usual ones may be more than a small model has. */
static void
check_global_layers (const Vision *self, DynoConfig *config)
{
  if (dyno_config_get_array (config, "global_attn_indexes") == NULL)
    return;
  for (guint i = 0; i < self->global_layers->len; i++)
    {
      gint64 layer = g_array_index (self->global_layers, gint64, i);

      if (layer < 0 || layer >= self->n_layers)
        dyno_config_fail (config,
                          _ ("its “global_attn_indexes” name the layer %" PRId64 ", but it has %" PRId64
                             " layers, counted from 0"),
                          layer, self->n_layers);
    }
}

static void
check_vision (const Sam *self, DynoConfig *config)
{
  const Vision *vision = &self->vision;

  dyno_config_check_heads (config, &(DynoConfigFields){ 0 }, vision->width, vision->n_heads);
  dyno_config_check_layers (config, "num_hidden_layers", vision->n_layers);
  dyno_config_check_activation (config, "hidden_act", vision->activation);
  if (self->side < 1 || self->side > MAX_SIDE)
    dyno_config_fail (config,
                      _ ("its pictures (“image_size”) have %" PRId64
                         " patches (“patch_size”) in a row, but must have 1 to %d"),
                      self->side, MAX_SIDE);
  check_global_layers (vision, config);
  if (vision->window > MAX_SIDE)
    dyno_config_fail (config, _ ("its “window_size” is %" PRId64 ", but must lie between 0 and %d"),
                      vision->window, MAX_SIDE);
}

/* At least a point or a box, because a mask alone says nothing of the object. */
static void
read_prompts (Prompt *self, DynoConfig *config)
{
  g_autoptr (GPtrArray) kinds = dyno_config_get_texts (config, "prompts");

  self->has_points = kinds->len == 0;
  for (guint i = 0; i < kinds->len; i++)
    {
      const char *kind = kinds->pdata[i];

      if (g_str_equal (kind, "points"))
        self->has_points = TRUE;
      else if (g_str_equal (kind, "boxes"))
        self->has_boxes = TRUE;
      else if (g_str_equal (kind, "masks"))
        self->has_masks = TRUE;
      else
        dyno_config_fail (config, _ ("“%s” of its “prompts” is none of “points”, “boxes” and “masks”"), kind);
    }
  if (!self->has_points && !self->has_boxes)
    dyno_config_fail (config, _ ("its “prompts” name neither “points” nor “boxes”"));
}

static void
check_prompt (const Sam *self, DynoConfig *config)
{
  gint64 least = N_POINT_KINDS + (self->prompt.has_boxes ? N_CORNERS : 0);

  if (self->prompt.n_kinds < least || self->prompt.n_kinds > MAX_DEPTH)
    dyno_config_fail (
        config, _ ("its “num_point_embeddings” is %" PRId64 ", but must lie between %" PRId64 " and %d"),
        self->prompt.n_kinds, least, MAX_DEPTH);
  dyno_config_check_activation (config, "hidden_act", self->prompt.activation);
  if (self->prompt.n_mask_channels % 4 != 0)
    dyno_config_fail (config, _ ("its “mask_input_channels” is not a multiple of 4"));
  if (dyno_config_get_int_or (config, "hidden_size", 256) != self->decoder.width)
    dyno_config_fail (config, _ ("its “hidden_size” is not that of “mask_decoder_config”"));
  if (dyno_config_get_int_or (config, "image_size", 1024) != self->vision.image_side ||
      dyno_config_get_int_or (config, "patch_size", 16) != self->vision.patch_side)
    dyno_config_fail (config, _ ("its “image_size” and “patch_size” are not those of “vision_config”"));
}

static void
check_decoder (const Sam *self, DynoConfig *config)
{
  const Decoder *decoder = &self->decoder;

  dyno_config_check_layers (config, "num_hidden_layers", decoder->n_layers);
  dyno_config_check_activation (config, "hidden_act", decoder->activation);
  if (decoder->width % 8 != 0 || decoder->width % (decoder->reduction * decoder->n_heads) != 0)
    dyno_config_fail (config, _ ("its “hidden_size” is not a multiple of 8, and of its “num_attention_heads” "
                                 "times its “attention_downsample_rate”"));
  if (decoder->width != self->vision.n_features || decoder->width != 2 * self->prompt.n_waves)
    dyno_config_fail (config, _ ("its “hidden_size” is not the “output_channels” of “vision_config”, and "
                                 "twice its “num_pos_feats”"));
  if (decoder->n_masks > MAX_DEPTH)
    dyno_config_fail (config, _ ("%" PRId64 " masks (“num_multimask_outputs”) are too many"),
                      decoder->n_masks);
  if (decoder->score_depth < 2 || decoder->score_depth > MAX_DEPTH)
    dyno_config_fail (config, _ ("its “iou_head_depth” is %" PRId64 ", but must lie between 2 and %d"),
                      decoder->score_depth, MAX_DEPTH);
}

/* Defaults of configs are those of the first model, ViT-B. */
static GArray *
read_global_layers (DynoConfig *config)
{
  static const gint64 usual[] = { 2, 5, 8, 11 };
  GArray *layers = dyno_config_get_indices (config, "global_attn_indexes");

  if (layers == NULL)
    layers = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof (gint64)), usual, G_N_ELEMENTS (usual));
  return layers;
}

static Vision
read_vision (DynoConfig *config)
{
  gint64 width = dyno_config_get_int_or (config, "hidden_size", 768);
  double share = MIN (dyno_config_get_double_or (config, "mlp_ratio", 4), 100);

  return (Vision){
    .global_layers = read_global_layers (config),
    .width = width,
    .n_layers = dyno_config_get_int_or (config, "num_hidden_layers", 12),
    .n_heads = dyno_config_get_int_or (config, "num_attention_heads", 12),
    .inner_width = dyno_config_get_int_or (config, "mlp_dim", MAX ((gint64)(share * (double)width), 1)),
    .image_side = dyno_config_get_int_or (config, "image_size", 1024),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 16),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_features = dyno_config_get_int_or (config, "output_channels", 256),
    .window = dyno_config_get_count_or (config, "window_size", 14),
    .has_input_bias = dyno_config_get_boolean_or (config, "qkv_bias", TRUE),
    .has_positions = dyno_config_get_boolean_or (config, "use_abs_pos", TRUE),
    .has_distances = dyno_config_get_boolean_or (config, "use_rel_pos", TRUE),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-6),
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };
}

static Decoder
read_decoder (DynoConfig *config)
{
  return (Decoder){
    .width = dyno_config_get_int_or (config, "hidden_size", 256),
    .n_layers = dyno_config_get_int_or (config, "num_hidden_layers", 2),
    .n_heads = dyno_config_get_int_or (config, "num_attention_heads", 8),
    .inner_width = dyno_config_get_int_or (config, "mlp_dim", 2048),
    .reduction = dyno_config_get_int_or (config, "attention_downsample_rate", 2),
    .n_masks = dyno_config_get_int_or (config, "num_multimask_outputs", 3),
    .score_depth = dyno_config_get_int_or (config, "iou_head_depth", 3),
    .score_width = dyno_config_get_int_or (config, "iou_head_hidden_dim", 256),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-6),
    .activation = dyno_config_get_string_or (config, "hidden_act", "relu"),
  };
}

static void
build_sam (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");
  DynoConfig *prompt = dyno_config_get_child (config, "prompt_encoder_config");
  DynoConfig *decoder = dyno_config_get_child (config, "mask_decoder_config");
  Sam self = { .vision = read_vision (vision), .decoder = read_decoder (decoder) };
  g_autoptr (GArray) global_layers = self.vision.global_layers;

  self.prompt = (Prompt){
    .n_kinds = dyno_config_get_int_or (prompt, "num_point_embeddings", 4),
    .n_mask_channels = dyno_config_get_int_or (prompt, "mask_input_channels", 16),
    .n_waves = dyno_config_get_int_or (vision, "num_pos_feats", 128),
    .epsilon = dyno_config_get_double_or (prompt, "layer_norm_eps", 1e-6),
    .activation = dyno_config_get_string_or (prompt, "hidden_act", "gelu"),
  };
  read_prompts (&self.prompt, config);
  self.side = self.vision.image_side / self.vision.patch_side;
  check_vision (&self, vision);
  check_prompt (&self, prompt);
  check_decoder (&self, decoder);
  if (dyno_config_check (config, NULL))
    add_sam (graph, &self);
}

/* One table with two names; files may have either. */
static const DynoNamePair pairs[] = { { "shared_image_embedding.", "prompt_encoder.shared_embedding." },
                                      { NULL } };
static const DynoNaming naming = { NULL, pairs };

const DynoArchitecture dyno_sam_architectures[] = {
  { "sam", &dyno_vision_family, "mask-generation", build_sam, &naming },
  { NULL },
};
