/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

/**
 * DynoPlanSweep:
 *
 * The axes of a plan, checked and as numbers.
 */
typedef struct _DynoPlanSweep DynoPlanSweep;

DynoPlanSweep *dyno_plan_sweep_new (DynoPlan *plan, GError **error);
void dyno_plan_sweep_free (DynoPlanSweep *self);
void dyno_plan_sweep_add_cases (DynoPlanSweep *self, DynoModel *model, const char *spec, GPtrArray *cases);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPlanSweep, dyno_plan_sweep_free)

G_END_DECLS
