/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoScores:
 * @divisor: what they are divided by; 0 for the square root of the width of a head
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

const char *dyno_layers_cast (DynoGraph *graph, const char *value, DynoDataType type);
const char *dyno_layers_masked_score (DynoGraph *graph);
const char *dyno_layers_padding_mask (DynoGraph *graph, const char *mask);
const char *
dyno_layers_linear (DynoGraph *graph, const char *name, const char *value, gint64 width, gboolean has_bias);
const char *
dyno_layers_conv1d (DynoGraph *graph, const char *name, const char *value, gint64 width, gboolean has_bias);
const char *dyno_layers_layer_norm (DynoGraph *graph, const char *name, const char *value, double epsilon);
const char *
dyno_layers_layer_norm_unbiased (DynoGraph *graph, const char *name, const char *value, double epsilon);
const char *dyno_layers_normal (DynoGraph *graph, const char *value, double epsilon);
const char *dyno_layers_unit (DynoGraph *graph, const char *value);
const char *dyno_layers_rms_norm (DynoGraph *graph, const char *name, const char *value, double epsilon);
const char *dyno_layers_rms_norm_zero (DynoGraph *graph, const char *name, const char *value, double epsilon);
const char *dyno_layers_cap (DynoGraph *graph, const char *value, double cap);
const char *dyno_layers_activation (DynoGraph *graph, const char *function, const char *value);
gboolean dyno_layers_knows_activation (const char *function);
const char *
dyno_layers_embedding (DynoGraph *graph, const char *name, const char *ids, gint64 rows, gint64 width);

const char *dyno_layers_choose_rows (DynoGraph *graph, const char *value, const char *rows);
const char *dyno_layers_take_rows (DynoGraph *graph, const char *value, const char *rows);
const char *dyno_layers_split_heads (DynoGraph *graph, const char *value, gint64 n_heads);
const char *dyno_layers_attention (DynoGraph *graph,
                                   const char *query,
                                   const char *key,
                                   const char *value,
                                   const char *mask,
                                   DynoDataType softmax_type);
const char *dyno_layers_attention_scaled (DynoGraph *graph,
                                          const char *query,
                                          const char *key,
                                          const char *value,
                                          const char *mask,
                                          DynoDataType softmax_type,
                                          float divisor);
const char *dyno_layers_attention_by (
    DynoGraph *graph, const char *query, const char *key, const char *value, const DynoScores *by);

G_END_DECLS
