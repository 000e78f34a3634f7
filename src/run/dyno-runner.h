/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"
#include "dyno-result-sink.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUNNER (dyno_runner_get_type ())

/**
 * DynoRunner:
 *
 * Runs a plan in blocks. A block holds one invocation of every case; they run one at a time, each in its own
 * worker process. After each invocation the sink gets the case in its current state. After the last block each case is
 * analysed, in a worker process of its own. Lives on the main thread. Read-only properties, all notified: `run` (DynoRun, whose results are there from the start
 * as *pending*, in the order they run), `current` (DynoResult or NULL), `phase` (string: `ceilings`
 * before the first case, `prepare`, `load`, `first-run`, `warm-up`, `measure`, `analyse`, `roofs-again` after the last
 * case, or empty),
 * `progress` (double 0…1), `seconds-left` (double, negative while unknown), `paused` (boolean), `warning`
 * (nullable string: results could not be stored, and why; they are still in the run).
 *
 * Signal `live`: readings came for the current case, at most ten times a second; see
 * dyno_runner_get_live_latency().
 *
 * Signal `turn` (uint: the invocation, from 0): the next case is about to start, and no other is running; a
 * handler may drop cases then, or hold the run while it decides (dyno_runner_hold()). With a budget, the analyses
 * between the first block and the second are announced as a part of the second.
 */
G_DECLARE_FINAL_TYPE (DynoRunner, dyno_runner, DYNO, RUNNER, GObject)

/* Returns a runner for one run of the plan. @sink: receives finished cases; NULL keeps them in the run only. */
DynoRunner *dyno_runner_new (DynoPlan *plan, DynoResultSink *sink);

/* Returns the cases that a run measured in all their processes and did not analyse, because it was stopped; none while it is
 * being measured. @run: with its results. Elements are DynoResult. */
GPtrArray *dyno_runner_list_unanalysed (DynoRun *run);
/* Returns a runner that measures nothing: it analyses the cases that an earlier run did not, so that they are complete. Fails
 * with DYNO_ERROR_NOT_FOUND if the run has no plan; running it fails with DYNO_ERROR_INVALID_ARGUMENT if the machine, the
 * engines or Dyno have changed since. @run: with its results. */
DynoRunner *dyno_runner_new_for_analysis (DynoRun *run, DynoResultSink *sink, GError **error);

/* @cancellable (nullable): stops the run after killing the current case; finished cases are kept. */
void dyno_runner_run_async (DynoRunner *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
/* A failed case or a stopped run is no error: look at the results. Returns the run. @error: set if the plan
 * cannot be run at all. */
DynoRun *dyno_runner_run_finish (DynoRunner *self, GAsyncResult *result, GError **error);

/* Returns the run, NULL until the plan is expanded. */
DynoRun *dyno_runner_get_run (DynoRunner *self);
/* Returns the case that is running; NULL if there is none. */
DynoResult *dyno_runner_get_current (DynoRunner *self);
/* Returns the invocation of the running case, from 0; DYNO_CASE_ANALYSIS if it is analysed after its measurement. */
guint dyno_runner_get_invocation (DynoRunner *self);
/* Returns whether the running case is measured, and a process of its own analyses it. */
gboolean dyno_runner_is_analysing (DynoRunner *self);
/* Returns the number of cases that have had all their invocations or get no more. */
guint dyno_runner_count_finished (DynoRunner *self);
const char *dyno_runner_get_phase (DynoRunner *self);
/* Returns the fraction of the plan that is over, 0…1. */
double dyno_runner_get_progress (DynoRunner *self);
/* Returns the expected time until the plan is over, in seconds, from the pace of the cases so far; negative
 * while unknown, as when the last case takes longer than expected. */
double dyno_runner_get_seconds_left (DynoRunner *self);
/* Returns how long it has been running, in seconds. Show this while the remaining time is unknown. */
double dyno_runner_get_seconds_elapsed (DynoRunner *self);
/* Returns the latencies of the current case so far, thinned out, in ms; NULL if there are none. */
DynoTrace *dyno_runner_get_live_latency (DynoRunner *self);
/* Returns the memory of the worker and its helper processes so far, in MB; NULL if there is none. */
DynoTrace *dyno_runner_get_live_memory (DynoRunner *self);
/* Returns how busy processors and devices have been so far, in per cent, one trace for each, by the names of their
 * sensors. Elements are DynoTrace. */
GPtrArray *dyno_runner_get_live_usage (DynoRunner *self);

gboolean dyno_runner_get_paused (DynoRunner *self);
/* @paused: whether to wait before the next case. The current one is measured to its end, because a
 * measurement with a pause in it would be invalid. */
void dyno_runner_set_paused (DynoRunner *self, gboolean paused);
/* Returns why results could not be stored; NULL if they could. */
const char *dyno_runner_get_warning (DynoRunner *self);
/* Returns that roofs were measured again, and why, as a sentence; NULL if they were not. */
const char *dyno_runner_get_note (DynoRunner *self);
/* @stall_seconds: how long a worker may go without progress, 120 usually. @deadline_seconds: how long a
 * case may take, 3600 usually. */
void dyno_runner_set_limits (DynoRunner *self, double stall_seconds, double deadline_seconds);
/* Measures the ceilings of the processor and its memory before the first case, if the sink has none for this
 * machine. Meanwhile the phase is `ceilings`; dyno_runner_skip() goes on to the first case. After the last case,
 * measures again the roofs that cases exceed, at most DYNO_ROOFS_AGAIN_MOST times. @seconds: about how long each takes,
 * such as DYNO_CEILINGS_QUICK_SECONDS; 0, the default, measures none. */
void dyno_runner_set_ceilings (DynoRunner *self, double seconds);
/* A self-test is marked as such and is no measurement of the user's. */
void dyno_runner_set_self_test (DynoRunner *self, gboolean is_self_test);
gboolean dyno_runner_is_self_test (DynoRunner *self);
/* Results measured by then are complete: the case then requests only the invocations that it has. @seconds:
 * ends the run after this time, even during a case; 0, the default, sets no limit. */
void dyno_runner_set_budget (DynoRunner *self, double seconds);
/* Cancels the case that is being prepared or measured, or the ceilings before the first one, and goes on with
 * the next. */
void dyno_runner_skip (DynoRunner *self);
/* Measures no further invocations of the case, which then requests only those that it has. @self: a runner
 * between two cases, in a handler of `turn`. */
void dyno_runner_drop (DynoRunner *self, DynoResult *result);
/* Where a later block has no time for all the sides that take turns, these come first. @results holds DynoResult. */
void dyno_runner_prefer (DynoRunner *self, GPtrArray *results);
/* Starts nothing until dyno_runner_release(), after which `turn` is emitted again. A stopped run ends
 * nevertheless. @self: a runner between two cases, in a handler of `turn`. */
void dyno_runner_hold (DynoRunner *self);
/* Ends dyno_runner_hold(). */
void dyno_runner_release (DynoRunner *self);

G_END_DECLS
