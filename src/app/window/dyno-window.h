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
 * Actions: `win.show-page` (a page's name), `win.save`, `win.search`, `win.compare-run` (the path of the
 * store or document that holds a run, and the run's id), `win.compare-runs` (such a path and the ids of the
 * only runs to compare, the baseline first), `win.show-history`; with the id of a run in the store:
 * `win.run-again`, `win.edit-and-run` (fills the form with its plan), `win.run-remaining` (the cases that
 * were not measured) and `win.measure-again` (the doubtful ones). `win.find-settings` takes the JSON of a
 * plan and opens a window that finds the best settings for its first model. `win.deleted-runs` shows the bin.
 * `win.import` and `win.import-folder` ask for results of other tools, `win.paste-results` takes them from
 * the clipboard.
 */
G_DECLARE_FINAL_TYPE (DynoWindow, dyno_window, DYNO, WINDOW, AdwApplicationWindow)

/* Returns a new window, not yet presented. */
DynoWindow *dyno_window_new (DynoApplication *application);

/* Goes to a page. An unknown name changes nothing. @name: `benchmark`, `results`, `compare` or `hardware`. */
void dyno_window_show_page (DynoWindow *self, const char *name);
/* Goes to the results of a run. @id: the id of a run in the store, or a unique beginning of one. */
void dyno_window_show_run (DynoWindow *self, const char *id);
/* Goes to the results and searches them. */
void dyno_window_search_runs (DynoWindow *self, const char *words);
/* Goes to the Benchmark page and starts the quick benchmark. */
void dyno_window_run_quick (DynoWindow *self);
/* Goes to the Compare page and adds a run to the comparison, or compares it with the newest other run of the
 * same cases. */
void dyno_window_compare_run (DynoWindow *self, DynoStore *store, const char *id);
/* Opens each file on its page, and imports results of other tools, which are recognized by their content.
 * @files: list of GioFile: models (`.onnx`, `config.json`), documents (`.dyno`), and results of other tools
 * or folders of them. */
void dyno_window_open_files (DynoWindow *self, GListModel *files);
/* Like dyno_window_open_files(), for one file. */
void dyno_window_open_file (DynoWindow *self, GFile *file);

G_END_DECLS
