/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-race.h"

G_BEGIN_DECLS

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

G_END_DECLS
