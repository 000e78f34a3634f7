/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bare-loop.h"
#include "bench.h"
#include "dyno-backend.h"
#include "dyno-clock.h"
#include "dyno-ort.h"
#include "dyno-pinning.h"
#include "dyno-stats.h"
#include "dyno-worker-private.h"
#include "suite.h"

/* What Dyno adds to a step. The same model (BERT tiny, one item of 8 tokens, a tenth of a millisecond at most) runs in
 * two sessions of the same library with the same options, on one thread and the same four sets of inputs: once through
 * Dyno's own measuring path (backend, session, workload, samples), once in a bare loop over the C API. Both read the
 * clock right before and after the engine, and their medians are compared. Two sessions of one model can differ
 * permanently by a per cent, depending on memory placement. So both are opened again for every pair, in alternating
 * order, and the differences average out. */

#define N_SLOTS           4
#define N_PAIRS           60
#define N_BLOCKS          10
#define STEPS_PER_BLOCK   60
#define UNTIMED_STEPS     10
#define N_RECORD_ROUNDS   101
#define RECORDS_PER_ROUND 20000

typedef struct
{
  DynoBackend *backend;
  DynoOrtRuntime *runtime;
  DynoCase *kase;
  DynoModel *model;
  DynoWorkload *workload;
  GPtrArray *slots;
  char *onnx_path;
} Bench;

/* The inputs that the workload makes for itself. */
static void
add_slots (Bench *self)
{
  GError *error = NULL;
  g_autoptr (GHashTable) binding = dyno_model_bind (self->model, 1, 8, NULL, &error);

  bench_use_no_error (error);
  self->slots = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  for (guint i = 0; i < N_SLOTS; i++)
    g_ptr_array_add (self->slots, dyno_model_create_inputs (self->model, binding, NULL,
                                                            dyno_case_get_seed (self->kase) + i, &error));
  bench_use_no_error (error);
}

static void
set_up (Bench *self)
{
  GError *error = NULL;

  self->runtime = dyno_ort_library_get_default (&error);
  if (self->runtime == NULL)
    bench_skip (error->message);
  self->backend = dyno_backend_lookup ("cpu", &error);
  bench_use_no_error (error);
  self->kase = dyno_case_new ("bert-tiny", "cpu");
  g_object_set (self->kase, "batch-size", 1, "sequence-length", 8, "threads", 1, NULL);
  self->model = dyno_model_load ("bert-tiny", &error);
  bench_use_no_error (error);
  self->onnx_path = dyno_model_prepare (self->model, "fp32", 1, NULL, &error);
  bench_use_no_error (error);
  self->workload = dyno_workload_new (self->kase, self->model, &error);
  bench_use_no_error (error);
  add_slots (self);
}

static void
tear_down (Bench *self)
{
  g_object_unref (self->kase);
  g_object_unref (self->model);
  g_object_unref (self->workload);
  g_ptr_array_unref (self->slots);
  g_free (self->onnx_path);
}

static DynoSession *
open_dyno (Bench *self)
{
  DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = TRUE };
  GError *error = NULL;
  DynoSession *session = dyno_backend_open (self->backend, self->onnx_path, &options, &error);

  bench_use_no_error (error);
  dyno_workload_prepare (self->workload, session, &error);
  bench_use_no_error (error);
  return session;
}

static BareLoop *
open_bare (Bench *self)
{
  return bare_loop_new (self->runtime, self->onnx_path, 1, self->slots);
}

static void
run_dyno (Bench *self, DynoSamples *samples, guint n_steps)
{
  GError *error = NULL;

  for (guint i = 0; i < n_steps; i++)
    dyno_workload_sample (self->workload, samples, 1, &error);
  bench_use_no_error (error);
}

static double
median_microseconds (DynoSamples *samples)
{
  gsize n = dyno_samples_get_length (samples);
  g_autofree double *values = dyno_samples_to_milliseconds (samples, 0, n, 1);

  dyno_stats_sort (values, n);
  return 1e3 * dyno_stats_percentile (values, n, 50);
}

/* The first steps after a switch run with cold caches and are excluded. */
static void
compare_sessions (Bench *self, BareLoop *bare, BenchPairs *pairs)
{
  g_autoptr (DynoSamples) untimed = dyno_samples_new (2 * N_BLOCKS * UNTIMED_STEPS);
  g_autoptr (DynoSamples) dyno_samples = dyno_samples_new (N_BLOCKS * STEPS_PER_BLOCK);
  g_autoptr (DynoSamples) bare_samples = dyno_samples_new (N_BLOCKS * STEPS_PER_BLOCK);

  for (guint i = 0; i < N_BLOCKS; i++)
    {
      run_dyno (self, untimed, UNTIMED_STEPS);
      run_dyno (self, dyno_samples, STEPS_PER_BLOCK);
      bare_loop_run (bare, untimed, UNTIMED_STEPS);
      bare_loop_run (bare, bare_samples, STEPS_PER_BLOCK);
    }
  bench_pairs_add (pairs, median_microseconds (dyno_samples), median_microseconds (bare_samples));
}

static void
bench_latency (Bench *self)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  for (guint i = 0; i < N_PAIRS; i++)
    {
      g_autoptr (DynoSession) session = i % 2 == 0 ? open_dyno (self) : NULL;
      g_autoptr (BareLoop) bare = open_bare (self);

      if (session == NULL)
        session = open_dyno (self);
      compare_sessions (self, bare, pairs);
    }
  bench_report_ratio ("median latency of a step", "µs", "a bare loop over the C API", pairs, BENCH_AT_MOST,
                      1.005);
}

#define EMPTY_TYPE_SESSION (empty_session_get_type ())
G_DECLARE_FINAL_TYPE (EmptySession, empty_session, EMPTY, SESSION, DynoSession)

/* An engine that returns at once, so that only the recording takes time. */
struct _EmptySession
{
  DynoSession parent_instance;
};

G_DEFINE_FINAL_TYPE (EmptySession, empty_session, DYNO_TYPE_SESSION)

static gboolean
empty_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  return TRUE;
}

static gboolean
empty_session_run (DynoSession *session, GError **error)
{
  return TRUE;
}

static void
empty_session_class_init (EmptySessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  session_class->set_inputs = empty_session_set_inputs;
  session_class->run = empty_session_run;
}

static void
empty_session_init (EmptySession *self)
{
}

/* The loop of the measurer, over a step that is empty. */
static double
record_samples (gpointer data)
{
  Bench *self = data;
  g_autoptr (DynoSamples) samples = dyno_samples_new (RECORDS_PER_ROUND);
  gint64 start = dyno_clock_now_ns ();

  do
    if (G_UNLIKELY (!dyno_workload_sample (self->workload, samples, 1, NULL)))
      break;
  while (dyno_samples_get_last_end (samples) < G_MAXINT64 && !dyno_samples_is_full (samples));
  return (double)(dyno_samples_get_last_end (samples) - start) / RECORDS_PER_ROUND;
}

static double
read_clock_twice (gpointer data)
{
  gint64 start = dyno_clock_now_ns ();
  gint64 end = start;

  for (guint i = 0; i < 2 * RECORDS_PER_ROUND; i++)
    end = dyno_clock_now_ns ();
  return (double)(end - start) / RECORDS_PER_ROUND;
}

static void
bench_recording (Bench *self)
{
  g_autoptr (DynoSession) session = g_object_new (EMPTY_TYPE_SESSION, NULL);
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  dyno_workload_prepare (self->workload, session, NULL);
  bench_pairs_run (pairs, N_RECORD_ROUNDS, record_samples, read_clock_twice, self);
  bench_report_value ("recording a sample of an empty step", "ns", "two looks at the clock", pairs,
                      BENCH_AT_MOST, 100);
}

static int
run_suite (int argc, char *argv[])
{
  Bench bench = { NULL };

  bench_init ();
  dyno_pinning_bind (NULL, 1, NULL);
  set_up (&bench);
  bench_latency (&bench);
  bench_recording (&bench);
  tear_down (&bench);
  return 0;
}

SUITE (run_suite)
