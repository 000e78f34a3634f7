/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"
#include "dyno-result-sink.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUNNER (dyno_runner_get_type ())

/**
 * DynoRunner:
 *
 * Walks a plan in blocks: each holds one invocation of every case, one at a time, each in a worker process of its own. After
 * each of its invocations a case is handed to the sink as it is known then. Lives on the main thread. Read-only properties,
 * all notified: `run` ([class@Dyno.Run], whose results are there from the start as *pending*, in the order they run),
 * `current` ([class@Dyno.Result] or %NULL), `phase` (string: `ceilings` before the first case, `prepare`, `load`,
 * `first-run`, `warm-up`, `measure`, `analyse`, or empty), `progress` (double 0…1), `seconds-left` (double, negative while
 * unknown), `paused` (boolean), `warning` (nullable string: results could not be stored, and why; they are still in the
 * run).
 *
 * Signal `live`: readings came for the current case, at most ten times a second; see
 * [method@Dyno.Runner.get_live_latency].
 *
 * Signal `turn` (uint: the invocation, from 0): the next case is about to start, and no other is at work; a handler may
 * drop cases then, or hold the run for as long as that takes to find out ([method@Dyno.Runner.hold]).
 */
G_DECLARE_FINAL_TYPE (DynoRunner, dyno_runner, DYNO, RUNNER, GObject)

/* Returns a runner for one run of the plan. @sink: where finished cases go; NULL keeps them in the run
 * only. */
DynoRunner *dyno_runner_new (DynoPlan *plan, DynoResultSink *sink);

/* @cancellable (nullable): stops after killing the current case; what is finished is kept. */
void dyno_runner_run_async (DynoRunner *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
/* A case that fails is no error, nor is a run that was stopped: look at the results. Returns the run.
 * @error: for a plan that cannot be carried out at all. */
DynoRun *dyno_runner_run_finish (DynoRunner *self, GAsyncResult *result, GError **error);

/* Returns the run, NULL until the plan is expanded. */
DynoRun *dyno_runner_get_run (DynoRunner *self);
/* Returns the case at work; NULL if there is none. */
DynoResult *dyno_runner_get_current (DynoRunner *self);
/* Returns which invocation of the case at work it is, from 0. */
guint dyno_runner_get_invocation (DynoRunner *self);
/* Returns how many cases have had all their invocations, or get no more. */
guint dyno_runner_count_finished (DynoRunner *self);
const char *dyno_runner_get_phase (DynoRunner *self);
/* Returns how much of the plan is over, 0…1. */
double dyno_runner_get_progress (DynoRunner *self);
/* Returns expected time until the plan is over, from how long cases took so far; negative while unknown,
 * as it is when the last case takes longer than was expected of it. */
double dyno_runner_get_seconds_left (DynoRunner *self);
/* Returns how long it has been at work, in seconds; what to show where the remaining time is unknown. */
double dyno_runner_get_seconds_elapsed (DynoRunner *self);
/* Returns latencies of the current case so far, thinned out, in ms; NULL if there is none. */
DynoTrace *dyno_runner_get_live_latency (DynoRunner *self);
/* Returns the memory of the worker and the processes that work for it so far, in MB; NULL if there is
 * none. */
DynoTrace *dyno_runner_get_live_memory (DynoRunner *self);

gboolean dyno_runner_get_paused (DynoRunner *self);
/* @paused: whether to wait before the next case; the current one is measured to its end, because a number
 * taken around a pause would be none. */
void dyno_runner_set_paused (DynoRunner *self, gboolean paused);
/* Returns why results could not be stored; NULL if there is none. */
const char *dyno_runner_get_warning (DynoRunner *self);
/* @stall_seconds: how long a worker may go without progress, 120 usually. @deadline_seconds: how long a
 * case may take, 3600 usually. */
void dyno_runner_set_limits (DynoRunner *self, double stall_seconds, double deadline_seconds);
/* Lets the run begin with measuring what the processor and its memory can do at most, if the sink
 * remembers nothing of that for this machine. Meanwhile the phase is `ceilings`; dyno_runner_skip() goes
 * on to the first case. @seconds: about how long to take, such as DYNO_CEILINGS_SECONDS; 0, which is the
 * default, to leave them alone. */
void dyno_runner_set_ceilings (DynoRunner *self, double seconds);
/* A run that does so is marked, and no measurement of the user's. */
void dyno_runner_set_self_test (DynoRunner *self, gboolean is_self_test);
gboolean dyno_runner_is_self_test (DynoRunner *self);
/* What was measured until then is complete: a case was to have the invocations that it has. @seconds:
 * after how long the run ends, even during a case; 0, which is the default, for any time. */
void dyno_runner_set_budget (DynoRunner *self, double seconds);
/* Gives up the case that is being prepared or measured, or the ceilings before the first one, and goes on
 * with the next. */
void dyno_runner_skip (DynoRunner *self);
/* Measures no further invocations of the case: it was to have those that it has. @self: a runner, between
 * two cases: in a handler of `turn`. */
void dyno_runner_drop (DynoRunner *self, DynoResult *result);
/* Lets nothing start until dyno_runner_release(); `turn` is emitted again then. A run that is stopped ends
 * all the same. @self: a runner, between two cases: in a handler of `turn`. */
void dyno_runner_hold (DynoRunner *self);
/* Goes on. */
void dyno_runner_release (DynoRunner *self);

G_END_DECLS
