/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

/**
 * DynoNodeShapes:
 * @op_type: the ONNX operator
 * @inputs: (element-type DynoShape): actual shapes of the inputs, weights among them, in order
 * @outputs: (element-type DynoShape): actual shapes of the outputs
 * @kernel_elements: product of a pooling window's sizes, or how many places a resized one is the mean of, 0 where the
 *   operator has none
 */
typedef struct
{
  const char *op_type;
  GArray *inputs;
  GArray *outputs;
  gint64 kernel_elements;
} DynoNodeShapes;

gboolean dyno_operator_cost_flops (const DynoNodeShapes *node, gint64 *flops);
gint64 dyno_operator_cost_bytes (const DynoNodeShapes *node);

G_END_DECLS
