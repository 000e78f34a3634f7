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

DynoProber *dyno_prober_get_default (void);

DynoProbe *
dyno_prober_probe (DynoProber *self, DynoBackend *backend, DynoProberFlags flags, GCancellable *cancellable);
DynoProbe *dyno_prober_recall (DynoProber *self, DynoBackend *backend);
GPtrArray *dyno_prober_probe_all (DynoProber *self,
                                  GListModel *backends,
                                  DynoProberFlags flags,
                                  GCancellable *cancellable);
void dyno_prober_probe_async (DynoProber *self,
                              DynoBackend *backend,
                              DynoProberFlags flags,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
DynoProbe *dyno_prober_probe_finish (DynoProber *self, GAsyncResult *result, GError **error);

G_END_DECLS
