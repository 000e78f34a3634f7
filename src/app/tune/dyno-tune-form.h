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
 * The form for a race: a model, a goal, limits and a time. It shows the settings that would be raced and the
 * duration. Read-only property: `ready` (boolean: whether there are settings to race).
 */
G_DECLARE_FINAL_TYPE (DynoTuneForm, dyno_tune_form, DYNO, TUNE_FORM, AdwBin)

/* Takes over the first model of a plan, its sizes, and its backends, to which the race can be limited. */
void dyno_tune_form_set_plan (DynoTuneForm *self, DynoPlan *plan);
gboolean dyno_tune_form_get_ready (DynoTuneForm *self);
/* Returns the settings to race; NULL if there are none. */
DynoPlan *dyno_tune_form_get_race_plan (DynoTuneForm *self);
void dyno_tune_form_get_goal (DynoTuneForm *self, DynoGoal *goal);
/* Returns the maximum duration of the race, in seconds. */
double dyno_tune_form_get_seconds (DynoTuneForm *self);

G_END_DECLS
