/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

/* Returns a plan that measures the disputed cases of both sides in one run, block by block. Reads the
 * models, so it may block on a slow disk. Fails with DYNO_ERROR_NOT_FOUND where there is nothing to measure
 * again, or an error of dyno_plan_expand(). */
DynoPlan *dyno_comparison_plan_new (const DynoComparison *comparison, GError **error);

G_END_DECLS
