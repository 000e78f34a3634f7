/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <sqlite3.h>

#include "dyno-error.h"
#include "dyno-history-point.h"
#include "dyno-result.h"
#include "dyno-run.h"
#include "dyno-self-test.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-store-statement */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3, sqlite3_close_v2)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

/* Returns the statement; finalize it before @db is closed. */
sqlite3_stmt *dyno_store_statement_new (sqlite3 *db, const char *sql, GError **error);
/* Resets the statement and binds these parameters. Returns whether all fit. @types: a letter per
 * parameter: `s` text (NULL is empty), `t` text or NULL, `i` #gint64, `d` double (NaN is stored as NULL),
 * `b` #GBytes, which must live until the statement has run. */
gboolean dyno_store_statement_bind (sqlite3_stmt *self, GError **error, const char *types, ...);
/* Returns whether there is a further row; FALSE without an error at the end. */
gboolean dyno_store_statement_next (sqlite3_stmt *self, GError **error);
/* Returns whether it ran to the end. */
gboolean dyno_store_statement_execute (sqlite3_stmt *self, GError **error);
/* Returns whether all statements ran. */
gboolean dyno_store_statement_run (sqlite3 *db, const char *sql, GError **error);
/* Returns whether the statement ran. */
gboolean dyno_store_statement_run_with (sqlite3 *db, GError **error, const char *sql, const char *types, ...);
/* Returns whether there is a number. */
gboolean dyno_store_statement_read_int (sqlite3 *db, const char *sql, gint64 *number, GError **error);

/* Returns the text as valid UTF-8; NULL if it is NULL. @column: a column, from 0. */
char *dyno_store_statement_dup_text (sqlite3_stmt *self, int column);
/* Returns the text as valid UTF-8, empty for NULL. @column: a column, from 0. */
char *dyno_store_statement_dup_word (sqlite3_stmt *self, int column);
/* Returns the number, clamped to a #guint. @column: a column, from 0. */
guint dyno_store_statement_get_uint (sqlite3_stmt *self, int column);
/* Returns a copy of the blob. @column: a column, from 0. */
GBytes *dyno_store_statement_dup_bytes (sqlite3_stmt *self, int column);

/* Turns an error code of SQLite into a message for people. */
void dyno_store_statement_set_error (sqlite3 *db, GError **error);

/* dyno-store-baselines */

/* Returns whether the name is set. A name in use moves to the new run. @baseline: the name and the whole id
 * of a stored run; its time does not matter. Fails with DYNO_ERROR_INVALID_ARGUMENT if the name is
 * invalid. */
gboolean dyno_store_baselines_set (sqlite3 *db, gpointer baseline, GError **error);
/* Returns whether the name is free now; the run stays. Fails with DYNO_ERROR_NOT_FOUND if there is no such
 * name. */
gboolean dyno_store_baselines_remove (sqlite3 *db, gpointer name, GError **error);
/* Returns all baselines, sorted by name. Elements are DynoBaseline. */
gpointer dyno_store_baselines_list (sqlite3 *db, gconstpointer unused, GError **error);
/* Returns whether the run may be deleted. Fails with DYNO_ERROR_INVALID_ARGUMENT if it is a baseline. */
gboolean dyno_store_baselines_check_unpinned (sqlite3 *db, const char *run_id, GError **error);

/* dyno-store-bin */

/* Call each of these inside a transaction. */

/* Returns whether the run is in the bin now. Fails with DYNO_ERROR_NOT_FOUND if no such run is stored,
 * DYNO_ERROR_INVALID_ARGUMENT if it is a baseline. */
gboolean dyno_store_bin_put (sqlite3 *db, gpointer id, GError **error);
/* Returns whether the run is restored. Fails with DYNO_ERROR_NOT_FOUND if it is not in the bin. */
gboolean dyno_store_bin_restore (sqlite3 *db, gpointer id, GError **error);
/* Returns whether the run is erased. */
gboolean dyno_store_bin_erase (sqlite3 *db, const char *id, GError **error);
/* Returns whether the bin is empty. */
gboolean dyno_store_bin_empty (sqlite3 *db, gpointer unused, GError **error);

/* Erases runs that have been in the bin for longer than DYNO_STORE_BIN_DAYS. Two openings of the store,
 * days apart, have to find a run expired: a clock that is wrong once erases nothing, because the first
 * opening with the right clock forgets that finding. Returns whether no expired run is left. */
gboolean dyno_store_bin_purge (sqlite3 *db, GError **error);

/* dyno-store-cases */

/* Returns the cases that the stored runs measured on each machine, the latest first; possibly none.
 * Elements are DynoMeasuredCase. The caller owns it. */
gpointer dyno_store_cases_read (sqlite3 *db, gconstpointer unused, GError **error);

/* dyno-store-ceilings */

/* Call each of these inside a transaction. */

/* The column `method` holds everything about a ceiling as JSON; `kind` is its id and number of threads,
 * `fp32-avx2/1`, and their placement where it was requested, `fp32-avx2/1/compact`. Earlier measurements
 * stay. Returns whether they are written. @ceilings holds DynoCeiling. */
gboolean dyno_store_ceilings_write (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error);
/* Replaces the earlier measurements of the same device, threads and placement, better ones too. Returns whether they
 * are written. @ceilings holds DynoCeiling. */
gboolean dyno_store_ceilings_replace (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error);
/* Returns the best measurement of each device, id and number of threads on this machine as it is, with the same
 * governor, in the order of their first measurements; possibly none. Elements are DynoCeiling. The caller owns it. */
gpointer dyno_store_ceilings_read (sqlite3 *db, gconstpointer machine, GError **error);
/* Copies the machine's ceilings from @source, unless @target has some already: ceilings of another machine
 * that looks the same would replace them. Returns whether nothing failed.
 * @machine may be NULL. */
gboolean dyno_store_ceilings_copy (sqlite3 *source, sqlite3 *target, const char *machine, GError **error);
/* Writes the ceilings unless the machine has some already. Returns whether it has some now, or there is
 * nothing to write.
 * @machine may be NULL. @ceilings may be NULL. @ceilings holds DynoCeiling. */
gboolean dyno_store_ceilings_add (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error);

/* dyno-store-connection */

/**
 * DynoStoreMode:
 * @DYNO_STORE_READ_WRITE: the store: made when missing, write-ahead log, foreign keys
 * @DYNO_STORE_READ_ONLY: nothing is written, not even beside the file; the file must not change meanwhile
 * @DYNO_STORE_UNTRUSTED: the same, for a file from elsewhere
 * @DYNO_STORE_SALVAGE: a damaged file, read and left exactly as it is
 * @DYNO_STORE_COPY: a file that is filled once and then renamed into its place
 *
 * How a connection treats its file.
 */
typedef enum
{
  DYNO_STORE_READ_WRITE,
  DYNO_STORE_READ_ONLY,
  DYNO_STORE_UNTRUSTED,
  DYNO_STORE_SALVAGE,
  DYNO_STORE_COPY,
} DynoStoreMode;

/* Returns the connection; its file has not been read yet. @busy_timeout: how long to wait for another
 * process's lock, in ms. */
sqlite3 *
dyno_store_connection_open (const char *path, DynoStoreMode mode, guint busy_timeout, GError **error);

/* dyno-store-document */

/* Returns a read-only connection to the document, checked from end to end. @path: a `.dyno` file, possibly
 * from a stranger. Fails with DYNO_ERROR_INVALID_DATA if it is not a complete, well-formed document. */
sqlite3 *dyno_store_document_open (const char *path, GError **error);
/* Returns whether its pages are whole, and its rows hold only what Dyno writes. @db: with the tables of a document. */
gboolean dyno_store_document_check (sqlite3 *db, GError **error);
/* Saves a run that could not be stored. Returns whether the document is at @path. @ceilings (nullable): the
 * ceilings of its machine. @path: the path of the document; an existing file is replaced once the new one
 * is complete. */
gboolean dyno_store_document_write_run (DynoRun *run, GPtrArray *ceilings, const char *path, GError **error);
/* Replaces an existing file at @path only once the new one is complete. Returns whether the document is at
 * @path. @source: a connection to a store or document, inside a transaction. @ids: the runs to copy, as
 * dyno_store_reader_resolve() takes them. */
gboolean
dyno_store_document_write (sqlite3 *source, const char *const *ids, const char *path, GError **error);

/* dyno-store-durations */

/* Returns how long the phases of all invocations took together, for each case that was measured completely on
 * this machine in one of the latest runs, and for its kin. It maps the JSON of the case, utf8, to
 * DynoCaseDuration. The caller owns it. */
gpointer dyno_store_durations_read (sqlite3 *db, gconstpointer machine, GError **error);

/* dyno-store-pool */

/**
 * DynoStorePool:
 *
 * The connections of a store. One thread uses a connection at a time; then it is kept for the next thread.
 */
typedef struct _DynoStorePool DynoStorePool;

/**
 * DynoStoreLease:
 * @db: the connection
 *
 * A connection while a thread uses it.
 */
typedef struct
{
  sqlite3 *db;
  DynoStorePool *pool;
  guint generation;
} DynoStoreLease;

/* Returns the pool. Takes @first. With DYNO_STORE_UNTRUSTED all threads take turns with @first: a file that
 * was checked when it was opened must not be opened again, because another file may be at its path by
 * then. */
DynoStorePool *dyno_store_pool_new (sqlite3 *first, const char *path, DynoStoreMode mode, guint busy_timeout);
void dyno_store_pool_free (DynoStorePool *self);

/* Returns a connection for this thread alone. @cancellable may be NULL. */
DynoStoreLease *dyno_store_pool_take (DynoStorePool *self, GCancellable *cancellable, GError **error);
void dyno_store_pool_give_back (DynoStoreLease *lease);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreLease, dyno_store_pool_give_back)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStorePool, dyno_store_pool_free)

/* dyno-store-file */

/**
 * DynoStoreFile:
 * @path: its path
 * @busy_timeout: how long to wait for another process's lock, in ms
 * @existing: whether to create and recover nothing, so that the next to open it gets the message
 * @pool: the connections, once the file is open
 * @read_only: whether the file can only be read
 * @read_only_reason: the error code of a write in that case
 * @lost: whether the file was damaged and none of its runs could be read
 * @message: (nullable): for the user: why it is read-only, the result of a recovery, or who else can write
 * it
 *
 * The file of a store, and the findings of opening it.
 */
typedef struct
{
  char *path;
  guint busy_timeout;
  gboolean existing;
  DynoStorePool *pool;
  gboolean read_only;
  DynoError read_only_reason;
  gboolean lost;
  char *message;
} DynoStoreFile;

/* Creates a missing store, migrates an older one, and recovers a damaged one. While one process recovers,
 * others wait and then find a sound store: nobody opens a file that is being replaced. Returns whether it
 * is open, if only for reading. */
gboolean dyno_store_file_open (DynoStoreFile *self, GError **error);
/* Returns whether the file is a complete document. */
gboolean dyno_store_file_open_document (DynoStoreFile *self, GError **error);
void dyno_store_file_clear (DynoStoreFile *self);

/* dyno-store-history */

/* The setting in a row of results: a case is the same for any duration and any inputs. */
#define DYNO_STORE_SETTING "json_remove (options, '$.seed', '$.method')"

/**
 * DynoStoreHistoryQuery:
 * @machine: the snapshot of the machine, JSON
 * @metric: the stable name of a value
 * @filter: which cases are wanted, called once for each setting
 * @data: for @filter
 */
typedef struct
{
  const char *machine;
  const char *metric;
  DynoHistoryFilter filter;
  gpointer data;
} DynoStoreHistoryQuery;

/* Reads one value of each case, without samples or other values. Returns the value in all stored runs that
 * have it, in the order of time; possibly none. Elements are DynoHistoryPoint. The caller owns it. */
gpointer dyno_store_history_read (sqlite3 *db, gconstpointer query, GError **error);
/* Returns the stable names of all values that such a case has in a stored run; possibly none. The caller
 * owns it. @query: selects the cases and the machine; its metric does not matter. */
gpointer dyno_store_history_read_names (sqlite3 *db, gconstpointer query, GError **error);
/* Returns a result without values that identifies the case. @model_name may be NULL. */
DynoResult *dyno_store_history_create_head (const char *setting, const char *model_name, GError **error);

/* dyno-store-imports */

/* Stores the file that the run was imported from, and the file's own description. A run that Dyno measured
 * has none. Returns whether it is written. */
gboolean dyno_store_imports_write (sqlite3 *db, DynoRun *run, GError **error);
/* Adds the content of the imported file if the stored run lacks it. Returns whether nothing failed. */
gboolean dyno_store_imports_complete (sqlite3 *db, DynoRun *run, GError **error);
/* Stores the files of the power meters whose readings the run has. Files that are stored already do not
 * change, but get their content if they lack it. Returns whether they are written. */
gboolean dyno_store_imports_write_meters (sqlite3 *db, DynoRun *run, GError **error);
/* Gives the run its origin, if it has one, and the files of its power meters. Returns whether they could
 * be read. @with_content: whether to read the files themselves as well, which may be large. */
gboolean dyno_store_imports_read (sqlite3 *db, DynoRun *run, gboolean with_content, GError **error);

/* dyno-store-judge */

/**
 * DynoStoreJudge:
 *
 * Loads runs and completes them with the stored facts about their machines. It reads these once for each
 * machine: a file of ten thousand runs has few machines.
 */
typedef struct _DynoStoreJudge DynoStoreJudge;

/* Returns a judge that has read no machine yet. @db: a connection in a transaction, which must outlive the
 * judge. */
DynoStoreJudge *dyno_store_judge_new (sqlite3 *db);
void dyno_store_judge_free (DynoStoreJudge *self);
/* Returns the run. Whatever the age of the run, values that follow from the ceilings use the latest
 * ceilings, intervals use today's rules, and the noise is that of the machine's newest self-test. @ordinal:
 * the number of the only case to load, or -1 for all. @ceilings may be NULL.
 * @ceilings holds DynoCeiling. @error: ceilings that cannot be read are an error only if @ceilings are
 * wanted. */
DynoRun *dyno_store_judge_load (
    DynoStoreJudge *self, const char *id, gint64 ordinal, GPtrArray **ceilings, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreJudge, dyno_store_judge_free)

/* dyno-store-lock */

/**
 * DynoStoreLock:
 *
 * A lock between processes on the files beside a store. It is released when it is freed or its process
 * ends.
 */
typedef struct _DynoStoreLock DynoStoreLock;

/* Opens the file `PATH.lock`, which stays: deleting a lock file takes the lock away from others. If the
 * file cannot be created, the store cannot be replaced either, and the lock does nothing. Returns a lock
 * that is not taken yet. */
DynoStoreLock *dyno_store_lock_new (const char *path);
/* Waits until nobody holds the lock exclusively. Returns FALSE, and says who holds it, if somebody still does after
 * @milliseconds, or after @n_waits times as long if it is a process that is seen to run. */
gboolean dyno_store_lock_share (DynoStoreLock *self, guint milliseconds, guint n_waits, GError **error);
/* The same until nobody else holds the lock at all; a shared lock of our own is released meanwhile. */
gboolean dyno_store_lock_exclude (DynoStoreLock *self, guint milliseconds, guint n_waits, GError **error);
void dyno_store_lock_free (DynoStoreLock *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreLock, dyno_store_lock_free)

/* dyno-store-meaning */

/* Selects the results of a run to check. */
#define DYNO_STORE_ALL_RESULTS -1
#define DYNO_STORE_NO_RESULT   0

/* Returns whether its numbers are finite and of a plausible size, its series ordered, its dates valid and
 * its JSON of the right kind. @db: a connection to a file from elsewhere that obeys its schema. Fails with
 * DYNO_ERROR_INVALID_DATA naming the table or the series. */
gboolean dyno_store_meaning_check (sqlite3 *db, GError **error);
/* Does dyno_store_meaning_check() for the rows of one run: the store accepts no run that a document may not
 * contain. Returns whether the run may be stored. @db: a connection in the transaction that wrote the run.
 * @result_id: the result that was written, DYNO_STORE_ALL_RESULTS, or DYNO_STORE_NO_RESULT. Fails with
 * DYNO_ERROR_INVALID_DATA. */
gboolean dyno_store_meaning_check_run (sqlite3 *db, const char *run_id, gint64 result_id, GError **error);
/* Returns whether the ceilings of the machine may be stored. @db: a connection in the transaction that
 * wrote ceilings. Fails with DYNO_ERROR_INVALID_DATA. */
gboolean dyno_store_meaning_check_ceilings (sqlite3 *db, const char *machine_id, GError **error);

/* dyno-store-outcomes */

/* Returns the outcomes of the cases that were measured on this machine, the latest last; possibly none.
 * Elements are DynoOutcome. The caller owns it. */
gpointer dyno_store_outcomes_read (sqlite3 *db, gconstpointer machine, GError **error);

/* dyno-store-reader */

/**
 * DynoStorePlace:
 * @DYNO_STORE_NOWHERE: not in the file
 * @DYNO_STORE_KEPT: among the runs that are listed
 * @DYNO_STORE_IN_BIN: deleted, and not erased yet
 *
 * Where a run is.
 */
typedef enum
{
  DYNO_STORE_NOWHERE,
  DYNO_STORE_KEPT,
  DYNO_STORE_IN_BIN,
} DynoStorePlace;

/* Call each of these inside a transaction, so that it sees one state of the file. */

/* Returns runs without results, plan and machine, newest first. Elements are DynoRun. The caller owns the
 * list, not its elements. @search (nullable): words that must all be found. @limit: the most runs to list. */
GPtrArray *
dyno_store_reader_list_runs (sqlite3 *db, const char *search, guint offset, guint limit, GError **error);
/* Returns the runs in the bin like dyno_store_reader_list_runs(), the last deleted first. Elements are
 * DynoRun. The caller owns the list, not its elements. */
gpointer dyno_store_reader_list_bin (sqlite3 *db, gconstpointer unused, GError **error);
gboolean dyno_store_reader_count_runs (sqlite3 *db, const char *search, guint *count, GError **error);
/* Returns the ids of all runs, oldest first, without those in the bin. */
gpointer dyno_store_reader_list_ids (sqlite3 *db, gconstpointer unused, GError **error);
/* Returns whether the file could be read. */
gboolean dyno_store_reader_find_run (sqlite3 *db, const char *id, DynoStorePlace *place, GError **error);
/* Returns the whole id. The caller owns it. @prefix: a run's id, a prefix that only one run has, or
 * `latest`. */
char *dyno_store_reader_resolve (sqlite3 *db, const char *prefix, DynoStorePlace place, GError **error);
/* Returns the run with its results in the order of the plan. @ordinal: the number of the only case to
 * load, or -1 for all. */
DynoRun *dyno_store_reader_load_run (sqlite3 *db, const char *id, gint64 ordinal, GError **error);

/* dyno-store-recovery */

/* Leaves a mark beside the store, so that the next opening checks it from end to end. */
void dyno_store_recovery_suspect (const char *path);
/* Checks the store from end to end if it is small or was found damaged before. Returns FALSE if it is
 * damaged. Fails with DYNO_ERROR_STORE_DAMAGED. */
gboolean dyno_store_recovery_check (const char *path, sqlite3 *db, GError **error);
/* Returns whether a process died after it had recovered the store but before it put the new file in its
 * place. */
gboolean dyno_store_recovery_is_pending (const char *path);
/* Copies all readable rows into a new file, row by row. Then the damaged file gets a second name, whole,
 * and the new one takes its place. Finishes the work of a process that died. Returns for the user: where
 * the damaged file is now, how much was recovered, and how else to proceed. The caller owns it. @path: a
 * damaged store that this process has not open, and on which it has the exclusive lock. @lost: whether
 * nothing could be read of a store that is not known to have been empty. */
char *dyno_store_recovery_run (const char *path, gboolean *lost, GError **error);

/* dyno-store-reserve */

/* Reserves disk space in the file `STORE.reserve`, so that runs can be deleted when the disk is full. Makes
 * no file if there is no space for it. */
void dyno_store_reserve_make (const char *store_path);
/* Frees the reserved disk space. Returns whether there was any. */
gboolean dyno_store_reserve_release (const char *store_path);

/* dyno-store-running */

/**
 * DynoStoreRunning:
 *
 * Marks a run as being measured by a process: a lock on a file in the folder `STORE.running`. It needs no
 * renewal, and ends with the process in every case.
 */
typedef struct _DynoStoreRunning DynoStoreRunning;

/* Marks the run as being measured by this process. Returns the mark; NULL if that fails: then others see
 * the run as interrupted until it has ended. The caller owns it. */
DynoStoreRunning *dyno_store_running_begin (const char *store_path, const char *id);
void dyno_store_running_end (DynoStoreRunning *self);
/* Returns the ids of the runs that any process, this one included, is measuring now; mostly none. Call it
 * before reading the store, so that a run that ends meanwhile does not look killed. */
GHashTable *dyno_store_running_list (const char *store_path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreRunning, dyno_store_running_end)

/* dyno-store-schema */

/* The kind of a result's device in files of version 2 and before. */
#define DYNO_STORE_DEVICE_KIND_BEFORE_3                                                                      \
  "(SELECT 'software' FROM diagnostics WHERE result_id = results.id AND code = 'software-device')"

/* The state of a case in files of version 4 and before, which do not store dyno_result_get_state(). */
#define DYNO_STORE_STATE_BEFORE_5                                                                            \
  "CASE results.status WHEN 'ok' THEN"                                                                       \
  " CASE WHEN EXISTS (SELECT 1 FROM diagnostics WHERE result_id = results.id AND code = 'no-steady-state')"  \
  " THEN 'unsteady'"                                                                                         \
  " WHEN EXISTS (SELECT 1 FROM diagnostics WHERE result_id = results.id AND severity = 'warning'"            \
  " AND code NOT IN ('above-roof', 'disturbed-roof')) THEN 'doubtful'"                                       \
  " ELSE 'measured' END"                                                                                     \
  " WHEN 'failed' THEN 'failed' WHEN 'skipped' THEN 'skipped' ELSE 'not-run' END"

/* Counts the results of a run that are in a state; @state is an expression. */
#define DYNO_STORE_COUNT_STATE(state, word)                                                                  \
  "(SELECT count (*) FROM results WHERE run_id = runs.id AND " state " = '" word "')"

/**
 * DynoStoreIdentity:
 * @DYNO_STORE_FRESH: an empty file
 * @DYNO_STORE_OLDER: ours, of an earlier version
 * @DYNO_STORE_CURRENT: ours, of this version
 * @DYNO_STORE_NEWER: ours, of a later version
 * @DYNO_STORE_FOREIGN: a database of another program
 *
 * How Dyno classifies an SQLite file.
 */
typedef enum
{
  DYNO_STORE_FRESH,
  DYNO_STORE_OLDER,
  DYNO_STORE_CURRENT,
  DYNO_STORE_NEWER,
  DYNO_STORE_FOREIGN,
} DynoStoreIdentity;

/* Reads everything in one transaction, because another process may just be making the file a store. Returns
 * whether the file could be read. */
gboolean dyno_store_schema_identify (sqlite3 *db, DynoStoreIdentity *identity, GError **error);
/* Brings the file to this version, step by step and all or nothing, and writes its views. Returns whether
 * it is at this version now. */
gboolean dyno_store_schema_migrate (sqlite3 *db, GError **error);
/* Compares tables, indexes and triggers with those that Dyno makes, and allows no view but Dyno's two,
 * which are never read from a document. Returns whether they are the same. @db: a connection to a file of
 * this or an older version. Fails with DYNO_ERROR_INVALID_DATA if something is missing, changed or added. */
gboolean dyno_store_schema_verify (sqlite3 *db, GError **error);
/* Returns whether the table has that column in this file. @db: a connection to a file of this or an older
 * version. */
gboolean dyno_store_schema_has_column (sqlite3 *db, const char *table, const char *column);
/* Reads the whole file and checks that its pages and the types in them are sound. Returns whether they are.
 * Fails with DYNO_ERROR_STORE_DAMAGED, which describes the damage. */
gboolean dyno_store_schema_check_pages (sqlite3 *db, GError **error);
/* Returns whether every row is within the limits of the schema. @db: a connection to a file that is only
 * read, for which SQLite does not enforce its constraints. Fails with DYNO_ERROR_INVALID_DATA naming the
 * table. */
gboolean dyno_store_schema_check_rows (sqlite3 *db, GError **error);

/* dyno-store-self-test */

/* Selects the rows of `runs` that are not self-tests. */
#define DYNO_STORE_NO_SELF_TEST "ifnull (source, '') <> '" DYNO_SELF_TEST_SOURCE "'"

/* Returns the newest self-test of this machine with enough processes for a noise floor; NULL without an
 * error if there is none. The caller owns it. */
gpointer dyno_store_self_test_read (sqlite3 *db, gconstpointer machine, GError **error);

/* dyno-store-spool */

/* Saves the case as a document of its own in the folder `STORE.spool`. Returns whether it is there.
 * @result: the case, or NULL to note that the run is over. */
gboolean dyno_store_spool_put (const char *store_path, DynoRun *run, DynoResult *result, GError **error);
/* Returns the paths of the documents that wait for the store; mostly none. */
GStrv dyno_store_spool_list (const char *store_path);
void dyno_store_spool_remove (const char *store_path, const char *path);

/* dyno-store-summary */

/* Updates the texts that the list of runs shows and searches. A run that stopped early keeps its planned
 * number of cases. Returns whether it is written. */
gboolean dyno_store_summary_write (sqlite3 *db, const char *id, GError **error);
/* Adds one case to the counts of its run, or removes it; the time does not depend on the number of cases.
 * Returns whether it is written.
 * @change: 1 when the case was just added, -1 when it is about to be removed. */
gboolean dyno_store_summary_count (sqlite3 *db, gint64 result_id, int change, GError **error);
/* Returns whether the summary of the run stays the same when @result is added, because an earlier case has
 * its model, its backend and its device. The nearest cases are checked first, because a sweep keeps the
 * cases of one model together. */
gboolean dyno_store_summary_names (sqlite3 *db, const char *id, DynoResult *result);

/* dyno-store-transaction */

/**
 * DynoStoreTransaction:
 *
 * A connection inside a transaction. Held in a `g_autoptr`, it is rolled back when its scope ends without
 * dyno_store_transaction_commit().
 */
typedef sqlite3 DynoStoreTransaction;

/* Returns a transaction that sees one state of the file throughout. The caller owns it. */
DynoStoreTransaction *dyno_store_transaction_read (sqlite3 *db, GError **error);
/* Returns a transaction that holds the write lock from the start. The caller owns it. Fails with
 * DYNO_ERROR_STORE_LOCKED when another writer does not finish in time. */
DynoStoreTransaction *dyno_store_transaction_write (sqlite3 *db, GError **error);
gboolean dyno_store_transaction_commit (DynoStoreTransaction *self, GError **error);
/* Rolls back uncommitted changes. SQLite may have done so itself, for example on a full disk. */
void dyno_store_transaction_end (DynoStoreTransaction *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreTransaction, dyno_store_transaction_end)

/* dyno-store-twin */

/* Returns the id of the newest other run with the same cases; NULL without an error if there is none. The
 * caller owns it. */
gpointer dyno_store_twin_find (sqlite3 *db, gconstpointer id, GError **error);

/* dyno-store-views */

/* Leaves the views out of a query of `sqlite_schema`: they hold no data, and their columns follow the metrics. */
#define DYNO_STORE_VIEWS_EXCLUDED "NOT (type = 'view' AND name IN ('benchmark_runs', 'benchmark_results'))"

/* Replaces the flat views `benchmark_runs` and `benchmark_results` with those of this Dyno. Returns
 * whether they are written. @db: a connection in a write transaction, to a file of this version. */
gboolean dyno_store_views_write (sqlite3 *db, GError **error);
/* Writes the views again if a Dyno with other metrics wrote them. Returns whether they are those of this
 * Dyno now. */
gboolean dyno_store_views_update (sqlite3 *db, GError **error);

/* dyno-store-writer */

/* Call each of these inside a transaction. */

/* Writes the run without its results and as unfinished. Returns whether it is written, and a document may
 * contain it; the other functions return the same. */
gboolean dyno_store_writer_begin_run (sqlite3 *db, gpointer run, GError **error);
/* Writes the case, or replaces it after a further invocation. This takes as long in a long run as in a
 * short one, unless a model or a backend is new to the run. Returns whether it is written. */
gboolean dyno_store_writer_add_result (sqlite3 *db, DynoRun *run, DynoResult *result, GError **error);
gboolean dyno_store_writer_end_run (sqlite3 *db, DynoRun *run, GError **error);
/* Returns whether the whole run is written. */
gboolean dyno_store_writer_copy_run (sqlite3 *db, DynoRun *run, GError **error);
/* Returns whether nothing of @run is missing any more. A run of another tool misses no case, because its
 * file was read whole. @run: a stored run that may miss cases or invocations. @n_added: grows by the number
 * of cases that were missing, or had fewer invocations. */
gboolean dyno_store_writer_merge_run (sqlite3 *db, DynoRun *run, guint *n_added, GError **error);
/* Returns whether each of its results replaced the stored one, and its meters are stored. @run: a stored
 * run, with results that hold more than the stored ones. */
gboolean dyno_store_writer_replace_results (sqlite3 *db, gpointer run, GError **error);
/* Returns whether they are written. */
gboolean dyno_store_writer_update_run (sqlite3 *db, gpointer run, GError **error);

G_END_DECLS
