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

DynoRunner *dyno_runner_new (DynoPlan *plan, DynoResultSink *sink);

void dyno_runner_run_async (DynoRunner *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
DynoRun *dyno_runner_run_finish (DynoRunner *self, GAsyncResult *result, GError **error);

DynoRun *dyno_runner_get_run (DynoRunner *self);
DynoResult *dyno_runner_get_current (DynoRunner *self);
guint dyno_runner_get_invocation (DynoRunner *self);
guint dyno_runner_count_finished (DynoRunner *self);
const char *dyno_runner_get_phase (DynoRunner *self);
double dyno_runner_get_progress (DynoRunner *self);
double dyno_runner_get_seconds_left (DynoRunner *self);
double dyno_runner_get_seconds_elapsed (DynoRunner *self);
DynoTrace *dyno_runner_get_live_latency (DynoRunner *self);
DynoTrace *dyno_runner_get_live_memory (DynoRunner *self);

gboolean dyno_runner_get_paused (DynoRunner *self);
void dyno_runner_set_paused (DynoRunner *self, gboolean paused);
const char *dyno_runner_get_warning (DynoRunner *self);
void dyno_runner_set_limits (DynoRunner *self, double stall_seconds, double deadline_seconds);
void dyno_runner_set_ceilings (DynoRunner *self, double seconds);
void dyno_runner_set_self_test (DynoRunner *self, gboolean is_self_test);
gboolean dyno_runner_is_self_test (DynoRunner *self);
void dyno_runner_set_budget (DynoRunner *self, double seconds);
void dyno_runner_skip (DynoRunner *self);
void dyno_runner_drop (DynoRunner *self, DynoResult *result);
void dyno_runner_hold (DynoRunner *self);
void dyno_runner_release (DynoRunner *self);

G_END_DECLS
