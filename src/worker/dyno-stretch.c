/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-clock.h"
#include "dyno-worker-private.h"

static GArray *
list_server (DynoMeasurement *measurement)
{
  return measurement->server != NULL ? measurement->server->processes : NULL;
}

static void
read_account (DynoMeasurement *measurement, DynoServerAccount *account)
{
  if (measurement->session != NULL)
    dyno_session_read_account (measurement->session, account);
}

void
dyno_stretch_begin (DynoMeasurement *measurement, DynoDisturbance *before)
{
  read_account (measurement, &measurement->account);
  dyno_disturbance_read (before, list_server (measurement));
  dyno_sampler_mark_edge (measurement->sampler);
}

void
dyno_stretch_end (DynoMeasurement *measurement, DynoDisturbance *before)
{
  gint64 end = dyno_clock_now_ns ();
  DynoDisturbance disturbance;
  DynoServerAccount account = { 0 };

  dyno_sampler_mark_edge (measurement->sampler);
  dyno_disturbance_read (&disturbance, list_server (measurement));
  dyno_disturbance_subtract (&disturbance, before);
  *before = disturbance;
  read_account (measurement, &account);
  dyno_server_account_subtract (&account, &measurement->account);
  g_array_append_val (measurement->accounts, account);
  g_array_append_val (measurement->disturbances, disturbance);
  g_array_append_val (measurement->chunk_end_ns, end);
}
