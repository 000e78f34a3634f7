/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"
#include "dyno-tower.h"

#define NECK_EPSILON  1e-6 /* of norms without an epsilon in the config, */
#define FINAL_EPSILON 1e-5 /* and of the last norm */

/* Resolution of the mask relative to the feature map: each of two convolutions doubles it. */
#define REFINEMENT 4

/* Padding points, after the real ones. */
#define NO_POINT (-1)

/* Kinds of points in a prompt: outside and inside the object, followed by the corners of a box. */
#define N_POINT_KINDS 2
#define N_CORNERS     2

typedef struct
{
  const char *points; /* like the following, NULL if the prompt has none */
  const char *labels;
  const char *boxes;
  const char *masks;
} Inputs;

/* The values between layers, and the position embeddings of tokens and image. */
typedef struct
{
  const char *tokens;
  const char *places;
  const char *token_positions;
  const char *place_positions;
} Exchange;

static const char *
add (DynoGraph *graph, const char *first, const char *second)
{
  return dyno_graph_add (graph, "Add", NULL, first, second, NULL);
}

const char *
dyno_sam_add_feed (DynoGraph *graph,
                   const char *value,
                   gint64 width,
                   gint64 inner_width,
                   const char *const names[2],
                   const char *activation)
{
  dyno_graph_push_scope (graph, "mlp");
  value = dyno_layers_linear (graph, names[0], value, inner_width, TRUE);
  value = dyno_layers_activation (graph, activation, value);
  value = dyno_layers_linear (graph, names[1], value, width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

/* A fixed random matrix, Tancik et al. 2020; in single precision in any graph, because angles span many
 * periods. */
static const char *
add_waves (const DynoSamDecoder *self, DynoGraph *graph, const char *scope)
{
  const gint64 dims[] = { 2, self->prompt.n_waves };
  const char *waves;

  dyno_graph_push_scope (graph, "%s", scope);
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
encode_picture (const DynoSamDecoder *self, DynoGraph *graph, const char *waves)
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
  where = dyno_layers_reshape (graph, dyno_graph_add_floats (graph, (guint)(2 * n), middles), 2, target);
  where = encode (graph, where, waves);
  dyno_graph_pop_scope (graph);
  return where;
}

/* Coordinates of the points from −1 to 1, by the centres of pixels: [batch, points, 2]. */
static const char *
scale_points (const DynoSamDecoder *self, DynoGraph *graph, const char *points)
{
  const gint64 target[] = { 0, -1, 2 };
  float scale = 2 / (float)self->image_side;

  points = dyno_layers_reshape (graph, points, 3, target);
  points = dyno_graph_add (graph, "Mul", NULL, points, dyno_graph_add_float (graph, scale), NULL);
  return add (graph, points, dyno_graph_add_float (graph, scale / 2 - 1));
}

/* Does the same for the second version, where they are one table. */
static void
split_kinds (const DynoSamDecoder *self, DynoGraph *graph, const char **kinds)
{
  const gint64 dims[] = { self->prompt.n_kinds, self->exchange.width };
  const char *table = dyno_graph_add_weight (graph, "point_embed.weight", 0, 0.02, 2, dims);

  for (gint64 i = 0; i < MIN (self->prompt.n_kinds, N_POINT_KINDS + N_CORNERS); i++)
    kinds[i] = dyno_graph_add (graph, "Gather", "axis=0", table, dyno_graph_add_ints (graph, 1, &i), NULL);
}

/* The kinds of points are outside, inside, and the corners of a box. */
static void
add_kinds (const DynoSamDecoder *self, DynoGraph *graph, const char **kinds)
{
  const gint64 dims[] = { 1, self->exchange.width };

  for (guint i = 0; i < self->prompt.n_kinds; i++)
    {
      g_autofree char *name = g_strdup_printf ("point_embed.%u.weight", i);
      const char *kind = dyno_graph_add_weight (graph, name, 0, 0.02, 2, dims);

      if (i < N_POINT_KINDS + N_CORNERS)
        kinds[i] = kind;
    }
}

/* Turns the prompt into tokens: [batch, tokens, width]. */
static const char *
add_prompt (const DynoSamDecoder *self, DynoGraph *graph, const Inputs *inputs, const char *waves)
{
  const gint64 dims[] = { 1, self->exchange.width };
  const char *none = dyno_graph_add_weight (graph, "not_a_point_embed.weight", 0, 0.02, 2, dims);
  const char *kinds[N_POINT_KINDS + N_CORNERS] = { NULL };
  const char *points = NULL, *corners = NULL;

  (self->is_second ? split_kinds : add_kinds) (self, graph, kinds);
  if (inputs->points != NULL)
    {
      /* Points inside and outside the object, and a padding point instead of a box: [batch, points, width]. */
      const gint64 target[] = { 0, -1 }, last = 2;
      const char *labels = dyno_layers_reshape (graph, inputs->labels, 2, target);
      points = encode (graph, scale_points (self, graph, inputs->points), waves);

      /* The embedding of the kind of each point: [batch, points, width]. */
      const char *table = dyno_graph_add_list (graph, "Concat", "axis=0", N_POINT_KINDS, kinds);
      const char *rows = dyno_graph_add (graph, "Clip", NULL, labels, dyno_graph_add_int (graph, 0),
                                         dyno_graph_add_int (graph, N_POINT_KINDS - 1), NULL);
      points = add (graph, points, dyno_graph_add (graph, "Gather", "axis=0", table, rows, NULL));
      labels = dyno_graph_add (graph, "Equal", NULL, labels, dyno_graph_add_int (graph, NO_POINT), NULL);
      labels = dyno_graph_add (graph, "Unsqueeze", NULL, labels, dyno_graph_add_ints (graph, 1, &last), NULL);
      points = dyno_graph_add (graph, "Where", NULL, labels, none, points, NULL);
      if (inputs->boxes == NULL)
        points = dyno_graph_add (graph, "Concat", "axis=1", points,
                                 dyno_tower_spread_token (graph, none, inputs->points, self->exchange.width),
                                 NULL);
    }
  if (inputs->boxes != NULL)
    {
      /* The upper left and the lower right corner, and a padding point in the second version: [batch,
       * points, width]. */
      corners = encode (graph, scale_points (self, graph, inputs->boxes), waves);
      corners = add (graph, corners,
                     dyno_graph_add_list (graph, "Concat", "axis=0", N_CORNERS, kinds + N_POINT_KINDS));
      if (self->is_second)
        corners =
            dyno_graph_add (graph, "Concat", "axis=1", corners,
                            dyno_tower_spread_token (graph, none, inputs->boxes, self->exchange.width), NULL);
    }
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
normalize_mask (const DynoSamDecoder *self, DynoGraph *graph, guint layer, gint64 width, const char *value)
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
add_mask_prompt (const DynoSamDecoder *self, DynoGraph *graph, const char *mask)
{
  gint64 n = self->prompt.n_mask_channels, width = self->exchange.width;
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
  return dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", dyno_layers_reshape (graph, mask, 3, rows),
                         NULL);
}

static const char *
add_attention (const DynoSamExchange *self,
               DynoGraph *graph,
               const char *scope,
               gint64 reduction,
               const char *const inputs[3])
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
  value = dyno_layers_linear (graph, self->output, value, self->width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Tokens attend to the image, */
static const char *
look (const DynoSamExchange *self, DynoGraph *graph, const char *scope, const Exchange *at)
{
  const char *query = add (graph, at->tokens, at->token_positions);
  const char *key = add (graph, at->places, at->place_positions);
  const char *value =
      add_attention (self, graph, scope, self->reduction, (const char *const[]){ query, key, at->places });

  return add (graph, at->tokens, value);
}

static void
add_decoder_layer (const DynoSamExchange *self, DynoGraph *graph, gint64 layer, Exchange *at)
{
  const char *inner, *query, *key;

  dyno_graph_push_scope (graph, "layers.%" G_GINT64_FORMAT, layer);

  /* In the first layer the tokens are their own position embeddings. */
  query = layer == 0 ? at->tokens : add (graph, at->tokens, at->token_positions);
  inner = add_attention (self, graph, "self_attn", 1, (const char *const[]){ query, query, at->tokens });
  at->tokens = layer == 0 ? inner : add (graph, at->tokens, inner);

  at->tokens = dyno_layers_layer_norm (graph, "layer_norm1", at->tokens, self->epsilon);
  at->tokens = look (self, graph, "cross_attn_token_to_image", at);
  at->tokens = dyno_layers_layer_norm (graph, "layer_norm2", at->tokens, self->epsilon);
  inner = dyno_sam_add_feed (graph, at->tokens, self->width, self->inner_width, self->feed, self->activation);
  at->tokens = dyno_layers_layer_norm (graph, "layer_norm3", add (graph, at->tokens, inner), self->epsilon);

  query = add (graph, at->places, at->place_positions);
  key = add (graph, at->tokens, at->token_positions);
  inner = add_attention (self, graph, "cross_attn_image_to_token", self->reduction,
                         (const char *const[]){ query, key, at->tokens });
  at->places = add (graph, at->places, inner);
  at->places = dyno_layers_layer_norm (graph, "layer_norm4", at->places, self->epsilon);
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

/* Drops the first mask, which is for unambiguous prompts. */
static const char *
drop_first (DynoGraph *graph, const char *value, gint64 n)
{
  const gint64 sizes[] = { 1, n };
  const char *parts[2];

  dyno_graph_add_split (graph, value, 1, 2, sizes, parts);
  return parts[1];
}

static void
add_masks (const DynoSamDecoder *self, DynoGraph *graph, const Exchange *at, const char *const *fine)
{
  gint64 width = self->exchange.width, n = self->exchange.n_masks, side = REFINEMENT * self->side;
  const gint64 target[] = { -1, 1, n, side, side }, axis = 1;
  const gint64 whole[] = { 0, width, self->side, self->side }, flat[] = { 0, width / 8, side * side };
  g_autofree const char **parts = g_new (const char *, n + 1);
  g_autofree char *dimensions =
      g_strdup_printf ("batch, 1, %" PRId64 ", %" PRId64 ", %" PRId64, n, side, side);
  const char *value, *picture;

  for (gint64 i = 0; i <= n; i++)
    {
      dyno_graph_push_scope (graph, "output_hypernetworks_mlps.%" G_GINT64_FORMAT, i);
      parts[i] = read_token (graph, at->tokens, 1 + self->is_second + i, width, width / 8, 3);
      parts[i] =
          dyno_graph_add (graph, "Unsqueeze", NULL, parts[i], dyno_graph_add_ints (graph, 1, &axis), NULL);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_graph_add_list (graph, "Concat", "axis=1", (guint)n + 1, parts);

  /* [batch, width / 8, fine positions]; the features to add to the refined ones begin with the finest. */
  picture = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", at->places, NULL);
  picture = refine (graph, "upscale_conv1", dyno_layers_reshape (graph, picture, 4, whole), width / 4);
  if (fine != NULL)
    picture = add (graph, picture, fine[1]);
  picture = dyno_convolution_normalize_places (graph, "upscale_layer_norm", picture, NECK_EPSILON);
  picture = dyno_layers_activation (graph, "gelu", picture);
  picture = refine (graph, "upscale_conv2", picture, width / 8);
  if (fine != NULL)
    picture = add (graph, picture, fine[0]);
  picture = dyno_layers_reshape (graph, dyno_layers_activation (graph, "gelu", picture), 3, flat);
  value = dyno_graph_add (graph, "MatMul", NULL, value, picture, NULL);
  value = dyno_layers_reshape (graph, drop_first (graph, value, n), 5, target);
  dyno_graph_add_output (graph, "pred_masks", value, dimensions);
}

static void
add_scores (const DynoSamDecoder *self, DynoGraph *graph, const Exchange *at)
{
  gint64 n = self->exchange.n_masks;
  const gint64 target[] = { -1, 1, n };
  g_autofree char *dimensions = g_strdup_printf ("batch, 1, %" PRId64, n);
  const char *value;

  dyno_graph_push_scope (graph, "iou_prediction_head");
  value = read_token (graph, at->tokens, self->is_second, self->exchange.score_width, n + 1,
                      self->exchange.score_depth);
  if (self->is_second)
    value = dyno_graph_add (graph, "Sigmoid", NULL, value, NULL);
  value = dyno_layers_reshape (graph, drop_first (graph, value, n), 3, target);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "iou_scores", value, dimensions);
}

/* A token for the scores, one for each mask, and the prompt; in the second version, first a token for
 * whether there is an object. */
static const char *
add_tokens (const DynoSamDecoder *self, DynoGraph *graph, const char *prompt)
{
  gint64 width = self->exchange.width;
  const gint64 dims[] = { 1, width }, mask_dims[] = { self->exchange.n_masks + 1, width };
  const char *tokens;

  tokens = dyno_graph_add (graph, "Concat", "axis=0",
                           dyno_graph_add_weight (graph, "iou_token.weight", 0, 0.02, 2, dims),
                           dyno_graph_add_weight (graph, "mask_tokens.weight", 0, 0.02, 2, mask_dims), NULL);
  if (self->is_second)
    tokens = dyno_graph_add (graph, "Concat", "axis=0",
                             dyno_graph_add_weight (graph, "obj_score_token.weight", 0, 0.02, 2, dims),
                             tokens, NULL);
  tokens = dyno_tower_spread_token (graph, tokens, prompt, width);
  return dyno_graph_add (graph, "Concat", "axis=1", tokens, prompt, NULL);
}

static void
add_prompt_inputs (const DynoSamDecoder *self, DynoGraph *graph, Inputs *inputs)
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

static DynoSamExchange
read_exchange (DynoConfig *config, gboolean is_second)
{
  static const char *const first_feed[] = { "lin1", "lin2" }, *const second_feed[] = { "proj_in",
                                                                                       "proj_out" };

  return (DynoSamExchange){
    .width = dyno_config_get_int_or (config, "hidden_size", 256),
    .n_layers = dyno_config_get_int_or (config, "num_hidden_layers", 2),
    .n_heads = dyno_config_get_int_or (config, "num_attention_heads", 8),
    .inner_width = dyno_config_get_int_or (config, "mlp_dim", 2048),
    .reduction = dyno_config_get_int_or (config, "attention_downsample_rate", 2),
    .n_masks = dyno_config_get_int_or (config, "num_multimask_outputs", 3),
    .score_depth = dyno_config_get_int_or (config, "iou_head_depth", 3),
    .score_width = dyno_config_get_int_or (config, "iou_head_hidden_dim", 256),
    .output = is_second ? "o_proj" : "out_proj",
    .feed = is_second ? second_feed : first_feed,
    .epsilon = is_second ? FINAL_EPSILON : dyno_config_get_double_or (config, "layer_norm_eps", 1e-6),
    .activation = is_second ? "relu" : dyno_config_get_string_or (config, "hidden_act", "relu"),
  };
}

DynoSamDecoder
dyno_sam_decoder_read (DynoConfig *config, gboolean is_second)
{
  DynoConfig *prompt = dyno_config_get_child (config, "prompt_encoder_config");
  DynoSamDecoder self = {
    .prompt = {
      .n_kinds = dyno_config_get_int_or (prompt, "num_point_embeddings", 4),
      .n_mask_channels = dyno_config_get_int_or (prompt, "mask_input_channels", 16),
      .n_waves = dyno_config_get_int_or (prompt, "hidden_size", 256) / 2,
      .epsilon = dyno_config_get_double_or (prompt, "layer_norm_eps", 1e-6),
      .activation = dyno_config_get_string_or (prompt, "hidden_act", "gelu"),
    },
    .exchange = read_exchange (dyno_config_get_child (config, "mask_decoder_config"), is_second),
    .is_second = is_second,
  };

  /* A prompt has at least a point or a box, because a mask alone does not define the object. */
  g_autoptr (GPtrArray) kinds = dyno_config_get_texts (config, "prompts");

  self.prompt.has_points = kinds->len == 0;
  for (guint i = 0; i < kinds->len; i++)
    {
      const char *kind = kinds->pdata[i];

      if (g_str_equal (kind, "points"))
        self.prompt.has_points = TRUE;
      else if (g_str_equal (kind, "boxes"))
        self.prompt.has_boxes = TRUE;
      else if (g_str_equal (kind, "masks"))
        self.prompt.has_masks = TRUE;
      else
        dyno_config_fail (config, _ ("“%s” of its “prompts” is none of “points”, “boxes” and “masks”"), kind);
    }
  if (!self.prompt.has_points && !self.prompt.has_boxes)
    dyno_config_fail (config, _ ("its “prompts” name neither “points” nor “boxes”"));

  return self;
}

void
dyno_sam_decoder_check (const DynoSamDecoder *self, DynoConfig *config, gint64 patch_side)
{
  DynoConfig *prompt = dyno_config_get_child (config, "prompt_encoder_config");
  const DynoSamExchange *exchange = &self->exchange;
  gint64 least = N_POINT_KINDS + (self->prompt.has_boxes ? N_CORNERS : 0);

  if (self->prompt.n_kinds < least || self->prompt.n_kinds > DYNO_SAM_MAX_DEPTH)
    dyno_config_fail (
        prompt, _ ("its “num_point_embeddings” is %" PRId64 ", but must lie between %" PRId64 " and %d"),
        self->prompt.n_kinds, least, DYNO_SAM_MAX_DEPTH);
  dyno_config_check_activation (prompt, "hidden_act", self->prompt.activation);
  if (self->prompt.n_mask_channels % 4 != 0)
    dyno_config_fail (prompt, _ ("its “mask_input_channels” is not a multiple of 4"));
  if (dyno_config_get_int_or (prompt, "hidden_size", 256) != exchange->width)
    dyno_config_fail (prompt, _ ("its “hidden_size” is not that of “mask_decoder_config”"));
  if (dyno_config_get_int_or (prompt, "image_size", 1024) != self->image_side ||
      dyno_config_get_int_or (prompt, "patch_size", 16) != patch_side)
    dyno_config_fail (prompt, _ ("its “image_size” and “patch_size” are not those of “vision_config”"));

  DynoConfig *decoder = dyno_config_get_child (config, "mask_decoder_config");
  dyno_config_check_layers (decoder, "num_hidden_layers", exchange->n_layers);
  dyno_config_check_activation (decoder, "hidden_act", exchange->activation);
  if (exchange->width % 8 != 0 || exchange->width % (exchange->reduction * exchange->n_heads) != 0)
    dyno_config_fail (decoder,
                      _ ("its “hidden_size” is not a multiple of 8, and of its “num_attention_heads” "
                         "times its “attention_downsample_rate”"));
  if (exchange->n_masks > DYNO_SAM_MAX_DEPTH)
    dyno_config_fail (decoder, _ ("%" PRId64 " masks (“num_multimask_outputs”) are too many"),
                      exchange->n_masks);
  if (exchange->score_depth < 2 || exchange->score_depth > DYNO_SAM_MAX_DEPTH)
    dyno_config_fail (decoder, _ ("its “iou_head_depth” is %" PRId64 ", but must lie between 2 and %d"),
                      exchange->score_depth, DYNO_SAM_MAX_DEPTH);
}

void
dyno_sam_decoder_add (const DynoSamDecoder *self,
                      DynoGraph *graph,
                      const char *places,
                      const char *const *fine)
{
  Inputs inputs = { NULL };
  const char *waves, *prompt;
  Exchange at = { .places = places };

  add_prompt_inputs (self, graph, &inputs);
  waves = add_waves (self, graph, "shared_image_embedding");
  at.place_positions = encode_picture (self, graph, waves);
  dyno_graph_push_scope (graph, "prompt_encoder");
  if (self->is_second)
    waves = add_waves (self, graph, "shared_embedding");
  prompt = add_prompt (self, graph, &inputs, waves);
  at.places = add (graph, at.places, add_mask_prompt (self, graph, inputs.masks));
  dyno_graph_pop_scope (graph);
  dyno_graph_push_scope (graph, "mask_decoder");
  at.tokens = at.token_positions = add_tokens (self, graph, prompt);

  dyno_graph_push_scope (graph, "transformer");
  for (gint64 i = 0; i < self->exchange.n_layers; i++)
    add_decoder_layer (&self->exchange, graph, i, &at);
  at.tokens = look (&self->exchange, graph, "final_attn_token_to_image", &at);
  at.tokens = dyno_layers_layer_norm (graph, "layer_norm_final_attn", at.tokens, FINAL_EPSILON);
  dyno_graph_pop_scope (graph);

  add_masks (self, graph, &at, fine);
  add_scores (self, graph, &at);
  if (self->is_second)
    {
      /* Adds the score for whether there is an object at all. */
      const gint64 target[] = { -1, 1, 1 };
      const char *value;

      dyno_graph_push_scope (graph, "pred_obj_score_head");
      value = read_token (graph, at.tokens, 0, self->exchange.width, 1, 3);
      value = dyno_layers_reshape (graph, value, 3, target);
      dyno_graph_pop_scope (graph);
      dyno_graph_add_output (graph, "object_score_logits", value, "batch, 1, 1");
    }
  dyno_graph_pop_scope (graph);
}
