/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

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

/* dyno-stages */

/* Builds the graphs of the model, in milliseconds. Returns the bytes of the weights that each stage holds, in the order
 * of dyno_model_dup_stages(); empty if the model is one graph. Elements are gint64. The caller owns it. */
GArray *dyno_model_list_stage_weights (DynoModel *model);
/* Stages take turns: the one with the most work gets all threads, and the others as many as their work has of that, but at
 * least one. Returns the threads of each stage as options of a case, “vision.threads=1,decoder.threads=4”; NULL if the
 * model is one graph, or the work of a stage is unknown. The caller owns it. @threads: how many there are. */
char *dyno_model_dup_thread_split (DynoModel *model, DynoBinding *binding, guint threads);

/* dyno-size-class */

/**
 * DynoSizeClass:
 * @id: stable, for files and filters
 * @label: its name, translated when it is shown
 * @limit: all its models have fewer parameters
 *
 * A class of models by number of parameters.
 */
typedef struct
{
  const char *id;
  const char *label;
  gint64 limit;
} DynoSizeClass;

#define DYNO_N_SIZE_CLASSES 6

extern const DynoSizeClass dyno_size_classes[DYNO_N_SIZE_CLASSES];

/* Returns the class of such a model, NULL if unknown. @parameter_count: number of trainable parameters,
 * tied ones counted once; 0 if unknown. */
const DynoSizeClass *dyno_size_class_find (gint64 parameter_count);

G_END_DECLS
