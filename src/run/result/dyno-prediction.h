/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"
#include "dyno-roofline.h"

G_BEGIN_DECLS

/* The stable name of what is predicted. */
#define DYNO_PREDICTION_VALUE "predicted_latency_ms"

/**
 * DynoPrediction:
 * @milliseconds: how long a step should take; NaN where that cannot be predicted
 * @source: the source, or why there is none: a sentence
 *
 * The time of a step, predicted before anything has run.
 */
typedef struct
{
  double milliseconds;
  char *source;
} DynoPrediction;

void dyno_prediction_make (DynoPrediction *self,
                           DynoModel *model,
                           DynoBinding *binding,
                           DynoCase *kase,
                           const char *machine,
                           GPtrArray *ceilings);
void dyno_prediction_clear (DynoPrediction *self);
void dyno_prediction_add (DynoResult *result, const char *machine, GPtrArray *ceilings);
char *dyno_prediction_dup_outcome (DynoResult *result);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoPrediction, dyno_prediction_clear)

G_END_DECLS
