/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoSwin:
 * @depths: (element-type gint64): number of layers of each stage
 * @heads: (element-type gint64): number of heads of each stage
 * @trained_windows: (nullable) (element-type gint64): of the second version, the window of each stage by which distances are
 *   scaled; 0 for the window itself, NULL for all
 * @width: width of the first stage
 * @image_sides: height and width of an image
 * @patch_side: height and width of a patch
 * @window: height and width of a window, in patches
 * @n_channels: channels of an image
 * @n_labels: number of classes
 * @has_input_bias: whether the projections of queries, keys and values have a bias
 * @is_joined: whether queries, keys and values have one projection
 * @is_second: whether it is the second version
 * @scope: scope of the model
 * @layers: scope of the stages, without their number
 * @inner_share: inner width of the feed-forward layers per width
 * @epsilon: epsilon of the norms
 * @activation: activation of the feed-forward layers
 *
 * Swin, Liu et al. 2021.
 */
typedef struct
{
  GArray *depths;
  GArray *heads;
  GArray *trained_windows;
  gint64 width;
  gint64 image_sides[2];
  gint64 patch_side;
  gint64 window;
  gint64 n_channels;
  gint64 n_labels;
  gboolean has_input_bias;
  gboolean is_joined;
  gboolean is_second;
  const char *scope;
  const char *layers;
  double inner_share;
  double epsilon;
  const char *activation;
} DynoSwin;

/* @config: the config that it was read from, which fails if it is invalid. */
void dyno_swin_check (const DynoSwin *self, DynoConfig *config);
/* Returns the output of the last stage, [batch, places, width]. @items: any value with the size of the batch in front.
 * @value: the embeddings of patches, [batch, patches, width]. */
const char *dyno_swin_add (const DynoSwin *self, DynoGraph *graph, const char *items, const char *value);

/* Swin in other models, and with other names. */

/* Returns the number of its tokens. */
gint64 dyno_swin_count_tokens (DynoConfig *config);
/* Adds it with its input of pictures, as `encoder`. Returns the states of all tokens, [batch, tokens,
 * width]; NULL if the config is invalid. @config: the config of Donut's Swin, which has no norm after its
 * last layer. */
const char *dyno_swin_add_encoder (DynoGraph *graph, DynoConfig *config);
/* Adds a Swin whose queries, keys and values are one weight. @graph: an empty graph. */
void dyno_swin_build_joined (DynoGraph *graph, DynoConfig *config);

G_END_DECLS
