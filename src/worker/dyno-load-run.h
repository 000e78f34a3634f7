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

gboolean dyno_load_run_warm_up (DynoLoadRun *self, GError **error);
gboolean dyno_load_run_measure (DynoLoadRun *self, GError **error);

G_END_DECLS
