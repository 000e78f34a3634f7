/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/**
 * DynoProberFlags:
 * @DYNO_PROBER_NONE: what was found before will do, as long as nothing it depends on has changed
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
 * Asks backends whether they can measure here, each in a process of its own with a deadline: a driver that crashes or
 * hangs does no harm: its backend is unsupported, with the reason. Answers are kept, in memory and in the cache folder,
 * until a library, a driver or Dyno changes; those that another time may bring another one for only as long as the
 * process lives, for itself and for the workers that it starts. All functions may be called from any thread, and
 * several backends may be probed at once.
 */
G_DECLARE_FINAL_TYPE (DynoProber, dyno_prober, DYNO, PROBER, GObject)

/* Returns the one prober of this process. */
DynoProber *dyno_prober_get_default (void);

/* Blocks until there is an answer, so it belongs on a thread in a program with a window. Returns what was
 * found. The caller owns it. @cancellable may be NULL. */
DynoProbe *
dyno_prober_probe (DynoProber *self, DynoBackend *backend, DynoProberFlags flags, GCancellable *cancellable);
/* Reads the last answer from the cache without asking the backend. The answer may be out of date, so show
 * it only until dyno_prober_probe() has a new one. Never waits for a backend that is being probed. Returns
 * what was found last, by any process; NULL if there is none. The caller owns it. */
DynoProbe *dyno_prober_recall (DynoProber *self, DynoBackend *backend);
/* Like dyno_prober_probe(), for all of them at once: it takes as long as the slowest. Returns what was
 * found, in the same order. Elements are DynoProbe. The caller owns it. @cancellable may be NULL. */
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
/* Returns what was found; NULL if there is none. @error: return location for an error, which is only ever
 * G_IO_ERROR_CANCELLED. */
DynoProbe *dyno_prober_probe_finish (DynoProber *self, GAsyncResult *result, GError **error);

G_END_DECLS
