/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-convolution.h"
#include "dyno-head.h"
#include "dyno-layers.h"

/* Swin, Liu et al. 2021: attention within windows, shifted by half a window in every other layer. A mask separates
 * regions that wrap around the edge. */

#define EPSILON 1e-5   /* of norms without an epsilon in the config */
#define MASKED  (-100) /* as published: added to scores across region boundaries */

/* In the second version, Liu et al. 2021, the cosine of queries and keys is scaled for each head by at most
 * 100, and the bias of scores lies between 0 and 16. It is computed from distances, by two layers. */
#define BIAS_WIDTH  512
#define MOST_SCALE  log (100)
#define USUAL_SCALE log (10)
#define MOST_BIAS   16
#define FARTHEST    8

/* Each stage is twice as wide as the previous one. */
#define MAX_STAGES 8

typedef struct
{
  GArray *depths;
  GArray *heads;
  GArray *
      trained_windows; /* of each stage, by which distances are scaled; 0 for the window itself, NULL for all */
  gint64 width;
  gint64 image_side;
  gint64 patch_side;
  gint64 window;
  gint64 n_channels;
  gint64 n_labels;
  gboolean has_input_bias;
  gboolean is_second;
  const char *scope;
  double inner_share;
  double epsilon;
  const char *activation;
} Swin;

/* The context of a layer: its images have @side × @side positions of @width channels. */
typedef struct
{
  const Swin *swin;
  DynoGraph *graph;
  const char *pixels;
  gint64 side;
  gint64 width;
  gint64 n_heads;
  gint64 window;
  gint64 trained_window;
  const char
      *mask; /* of shifted windows, [batch × windows, 1, positions, positions]; NULL if there is one window */
} Stage;

static const char *
reshape (DynoGraph *graph, const char *value, guint rank, const gint64 *target)
{
  return dyno_graph_add (graph, "Reshape", NULL, value, dyno_graph_add_ints (graph, rank, target), NULL);
}

/* Which of nine regions a position of the shifted image belongs to. */
static gint64
find_region (const Stage *self, gint64 place)
{
  return (place >= self->side - self->window) + (place >= self->side - self->window / 2);
}

static gint64
region_of (const Stage *self, gint64 window, gint64 place)
{
  gint64 per_side = self->side / self->window;
  gint64 y = window / per_side * self->window + place / self->window;
  gint64 x = window % per_side * self->window + place % self->window;

  return 3 * find_region (self, y) + find_region (self, x);
}

/* The mask of each window, for each image of the batch. */
static const char *
add_mask (const Stage *self)
{
  DynoGraph *graph = self->graph;
  gint64 n_windows = (self->side / self->window) * (self->side / self->window);
  gint64 n = self->window * self->window;
  const gint64 dims[] = { n_windows, 1, n, n };
  const gint64 target[] = { -1, 1, n, n };
  g_autofree float *values = g_new (float, n_windows *n *n);
  const char *mask, *shape;

  for (gint64 i = 0; i < n_windows * n * n; i++)
    values[i] = region_of (self, i / (n * n), i / n % n) == region_of (self, i / (n * n), i % n) ? 0 : MASKED;
  mask = dyno_graph_add_floats (graph, (guint)(n_windows * n * n), values);
  mask = dyno_layers_cast (graph, mask, dyno_graph_get_real_type (graph));
  mask = reshape (graph, mask, 4, dims);
  shape = dyno_graph_add (graph, "Shape", "start=0 end=1", self->pixels, NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", shape, dyno_graph_add_ints (graph, 4, dims), NULL);
  mask = dyno_graph_add (graph, "Expand", NULL, mask, shape, NULL);
  return reshape (graph, mask, 4, target);
}

/* For each vertical and horizontal distance, both on a scale of logarithms: [distances, 2] */
static const char *
add_distances (const Stage *self)
{
  gint64 across = 2 * self->window - 1;
  const gint64 dims[] = { across * across, 2 };
  g_autofree float *values = g_new (float, 2 * across * across);
  const char *table;

  for (gint64 i = 0; i < 2 * across * across; i++)
    {
      gint64 place = i % 2 == 0 ? i / 2 / across : i / 2 % across;
      double distance =
          (double)(place - self->window + 1) / (double)MAX (self->trained_window - 1, 1) * FARTHEST;

      values[i] = (float)(copysign (log2 (fabs (distance) + 1), distance) / log2 (FARTHEST));
    }
  table = dyno_graph_add_floats (self->graph, (guint)(2 * across * across), values);
  return dyno_layers_cast (self->graph, reshape (self->graph, table, 2, dims),
                           dyno_graph_get_real_type (self->graph));
}

/* A row for each vertical and horizontal distance of two positions in a window. */
static const char *
add_table (const Stage *self)
{
  DynoGraph *graph = self->graph;
  gint64 across = 2 * self->window - 1;
  const gint64 dims[] = { across * across, self->n_heads };
  const char *table;

  if (!self->swin->is_second)
    return dyno_graph_add_weight (graph, "relative_position_bias_table", 0, 0.5, 2, dims);
  dyno_graph_push_scope (graph, "continuous_position_bias_mlp");
  table = dyno_layers_linear (graph, "0", add_distances (self), BIAS_WIDTH, TRUE);
  table =
      dyno_layers_linear (graph, "2", dyno_layers_activation (graph, "relu", table), self->n_heads, FALSE);
  table = dyno_graph_add (graph, "Sigmoid", NULL, table, NULL);
  table = dyno_graph_add (graph, "Mul", NULL, table, dyno_graph_add_real (graph, MOST_BIAS), NULL);
  dyno_graph_pop_scope (graph);
  return table;
}

static const char *
add_bias (const Stage *self)
{
  DynoGraph *graph = self->graph;
  gint64 window = self->window;
  gint64 n = window * window;
  const gint64 target[] = { n, n, self->n_heads };
  const gint64 first = 0;
  g_autofree gint64 *rows = g_new (gint64, n * n);
  const char *bias = add_table (self);

  for (gint64 i = 0; i < n * n; i++)
    {
      gint64 down = i / n / window - i % n / window + window - 1;
      gint64 right = i / n % window - i % n % window + window - 1;

      rows[i] = down * (2 * window - 1) + right;
    }
  bias = dyno_graph_add (graph, "Gather", "axis=0", bias, dyno_graph_add_ints (graph, (guint)(n * n), rows),
                         NULL);
  bias = reshape (graph, bias, 3, target);
  bias = dyno_graph_add (graph, "Transpose", "perm=[2,0,1]", bias, NULL);
  return dyno_graph_add (graph, "Unsqueeze", NULL, bias, dyno_graph_add_ints (graph, 1, &first), NULL);
}

/* Queries of the length that the scale of their head says. */
static const char *
scale_queries (const Stage *self, const char *query)
{
  DynoGraph *graph = self->graph;
  const gint64 dims[] = { self->n_heads, 1, 1 };
  const char *scale = dyno_graph_add_weight (graph, "logit_scale", USUAL_SCALE, 0.1, 3, dims);

  scale =
      dyno_graph_add (graph, "Clip", NULL, scale, "", dyno_graph_add_real (graph, (float)MOST_SCALE), NULL);
  scale = dyno_graph_add (graph, "Exp", NULL, scale, NULL);
  return dyno_graph_add (graph, "Mul", NULL, dyno_layers_unit (graph, query), scale, NULL);
}

static const char *
attend (const Stage *self, const char *query, const char *key, const char *value, const char *scores)
{
  if (!self->swin->is_second)
    return dyno_layers_attention (self->graph, query, key, value, scores, DYNO_DATA_TYPE_FLOAT);
  return dyno_layers_attention_scaled (self->graph, scale_queries (self, query),
                                       dyno_layers_unit (self->graph, key), value, scores,
                                       DYNO_DATA_TYPE_FLOAT, 1);
}

static const char *
add_attention (const Stage *self, gboolean is_moved, const char *value)
{
  const Swin *swin = self->swin;
  DynoGraph *graph = self->graph;
  const char *query, *key, *scores;

  dyno_graph_push_scope (graph, "attention.self");
  query = dyno_layers_linear (graph, "query", value, self->width, swin->has_input_bias);
  key = dyno_layers_linear (graph, "key", value, self->width, swin->has_input_bias && !swin->is_second);
  value = dyno_layers_linear (graph, "value", value, self->width, swin->has_input_bias);
  query = dyno_layers_split_heads (graph, query, self->n_heads);
  key = dyno_layers_split_heads (graph, key, self->n_heads);
  value = dyno_layers_split_heads (graph, value, self->n_heads);
  scores = add_bias (self);
  if (is_moved)
    scores = dyno_graph_add (graph, "Add", NULL, scores, self->mask, NULL);
  value = attend (self, query, key, value, scores);
  dyno_graph_pop_scope (graph);
  return dyno_layers_linear (graph, "attention.output.dense", value, self->width, TRUE);
}

/* Shifts cyclically. */
static const char *
move (const Stage *self, const char *value, gint64 by)
{
  const gint64 sizes[] = { by, self->side - by };
  const char *parts[2];

  for (int axis = 1; axis <= 2; axis++)
    {
      g_autofree char *attributes = g_strdup_printf ("axis=%d", axis);

      dyno_graph_add_split (self->graph, value, axis, 2, sizes, parts);
      value = dyno_graph_add (self->graph, "Concat", attributes, parts[1], parts[0], NULL);
    }
  return value;
}

/* [batch, positions, width] into [batch × windows, positions of a window, width]. */
static const char *
cut_windows (const Stage *self, gboolean is_moved, const char *value)
{
  gint64 window = self->window;
  gint64 per_side = self->side / window;
  const gint64 picture[] = { -1, self->side, self->side, self->width };
  const gint64 cut[] = { -1, per_side, window, per_side, window, self->width };
  const gint64 rows[] = { -1, window * window, self->width };

  value = reshape (self->graph, value, 4, picture);
  if (is_moved)
    value = move (self, value, window / 2);
  value = reshape (self->graph, value, 6, cut);
  value = dyno_graph_add (self->graph, "Transpose", "perm=[0,1,3,2,4,5]", value, NULL);
  return reshape (self->graph, value, 3, rows);
}

static const char *
join_windows (const Stage *self, gboolean is_moved, const char *value)
{
  gint64 window = self->window;
  gint64 per_side = self->side / window;
  const gint64 picture[] = { -1, self->side, self->side, self->width };
  const gint64 cut[] = { -1, per_side, per_side, window, window, self->width };
  const gint64 rows[] = { -1, self->side * self->side, self->width };

  value = reshape (self->graph, value, 6, cut);
  value = dyno_graph_add (self->graph, "Transpose", "perm=[0,1,3,2,4,5]", value, NULL);
  if (is_moved)
    value = move (self, reshape (self->graph, value, 4, picture), self->side - window / 2);
  return reshape (self->graph, value, 3, rows);
}

static const char *
add_windows (const Stage *self, gboolean is_moved, const char *value)
{
  value = cut_windows (self, is_moved, value);
  return join_windows (self, is_moved, add_attention (self, is_moved, value));
}

static const char *
add_inner (const Stage *self, const char *value)
{
  const Swin *swin = self->swin;

  value = dyno_layers_linear (self->graph, "intermediate.dense", value,
                              (gint64)(swin->inner_share * (double)self->width), TRUE);
  value = dyno_layers_activation (self->graph, swin->activation, value);
  return dyno_layers_linear (self->graph, "output.dense", value, self->width, TRUE);
}

/* The second version normalises the results instead of the inputs. */
static const char *
add_layer (const Stage *self, guint layer, const char *value)
{
  const Swin *swin = self->swin;
  DynoGraph *graph = self->graph;
  gboolean is_moved = layer % 2 == 1 && self->mask != NULL;
  const char *inner;

  if (swin->is_second)
    {
      inner = add_windows (self, is_moved, value);
      inner = dyno_layers_layer_norm (graph, "layernorm_before", inner, swin->epsilon);
      value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
      inner = dyno_layers_layer_norm (graph, "layernorm_after", add_inner (self, value), swin->epsilon);
      return dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
    }
  inner = dyno_layers_layer_norm (graph, "layernorm_before", value, swin->epsilon);
  value = dyno_graph_add (graph, "Add", NULL, value, add_windows (self, is_moved, inner), NULL);
  inner = dyno_layers_layer_norm (graph, "layernorm_after", value, swin->epsilon);
  return dyno_graph_add (graph, "Add", NULL, add_inner (self, inner), value, NULL);
}

/* Merges four neighbours into one position of twice the width. */
static const char *
merge_patches (const Stage *self, const char *value)
{
  gint64 half = self->side / 2;
  const gint64 cut[] = { -1, half, 2, half, 2, self->width };
  const gint64 rows[] = { -1, half * half, 4 * self->width };

  dyno_graph_push_scope (self->graph, "downsample");
  value = reshape (self->graph, value, 6, cut);
  value = dyno_graph_add (self->graph, "Transpose", "perm=[0,1,3,4,2,5]", value, NULL);
  value = reshape (self->graph, value, 3, rows);
  if (!self->swin->is_second)
    value = dyno_layers_layer_norm (self->graph, "norm", value, EPSILON);
  value = dyno_layers_linear (self->graph, "reduction", value, 2 * self->width, FALSE);
  if (self->swin->is_second)
    value = dyno_layers_layer_norm (self->graph, "norm", value, EPSILON);
  dyno_graph_pop_scope (self->graph);
  return value;
}

static gint64
get_trained_window (const Swin *self, guint stage)
{
  return self->trained_windows != NULL ? g_array_index (self->trained_windows, gint64, stage) : 0;
}

static const char *
add_stage (Stage *self, guint index, const char *value)
{
  gint64 depth = g_array_index (self->swin->depths, gint64, index);

  self->n_heads = g_array_index (self->swin->heads, gint64, index);
  self->window = MIN (self->swin->window, self->side);
  self->trained_window = get_trained_window (self->swin, index);
  if (self->trained_window == 0)
    self->trained_window = self->window;
  dyno_graph_push_scope (self->graph, "%s.encoder.layers.%u", self->swin->scope, index);
  self->mask = self->side > self->window && depth > 1 ? add_mask (self) : NULL;
  for (guint i = 0; i < depth; i++)
    {
      dyno_graph_push_scope (self->graph, "blocks.%u", i);
      value = add_layer (self, i, value);
      dyno_graph_pop_scope (self->graph);
    }
  if (index + 1 < self->swin->depths->len)
    {
      value = merge_patches (self, value);
      self->side /= 2;
      self->width *= 2;
    }
  dyno_graph_pop_scope (self->graph);
  return value;
}

static const char *
add_embeddings (const Stage *self)
{
  const Swin *swin = self->swin;
  const DynoConvolution patches = {
    swin->width, swin->patch_side, swin->patch_side, 1, 1, .has_bias = TRUE, .is_cropped = TRUE,
  };
  const gint64 target[] = { 0, swin->width, -1 };
  const char *value;

  dyno_graph_push_scope (self->graph, "%s.embeddings", swin->scope);
  value = dyno_convolution_add (&patches, self->graph, "patch_embeddings.projection", self->pixels);
  value = reshape (self->graph, value, 3, target);
  value = dyno_graph_add (self->graph, "Transpose", "perm=[0,2,1]", value, NULL);
  value = dyno_layers_layer_norm (self->graph, "norm", value, EPSILON);
  dyno_graph_pop_scope (self->graph);
  return value;
}

static void
add_swin (DynoGraph *graph, const Swin *swin)
{
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT,
                       swin->n_channels, swin->image_side, swin->image_side);
  Stage self = {
    .swin = swin, .graph = graph, .side = swin->image_side / swin->patch_side, .width = swin->width
  };
  g_autofree char *norm = g_strconcat (swin->scope, ".layernorm", NULL);
  const gint64 flat[] = { 0, -1 };
  const char *value;

  self.pixels = dyno_graph_add_input (graph, "pixel_values", dyno_graph_get_real_type (graph), dimensions);
  value = add_embeddings (&self);
  for (guint i = 0; i < swin->depths->len; i++)
    value = add_stage (&self, i, value);
  value = dyno_layers_layer_norm (graph, norm, value, swin->epsilon);
  dyno_graph_push_scope (graph, "%s.pooler", swin->scope);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
  value = dyno_graph_add (graph, "ReduceMean", "axes=[-1] keepdims=1", value, NULL);
  value = reshape (graph, value, 2, flat);
  dyno_graph_pop_scope (graph);
  dyno_head_add_classes (graph, "classifier", value, swin->n_labels);
}

static void
check_stage (const Swin *self, guint index, DynoConfig *config)
{
  gint64 width = self->width << index;
  gint64 side = self->image_side / self->patch_side >> index;

  if (get_trained_window (self, index) < 0 || get_trained_window (self, index) == 1)
    dyno_config_fail (config, _ ("its “%s” hold 1 or a number below 0"), "pretrained_window_sizes");
  if (side < 1 || (side < self->window ? !self->is_second : side % self->window != 0))
    dyno_config_fail (config,
                      _ ("its pictures (“image_size”) have %" PRId64 " × %" PRId64
                         " places in a stage, which windows of %" PRId64 " (“window_size”) do not divide"),
                      side, side, self->window);
  dyno_config_check_heads (config, &(DynoConfigFields){ .width = "embed_dim", .heads = "num_heads" }, width,
                           g_array_index (self->heads, gint64, index));
}

static void
check_swin (const Swin *self, DynoConfig *config)
{
  dyno_config_check_stages (config, "num_heads", self->heads, self->depths);
  if (self->depths->len > MAX_STAGES)
    dyno_config_fail (config, _ ("%u stages (“depths”) are too many"), self->depths->len);
  if (!(self->inner_share > 0 && self->inner_share <= 100))
    dyno_config_fail (config, _ ("its “%s” must lie between 0 and 100"), "mlp_ratio");
  if (self->window > 64)
    dyno_config_fail (config, _ ("its “window_size” is %" PRId64 ", but must lie between 1 and 64"),
                      self->window);
  dyno_config_check_activation (config, "hidden_act", self->activation);
  if (self->trained_windows != NULL && self->trained_windows->len != self->depths->len)
    dyno_config_fail (config, _ ("its “%s” are %u, but it has %u stages"), "pretrained_window_sizes",
                      self->trained_windows->len, self->depths->len);
  for (guint i = 0; dyno_config_check (config, NULL) && i < self->depths->len; i++)
    check_stage (self, i, config);
}

static void
build (DynoGraph *graph, DynoConfig *config, gboolean is_second)
{
  g_autoptr (GArray) depths = dyno_config_get_ints (config, "depths");
  g_autoptr (GArray) heads = dyno_config_get_ints (config, "num_heads");
  g_autoptr (GArray) trained = is_second ? dyno_config_get_indices (config, "pretrained_window_sizes") : NULL;
  Swin self = {
    .depths = depths,
    .heads = heads,
    .trained_windows = trained,
    .width = dyno_config_get_int (config, "embed_dim"),
    .image_side = dyno_config_get_int_or (config, "image_size", 224),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 4),
    .window = dyno_config_get_int_or (config, "window_size", 7),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_labels = dyno_head_count_labels (config),
    .has_input_bias = dyno_config_get_boolean_or (config, "qkv_bias", TRUE),
    .is_second = is_second,
    .scope = is_second ? "swinv2" : "swin",
    .inner_share = dyno_config_get_double_or (config, "mlp_ratio", 4),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5),
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };

  check_swin (&self, config);
  if (dyno_config_get_boolean_or (config, "use_absolute_embeddings", FALSE))
    dyno_config_fail (config, _ ("positions of patches (“use_absolute_embeddings”) are not supported"));
  if (dyno_config_check (config, NULL))
    add_swin (graph, &self);
}

static void
build_swin (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, FALSE);
}

static void
build_swin2 (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, TRUE);
}

static const DynoNaming naming = { "swin" };
static const DynoNaming second_naming = { "swinv2" };

const DynoArchitecture dyno_swin_architectures[] = {
  { "swin", &dyno_vision_family, "image-classification", build_swin, &naming },
  { "swinv2", &dyno_vision_family, "image-classification", build_swin2, &second_naming },
  { NULL },
};
