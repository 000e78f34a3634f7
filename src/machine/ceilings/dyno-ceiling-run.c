/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-machine-ceilings-private.h"
#include "dyno-stats.h"

/* The share of a window that a trial must take, so that the size of a whole window can be estimated from
 * it. */
#define ENOUGH_TO_JUDGE 0.25
#define N_WARM_UP       2
#define N_TRIES         3

void
dyno_ceiling_run_begin (DynoCeilingRun *self, const char *what)
{
  self->report ((double)self->n_done / MAX (self->n_steps, 1), what, self->report_data);
  self->n_done++;
}

guint64
dyno_ceiling_run_calibrate (DynoCeilingRun *self, DynoTeamWork work, gpointer data, gint64 window_ns)
{
  double wanted = (double)window_ns / 1e9;
  guint64 count = 1;
  double seconds = dyno_thread_team_time (self->team, work, count, data).seconds;

  while (seconds < ENOUGH_TO_JUDGE * wanted && !g_cancellable_is_cancelled (self->cancellable))
    {
      count = (guint64)((double)count * CLAMP (wanted / seconds, 2, 1000));
      seconds = dyno_thread_team_time (self->team, work, count, data).seconds;
    }
  return MAX ((guint64)((double)count * wanted / seconds), 1);
}

static double
measure_rate (DynoCeilingRun *self, DynoTeamWork work, gpointer data, guint64 count, double *clock)
{
  DynoTeamWindow window = dyno_thread_team_time (self->team, work, count, data);

  *clock = window.clock;
  return (double)count * dyno_thread_team_get_size (self->team) / window.seconds;
}

double
dyno_ceiling_run_try (DynoCeilingRun *self, DynoTeamWork work, gpointer data, gint64 window_ns)
{
  guint64 count = dyno_ceiling_run_calibrate (self, work, data, window_ns);
  double best = 0, clock;

  for (guint i = 0; i < N_TRIES; i++)
    best = MAX (best, measure_rate (self, work, data, count, &clock));
  return best;
}

gboolean
dyno_ceiling_run_measure (DynoCeilingRun *self, DynoTeamWork work, gpointer data, DynoCeilingRates *rates)
{
  double speeds[DYNO_CEILING_N_WINDOWS], clocks[DYNO_CEILING_N_WINDOWS], ignored;
  const guint n = DYNO_CEILING_N_WINDOWS;
  guint64 count = dyno_ceiling_run_calibrate (self, work, data, self->window_ns);

  for (guint i = 0; i < N_WARM_UP; i++)
    measure_rate (self, work, data, count, &ignored);
  for (guint i = 0; i < n; i++)
    {
      if (g_cancellable_is_cancelled (self->cancellable))
        return FALSE;
      speeds[i] = measure_rate (self, work, data, count, &clocks[i]);
    }
  dyno_stats_sort (speeds, n);
  dyno_stats_sort (clocks, n);
  rates->median = dyno_stats_percentile (speeds, n, 50);
  rates->best = speeds[n - 1];
  rates->spread =
      (dyno_stats_percentile (speeds, n, 90) - dyno_stats_percentile (speeds, n, 10)) / rates->median;
  rates->clock = dyno_stats_percentile (clocks, n, 50);
  return TRUE;
}

char *
dyno_ceiling_run_describe (DynoCeilingRun *self, const char *what)
{
  g_autofree char *processors = dyno_topology_format_set (dyno_thread_team_get_set (self->team));
  g_autofree char *threads = NULL;

  if (dyno_thread_team_is_pinned (self->team))
    /* Translators: %s are numbers of processors, such as 0-3 */
    threads = g_strdup_printf (_ ("Threads pinned to processors %s."), processors);
  else
    threads = g_strdup (_ ("Threads that could not be pinned."));
  return g_strdup_printf (_ ("%s %s Median of %d windows of %.0f ms."), what, threads, DYNO_CEILING_N_WINDOWS,
                          (double)self->window_ns / 1e6);
}
