/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* SAM 2, Ravi et al. 2024, for single pictures: a Hiera (Ryali et al. 2023) whose stages produce features
 * of four resolutions, which are computed once for a picture, and the decoder of SAM, which also takes the
 * finer ones. */

#define N_STAGES 4
#define N_LEVELS 3 /* of features that the decoder takes */
#define SHRINKS  2 /* of a picture from stage to stage */

/* The values between both graphs. */
#define FEATURES "image_embeddings"

typedef struct
{
  GArray *depths;
  GArray *widths;
  GArray *heads;
  GArray *windows;
  GArray *global_blocks;
  GArray *top_down; /* the stages of the neck that take the next coarser one as well */
  GArray *background;
  gint64 image_side;
  gint64 patch_side; /* from one patch to the next */
  gint64 kernel;
  gint64 n_channels;
  gint64 n_features;
  double inner_share;
  double epsilon;
  const char *activation;
  DynoSamDecoder decoder;
} Sam2;

typedef struct
{
  gint64 width;
  gint64 out_width;
  gint64 n_heads;
  gint64 window; /* 0 for the whole picture */
  gboolean is_pooled;
} Block;

static const char *
add (DynoGraph *graph, const char *first, const char *second)
{
  return dyno_graph_add (graph, "Add", NULL, first, second, NULL);
}

/* [batch, positions, width] as [batch, width, side, side] */
static const char *
to_picture (DynoGraph *graph, const char *value, gint64 side)
{
  const gint64 target[] = { 0, dyno_graph_get_shape (graph, value)->dims[2], side, side };

  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
  return dyno_layers_reshape (graph, value, 4, target);
}

/* The largest of four neighbours: [batch, positions / 4, width]. */
static const char *
pool (DynoGraph *graph, const char *value, gint64 side)
{
  value = dyno_graph_add (graph, "MaxPool", "kernel_shape=[2,2] strides=[2,2]",
                          to_picture (graph, value, side), NULL);
  return dyno_layers_to_tokens (graph, value);
}

static const char *
attend (DynoGraph *graph, const Block *block, const char *value, gint64 side)
{
  const gint64 sizes[] = { block->out_width, block->out_width, block->out_width };
  const char *parts[3];

  dyno_graph_push_scope (graph, "attn");
  value = dyno_layers_linear (graph, "qkv", value, 3 * block->out_width, TRUE);
  dyno_graph_add_split (graph, value, 2, 3, sizes, parts);
  if (block->is_pooled)
    parts[0] = pool (graph, parts[0], side);
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_split_heads (graph, parts[i], block->n_heads);
  value = dyno_layers_attention (graph, parts[0], parts[1], parts[2], NULL, DYNO_DATA_TYPE_FLOAT);
  value = dyno_layers_linear (graph, "proj", value, block->out_width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

/* If the width changes, the residual has the normalised input. */
static const char *
add_block (DynoGraph *graph, const Sam2 *self, const Block *block, const char *value, gint64 side)
{
  static const char *const feed[] = { "proj_in", "proj_out" };
  gint64 shrinks = block->is_pooled ? SHRINKS : 1;
  const char *residual = value, *inner = dyno_layers_layer_norm (graph, "layer_norm1", value, self->epsilon);

  if (block->width != block->out_width)
    residual = dyno_layers_linear (graph, "proj", inner, block->out_width, TRUE);
  if (block->is_pooled)
    residual = pool (graph, residual, side);
  if (block->window > 0)
    {
      inner = dyno_windows_cut (graph, inner, side, block->window);
      inner = attend (graph, block, inner, block->window);
      inner = dyno_windows_join (graph, inner, side / shrinks, block->window / shrinks);
    }
  else
    inner = attend (graph, block, inner, side);
  value = add (graph, residual, inner);
  inner = dyno_layers_layer_norm (graph, "layer_norm2", value, self->epsilon);
  inner = dyno_sam_add_feed (graph, inner, block->out_width,
                             (gint64)(self->inner_share * (double)block->out_width), feed, self->activation);
  return add (graph, value, inner);
}

static gint64
get_side (const Sam2 *self, guint stage)
{
  return self->image_side / self->patch_side >> stage;
}

/* @stages: the result of each stage, [batch, positions, width] */
static void
add_backbone (DynoGraph *graph, const Sam2 *self, const char *pixels, const char **stages)
{
  const DynoConvolution patches = {
    dyno_config_get_item (self->widths, 0), self->kernel, self->patch_side, 1, 1, .has_bias = TRUE
  };
  gint64 width = dyno_config_get_item (self->widths, 0), window = dyno_config_get_item (self->windows, 0);
  gint64 total = 0, side = get_side (self, 0), n = side / window;
  const gint64 wide[] = { 1, width, dyno_config_get_item (self->background, 0),
                          dyno_config_get_item (self->background, 1) };
  const gint64 near[] = { 1, width, window, window }, apart[] = { 1, width, 1, window, 1, window };
  const gint64 spread[] = { 1, width, n, window, n, window }, whole[] = { 1, width, side, side };
  const gint64 sides[] = { side, side };
  const char *value, *table, *repeated;

  dyno_graph_push_scope (graph, "backbone");
  value = dyno_convolution_add (&patches, graph, "patch_embed.projection", pixels);

  /* A small table that is stretched over the picture, and one that repeats in each window: [1, width, side, side]. */
  table = dyno_graph_add_weight (graph, "pos_embed", 0, 0.02, 4, wide);
  table = dyno_convolution_resize (
      graph, table, "mode=cubic cubic_coeff_a=-0.75 coordinate_transformation_mode=half_pixel", sides);
  repeated = dyno_graph_add_weight (graph, "pos_embed_window", 0, 0.02, 4, near);
  repeated = dyno_layers_reshape (graph, repeated, 6, apart);
  repeated = dyno_graph_add (graph, "Expand", NULL, repeated, dyno_graph_add_ints (graph, 6, spread), NULL);
  table = add (graph, table, dyno_layers_reshape (graph, repeated, 4, whole));
  value = dyno_layers_to_tokens (graph, add (graph, value, table));
  for (guint stage = 0; stage < N_STAGES; stage++)
    {
      for (gint64 i = 0; i < dyno_config_get_item (self->depths, stage); i++, total++)
        {
          gboolean is_pooled = stage > 0 && i == 0;
          guint source = is_pooled ? stage - 1 : stage;
          const Block block = {
            .width = dyno_config_get_item (self->widths, source),
            .out_width = dyno_config_get_item (self->widths, stage),
            .n_heads = dyno_config_get_item (self->heads, stage),
            .window = dyno_config_has_item (self->global_blocks, total)
                          ? 0
                          : dyno_config_get_item (self->windows, source),
            .is_pooled = is_pooled,
          };

          dyno_graph_push_scope (graph, "blocks.%" PRId64, total);
          value = add_block (graph, self, &block, value, get_side (self, source));
          dyno_graph_pop_scope (graph);
        }
      stages[stage] = value;
    }
  dyno_graph_pop_scope (graph);
}

/* Begins with the coarsest stage. @levels: pictures, the finest first */
static void
add_neck (DynoGraph *graph, const Sam2 *self, const char *const *stages, const char **levels)
{
  const DynoConvolution narrow = { self->n_features, 1, 1, 1, 1, .has_bias = TRUE };
  const char *coarser = NULL;

  dyno_graph_push_scope (graph, "neck");
  for (guint i = 0; i < N_STAGES; i++)
    {
      guint stage = N_STAGES - 1 - i;
      const gint64 sides[] = { get_side (self, stage), get_side (self, stage) };
      g_autofree char *name = g_strdup_printf ("convs.%u", i);
      const char *value =
          dyno_convolution_add (&narrow, graph, name, to_picture (graph, stages[stage], sides[0]));

      if (coarser != NULL && dyno_config_has_item (self->top_down, stage))
        value = add (graph, value,
                     dyno_convolution_resize (
                         graph, coarser,
                         "mode=nearest coordinate_transformation_mode=asymmetric nearest_mode=floor", sides));
      coarser = value;
      if (stage < N_LEVELS)
        levels[stage] = value;
    }
  dyno_graph_pop_scope (graph);
}

static void
get_fine_dims (const Sam2 *self, guint level, gint64 *dims)
{
  dims[0] = self->n_features / (level == 0 ? 8 : 4);
  dims[1] = get_side (self, level);
}

/* The finer features get the width that the decoder takes; the coarsest get the embedding for a picture
 * without a preceding film. */
static void
add_encoder (DynoGraph *graph, const Sam2 *self)
{
  g_autofree char *coarse = g_strdup_printf ("batch, %" PRId64 ", %" PRId64,
                                             self->decoder.side * self->decoder.side, self->n_features);
  const gint64 dims[] = { 1, 1, self->n_features };
  const char *pixels = dyno_tower_add_pixels (graph, self->n_channels, self->image_side, self->image_side);
  const char *stages[N_STAGES], *levels[N_LEVELS];

  dyno_graph_push_scope (graph, "vision_encoder");
  add_backbone (graph, self, pixels, stages);
  add_neck (graph, self, stages, levels);
  dyno_graph_pop_scope (graph);
  for (guint i = 0; i + 1 < N_LEVELS; i++)
    {
      gint64 fine[2];
      g_autofree char *output = g_strdup_printf (FEATURES ".%u", i);
      g_autofree char *name = g_strdup_printf ("mask_decoder.conv_s%u", i);
      g_autofree char *sizes = NULL;
      DynoConvolution narrow = { 0, 1, 1, 1, 1, .has_bias = TRUE };

      get_fine_dims (self, i, fine);
      narrow.channels = fine[0];
      sizes = g_strdup_printf ("batch, %" PRId64 ", %" PRId64 ", %" PRId64, fine[0], fine[1], fine[1]);
      dyno_graph_add_output (graph, output, dyno_convolution_add (&narrow, graph, name, levels[i]), sizes);
    }
  levels[N_LEVELS - 1] = dyno_layers_to_tokens (graph, levels[N_LEVELS - 1]);
  levels[N_LEVELS - 1] = add (graph, levels[N_LEVELS - 1],
                              dyno_graph_add_weight (graph, "no_memory_embedding", 0, 0.02, 3, dims));
  dyno_graph_add_output (graph, FEATURES ".2", levels[N_LEVELS - 1], coarse);
}

static void
add_decoder (DynoGraph *graph, const Sam2 *self)
{
  g_autofree char *coarse = g_strdup_printf ("batch, %" PRId64 ", %" PRId64,
                                             self->decoder.side * self->decoder.side, self->n_features);
  DynoDataType type = dyno_graph_get_real_type (graph);
  const char *fine[N_LEVELS - 1];

  for (guint i = 0; i + 1 < N_LEVELS; i++)
    {
      gint64 dims[2];
      g_autofree char *name = g_strdup_printf (FEATURES ".%u", i);
      g_autofree char *sizes = NULL;

      get_fine_dims (self, i, dims);
      sizes = g_strdup_printf ("batch, %" PRId64 ", %" PRId64 ", %" PRId64, dims[0], dims[1], dims[1]);
      fine[i] = dyno_graph_add_input (graph, name, type, sizes);
    }
  dyno_sam_decoder_add (&self->decoder, graph, dyno_graph_add_input (graph, FEATURES ".2", type, coarse),
                        fine);
}

static gboolean
check_lists (const Sam2 *self, DynoConfig *config)
{
  GArray *const lists[] = { self->depths, self->widths, self->heads, self->windows };
  gint64 n_blocks = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (lists[i]->len != N_STAGES)
      {
        dyno_config_fail (config, _ ("its lists of stages (“%s” and others) have not %d elements"),
                          "embed_dim_per_stage", N_STAGES);
        return FALSE;
      }
  for (guint i = 0; i < N_STAGES; i++)
    {
      n_blocks += dyno_config_get_item (self->depths, i);

      gint64 width = dyno_config_get_item (self->widths, i);

      dyno_config_check_heads (
          config,
          &(DynoConfigFields){ .width = "embed_dim_per_stage", .heads = "num_attention_heads_per_stage" },
          width, dyno_config_get_item (self->heads, i));
      if (dyno_config_get_item (self->windows, i) > DYNO_SAM_MAX_SIDE)
        dyno_config_fail (config, _ ("its “%s” are too large"), "window_size_per_stage");
      if (i != 0)
        {
          if (dyno_config_get_item (self->widths, i - 1) >= width)
            dyno_config_fail (config, _ ("its “%s” must rise from stage to stage"), "embed_dim_per_stage");
          if (dyno_config_get_item (self->windows, i - 1) % SHRINKS != 0)
            dyno_config_fail (config, _ ("its “%s” cannot be halved"), "window_size_per_stage");
        }
    }
  dyno_config_check_layers (config, "blocks_per_stage", n_blocks);
  dyno_config_check_indices (config, "global_attention_blocks", n_blocks);
  return TRUE;
}

/* Options of the published code that no published model has. */
static const DynoConfigFixed fixed_vision[] = {
  { "fpn_kernel_size", "1" },   { "fpn_stride", "1" },         { "fpn_padding", "0" },
  { "hidden_act", "\"gelu\"" }, { "num_feature_levels", "3" },
};
static const DynoConfigFixed fixed_backbone[] = {
  { "model_type", "\"sam2_hiera_det_model\"" },
  { "query_stride", "[2, 2]" },
  { "num_query_pool_stages", "3" },
};
static const DynoConfigFixed fixed_decoder[] = { { "num_hidden_layers", "2" } };

#define USUAL_BACKBONE                                                                                       \
  "{\"blocks_per_stage\": [1, 2, 7, 2], \"embed_dim_per_stage\": [96, 192, 384, 768], "                      \
  "\"num_attention_heads_per_stage\": [1, 2, 4, 8], \"window_size_per_stage\": [8, 4, 14, 7], "              \
  "\"global_attention_blocks\": [5, 7, 9], \"window_positional_embedding_background_size\": [7, 7], "        \
  "\"patch_stride\": [4, 4], \"patch_kernel_size\": [7, 7], \"patch_padding\": [3, 3], "                     \
  "\"image_size\": [1024, 1024]}"
#define USUAL_VISION                                                                                         \
  "{\"backbone_channel_list\": [768, 384, 192, 96], \"fpn_top_down_levels\": [2, 3], "                       \
  "\"backbone_feature_sizes\": [[256, 256], [128, 128], [64, 64]]}"

static void
sam2_clear (Sam2 *self)
{
  GArray *const lists[] = { self->depths,        self->widths,   self->heads,     self->windows,
                            self->global_blocks, self->top_down, self->background };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_array_unref (lists[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sam2, sam2_clear)

/* One number, or two that are the same. */
static gint64
read_square (DynoConfig *config, const char *name, gint64 fallback)
{
  g_autoptr (GArray) both = dyno_config_get_ints_for_each (config, name, 2, fallback);

  if (both->len == 2 && dyno_config_get_item (both, 0) == dyno_config_get_item (both, 1))
    return dyno_config_get_item (both, 0);
  dyno_config_fail (config, _ ("its “%s” is not that of a square"), name);
  return fallback;
}

static void
read_backbone (Sam2 *self, DynoConfig *config)
{
  dyno_config_set_defaults (config, USUAL_BACKBONE);
  self->depths = dyno_config_get_ints (config, "blocks_per_stage");
  self->widths = dyno_config_get_ints (config, "embed_dim_per_stage");
  self->heads = dyno_config_get_ints (config, "num_attention_heads_per_stage");
  self->windows = dyno_config_get_ints (config, "window_size_per_stage");
  self->global_blocks = dyno_config_get_places (config, "global_attention_blocks");
  self->background = dyno_config_get_ints (config, "window_positional_embedding_background_size");
  self->image_side = read_square (config, "image_size", 1024);
  self->patch_side = read_square (config, "patch_stride", 4);
  self->kernel = read_square (config, "patch_kernel_size", 7);
  self->n_channels = dyno_config_get_int_or (config, "num_channels", 3);
  self->inner_share = dyno_config_get_double_or (config, "mlp_ratio", 4);
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-6);
  self->activation = dyno_config_get_string_or (config, "hidden_act", "gelu");
  dyno_config_check_fixed (config, fixed_backbone, G_N_ELEMENTS (fixed_backbone));
  if (self->kernel % 2 == 0 || read_square (config, "patch_padding", 3) != self->kernel / 2)
    dyno_config_fail (config, _ ("its “%s” are not half of its “%s”"), "patch_padding", "patch_kernel_size");
  if (check_lists (self, config))
    {
      gint64 side = self->image_side / self->patch_side, step = 1 << (N_STAGES - 1);

      dyno_config_check_activation (config, "hidden_act", self->activation);
      dyno_config_check_share (config, "mlp_ratio", self->inner_share,
                               dyno_config_get_item (self->widths, 0));
      if (self->background->len != 2)
        dyno_config_fail (config, _ ("its “%s” are not height and width"),
                          "window_positional_embedding_background_size");
      if (dyno_config_get_item (self->widths, 0) != dyno_config_get_int_or (config, "hidden_size", 96))
        dyno_config_fail (config, _ ("its “hidden_size” is not the first of its “%s”"),
                          "embed_dim_per_stage");
      if (side < step || side > DYNO_SAM_MAX_SIDE || self->image_side % self->patch_side != 0 ||
          side % step != 0 || side % dyno_config_get_item (self->windows, 0) != 0)
        dyno_config_fail (config, _ ("its “image_size” does not fit its stages and windows"));
    }
}

static void
build (DynoGraph *graph, DynoConfig *config, void (*add_part) (DynoGraph *graph, const Sam2 *self))
{
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");
  DynoConfig *decoder = dyno_config_get_child (config, "mask_decoder_config");
  g_auto (Sam2) self = { .decoder = dyno_sam_decoder_read (config, TRUE) };

  dyno_config_set_defaults (vision, USUAL_VISION);
  self.top_down = dyno_config_get_places (vision, "fpn_top_down_levels");
  dyno_config_check_indices (vision, "fpn_top_down_levels", N_STAGES);
  self.n_features = dyno_config_get_int_or (vision, "fpn_hidden_size", 256);
  dyno_config_check_fixed (vision, fixed_vision, G_N_ELEMENTS (fixed_vision));
  read_backbone (&self, dyno_config_get_child (vision, "backbone_config"));
  if (dyno_config_check (vision, NULL))
    {
      g_autoptr (GArray) widths = dyno_config_get_ints (vision, "backbone_channel_list");
      gboolean is_alike = widths->len == N_STAGES;

      for (guint i = 0; is_alike && i < N_STAGES; i++)
        is_alike = dyno_config_get_item (widths, i) == dyno_config_get_item (self.widths, N_STAGES - 1 - i);
      if (!is_alike)
        dyno_config_fail (vision, _ ("its “%s” are not the widths of the stages, from the last to the first"),
                          "backbone_channel_list");

      /* Height and width of each picture that the decoder takes. */
      g_autofree char *json = g_strdup_printf ("[[%" PRId64 ", %" PRId64 "], [%" PRId64 ", %" PRId64
                                               "], [%" PRId64 ", %" PRId64 "]]",
                                               get_side (&self, 0), get_side (&self, 0), get_side (&self, 1),
                                               get_side (&self, 1), get_side (&self, 2), get_side (&self, 2));

      dyno_config_check_fixed (vision, &(DynoConfigFixed){ "backbone_feature_sizes", json }, 1);
    }

  self.decoder.side = self.image_side / self.patch_side >> (N_LEVELS - 1);
  self.decoder.image_side = self.image_side;
  dyno_sam_decoder_check (&self.decoder, config, self.patch_side << (N_LEVELS - 1));
  dyno_config_check_fixed (decoder, fixed_decoder, G_N_ELEMENTS (fixed_decoder));
  if (self.decoder.exchange.width != self.n_features)
    dyno_config_fail (decoder, _ ("its “hidden_size” is not the “fpn_hidden_size” of “vision_config”"));
  if (dyno_config_check (config, NULL))
    add_part (graph, &self);
}

static void
build_encoder (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_encoder);
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_decoder);
}

static const DynoStage stages[] = { { "encoder", build_encoder }, { "decoder", build_decoder }, { NULL } };

/* The published files are those for films; only the part for pictures is built. */
const DynoArchitecture dyno_sam2_architectures[] = {
  { "sam2", &dyno_vision_family, "mask-generation", NULL, NULL, stages },
  { "sam2_video", &dyno_vision_family, "mask-generation", NULL, NULL, stages },
  { NULL },
};
