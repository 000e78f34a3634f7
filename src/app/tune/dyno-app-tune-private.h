/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-app-session-private.h"
#include "dyno-goal.h"
#include "dyno-plan.h"
#include "dyno-race.h"

G_BEGIN_DECLS

/* dyno-race-view */

#define DYNO_TYPE_RACE_VIEW (dyno_race_view_get_type ())

/**
 * DynoRaceView:
 *
 * The progress of a race and then its answer: the standing of each setting, the best one with its confidence,
 * and the options that select it.
 */
G_DECLARE_FINAL_TYPE (DynoRaceView, dyno_race_view, DYNO, RACE_VIEW, AdwBin)

/* Shows the progress of the race. */
void dyno_race_view_follow (DynoRaceView *self, DynoRace *race, DynoRunner *runner);
void dyno_race_view_set_stopping (DynoRaceView *self);
/* Shows the answer as soon as it is computed. @run: the run of the race, which has ended or was stopped. */
void dyno_race_view_conclude (DynoRaceView *self, DynoRun *run);
/* Returns the run of the race; NULL if there is none. */
DynoRun *dyno_race_view_get_run (DynoRaceView *self);

/* dyno-tune-form */

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
/* @store: earlier results, which decide the order of the race. */
void dyno_tune_form_set_store (DynoTuneForm *self, DynoStore *store);
/* Returns the earlier results that the race rests on; NULL if there are no settings to race. Elements are
 * DynoStoredSetting. The form owns it. */
GPtrArray *dyno_tune_form_get_stored (DynoTuneForm *self);
gboolean dyno_tune_form_get_ready (DynoTuneForm *self);
/* Returns the settings to race; NULL if there are none. */
DynoPlan *dyno_tune_form_get_race_plan (DynoTuneForm *self);
void dyno_tune_form_get_goal (DynoTuneForm *self, DynoGoal *goal);
/* Returns the maximum duration of the race, in seconds. */
double dyno_tune_form_get_seconds (DynoTuneForm *self);

/* dyno-tune-window */

#define DYNO_TYPE_TUNE_WINDOW (dyno_tune_window_get_type ())

/**
 * DynoTuneWindow:
 *
 * Finds the best settings for a model: a form, then the race, then its answer. The race is a run of the
 * application and goes on when the window is closed; a new window shows it again.
 *
 * Actions: `tune.start`, `tune.stop`, `tune.again`, `tune.show-run`.
 */
G_DECLARE_FINAL_TYPE (DynoTuneWindow, dyno_tune_window, DYNO, TUNE_WINDOW, AdwWindow)

/* Returns a window, with the current race if there is one. @plan (nullable): provides the model and its
 * sizes. */
GtkWidget *dyno_tune_window_new (GtkApplication *application, DynoAppSession *session, DynoPlan *plan);
/* Shows the application's only such window. A current race stays in it, whatever @plan is. */
void dyno_tune_window_present (DynoAppSession *session, GtkWindow *parent, DynoPlan *plan);

G_END_DECLS
