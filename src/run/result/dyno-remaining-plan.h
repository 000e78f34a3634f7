/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"
#include "dyno-run.h"

G_BEGIN_DECLS

gboolean dyno_remaining_plan_is_over (DynoResult *result);
DynoPlan *dyno_remaining_plan_new (DynoRun *run, GError **error);
DynoPlan *dyno_remaining_plan_new_in_doubt (DynoRun *run, GError **error);

G_END_DECLS
