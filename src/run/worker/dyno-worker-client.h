/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

#define DYNO_TYPE_WORKER_CLIENT (dyno_worker_client_get_type ())

/**
 * DynoWorkerClient:
 *
 * Controls one worker process: starts it in its own process group, asks it to measure one case or to try
 * whether it runs, watches its heartbeat and the deadline, and reports how it ended.
 *
 * Signal `beat (phase, time, n_samples, latencies)`: the worker is alive and in that phase, at that time
 * after the case began (ns; negative before), with that many samples; new readings as `a(xd)`.
 */
G_DECLARE_FINAL_TYPE (DynoWorkerClient, dyno_worker_client, DYNO, WORKER_CLIENT, GObject)

/* Returns a client that has not started a worker yet; it measures once. */
DynoWorkerClient *dyno_worker_client_new (void);
/* @stall_seconds: how long the worker may go without making progress. @deadline_seconds: how long the
 * whole case may take. */
void dyno_worker_client_set_limits (DynoWorkerClient *self, double stall_seconds, double deadline_seconds);
/* Starts a worker and lets it measure. Must be called on the main thread: the worker dies with the thread
 * that started it. @invocation: which of its invocations, from 0. @cancellable may be NULL. @callback: called
 * once the worker is gone, even on failure. */
void dyno_worker_client_measure_async (DynoWorkerClient *self,
                                       DynoCase *kase,
                                       guint invocation,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
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

G_END_DECLS
