/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-machine.h"
#include "dyno-result.h"

G_BEGIN_DECLS

/* Looks at a case before anything is started for it: is there such a model, do the sizes fit it, has the
 * engine the device, the precision, the operators and the memory, has the machine. The reason has the
 * arithmetic, and names what else can run the case. Reads files and may probe, so it belongs on a thread.
 * Returns whether the case is worth starting. @result: a pending result; gets what is known of the model,
 * and its status when the case cannot run. @failed may be NULL. @failed holds DynoCase. */
gboolean dyno_case_check (DynoResult *result, DynoMachine *machine, GPtrArray *failed);
/* Reads files and may probe, so it belongs on a thread. Returns what else may run it, as
 * dyno_compatibility_recommend() says it; NULL if there is none. The caller owns it. @failed: what did not
 * run in the same run, this case among it. */
char *dyno_case_recommend (DynoCase *kase, DynoMachine *machine, GPtrArray *failed);

G_END_DECLS
