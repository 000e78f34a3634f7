/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "dyno-backend.h"

G_BEGIN_DECLS

/* dyno-probe-fingerprint */

/* Reads files and folders, so it belongs on a thread. Returns a text that changes when anything changes that
 * decides whether the backend can measure here: Dyno itself, libraries, drivers, devices, and the environment
 * variables about them. */
char *dyno_probe_fingerprint_take (DynoBackend *backend);

/* dyno-probe-process */

/* Probes a backend in its own process, and waits for it as long as the backend's class allows. A backend that
 * could not be probed is deferred. Returns the probe. The caller owns it. @cancellable may be NULL.
 * @is_answer: whether the answer is the backend's own; if not, it may differ next time. */
DynoProbe *dyno_probe_process_ask (DynoBackend *backend, GCancellable *cancellable, gboolean *is_answer);

G_END_DECLS
