/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/**
 * DynoModelNeed:
 * @precision: one of dyno_precision_list()
 * @weight_bytes: bytes of all weights in that precision
 * @memory_bytes: estimated memory of a step at the given sizes; 0 if the model does not accept them
 *
 * The memory that a model needs in one precision; estimated, not measured.
 */
typedef struct
{
  const char *precision;
  gint64 weight_bytes;
  gint64 memory_bytes;
} DynoModelNeed;

/* Builds a graph for each precision, so call it in a thread. Returns the needs of the model in each
 * precision that it can be built in, in the order of dyno_precision_list(); an ONNX file has one. Elements
 * are DynoModelNeed. @dimensions (nullable): sizes of other free dimensions, such as
 * `height=320,width=320`. */
GArray *
dyno_model_needs_list (DynoModel *model, guint batch_size, guint sequence_length, const char *dimensions);
/* Returns whether a step is known to fit. @available: bytes of available memory. */
gboolean dyno_model_need_fits (const DynoModelNeed *self, gint64 available);

G_END_DECLS
