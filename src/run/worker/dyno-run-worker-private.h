/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-result.h"

G_BEGIN_DECLS

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
/* Must be called after a worker has ended: a killed worker cannot remove its own folders or those of its
 * browser. */
void dyno_worker_process_clean_up (void);

G_END_DECLS
