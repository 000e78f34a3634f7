/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-machine.h"
#include "dyno-result.h"

G_BEGIN_DECLS

/* Checks a case before anything is started for it: whether the model exists, whether the sizes fit it, and
 * whether the engine and the machine have the device, the precision, the operators and the memory. The reason
 * contains the arithmetic and names alternatives. Reads files and may probe, so it belongs on a thread.
 * Returns whether the case is worth starting. @result: a pending result; gets the facts about the model, and
 * its status when the case cannot run. @failed may be NULL. @failed holds DynoFailure. */
gboolean dyno_case_check (DynoResult *result, DynoMachine *machine, GPtrArray *failed);
/* Reads files and may probe, so it belongs on a thread. Returns a sentence with alternatives from
 * dyno_compatibility_recommend(); NULL if there are none. The caller owns it. @failed: the cases of the same
 * run that did not run, this one included. */
char *dyno_case_recommend (DynoCase *kase, DynoMachine *machine, GPtrArray *failed);

G_END_DECLS
