/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"
#include "dyno-operator-cost.h"
#include "dyno-session.h"

G_BEGIN_DECLS

/* The work and the traffic of steps of one kind, counted operator by operator from actual shapes. */

/* Returns whether the engine reported the shapes of its inputs and outputs. */
gboolean dyno_step_work_has_shapes (const DynoNodeProfile *node);
/* Returns its shapes, for the rules of its operator; they belong to @node. */
DynoNodeShapes dyno_step_work_get_shapes (DynoMeasurement *measurement, const DynoNodeProfile *node);
/* If the engine reports no shapes, those of the model's own graph count. Returns the FLOPs of one step, over all its
 * requests; NAN if neither is known. @unknown holds utf8 and utf8. */
double dyno_step_work_count_flops (DynoMeasurement *measurement,
                                   const DynoStepAnalysis *analysis,
                                   GHashTable *unknown);
/* Returns the bytes that the operators of one step read and write, over all its requests; NAN if unknown. @products
 * may be NULL. */
double
dyno_step_work_count_bytes (DynoMeasurement *measurement, const DynoStepAnalysis *analysis, double *products);
/* Returns whether each operator has a time; if one has none, the others do not add up to the step. @products_ms: the
 * time of matrix products and convolutions in a step. */
gboolean dyno_step_work_sum_times (const DynoStepAnalysis *analysis, double *products_ms, double *others_ms);
const char *dyno_step_work_get_flops_source (const DynoStepAnalysis *analysis);
const char *dyno_step_work_get_bytes_source (const DynoStepAnalysis *analysis);

G_END_DECLS
