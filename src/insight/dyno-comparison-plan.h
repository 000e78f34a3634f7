/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

DynoPlan *dyno_comparison_plan_new (const DynoComparison *comparison, GError **error);

G_END_DECLS
