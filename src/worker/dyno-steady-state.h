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

DynoVerdict dyno_steady_state_judge (DynoMeasurement *measurement, DynoMethod *method, DynoStopRule *rule);
void dyno_steady_state_sum_up (DynoMeasurement *measurement, DynoMethod *method, GArray *chunk_ends);

G_END_DECLS
