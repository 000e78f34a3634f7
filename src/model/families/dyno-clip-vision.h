/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tower.h"

G_BEGIN_DECLS

/**
 * DynoClipVision:
 * @tower: its layers
 * @image_side: width of an image in pixels
 * @patch_side: width of a patch in pixels
 * @n_channels: channels of an image
 * @has_class: whether a class token precedes the patches, and a norm the layers
 *
 * The vision tower of CLIP and of models that use it; without a class token, that of SigLIP.
 */
typedef struct
{
  DynoTower tower;
  gint64 image_side;
  gint64 patch_side;
  gint64 n_channels;
  gboolean has_class;
} DynoClipVision;

/**
 * DYNO_CLIP_TOWER_NAMES:
 * @tower: the model of the tower, a literal
 *
 * The names of the layers of a tower; both towers of CLIP use the same.
 */
#define DYNO_CLIP_TOWER_NAMES(tower)                                                                         \
  {                                                                                                          \
    .layer = tower ".encoder.layers", .attention_norm = "layer_norm1", .attention = "self_attn",             \
    .query = "q_proj", .key = "k_proj", .value = "v_proj", .output = "self_attn.out_proj",                   \
    .inner_norm = "layer_norm2", .up_dense = "mlp.fc1", .down_dense = "mlp.fc2",                             \
  }

/* Returns the vision tower. */
DynoClipVision dyno_clip_vision_read (DynoConfig *config, gboolean is_siglip);
void dyno_clip_vision_check (const DynoClipVision *self, DynoConfig *config);
/* Returns the number of tokens per image. */
gint64 dyno_clip_vision_count_tokens (const DynoClipVision *self);
/* Returns the input of images, `pixel_values`. */
const char *dyno_clip_vision_add_pixels (const DynoClipVision *self, DynoGraph *graph);
/* Returns the input of the first layer, [batch, tokens, width]. */
const char *dyno_clip_vision_add_patches (const DynoClipVision *self, DynoGraph *graph, const char *pixels);

/* Returns the tower. @is_siglip: whether the defaults are those of the first SigLIP, else those of the
 * first CLIP. */
DynoTower
dyno_clip_read_tower (DynoConfig *config, const DynoTowerNames *names, gint64 width, gboolean is_siglip);

G_END_DECLS
