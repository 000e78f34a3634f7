/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

#define DYNO_TYPE_WORKER_CLIENT (dyno_worker_client_get_type ())

/**
 * DynoWorkerClient:
 *
 * One worker process and the conversation with it: starts it in a process group of its own, asks it to measure
 * one case, or to try whether it runs, watches its heartbeat and the deadline, and knows how it ended.
 *
 * Signal `beat (phase, time, n_samples, latencies)`: the worker is alive and in that phase, so long after the case began
 * (ns; negative before it has), with so many samples taken; new readings as `a(xd)`.
 */
G_DECLARE_FINAL_TYPE (DynoWorkerClient, dyno_worker_client, DYNO, WORKER_CLIENT, GObject)

DynoWorkerClient *dyno_worker_client_new (void);
void dyno_worker_client_set_limits (DynoWorkerClient *self, double stall_seconds, double deadline_seconds);
void dyno_worker_client_measure_async (DynoWorkerClient *self,
                                       DynoCase *kase,
                                       guint invocation,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
DynoResult *dyno_worker_client_measure_finish (DynoWorkerClient *self, GAsyncResult *result, GError **error);
void dyno_worker_client_try_async (DynoWorkerClient *self,
                                   DynoCase *kase,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean dyno_worker_client_try_finish (DynoWorkerClient *self, GAsyncResult *result, GError **error);
gint64 dyno_worker_client_read_resident (DynoWorkerClient *self);

G_END_DECLS
