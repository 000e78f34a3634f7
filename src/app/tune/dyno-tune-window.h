/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-application.h"

G_BEGIN_DECLS

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
GtkWidget *dyno_tune_window_new (DynoApplication *application, DynoPlan *plan);
/* Shows the application's only such window. A current race stays in it, whatever @plan is. */
void dyno_tune_window_present (DynoApplication *application, GtkWindow *parent, DynoPlan *plan);

G_END_DECLS
