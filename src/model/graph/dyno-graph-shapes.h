/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph-private.h"

G_BEGIN_DECLS

/* Returns whether the operator is known and its inputs fit together. @output: its only output, except for
 * the name. */
gboolean dyno_graph_infer_shape (const Onnx__NodeProto *node,
                                 DynoGraphValue *const *inputs,
                                 guint n_inputs,
                                 DynoGraphValue *output);

G_END_DECLS
