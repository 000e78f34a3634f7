/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"
#include "onnx.pb-c.h"

G_BEGIN_DECLS

/* Opset 17 is the first with LayerNormalization; IR 8 is what it was released with. */
#define DYNO_GRAPH_OPSET      17
#define DYNO_GRAPH_IR_VERSION 8

/**
 * DynoGraphValue:
 * @name: its name
 * @shape: its type and shape at the sizes of the graph's binding
 * @n_known: how many of its elements are known, 0 if they are not
 * @known: the elements of a short list of integers that another shape depends on
 * @is_given: whether it is a weight, a constant or an input rather than computed
 */
typedef struct
{
  const char *name;
  DynoShape shape;
  guint n_known;
  gint64 known[DYNO_SHAPE_MAX_RANK];
  gboolean is_given;
} DynoGraphValue;

GPtrArray *dyno_graph_get_nodes (DynoGraph *self);
GPtrArray *dyno_graph_get_weights (DynoGraph *self);
GPtrArray *dyno_graph_get_inputs (DynoGraph *self);
GPtrArray *dyno_graph_get_outputs (DynoGraph *self);

G_END_DECLS
