/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-application.h"

G_BEGIN_DECLS

#define DYNO_TYPE_WINDOW (dyno_window_get_type ())

/**
 * DynoWindow:
 *
 * A window with the four pages `benchmark`, `results`, `compare` and `hardware`.
 *
 * Actions: `win.show-page` (a page's name), `win.save`, `win.search`, `win.compare-run` (the path of the store or
 * document that holds a run, and the run's id), `win.compare-runs` (such a path and the ids of the runs that alone are to
 * be compared, the baseline first), `win.show-history`; with the id of a run in the store: `win.run-again`,
 * `win.edit-and-run` (fills the form with its plan), `win.run-remaining` (the cases that were not measured) and
 * `win.measure-again` (the doubtful ones). `win.find-settings` takes the JSON of a plan and opens a window that finds the
 * best settings for its first model. `win.deleted-runs` shows the bin.
 * `win.import` and `win.import-folder` ask for results of other tools, `win.paste-results` takes them from the clipboard.
 */
G_DECLARE_FINAL_TYPE (DynoWindow, dyno_window, DYNO, WINDOW, AdwApplicationWindow)

/* Returns a new window, not yet presented. */
DynoWindow *dyno_window_new (DynoApplication *application);

void dyno_window_show_page (DynoWindow *self, const char *name);
void dyno_window_show_run (DynoWindow *self, const char *id);
void dyno_window_search_runs (DynoWindow *self, const char *words);
void dyno_window_run_quick (DynoWindow *self);
void dyno_window_compare_run (DynoWindow *self, DynoStore *store, const char *id);
void dyno_window_open_files (DynoWindow *self, GListModel *files);
void dyno_window_open_file (DynoWindow *self, GFile *file);

G_END_DECLS
