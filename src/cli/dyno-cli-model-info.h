/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-model.h"

G_BEGIN_DECLS

/**
 * DynoCliSizes:
 * @batch_size: number of samples
 * @sequence_length: number of tokens, if the model has a sequence
 * @dimensions: (nullable): sizes of other free dimensions, `height=320,width=320`
 * @inputs: (nullable): values of inputs, `sr=16000`
 *
 * The sizes at which a model's work is counted.
 */
typedef struct
{
  guint batch_size;
  guint sequence_length;
  const char *dimensions;
  const char *inputs;
  guint deadline_seconds;
} DynoCliSizes;

/* Adds the facts about a model that are known without running it. */
void dyno_cli_model_info_add_json (JsonBuilder *builder, DynoModel *model);
/* Prints all facts about a model; for an ONNX file, a worker runs a step to count its work. Returns whether
 * it was printed. @error: when the sizes do not bind every free dimension. */
gboolean
dyno_cli_model_info_print (DynoModel *model, const DynoCliSizes *sizes, gboolean as_json, GError **error);

G_END_DECLS
