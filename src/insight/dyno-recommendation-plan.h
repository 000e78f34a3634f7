/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"
#include "dyno-recommendation.h"

G_BEGIN_DECLS

/* Returns a plan that measures this cell with every backend that may be recommended anywhere; NULL if the
 * cell's work is unknown. */
DynoPlan *dyno_recommendation_plan_new (const DynoRecommendation *self, guint row, guint column);

G_END_DECLS
