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

/* Swin, Liu et al. 2021: attention within windows, shifted by half a window in every other layer. A mask separates
 * regions that wrap around the edge. */

#define EPSILON 1e-5   /* of norms without an epsilon in the config */
#define MASKED  (-100) /* as published: added to scores across region boundaries */

/* In the second version, Liu et al. 2021, the cosine of queries and keys is scaled for each head by at most
 * 100, and the bias of scores is between 0 and 16. It is computed from distances, by two layers. */
#define BIAS_WIDTH  512
#define MOST_SCALE  log (100)
#define USUAL_SCALE log (10)
#define MOST_BIAS   16
#define FARTHEST    8

/* Masks and places of larger pictures would take more memory than the weights. */
#define MAX_SIDE 4096

/* Each stage is twice as wide as the previous one. */
#define MAX_STAGES 8

/* The context of a layer: its images have @sides[0] × @sides[1] positions of @width channels. */
typedef struct
{
  const DynoSwin *swin;
  DynoGraph *graph;
  const char *items; /* any value with the size of the batch in front */
  gint64 sides[2];
  gint64 width;
  gint64 n_heads;
  gint64 window;
  gint64 trained_window;
  const char *mask; /* for shifted windows, [batch × windows, 1, positions, positions]; NULL for one window */
} Stage;

/* Finds which of nine regions a position of the shifted image belongs to. */
static gint64
find_region (const Stage *self, gint64 side, gint64 place)
{
  return (place >= side - self->window) + (place >= side - self->window / 2);
}

/* The mask of each window, for each image of the batch. */
static const char *
add_mask (const Stage *self)
{
  DynoGraph *graph = self->graph;
  gint64 n_windows = self->sides[0] / self->window * (self->sides[1] / self->window),
         n = self->window * self->window;
  const gint64 rows[] = { n_windows, 1, n, 1 }, columns[] = { n_windows, 1, 1, n };
  const gint64 dims[] = { n_windows, 1, n, n }, target[] = { -1, 1, n, n };
  g_autofree gint64 *regions = g_new (gint64, n_windows * n);
  const char *mask, *shape;

  for (gint64 i = 0; i < n_windows * n; i++)
    {
      gint64 window = i / n;
      gint64 place = i % n;
      gint64 per_row = self->sides[1] / self->window;
      gint64 y = window / per_row * self->window + place / self->window;
      gint64 x = window % per_row * self->window + place % self->window;

      regions[i] = 3 * find_region (self, self->sides[0], y) + find_region (self, self->sides[1], x);
    }
  mask = dyno_graph_add_ints (graph, (guint)(n_windows * n), regions);
  mask = dyno_graph_add (graph, "Equal", NULL, dyno_layers_reshape (graph, mask, 4, rows),
                         dyno_layers_reshape (graph, mask, 4, columns), NULL);
  mask = dyno_graph_add (graph, "Where", NULL, mask, dyno_graph_add_real (graph, 0),
                         dyno_graph_add_real (graph, MASKED), NULL);
  shape = dyno_graph_add (graph, "Shape", "start=0 end=1", self->items, NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", shape, dyno_graph_add_ints (graph, 4, dims), NULL);
  mask = dyno_graph_add (graph, "Expand", NULL, mask, shape, NULL);
  return dyno_layers_reshape (graph, mask, 4, target);
}

/* A row for each vertical and horizontal distance of two positions in a window. */
static const char *
add_table (const Stage *self)
{
  DynoGraph *graph = self->graph;
  gint64 across = 2 * self->window - 1;
  const gint64 dims[] = { across * across, self->n_heads }, pairs[] = { across * across, 2 };
  g_autofree float *values = g_new (float, 2 * across * across);
  const char *table;

  if (!self->swin->is_second)
    return dyno_graph_add_weight (graph, "relative_position_bias_table", 0, 0.5, 2, dims);

  /* For each vertical and horizontal distance, both on a scale of logarithms: [distances, 2] */
  for (gint64 i = 0; i < 2 * across * across; i++)
    {
      gint64 place = i % 2 == 0 ? i / 2 / across : i / 2 % across;
      double distance =
          (double)(place - self->window + 1) / (double)MAX (self->trained_window - 1, 1) * FARTHEST;

      values[i] = (float)(copysign (log2 (fabs (distance) + 1), distance) / log2 (FARTHEST));
    }
  dyno_graph_push_scope (graph, "continuous_position_bias_mlp");
  table = dyno_graph_add_floats (graph, (guint)(2 * across * across), values);
  table = dyno_layers_reshape (graph, table, 2, pairs);
  table = dyno_layers_cast (graph, table, dyno_graph_get_real_type (graph));
  table = dyno_layers_linear (graph, "0", table, BIAS_WIDTH, TRUE);
  table =
      dyno_layers_linear (graph, "2", dyno_layers_activation (graph, "relu", table), self->n_heads, FALSE);
  table = dyno_graph_add (graph, "Sigmoid", NULL, table, NULL);
  table = dyno_graph_add (graph, "Mul", NULL, table, dyno_graph_add_real (graph, MOST_BIAS), NULL);
  dyno_graph_pop_scope (graph);
  return table;
}

static const char *
attend (const Stage *self, const char *query, const char *key, const char *value, const char *scores)
{
  DynoGraph *graph = self->graph;
  const gint64 dims[] = { self->n_heads, 1, 1 };
  const char *scale;

  if (!self->swin->is_second)
    return dyno_layers_attention (graph, query, key, value, scores, DYNO_DATA_TYPE_FLOAT);

  /* The queries are normalised and multiplied by the scale of their head. */
  key = dyno_layers_unit (graph, key);
  scale = dyno_graph_add_weight (graph, "logit_scale", USUAL_SCALE, 0.1, 3, dims);
  scale =
      dyno_graph_add (graph, "Clip", NULL, scale, "", dyno_graph_add_real (graph, (float)MOST_SCALE), NULL);
  scale = dyno_graph_add (graph, "Exp", NULL, scale, NULL);
  query = dyno_graph_add (graph, "Mul", NULL, dyno_layers_unit (graph, query), scale, NULL);
  return dyno_layers_attention_scaled (graph, query, key, value, scores, DYNO_DATA_TYPE_FLOAT, 1);
}

static void
add_projections (const Stage *self, const char *value, const char *parts[3])
{
  static const char *const names[] = { "query", "key", "value" };
  const DynoSwin *swin = self->swin;
  const gint64 sizes[] = { self->width, self->width, self->width };

  if (swin->is_joined)
    {
      value = dyno_layers_linear (self->graph, "qkv", value, 3 * self->width, swin->has_input_bias);
      dyno_graph_add_split (self->graph, value, 2, 3, sizes, parts);
      return;
    }
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_linear (self->graph, names[i], value, self->width,
                                   swin->has_input_bias && !(i == 1 && swin->is_second));
}

/* Shifts cyclically, towards the beginning if @by is above 0. */
static const char *
move (const Stage *self, const char *value, gint64 by)
{
  const char *parts[2];

  for (int axis = 1; axis <= 2; axis++)
    {
      gint64 first = by > 0 ? by : self->sides[axis - 1] + by;
      const gint64 sizes[] = { first, self->sides[axis - 1] - first };
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
  gint64 rows_of = self->sides[0] / window, columns_of = self->sides[1] / window;
  const gint64 picture[] = { -1, self->sides[0], self->sides[1], self->width };
  const gint64 cut[] = { -1, rows_of, window, columns_of, window, self->width };
  const gint64 rows[] = { -1, window * window, self->width };

  value = dyno_layers_reshape (self->graph, value, 4, picture);
  if (is_moved)
    value = move (self, value, window / 2);
  value = dyno_layers_reshape (self->graph, value, 6, cut);
  value = dyno_graph_add (self->graph, "Transpose", "perm=[0,1,3,2,4,5]", value, NULL);
  return dyno_layers_reshape (self->graph, value, 3, rows);
}

static const char *
join_windows (const Stage *self, gboolean is_moved, const char *value)
{
  gint64 window = self->window;
  gint64 rows_of = self->sides[0] / window, columns_of = self->sides[1] / window;
  const gint64 picture[] = { -1, self->sides[0], self->sides[1], self->width };
  const gint64 cut[] = { -1, rows_of, columns_of, window, window, self->width };
  const gint64 rows[] = { -1, self->sides[0] * self->sides[1], self->width };

  value = dyno_layers_reshape (self->graph, value, 6, cut);
  value = dyno_graph_add (self->graph, "Transpose", "perm=[0,1,3,2,4,5]", value, NULL);
  if (is_moved)
    value = move (self, dyno_layers_reshape (self->graph, value, 4, picture), -(window / 2));
  return dyno_layers_reshape (self->graph, value, 3, rows);
}

static const char *
add_windows (const Stage *self, gboolean is_moved, const char *value)
{
  value = cut_windows (self, is_moved, value);

  DynoGraph *graph = self->graph;
  const char *parts[3], *scores;

  dyno_graph_push_scope (graph, "attention.self");
  add_projections (self, value, parts);
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_split_heads (graph, parts[i], self->n_heads);

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
  bias = dyno_layers_reshape (graph, bias, 3, target);
  bias = dyno_graph_add (graph, "Transpose", "perm=[2,0,1]", bias, NULL);
  scores = dyno_graph_add (graph, "Unsqueeze", NULL, bias, dyno_graph_add_ints (graph, 1, &first), NULL);
  if (is_moved)
    scores = dyno_graph_add (graph, "Add", NULL, scores, self->mask, NULL);
  value = attend (self, parts[0], parts[1], parts[2], scores);
  dyno_graph_pop_scope (graph);
  return join_windows (self, is_moved,
                       dyno_layers_linear (graph, "attention.output.dense", value, self->width, TRUE));
}

static const char *
add_inner (const Stage *self, const char *value)
{
  const DynoSwin *swin = self->swin;

  value = dyno_layers_linear (self->graph, "intermediate.dense", value,
                              (gint64)(swin->inner_share * (double)self->width), TRUE);
  value = dyno_layers_activation (self->graph, swin->activation, value);
  return dyno_layers_linear (self->graph, "output.dense", value, self->width, TRUE);
}

/* The second version normalises the results instead of the inputs. */
static const char *
add_layer (const Stage *self, guint layer, const char *value)
{
  const DynoSwin *swin = self->swin;
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

static gint64
get_trained_window (const DynoSwin *self, guint stage)
{
  return self->trained_windows != NULL ? g_array_index (self->trained_windows, gint64, stage) : 0;
}

static const char *
add_stage (Stage *self, guint index, const char *value)
{
  gint64 depth = g_array_index (self->swin->depths, gint64, index);

  self->n_heads = g_array_index (self->swin->heads, gint64, index);
  self->window = MIN (self->swin->window, MIN (self->sides[0], self->sides[1]));
  self->trained_window = get_trained_window (self->swin, index);
  if (self->trained_window == 0)
    self->trained_window = self->window;
  dyno_graph_push_scope (self->graph, "%s.%u", self->swin->layers, index);
  self->mask = MIN (self->sides[0], self->sides[1]) > self->window && depth > 1 ? add_mask (self) : NULL;
  for (guint i = 0; i < depth; i++)
    {
      dyno_graph_push_scope (self->graph, "blocks.%u", i);
      value = add_layer (self, i, value);
      dyno_graph_pop_scope (self->graph);
    }
  if (index + 1 < self->swin->depths->len)
    {
      /* Merges four neighbours into one position of twice the width. */
      const gint64 halves[] = { self->sides[0] / 2, self->sides[1] / 2 };
      const gint64 cut[] = { -1, halves[0], 2, halves[1], 2, self->width };
      const gint64 rows[] = { -1, halves[0] * halves[1], 4 * self->width };

      dyno_graph_push_scope (self->graph, "downsample");
      value = dyno_layers_reshape (self->graph, value, 6, cut);
      value = dyno_graph_add (self->graph, "Transpose", "perm=[0,1,3,4,2,5]", value, NULL);
      value = dyno_layers_reshape (self->graph, value, 3, rows);
      if (!self->swin->is_second)
        value = dyno_layers_layer_norm (self->graph, "norm", value, EPSILON);
      value = dyno_layers_linear (self->graph, "reduction", value, 2 * self->width, FALSE);
      if (self->swin->is_second)
        value = dyno_layers_layer_norm (self->graph, "norm", value, EPSILON);
      dyno_graph_pop_scope (self->graph);

      self->sides[0] /= 2;
      self->sides[1] /= 2;
      self->width *= 2;
    }
  dyno_graph_pop_scope (self->graph);
  return value;
}

const char *
dyno_swin_add (const DynoSwin *self, DynoGraph *graph, const char *items, const char *value)
{
  Stage stage = { .swin = self,
                  .graph = graph,
                  .items = items,
                  .sides = { self->image_sides[0] / self->patch_side,
                             self->image_sides[1] / self->patch_side },
                  .width = self->width };

  for (guint i = 0; i < self->depths->len; i++)
    value = add_stage (&stage, i, value);
  return value;
}

/* The states of all places, [batch, places, width], before the last norm. */
static const char *
add_layers (DynoGraph *graph, const DynoSwin *swin)
{
  const DynoConvolution patches = {
    swin->width, swin->patch_side, swin->patch_side, 1, 1, .has_bias = TRUE, .is_cropped = TRUE,
  };
  const char *pixels =
      dyno_tower_add_pixels (graph, swin->n_channels, swin->image_sides[0], swin->image_sides[1]);
  const char *value;

  dyno_graph_push_scope (graph, "%s.embeddings", swin->scope);
  value = dyno_convolution_add (&patches, graph, "patch_embeddings.projection", pixels);
  value = dyno_layers_to_tokens (graph, value);
  value = dyno_layers_layer_norm (graph, "norm", value, EPSILON);
  dyno_graph_pop_scope (graph);
  return dyno_swin_add (swin, graph, pixels, value);
}

static void
add_swin (DynoGraph *graph, const DynoSwin *swin)
{
  g_autofree char *norm = g_strconcat (swin->scope, ".layernorm", NULL);
  const gint64 flat[] = { 0, -1 };
  const char *value = dyno_layers_layer_norm (graph, norm, add_layers (graph, swin), swin->epsilon);

  dyno_graph_push_scope (graph, "%s.pooler", swin->scope);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
  value = dyno_graph_add (graph, "ReduceMean", "axes=[-1] keepdims=1", value, NULL);
  value = dyno_layers_reshape (graph, value, 2, flat);
  dyno_graph_pop_scope (graph);
  dyno_head_add_classes (graph, "classifier", value, swin->n_labels);
}

void
dyno_swin_check (const DynoSwin *self, DynoConfig *config)
{
  dyno_config_check_stages (config, "num_heads", self->heads, self->depths);
  if (self->depths->len > MAX_STAGES)
    dyno_config_fail (config, _ ("%u stages (“depths”) are too many"), self->depths->len);
  dyno_config_check_share (config, "mlp_ratio", self->inner_share, self->width);
  if (self->window > 64)
    dyno_config_fail (config, _ ("its “window_size” is %" PRId64 ", but must lie between 1 and 64"),
                      self->window);
  for (guint i = 0; i < 2; i++)
    if (self->image_sides[i] > MAX_SIDE)
      dyno_config_fail (config, _ ("its “%s” is larger than %d"), "image_size", MAX_SIDE);
  dyno_config_check_activation (config, "hidden_act", self->activation);
  if (self->trained_windows != NULL && self->trained_windows->len != self->depths->len)
    dyno_config_fail (config, _ ("its “%s” are %u, but it has %u stages"), "pretrained_window_sizes",
                      self->trained_windows->len, self->depths->len);
  for (guint i = 0; dyno_config_check (config, NULL) && i < self->depths->len; i++)
    {
      gint64 width = self->width << i;
      const gint64 sides[] = { self->image_sides[0] / self->patch_side >> i,
                               self->image_sides[1] / self->patch_side >> i };
      gint64 least = MIN (sides[0], sides[1]), window = MIN (self->window, least);
      /* A window is never larger than a picture, but only the second version was built with this rule. */
      gboolean fits = least >= 1 && (least >= self->window || self->is_second) && sides[0] % window == 0 &&
                      sides[1] % window == 0;

      if (get_trained_window (self, i) < 0 || get_trained_window (self, i) == 1)
        dyno_config_fail (config, _ ("its “%s” hold 1 or a number below 0"), "pretrained_window_sizes");
      if (!fits)
        dyno_config_fail (config,
                          _ ("its pictures (“image_size”) have %" PRId64 " × %" PRId64
                             " places in a stage, which windows of %" PRId64
                             " (“window_size”) do not divide"),
                          sides[0], sides[1], self->window);
      dyno_config_check_heads (config, &(DynoConfigFields){ .width = "embed_dim", .heads = "num_heads" },
                               width, g_array_index (self->heads, gint64, i));
    }
}

static void
swin_clear (DynoSwin *self)
{
  g_clear_pointer (&self->depths, g_array_unref);
  g_clear_pointer (&self->heads, g_array_unref);
  g_clear_pointer (&self->trained_windows, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoSwin, swin_clear)

static void
read_swin (DynoSwin *self, DynoConfig *config, gboolean is_second)
{
  self->depths = dyno_config_get_ints (config, "depths");
  self->heads = dyno_config_get_ints (config, "num_heads");
  self->trained_windows = is_second ? dyno_config_get_indices (config, "pretrained_window_sizes") : NULL;
  self->width = dyno_config_get_int (config, "embed_dim");
  self->patch_side = dyno_config_get_int_or (config, "patch_size", 4);
  self->window = dyno_config_get_int_or (config, "window_size", 7);
  self->n_channels = dyno_config_get_int_or (config, "num_channels", 3);
  self->has_input_bias = dyno_config_get_boolean_or (config, "qkv_bias", TRUE);
  self->is_second = is_second;
  self->inner_share = dyno_config_get_double_or (config, "mlp_ratio", 4);
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5);
  self->activation = dyno_config_get_string_or (config, "hidden_act", "gelu");
  dyno_config_get_sides (config, 224, self->image_sides);
  dyno_swin_check (self, config);
  if (dyno_config_get_boolean_or (config, "use_absolute_embeddings", FALSE))
    dyno_config_fail (config, _ ("positions of patches (“use_absolute_embeddings”) are not supported"));
}

gint64
dyno_swin_count_tokens (DynoConfig *config)
{
  g_auto (DynoSwin) self = { 0 };
  guint n_halves;

  read_swin (&self, config, FALSE);
  if (!dyno_config_check (config, NULL))
    return 1;
  n_halves = self.depths->len - 1;
  return (self.image_sides[0] / self.patch_side >> n_halves) *
         (self.image_sides[1] / self.patch_side >> n_halves);
}

const char *
dyno_swin_add_encoder (DynoGraph *graph, DynoConfig *config)
{
  g_auto (DynoSwin) self = { .scope = "encoder", .layers = "encoder.encoder.layers" };

  read_swin (&self, config, FALSE);
  return dyno_config_check (config, NULL) ? add_layers (graph, &self) : NULL;
}

void
dyno_swin_build_joined (DynoGraph *graph, DynoConfig *config)
{
  g_auto (DynoSwin) self = { .scope = "swin",
                             .layers = "swin.encoder.layers",
                             .is_joined = TRUE,
                             .n_labels = dyno_head_count_labels (config) };

  read_swin (&self, config, FALSE);
  if (dyno_config_check (config, NULL))
    add_swin (graph, &self);
}

static void
build (DynoGraph *graph, DynoConfig *config, gboolean is_second)
{
  g_auto (DynoSwin) self = { .scope = is_second ? "swinv2" : "swin",
                             .layers = is_second ? "swinv2.encoder.layers" : "swin.encoder.layers",
                             .n_labels = dyno_head_count_labels (config) };

  read_swin (&self, config, is_second);
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
