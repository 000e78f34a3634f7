/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/**
 * DynoModelWork:
 * @flops: floating-point operations of one step
 * @multiply_adds: multiplications with an addition in its matrix products and convolutions, as papers count
 *   them; NAN if unknown
 * @uncounted: (array zero-terminated=1): operators without a rule
 *
 * The work of one step of a model.
 */
typedef struct
{
  double flops;
  double multiply_adds;
  GStrv uncounted;
} DynoModelWork;

/**
 * DYNO_MODEL_WORK_SECONDS:
 *
 * How long people should wait for one number; a stranger's file may loop for ever.
 */
#define DYNO_MODEL_WORK_SECONDS 60

/* Counts the work of a model that Dyno builds by its graph, without creating or running any of it. Only a
 * runtime knows the shapes of an ONNX file, so a worker runs one step of it: engines are opened in no other
 * process. Returns the work. The caller owns it. @dimensions (nullable): sizes of other free dimensions, such
 * as `height=320,width=320`. @inputs (nullable): values of inputs, as for dyno_model_create_inputs().
 * @deadline_seconds: how long a worker may take, such as DYNO_MODEL_WORK_SECONDS. @cancellable may be NULL.
 * Fails with DYNO_ERROR_TIMED_OUT if the step took longer. */
DynoModelWork *dyno_model_work_count (DynoModel *model,
                                      guint batch_size,
                                      guint sequence_length,
                                      const char *dimensions,
                                      const char *inputs,
                                      guint deadline_seconds,
                                      GCancellable *cancellable,
                                      GError **error);
void dyno_model_work_free (DynoModelWork *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoModelWork, dyno_model_work_free)

G_END_DECLS
