/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/**
 * DynoModelNeed:
 * @precision: of [func@Dyno.precision_list]
 * @weight_bytes: of all weights in that precision
 * @memory_bytes: about what a step takes at the sizes that were asked for; 0 where the model does not take these
 *
 * What a model needs in one precision. Nothing of it is measured.
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
