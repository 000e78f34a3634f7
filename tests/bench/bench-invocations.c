/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bench.h"
#include "dyno-bootstrap.h"
#include "dyno-cases.h"
#include "dyno-latency-interval.h"
#include "dyno-random.h"
#include "dyno-result-samples.h"
#include "dyno-runner.h"
#include "suite.h"

/* The coverage of Dyno's intervals on this machine: one case is run as by a user, in forty invocations. How many of all
 * groups of five, each of which could have been a run, have an interval that contains the median of all forty? And how
 * many groups of three have such a range? Nothing is simulated, so the figures depend on the machine and its load. */

#define N_INVOCATIONS 40
#define N_GROUPS      400
#define MAX_GROUP     8

#define PLAN                                                                                                 \
  "{ \"models\": [\"mobilenet_v2_1.0_224\"], \"backends\": [\"cpu\"], \"method\": { \"invocations\": 40,"    \
  " \"warmup-seconds\": 4, \"min-seconds\": 12, \"max-seconds\": 80, \"min-samples\": 400 } }"

typedef struct
{
  GMainLoop *loop;
  DynoRun *run;
} Bench;

static void
finished_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Bench *self = data;

  self->run = dyno_runner_run_finish (DYNO_RUNNER (object), result, NULL);
  g_main_loop_quit (self->loop);
}

static DynoResult *
measure (Bench *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (PLAN, &error);
  g_autoptr (DynoRunner) runner = NULL;
  DynoResult *result;

  if (plan == NULL)
    g_error ("%s", error->message);
  runner = dyno_runner_new (plan, NULL);
  self->loop = g_main_loop_new (NULL, FALSE);
  dyno_runner_run_async (runner, NULL, finished_cb, self);
  g_main_loop_run (self->loop);
  result = g_list_model_get_item (dyno_run_get_results (self->run), 0);
  if (dyno_result_get_n_invocations (result) < N_INVOCATIONS / 2)
    bench_skip (dyno_result_get_reason (result));
  return result;
}

/* That many different ones of all. */
static void
draw (GArray *all, guint size, DynoRandom *random, DynoSample *drawn)
{
  g_autofree DynoSample *order = g_memdup2 (all->data, all->len * sizeof (DynoSample));

  for (guint i = 0; i < size; i++)
    {
      guint k = i + dyno_random_below (random, all->len - i);

      drawn[i] = order[k];
      order[k] = order[i];
    }
}

static double
find_median (const DynoSample *groups, guint n)
{
  g_autoptr (DynoBootstrap) bootstrap = dyno_bootstrap_new_median (groups, n, 1);

  return dyno_bootstrap_get_estimate (bootstrap);
}

static gboolean
interval_holds (const DynoSample *drawn, guint size, double truth)
{
  g_autoptr (DynoBootstrap) bootstrap = dyno_bootstrap_new_median (drawn, size, 1);
  DynoInterval interval;

  dyno_bootstrap_get_interval (bootstrap, 0.95, &interval);
  return interval.low <= truth && truth <= interval.high;
}

static gboolean
range_holds (const DynoSample *drawn, guint size, double truth)
{
  guint n_below = 0;

  for (guint i = 0; i < size; i++)
    n_below += find_median (&drawn[i], 1) < truth;
  return n_below > 0 && n_below < size;
}

static double
get_percent (GArray *all, guint size, double truth, gboolean (*holds) (const DynoSample *, guint, double))
{
  DynoSample drawn[MAX_GROUP];
  DynoRandom random;
  guint n_held = 0;

  dyno_random_init (&random, 1);
  for (guint i = 0; i < N_GROUPS; i++)
    {
      draw (all, size, &random, drawn);
      n_held += holds (drawn, size, truth);
    }
  return 100.0 * n_held / N_GROUPS;
}

static int
run_suite (int argc, char *argv[])
{
  Bench self = { 0 };
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GArray) all = NULL;
  g_auto (GStrv) findings = NULL;
  double truth;

  bench_init ();
  result = measure (&self);
  all = dyno_result_list_steady (result);
  truth = find_median ((const DynoSample *)(gpointer)all->data, all->len);
  findings = dyno_processes_dup_findings (result);
  g_print ("median of %u invocations: %.4g ms\n", all->len, truth);
  for (guint i = 0; findings[i] != NULL; i++)
    g_print ("%s\n", findings[i]);

  double over_five = get_percent (all, DYNO_INTERVAL_MIN_PROCESSES, truth, interval_holds);
  double over_eight = get_percent (all, 8, truth, interval_holds);

  g_print ("intervals over 5 invocations that contain it: %.0f %%, limit at least 90 %%\n", over_five);
  g_print ("intervals over 8 invocations that contain it: %.0f %%\n", over_eight);
  bench_row ("the same by whole measurements of Dyno", "at least 90 %",
             "%.0f %% over five, %.0f %% over eight", over_five, over_eight);
  g_print ("ranges of 3 invocations that contain it: %.0f %% (a range promises nothing)\n",
           get_percent (all, 3, truth, range_holds));
  g_object_unref (self.run);
  g_main_loop_unref (self.loop);
  return 0;
}

SUITE (run_suite)
