/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-operator-cost.h"

G_BEGIN_DECLS

/* Returns NULL if there are fewer. An engine omits inputs that are not given, and those behind move up. */
static inline const DynoShape *
dyno_node_shapes_get_input (const DynoNodeShapes *node, guint index)
{
  return index < node->inputs->len ? &g_array_index (node->inputs, DynoShape, index) : NULL;
}

static inline const DynoShape *
dyno_node_shapes_get_output (const DynoNodeShapes *node)
{
  return &g_array_index (node->outputs, DynoShape, 0);
}

static inline gint64
dyno_shape_get_last (const DynoShape *shape)
{
  return shape->rank > 0 ? shape->dims[shape->rank - 1] : 1;
}

gboolean dyno_sequence_cost_lstm (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_gru (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_rnn (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_dynamic_lstm (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_einsum (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_dft (const DynoNodeShapes *node, gint64 *flops);
gboolean dyno_sequence_cost_stft (const DynoNodeShapes *node, gint64 *flops);

G_END_DECLS
