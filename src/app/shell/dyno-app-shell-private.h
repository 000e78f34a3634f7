/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <gio/gio.h>
#include <gtk/gtk.h>

#include "dyno-app-session-private.h"
#include "dyno-cluster-progress.h"
#include "dyno-run.h"
#include "dyno-runner.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-application */

#define DYNO_TYPE_APPLICATION (dyno_application_get_type ())

/**
 * DynoApplication:
 *
 * The application: it owns the session, its windows and the notifications, and keeps the machine awake during a run.
 *
 * Actions: `app.quit`, `app.new-window`, `app.open`, `app.preferences`, `app.help`, `app.about`, `app.show-run` (the id
 * of a run), `app.search-runs` (words), `app.run-quick`, `app.show-progress`, `app.stop-run`.
 */
G_DECLARE_FINAL_TYPE (DynoApplication, dyno_application, DYNO, APPLICATION, AdwApplication)

DynoApplication *dyno_application_new (void);

/* Returns the session that all windows share; NULL until the application has started. */
DynoAppSession *dyno_application_get_session (DynoApplication *self);

/* dyno-debug-info */

/* Returns the facts for a bug report, in English. The caller owns it. @store may be NULL. */
char *dyno_debug_info_collect (DynoStore *store);

/* dyno-help */

/* Opens the manual. */

/* Returns the path of the manual’s page about a page of the window, whether the file exists or not. @page
 * (nullable): the name of the window’s page. */
char *dyno_help_dup_path (const char *page);
/* Opens that page in the user’s browser, or says why it cannot be opened. */
void dyno_help_show (GtkWindow *window, const char *page);

/* dyno-import-task */

/* Imports results of other tools in a thread, and shows the progress and the outcome in the window. */

/* Imports files of other tools. At the end, it lists files that failed or were skipped; they do not affect
 * the others. */
void dyno_import_task_start (GtkWindow *window, DynoStore *store, GListModel *files);
/* Imports a text and shows the new run. */
void dyno_import_task_start_text (GtkWindow *window, DynoStore *store, const char *text);

/* dyno-preferences */

#define DYNO_TYPE_PREFERENCES (dyno_preferences_get_type ())

/**
 * DynoPreferences:
 *
 * The window with the user's settings.
 */
G_DECLARE_FINAL_TYPE (DynoPreferences, dyno_preferences, DYNO, PREFERENCES, AdwWindow)

/* Returns a new window. */
GtkWidget *dyno_preferences_new (GSettings *settings);

/* dyno-rescue */

/* Says that the results are only in memory, and offers to save them as a document. */
void dyno_rescue_present (GtkWindow *window, DynoRun *run, const char *reason);

/* dyno-run-notices */

/* Notifies the user that the machine is still busy, and the desktop of the reason. Follows the run until
 * dyno_run_notices_withdraw(). */
void dyno_run_notices_continue (GApplication *application, DynoRunner *runner);
/* Notifies the user that a run has ended. @application: the application, which does not have the user's
 * attention. @run: the run that has ended; NULL if it could not begin. @error: why it ended early. @problem
 * may be NULL. */
void dyno_run_notices_end (GApplication *application, DynoRun *run, const GError *error, const char *problem);
/* Notifies the user that all tasks of the submission have ended. @application: the application, which does
 * not have the user's attention. */
void dyno_run_notices_end_submission (GApplication *application, DynoClusterProgress *progress);
/* Looks for alerts about the run, in a thread, keeps them in the store and notifies the user. @run: a run that is over. */
void dyno_run_notices_tell_alerts (GApplication *application, DynoStore *store, DynoRun *run);
/* Notifies the user that a node was lost, and keeps that with what it had measured. @application: a DynoApplication. @number:
 * its task. */
void dyno_run_notices_tell_lost (GApplication *application, DynoClusterProgress *progress, guint number);
/* Withdraws notifications of runs: a window shows them, or they are no longer true. @runner may be NULL. */
void dyno_run_notices_withdraw (GApplication *application, DynoRunner *runner);

/* dyno-search-provider */

#define DYNO_TYPE_SEARCH_PROVIDER (dyno_search_provider_get_type ())

/**
 * DynoSearchProvider:
 *
 * Finds the runs of the application's store for the desktop's search, by `org.gnome.Shell.SearchProvider2`.
 * The results are ids of runs.
 */
G_DECLARE_FINAL_TYPE (DynoSearchProvider, dyno_search_provider, DYNO, SEARCH_PROVIDER, GObject)

/* Returns a new provider. */
DynoSearchProvider *dyno_search_provider_new (DynoApplication *application);

/* Returns whether it can be called now. @object_path: the path in the `.search-provider.ini` file. */
gboolean dyno_search_provider_export (DynoSearchProvider *self,
                                      GDBusConnection *connection,
                                      const char *object_path,
                                      GError **error);
void dyno_search_provider_unexport (DynoSearchProvider *self);

/* dyno-window */

#define DYNO_TYPE_WINDOW (dyno_window_get_type ())

/**
 * DynoWindow:
 *
 * A window with the four pages `benchmark`, `results`, `compare` and `hardware`.
 *
 * Actions: `win.show-page` (a page's name), `win.save`, `win.search`, `win.compare-run` (the path of the
 * store or document that holds a run, and the run's id), `win.compare-runs` (such a path and the ids of the
 * only runs to compare, the baseline first), `win.show-history`, `win.show-case-history` (the snapshot of a machine, or nothing, and the key of a
 * case); with the id of a run in the store:
 * `win.run-again`, `win.edit-and-run` (fills the form with its plan), `win.run-remaining` (the cases that
 * were not measured) and `win.measure-again` (the doubtful, unsteady and rough ones). `win.find-settings` takes the JSON of a
 * plan and opens a window that finds the best settings for its first model. `win.deleted-runs` shows the bin.
 * `win.import` and `win.import-folder` ask for results of other tools, `win.paste-results` takes them from
 * the clipboard.
 */
G_DECLARE_FINAL_TYPE (DynoWindow, dyno_window, DYNO, WINDOW, AdwApplicationWindow)

/* Returns a new window, not yet presented. */
DynoWindow *dyno_window_new (DynoApplication *application);

/* Goes to a page. An unknown name changes nothing. @name: `benchmark`, `results`, `compare` or `hardware`. */
void dyno_window_show_page (DynoWindow *self, const char *name);
/* Returns the name of the page that it shows. */
const char *dyno_window_get_page (DynoWindow *self);
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
 * @files: list of GioFile: models (`.onnx`, `.gguf`, `config.json`), documents (`.dyno`), and results of other tools
 * or folders of them. */
void dyno_window_open_files (DynoWindow *self, GListModel *files);
/* Like dyno_window_open_files(), for one file. */
void dyno_window_open_file (DynoWindow *self, GFile *file);

G_END_DECLS
