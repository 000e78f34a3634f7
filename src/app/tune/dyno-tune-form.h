/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-goal.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

#define DYNO_TYPE_TUNE_FORM (dyno_tune_form_get_type ())

/**
 * DynoTuneForm:
 *
 * Where one says what the best settings are wanted for: a model, a goal, limits and a time. It shows which settings would
 * be raced and how long that takes. Read-only property: `ready` (boolean: whether there is something to race).
 */
G_DECLARE_FINAL_TYPE (DynoTuneForm, dyno_tune_form, DYNO, TUNE_FORM, AdwBin)

/* Takes over the first model of a plan, its sizes, and the backends as those that the race can be limited
 * to. */
void dyno_tune_form_set_plan (DynoTuneForm *self, DynoPlan *plan);
gboolean dyno_tune_form_get_ready (DynoTuneForm *self);
/* Returns the settings that would be raced; NULL if there is none. */
DynoPlan *dyno_tune_form_get_race_plan (DynoTuneForm *self);
void dyno_tune_form_get_goal (DynoTuneForm *self, DynoGoal *goal);
/* Returns how long the race may take. */
double dyno_tune_form_get_seconds (DynoTuneForm *self);

G_END_DECLS
