/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-machine-ceilings-private.h"

/* The share of the time after which no round begins, except to measure contradictions again. */
#define ROUNDS_SHARE 0.9

/* How often ceilings that contradict each other are measured again. */
#define MOST_AGAIN 2

/* Each job of a round first works for a window that does not count, after the others used the caches. */
#define WINDOWS_PER_ROUND (1 + DYNO_CEILING_REPEATS_PER_ROUND)

void
dyno_ceiling_job_free (gpointer data)
{
  DynoCeilingJob *self = data;

  g_array_unref (self->repeats);
  self->free_data (self->data);
  g_free (self);
}

void
dyno_ceiling_job_add (DynoCeilingRun *run, const DynoCeilingJob *job)
{
  DynoCeilingJob *self = g_memdup2 (job, sizeof *job);
  guint64 count;

  self->team = run->team;
  self->repeats = g_array_new (FALSE, FALSE, sizeof (DynoCeilingRepeat));
  if (self->prepare != NULL)
    self->prepare (self->data);
  count = dyno_ceiling_run_calibrate (run, self->work, self->work_data, run->window_ns);
  self->counts_per_second = (double)count * 1e9 / (double)run->window_ns;
  g_ptr_array_add (run->jobs, self);
}

/* A job takes a few milliseconds, a round on a busy machine seconds. */
#define JOBS_PER_REPORT 4

static double
get_elapsed (const DynoCeilingRun *run)
{
  return (double)(g_get_monotonic_time () - run->begin_us) / 1e6;
}

/* The order turns round, so that no job always follows the same one. */
static gboolean
measure_round (DynoCeilingRun *run, GPtrArray *jobs, guint round)
{
  /* Translators: every roof is measured a few times in every round */
  g_autofree char *what = g_strdup_printf (_ ("round %u"), round + 1);

  for (guint i = 0; i < jobs->len; i++)
    {
      if (i % JOBS_PER_REPORT == 0)
        run->report (MIN (get_elapsed (run) / run->seconds, 1), what, run->report_data);

      DynoCeilingJob *self = jobs->pdata[round % 2 == 0 ? i : jobs->len - 1 - i];
      guint size = dyno_thread_team_get_size (self->team);
      if (self->prepare != NULL)
        self->prepare (self->data);
      for (guint k = 0; k < WINDOWS_PER_ROUND; k++)
        {
          guint64 count = MAX ((guint64)(self->counts_per_second * (double)run->window_ns / 1e9), 1);
          DynoTeamWindow window = dyno_thread_team_time (self->team, self->work, count, self->work_data);
          DynoCeilingRepeat repeat = { (double)count * size / window.seconds, window.clock, window.queued };

          /* A trial that was disturbed made the work too short. */
          self->counts_per_second = MAX (self->counts_per_second, (double)count / window.seconds);
          if (g_cancellable_is_cancelled (run->cancellable))
            return FALSE;
          if (k > 0)
            g_array_append_val (self->repeats, repeat);
        }
    }
  return TRUE;
}

static void
create_ceilings (DynoCeilingRun *run)
{
  g_ptr_array_set_size (run->ceilings, 0);
  for (guint i = 0; i < run->jobs->len; i++)
    {
      DynoCeilingJob *job = run->jobs->pdata[i];
      DynoCeilingRates rates;

      dyno_ceiling_rates_sum_up (&rates, (const DynoCeilingRepeat *)(gpointer)job->repeats->data,
                                 job->repeats->len);
      g_ptr_array_add (run->ceilings, job->create (run, job, &rates));
    }
}

/* Returns the jobs of both sides of every contradiction: either may be wrong. */
static GPtrArray *
list_doubtful (DynoCeilingRun *run)
{
  g_autoptr (GArray) breaks = dyno_ceilings_list_breaks (run->ceilings);
  GPtrArray *jobs = g_ptr_array_new ();

  for (guint i = 0; i < run->jobs->len; i++)
    for (guint k = 0; k < breaks->len; k++)
      {
        const DynoCeilingsBreak *found = &g_array_index (breaks, DynoCeilingsBreak, k);

        if (run->ceilings->pdata[i] == found->low || run->ceilings->pdata[i] == found->high)
          {
            g_ptr_array_add (jobs, run->jobs->pdata[i]);
            break;
          }
      }
  return jobs;
}

gboolean
dyno_ceiling_job_measure_all (DynoCeilingRun *run)
{
  guint round = 0;

  while (round < DYNO_CEILING_LEAST_ROUNDS ||
         (round < DYNO_CEILING_MOST_ROUNDS && get_elapsed (run) < ROUNDS_SHARE * run->seconds))
    if (!measure_round (run, run->jobs, round++))
      return FALSE;
  create_ceilings (run);
  for (guint i = 0; i < MOST_AGAIN; i++)
    {
      g_autoptr (GPtrArray) doubtful = list_doubtful (run);

      if (doubtful->len == 0)
        break;
      for (guint again = 0; again < DYNO_CEILING_ROUNDS_AGAIN; again++)
        if (!measure_round (run, doubtful, round++))
          return FALSE;
      create_ceilings (run);
    }
  return TRUE;
}

char *
dyno_ceiling_job_describe (const DynoCeilingJob *self, const char *what, const DynoCeilingRates *rates)
{
  g_autofree char *processors = dyno_topology_format_set (dyno_thread_team_get_set (self->team));
  g_autofree char *threads = NULL;
  g_autofree char *repeats = NULL;

  if (dyno_thread_team_is_pinned (self->team))
    /* Translators: %s are numbers of processors, such as 0-3 */
    threads = g_strdup_printf (_ ("Threads pinned to processors %s."), processors);
  else
    threads = g_strdup (_ ("Threads that could not be pinned."));
  if (rates->n_undisturbed > 0)
    repeats = g_strdup_printf (_ ("Median of the best fifth of %u undisturbed repeats, of %u in all."),
                               rates->n_undisturbed, rates->n_repeats);
  else
    repeats = g_strdup_printf (_ ("Median of the best fifth of all %u repeats, none of which is known to be "
                                  "undisturbed."),
                               rates->n_repeats);
  return g_strdup_printf ("%s %s %s", what, threads, repeats);
}
