/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-race.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RACE_VIEW (dyno_race_view_get_type ())

/**
 * DynoRaceView:
 *
 * A race while it goes on, and its answer when it is over: how each setting stands, which one is best and how surely, and
 * what to write to have it.
 */
G_DECLARE_FINAL_TYPE (DynoRaceView, dyno_race_view, DYNO, RACE_VIEW, AdwBin)

/* Shows how the race goes. */
void dyno_race_view_follow (DynoRaceView *self, DynoRace *race, DynoRunner *runner);
void dyno_race_view_set_stopping (DynoRaceView *self);
/* Shows the answer, as soon as it is worked out. @run: the run of its race, which is over, by itself or
 * because it was stopped. */
void dyno_race_view_conclude (DynoRaceView *self, DynoRun *run);
/* Returns the run of its race; NULL if there is none. */
DynoRun *dyno_race_view_get_run (DynoRaceView *self);

G_END_DECLS
