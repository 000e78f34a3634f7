/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"
#include "dyno-operator-cost.h"
#include "dyno-session.h"

G_BEGIN_DECLS

/* The work and the traffic of steps of one kind, counted operator by operator from actual shapes. */

/* Returns whether the engine told what it read and wrote. */
gboolean dyno_step_work_has_shapes (const DynoNodeProfile *node);
/* Returns its shapes, for the rules of its operator; they belong to @node. */
DynoNodeShapes dyno_step_work_get_shapes (DynoMeasurement *measurement, const DynoNodeProfile *node);
/* Where the engine tells no shapes, those of the model's own graph count. Returns the FLOPs of one step,
 * of all its requests; NAN where there is neither. @unknown holds utf8 and utf8. */
double dyno_step_work_count_flops (DynoMeasurement *measurement,
                                   const DynoStepAnalysis *analysis,
                                   GHashTable *unknown);
/* Returns what the operators of one step read and write, of all its requests; NAN where that is unknown.
 * @products may be NULL. */
double
dyno_step_work_count_bytes (DynoMeasurement *measurement, const DynoStepAnalysis *analysis, double *products);
/* Returns whether each operator has a time; where one has none, what the others took says nothing of the
 * step. @products_ms: what matrix products and convolutions take of a step. */
gboolean dyno_step_work_sum_times (const DynoStepAnalysis *analysis, double *products_ms, double *others_ms);
const char *dyno_step_work_get_flops_source (const DynoStepAnalysis *analysis);
const char *dyno_step_work_get_bytes_source (const DynoStepAnalysis *analysis);

G_END_DECLS
