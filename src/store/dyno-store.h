/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-baseline.h"
#include "dyno-history-point.h"
#include "dyno-measured-case.h"
#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_STORE (dyno_store_get_type ())

/**
 * DYNO_STORE_BIN_DAYS:
 *
 * How long a deleted run stays in the bin at least. It is erased when a store is opened, a week after an opening that saw
 * its time over.
 */
#define DYNO_STORE_BIN_DAYS 30

/**
 * DynoStore:
 *
 * Every run ever kept, in one SQLite file; a `.dyno` document is the same schema in a file of its own.
 * Implements [iface@Dyno.ResultSink]. All calls may come from any thread; those that read or write much
 * have an `_async` twin.
 *
 * Read-only properties: `path` (string), `read-only` (boolean), `message` (nullable string: why it is read-only, what was
 * recovered from a damaged file or came from the spool when it was opened, for the user). Construct-only: `document`
 * (boolean), `busy-timeout` (uint: how long to wait for another process, in ms), `existing` (boolean: see
 * [func@Dyno.store_open_existing]). Signal `changed`, on the main thread: runs
 * were added, changed or deleted through this object.
 */
G_DECLARE_FINAL_TYPE (DynoStore, dyno_store, DYNO, STORE, GObject)

/* A store that cannot be written, or that a newer Dyno wrote, opens for reading. A damaged one is moved
 * aside and what can be read comes back in a new one. dyno_store_get_message() says so. Returns the store.
 * @path: the store's file; it is made when missing, its folder too. */
DynoStore *dyno_store_open (const char *path, GError **error);
/* Returns the user's store. */
DynoStore *dyno_store_open_default (GError **error);
/* For those who only look something up and have no way to tell people what opening a store brought to
 * light: nothing is made, recovered or taken in. Returns the user's store. Fails with DYNO_ERROR_NOT_FOUND
 * where there is none, DYNO_ERROR_STORE_DAMAGED. */
DynoStore *dyno_store_open_existing (GError **error);
/* Checks the file from end to end and trusts nothing in it. Nothing is written, not even beside it.
 * Returns a read-only store of what the document holds. @path: a `.dyno` file. Fails with
 * DYNO_ERROR_INVALID_DATA when it is none, DYNO_ERROR_STORE_NEWER when this Dyno is too old for it. */
DynoStore *dyno_store_open_document (const char *path, GError **error);
/* The twin of dyno_store_open_document() for those who show the document: one without runs is an error, as
 * by dyno_store_expect_runs(). @path: a `.dyno` file. @cancellable may be NULL. */
void dyno_store_open_document_async (const char *path,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
DynoStore *dyno_store_open_document_finish (GAsyncResult *result, GError **error);
/* Returns whether it contains runs. Fails with DYNO_ERROR_NOT_FOUND where there is nothing to show. */
gboolean dyno_store_expect_runs (DynoStore *self, GError **error);

const char *dyno_store_get_path (DynoStore *self);
gboolean dyno_store_is_read_only (DynoStore *self);
/* Returns why it is read-only, what was recovered or came from the spool, or who else can write it, for
 * the user; NULL if there is none. */
const char *dyno_store_get_message (DynoStore *self);
/* Returns whether the store was damaged when it was opened and none of its runs could be read, as the
 * message says: it is an empty one in its place. */
gboolean dyno_store_is_lost (DynoStore *self);
/* Returns whether results that could not be stored wait beside the store. They are taken in with the next
 * one that can, or when a store is next opened. */
gboolean dyno_store_has_spooled (DynoStore *self);
/* Returns that results wait beside the store, for the user; NULL where none do. */
char *dyno_store_dup_spool_message (DynoStore *self);
/* Adds the results that wait beside the store, if it can be written at once. Each document is taken in
 * whole, or tried again the next time; two processes that take the same one in add it once. Opening a
 * store does the same, and so does storing a result. Returns how many results were added. */
guint dyno_store_take_in_spool (DynoStore *self);

/* Returns runs without results, plan and machine, newest first. Elements are DynoRun. The caller owns the
 * list, not what is in it. @search (nullable): words that must all be found in title, notes, models or
 * backends, whatever their case. @limit: how many to list at most. */
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
 * @ceilings: (nullable) (element-type DynoCeiling): what its machine can do at most, where that is known
 * @why: (nullable): why the run cannot be read, where it is %NULL
 * @data: data of the caller
 *
 * Returns: whether the next run is wanted
 */
typedef gboolean (*DynoStoreRunFunc) (
    const char *id, DynoRun *run, GPtrArray *ceilings, const GError *why, gpointer data);

/* Loads the runs that are kept one by one, newest first, each as dyno_store_load_run() does. This is
 * faster than loading them by their ids, because the ceilings and the self-test of a machine are read once
 * for all its runs. Returns whether all were visited; FALSE without an error where @func wanted no more. */
gboolean dyno_store_foreach_run (DynoStore *self, DynoStoreRunFunc func, gpointer data, GError **error);

/* Writes the run's title and notes. Returns whether they are written. */
gboolean dyno_store_update_run (DynoStore *self, DynoRun *run, GError **error);

/* The bin: a deleted run is listed, counted and loaded no more until it is restored. Ids are whole ones. */

/* Moves the run with all its results to the bin, where it stays for DYNO_STORE_BIN_DAYS at least. Returns
 * whether it was there and is in the bin now. */
gboolean dyno_store_delete_run (DynoStore *self, const char *id, GError **error);
void dyno_store_delete_run_async (DynoStore *self,
                                  const char *id,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean dyno_store_delete_run_finish (DynoStore *self, GAsyncResult *result, GError **error);
/* Returns whether it is among the runs again. */
gboolean dyno_store_restore_run (DynoStore *self, const char *id, GError **error);
void dyno_store_restore_run_async (DynoStore *self,
                                   const char *id,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean dyno_store_restore_run_finish (DynoStore *self, GAsyncResult *result, GError **error);
/* Erases the runs in the bin for good. Returns whether the bin is empty. */
gboolean dyno_store_empty_bin (DynoStore *self, GError **error);
/* Returns runs as from dyno_store_list_runs(), with the time of their deletion, the last that was deleted
 * first. Elements are DynoRun. The caller owns the list, not what is in it. */
GPtrArray *dyno_store_list_bin (DynoStore *self, GError **error);
void dyno_store_list_bin_async (DynoStore *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
GPtrArray *dyno_store_list_bin_finish (DynoStore *self, GAsyncResult *result, GError **error);

/* Returns the whole id of the run that is kept. The caller owns it. Fails with DYNO_ERROR_NOT_FOUND or,
 * for an ambiguous prefix, DYNO_ERROR_INVALID_ARGUMENT. */
char *dyno_store_resolve_run (DynoStore *self, const char *prefix, GError **error);
/* Returns the whole id of the run in the bin. The caller owns it. Fails with DYNO_ERROR_NOT_FOUND or, for
 * an ambiguous prefix, DYNO_ERROR_INVALID_ARGUMENT. */
char *dyno_store_resolve_deleted_run (DynoStore *self, const char *prefix, GError **error);

/* Returns whether the document lies at @path. @run_ids: the runs to save, as dyno_store_load_run() takes
 * them. @path: where to; a file there is replaced once the new one is complete. */
gboolean
dyno_store_save_document (DynoStore *self, const char *const *run_ids, const char *path, GError **error);
void dyno_store_save_document_async (DynoStore *self,
                                     const char *const *run_ids,
                                     const char *path,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean dyno_store_save_document_finish (DynoStore *self, GAsyncResult *result, GError **error);
/* Saves a run as a document without a store, such as one that could not be stored. Returns whether the
 * document lies at @path. @ceilings (nullable): what its machine can do at most, which goes along. @path:
 * where to; a file there is replaced once the new one is complete. */
gboolean dyno_store_save_run (DynoRun *run, GPtrArray *ceilings, const char *path, GError **error);
void dyno_store_save_run_async (DynoRun *run,
                                const char *path,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean dyno_store_save_run_finish (GAsyncResult *result, GError **error);
/* Copies the document's runs into the store; one that is there already gets the cases that it lacks. Each
 * comes whole or not at all, and on an error those before it stay. Returns the ids of the runs that are
 * new in the store, or have new cases. The caller owns it. @path: a `.dyno` file. */
GStrv dyno_store_import_document (DynoStore *self, const char *path, GError **error);
void dyno_store_import_document_async (DynoStore *self,
                                       const char *path,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
GStrv dyno_store_import_document_finish (DynoStore *self, GAsyncResult *result, GError **error);

/* Runs that another tool measured, and the files that they came from. */

/* Writes the run whole or not at all. One that is there already only gets the cases that it lacks, which
 * one of another tool does not, and comes back from the bin; of another tool as it is now. Returns whether
 * it is there. @run: a run with its results that is over, and with its origin if another tool measured it. */
gboolean dyno_store_add_run (DynoStore *self, DynoRun *run, gboolean *is_new, GError **error);
/* Puts its results in the place of those that are there: all of them, or none. Returns whether they are
 * written. @run: a run that is there, as it was loaded and with more in its results. */
gboolean dyno_store_replace_results (DynoStore *self, DynoRun *run, GError **error);
/* Returns the file that the run was imported from, as it was; of one that Dyno measured the file of a
 * power meter that was imported last. Fails with DYNO_ERROR_NOT_FOUND where neither the run nor readings
 * of it were imported. */
GBytes *dyno_store_load_original (DynoStore *self, const char *id, GError **error);
/* Gives a run the files that it or readings of it were imported from, which dyno_store_load_run() leaves
 * out, because they may be large. Returns whether it has them, or has none. */
gboolean dyno_store_add_original (DynoStore *self, DynoRun *run, GError **error);

/* What the machine whose snapshot is given can do at most: DynoCeiling, of each the last that was measured. */

/* Returns whether they are written. @machine: the snapshot of the machine they were measured on, JSON.
 * @ceilings holds DynoCeiling. */
gboolean dyno_store_save_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error);
/* Takes them in only where none of the machine are known: those of another that looks the same would push
 * them aside. Returns whether some are there now. @machine: the snapshot of the machine they were measured
 * on, JSON. @ceilings holds DynoCeiling. */
gboolean dyno_store_add_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error);
/* The twin of dyno_store_save_ceilings(). @machine: the snapshot of the machine they were measured on,
 * JSON. @ceilings: ceilings; must not change until @callback is called. @cancellable may be NULL. */
void dyno_store_save_ceilings_async (DynoStore *self,
                                     const char *machine,
                                     GPtrArray *ceilings,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean dyno_store_save_ceilings_finish (DynoStore *self, GAsyncResult *result, GError **error);
/* Returns what was measured last on this machine as it is, of each ceiling and number of threads; possibly
 * none. Elements are DynoCeiling. @machine: the snapshot of a machine, JSON, such as that of a run; its
 * state at the moment, its engines and its kernel do not matter. */
GPtrArray *dyno_store_load_ceilings (DynoStore *self, const char *machine, GError **error);
/* Looks for a run to compare the run with. Returns the id of the newest other run with the same cases,
 * however long each was measured; NULL without an error where there is none. The caller owns it. */
char *dyno_store_find_twin (DynoStore *self, const char *id, GError **error);
/* Returns how many seconds the phases of a case took in the newest of the latest runs on this machine, by
 * the JSON of the case. It maps utf8 to double. @machine: the snapshot of a machine, JSON, such as that of
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

/* Returns the newest self-test of this machine with processes enough for a noise floor; NULL without an
 * error where there is none. @machine: the snapshot of a machine, JSON; its state at the moment, its
 * engines and its kernel do not matter. */
DynoSelfTest *dyno_store_load_self_test (DynoStore *self, const char *machine, GError **error);

/* Runs with a name, which cannot be deleted while they have it: DynoBaseline. */

/* A name that is taken is given to the new run. Returns whether it is set. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT where this cannot be a name. */
gboolean dyno_store_set_baseline (DynoStore *self, const char *name, const char *run_id, GError **error);
gboolean dyno_store_remove_baseline (DynoStore *self, const char *name, GError **error);
/* Returns all of them, by name. Elements are DynoBaseline. */
GPtrArray *dyno_store_list_baselines (DynoStore *self, GError **error);

/* Returns of each case that was measured on this machine the last outcome that was a result and the last
 * that was a failure, the latest last; possibly none. Elements are DynoOutcome. @machine: the snapshot of
 * a machine, JSON; its state at the moment, its engines and its kernel do not matter. */
GPtrArray *dyno_store_list_outcomes (DynoStore *self, const char *machine, GError **error);

/* Returns what was measured on each machine in the runs that are kept, the last measured first; possibly
 * none. Elements are DynoMeasuredCase. */
GPtrArray *dyno_store_list_cases (DynoStore *self, GError **error);

/* One value of cases over all runs of a machine: DynoHistoryPoint; and one case of a run with all that is known of it. */

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
