/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoPhase:
 * @DYNO_PHASE_LOAD: the engine reads and compiles the model
 * @DYNO_PHASE_FIRST_RUN: the first step, which may allocate and compile more
 * @DYNO_PHASE_WARM_UP: steps until the latency is steady
 * @DYNO_PHASE_MEASURE: the steps that count
 * @DYNO_PHASE_ANALYSE: after the measurement: operators, outputs
 * @DYNO_N_PHASES: the number of phases; in a `phases` trace, the end of the last one
 *
 * The phases of a case, timed separately. The trace `phases` holds the number of each at the time it began.
 */
typedef enum
{
  DYNO_PHASE_LOAD,
  DYNO_PHASE_FIRST_RUN,
  DYNO_PHASE_WARM_UP,
  DYNO_PHASE_MEASURE,
  DYNO_PHASE_ANALYSE,
  DYNO_N_PHASES,
} DynoPhase;

/* Returns its stable name, empty for DYNO_N_PHASES. */
const char *dyno_phase_to_string (DynoPhase phase);

G_END_DECLS
