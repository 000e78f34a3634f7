/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-error.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"
#include "dyno-worker-private.h"
#include "suite.h"

#define N_SAMPLES 7
#define N_TURNS   3

/* A measurer on a thread of its own, and the turns that it gets. */
typedef struct
{
  GMainLoop *loop;
  DynoTurnGate *gate;
  DynoMeasurer *measurer;
  GArray *reports;
  guint n_turns;
  DynoResult *result;
  GError *error;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "demo-small.json", NULL);

  g_setenv ("DYNO_FAKE_BACKEND", path, TRUE);
  fixture->loop = g_main_loop_new (NULL, FALSE);
  fixture->reports = g_array_new (FALSE, FALSE, sizeof (DynoTurnReport));
  fixture->n_turns = N_TURNS;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_main_loop_unref (fixture->loop);
  g_array_unref (fixture->reports);
  g_clear_object (&fixture->measurer);
  g_clear_pointer (&fixture->gate, dyno_turn_gate_free);
  g_clear_object (&fixture->result);
  g_clear_error (&fixture->error);
}

static void
arrived_cb (const DynoTurnReport *report, gpointer data)
{
  Fixture *fixture = data;

  g_array_append_val (fixture->reports, *report);
  dyno_turn_gate_open (fixture->gate, fixture->reports->len <= fixture->n_turns ? N_SAMPLES : 0);
}

static void
measured_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  fixture->result = g_task_propagate_pointer (G_TASK (result), &fixture->error);
  g_main_loop_quit (fixture->loop);
}

static void
measure_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  DynoResult *result = dyno_measurer_run (((Fixture *)data)->measurer, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
measure (Fixture *fixture, DynoCase *kase)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, measured_cb, fixture);

  fixture->gate = dyno_turn_gate_new (arrived_cb, fixture, &fixture->error);
  g_assert_no_error (fixture->error);
  fixture->measurer = dyno_measurer_new (kase, 1, FALSE);
  dyno_measurer_set_gate (fixture->measurer, fixture->gate);
  g_task_set_task_data (task, fixture, NULL);
  g_task_run_in_thread (task, measure_in_thread);
  g_main_loop_run (fixture->loop);
}

static DynoCase *
create_case (guint generate_tokens)
{
  g_autoptr (DynoMethod) method = dyno_method_new ();

  g_object_set (method, "invocations", 1, "warmup-steps", 40, "warmup-seconds", 0.0, "min-samples", 10,
                "min-seconds", 0.01, "max-seconds", 5.0, NULL);
  return g_object_new (DYNO_TYPE_CASE, "model", generate_tokens > 0 ? "SmolLM2-135M" : "bert-tiny", "backend",
                       "fake", "sequence-length", 8, "generate-tokens", generate_tokens, "threads", 1,
                       "method", method, NULL);
}

static DynoTrace *
get_trace (Fixture *fixture, const char *name, gsize length)
{
  DynoTrace *trace = dyno_result_get_trace (fixture->result, name);

  g_assert_nonnull (trace);
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, length);
  return trace;
}

static double
find_median (const double *values, gsize n)
{
  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));

  dyno_stats_sort (sorted, n);
  return dyno_stats_percentile (sorted, n, 50);
}

/* Each turn has the samples that were asked for, and one before them that does not count. */
static void
test_turns (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoCase) kase = create_case (0);
  DynoSample measured;
  DynoTrace *turns, *cold;

  measure (fixture, kase);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->reports->len, ==, N_TURNS + 1);
  g_assert_true (isnan (g_array_index (fixture->reports, DynoTurnReport, 0).cold_ms));
  g_assert_cmpfloat (g_array_index (fixture->reports, DynoTurnReport, 0).sample_ms, >, 0);
  measured = dyno_result_get_measured (fixture->result, 0);
  turns = get_trace (fixture, "turns", N_TURNS);
  cold = get_trace (fixture, "cold_latency", N_TURNS);
  g_assert_cmpuint (measured.n, ==, N_TURNS * N_SAMPLES);
  for (guint i = 0; i < N_TURNS; i++)
    {
      const DynoTurnReport *report = &g_array_index (fixture->reports, DynoTurnReport, i + 1);

      g_assert_cmpfloat (dyno_trace_get_values (turns)[i], ==, i);
      g_assert_cmpint (dyno_trace_get_times (cold)[i], >=, dyno_trace_get_times (turns)[i]);
      g_assert_cmpfloat (dyno_trace_get_values (cold)[i], ==, report->cold_ms);
      g_assert_cmpfloat_with_epsilon (find_median (measured.values + i * N_SAMPLES, N_SAMPLES),
                                      report->median_ms, 1e-9);
    }
  g_assert_true (dyno_value_is_number (dyno_result_get_value (fixture->result, "cold_return_ms")));
  g_assert_cmpfloat (dyno_result_get_number (fixture->result, "turns_wait_ms"), >, 0);
  g_assert_cmpfloat (dyno_result_get_number (fixture->result, "latency_p50_ms"), >, 0);
}

/* The first generation of a turn is no part of what is said of prompts and tokens either. */
static void
test_generation (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoCase) kase = create_case (3);

  measure (fixture, kase);
  g_assert_no_error (fixture->error);
  get_trace (fixture, "inter_token_latency", N_TURNS * N_SAMPLES * 2);
  get_trace (fixture, "first_token_latency", N_TURNS * N_SAMPLES);
  g_assert_cmpuint (dyno_result_get_measured (fixture->result, 0).n, ==, N_TURNS * N_SAMPLES);
}

static void
test_no_turn (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoCase) kase = create_case (0);

  fixture->n_turns = 0;
  measure (fixture, kase);
  g_assert_error (fixture->error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

/* A case that fails on the way to its first turn never waits. */
static void
test_failure (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoCase) kase = create_case (0);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "fail-open.json", NULL);

  g_setenv ("DYNO_FAKE_BACKEND", path, TRUE);
  measure (fixture, kase);
  g_assert_nonnull (fixture->error);
  g_assert_cmpuint (fixture->reports->len, ==, 0);
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/turns/turns", test_turns },
  { "/turns/generation", test_generation },
  { "/turns/no-turn", test_no_turn },
  { "/turns/failure", test_failure },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)
