/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "dyno-backend.h"
#include "dyno-bootstrap.h"
#include "dyno-clock.h"
#include "dyno-ort.h"
#include "dyno-random.h"
#include "dyno-stats.h"
#include "dyno-stop-rule.h"
#include "dyno-time-series.h"
#include "dyno-worker-private.h"
#include "suite.h"

/* The coverage of intervals on this machine: one model in forty processes, one after the other, each measured until the
 * stop rule ends it. How many of the intervals from within a process contain the median of all forty, and how many of
 * those over five of them? Nothing is simulated, so the figures depend on the machine and on what else it does. */

#define MODEL           "mobilenet_v2_1.0_224"
#define N_PROCESSES     40
#define N_GROUPS        200
#define GROUP_SIZE      5
#define WARM_UP_SECONDS 0.3
#define FIRST_SECONDS   0.3
#define MAX_SECONDS     3
#define CAPACITY        200000

static void
measure_until (DynoWorkload *workload, DynoSamples *samples, gint64 until)
{
  GError *error = NULL;

  do
    dyno_workload_sample (workload, samples, 1, &error);
  while (error == NULL && dyno_samples_get_last_end (samples) < until && !dyno_samples_is_full (samples));
  bench_use_no_error (error);
}

/* Writes the steady latencies to standard output. */
static void
measure (DynoWorkload *workload)
{
  g_autoptr (DynoSamples) warm_up = dyno_samples_new (CAPACITY);
  g_autoptr (DynoSamples) samples = dyno_samples_new (CAPACITY);
  DynoStopRule rule = { .percent = 1 };
  double seconds = FIRST_SECONDS;
  gboolean is_enough = FALSE;
  gint64 begin;

  measure_until (workload, warm_up, dyno_clock_now_ns () + (gint64)(1e9 * WARM_UP_SECONDS));
  begin = dyno_clock_now_ns ();
  for (; !is_enough && seconds < MAX_SECONDS; seconds *= DYNO_STOP_RULE_GROWTH)
    {
      g_autofree double *values = NULL;
      gsize n;

      measure_until (workload, samples, begin + (gint64)(1e9 * seconds));
      n = dyno_samples_get_length (samples);
      values = dyno_samples_to_milliseconds (samples, 0, n, 1);
      is_enough = dyno_stop_rule_look (&rule, values, n);
      if (is_enough || seconds * DYNO_STOP_RULE_GROWTH >= MAX_SECONDS)
        fwrite (values, sizeof (double), n, stdout);
    }
}

static void
run_process (void)
{
  DynoSessionOptions options = { .precision = "fp32", .optimise = TRUE };
  GError *error = NULL;
  g_autoptr (DynoCase) kase = dyno_case_new (MODEL, "cpu");
  g_autoptr (DynoModel) model = dyno_model_load (MODEL, &error);
  DynoBackend *backend = dyno_backend_lookup ("cpu", NULL);
  g_autoptr (DynoWorkload) workload = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autofree char *onnx_path = NULL;

  bench_use_no_error (error);
  g_object_set (kase, "batch-size", 1, NULL);
  onnx_path = dyno_model_prepare (model, "fp32", 1, NULL, &error);
  bench_use_no_error (error);
  workload = dyno_workload_new (kase, model, &error);
  bench_use_no_error (error);
  session = dyno_backend_open (backend, onnx_path, &options, &error);
  bench_use_no_error (error);
  dyno_workload_prepare (workload, session, &error);
  bench_use_no_error (error);
  measure (workload);
}

static DynoSample
start_process (const char *program)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "--one", NULL);
  g_autoptr (GBytes) output = NULL;
  gsize size;
  double *values;

  if (process == NULL || !g_subprocess_communicate (process, NULL, NULL, &output, NULL, &error))
    g_error ("%s", error->message);
  values = g_bytes_unref_to_data (g_steal_pointer (&output), &size);
  if (!g_subprocess_get_successful (process) || size == 0)
    g_error ("A process gave no latencies.");
  return (DynoSample){ values, size / sizeof (double) };
}

static double
find_median (const DynoSample *group, double *low, double *high)
{
  g_autofree double *sorted = g_memdup2 (group->values, group->n * sizeof (double));

  dyno_stats_sort (sorted, group->n);
  dyno_stats_median_interval (sorted, group->n, dyno_stats_effective_size (group->values, group->n), low,
                              high);
  return dyno_stats_percentile (sorted, group->n, 50);
}

static guint
count_within (const DynoSample *groups, double truth, double *medians)
{
  guint n_covered = 0;

  for (guint g = 0; g < N_PROCESSES; g++)
    {
      double low, high;

      medians[g] = find_median (&groups[g], &low, &high);
      n_covered += low <= truth && truth <= high;
    }
  return n_covered;
}

/* Five different processes. */
static void
draw_group (const DynoSample *groups, DynoRandom *random, DynoSample *drawn)
{
  guint order[N_PROCESSES];

  for (guint g = 0; g < N_PROCESSES; g++)
    order[g] = g;
  for (guint i = 0; i < GROUP_SIZE; i++)
    {
      guint k = i + dyno_random_below (random, N_PROCESSES - i);
      guint kept = order[i];

      order[i] = order[k];
      order[k] = kept;
      drawn[i] = groups[order[i]];
    }
}

static guint
count_over_five (const DynoSample *groups, double truth)
{
  DynoRandom random;
  guint n_covered = 0;

  dyno_random_init (&random, 1);
  for (guint i = 0; i < N_GROUPS; i++)
    {
      DynoSample drawn[GROUP_SIZE];
      g_autoptr (DynoBootstrap) bootstrap = NULL;
      DynoInterval interval;

      draw_group (groups, &random, drawn);
      bootstrap = dyno_bootstrap_new_median (drawn, GROUP_SIZE, i);
      dyno_bootstrap_get_interval (bootstrap, 0.95, &interval);
      n_covered += interval.low <= truth && truth <= interval.high;
    }
  return n_covered;
}

static void
report (const DynoSample *groups)
{
  g_autoptr (DynoBootstrap) all = dyno_bootstrap_new_median (groups, N_PROCESSES, 1);
  double truth = dyno_bootstrap_get_estimate (all);
  double medians[N_PROCESSES];
  guint n_within = count_within (groups, truth, medians);
  double over_five = 100.0 * count_over_five (groups, truth) / N_GROUPS;
  DynoModes modes;

  g_print ("median of %d processes: %.4g ms\n", N_PROCESSES, truth);
  g_print ("intervals within one process that contain it: %.0f %% (they cannot know of other processes)\n",
           100.0 * n_within / N_PROCESSES);
  g_print ("intervals over %d processes that contain it: %.0f %%, limit at least 90 %%\n", GROUP_SIZE,
           over_five);
  bench_row ("how many intervals over five processes hold the median of all", "at least 90 %",
             "%.0f %% (within one process %.0f %%)", over_five, 100.0 * n_within / N_PROCESSES);
  g_print ("variance between processes: %.0f %%\n", 100 * dyno_stats_between_share (groups, N_PROCESSES));
  if (dyno_stats_find_modes (medians, N_PROCESSES, &modes))
    g_print ("two modes: %.4g ms in %zu processes, %.4g ms in %zu\n", modes.low, modes.n_low, modes.high,
             modes.n_high);
}

static int
run_suite (int argc, char *argv[])
{
  DynoSample groups[N_PROCESSES];
  GError *error = NULL;

  bench_init ();
  if (dyno_ort_library_get_default (&error) == NULL)
    bench_skip (error->message);
  if (argc > 1)
    {
      run_process ();
      return 0;
    }
  for (guint i = 0; i < N_PROCESSES; i++)
    groups[i] = start_process (argv[0]);
  report (groups);
  for (guint i = 0; i < N_PROCESSES; i++)
    g_free ((double *)groups[i].values);
  return 0;
}

SUITE (run_suite)
