/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config-checks.h"
#include "dyno-graph.h"
#include "dyno-rotary.h"

G_BEGIN_DECLS

/**
 * DynoStackBlock:
 * @scope: scope of its layers, NULL for the outer one
 * @norm: the norm before or after it
 *
 * The names of the layers of a block.
 */
typedef struct
{
  const char *scope;
  const char *norm;
} DynoStackBlock;

/**
 * DynoStackNames:
 * @layer: the scope of the layers, without their number
 * @final_norm: (nullable): the norm after the last layer
 * @joined: (nullable): joint projection of queries, keys and values, and in cross-attention of keys and
 * values; then all weights are [inputs, outputs] in files
 * @query: projection of queries, that of cross-attention alone if there is @joined
 * @key: projection of keys
 * @value: projection of values
 * @output: output projection
 * @up: up projection
 * @gate: (nullable): gate projection
 * @down: down projection
 * @self: self-attention
 * @cross: cross-attention
 * @inner: the feed-forward layers
 *
 * The names of the layers of a stack in published checkpoints.
 */
typedef struct
{
  const char *layer;
  const char *final_norm;
  const char *joined;
  const char *query;
  const char *key;
  const char *value;
  const char *output;
  const char *up;
  const char *gate;
  const char *down;
  DynoStackBlock self;
  DynoStackBlock cross;
  DynoStackBlock inner;
} DynoStackNames;

/**
 * DynoStack:
 * @scope: scope of the stack
 * @names: names of its layers
 * @width: width of a token
 * @n_layers: number of layers
 * @n_heads: number of heads
 * @head_width: width of a head
 * @inner_width: inner width of the feed-forward layers
 * @is_rms: whether norms are RMS norms, without mean and bias
 * @has_bias: whether linear layers have a bias
 * @has_no_key_bias: whether the projection of keys has none even then
 * @is_pre_norm: whether norms are before attention and feed-forward layers, else after the sum
 * @is_scaled: whether scores are divided by √width
 * @has_inner_bias: whether the feed-forward layers have a bias even without @has_bias
 * @has_no_norm_bias: whether norms have none
 * @is_joined: whether the up projection gives the gated values and, after them, the gate
 * @rotary: (nullable): how queries and keys of self-attention are turned by their positions
 * @gates_scores: whether the tokens gate the terms added to the scores of self-attention (WavLM, Chen et
 * al. 2021)
 * @cross_interval: every n-th layer, from the first on, has cross-attention; 0 for all layers
 * @epsilon: epsilon of the norms
 * @activation: activation of the feed-forward layers
 * @fields: the members of the config that its sizes come from
 *
 * Layers of self-attention, cross-attention if there is an encoder, and feed-forward layers: the encoder or
 * decoder of a model that has both, or an encoder alone.
 */
typedef struct
{
  const char *scope;
  DynoStackNames names;
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 head_width;
  gint64 inner_width;
  gboolean is_rms;
  gboolean has_bias;
  gboolean has_no_key_bias;
  gboolean is_pre_norm;
  gboolean is_scaled;
  gboolean has_inner_bias;
  gboolean has_no_norm_bias;
  gboolean is_joined;
  const DynoRotary *rotary;
  gboolean gates_scores;
  gint64 cross_interval;
  double epsilon;
  const char *activation;
  DynoConfigFields fields;
} DynoStack;

typedef struct _DynoStackCache DynoStackCache;

/**
 * DynoStackSources:
 * @scores: (nullable): added to the scores of self-attention, [batch or 1, heads or 1, queries or 1, keys]
 * @mask: (nullable): added to the scores of cross-attention
 * @cache: (nullable): keys and values of earlier tokens and of the encoder; NULL in an encoder
 * @states: (nullable): without a cache, the output of the encoder, [batch, tokens, width]
 * @rotation: the rotations of a rotary embedding, if there is one
 *
 * The values that all layers of a stack share.
 */
typedef struct
{
  const char *scores;
  const char *mask;
  DynoStackCache *cache;
  const char *states;
  DynoRotation rotation;
} DynoStackSources;

void dyno_stack_check (const DynoStack *self, DynoConfig *config);
/* Returns the output of the last layer, after the final norm if there is one. @value: [batch, tokens,
 * width]. */
const char *
dyno_stack_add (const DynoStack *self, DynoGraph *graph, const char *value, const DynoStackSources *sources);
/* Adds keys and values of @states for each layer of the decoder as outputs: they are the same for every
 * generated token. @states: the output of the encoder, [batch, tokens, width]. @source: number of tokens,
 * a size or the name of a dimension. */
void dyno_stack_add_cross (const DynoStack *self, DynoGraph *graph, const char *states, const char *source);

G_END_DECLS
