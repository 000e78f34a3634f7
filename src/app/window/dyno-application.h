/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-ceilings-model.h"
#include "dyno-cluster-follower.h"
#include "dyno-race.h"
#include "dyno-runner.h"
#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_APPLICATION (dyno_application_get_type ())

/**
 * DynoApplication:
 *
 * The application: it owns the store, the open documents and the current run. Read-only properties, all
 * notified:
 *
 * - `store` (DynoStore, NULL until it is open, or if it cannot be opened)
 * - `message` (nullable string): a message about the store for the user
 * - `runner` (DynoRunner, NULL if nothing runs)
 * - `follower` (DynoClusterFollower, NULL until the store is open): the submissions to other
 *   machines
 * - `documents` (a list of DynoStore): the open `.dyno` files
 *
 * Signal `run-ended (DynoRun *run, GError *error)`: the current run has ended; @error is NULL, or says why
 * it ended early. Stopping a run is not an error.
 *
 * Actions: `app.quit`, `app.new-window`, `app.open`, `app.preferences`, `app.about`, `app.show-run` (the id
 * of a run), `app.search-runs` (words), `app.run-quick`, `app.show-progress`, `app.stop-run`.
 */
G_DECLARE_FINAL_TYPE (DynoApplication, dyno_application, DYNO, APPLICATION, AdwApplication)

/* Returns the application. */
DynoApplication *dyno_application_new (void);

/* Returns the user's settings. */
GSettings *dyno_application_get_settings (DynoApplication *self);
/* Returns the store; NULL until it is open. */
DynoStore *dyno_application_get_store (DynoApplication *self);
/* Returns whether the store is being opened. */
gboolean dyno_application_get_opening (DynoApplication *self);
/* Returns the ceilings of this machine, which are read from the store on the first call. */
DynoCeilingsModel *dyno_application_get_ceilings (DynoApplication *self);
/* Returns a message about the store for the user; NULL if there is none. */
const char *dyno_application_get_message (DynoApplication *self);
/* Returns the open `.dyno` documents, a list of DynoStore. */
GListModel *dyno_application_get_documents (DynoApplication *self);

/* Returns the follower of submissions to other machines; NULL if no results can be stored. */
DynoClusterFollower *dyno_application_get_follower (DynoApplication *self);
/* Returns the current runner; NULL if nothing runs. */
DynoRunner *dyno_application_get_runner (DynoApplication *self);
/* Returns whether the store holds the run; otherwise it is in the spool or only in memory, and the user is
 * asked to save it. */
gboolean dyno_application_has_stored (DynoApplication *self, DynoRun *run);
/* Starts a run. The application stays alive and the machine awake until it ends. Returns whether it started.
 * @error: another run is under way, or the store cannot keep results. */
gboolean dyno_application_start_run (DynoApplication *self, DynoPlan *plan, GError **error);
/* Starts a run that compares the machine with itself. Returns whether it started. Fails as
 * dyno_application_start_run() does. */
gboolean dyno_application_start_self_test (DynoApplication *self, DynoPlan *plan, GError **error);
/* Starts a run that is a race, which is available until the run ends. Returns whether it started. @seconds:
 * the maximum duration. Fails as dyno_application_start_run() does. */
gboolean dyno_application_start_race (
    DynoApplication *self, DynoPlan *plan, DynoRace *race, double seconds, GError **error);
/* Returns the current race; NULL if there is none. */
DynoRace *dyno_application_get_race (DynoApplication *self);
/* Stops the current run. Finished cases are kept. */
void dyno_application_stop_run (DynoApplication *self);

/* Opens a document beside the store. A document is opened only once. @file: a `.dyno` file. @cancellable may
 * be NULL. */
void dyno_application_open_document_async (DynoApplication *self,
                                           GFile *file,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer user_data);
/* Returns the document. */
DynoStore *
dyno_application_open_document_finish (DynoApplication *self, GAsyncResult *result, GError **error);
/* Removes a document from the windows. */
void dyno_application_close_document (DynoApplication *self, DynoStore *document);

G_END_DECLS
