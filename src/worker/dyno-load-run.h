/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-load-clients.h"
#include "dyno-measurement.h"

G_BEGIN_DECLS

/**
 * DynoLoadRun:
 * @measurement: gets the results of the load
 * @method: the duration of one invocation
 * @load: the load
 * @clients: the clients that send requests
 * @session: the session of the first client
 * @seed: the seed of the arrivals
 * @show: shows answered requests in the meantime; NULL samples before they are freed
 * @show_data: for @show
 *
 * The measurement of a case under load.
 */
typedef struct
{
  DynoMeasurement *measurement;
  DynoMethod *method;
  DynoLoad load;
  DynoLoadClients *clients;
  DynoSession *session;
  guint64 seed;
  void (*show) (gpointer data, DynoSamples *samples);
  gpointer show_data;
} DynoLoadRun;

/* Lets all clients run together for the warm-up of the method; some engines start threads and take memory
 * only then. Returns whether the engine answered. */
gboolean dyno_load_run_warm_up (DynoLoadRun *self, GError **error);
/* Measures the load. Without a rate, looks for the capacity by closed loops and then measures rates up to
 * it. The measurement then has the samples of one stretch, as if it had been measured alone. If a search
 * breaks off, the finished part is kept, with the diagnostic `load-broken-off`. Returns whether there is
 * any result. */
gboolean dyno_load_run_measure (DynoLoadRun *self, GError **error);

G_END_DECLS
