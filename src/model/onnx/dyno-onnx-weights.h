/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-tensor.h"
#include "onnx.pb-c.h"

G_BEGIN_DECLS

/**
 * DynoOnnxWeights:
 * @by_name: (element-type utf8 Onnx__TensorProto): initializers and constants of the model's own graph, by
 * the name of their value
 * @parameter_count: trained numbers among them
 * @bytes: of all of them, sparse ones as an engine unpacks them; -1 if they exceed any real model
 * @real_type: the floating-point type of most of them; undefined if there are none
 * @quantisation: (nullable): the precision of most of them, if they are quantised
 *
 * All weights of a file, wherever they are.
 */
typedef struct
{
  GHashTable *by_name;
  gint64 parameter_count;
  gint64 bytes;
  DynoDataType real_type;
  const char *quantisation;
} DynoOnnxWeights;

/* Reads the weights in initializers, in constants, in the graphs of If and Loop, and in functions.
 * Quantised ones count as their elements; scales of quantised weights still count for the type, because
 * floating-point operations are computed in it. @self: the weights, which keep names and tensors of
 * @model. */
void dyno_onnx_weights_read (DynoOnnxWeights *self, const Onnx__ModelProto *model);
void dyno_onnx_weights_clear (DynoOnnxWeights *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoOnnxWeights, dyno_onnx_weights_clear)

G_END_DECLS
