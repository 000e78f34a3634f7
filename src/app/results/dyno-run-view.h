/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run-entry.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUN_VIEW (dyno_run_view_get_type ())

/**
 * DynoRunView:
 *
 * A run with its headline numbers, charts, cases and notes. Properties: `entry` (DynoRunEntry,
 * nullable, read-write), `narrow` (boolean, read-write) and `run` (DynoRun, read-only, notified: the
 * run with its results, NULL until they are read).
 *
 * Actions: `run.save`, `run.report`, `run.rename`, `run.name-baseline`, `run.compare`, `run.import`. The page
 * around it deletes the run (`results.delete`) and goes back (`results.back`).
 *
 * Signal `show-history` (DynoResult): the user asks for the history of a case.
 */
G_DECLARE_FINAL_TYPE (DynoRunView, dyno_run_view, DYNO, RUN_VIEW, AdwBin)

/* Returns its entry; NULL if there is none. */
DynoRunEntry *dyno_run_view_get_entry (DynoRunView *self);
/* Reads the run and shows it. @entry may be NULL. */
void dyno_run_view_set_entry (DynoRunView *self, DynoRunEntry *entry);
/* Returns the run with its results; NULL until they are read. */
DynoRun *dyno_run_view_get_run (DynoRunView *self);
/* Asks for a file and saves the run as a `.dyno` document. */
void dyno_run_view_save (DynoRunView *self);

G_END_DECLS
