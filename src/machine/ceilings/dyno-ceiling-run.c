/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "dyno-machine-ceilings-private.h"
#include "dyno-stats.h"

/* The share of a window that a trial must take, so that the size of a whole window can be estimated from
 * it. */
#define ENOUGH_TO_JUDGE 0.25
#define N_TRIES         3

/* A ceiling is what this share of the repeats sustains: 1 / BEST_SHARE. */
#define BEST_SHARE 5

/* Fewer undisturbed repeats do not tell how much they vary, so the others tell as well. */
#define LEAST_TO_SPREAD 5

static int
compare_repeats (gconstpointer a, gconstpointer b)
{
  double left = ((const DynoCeilingRepeat *)a)->rate, right = ((const DynoCeilingRepeat *)b)->rate;

  return (left < right) - (left > right);
}

/* Returns the range from the 10th to the 90th percentile of the better half. @sorted: the best first. */
static double
get_range (const DynoCeilingRepeat *sorted, guint n)
{
  guint n_better = (n + 1) / 2;
  g_autofree double *rates = g_new (double, n_better);

  for (guint i = 0; i < n_better; i++)
    rates[n_better - 1 - i] = sorted[i].rate;
  return dyno_stats_percentile (rates, n_better, 90) - dyno_stats_percentile (rates, n_better, 10);
}

void
dyno_ceiling_rates_sum_up (DynoCeilingRates *self, const DynoCeilingRepeat *repeats, guint n_repeats)
{
  g_autofree DynoCeilingRepeat *all = g_memdup2 (repeats, n_repeats * sizeof *repeats);
  g_autofree DynoCeilingRepeat *undisturbed = g_new (DynoCeilingRepeat, n_repeats);
  const DynoCeilingRepeat *kept;
  guint n = 0, n_best;

  g_return_if_fail (n_repeats > 0);

  *self = (DynoCeilingRates){ .n_repeats = n_repeats, .disturbed = TRUE };
  qsort (all, n_repeats, sizeof *all, compare_repeats);
  for (guint i = 0; i < n_repeats; i++)
    {
      gboolean is_known = all[i].queued >= 0;

      if (is_known && all[i].queued <= DYNO_CEILING_MOST_QUEUED)
        undisturbed[n++] = all[i];
      self->disturbed = self->disturbed && is_known;
    }
  self->n_undisturbed = n;
  self->disturbed = self->disturbed && n == 0;
  kept = n > 0 ? undisturbed : all;
  n = n > 0 ? n : n_repeats;
  n_best = (n + BEST_SHARE - 1) / BEST_SHARE;
  self->best = kept[0].rate;
  /* The middle of an even number is between two. */
  self->sustained = (kept[(n_best - 1) / 2].rate + kept[n_best / 2].rate) / 2;
  self->clock = (kept[(n_best - 1) / 2].clock + kept[n_best / 2].clock) / 2;
  self->spread = (n < LEAST_TO_SPREAD ? get_range (all, n_repeats) : get_range (kept, n)) / self->sustained;
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

double
dyno_ceiling_run_try (DynoCeilingRun *self, DynoTeamWork work, gpointer data, gint64 window_ns)
{
  guint64 count = dyno_ceiling_run_calibrate (self, work, data, window_ns);
  double best = 0;

  for (guint i = 0; i < N_TRIES; i++)
    best = MAX (best, (double)count / dyno_thread_team_time (self->team, work, count, data).seconds);
  return best * dyno_thread_team_get_size (self->team);
}
