/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-result.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* dyno-roofs-again */

/* A run does not become longer by more roofs than these. */
#define DYNO_ROOFS_AGAIN_MOST 3

/* Returns how many devices, or numbers of threads with their placement, have roofs that a case of the run exceeds. */
guint dyno_roofs_again_count (DynoRun *run);
/* Measures these roofs again, one after the other. @seconds: about how long each takes. @cancellable may be NULL. */
void dyno_roofs_again_measure_async (DynoRun *run,
                                     double seconds,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
/* Returns what was measured, possibly nothing. Elements are DynoCeiling. */
GPtrArray *dyno_roofs_again_measure_finish (GAsyncResult *result, GError **error);

/* dyno-worker-client */

#define DYNO_TYPE_WORKER_CLIENT (dyno_worker_client_get_type ())

/**
 * DynoWorkerClient:
 *
 * Controls one worker process: starts it in its own process group, asks it to measure one case or to try
 * whether it runs, watches its heartbeat and the deadline, and reports how it ended.
 *
 * Signal `beat (phase, time, n_samples, latencies)`: the worker is alive and in that phase, at that time
 * after the case began (ns; negative before), with that many samples; new readings as `a(xd)`.
 *
 * Signal `waits (sample_ms, cold_ms, median_ms)`: a worker that measures in turns is ready for the next one. It says how
 * long a sample takes now, the latency of the first step of the turn that is over, and the median of its other steps; before
 * the first turn the last two are NaN, and the median also if there is no room for more samples.
 */
G_DECLARE_FINAL_TYPE (DynoWorkerClient, dyno_worker_client, DYNO, WORKER_CLIENT, GObject)

/* Returns a client that has not started a worker yet; it measures once. */
DynoWorkerClient *dyno_worker_client_new (void);
/* @stall_seconds: how long the worker may go without making progress. @deadline_seconds: how long the
 * whole case may take. */
void dyno_worker_client_set_limits (DynoWorkerClient *self, double stall_seconds, double deadline_seconds);
/* Starts a worker and lets it measure. Must be called on the main thread: the worker dies with the thread
 * that started it. @invocation: which of its invocations, from 0. @analyses: whether the first one then analyses the case as
 * well. @cancellable may be NULL. @callback: called once the worker is gone, even on failure. */
void dyno_worker_client_measure_async (DynoWorkerClient *self,
                                       DynoCase *kase,
                                       guint invocation,
                                       gboolean analyses,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
/* Like dyno_worker_client_measure_async(), but the worker only opens the model and warms up, and then measures in turns.
 * While it waits, all its threads are stopped, so that no pool of an engine spins beside the worker whose turn it is. */
void dyno_worker_client_measure_in_turns_async (DynoWorkerClient *self,
                                                DynoCase *kase,
                                                guint invocation,
                                                gboolean analyses,
                                                GCancellable *cancellable,
                                                GAsyncReadyCallback callback,
                                                gpointer user_data);
/* Like dyno_worker_client_measure_async(), but the worker analyses a case that others measured. @measured: the case with
 * the values of its first invocation. @activations: whether it looks at activations, too. */
void dyno_worker_client_analyse_async (DynoWorkerClient *self,
                                       DynoResult *measured,
                                       gboolean activations,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
/* Gives a worker that waits a turn of so many samples, above 0. */
void dyno_worker_client_take_turn (DynoWorkerClient *self, guint n_samples);
/* Tells a worker that waits that there are no more turns, so that it ends with its result. */
void dyno_worker_client_end_turns (DynoWorkerClient *self);
/* Returns the result. @error: the worker's message, or how it died. */
DynoResult *dyno_worker_client_measure_finish (DynoWorkerClient *self, GAsyncResult *result, GError **error);
/* Like dyno_worker_client_measure_async(), but the worker only opens the model and runs one step.
 * @cancellable may be NULL. @callback: called once the worker is gone, even on failure. */
void dyno_worker_client_try_async (DynoWorkerClient *self,
                                   DynoCase *kase,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
/* Returns whether the model was opened and ran a step. @error: the worker's message, or how it died. */
gboolean dyno_worker_client_try_finish (DynoWorkerClient *self, GAsyncResult *result, GError **error);
/* Returns the current resident set of the worker plus that of its helper processes at the last beat, in
 * bytes; -1 if it cannot be read. */
gint64 dyno_worker_client_read_resident (DynoWorkerClient *self);
/* Returns how busy processors and devices were at the last beat, as `a(sd)` of the worker's signal; NULL before it. */
GVariant *dyno_worker_client_get_usage (DynoWorkerClient *self);

/* dyno-turn-block */

/**
 * DYNO_TURN_MILLISECONDS:
 *
 * How long a turn should be. Much longer ones let the machine change between two turns; much shorter ones consist of
 * first steps alone.
 */
#define DYNO_TURN_MILLISECONDS 50

/* The shares of a limited time in which the first, and the second, of several may get ready. */
#define DYNO_TIME_SHARE_OF_FIRST  0.9
#define DYNO_TIME_SHARE_OF_SECOND 0.75

/**
 * DynoTimeShare:
 * @all_seconds: the time for all of several
 * @seconds: what is left of it
 * @first_seconds: what is left while none is ready
 * @needed_seconds: what is left while one is ready
 * @n_all: their number
 * @n_waiting: how many are still to come
 * @n_ready: how many are ready
 * @fastest: how long the fastest of these took, in seconds
 * @slowest: how long the slowest took
 *
 * The share that each of several has of a limited time, so that one that hangs leaves time for the others, and a slow
 * machine has fewer of them ready rather than none.
 */
typedef struct
{
  double all_seconds;
  double seconds;
  double first_seconds;
  double needed_seconds;
  guint n_all;
  guint n_waiting;
  guint n_ready;
  double fastest;
  double slowest;
} DynoTimeShare;

/* Adds one that is ready. */
void dyno_time_share_add (DynoTimeShare *self, double seconds);
/* Returns how long the next one may take, in seconds: half of what is left, or all for the last one, until two are ready; then an equal share of all,
 * or three times as long as the slowest, within what is left; 0 if it would hardly be ready in time. */
double dyno_time_share_get (const DynoTimeShare *self);

#define DYNO_TYPE_TURN_BLOCK (dyno_turn_block_get_type ())

/**
 * DynoTurnBlock:
 *
 * A block of cases that are compared with each other: one worker for each, all alive together. They are loaded and warmed
 * up one after another, and then take turns, round after round, each round in an order of its own. A round gives each
 * case one ratio to the first one. Rounds end when the medians of all these ratios are precise enough at two looks in a
 * row, or the time is up.
 *
 * Signal `beat (index, client, phase, time, n_samples, latencies)`: the beat of the worker of that case, whose turn it is.
 */
G_DECLARE_FINAL_TYPE (DynoTurnBlock, dyno_turn_block, DYNO, TURN_BLOCK, GObject)

/* Returns a block that has not started yet. @cases: DynoCase, with the same method. @invocation: which of their
 * invocations, from 0. @analyses: whether the first one then analyses the cases as well. @seed: of all orders. */
DynoTurnBlock *dyno_turn_block_new (GPtrArray *cases, guint invocation, gboolean analyses, guint64 seed);
/* As dyno_worker_client_set_limits() of each worker. */
void dyno_turn_block_set_limits (DynoTurnBlock *self, double stall_seconds, double deadline_seconds);
/* Makes the block hurry: sides get ready in the order of the cases, each within its DynoTimeShare, and the turns take at
 * most a quarter of the time that is left when they begin. @seconds: the time left now. @prepare_seconds: how long all
 * sides together should take to open the model and warm up. */
void dyno_turn_block_set_seconds_left (DynoTurnBlock *self, double seconds, double prepare_seconds);
/* Measures the cases. Must be called on the main thread. @cancellable may be NULL. @callback: called once all workers
 * are gone. */
void dyno_turn_block_run_async (DynoTurnBlock *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
/* Waits for all workers, whatever became of them. */
void dyno_turn_block_run_finish (DynoTurnBlock *self, GAsyncResult *result);
/* Returns the result of a case, which the caller owns; NULL if it has none, as dyno_worker_client_measure_finish()
 * says, and without an error if there was no time to begin with it. */
DynoResult *dyno_turn_block_steal_result (DynoTurnBlock *self, guint index, GError **error);
/* Returns the number of rounds that are over. */
guint dyno_turn_block_get_n_rounds (DynoTurnBlock *self);
/* Returns the share of the block that is over, from 0 to 1. */
double dyno_turn_block_get_fraction (DynoTurnBlock *self);
/* Returns how many samples fill a turn: at least 3, but none that begin after 250 ms, and at least 1. */
guint dyno_turn_block_choose_samples (double sample_ms);

/* dyno-worker-process */

/* Returns where `dyno-worker` should be. */
char *dyno_worker_process_dup_path (void);
/* Returns a launcher of workers with the settings of this process; each leads a process group, and dies with
 * the thread that started it. The caller owns it. */
GSubprocessLauncher *dyno_worker_process_prepare (GSubprocessFlags flags);
/* Returns the worker. The caller owns it. Fails with DYNO_ERROR_WORKER_DIED. */
GSubprocess *
dyno_worker_process_start (GSubprocessLauncher *launcher, const char *const *arguments, GError **error);
/* Returns the last line that is not empty, or a sentence that there is none. @words: the worker's standard
 * error, in any encoding. @length: its size in bytes. */
char *dyno_worker_process_dup_last_words (const char *words, gsize length);

G_END_DECLS
