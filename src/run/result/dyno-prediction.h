/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"
#include "dyno-roofline.h"

G_BEGIN_DECLS

/* The stable name of the prediction. */
#define DYNO_PREDICTION_VALUE "predicted_latency_ms"

/**
 * DynoPrediction:
 * @milliseconds: how long a step should take; NaN if it cannot be predicted
 * @source: the source, or why there is none: a sentence
 *
 * The time of a step, predicted before anything has run.
 */
typedef struct
{
  double milliseconds;
  char *source;
} DynoPrediction;

/* A roofline per operator (Williams, Waterman, Patterson: Roofline, 2009), summed over the operators one
 * after the other; element-wise operators count as fused into the products before them. @machine may be
 * NULL. @ceilings may be NULL. @ceilings holds DynoCeiling. */
void dyno_prediction_make (DynoPrediction *self,
                           DynoModel *model,
                           DynoBinding *binding,
                           DynoCase *kase,
                           const char *machine,
                           GPtrArray *ceilings);
void dyno_prediction_clear (DynoPrediction *self);
/* Lets the case expect the time that the measured roofs allow for its work, if they are known. @machine may be NULL.
 * @ceilings may be NULL. @ceilings holds DynoCeiling. */
void dyno_prediction_expect_seconds (DynoCase *kase, const char *machine, GPtrArray *ceilings);
/* Unlike other values derived from roofs it is stored, because it is the prediction from before the
 * measurement. Reads files, so it belongs on a thread. @result: a case that is about to be measured; gets
 * `predicted_latency_ms` if that can be predicted. @machine may be NULL. @ceilings may be NULL. @ceilings
 * holds DynoCeiling. */
void dyno_prediction_add (DynoResult *result, const char *machine, GPtrArray *ceilings);
/* Returns the error of its prediction, as a sentence; NULL if there is no prediction, or no median to compare
 * it with. */
char *dyno_prediction_dup_outcome (DynoResult *result);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoPrediction, dyno_prediction_clear)

G_END_DECLS
