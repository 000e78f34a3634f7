/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "bench.h"
#include "chain.h"
#include "disturber.h"
#include "dyno-result-samples.h"
#include "dyno-run-worker-private.h"
#include "dyno-scratch.h"
#include "dyno-stats.h"
#include "suite.h"

/* What undisturbed windows are worth on this machine: the same model is measured twenty times, each time in a fresh
 * process, with the machine as it is and beside a disturber that keeps all processors busy in bursts of 0.05 to 1.5 s.
 * The medians of the undisturbed windows are told beside those of all the time. The number of runs can be given. */

#define N_RUNS   20
#define MAX_RUNS 1000
#define N_LINKS  500

typedef struct
{
  GMainLoop *loop;
  DynoResult *result;
} Bench;

static void
measured_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Bench *self = data;
  g_autoptr (GError) error = NULL;

  self->result = dyno_worker_client_measure_finish (DYNO_WORKER_CLIENT (object), result, &error);
  if (error != NULL)
    g_error ("%s", error->message);
  g_main_loop_quit (self->loop);
}

/* Prints the median of the medians, their deviation, and how far the farthest ones are apart. Returns the deviation in
 * per cent. */
static double
report_medians (const char *title, GArray *numbers)
{
  double *medians = (double *)(gpointer)numbers->data;
  double spread = dyno_stats_standard_deviation (medians, numbers->len);
  double median;

  if (numbers->len < 2)
    {
      g_print ("  %s: too few runs have one\n", title);
      return NAN;
    }
  dyno_stats_sort (medians, numbers->len);
  median = dyno_stats_percentile (medians, numbers->len, 50);
  g_print ("  %s: %.3f ms, deviation %.1f %%, from %+.1f to %+.1f %%, of %u runs\n", title, median,
           100 * spread / median, 100 * (medians[0] / median - 1),
           100 * (medians[numbers->len - 1] / median - 1), numbers->len);
  return 100 * spread / median;
}

static void
measure_runs (Bench *self, const char *folder, guint n_threads, guint n_runs, const char *state)
{
  g_autofree char *row = g_strdup_printf ("deviation of medians, %s, threads: %u", state, n_threads);
  double of_undisturbed, of_all;
  g_autoptr (DynoCase) kase = chain_case_new (folder, N_LINKS, n_threads);
  g_autoptr (GArray) undisturbed = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) over_all = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < n_runs; i++)
    {
      g_autoptr (DynoWorkerClient) client = dyno_worker_client_new ();
      g_autoptr (DynoResult) result = NULL;
      double median, share;

      dyno_worker_client_measure_async (client, kase, 1, FALSE, NULL, measured_cb, self);
      g_main_loop_run (self->loop);
      result = self->result;
      median = dyno_result_get_number (result, "latency_p50_ms");
      share = dyno_result_get_number (result, "undisturbed_percent");
      if (dyno_result_is_undisturbed (result))
        {
          g_array_append_val (undisturbed, median);
          median = dyno_result_get_number (result, "latency_all_p50_ms");
        }
      g_array_append_val (over_all, median);
      g_array_append_val (shares, share);
    }
  g_print (" %u threads, undisturbed in %.0f %% of the time\n", n_threads,
           dyno_stats_mean ((const double *)(gpointer)shares->data, shares->len));
  of_undisturbed = report_medians ("undisturbed", undisturbed);
  of_all = report_medians ("over all", over_all);
  bench_row (row, "at most 5 % undisturbed", "%.1f %% undisturbed, %.1f %% over all", of_undisturbed, of_all);
}

static int
run_suite (int argc, char *argv[])
{
  Bench self = { .loop = g_main_loop_new (NULL, FALSE) };
  g_autofree char *folder = dyno_scratch_new (NULL);
  guint n_runs = argc > 1 ? (guint)CLAMP (g_ascii_strtoull (argv[1], NULL, 10), 2, MAX_RUNS) : N_RUNS;

  bench_init ();
  chain_write (folder, N_LINKS);
  g_print ("Goal: beside the disturber, the undisturbed medians deviate by at most 5 %%.\n");
  for (guint is_disturbed = 0; is_disturbed < 2; is_disturbed++)
    {
      Disturber *disturber = is_disturbed ? disturber_start () : NULL;
      const char *state = is_disturbed ? "beside the disturber" : "as the machine is";

      g_print ("%s\n", state);
      measure_runs (&self, folder, 1, n_runs, state);
      measure_runs (&self, folder, 2, n_runs, state);
      if (disturber != NULL)
        disturber_stop (disturber);
    }
  dyno_scratch_remove (folder);
  g_main_loop_unref (self.loop);
  return 0;
}

SUITE (run_suite)
