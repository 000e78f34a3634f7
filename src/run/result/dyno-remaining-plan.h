/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* A case that failed or was skipped is over, because it would end in the same way again. One that lacks
 * invocations is not, because its interval does not cover all requested invocations. Returns whether the case
 * needs no other run. */
gboolean dyno_remaining_plan_is_over (DynoResult *result);
/* The plan of the cases that @run did not reach, or did not measure in all processes, because it was stopped
 * or killed. Returns the plan of @run, reduced to those cases. Fails with DYNO_ERROR_NOT_FOUND if no case
 * remains or there is no plan, and with DYNO_ERROR_INVALID_ARGUMENT while the run is being measured. */
DynoPlan *dyno_remaining_plan_new (DynoRun *run, GError **error);
/* The plan to repeat the doubtful and unsteady cases. Returns the plan of @run, reduced to those cases. Fails
 * with DYNO_ERROR_NOT_FOUND if no case is doubtful or there is no plan. */
DynoPlan *dyno_remaining_plan_new_in_doubt (DynoRun *run, GError **error);

G_END_DECLS
