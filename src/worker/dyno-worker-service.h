/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define DYNO_TYPE_WORKER_SERVICE (dyno_worker_service_get_type ())

/**
 * DynoWorkerService:
 *
 * The worker's side of the D-Bus connection: receives one case, measures it on a thread, sends heartbeats meanwhile,
 * and answers with the result.
 */
G_DECLARE_FINAL_TYPE (DynoWorkerService, dyno_worker_service, DYNO, WORKER_SERVICE, GObject)

/* Returns a service that the peer can call. */
DynoWorkerService *dyno_worker_service_new (GDBusConnection *connection, GError **error);

G_END_DECLS
