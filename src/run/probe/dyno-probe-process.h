/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/* Probes a backend in its own process, and waits for it as long as the backend's class allows. A backend that
 * could not be probed is deferred. Returns the probe. The caller owns it. @cancellable may be NULL.
 * @is_answer: whether the answer is the backend's own; if not, it may differ next time. */
DynoProbe *dyno_probe_process_ask (DynoBackend *backend, GCancellable *cancellable, gboolean *is_answer);

G_END_DECLS
