/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-cluster-follower.h"
#include "dyno-plan.h"
#include "dyno-race.h"
#include "dyno-run.h"
#include "dyno-runner.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-ceilings-model */

#define DYNO_TYPE_CEILINGS_MODEL (dyno_ceilings_model_get_type ())

/**
 * DynoCeilingsModel:
 *
 * The ceilings of this machine and its devices: reads, measures and stores them. All windows share one,
 * because simultaneous measurements would disturb each other. Properties, all notified:
 *
 * - `store` (DynoStore, read-write): holds the ceilings; those of this machine are read at once
 * - `ceilings` (a list of DynoCeiling, read-only)
 * - `measuring` (boolean, read-only), `fraction` (double, read-only) and `step` (string, read-only): the
 *   progress
 *
 * Signal `failed (GError *error)`: the operation failed. Cancelling it is not a failure.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsModel, dyno_ceilings_model, DYNO, CEILINGS_MODEL, GObject)

DynoCeilingsModel *dyno_ceilings_model_new (void);

/* @store may be NULL. */
void dyno_ceilings_model_set_store (DynoCeilingsModel *self, DynoStore *store);
/* Returns a list of DynoCeiling, empty if there are none. */
GListModel *dyno_ceilings_model_get_ceilings (DynoCeilingsModel *self);
gboolean dyno_ceilings_model_get_measuring (DynoCeilingsModel *self);
double dyno_ceilings_model_get_fraction (DynoCeilingsModel *self);
/* Returns the current step of the measurement, in words; NULL if there is none. */
const char *dyno_ceilings_model_get_step (DynoCeilingsModel *self);
/* Returns the device that is being measured, as its ceilings name it; NULL if there is none. */
const char *dyno_ceilings_model_get_device (DynoCeilingsModel *self);

/* Reads the store again, because another program may have measured. */
void dyno_ceilings_model_load (DynoCeilingsModel *self);
/* Measures the machine with one thread, one per core, and all threads, and stores the ceilings. Does nothing
 * during a measurement. */
void dyno_ceilings_model_measure (DynoCeilingsModel *self, double seconds);
/* Measures a device of a runtime in a separate process, which does not report its progress, and stores the
 * ceilings. Does nothing during a measurement. @device: `BACKEND:DEVICE`. */
void dyno_ceilings_model_measure_device (DynoCeilingsModel *self, const char *device, double seconds);
/* Lets the measurement that goes on replace earlier ones of the same device, even better ones, once it is complete. */
void dyno_ceilings_model_forget (DynoCeilingsModel *self);
/* Ends a measurement early and keeps the old ceilings. */
void dyno_ceilings_model_cancel (DynoCeilingsModel *self);

/* dyno-app-session */

#define DYNO_TYPE_APP_SESSION (dyno_app_session_get_type ())

/**
 * DynoAppSession:
 *
 * The state that all windows share: the store, the open documents, the current run and the user's settings. It
 * knows no window. Read-only properties, all notified:
 *
 * - `store` (DynoStore, NULL until it is open, or if it cannot be opened)
 * - `opening` (boolean): whether the store is being opened; notified once it has been
 * - `message` (nullable string): a message about the store for the user
 * - `runner` (DynoRunner, NULL if nothing runs)
 * - `follower` (DynoClusterFollower, NULL until the store is open): the submissions to other
 *   machines
 *
 * Signal `run-ended (DynoRun *run, GError *error)`: the current run has ended; @error is NULL, or says why
 * it ended early. Stopping a run is not an error.
 *
 * Signal `queue-changed`: other runs wait in the queue, or in another order.
 */
G_DECLARE_FINAL_TYPE (DynoAppSession, dyno_app_session, DYNO, APP_SESSION, GObject)

/* Returns a session without a store. It applies the user's settings to backends and engines. */
DynoAppSession *dyno_app_session_new (void);
/* Opens the store in a thread: it may have to be recovered or migrated, which takes time. After a failure, tries again. */
void dyno_app_session_open_store (DynoAppSession *self);

GSettings *dyno_app_session_get_settings (DynoAppSession *self);
/* Returns the store; NULL until it is open. */
DynoStore *dyno_app_session_get_store (DynoAppSession *self);
gboolean dyno_app_session_get_opening (DynoAppSession *self);
/* Returns a message about the store for the user; NULL if there is none. */
const char *dyno_app_session_get_message (DynoAppSession *self);
/* Returns why results wait to be stored; NULL if none wait. */
const char *dyno_app_session_get_wait_reason (DynoAppSession *self);
/* Returns the ceilings of this machine, which are read from the store on the first call. */
DynoCeilingsModel *dyno_app_session_get_ceilings (DynoAppSession *self);
/* Returns the open `.dyno` documents, a list of DynoStore. */
GListModel *dyno_app_session_get_documents (DynoAppSession *self);
/* Returns the store or open document with that path; NULL if there is none. The caller owns it. */
DynoStore *dyno_app_session_find_store (DynoAppSession *self, const char *path);
/* Returns the follower of submissions to other machines; NULL if no results can be stored. */
DynoClusterFollower *dyno_app_session_get_follower (DynoAppSession *self);

/* Returns the current runner; NULL if nothing runs. */
DynoRunner *dyno_app_session_get_runner (DynoAppSession *self);
/* Returns the current race; NULL if there is none. */
DynoRace *dyno_app_session_get_race (DynoAppSession *self);
/* Returns whether the store holds the run; otherwise it is in the spool or only in memory, and the user is
 * asked to save it. */
gboolean dyno_app_session_has_stored (DynoAppSession *self, DynoRun *run);
/* Starts a run. Returns whether it started. @error: another run is under way, or the store cannot keep
 * results. */
gboolean dyno_app_session_start_run (DynoAppSession *self, DynoPlan *plan, GError **error);
/* Starts to analyse the cases that an earlier run did not. Fails as dyno_app_session_start_run() does, or if that run has no
 * plan. @run: with its results. */
gboolean dyno_app_session_start_analysis (DynoAppSession *self, DynoRun *run, GError **error);
/* Starts a run that compares the machine with itself. Fails as dyno_app_session_start_run() does. */
gboolean dyno_app_session_start_self_test (DynoAppSession *self, DynoPlan *plan, GError **error);
/* Starts a run that is a race, which is available until the run ends. @seconds: the maximum duration. Fails as
 * dyno_app_session_start_run() does. */
gboolean dyno_app_session_start_race (
    DynoAppSession *self, DynoPlan *plan, DynoRace *race, double seconds, GError **error);
/* Stops the current run, and starts none of the queue after it. Finished cases are kept. */
void dyno_app_session_stop_run (DynoAppSession *self);

/* Adds a run to the queue, which goes on when the current run ends by itself. Fails if the store cannot keep results. */
void dyno_app_session_queue_run_async (DynoAppSession *self,
                                       DynoPlan *plan,
                                       DynoQueuePriority priority,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean dyno_app_session_queue_run_finish (DynoAppSession *self, GAsyncResult *result, GError **error);
/* Changes the queue as dyno_store_change_queue() does, after all changes that were asked for before. The store must be open. */
void dyno_app_session_change_queue_async (
    DynoAppSession *self, const char *id, const char *how, GAsyncReadyCallback callback, gpointer user_data);
gboolean dyno_app_session_change_queue_finish (DynoAppSession *self, GAsyncResult *result, GError **error);
/* Starts the first run of the queue; the others follow. Returns whether it started: FALSE without @error if none waits. */
gboolean dyno_app_session_start_queue (DynoAppSession *self, GError **error);
/* Returns whether the queue has started the current run by itself, and nobody has asked for it just now. */
gboolean dyno_app_session_get_continues (DynoAppSession *self);

/* Opens a document beside the store. A document is opened only once. @file: a `.dyno` file. @cancellable may
 * be NULL. */
void dyno_app_session_open_document_async (DynoAppSession *self,
                                           GFile *file,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer user_data);
/* Returns the document. */
DynoStore *dyno_app_session_open_document_finish (DynoAppSession *self, GAsyncResult *result, GError **error);
/* Removes a document from the windows. */
void dyno_app_session_close_document (DynoAppSession *self, DynoStore *document);

/* dyno-page */

/**
 * DynoPageInfo:
 * @name: its name in actions and settings
 * @title: its title for people, not yet translated, with a mnemonic
 * @icon_name: the icon of its button
 * @accel: (nullable): the key that goes to it
 * @manual: the file of the manual about it
 * @get_type: the class, derived from #DynoPage
 *
 * A page of the window. Each page defines one, and the list of pages is in `src/app/meson.build`.
 */
typedef struct
{
  const char *name;
  const char *title;
  const char *icon_name;
  const char *accel;
  const char *manual;
  GType (*get_type) (void);
} DynoPageInfo;

#define DYNO_TYPE_PAGE (dyno_page_get_type ())

/**
 * DynoPageClass:
 * @read_store: (nullable): the page may read the store of the session, or has to notice that it has changed.
 *   A window calls it only after its first frame, which reading would delay.
 * @focus_search: (nullable): moves the focus to the search entry
 */
G_DECLARE_DERIVABLE_TYPE (DynoPage, dyno_page, DYNO, PAGE, AdwBin)

struct _DynoPageClass
{
  AdwBinClass parent_class;

  void (*read_store) (DynoPage *self);
  void (*focus_search) (DynoPage *self);
};

/* Returns the session, which is given at construction. A page whose window is closed no longer hears its
 * signals. */
DynoAppSession *dyno_page_get_session (DynoPage *self);
void dyno_page_read_store (DynoPage *self);
gboolean dyno_page_can_search (DynoPage *self);
void dyno_page_focus_search (DynoPage *self);

/* dyno-run-entry */

#define DYNO_TYPE_RUN_ENTRY (dyno_run_entry_get_type ())

/**
 * DynoRunEntry:
 *
 * A run in a list: its summary, and the store or document that holds it. Read-only properties, in words:
 * `title`, `summary` (models and backends), `summarized` (boolean: whether a case has been recorded, so that
 * there is a summary), `details` (date and number of cases), and `document` (boolean: whether it is in a
 * document instead of the store). An entry may be a group: the runs of one submission to other machines.
 *
 * Signal `write-failed (GError *error)`: a new title or new notes could not be stored.
 */
G_DECLARE_FINAL_TYPE (DynoRunEntry, dyno_run_entry, DYNO, RUN_ENTRY, GObject)

/* Returns a new entry. */
DynoRunEntry *dyno_run_entry_new (DynoStore *store, DynoRun *run, gboolean document);
/* Returns an entry for a group, with the id of the submission. @members holds DynoRun. */
DynoRunEntry *dyno_run_entry_new_group (DynoStore *store, GPtrArray *members, gboolean document);

/* Returns the store or document of the run. */
DynoStore *dyno_run_entry_get_store (DynoRunEntry *self);
/* Returns the id of the run, or the id of the submission of a group. */
const char *dyno_run_entry_get_id (DynoRunEntry *self);
/* Returns whether the run is in a document instead of the store. */
gboolean dyno_run_entry_is_document (DynoRunEntry *self);
/* Returns whether the run can be renamed, annotated and deleted; a group cannot. */
gboolean dyno_run_entry_is_writable (DynoRunEntry *self);

/* Returns the summaries of the runs of a group; NULL if it is not a group. Elements are DynoRun. */
GPtrArray *dyno_run_entry_get_members (DynoRunEntry *self);
/* @members holds DynoRun. */
void dyno_run_entry_set_members (DynoRunEntry *self, GPtrArray *members);
/* Returns the summary of the run, or of the first run of a group. */
DynoRun *dyno_run_entry_get_run (DynoRunEntry *self);
void dyno_run_entry_set_run (DynoRunEntry *self, DynoRun *run);

/* Returns the title as shown, or a substitute. */
char *dyno_run_entry_dup_title (DynoRunEntry *self);
/* Renames the run, here at once and soon in the store. */
void dyno_run_entry_set_title (DynoRunEntry *self, const char *title);
/* Sets the notes of the run, here at once and soon in the store. */
void dyno_run_entry_set_notes (DynoRunEntry *self, const char *notes);

/* dyno-run-list */

#define DYNO_TYPE_RUN_LIST (dyno_run_list_get_type ())

/**
 * DynoRunList:
 *
 * The runs of a store, newest first, as a list of DynoRunEntry that grows page by page as the user
 * scrolls to its end. It follows the store. Read-only properties, notified: `loading` (boolean) and `problem`
 * (nullable string: why the runs could not be listed).
 */
G_DECLARE_FINAL_TYPE (DynoRunList, dyno_run_list, DYNO, RUN_LIST, GObject)

/* Returns the list, which starts to read its runs. */
DynoRunList *dyno_run_list_new (DynoStore *store, gboolean document, gboolean folds);

/* Returns the store of the runs. */
DynoStore *dyno_run_list_get_store (DynoRunList *self);
/* Returns whether runs are being read. */
gboolean dyno_run_list_get_loading (DynoRunList *self);
/* Returns why the runs could not be listed; NULL if there is no error. */
const char *dyno_run_list_get_problem (DynoRunList *self);
/* @search (nullable): words that title, notes, models or backends must contain. */
void dyno_run_list_set_search (DynoRunList *self, const char *search);
/* Reads again all runs that were read before. */
void dyno_run_list_refresh (DynoRunList *self);

/* Hides a run as if it were deleted. */
void dyno_run_list_hide (DynoRunList *self, const char *id);
/* Shows a hidden run again. */
void dyno_run_list_unhide (DynoRunList *self, const char *id);

/* dyno-run-catalog */

#define DYNO_TYPE_RUN_CATALOG (dyno_run_catalog_get_type ())

/**
 * DynoRunCatalog:
 *
 * All runs to choose from: those of the open documents, then those of the store.
 *
 * Signal `state-changed`: dyno_run_catalog_get_loading() or dyno_run_catalog_get_problem() return
 * another value.
 */
G_DECLARE_FINAL_TYPE (DynoRunCatalog, dyno_run_catalog, DYNO, RUN_CATALOG, GObject)

/* Returns an empty catalog. @folds: whether the runs of one submission share an entry. */
DynoRunCatalog *dyno_run_catalog_new (gboolean folds);

void dyno_run_catalog_set_store (DynoRunCatalog *self, DynoStore *store);
/* @documents: the open documents, a list of DynoStore. The catalog follows it. */
void dyno_run_catalog_set_documents (DynoRunCatalog *self, GListModel *documents);
/* @search (nullable): words that title, notes, models or backends must contain. */
void dyno_run_catalog_set_search (DynoRunCatalog *self, const char *search);

/* Removes a run from the list. */
void dyno_run_catalog_leave_out (DynoRunCatalog *self, const char *id);
/* Lists a run again. */
void dyno_run_catalog_take_back (DynoRunCatalog *self, const char *id);
/* Returns the runs, a list of DynoRunEntry. */
GListModel *dyno_run_catalog_get_model (DynoRunCatalog *self);
/* Returns the runs of the store alone; NULL if there is none. */
DynoRunList *dyno_run_catalog_get_runs (DynoRunCatalog *self);
/* Reads the runs of the store again, because other programs may have changed them. */
void dyno_run_catalog_refresh (DynoRunCatalog *self);
/* Returns whether runs are being read. */
gboolean dyno_run_catalog_get_loading (DynoRunCatalog *self);
/* Returns why the runs of the store could not be listed; NULL if there is no error. */
const char *dyno_run_catalog_get_problem (DynoRunCatalog *self);

/* dyno-score-view */

#define DYNO_TYPE_SCORE_VIEW (dyno_score_view_get_type ())

/**
 * DynoScoreView:
 *
 * The answer to “How fast is this computer?”: the score of a run of the quick suite. Hidden without an answer. Property,
 * read-write: `run` (DynoRun, nullable).
 */
G_DECLARE_FINAL_TYPE (DynoScoreView, dyno_score_view, DYNO, SCORE_VIEW, AdwBin)

/* Shows the score of the newest run of this machine that has one, with the question that it answers and a button to that
 * run. Reads the store in a thread. */
void dyno_score_view_show_newest (DynoScoreView *self, DynoStore *store);

G_END_DECLS
