/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/**
 * DynoModelNeed:
 * @precision: one of [func@Dyno.precision_list]
 * @weight_bytes: bytes of all weights in that precision
 * @memory_bytes: estimated memory of a step at the given sizes; 0 if the model does not accept them
 *
 * What a model needs in one precision; estimated, not measured.
 */
typedef struct
{
  const char *precision;
  gint64 weight_bytes;
  gint64 memory_bytes;
} DynoModelNeed;

GArray *
dyno_model_needs_list (DynoModel *model, guint batch_size, guint sequence_length, const char *dimensions);
gboolean dyno_model_need_fits (const DynoModelNeed *self, gint64 available);

G_END_DECLS
