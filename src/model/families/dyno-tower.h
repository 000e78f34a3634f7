/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config-checks.h"
#include "dyno-graph.h"
#include "dyno-rotary.h"

G_BEGIN_DECLS

/**
 * DynoTowerNames:
 * @layer: the scope of the layers, without their number
 * @attention_norm: the norm before attention
 * @attention: the scope of the next four
 * @joined: (nullable): joint projection of queries, keys and values, instead of the next three
 * @query: projection of queries
 * @key: projection of keys
 * @value: projection of values
 * @output: output projection
 * @inner_norm: the norm before the feed-forward layers
 * @up: (nullable): the scope of the up projection, NULL for the outer scope
 * @gate_dense: (nullable): the gate, if it is a separate weight
 * @up_dense: the up projection
 * @down: (nullable): the scope of the down projection and of the residual sum after it
 * @down_dense: the down projection
 * @scales: (nullable): learned scales of the results of attention and of the feed-forward layers
 *
 * The names of the layers of a tower in published checkpoints.
 */
typedef struct
{
  const char *layer;
  const char *attention_norm;
  const char *attention;
  const char *joined;
  const char *query;
  const char *key;
  const char *value;
  const char *output;
  const char *inner_norm;
  const char *up;
  const char *gate_dense;
  const char *up_dense;
  const char *down;
  const char *down_dense;
  const char *scales[2];
} DynoTowerNames;

/* The names of ViT, Dosovitskiy et al. 2020, with the name of the model in front. */
#define DYNO_TOWER_VIT_LAYERS(name)                                                                          \
  {                                                                                                          \
    .layer = name, .attention_norm = "layernorm_before", .attention = "attention.attention",                 \
    .query = "query", .key = "key", .value = "value", .output = "attention.output.dense",                    \
    .inner_norm = "layernorm_after", .up = "intermediate", .up_dense = "dense", .down = "output",            \
    .down_dense = "dense",                                                                                   \
  }
#define DYNO_TOWER_VIT_NAMES(model) DYNO_TOWER_VIT_LAYERS (model ".encoder.layer")

/**
 * DynoTower:
 *
 * Pre-norm layers of attention and feed-forward, as in vision transformers and their descendants. With a rotation, the
 * queries and keys of all tokens but the first @n_unturned are rotated.
 */
typedef struct
{
  const DynoTowerNames *names;
  gint64 width;
  gint64 first_layer; /* the layer from which to build the rest of a tower, or 0 */
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gint64 n_unturned;
  const char *distances; /* where each layer has a bias for each distance of patches, from add_distances() */
  gint64 side;           /* patches per side, then */
  DynoRotary rotary;
  DynoRotation rotation;
  gboolean has_input_bias;
  gboolean has_no_key_bias; /* even if queries and values have a bias */
  gboolean has_extra_key;   /* a learned key and value follow those of the tokens */
  gboolean is_rms;          /* norms are RMS norms, without mean and bias */
  gint64 window;     /* how many neighbours attend to each other, 0 for all; rotation [1, tokens, 1, width] */
  gboolean is_gated; /* half of the up projection goes through the activation and gates the other half */
  double epsilon;
  const char *activation;
  DynoConfigFields fields;
} DynoTower;

/* The row of each distance of two patches in a table of distances; its last three rows are for a token
 * before them: from it, to it, and its own. Returns rows, [tokens, tokens]. */
const char *dyno_tower_add_distances (DynoGraph *graph, gint64 side);
/* Returns the bias of the scores, [1, heads, tokens, tokens]. */
const char *
dyno_tower_add_bias (DynoGraph *graph, const char *name, const char *rows, gint64 side, gint64 n_heads);
void dyno_tower_check (const DynoTower *self, DynoConfig *config);
/* Returns the output of the last layer. @value: [batch, tokens, width]. @mask may be NULL. */
const char *dyno_tower_add (const DynoTower *self, DynoGraph *graph, const char *value, const char *mask);
/* Returns the input of images of one size, `pixel_values`. */
const char *dyno_tower_add_pixels (DynoGraph *graph, gint64 n_channels, gint64 height, gint64 width);
/* Splits images into patches by a convolution whose stride is its kernel size. Returns [batch, patches,
 * width]. @pixels: [batch, channels, height, width]. */
const char *dyno_tower_cut_patches (
    DynoGraph *graph, const char *name, const char *pixels, gint64 width, gint64 side, gboolean has_bias);
/* The same with patches that may overlap. Returns [batch, patches, width]. @pixels: [batch, channels,
 * height, width]. @strides: from one patch to the next, down and to the right. */
const char *dyno_tower_cut_apart (DynoGraph *graph,
                                  const char *name,
                                  const char *pixels,
                                  gint64 width,
                                  gint64 side,
                                  const gint64 *strides,
                                  gboolean has_bias);
/* Splits pictures as if they were films of equal frames, on which a 3D convolution equals a 2D convolution
 * with weights summed over the frames. Returns [batch, patches, width]. @pixels: [batch, channels, height,
 * width]. */
const char *dyno_tower_cut_frames (DynoGraph *graph,
                                   const char *name,
                                   const char *pixels,
                                   gint64 width,
                                   gint64 n_frames,
                                   gint64 side,
                                   gboolean has_bias);
/* Returns learned tokens, the same for each item, [batch, tokens, width]. @items: [batch, …]. */
const char *
dyno_tower_add_tokens (DynoGraph *graph, const char *name, const char *items, gint64 n_tokens, gint64 width);
/* Returns the tokens for each item, [batch, tokens, width]. */
const char *dyno_tower_spread_token (DynoGraph *graph, const char *token, const char *items, gint64 width);

G_END_DECLS
