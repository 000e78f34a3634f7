/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Probes the backends, so it belongs on a thread. Returns an array node with the `id` of each backend and the
 * members of dyno_probe_to_json(): the engine with its version, and the devices. A run stores it beside the
 * machine. The caller owns it. @specs: backends as a plan names them, with or without a device. @cancellable
 * (nullable): cancelling stops the probes; unfinished ones are deferred. */
JsonNode *dyno_backend_snapshot (const char *const *specs, GCancellable *cancellable);

G_END_DECLS
