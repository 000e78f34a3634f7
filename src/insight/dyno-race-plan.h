/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-goal.h"
#include "dyno-plan.h"

G_BEGIN_DECLS

/**
 * DynoRaceAxis:
 * @title: what settings differ in, such as “Precision”
 * @values: its values in words, one behind the other
 *
 * One side of the space that is raced.
 */
typedef struct
{
  char *title;
  char *values;
} DynoRaceAxis;

/**
 * DynoRacePlan:
 * @plan: what to measure: only cases that can run here, as far as that is known before
 * @cases: (element-type DynoCase): these cases
 * @n_settings: how many they are
 * @seconds: about how long it takes until the first settings can leave
 * @left_out: (array zero-terminated=1): properties of a plan that could be varied too, if there were more time
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

/* Returns a plan with its model, its sizes, and where it ran, for dyno_race_plan_new(). The caller owns
 * it. */
DynoPlan *dyno_race_plan_ask (DynoCase *kase);
/* Varies backend, device and precision, and then, one after the other, threads, batch (where the time of
 * one step does not count) and options of the engines, as long as the time allows. Reads files and probes,
 * so it takes a while. Returns the settings of a race. @given: the properties of @fixed that are not to be
 * varied. @seconds: how long the race may take. Fails as dyno_plan_expand(), and DYNO_ERROR_UNSUPPORTED
 * where nothing can run here does. */
DynoRacePlan *
dyno_race_plan_new (DynoPlan *fixed, GHashTable *given, const DynoGoal *goal, double seconds, GError **error);
void dyno_race_plan_free (DynoRacePlan *self);
/* Returns in what they differ, with all values that can run. Elements are DynoRaceAxis. */
GPtrArray *dyno_race_plan_list_axes (const DynoRacePlan *self);
/* Returns how many settings there are and how long it takes, in two sentences. @all: how long the race may
 * take, in words. */
char *dyno_race_plan_dup_text (const DynoRacePlan *self, const char *first, const char *all);
/* Returns whether it will probably end before there can be a verdict. @seconds: how long the race may
 * take. */
gboolean dyno_race_plan_is_too_short (const DynoRacePlan *self, double seconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRacePlan, dyno_race_plan_free)

G_END_DECLS
