/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"
#include "onnx.pb-c.h"

G_BEGIN_DECLS

/* Opset 17 is the first with LayerNormalization; it was released with IR 8. */
#define DYNO_GRAPH_OPSET      17
#define DYNO_GRAPH_IR_VERSION 8

/**
 * DynoGraphValue:
 * @name: its name
 * @shape: its type and shape at the sizes of the graph's binding
 * @n_known: the number of its elements if they are known, else 0
 * @known: the elements of a short list of integers on which another shape depends
 * @is_given: whether it is a weight, a constant or an input rather than computed
 * @is_used: whether a node consumes it
 * @is_fixed: whether it is a weight or a constant, or follows from these alone: runtimes compute it while
 * they load
 * @is_planned: whether it has a place among the results of a step, unlike outputs, which outlive it, and
 * fixed values
 * @last_use: the index of the node that consumes it last
 */
typedef struct
{
  const char *name;
  DynoShape shape;
  guint n_known;
  gint64 known[DYNO_SHAPE_MAX_RANK];
  gboolean is_given;
  gboolean is_used;
  gboolean is_fixed;
  gboolean is_planned;
  guint last_use;
} DynoGraphValue;

GPtrArray *dyno_graph_get_nodes (DynoGraph *self);
GPtrArray *dyno_graph_get_weights (DynoGraph *self);
/* Returns the tensors in a file of the graph: weights or their quantised forms. Elements are DynoWeight. */
GPtrArray *dyno_graph_get_initializers (DynoGraph *self);
const DynoQuantisation *dyno_graph_get_quantisation (DynoGraph *self);
gboolean dyno_graph_has_zero_points (DynoGraph *self);
DynoWeight *dyno_graph_find_weight (DynoGraph *self, const char *name);
/* Returns a part of the quantised form of a weight, which the file holds beside it or instead of it. */
DynoWeight *
dyno_graph_add_part (DynoGraph *self, const DynoWeight *source, const char *suffix, const DynoShape *shape);
GPtrArray *dyno_graph_get_inputs (DynoGraph *self);
GPtrArray *dyno_graph_get_outputs (DynoGraph *self);

G_END_DECLS
