/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tower.h"

G_BEGIN_DECLS

/**
 * DynoClipVision:
 * @tower: its layers
 * @image_side: pixels of a picture in a row
 * @patch_side: pixels of a patch in a row
 * @n_channels: of a picture
 * @has_class: whether a learned token stands before the patches, and a norm before the layers
 *
 * What sees pictures in CLIP and in models that were made with it; without a class token, as SigLIP has it.
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
 * How the layers of a tower are called; both of CLIP are made alike.
 */
#define DYNO_CLIP_TOWER_NAMES(tower)                                                                         \
  {                                                                                                          \
    .layer = tower ".encoder.layers", .attention_norm = "layer_norm1", .attention = "self_attn",             \
    .query = "q_proj", .key = "k_proj", .value = "v_proj", .output = "self_attn.out_proj",                   \
    .inner_norm = "layer_norm2", .up_dense = "mlp.fc1", .down_dense = "mlp.fc2",                             \
  }

DynoClipVision dyno_clip_vision_read (DynoConfig *config, gboolean is_siglip);
void dyno_clip_vision_check (const DynoClipVision *self, DynoConfig *config);
gint64 dyno_clip_vision_count_tokens (const DynoClipVision *self);
const char *dyno_clip_vision_add_pixels (const DynoClipVision *self, DynoGraph *graph);
const char *dyno_clip_vision_add_patches (const DynoClipVision *self, DynoGraph *graph, const char *pixels);

DynoTower
dyno_clip_read_tower (DynoConfig *config, const DynoTowerNames *names, gint64 width, gboolean is_siglip);

G_END_DECLS
