/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-history-point.h"
#include "dyno-plan.h"
#include "dyno-result.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* dyno-baseline */

/**
 * DynoBaseline:
 * @name: its name
 * @run_id: the whole id of the run
 * @set_at: when the name was given, in µs since 1970
 * @is_kept: whether the run is still in the store
 *
 * A named run, which cannot be deleted while it has the name.
 */
typedef struct
{
  char *name;
  char *run_id;
  gint64 set_at;
  gboolean is_kept;
} DynoBaseline;

void dyno_baseline_free (DynoBaseline *self);
/* Returns whether the text is a valid name for a baseline. A name can be used wherever an id, `last` or the
 * path of a document can. */
gboolean dyno_baseline_is_name (const char *text);

/* dyno-measured-case */

/**
 * DynoMeasuredCase:
 * @head: which case it is, and of which model; it has no values
 * @machine: (type utf8): the latest snapshot of the machine, JSON; a #GRefString that all cases of the
 * machine share
 * @runs: the stored runs that measured it, a set of opaque numbers
 * @measured_at: when the last of them began, in µs since 1970
 *
 * A case that was measured on a machine, with any engines and any kernel.
 */
typedef struct
{
  DynoResult *head;
  char *machine;
  GHashTable *runs;
  gint64 measured_at;
} DynoMeasuredCase;

void dyno_measured_case_free (DynoMeasuredCase *self);

/* dyno-store */

#define DYNO_TYPE_STORE (dyno_store_get_type ())

/**
 * DYNO_STORE_BIN_DAYS:
 *
 * The shortest time a deleted run stays in the bin. It is erased when the store is opened, a week after an
 * opening that found it expired.
 */
#define DYNO_STORE_BIN_DAYS 30

/**
 * DynoStore:
 *
 * All stored runs, in one SQLite file; a `.dyno` document is the same schema in a file of its own.
 * Implements DynoResultSink. All calls may come from any thread; the slow ones have an `_async`
 * twin.
 *
 * Read-only properties: `path` (string), `read-only` (boolean), `message` (nullable string, for the user:
 * why it is read-only, and which runs were recovered from a damaged file or added from the spool when it
 * was opened). Construct-only: `document` (boolean), `busy-timeout` (uint: how long to wait for another
 * process, in ms), `existing` (boolean: see dyno_store_open_existing()). Signal `changed`, on the main
 * thread: runs were added, changed or deleted through this object.
 */
G_DECLARE_FINAL_TYPE (DynoStore, dyno_store, DYNO, STORE, GObject)

/* Returns the store. A store that cannot be written, or that a newer Dyno wrote, opens for reading. A
 * damaged store is moved aside, and a new one gets all its readable rows; dyno_store_get_message() says so.
 * @path: the store's file; a missing file or folder is created. */
DynoStore *dyno_store_open (const char *path, GError **error);
/* Returns the user's store. */
DynoStore *dyno_store_open_default (GError **error);
/* Returns the user's store, for callers that only look something up and cannot show the message of an
 * opening: nothing is created, recovered or added. Fails with DYNO_ERROR_NOT_FOUND if there is none,
 * DYNO_ERROR_STORE_DAMAGED. */
DynoStore *dyno_store_open_existing (GError **error);
/* Returns a read-only store with the document's runs. Checks the file from end to end and trusts nothing in
 * it; writes nothing, not even beside it. @path: a `.dyno` file. Fails with DYNO_ERROR_INVALID_DATA if it
 * is no document, DYNO_ERROR_STORE_NEWER if this Dyno is too old for it. */
DynoStore *dyno_store_open_document (const char *path, GError **error);
/* The twin of dyno_store_open_document() for showing the document: one without runs is an error, as by
 * dyno_store_expect_runs(). @path: a `.dyno` file. @cancellable may be NULL. */
void dyno_store_open_document_async (const char *path,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
DynoStore *dyno_store_open_document_finish (GAsyncResult *result, GError **error);
/* Returns whether it contains runs. Fails with DYNO_ERROR_NOT_FOUND if there are none. */
gboolean dyno_store_expect_runs (DynoStore *self, GError **error);

const char *dyno_store_get_path (DynoStore *self);
gboolean dyno_store_is_read_only (DynoStore *self);
/* Returns a message for the user: why the store is read-only, which runs were recovered or came from the
 * spool, or who else can write it; NULL if there is none. */
const char *dyno_store_get_message (DynoStore *self);
/* Returns whether the store was damaged when it was opened and none of its runs could be read: it was
 * replaced by an empty one, as the message says. */
gboolean dyno_store_is_lost (DynoStore *self);
/* Returns whether results that could not be stored wait beside the store. They are added with the next
 * result that can be stored, or when the store is next opened. */
gboolean dyno_store_has_spooled (DynoStore *self);
/* Returns a message for the user that results wait beside the store; NULL if none do. */
char *dyno_store_dup_spool_message (DynoStore *self);
/* Adds the results that wait beside the store, if it can be written at once. Each document is added whole,
 * or tried again the next time; if two processes add the same one, it is stored once. Opening a store and
 * storing a result do the same. Returns how many results were added. */
guint dyno_store_take_in_spool (DynoStore *self);

/* Returns runs without results, plan and machine, newest first. Elements are DynoRun. The caller owns the
 * list, not its elements. @search (nullable): words that must all be found in title, notes, models or
 * backends, whatever their case. @limit: the most runs to list. */
GPtrArray *
dyno_store_list_runs (DynoStore *self, const char *search, guint offset, guint limit, GError **error);
void dyno_store_list_runs_async (DynoStore *self,
                                 const char *search,
                                 guint offset,
                                 guint limit,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
GPtrArray *dyno_store_list_runs_finish (DynoStore *self, GAsyncResult *result, GError **error);
/* Returns how many runs match; 0 on an error, too. @search may be NULL. */
guint dyno_store_count_runs (DynoStore *self, const char *search, GError **error);

/* Returns the run with all its results. @id: a run's id, a prefix that only one run has, or `latest`.
 * Fails with DYNO_ERROR_NOT_FOUND or, for an ambiguous prefix, DYNO_ERROR_INVALID_ARGUMENT. */
DynoRun *dyno_store_load_run (DynoStore *self, const char *id, GError **error);
void dyno_store_load_run_async (DynoStore *self,
                                const char *id,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
DynoRun *dyno_store_load_run_finish (DynoStore *self, GAsyncResult *result, GError **error);

/**
 * DynoStoreRunFunc:
 * @id: the id of a run
 * @run: (nullable): the run
 * @ceilings: (nullable) (element-type DynoCeiling): the ceilings of its machine, if known
 * @why: (nullable): why the run cannot be read, if it is NULL
 * @data: data of the caller
 *
 * Returns: whether the next run is wanted
 */
typedef gboolean (*DynoStoreRunFunc) (
    const char *id, DynoRun *run, GPtrArray *ceilings, const GError *why, gpointer data);

/* Loads the stored runs one by one, newest first, each as dyno_store_load_run() does. This is faster than
 * loading them by their ids, because the ceilings and the self-test of a machine are read once for all its
 * runs. Returns whether all were visited; FALSE without an error if @func wanted no more. */
gboolean dyno_store_foreach_run (DynoStore *self, DynoStoreRunFunc func, gpointer data, GError **error);

/* Writes the run's title and notes. Returns whether they are written. */
gboolean dyno_store_update_run (DynoStore *self, DynoRun *run, GError **error);

/* The bin: a deleted run is no longer listed, counted or loaded until it is restored. Ids are whole ones. */

/* Moves the run with all its results to the bin, where it stays for at least DYNO_STORE_BIN_DAYS. Returns
 * whether it was stored and is in the bin now. */
gboolean dyno_store_delete_run (DynoStore *self, const char *id, GError **error);
void dyno_store_delete_run_async (DynoStore *self,
                                  const char *id,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean dyno_store_delete_run_finish (DynoStore *self, GAsyncResult *result, GError **error);
/* Returns whether the run is restored. */
gboolean dyno_store_restore_run (DynoStore *self, const char *id, GError **error);
void dyno_store_restore_run_async (DynoStore *self,
                                   const char *id,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean dyno_store_restore_run_finish (DynoStore *self, GAsyncResult *result, GError **error);
/* Erases the runs in the bin for good. Returns whether the bin is empty. */
gboolean dyno_store_empty_bin (DynoStore *self, GError **error);
/* Returns runs like dyno_store_list_runs(), with the time of their deletion, the last deleted first.
 * Elements are DynoRun. The caller owns the list, not its elements. */
GPtrArray *dyno_store_list_bin (DynoStore *self, GError **error);
void dyno_store_list_bin_async (DynoStore *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
GPtrArray *dyno_store_list_bin_finish (DynoStore *self, GAsyncResult *result, GError **error);

/* Returns the whole id of the stored run. The caller owns it. Fails with DYNO_ERROR_NOT_FOUND or, for an
 * ambiguous prefix, DYNO_ERROR_INVALID_ARGUMENT. */
char *dyno_store_resolve_run (DynoStore *self, const char *prefix, GError **error);
/* Returns the whole id of the run in the bin. The caller owns it. Fails with DYNO_ERROR_NOT_FOUND or, for
 * an ambiguous prefix, DYNO_ERROR_INVALID_ARGUMENT. */
char *dyno_store_resolve_deleted_run (DynoStore *self, const char *prefix, GError **error);

/* Returns whether the document is at @path. @run_ids: the runs to save, as dyno_store_load_run() takes
 * them. @path: the path of the document; an existing file is replaced once the new one is complete. */
gboolean
dyno_store_save_document (DynoStore *self, const char *const *run_ids, const char *path, GError **error);
/* Saves a run as a document without a store, for example one that could not be stored. Returns whether the
 * document is at @path. @ceilings (nullable): the ceilings of its machine, which are saved with it. @path:
 * the path of the document; an existing file is replaced once the new one is complete. */
gboolean dyno_store_save_run (DynoRun *run, GPtrArray *ceilings, const char *path, GError **error);
void dyno_store_save_run_async (DynoRun *run,
                                const char *path,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean dyno_store_save_run_finish (GAsyncResult *result, GError **error);
/* Copies the document's runs into the store; a stored run gets the cases that it lacks. Each run is stored
 * whole or not at all, and on an error those before it stay. Returns the ids of the runs that are new in
 * the store, or have new cases. The caller owns it. @path: a `.dyno` file. */
GStrv dyno_store_import_document (DynoStore *self, const char *path, GError **error);
void dyno_store_import_document_async (DynoStore *self,
                                       const char *path,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
GStrv dyno_store_import_document_finish (DynoStore *self, GAsyncResult *result, GError **error);

/* Runs that another tool measured, and the files that they came from. */

/* Writes the run whole or not at all. A stored run leaves the bin and gets the cases that it lacks; a
 * stored run of another tool misses none, and is replaced by the new reading. Returns whether it is stored.
 * @run: a finished run with its results, and with its origin if another tool measured it. */
gboolean dyno_store_add_run (DynoStore *self, DynoRun *run, gboolean *is_new, GError **error);
/* Replaces the stored results: all of them, or none. Returns whether they are written. @run: a stored run,
 * as it was loaded and with more in its results. */
gboolean dyno_store_replace_results (DynoStore *self, DynoRun *run, GError **error);
/* Returns the unchanged file that the run was imported from; for a run that Dyno measured, the last
 * imported file of a power meter. Fails with DYNO_ERROR_NOT_FOUND if neither the run nor readings of it
 * were imported. */
GBytes *dyno_store_load_original (DynoStore *self, const char *id, GError **error);
/* Gives a run the files that it or readings of it were imported from; dyno_store_load_run() omits them,
 * because they may be large. Returns whether it has them, or has none. */
gboolean dyno_store_add_original (DynoStore *self, DynoRun *run, GError **error);

/* The best ceilings of the machine that a snapshot describes: DynoCeiling. */

/* Worse ones never replace better ones. Returns whether they are written. @machine: the snapshot of the machine they were measured on, JSON.
 * @ceilings holds DynoCeiling. */
gboolean dyno_store_save_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error);
/* As dyno_store_save_ceilings(), but forgets the earlier measurements of the same device, threads and placement. */
gboolean
dyno_store_replace_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error);
/* Adds the ceilings only if the machine has none yet: ceilings of another machine that looks the same would
 * replace them. Returns whether it has some now. @machine: the snapshot of the machine they were measured
 * on, JSON. @ceilings holds DynoCeiling. */
gboolean dyno_store_add_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error);
/* Returns the best measurement of each ceiling and number of threads on this machine as it is, with the governor
 * that it has; possibly none. Elements are DynoCeiling. @machine: the snapshot of a machine, JSON, such as that of a
 * run; the rest of its state, its engines and its kernel do not matter. */
GPtrArray *dyno_store_load_ceilings (DynoStore *self, const char *machine, GError **error);
/* Looks for a run to compare the run with. Returns the id of the newest other run with the same cases,
 * however long each was measured; NULL without an error if there is none. The caller owns it. */
char *dyno_store_find_twin (DynoStore *self, const char *id, GError **error);
/* Returns how long a case took in the newest of the latest runs on this machine, by the JSON of the case, and
 * by that of its kin (dyno_case_dup_kin()). It maps utf8 to DynoCaseDuration. @machine: the snapshot of a machine, JSON, such as that of
 * a run. */
GHashTable *dyno_store_load_durations (DynoStore *self, const char *machine, GError **error);
/* The twin of dyno_store_load_ceilings(). @machine: the snapshot of a machine, JSON, such as that of a
 * run. @cancellable may be NULL. */
void dyno_store_load_ceilings_async (DynoStore *self,
                                     const char *machine,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
GPtrArray *dyno_store_load_ceilings_finish (DynoStore *self, GAsyncResult *result, GError **error);

/* Returns the newest self-test of this machine with enough processes for a noise floor; NULL without an
 * error if there is none. @machine: the snapshot of a machine, JSON; its state at the moment, its engines
 * and its kernel do not matter. */
DynoSelfTest *dyno_store_load_self_test (DynoStore *self, const char *machine, GError **error);

/* dyno-store-queue */

/**
 * DynoQueuePriority:
 * @DYNO_QUEUE_HIGH: before all others
 * @DYNO_QUEUE_NORMAL: as usual
 * @DYNO_QUEUE_IDLE: after all others, and not before the machine is idle or DYNO_QUEUE_IDLE_SECONDS are over
 *
 * Which of the runs in the queue start first.
 */
typedef enum
{
  DYNO_QUEUE_HIGH,
  DYNO_QUEUE_NORMAL,
  DYNO_QUEUE_IDLE,
  DYNO_N_QUEUE_PRIORITIES,
} DynoQueuePriority;

/* How long a run waits for the machine to be idle, at most. */
#define DYNO_QUEUE_IDLE_SECONDS 600.0

/* Returns its name in files and on the command line. */
const char *dyno_queue_priority_to_string (DynoQueuePriority self);
const char *dyno_queue_priority_get_label (DynoQueuePriority self);
/* Returns whether there is one of that name. @name may be NULL. */
gboolean dyno_queue_priority_from_string (const char *name, DynoQueuePriority *priority);

/**
 * DynoQueuedRun:
 * @id: its id in the queue
 * @plan: what to measure
 * @priority: when
 *
 * A run that waits in the queue.
 */
typedef struct
{
  char *id;
  DynoPlan *plan;
  DynoQueuePriority priority;
} DynoQueuedRun;

void dyno_queued_run_free (DynoQueuedRun *self);
/* Lets the plan wait for an idle machine if the priority asks for that. */
void dyno_queued_run_prepare (DynoQueuedRun *self);

/* The runs that are to be measured one after the other on this machine wait in the file `STORE.queue`, which several processes
 * may change. All that follows fails with DYNO_ERROR_INVALID_DATA if the file is damaged, and then leaves it as it is. A change
 * waits for one that another process makes, for some seconds at most: then it fails with DYNO_ERROR_STORE_LOCKED. */

char *dyno_store_dup_queue_path (DynoStore *self);
/* Returns the waiting runs, the next one first. Elements are DynoQueuedRun. */
GPtrArray *dyno_store_list_queue (DynoStore *self, GError **error);
/* Adds a run after the others of its priority. Returns its id in the queue; NULL if it is not there. The caller owns it. */
char *dyno_store_add_to_queue (DynoStore *self, DynoPlan *plan, DynoQueuePriority priority, GError **error);
/* Returns whether the queue is changed. @id: the id of a run in it, or how that begins. @change: `up` or `down` among the runs of
 * its priority, `remove`, or the name of a priority. Fails with DYNO_ERROR_NOT_FOUND if the run does not wait any more. */
gboolean dyno_store_change_queue (DynoStore *self, const char *id, const char *change, GError **error);
/* Returns a file descriptor that the caller keeps while it measures a run of the queue, and then closes; -1 if another process
 * does so, or measures anything else into this store. */
int dyno_store_claim_queue (DynoStore *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoQueuedRun, dyno_queued_run_free)

/* Baselines: named runs, which cannot be deleted while they have a name: DynoBaseline. */

/* Returns whether the name is set. A name in use moves to the new run. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT if the name is invalid. */
gboolean dyno_store_set_baseline (DynoStore *self, const char *name, const char *run_id, GError **error);
gboolean dyno_store_remove_baseline (DynoStore *self, const char *name, GError **error);
/* Returns all baselines, sorted by name. Elements are DynoBaseline. */
GPtrArray *dyno_store_list_baselines (DynoStore *self, GError **error);
void dyno_store_list_baselines_async (DynoStore *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
GPtrArray *dyno_store_list_baselines_finish (DynoStore *self, GAsyncResult *result, GError **error);

/* Returns the last result and the last failure of each case that was measured on this machine, the latest
 * last; possibly none. Elements are DynoOutcome. @machine: the snapshot of a machine, JSON; its state at
 * the moment, its engines and its kernel do not matter. */
GPtrArray *dyno_store_list_outcomes (DynoStore *self, const char *machine, GError **error);

/* Returns the cases that the stored runs measured on each machine, the latest first; possibly none.
 * Elements are DynoMeasuredCase. */
GPtrArray *dyno_store_list_cases (DynoStore *self, GError **error);

/* One value of cases over all runs of a machine: DynoHistoryPoint; and one case of a run with all its
 * details. */

/* Returns the value in all runs on this machine that have it, in the order of time; possibly none.
 * Elements are DynoHistoryPoint. @machine: the snapshot of a machine, JSON; its state at the moment, its
 * engines and its kernel do not matter. @filter: which cases are wanted, asked once for each setting, in
 * the calling thread. */
GPtrArray *dyno_store_list_history (DynoStore *self,
                                    const char *machine,
                                    const char *metric,
                                    DynoHistoryFilter filter,
                                    gpointer data,
                                    GError **error);
/* Returns the stable names of all values that these cases have in a run on this machine; possibly none.
 * @machine: the snapshot of a machine, JSON; its state at the moment, its engines and its kernel do not
 * matter. @filter: which cases are wanted, asked once for each setting, in the calling thread. */
GPtrArray *dyno_store_list_history_names (
    DynoStore *self, const char *machine, DynoHistoryFilter filter, gpointer data, GError **error);
/* Returns the run with that case alone. */
DynoRun *dyno_store_load_case (DynoStore *self, const char *run_id, guint ordinal, GError **error);

G_END_DECLS
