/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoScores:
 * @divisor: they are divided by it; 0 for the square root of the width of a head
 * @cap: limits them to cap · tanh (score / cap); 0 for no cap
 * @mask: (nullable): added to them, [batch, 1 or heads, 1 or queries, keys]
 * @softmax_type: the type of the softmax; some families use single precision in any graph
 * @sinks: (nullable): one more score for each head, of a key without a value; [heads]
 *
 * How the products of queries and keys are scaled and masked.
 */
typedef struct
{
  double divisor;
  double cap;
  const char *mask;
  DynoDataType softmax_type;
  const char *sinks;
} DynoScores;

/* Returns the value in that type; @value itself if it already has that type. */
const char *dyno_layers_cast (DynoGraph *graph, const char *value, DynoDataType type);
/* Returns the number that is added to the scores of masked positions, so that softmax makes them zero: a
 * large negative number, in half precision the lowest. */
const char *dyno_layers_masked_score (DynoGraph *graph);
/* Returns (1 − mask) · masked score, [batch, 1, 1, sequence]. @mask: 1 for a token, 0 for padding, [batch,
 * sequence]. */
const char *dyno_layers_padding_mask (DynoGraph *graph, const char *mask);
/* The weight is stored as [inputs, outputs], as exporters write it for MatMul; in published files it is
 * [outputs, inputs]. Returns the value. @name: the layer's name; its weights are `name.weight` and
 * `name.bias`. */
const char *
dyno_layers_linear (DynoGraph *graph, const char *name, const char *value, gint64 width, gboolean has_bias);
/* Like dyno_layers_linear(), with a weight that is [inputs, outputs] in published files, too: GPT-2 calls
 * it a convolution. Returns the value. */
const char *
dyno_layers_conv1d (DynoGraph *graph, const char *name, const char *value, gint64 width, gboolean has_bias);
const char *dyno_layers_layer_norm (DynoGraph *graph, const char *name, const char *value, double epsilon);
/* Returns the value. @name: the layer's name; its only weight is `name.weight`. */
const char *
dyno_layers_layer_norm_unbiased (DynoGraph *graph, const char *name, const char *value, double epsilon);
/* x / √(mean (x²) + ε) along the last dimension, in the operators that exporters write and engines fuse.
 * Squares are of single precision in any graph: those of half precision end at 256². Returns the value, in
 * single precision. */
const char *dyno_layers_normal (DynoGraph *graph, const char *value, double epsilon);
/* x / √Σx² along the last dimension. The squares are in single precision in any graph, because half
 * precision overflows at 256². Returns the value. */
const char *dyno_layers_unit (DynoGraph *graph, const char *value);
/* x / √(mean (x²) + ε) · weight Returns the value. */
const char *dyno_layers_rms_norm (DynoGraph *graph, const char *name, const char *value, double epsilon);
/* x / √(mean (x²) + ε) · (1 + weight), all in single precision in any graph, as in Gemma. Returns the
 * value. */
const char *dyno_layers_rms_norm_zero (DynoGraph *graph, const char *name, const char *value, double epsilon);
/* Returns cap · tanh (value / cap). @cap: a number above 0. */
const char *dyno_layers_cap (DynoGraph *graph, const char *value, double cap);
const char *dyno_layers_activation (DynoGraph *graph, const char *function, const char *value);
/* Returns whether dyno_layers_activation() can build it. */
gboolean dyno_layers_knows_activation (const char *function);
/* Returns the value. @name: the layer's name; its weight is `name.weight`. */
const char *
dyno_layers_embedding (DynoGraph *graph, const char *name, const char *ids, gint64 rows, gint64 width);

/* Returns [batch, rows, width]. @value: [batch, sequence, width]. @rows: indices of rows for each item,
 * [batch, rows]. */
const char *dyno_layers_choose_rows (DynoGraph *graph, const char *value, const char *rows);
/* Returns [batch, width]. @value: [batch, sequence, width]. @rows: index of a row for each item, [batch,
 * 1]. */
const char *dyno_layers_take_rows (DynoGraph *graph, const char *value, const char *rows);
/* Returns [batch, heads, sequence, width]. @value: [batch, sequence, heads × width]. */
const char *dyno_layers_split_heads (DynoGraph *graph, const char *value, gint64 n_heads);
/* Attention with scores divided by √width, as usual. Returns [batch, queries, heads × width]. @query:
 * [batch, heads, queries, width]. @key: [batch, heads, keys, width]. @value: [batch, heads, keys, width].
 * @mask (nullable): added to the scores, [batch, 1 or heads, 1 or queries, keys]. */
const char *dyno_layers_attention (DynoGraph *graph,
                                   const char *query,
                                   const char *key,
                                   const char *value,
                                   const char *mask,
                                   DynoDataType softmax_type);
/* softmax (query · keyᵀ / divisor + mask) · value, heads joined. Returns [batch, queries, heads × width].
 * @query: [batch, heads, queries, width]. @key: [batch, heads, keys, width]. @value: [batch, heads, keys,
 * width]. @mask (nullable): added to the scores, [batch, 1 or heads, 1 or queries, keys]. @softmax_type:
 * the type of the softmax; some families use single precision in any graph. @divisor: the scores are
 * divided by it before the mask is added. */
const char *dyno_layers_attention_scaled (DynoGraph *graph,
                                          const char *query,
                                          const char *key,
                                          const char *value,
                                          const char *mask,
                                          DynoDataType softmax_type,
                                          float divisor);
/* softmax (cap (query · keyᵀ / divisor) + mask) · value, heads joined; one operator in a graph with fused
 * attention, which has no cap and no sinks. Returns [batch, queries, heads × width of a value]. @query:
 * [batch, heads, queries, width]. @key: [batch, heads, keys, width]. @value: [batch, heads, keys, width of
 * a value]. */
const char *dyno_layers_attention_by (
    DynoGraph *graph, const char *query, const char *key, const char *value, const DynoScores *by);

/* Returns the value in another shape. @target: as a Reshape takes it: 0 keeps a size, −1 follows from the others. */
const char *dyno_layers_reshape (DynoGraph *graph, const char *value, guint rank, const gint64 *target);
/* Returns the places of a picture as tokens, [batch, places, channels]. @value: [batch, channels, height, width]. */
const char *dyno_layers_to_tokens (DynoGraph *graph, const char *value);
/* Returns the product of the value and the transposed table of embeddings. @name: scope of the product. @table: name of
 * the table. */
const char *dyno_layers_tied_head (
    DynoGraph *graph, const char *name, const char *value, const char *table, gint64 n_rows, gint64 width);

G_END_DECLS
