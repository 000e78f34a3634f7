/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoStackBlock:
 * @scope: where its layers are within those around, %NULL for there
 * @norm: the norm before or after
 *
 * How the layers of a kind of attention or of feed-forward layers are called.
 */
typedef struct
{
  const char *scope;
  const char *norm;
} DynoStackBlock;

/**
 * DynoStackNames:
 * @layer: the scope of the layers, without their number
 * @final_norm: (nullable): the norm behind the last one
 * @query: projects the queries
 * @key: projects the keys
 * @value: projects the values
 * @output: joins the heads
 * @up: widens
 * @gate: (nullable): is multiplied with what is widened
 * @down: narrows
 * @self: attention to one's own
 * @cross: attention to what an encoder gives
 * @inner: the feed-forward layers
 *
 * Where published checkpoints put the layers of a stack.
 */
typedef struct
{
  const char *layer;
  const char *final_norm;
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
 * @scope: of the stack
 * @names: how its layers are called
 * @width: of a token
 * @n_layers: how many there are
 * @n_heads: heads of each attention
 * @head_width: width of each
 * @inner_width: how wide the feed-forward layers are
 * @is_rms: whether norms take no mean and have no bias
 * @has_bias: whether linear layers have one
 * @has_no_key_bias: whether those of the keys have none even so
 * @is_pre_norm: whether norms are before attention and feed-forward layers, else behind the sum
 * @is_scaled: whether scores are divided by √width
 * @cross_interval: every so many layers, from the first on, see what an encoder gives; 0 for all of them
 * @epsilon: of the norms
 * @activation: of the feed-forward layers
 *
 * Layers of attention and feed-forward layers, with attention to what an encoder gives where there is such a thing: an
 * encoder or a decoder of models that have both, or an encoder alone.
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
  gint64 cross_interval;
  double epsilon;
  const char *activation;
} DynoStack;

typedef struct _DynoStackCache DynoStackCache;

/**
 * DynoStackSources:
 * @scores: (nullable): added to the scores of attention to one's own, [batch or 1, heads or 1, queries or 1, keys]
 * @mask: (nullable): added to the scores of attention to what the encoder gives
 * @cache: (nullable): what is known of earlier tokens and of the encoder's; %NULL in an encoder
 * @states: (nullable): without a cache, what an encoder gives, [batch, tokens, width]
 *
 * What all layers of a stack share.
 */
typedef struct
{
  const char *scores;
  const char *mask;
  DynoStackCache *cache;
  const char *states;
} DynoStackSources;

void dyno_stack_check (const DynoStack *self, DynoConfig *config);
const char *
dyno_stack_add (const DynoStack *self, DynoGraph *graph, const char *value, const DynoStackSources *sources);
void dyno_stack_add_cross (const DynoStack *self, DynoGraph *graph, const char *states, const char *source);

G_END_DECLS
