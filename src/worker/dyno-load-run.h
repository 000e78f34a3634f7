/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-load-clients.h"
#include "dyno-measurement.h"

G_BEGIN_DECLS

/**
 * DynoLoadRun:
 * @measurement: gets what comes of the load
 * @method: how long it lasts, of one invocation
 * @load: the load
 * @clients: those who send requests
 * @session: the session of the first of them
 * @seed: of the arrivals
 * @show: shows what is answered while it goes on; %NULL samples before they go away
 * @show_data: for @show
 *
 * How a case is measured under load.
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

/* Lets all clients run together for as long as the method warms up; some engines start threads and take
 * memory only then. Returns whether the engine answered. */
gboolean dyno_load_run_warm_up (DynoLoadRun *self, GError **error);
/* Measures the load, or where no rate is given, looks for the capacity by closed loops and then measures
 * rates up to it. The measurement then has the samples of one stretch, as if it had been measured alone.
 * Where a search breaks off, what was finished before is kept, with the diagnostic `load-broken-off`.
 * Returns whether there is anything to tell. */
gboolean dyno_load_run_measure (DynoLoadRun *self, GError **error);

G_END_DECLS
