/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/* Several times that of any model. */
#define DYNO_SAM_MAX_SIDE  512
#define DYNO_SAM_MAX_DEPTH 64

/**
 * DynoSamPrompt:
 * @n_kinds: number of kinds of points
 * @n_mask_channels: width of the embedding of a mask
 * @n_waves: number of sines, and of cosines, in a position embedding
 * @has_points: whether there are points
 * @has_boxes: whether there is a box
 * @has_masks: whether there is a mask
 * @epsilon: epsilon of the norms
 * @activation: activation of the embedding of a mask
 *
 * How prompts are read.
 */
typedef struct
{
  gint64 n_kinds;
  gint64 n_mask_channels;
  gint64 n_waves;
  gboolean has_points;
  gboolean has_boxes;
  gboolean has_masks;
  double epsilon;
  const char *activation;
} DynoSamPrompt;

/**
 * DynoSamExchange:
 * @width: width of a token
 * @n_layers: number of layers
 * @n_heads: number of heads
 * @inner_width: inner width of the feed-forward layers
 * @reduction: the divisor of the width of cross-attention
 * @n_masks: number of masks
 * @score_depth: layers of the head of scores
 * @score_width: their width
 * @output: the output projection of attention
 * @feed: (array fixed-size=2): the layers of the feed-forward layers
 * @epsilon: epsilon of the norms
 * @activation: activation of the feed-forward layers
 *
 * The layers in which mask tokens and positions of the picture attend to each other.
 */
typedef struct
{
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gint64 reduction;
  gint64 n_masks;
  gint64 score_depth;
  gint64 score_width;
  const char *output;
  const char *const *feed;
  double epsilon;
  const char *activation;
} DynoSamExchange;

/**
 * DynoSamDecoder:
 * @prompt: how prompts are read
 * @exchange: the layers
 * @side: positions per row of a picture
 * @image_side: its side in pixels
 * @is_second: whether it belongs to the second version
 *
 * The part of SAM that predicts masks, from the features of a picture and a prompt.
 */
typedef struct
{
  DynoSamPrompt prompt;
  DynoSamExchange exchange;
  gint64 side;
  gint64 image_side;
  gboolean is_second;
} DynoSamDecoder;

/* Returns [batch, tokens, width]. @value: [batch, tokens, width]. */
const char *dyno_sam_add_feed (DynoGraph *graph,
                               const char *value,
                               gint64 width,
                               gint64 inner_width,
                               const char *const names[2],
                               const char *activation);
/* Published configs do not contain the kind of prompts: points, unless Dyno's own member `prompts` names
 * others. Returns the decoder, without the sides of a picture. @is_second: whether it is one of the second
 * version. */
DynoSamDecoder dyno_sam_decoder_read (DynoConfig *config, gboolean is_second);
/* @config: the config of the whole model, which fails if the decoder is invalid. @patch_side: pixels per
 * side of a position. */
void dyno_sam_decoder_check (const DynoSamDecoder *self, DynoConfig *config, gint64 patch_side);
/* Adds the inputs of a prompt, and the masks as outputs. @places: the features of a picture, [batch,
 * positions, width]. @fine (nullable): its features at four times and at twice the resolution, [batch,
 * width / 8, height, width] and [batch, width / 4, height, width]. */
void dyno_sam_decoder_add (const DynoSamDecoder *self,
                           DynoGraph *graph,
                           const char *places,
                           const char *const *fine);

G_END_DECLS
