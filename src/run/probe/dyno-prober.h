/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/**
 * DynoProberFlags:
 * @DYNO_PROBER_NONE: use the last answer if nothing that it depends on has changed
 * @DYNO_PROBER_FRESH: ask again
 */
typedef enum
{
  DYNO_PROBER_NONE = 0,
  DYNO_PROBER_FRESH = 1 << 0,
} DynoProberFlags;

#define DYNO_TYPE_PROBER (dyno_prober_get_type ())

/**
 * DynoProber:
 *
 * Asks backends whether they can measure here, each in its own process with a deadline, so that a driver that
 * crashes or hangs does no harm: its backend is unsupported, with the reason. Answers are kept, in memory and
 * in the cache folder, until a library, a driver or Dyno changes; an answer that may differ next time is kept
 * only as long as the process lives, for itself and its workers. All functions may be called from any thread,
 * and several backends may be probed at once.
 */
G_DECLARE_FINAL_TYPE (DynoProber, dyno_prober, DYNO, PROBER, GObject)

/* Returns the one prober of this process. */
DynoProber *dyno_prober_get_default (void);

/* Blocks until there is an answer, so it belongs on a thread in a program with a window. Returns the probe.
 * The caller owns it. @cancellable may be NULL. */
DynoProbe *
dyno_prober_probe (DynoProber *self, DynoBackend *backend, DynoProberFlags flags, GCancellable *cancellable);
/* Keeps the answers in files of their own, so that two sides with different libraries do not replace each other's. Call it
 * before the first probe. @library (nullable): the library that the case of this process names. */
void dyno_prober_set_library (DynoProber *self, const char *library);
/* Reads the last answer from the cache without asking the backend. The answer may be out of date, so show it
 * only until dyno_prober_probe() has a new one. Never waits for a backend that is being probed. Returns the
 * last probe of any process; NULL if there is none. The caller owns it. */
DynoProbe *dyno_prober_recall (DynoProber *self, DynoBackend *backend);
/* Like dyno_prober_probe(), for all of them in parallel: it takes as long as the slowest. Returns the probes,
 * in the same order. Elements are DynoProbe. The caller owns it. @cancellable may be NULL. */
GPtrArray *dyno_prober_probe_all (DynoProber *self,
                                  GListModel *backends,
                                  DynoProberFlags flags,
                                  GCancellable *cancellable);
/* Like dyno_prober_probe(), in a thread. @cancellable may be NULL. */
void dyno_prober_probe_async (DynoProber *self,
                              DynoBackend *backend,
                              DynoProberFlags flags,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
/* Returns the probe; NULL on error. @error: return location for an error, which can only be
 * G_IO_ERROR_CANCELLED. */
DynoProbe *dyno_prober_probe_finish (DynoProber *self, GAsyncResult *result, GError **error);

/* dyno-backend-snapshot */

/* Probes the backends, so it belongs on a thread. Returns an array node with the `id` of each backend and the
 * members of dyno_probe_to_json(): the engine with its version, and the devices. A run stores it beside the
 * machine. The caller owns it. @specs: backends as a plan names them, with or without a device. @cancellable
 * (nullable): cancelling stops the probes; unfinished ones are deferred. */
JsonNode *dyno_backend_snapshot (const char *const *specs, GCancellable *cancellable);

G_END_DECLS
