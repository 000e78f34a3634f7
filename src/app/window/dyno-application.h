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
 * The application: it owns the store, the documents that are open, and the run that is going on. Read-only
 * properties, all notified:
 *
 * - `store` ([class@Dyno.Store], %NULL until it is open, or where it cannot be opened)
 * - `message` (nullable string): what the user should know about the store
 * - `runner` ([class@Dyno.Runner], %NULL while nothing runs)
 * - `follower` ([class@Dyno.ClusterFollower], %NULL until the store is open): what goes on elsewhere
 * - `documents` (a list of [class@Dyno.Store]): the `.dyno` files that are open
 *
 * Signal `run-ended (DynoRun *run, GError *error)`: the run that went on is over; @error is %NULL, or says
 * why it ended early. A run that was stopped is no error.
 *
 * Actions: `app.quit`, `app.new-window`, `app.open`, `app.preferences`, `app.about`,
 * `app.show-run` (the id of a run), `app.search-runs` (words), `app.run-quick`, `app.show-progress`, `app.stop-run`.
 */
G_DECLARE_FINAL_TYPE (DynoApplication, dyno_application, DYNO, APPLICATION, AdwApplication)

/* Returns the application. */
DynoApplication *dyno_application_new (void);

/* Returns the user's settings. */
GSettings *dyno_application_get_settings (DynoApplication *self);
/* Returns the store, once it is open; NULL otherwise. */
DynoStore *dyno_application_get_store (DynoApplication *self);
/* Returns whether the store is still being opened. */
gboolean dyno_application_get_opening (DynoApplication *self);
/* Returns what this machine can do at most; read from the store when first asked for. */
DynoCeilingsModel *dyno_application_get_ceilings (DynoApplication *self);
/* Returns what the user should know about the store; NULL if there is none. */
const char *dyno_application_get_message (DynoApplication *self);
/* Returns the open `.dyno` documents, a list of DynoStore. */
GListModel *dyno_application_get_documents (DynoApplication *self);

/* Returns what knows of submissions to other machines; NULL where no results can be kept. */
DynoClusterFollower *dyno_application_get_follower (DynoApplication *self);
/* Returns what runs now; NULL if there is none. */
DynoRunner *dyno_application_get_runner (DynoApplication *self);
/* Returns whether the store holds it; otherwise it waits beside the store, or lives in memory only, and
 * the user is asked to save it. */
gboolean dyno_application_has_stored (DynoApplication *self, DynoRun *run);
/* Starts a run. The application stays alive and the machine awake until it ends. Returns whether it
 * started. @error: something runs already, or the store cannot keep results. */
gboolean dyno_application_start_run (DynoApplication *self, DynoPlan *plan, GError **error);
/* Starts a run that compares the machine with itself. Returns whether it started. Fails as
 * dyno_application_start_run() does. */
gboolean dyno_application_start_self_test (DynoApplication *self, DynoPlan *plan, GError **error);
/* Starts a run that is a race. It can be asked for until the run ends. Returns whether it started.
 * @seconds: how long it may take. Fails as dyno_application_start_run() does. */
gboolean dyno_application_start_race (
    DynoApplication *self, DynoPlan *plan, DynoRace *race, double seconds, GError **error);
/* Returns the race that goes on; NULL if there is none. */
DynoRace *dyno_application_get_race (DynoApplication *self);
/* Stops what runs now. What is finished is kept. */
void dyno_application_stop_run (DynoApplication *self);

/* Opens a document beside the store. One that is open already is not opened twice. @file: a `.dyno` file.
 * @cancellable may be NULL. */
void dyno_application_open_document_async (DynoApplication *self,
                                           GFile *file,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer user_data);
/* Returns the document. */
DynoStore *
dyno_application_open_document_finish (DynoApplication *self, GAsyncResult *result, GError **error);
/* Takes a document out of the windows. */
void dyno_application_close_document (DynoApplication *self, DynoStore *document);

G_END_DECLS
