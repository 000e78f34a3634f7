/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Probes the backends, so it belongs on a thread. Returns an array node with, for each, its `id` and what
 * dyno_probe_to_json() gives: the engine with its version, and the devices. It belongs to a run's record
 * of the machine beside the machine itself. The caller owns it. @specs: backends as a plan names them,
 * with or without a device. @cancellable (nullable): cancelling stops the probes; what is not known by
 * then is deferred. */
JsonNode *dyno_backend_snapshot (const char *const *specs, GCancellable *cancellable);

G_END_DECLS
