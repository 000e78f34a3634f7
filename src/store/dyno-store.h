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

DynoStore *dyno_store_open (const char *path, GError **error);
DynoStore *dyno_store_open_default (GError **error);
DynoStore *dyno_store_open_existing (GError **error);
DynoStore *dyno_store_open_document (const char *path, GError **error);
void dyno_store_open_document_async (const char *path,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
DynoStore *dyno_store_open_document_finish (GAsyncResult *result, GError **error);
gboolean dyno_store_expect_runs (DynoStore *self, GError **error);

const char *dyno_store_get_path (DynoStore *self);
gboolean dyno_store_is_read_only (DynoStore *self);
const char *dyno_store_get_message (DynoStore *self);
gboolean dyno_store_is_lost (DynoStore *self);
gboolean dyno_store_has_spooled (DynoStore *self);
char *dyno_store_dup_spool_message (DynoStore *self);
guint dyno_store_take_in_spool (DynoStore *self);

/* Lists summaries (no results), newest first. @search is matched against title, notes, models, backends. */
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
guint dyno_store_count_runs (DynoStore *self, const char *search, GError **error);

/* Loads one run whole: results with values, traces, operators, diagnostics. @id may be a unique prefix. */
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

gboolean dyno_store_foreach_run (DynoStore *self, DynoStoreRunFunc func, gpointer data, GError **error);

gboolean dyno_store_update_run (DynoStore *self, DynoRun *run, GError **error);

/* The bin: a deleted run is listed, counted and loaded no more until it is restored. Ids are whole ones. */
gboolean dyno_store_delete_run (DynoStore *self, const char *id, GError **error);
void dyno_store_delete_run_async (DynoStore *self,
                                  const char *id,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean dyno_store_delete_run_finish (DynoStore *self, GAsyncResult *result, GError **error);
gboolean dyno_store_restore_run (DynoStore *self, const char *id, GError **error);
void dyno_store_restore_run_async (DynoStore *self,
                                   const char *id,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean dyno_store_restore_run_finish (DynoStore *self, GAsyncResult *result, GError **error);
gboolean dyno_store_empty_bin (DynoStore *self, GError **error);
GPtrArray *dyno_store_list_bin (DynoStore *self, GError **error);
void dyno_store_list_bin_async (DynoStore *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
GPtrArray *dyno_store_list_bin_finish (DynoStore *self, GAsyncResult *result, GError **error);

/* The whole id of a run that is kept, or that is in the bin, from a prefix that only one has, or `latest`. */
char *dyno_store_resolve_run (DynoStore *self, const char *prefix, GError **error);
char *dyno_store_resolve_deleted_run (DynoStore *self, const char *prefix, GError **error);

gboolean
dyno_store_save_document (DynoStore *self, const char *const *run_ids, const char *path, GError **error);
void dyno_store_save_document_async (DynoStore *self,
                                     const char *const *run_ids,
                                     const char *path,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean dyno_store_save_document_finish (DynoStore *self, GAsyncResult *result, GError **error);
gboolean dyno_store_save_run (DynoRun *run, GPtrArray *ceilings, const char *path, GError **error);
void dyno_store_save_run_async (DynoRun *run,
                                const char *path,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean dyno_store_save_run_finish (GAsyncResult *result, GError **error);
GStrv dyno_store_import_document (DynoStore *self, const char *path, GError **error);
void dyno_store_import_document_async (DynoStore *self,
                                       const char *path,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
GStrv dyno_store_import_document_finish (DynoStore *self, GAsyncResult *result, GError **error);

/* Runs that another tool measured, and the files that they came from. */
gboolean dyno_store_add_run (DynoStore *self, DynoRun *run, gboolean *is_new, GError **error);
gboolean dyno_store_replace_results (DynoStore *self, DynoRun *run, GError **error);
GBytes *dyno_store_load_original (DynoStore *self, const char *id, GError **error);
gboolean dyno_store_add_original (DynoStore *self, DynoRun *run, GError **error);

/* What the machine whose snapshot is given can do at most: DynoCeiling, of each the last that was measured. */
gboolean dyno_store_save_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error);
gboolean dyno_store_add_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error);
void dyno_store_save_ceilings_async (DynoStore *self,
                                     const char *machine,
                                     GPtrArray *ceilings,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean dyno_store_save_ceilings_finish (DynoStore *self, GAsyncResult *result, GError **error);
GPtrArray *dyno_store_load_ceilings (DynoStore *self, const char *machine, GError **error);
char *dyno_store_find_twin (DynoStore *self, const char *id, GError **error);
GHashTable *dyno_store_load_durations (DynoStore *self, const char *machine, GError **error);
void dyno_store_load_ceilings_async (DynoStore *self,
                                     const char *machine,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
GPtrArray *dyno_store_load_ceilings_finish (DynoStore *self, GAsyncResult *result, GError **error);

/* The newest comparison of the machine whose snapshot is given with itself. */
DynoSelfTest *dyno_store_load_self_test (DynoStore *self, const char *machine, GError **error);

/* Runs with a name, which cannot be deleted while they have it: DynoBaseline. */
gboolean dyno_store_set_baseline (DynoStore *self, const char *name, const char *run_id, GError **error);
gboolean dyno_store_remove_baseline (DynoStore *self, const char *name, GError **error);
GPtrArray *dyno_store_list_baselines (DynoStore *self, GError **error);

/* What became of the cases that were measured on the machine whose snapshot is given: DynoOutcome. */
GPtrArray *dyno_store_list_outcomes (DynoStore *self, const char *machine, GError **error);

/* Which cases were measured, on which machines, and how often: DynoMeasuredCase. */
GPtrArray *dyno_store_list_cases (DynoStore *self, GError **error);

/* One value of cases over all runs of a machine: DynoHistoryPoint; and one case of a run with all that is known of it. */
GPtrArray *dyno_store_list_history (DynoStore *self,
                                    const char *machine,
                                    const char *metric,
                                    DynoHistoryFilter filter,
                                    gpointer data,
                                    GError **error);
GPtrArray *dyno_store_list_history_names (
    DynoStore *self, const char *machine, DynoHistoryFilter filter, gpointer data, GError **error);
DynoRun *dyno_store_load_case (DynoStore *self, const char *run_id, guint ordinal, GError **error);

G_END_DECLS
