/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-clock.h"
#include "dyno-worker-private.h"

/* The hypervisor's share of a stretch from which on all its windows are disturbed. */
#define MAX_STEAL_PERCENT 2

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

/* Waiting in the queue is known of threads of this process only, not of a server's or a browser's. */
static gboolean
keeps_windows (const DynoMeasurement *measurement)
{
  return measurement->windows != NULL && measurement->server == NULL && !measurement->has_own_clock;
}

void
dyno_stretch_begin_window (DynoMeasurement *measurement)
{
  if (!keeps_windows (measurement))
    return;
  measurement->window_queued_ns = dyno_disturbance_read_queued_ns ();
  dyno_core_watch_begin (measurement->watch);
  measurement->window_begin_ns = dyno_clock_now_ns ();
}

void
dyno_stretch_end_window (DynoMeasurement *measurement)
{
  DynoWindow window = { dyno_samples_get_length (measurement->samples), measurement->window_begin_ns };
  guint n = keeps_windows (measurement) ? measurement->windows->len : 0;
  gsize before = n > 0 ? g_array_index (measurement->windows, DynoWindow, n - 1).end : 0;
  gint64 queued;

  if (!keeps_windows (measurement) || window.end == before)
    return;
  window.end_ns = dyno_clock_now_ns ();
  window.others_percent = dyno_core_watch_end (measurement->watch);
  window.clock_mhz = dyno_core_watch_read_clock (measurement->watch);
  queued = dyno_disturbance_read_queued_ns ();
  if (queued < 0 || measurement->window_queued_ns < 0 || window.end_ns <= window.begin_ns)
    return;
  /* Threads that end take their counts with them. */
  window.queued_percent = 100.0 * (double)MAX (queued - measurement->window_queued_ns, 0) /
                          (double)(window.end_ns - window.begin_ns);
  window.causes |= window.queued_percent > DYNO_WINDOW_MAX_QUEUED_PERCENT ? DYNO_WINDOW_CAUSE_QUEUE : 0;
  window.causes |= window.others_percent > DYNO_WINDOW_MAX_OTHERS_PERCENT ? DYNO_WINDOW_CAUSE_OTHERS : 0;
  g_array_append_val (measurement->windows, window);
}

void
dyno_stretch_begin (DynoMeasurement *measurement, DynoDisturbance *before)
{
  read_account (measurement, &measurement->account);
  dyno_disturbance_read (before, list_server (measurement));
  dyno_sampler_mark_edge (measurement->sampler);
  dyno_stretch_begin_window (measurement);
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
  if (keeps_windows (measurement))
    {
      /* A limit and a hypervisor are only known over a whole stretch. */
      gboolean is_stolen = dyno_disturbance_get_steal_percent (&disturbance) > MAX_STEAL_PERCENT;

      for (guint i = measurement->windows->len; i > 0; i--)
        {
          DynoWindow *window = &g_array_index (measurement->windows, DynoWindow, i - 1);

          if (window->begin_ns < before->time_ns)
            break;
          window->causes |= disturbance.n_throttled > 0 ? DYNO_WINDOW_CAUSE_LIMIT : 0;
          window->causes |= is_stolen ? DYNO_WINDOW_CAUSE_STEAL : 0;
        }
    }
  *before = disturbance;
  read_account (measurement, &account);
  dyno_server_account_subtract (&account, &measurement->account);
  g_array_append_val (measurement->accounts, account);
  g_array_append_val (measurement->disturbances, disturbance);
  g_array_append_val (measurement->chunk_end_ns, end);
}
