/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"
#include "dyno-tower.h"

/* SAM, Kirillov et al. 2023: a vision transformer with mostly windowed attention, a prompt for each image, and a decoder
 * in which mask tokens and image positions attend to each other. */

#define NECK_EPSILON 1e-6 /* of norms without an epsilon in the config */

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
  Vision vision;
  DynoSamDecoder decoder;
  gint64 side; /* positions per row of an image */
} Sam;

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
  return dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", dyno_layers_reshape (graph, table, 3, target),
                         NULL);
}

static const char *
add_vision_attention (const Vision *self, DynoGraph *graph, const char *value, gint64 side)
{
  const gint64 sizes[] = { self->width, self->width, self->width };
  const char *parts[3], *bias = NULL;
  const char *down, *right;

  dyno_graph_push_scope (graph, "attn");
  value = dyno_layers_linear (graph, "qkv", value, 3 * self->width, self->has_input_bias);
  dyno_graph_add_split (graph, value, 2, 3, sizes, parts);
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_split_heads (graph, parts[i], self->n_heads);
  if (self->has_distances)
    {
      /* Added to the scores: each query times the embeddings of its vertical and horizontal distances, Li
       * et al. 2021. [batch, heads, positions, positions] */
      const char *query = parts[0];
      gint64 width = self->width / self->n_heads, n = side * side;
      const gint64 grid[] = { 0, self->n_heads, side, side, width };
      const gint64 rows[] = { 0, self->n_heads * n, side, 1 }, columns[] = { 0, self->n_heads * n, 1, side };
      const gint64 target[] = { 0, self->n_heads, n, n };

      query = dyno_layers_reshape (graph, query, 5, grid);
      down = dyno_graph_add (graph, "MatMul", NULL, query, add_distances (graph, "rel_pos_h", side, width),
                             NULL);
      query = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2,4]", query, NULL);
      right = dyno_graph_add (graph, "MatMul", NULL, query, add_distances (graph, "rel_pos_w", side, width),
                              NULL);
      right = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2,4]", right, NULL);
      down = dyno_layers_reshape (graph, down, 4, rows);
      bias = dyno_layers_reshape (graph, add (graph, down, dyno_layers_reshape (graph, right, 4, columns)), 4,
                                  target);
    }
  value = dyno_layers_attention (graph, parts[0], parts[1], parts[2], bias, DYNO_DATA_TYPE_FLOAT);
  value = dyno_layers_linear (graph, "proj", value, self->width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_vision_layer (const Sam *sam, DynoGraph *graph, gint64 layer, const char *value)
{
  static const char *const feed[] = { "lin1", "lin2" };
  const Vision *self = &sam->vision;
  const char *inner = dyno_layers_layer_norm (graph, "layer_norm1", value, self->epsilon);

  if (self->window > 0 && !dyno_config_has_item (self->global_layers, layer))
    {
      inner = dyno_windows_cut (graph, inner, sam->side, self->window);
      inner = add_vision_attention (self, graph, inner, self->window);
      inner = dyno_windows_join (graph, inner, sam->side, self->window);
    }
  else
    inner = add_vision_attention (self, graph, inner, sam->side);
  value = add (graph, value, inner);
  inner = dyno_layers_layer_norm (graph, "layer_norm2", value, self->epsilon);
  inner = dyno_sam_add_feed (graph, inner, self->width, self->inner_width, feed, self->activation);
  return add (graph, value, inner);
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
    {
      const gint64 dims[] = { 1, sam->side, sam->side, sam->vision.width };
      const gint64 rows[] = { 1, sam->side * sam->side, sam->vision.width };
      const char *table = dyno_graph_add_weight (graph, "pos_embed", 0, 0.02, 4, dims);

      value = add (graph, value, dyno_layers_reshape (graph, table, 3, rows));
    }
  for (gint64 i = 0; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "layers.%" G_GINT64_FORMAT, i);
      value = add_vision_layer (sam, graph, i, value);
      dyno_graph_pop_scope (graph);
    }

  /* The image embedding as the input of the decoder: [batch, positions, width]. */
  gint64 width = sam->vision.n_features;
  const DynoConvolution narrow = { width, 1, 1, 1, 1 }, blend = { width, 3, 1, 1, 1 };
  const gint64 picture[] = { 0, sam->side, sam->side, sam->vision.width };
  const gint64 rows[] = { 0, sam->side * sam->side, width };

  dyno_graph_push_scope (graph, "neck");
  value = dyno_layers_reshape (graph, value, 4, picture);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,3,1,2]", value, NULL);
  value = dyno_convolution_add (&narrow, graph, "conv1", value);
  value = dyno_convolution_normalize_places (graph, "layer_norm1", value, NECK_EPSILON);
  value = dyno_convolution_add (&blend, graph, "conv2", value);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,3,1]", value, NULL);
  value = dyno_layers_layer_norm (graph, "layer_norm2", value, NECK_EPSILON);
  value = dyno_layers_reshape (graph, value, 3, rows);
  dyno_graph_pop_scope (graph);

  dyno_graph_pop_scope (graph);
  return value;
}

static Vision
read_vision (DynoConfig *config)
{
  gint64 width = dyno_config_get_int_or (config, "hidden_size", 768);
  double share = dyno_config_get_double_or (config, "mlp_ratio", 4);
  static const gint64 usual[] = { 2, 5, 8, 11 };
  GArray *global_layers = dyno_config_get_indices (config, "global_attn_indexes");

  dyno_config_check_share (config, "mlp_ratio", share, width);
  if (global_layers == NULL)
    global_layers =
        g_array_append_vals (g_array_new (FALSE, FALSE, sizeof (gint64)), usual, G_N_ELEMENTS (usual));
  return (Vision){
    .global_layers = global_layers,
    .width = width,
    .n_layers = dyno_config_get_int_or (config, "num_hidden_layers", 12),
    .n_heads = dyno_config_get_int_or (config, "num_attention_heads", 12),
    .inner_width = dyno_config_get_int_or (config, "mlp_dim", (gint64)(MIN (share, 100) * (double)width)),
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

static void
build_sam (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");
  Sam self = { .vision = read_vision (vision), .decoder = dyno_sam_decoder_read (config, FALSE) };
  g_autoptr (GArray) global_layers = self.vision.global_layers;
  gint64 width = self.decoder.exchange.width;
  DynoConfig *decoder;

  self.side = self.decoder.side = self.vision.image_side / self.vision.patch_side;
  self.decoder.image_side = self.vision.image_side;
  self.decoder.prompt.n_waves = dyno_config_get_int_or (vision, "num_pos_feats", 128);
  dyno_config_check_heads (vision, &(DynoConfigFields){ 0 }, self.vision.width, self.vision.n_heads);
  dyno_config_check_layers (vision, "num_hidden_layers", self.vision.n_layers);
  dyno_config_check_activation (vision, "hidden_act", self.vision.activation);
  if (self.side < 1 || self.side > DYNO_SAM_MAX_SIDE)
    dyno_config_fail (vision,
                      _ ("its pictures (“image_size”) have %" PRId64
                         " patches (“patch_size”) in a row, but must have 1 to %d"),
                      self.side, DYNO_SAM_MAX_SIDE);
  dyno_config_check_indices (vision, "global_attn_indexes", self.vision.n_layers);
  if (self.vision.window > DYNO_SAM_MAX_SIDE)
    dyno_config_fail (vision, _ ("its “window_size” is %" PRId64 ", but must lie between 0 and %d"),
                      self.vision.window, DYNO_SAM_MAX_SIDE);
  dyno_sam_decoder_check (&self.decoder, config, self.vision.patch_side);
  decoder = dyno_config_get_child (config, "mask_decoder_config");
  if (width != self.vision.n_features || width != 2 * self.decoder.prompt.n_waves)
    dyno_config_fail (decoder, _ ("its “hidden_size” is not the “output_channels” of “vision_config”, and "
                                  "twice its “num_pos_feats”"));
  if (dyno_config_check (config, NULL))
    {
      const char *pixels = dyno_tower_add_pixels (graph, self.vision.n_channels, self.vision.image_side,
                                                  self.vision.image_side);

      dyno_sam_decoder_add (&self.decoder, graph, add_vision (&self, graph, pixels), NULL);
    }
}

/* One table with two names; files may have either. */
static const DynoNamePair pairs[] = { { "shared_image_embedding.", "prompt_encoder.shared_embedding." },
                                      { NULL } };
static const DynoNaming naming = { NULL, pairs };

const DynoArchitecture dyno_sam_architectures[] = {
  { "sam", &dyno_vision_family, "mask-generation", build_sam, &naming },
  { NULL },
};
