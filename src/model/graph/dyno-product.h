/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/* In a precision with quantised weights, the product uses quantised weights: MatMulNBits of ONNX Runtime's
 * docs/ContribOperators.md or, if activations are quantised too, MatMulInteger. Other uses of the weight
 * are not affected. Returns their product, [… m, n]. @value: [… m, k]. @weight: a weight, [k, n], or [n, k]
 * if it is transposed. @is_transposed: whether it is transposed, like an embedding table that is also the
 * head of a model. */
const char *
dyno_product_add (DynoGraph *graph, const char *value, const char *weight, gboolean is_transposed);

G_END_DECLS
