/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bench.h"
#include "dyno-backend.h"
#include "dyno-clock.h"
#include "dyno-metrics-sources-private.h"
#include "dyno-pinning.h"
#include "dyno-worker-private.h"
#include "suite.h"

/* The cost of the memory timeline: steps per second of BERT mini, alternately with the sampler reading every 10 ms and
 * without it. Once on one core, which leaves another one for the sampler if there is one, and once on all cores, where
 * the sampler takes time from the work. Throughput on a shared machine is noisy; the processor time of the sampler is
 * not, and bounds what it can take away where it shares a core. */

#define N_ROUNDS   120
#define UNTIMED_NS (50 * 1000 * 1000)
#define BLOCK_NS   (60 * 1000 * 1000)
#define PERIOD_MS  10

/* As long as a short case, so that starting the thread does not count more than in one. */
#define COSTED_NS G_GINT64_CONSTANT (1000000000)
#define N_COSTED  10

typedef struct
{
  DynoModel *model;
  DynoWorkload *workload;
  DynoSession *session;
  char *onnx_path;
  GArray *own; /* the measuring thread's share of a core's time in each block, in per cent */
} Bench;

static void
skip_without_runtime (void)
{
  g_autoptr (DynoProbe) probe = dyno_backend_probe (dyno_backend_lookup ("cpu", NULL), NULL);

  if (dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    bench_skip (dyno_probe_get_reason (probe));
}

static void
set_up (Bench *self, guint threads)
{
  DynoSessionOptions options = { .precision = "fp32", .threads = threads, .optimise = TRUE };
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-mini", "cpu");
  GError *error = NULL;

  g_object_set (kase, "batch-size", 1, "sequence-length", 32, NULL);
  dyno_pinning_bind (NULL, threads, NULL);
  self->model = dyno_model_load ("bert-mini", &error);
  bench_use_no_error (error);
  self->workload = dyno_workload_new (kase, self->model, &error);
  bench_use_no_error (error);
  self->onnx_path = dyno_model_prepare (self->model, "fp32", 1, NULL, &error);
  bench_use_no_error (error);
  self->session = dyno_backend_open (dyno_backend_lookup ("cpu", NULL), self->onnx_path, &options, &error);
  bench_use_no_error (error);
  dyno_workload_prepare (self->workload, self->session, &error);
  bench_use_no_error (error);
  self->own = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
tear_down (Bench *self)
{
  g_object_unref (self->workload);
  g_object_unref (self->session);
  g_object_unref (self->model);
  g_free (self->onnx_path);
  g_array_unref (self->own);
}

static gint64
read_thread_clock (void)
{
  struct timespec used;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &used);
  return (gint64)used.tv_sec * G_GINT64_CONSTANT (1000000000) + used.tv_nsec;
}

/* Returns steps per second. */
static double
run_for (Bench *self, gint64 nanoseconds)
{
  g_autoptr (DynoSamples) samples = dyno_samples_new (100000);
  gint64 used = read_thread_clock ();
  gint64 start = dyno_clock_now_ns ();
  GError *error = NULL;
  double own;

  do
    if (!dyno_workload_sample (self->workload, samples, 1, &error))
      bench_use_no_error (error);
  while (dyno_samples_get_last_end (samples) < start + nanoseconds && !dyno_samples_is_full (samples));
  own = 100.0 * (double)(read_thread_clock () - used) / (double)(dyno_samples_get_last_end (samples) - start);
  g_array_append_val (self->own, own);
  return 1e9 * (double)dyno_samples_get_length (samples) /
         (double)(dyno_samples_get_last_end (samples) - start);
}

static double
run_alone (gpointer data)
{
  run_for (data, UNTIMED_NS);
  return run_for (data, BLOCK_NS);
}

/* A new sampler is still migrating to its core, so the first steps are excluded. */
static double
run_sampled (gpointer data)
{
  Bench *self = data;
  g_autoptr (DynoProcessMemory) nobody = dyno_process_memory_new ();
  g_autoptr (DynoSensor) sensor = dyno_memory_sensor_new (nobody);
  g_autoptr (DynoSampler) sampler = dyno_sampler_new (dyno_clock_now_ns ());
  g_autoptr (DynoTrace) trace = NULL;
  double rate;

  if (sensor == NULL)
    bench_skip ("this system does not tell a process its resident set");
  trace = dyno_sampler_add (sampler, sensor, "memory_rss", PERIOD_MS);
  dyno_sampler_start (sampler);
  run_for (self, UNTIMED_NS);
  rate = run_for (self, BLOCK_NS);
  dyno_sampler_stop (sampler);
  return rate;
}

/* Returns the processor time of a sampler while the work goes on, in per cent of a core. */
static double
cost_sampler (gpointer data)
{
  g_autoptr (DynoProcessMemory) nobody = dyno_process_memory_new ();
  g_autoptr (DynoSensor) sensor = dyno_memory_sensor_new (nobody);
  g_autoptr (DynoSampler) sampler = dyno_sampler_new (dyno_clock_now_ns ());
  g_autoptr (DynoTrace) trace = dyno_sampler_add (sampler, sensor, "memory_rss", PERIOD_MS);

  dyno_sampler_set_may_rest (sampler, trace, TRUE);
  dyno_sampler_start (sampler);
  run_for (data, COSTED_NS);
  dyno_sampler_stop (sampler);
  return dyno_sampler_get_load_percent (sampler);
}

typedef struct
{
  GMutex mutex;
  GCond woken;
  gboolean stops;
  double percent;
} Waking;

static gpointer
wake_up (gpointer data)
{
  Waking *self = data;
  gint64 begin, used, due = g_get_monotonic_time ();

  dyno_pinning_bind_sampler (NULL);
  begin = dyno_clock_now_ns ();
  used = read_thread_clock ();
  g_mutex_lock (&self->mutex);
  while (!self->stops)
    {
      due += PERIOD_MS * G_TIME_SPAN_MILLISECOND;
      while (!self->stops && g_cond_wait_until (&self->woken, &self->mutex, due))
        continue;
    }
  g_mutex_unlock (&self->mutex);
  self->percent = 100.0 * (double)(read_thread_clock () - used) / (double)(dyno_clock_now_ns () - begin);
  return NULL;
}

/* The same of a thread that wakes as often as the sampler may, and does nothing. */
static double
cost_waking (gpointer data)
{
  Waking waking = { 0 };
  GThread *thread = g_thread_new ("waking", wake_up, &waking);

  run_for (data, COSTED_NS);
  g_mutex_lock (&waking.mutex);
  waking.stops = TRUE;
  g_cond_signal (&waking.woken);
  g_mutex_unlock (&waking.mutex);
  g_thread_join (thread);
  return waking.percent;
}

static void
bench_cost (void)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();
  Bench bench = { NULL };

  set_up (&bench, 1);
  bench_pairs_run (pairs, N_COSTED, cost_sampler, cost_waking, &bench);
  bench_report_value ("processor time of the sampler", "% of a core", "a thread that only wakes every 10 ms",
                      pairs, BENCH_AT_MOST, 0.1);
  bench_row_of_pairs ("processor time of the sampler of memory", "at most 0.1 % of a core", "% of a core",
                      "a thread that only wakes every 10 ms", pairs);
  tear_down (&bench);
}

static void
bench_threads (const char *name, guint threads)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();
  Bench bench = { NULL };

  set_up (&bench, threads);
  bench_pairs_run (pairs, N_ROUNDS, run_sampled, run_alone, &bench);
  bench_report_ratio (name, "steps/s", "without a sampler", pairs, BENCH_AT_LEAST, 0.995);
  bench_report_number (
      "  processor time of the work; less than nearly all means other programs took the rest", "% of a core",
      bench.own);
  tear_down (&bench);
}

static gpointer
wait_for_end (gpointer end)
{
  return g_async_queue_pop (end);
}

/* The worker has other threads that wait for messages: with a second thread the C library starts to lock, which must
 * not count as a cost of the sampler. */
static int
run_suite (int argc, char *argv[])
{
  g_autoptr (GAsyncQueue) end = g_async_queue_new ();
  GThread *waiting = g_thread_new ("waiting", wait_for_end, end);

  bench_init ();
  skip_without_runtime ();
  bench_cost ();
  bench_threads ("throughput on one core, memory sampled every 10 ms", 1);
  bench_threads ("throughput on all cores, memory sampled every 10 ms", g_get_num_processors ());
  g_async_queue_push (end, end);
  g_thread_join (waiting);
  return 0;
}

SUITE (run_suite)
