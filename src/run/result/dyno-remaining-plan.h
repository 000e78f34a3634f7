/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* A case that failed or was skipped is over: it would end in the same way again. One that lacks
 * invocations is not: its interval is not over all requested invocations. Returns whether the case needs
 * no other run. */
gboolean dyno_remaining_plan_is_over (DynoResult *result);
/* The plan of the cases that @run did not get to, or did not measure in all processes, because it was
 * stopped or killed. Returns the plan of @run, narrowed down to those cases. Fails with
 * DYNO_ERROR_NOT_FOUND when no case remains, or there is no plan, DYNO_ERROR_INVALID_ARGUMENT while the
 * run is being measured. */
DynoPlan *dyno_remaining_plan_new (DynoRun *run, GError **error);
/* The plan of the cases that are doubtful or unsteady, to measure them again. Returns the plan of @run,
 * narrowed down to those cases. Fails with DYNO_ERROR_NOT_FOUND when no case is doubtful, or there is no
 * plan. */
DynoPlan *dyno_remaining_plan_new_in_doubt (DynoRun *run, GError **error);

G_END_DECLS
