/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-goal.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

/**
 * DynoRaceAxis:
 * @title: the property in which settings differ, such as “Precision”
 * @values: its values in words, joined
 *
 * One axis of the raced settings.
 */
typedef struct
{
  char *title;
  char *values;
} DynoRaceAxis;

/**
 * DynoRacePlan:
 * @plan: the plan: only cases that can run here, as far as that is known in advance
 * @cases: (element-type DynoCase): the cases of the plan
 * @n_settings: the number of settings
 * @seconds: the estimated time until the first settings can leave
 * @left_out: (array zero-terminated=1): properties of a plan that could be varied too with more time
 *
 * The settings of a race.
 */
typedef struct
{
  DynoPlan *plan;
  GPtrArray *cases;
  guint n_settings;
  double seconds;
  char **left_out;
} DynoRacePlan;

/* Returns a plan with the case's model, sizes and place, for dyno_race_plan_new(). The caller owns it. */
DynoPlan *dyno_race_plan_ask (DynoCase *kase);
/* Returns the settings of a race. Varies backend, device and precision, and then, one after the other,
 * threads, batch (where the time of one step does not count) and options of the engines, as long as the
 * time allows. Reads files and probes, so it takes a while. @given: the properties of @fixed that are not
 * varied. @seconds: the time limit of the race. Fails as dyno_plan_expand(), and with
 * DYNO_ERROR_UNSUPPORTED if nothing can run here. */
DynoRacePlan *
dyno_race_plan_new (DynoPlan *fixed, GHashTable *given, const DynoGoal *goal, double seconds, GError **error);
void dyno_race_plan_free (DynoRacePlan *self);
/* Returns the axes in which they differ, with all values that can run. Elements are DynoRaceAxis. */
GPtrArray *dyno_race_plan_list_axes (const DynoRacePlan *self);
/* Returns the number of settings and the time that they take, in two sentences. @all: the time limit of the
 * race, in words. */
char *dyno_race_plan_dup_text (const DynoRacePlan *self, const char *first, const char *all);
/* Returns whether the race will probably end before there can be a verdict. @seconds: the time limit of the
 * race. */
gboolean dyno_race_plan_is_too_short (const DynoRacePlan *self, double seconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRacePlan, dyno_race_plan_free)

G_END_DECLS
