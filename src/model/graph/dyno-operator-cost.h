/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

/**
 * DynoNodeShapes:
 * @op_type: the ONNX operator
 * @inputs: (element-type DynoShape): actual shapes of the inputs, including weights, in order
 * @outputs: (element-type DynoShape): actual shapes of the outputs
 * @kernel_elements: as of dyno_node_get_window_elements()
 * @equation: (nullable): which axes an Einsum multiplies and adds up
 */
typedef struct
{
  const char *op_type;
  GArray *inputs;
  GArray *outputs;
  gint64 kernel_elements;
  const char *equation;
} DynoNodeShapes;

/* Operators that ONNX Runtime fuses or adds have ONNX Runtime's names. Returns FALSE if there is no rule
 * for this operator, or its shapes do not fit the rule. @flops: floating-point operations of one call by
 * the rule of the operator; a multiply-add counts as two. */
gboolean dyno_operator_cost_flops (const DynoNodeShapes *node, gint64 *flops);
/* A model of the traffic: every operand is read once and every result written once, ignoring caches; a
 * gathering operator reads as much of its table as its result holds. Returns the bytes of all operands and
 * results. */
gint64 dyno_operator_cost_bytes (const DynoNodeShapes *node);

G_END_DECLS
