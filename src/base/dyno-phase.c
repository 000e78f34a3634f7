/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-phase.h"

const char *
dyno_phase_to_string (DynoPhase phase)
{
  static const char *const names[DYNO_N_PHASES + 1] = {
    [DYNO_PHASE_LOAD] = "load",       [DYNO_PHASE_FIRST_RUN] = "first-run", [DYNO_PHASE_WARM_UP] = "warm-up",
    [DYNO_PHASE_MEASURE] = "measure", [DYNO_PHASE_ANALYSE] = "analyse",     [DYNO_N_PHASES] = "",
  };

  g_return_val_if_fail (phase <= DYNO_N_PHASES, NULL);
  return names[phase];
}
