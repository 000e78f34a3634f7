/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measurement.h"
#include "dyno-method.h"
#include "dyno-stop-rule.h"

G_BEGIN_DECLS

/**
 * DynoVerdict:
 * @DYNO_VERDICT_MORE: go on measuring
 * @DYNO_VERDICT_DONE: steady, and the median is precise enough
 *
 * Whether there are enough measurements.
 */
typedef enum
{
  DYNO_VERDICT_MORE,
  DYNO_VERDICT_DONE,
} DynoVerdict;

/* Returns whether the steady part is long enough, has enough samples, and gives a precise enough median,
 * both now and at the previous look. @measurement: the measurement so far; its steady part is updated. */
DynoVerdict dyno_steady_state_judge (DynoMeasurement *measurement, DynoMethod *method, DynoStopRule *rule);
/* Computes the wall time of the steady part and adds diagnostics for requirements that were not met.
 * @chunk_ends: index after the last sample of each uninterrupted stretch. */
void dyno_steady_state_sum_up (DynoMeasurement *measurement, DynoMethod *method, GArray *chunk_ends);

G_END_DECLS
