/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-case-check.h"
#include "dyno-latency-interval.h"
#include "dyno-result-samples.h"
#include "dyno-runner.h"
#include "suite.h"

#define N_INVOCATIONS 3

/* The sequence of events: the case and its invocation. */
typedef struct
{
  guint ordinal;
  guint invocation;
} Turn;

typedef struct Fixture
{
  GMainLoop *loop;
  DynoPlan *plan;
  DynoRunner *runner;
  DynoRun *run;
  GCancellable *cancellable;
  GArray *turns;
  guint n_analyses; /* after the last turn */
  guint stall_seconds;
  guint n_held;
  gboolean stops_held;
  void (*interfere) (gpointer fixture, const Turn *turn);
  void (*prepare) (struct Fixture *fixture); /* before it runs */
} Fixture;

static void
choose_script (const char *script)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", script, NULL);

  g_setenv ("DYNO_FAKE_BACKEND", path, TRUE);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  choose_script ("demo-small.json");
  fixture->loop = g_main_loop_new (NULL, FALSE);
  fixture->cancellable = g_cancellable_new ();
  fixture->turns = g_array_new (FALSE, FALSE, sizeof (Turn));
  fixture->stall_seconds = 60; /* a busy machine is no hang */
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->run);
  g_clear_object (&fixture->runner);
  g_clear_object (&fixture->plan);
  g_clear_object (&fixture->cancellable);
  g_array_unref (fixture->turns);
  g_main_loop_unref (fixture->loop);
}

static void
finished_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  fixture->run = dyno_runner_run_finish (DYNO_RUNNER (object), result, NULL);
  g_main_loop_quit (fixture->loop);
}

static void
note_turn_cb (Fixture *fixture)
{
  DynoResult *current = dyno_runner_get_current (fixture->runner);
  Turn turn;

  if (current == NULL)
    return;
  turn = (Turn){ dyno_result_get_ordinal (current), dyno_runner_get_invocation (fixture->runner) };
  if (dyno_runner_is_analysing (fixture->runner))
    fixture->n_analyses++;
  else
    g_array_append_val (fixture->turns, turn);
  if (fixture->interfere != NULL)
    fixture->interfere (fixture, &turn);
}

static void
run (Fixture *fixture, const char *rest)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json = g_strdup_printf (
      "{ \"models\": [\"bert-tiny\"], \"backends\": [\"fake\"], \"sequence-lengths\": [8], %s"
      " \"method\": { \"invocations\": %d, \"warmup-steps\": 2, \"warmup-seconds\": 0, \"min-samples\": 30,"
      " \"min-seconds\": 0.01, \"max-seconds\": 0.5, \"interval-percent\": 50 } }",
      rest, N_INVOCATIONS);

  fixture->plan = dyno_plan_new_from_json (json, &error);
  g_assert_no_error (error);
  fixture->runner = dyno_runner_new (fixture->plan, NULL);
  dyno_runner_set_limits (fixture->runner, fixture->stall_seconds, 3600);
  g_signal_connect_swapped (fixture->runner, "notify::current", G_CALLBACK (note_turn_cb), fixture);
  if (fixture->prepare != NULL)
    fixture->prepare (fixture);
  dyno_runner_run_async (fixture->runner, fixture->cancellable, finished_cb, fixture);
  g_main_loop_run (fixture->loop);
}

static DynoResult *
get_result (Fixture *fixture, guint index)
{
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (fixture->run), index);

  g_assert_nonnull (result);
  return result;
}

/* Each block holds every case once, and not all blocks in the same order. */
static void
assert_blocks (Fixture *fixture, guint n_cases)
{
  gboolean same = TRUE;

  g_assert_cmpuint (fixture->turns->len, ==, n_cases * N_INVOCATIONS);
  for (guint block = 0; block < N_INVOCATIONS; block++)
    {
      guint64 seen = 0;

      for (guint i = 0; i < n_cases; i++)
        {
          const Turn *turn = &g_array_index (fixture->turns, Turn, block * n_cases + i);

          g_assert_cmpuint (turn->invocation, ==, block);
          seen |= G_GUINT64_CONSTANT (1) << turn->ordinal;
          same = same && turn->ordinal == g_array_index (fixture->turns, Turn, i).ordinal;
        }
      g_assert_cmpuint (seen, ==, (1 << n_cases) - 1);
    }
  g_assert_false (same);
}

/* A machine with other work may not become steady; then there is no range, and it is said why. */
static void
assert_range (DynoResult *result)
{
  double median = dyno_result_get_number (result, "latency_p50_ms");
  DynoValue *low = dyno_result_get_value (result, "latency_median_low_ms");

  g_assert_cmpint (dyno_latency_interval_get_kind (result), ==, DYNO_INTERVAL_RANGE);
  if (dyno_result_get_state (result) == DYNO_CASE_STATE_UNSTEADY)
    {
      g_assert_false (dyno_value_is_number (low));
      g_assert_cmpstr (dyno_value_get_source (low), !=, "");
      return;
    }
  g_assert_cmpfloat (dyno_value_get_number (low), <=, median);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_median_high_ms"), >=, median);
}

static void
assert_whole (DynoResult *result)
{
  g_autoptr (GArray) samples = dyno_result_list_steady (result);
  double median = dyno_result_get_number (result, "latency_p50_ms");
  double n_samples = 0;
  guint n;
  g_autofree double *medians = dyno_result_dup_invocation_numbers (result, "latency_p50_ms", &n);
  g_autofree double *flops = NULL;

  g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, N_INVOCATIONS);
  g_assert_cmpuint (n, ==, N_INVOCATIONS);
  g_assert_cmpuint (samples->len, ==, N_INVOCATIONS);
  for (guint i = 0; i < samples->len; i++)
    n_samples += (double)g_array_index (samples, DynoSample, i).n;
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_samples"), ==, n_samples);
  assert_range (result);
  /* The analysis is that of the first. */
  flops = dyno_result_dup_invocation_numbers (result, "flops", &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpfloat_with_epsilon (dyno_result_get_number (result, "flops_per_sec"), flops[0] / (median / 1e3),
                                  1e-6 * flops[0] / (median / 1e3));
  g_assert_cmpuint (dyno_result_get_operators (result)->len, >, 0);
  g_assert_null (dyno_result_find_message (result, "invocations-missing"));
  g_assert_null (dyno_result_find_message (result, DYNO_RESULT_NOT_ANALYSED));
}

static void
test_blocks (Fixture *fixture, gconstpointer data)
{
  run (fixture, "\"batch-sizes\": [1, 2, 3, 4], ");
  assert_blocks (fixture, 4);
  g_assert_cmpuint (dyno_run_get_n_ok (fixture->run), ==, 4);
  g_assert_cmpfloat (dyno_runner_get_progress (fixture->runner), ==, 1);
  g_assert_cmpuint (dyno_runner_count_finished (fixture->runner), ==, 4);
  for (guint i = 0; i < 4; i++)
    assert_whole (get_result (fixture, i));
}

/* The most urgent cases are measured whole, the first named before the next, and the rest in blocks after them. */
static void
test_first (Fixture *fixture, gconstpointer data)
{
  run (fixture, "\"batch-sizes\": [1, 2, 3, 4], \"first\": [3, \"BATCH 2\"], ");
  g_assert_cmpuint (fixture->turns->len, ==, 4 * N_INVOCATIONS);
  for (guint i = 0; i < 4 * N_INVOCATIONS; i++)
    {
      const Turn *turn = &g_array_index (fixture->turns, Turn, i);

      if (i < N_INVOCATIONS)
        g_assert_cmpuint (turn->ordinal, ==, 2);
      else if (i < 2 * N_INVOCATIONS)
        g_assert_cmpuint (turn->ordinal, ==, 1);
      else
        g_assert_true (turn->ordinal == 0 || turn->ordinal == 3);
      g_assert_cmpuint (turn->invocation, ==,
                        i < 2 * N_INVOCATIONS ? i % N_INVOCATIONS : i / 2 - N_INVOCATIONS);
    }
  g_assert_cmpuint (dyno_result_get_ordinal (get_result (fixture, 0)), ==, 2);
  g_assert_cmpuint (dyno_result_get_ordinal (get_result (fixture, 1)), ==, 1);
  for (guint i = 0; i < 4; i++)
    assert_whole (get_result (fixture, i));
}

/* By then every case has all its numbers, and says what is missing. */
static void
expect_numbers (gpointer data, const Turn *turn)
{
  Fixture *fixture = data;
  GListModel *results = dyno_run_get_results (dyno_runner_get_run (fixture->runner));

  if (turn->invocation != DYNO_CASE_ANALYSIS)
    return;
  g_assert_cmpuint (dyno_runner_count_finished (fixture->runner), ==, g_list_model_get_n_items (results));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      gboolean is_analysed = i + 1 < fixture->n_analyses;

      g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, N_INVOCATIONS);
      g_assert_true (isfinite (dyno_result_get_number (result, "latency_p50_ms")));
      g_assert_true ((dyno_result_find_message (result, DYNO_RESULT_NOT_ANALYSED) == NULL) == is_analysed);
      g_assert_true ((dyno_result_get_operators (result)->len > 0) == is_analysed);
    }
}

static void
test_numbers_first (Fixture *fixture, gconstpointer data)
{
  fixture->interfere = expect_numbers;
  run (fixture, "\"batch-sizes\": [1, 2], \"shuffle\": false, ");
  g_assert_cmpuint (fixture->turns->len, ==, 2 * N_INVOCATIONS);
  g_assert_cmpuint (fixture->n_analyses, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      assert_whole (get_result (fixture, i));
      g_assert_true (isfinite (dyno_result_get_number (get_result (fixture, i), DYNO_RESULT_ANALYSIS_MS)));
    }
}

static void
cancel_analysis (gpointer data, const Turn *turn)
{
  if (turn->invocation == DYNO_CASE_ANALYSIS)
    g_cancellable_cancel (((Fixture *)data)->cancellable);
}

/* A run whose analysis is stopped keeps its numbers, and says that the analysis is missing. */
static void
test_analysis_stopped (Fixture *fixture, gconstpointer data)
{
  fixture->interfere = cancel_analysis;
  run (fixture, "\"batch-sizes\": [1, 2], ");
  g_assert_cmpuint (fixture->n_analyses, ==, 1);
  for (guint i = 0; i < 2; i++)
    {
      DynoResult *result = get_result (fixture, i);

      g_assert_cmpint (dyno_result_get_status (result), ==, DYNO_STATUS_OK);
      g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, N_INVOCATIONS);
      g_assert_nonnull (dyno_result_find_message (result, DYNO_RESULT_NOT_ANALYSED));
      g_assert_null (dyno_result_find_message (result, "invocations-missing"));
    }
}

/* Runs the analyses that the run lacks, as of a run from a store, which keeps no diagnostics of single processes. */
static void
analyse_later (Fixture *fixture, DynoRun *stopped)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (dyno_run_get_results (stopped)); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (stopped), i);
      GPtrArray *invocations = dyno_result_get_invocations (result);

      for (guint k = 0; k < invocations->len; k++)
        g_ptr_array_set_size (((DynoInvocation *)invocations->pdata[k])->diagnostics, 0);
    }
  fixture->interfere = NULL;
  g_clear_object (&fixture->runner);
  fixture->runner = dyno_runner_new_for_analysis (stopped, NULL, &error);
  g_assert_no_error (error);
  g_signal_connect_swapped (fixture->runner, "notify::current", G_CALLBACK (note_turn_cb), fixture);
  dyno_runner_run_async (fixture->runner, NULL, finished_cb, fixture);
  g_main_loop_run (fixture->loop);
}

/* An analysis that was stopped is made up for, without measuring again. */
static void
test_analysed_later (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) stopped = NULL;
  double medians[2];

  fixture->interfere = cancel_analysis;
  run (fixture, "\"batch-sizes\": [1, 2], ");
  g_assert_true (dyno_run_is_interrupted (fixture->run));
  for (guint i = 0; i < 2; i++)
    medians[i] = dyno_result_get_number (get_result (fixture, i), "latency_p50_ms");
  stopped = g_steal_pointer (&fixture->run);

  gint64 finished = dyno_run_get_finished_at (stopped);

  analyse_later (fixture, stopped);
  g_assert_true (fixture->run == stopped);
  g_assert_cmpint (dyno_run_get_finished_at (stopped), ==, finished);
  g_assert_cmpuint (fixture->turns->len, ==, 2 * N_INVOCATIONS);
  g_assert_cmpuint (fixture->n_analyses, ==, 1 + 2);
  g_assert_false (dyno_run_is_interrupted (fixture->run));
  for (guint i = 0; i < 2; i++)
    {
      DynoResult *result = get_result (fixture, i);

      g_assert_cmpfloat (dyno_result_get_number (result, "latency_p50_ms"), ==, medians[i]);
      g_assert_true (isfinite (dyno_result_get_number (result, DYNO_RESULT_ANALYSIS_MS)));
      g_assert_cmpuint (dyno_result_get_operators (result)->len, >, 0);
      g_assert_null (dyno_result_find_message (result, DYNO_RESULT_NOT_ANALYSED));
      g_assert_nonnull (dyno_result_find_message (result, "placement"));
    }
}

/* A run whose process was killed has no end until its rest is analysed. */
static void
test_analysed_after_kill (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) killed = NULL;

  fixture->interfere = cancel_analysis;
  run (fixture, "\"batch-sizes\": [1, 2], ");
  killed = g_steal_pointer (&fixture->run);
  g_object_set (killed, "finished-at", G_GINT64_CONSTANT (0), NULL);
  analyse_later (fixture, killed);
  g_assert_cmpint (dyno_run_get_finished_at (killed), >=, dyno_run_get_started_at (killed));
  g_assert_false (dyno_run_is_interrupted (killed));
}

/* A run that another version of Dyno measured stays as it is. */
static void
test_analysed_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) stopped = NULL;

  fixture->interfere = cancel_analysis;
  run (fixture, "\"batch-sizes\": [1, 2], ");
  stopped = g_steal_pointer (&fixture->run);
  g_object_set (stopped, "app-version", "0.0", NULL);
  analyse_later (fixture, stopped);
  g_assert_null (fixture->run);
  g_assert_cmpuint (fixture->n_analyses, ==, 1);
}

static void
crash_analysis (gpointer data, const Turn *turn)
{
  choose_script (turn->invocation == DYNO_CASE_ANALYSIS ? "fail-open.json" : "demo-small.json");
}

/* An analysis that fails takes no number away. */
static void
test_analysis_fails (Fixture *fixture, gconstpointer data)
{
  fixture->interfere = crash_analysis;
  run (fixture, "");
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_OK);
  g_assert_cmpuint (dyno_result_get_n_invocations (get_result (fixture, 0)), ==, N_INVOCATIONS);
  g_assert_nonnull (dyno_result_find_message (get_result (fixture, 0), "no-analysis"));
  g_assert_null (dyno_result_find_message (get_result (fixture, 0), DYNO_RESULT_NOT_ANALYSED));
}

static void
fall_back_later (gpointer data, const Turn *turn)
{
  choose_script (turn->invocation == DYNO_CASE_ANALYSIS ? "fell-back.json" : "demo-small.json");
}

/* Numbers of another device are none of the case. */
static void
test_analysis_refutes (Fixture *fixture, gconstpointer data)
{
  fixture->interfere = fall_back_later;
  run (fixture, "");
  g_assert_cmpuint (fixture->turns->len, ==, N_INVOCATIONS);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_FAILED);
  g_assert_nonnull (strstr (dyno_result_get_reason (get_result (fixture, 0)), "fell back"));
  g_assert_cmpuint (dyno_result_get_values (get_result (fixture, 0))->len, ==, 0);
  g_assert_cmpuint (dyno_result_get_invocations (get_result (fixture, 0))->len, ==, 0);
}

/* A worker inherits the environment at its start. */
static void
crash_second (gpointer fixture, const Turn *turn)
{
  choose_script (turn->invocation == 1 ? "crash.json" : "demo-small.json");
}

static void
test_later_crash (Fixture *fixture, gconstpointer data)
{
  DynoResult *result;

  fixture->interfere = crash_second;
  run (fixture, "");
  result = get_result (fixture, 0);
  g_assert_cmpuint (fixture->turns->len, ==, N_INVOCATIONS);
  g_assert_cmpint (dyno_result_get_state (result), !=, DYNO_CASE_STATE_MEASURED);
  g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, N_INVOCATIONS - 1);
  g_assert_cmpuint (dyno_result_get_invocations (result)->len, ==, N_INVOCATIONS);
  g_assert_nonnull (dyno_result_find_message (result, "invocation-failed"));
  g_assert_null (dyno_result_find_message (result, "invocations-missing"));
  g_assert_nonnull (dyno_result_get_invocation_trace (result, "latency", 2));
}

static void
crash_always (gpointer fixture, const Turn *turn)
{
  choose_script ("crash.json");
}

static void
test_first_crash (Fixture *fixture, gconstpointer data)
{
  fixture->interfere = crash_always;
  run (fixture, "");
  g_assert_cmpuint (fixture->turns->len, ==, 1);
  g_assert_cmpint (dyno_result_get_state (get_result (fixture, 0)), ==, DYNO_CASE_STATE_FAILED);
}

/* Only the worker that hangs has so little time. */
static void
hang_second (gpointer data, const Turn *turn)
{
  Fixture *fixture = data;

  choose_script (turn->invocation == 1 ? "hang.json" : "demo-small.json");
  dyno_runner_set_limits (fixture->runner, turn->invocation == 1 ? 1 : fixture->stall_seconds, 3600);
}

/* A case that hung once is not tried again. */
static void
test_later_hang (Fixture *fixture, gconstpointer data)
{
  DynoResult *result;

  fixture->interfere = hang_second;
  run (fixture, "");
  result = get_result (fixture, 0);
  g_assert_cmpuint (fixture->turns->len, ==, 2);
  g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, 1);
  g_assert_cmpint (dyno_result_get_state (result), !=, DYNO_CASE_STATE_MEASURED);
  g_assert_nonnull (dyno_result_find_message (result, "invocation-failed"));
  g_assert_false (dyno_run_is_interrupted (fixture->run));
}

/* The sides of each block take turns; sizes have blocks of their own. */
static void
test_turns (Fixture *fixture, gconstpointer data)
{
  run (fixture, "\"batch-sizes\": [1, 2], \"options\": [\"\", \"repeats=2\"], \"turns\": true, ");
  g_assert_cmpuint (dyno_run_get_n_ok (fixture->run), ==, 4);
  g_assert_cmpfloat (dyno_runner_get_progress (fixture->runner), ==, 1);
  g_assert_cmpuint (dyno_runner_count_finished (fixture->runner), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      assert_whole (get_result (fixture, i));
      for (guint k = 0; k < N_INVOCATIONS; k++)
        g_assert_nonnull (dyno_result_get_invocation_trace (get_result (fixture, i), "turns", k));
      g_assert_null (dyno_result_find_message (get_result (fixture, i), DYNO_SIDE_GROUP_CODE));
    }
}

/* A side that is refused leaves the other one alone, which is then measured as any case. */
static void
test_turns_refused (Fixture *fixture, gconstpointer data)
{
  guint n_ok = 0;

  run (fixture, "\"backends\": [\"fake:fake0\", \"fake:fake9\"], \"turns\": true, ");
  for (guint i = 0; i < 2; i++)
    {
      DynoResult *result = get_result (fixture, i);

      g_assert_null (dyno_result_get_trace (result, "turns"));
      if (dyno_result_get_status (result) == DYNO_STATUS_OK)
        {
          assert_whole (result);
          n_ok++;
        }
    }
  g_assert_cmpuint (n_ok, ==, 1);
  g_assert_cmpuint (dyno_runner_count_finished (fixture->runner), ==, 2);
}

/* Requests under load cannot be stopped for a while. */
static void
test_turns_obstacle (Fixture *fixture, gconstpointer data)
{
  run (fixture, "\"options\": [\"\", \"repeats=2\"], \"loads\": [\"concurrent=2\"], \"turns\": true, ");
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (dyno_result_get_status (get_result (fixture, i)), ==, DYNO_STATUS_OK);
      g_assert_null (dyno_result_get_trace (get_result (fixture, i), "turns"));
      g_assert_nonnull (dyno_result_find_message (get_result (fixture, i), DYNO_SIDE_GROUP_CODE));
    }
}

static DynoResult *
get_result_of (Fixture *fixture, const char *device)
{
  guint i = 0;

  while (!g_str_equal (dyno_case_get_device (dyno_result_get_case (get_result (fixture, i))), device))
    i++;
  return get_result (fixture, i);
}

/* A case that cannot run beside others leaves them their turns, and says why it has none. */
static void
test_turns_partly (Fixture *fixture, gconstpointer data)
{
  choose_script ("mixed-cards.json");
  run (fixture, "\"backends\": [\"fake:fast\", \"fake:alone\", \"fake:half\"], \"turns\": true, ");
  g_assert_cmpuint (dyno_run_get_n_ok (fixture->run), ==, 3);
  g_assert_nonnull (dyno_result_get_trace (get_result_of (fixture, "fast"), "turns"));
  g_assert_nonnull (dyno_result_get_trace (get_result_of (fixture, "half"), "turns"));
  g_assert_null (dyno_result_get_trace (get_result_of (fixture, "alone"), "turns"));
  g_assert_nonnull (dyno_result_find_message (get_result_of (fixture, "alone"), DYNO_SIDE_GROUP_CODE));
  g_assert_null (dyno_result_find_message (get_result_of (fixture, "half"), DYNO_SIDE_GROUP_CODE));
}

/* A case that is listed twice takes turns with itself. */
static void
test_turns_with_itself (Fixture *fixture, gconstpointer data)
{
  run (fixture, "\"cases\": [\"1\", \"1\"], \"turns\": true, ");
  for (guint i = 0; i < 2; i++)
    {
      assert_whole (get_result (fixture, i));
      for (guint k = 0; k < N_INVOCATIONS; k++)
        g_assert_nonnull (dyno_result_get_invocation_trace (get_result (fixture, i), "turns", k));
    }
}

/* Sides that crash in one block lose that process, and have the others. */
static void
test_turns_crash (Fixture *fixture, gconstpointer data)
{
  fixture->interfere = crash_second;
  run (fixture, "\"options\": [\"\", \"repeats=2\"], \"turns\": true, ");
  for (guint i = 0; i < 2; i++)
    {
      DynoResult *result = get_result (fixture, i);

      g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, N_INVOCATIONS - 1);
      g_assert_nonnull (dyno_result_find_message (result, "invocation-failed"));
      g_assert_nonnull (dyno_result_get_invocation_trace (result, "turns", 2));
    }
}

static void
skip_measuring_cb (DynoRunner *runner)
{
  if (g_str_equal (dyno_runner_get_phase (runner), "measure"))
    dyno_runner_skip (runner);
}

static void
skip_measuring (Fixture *fixture)
{
  g_signal_connect (fixture->runner, "notify::phase", G_CALLBACK (skip_measuring_cb), NULL);
}

/* Whoever skips a case that takes turns skips the others, because their turns are of no use alone. */
static void
test_turns_skip (Fixture *fixture, gconstpointer data)
{
  fixture->prepare = skip_measuring;
  run (fixture, "\"options\": [\"\", \"repeats=2\"], \"turns\": true, ");
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (dyno_result_get_status (get_result (fixture, i)), ==, DYNO_STATUS_SKIPPED);
  g_assert_false (dyno_run_is_interrupted (fixture->run));
}

static gboolean
skip_cb (gpointer runner)
{
  dyno_runner_skip (runner);
  return G_SOURCE_REMOVE;
}

static void
skip_second (gpointer data, const Turn *turn)
{
  Fixture *fixture = data;

  if (turn->invocation == 1 && turn->ordinal == 0)
    g_idle_add (skip_cb, fixture->runner);
}

static void
test_later_skip (Fixture *fixture, gconstpointer data)
{
  fixture->interfere = skip_second;
  run (fixture, "\"batch-sizes\": [1, 2], \"shuffle\": false, ");
  g_assert_cmpuint (fixture->turns->len, ==, 5);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_OK);
  g_assert_cmpuint (dyno_result_get_n_invocations (get_result (fixture, 0)), ==, 1);
  g_assert_nonnull (dyno_result_find_message (get_result (fixture, 0), "invocations-missing"));
  assert_whole (get_result (fixture, 1));
}

static void
cancel_second (gpointer data, const Turn *turn)
{
  if (turn->invocation == 1 && turn->ordinal == 1)
    g_cancellable_cancel (((Fixture *)data)->cancellable);
}

static void
test_later_cancel (Fixture *fixture, gconstpointer data)
{
  fixture->interfere = cancel_second;
  run (fixture, "\"batch-sizes\": [1, 2], \"shuffle\": false, ");
  g_assert_cmpuint (fixture->turns->len, ==, 4);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpuint (dyno_result_get_n_invocations (get_result (fixture, i)), ==, i == 0 ? 2 : 1);
      g_assert_nonnull (dyno_result_find_message (get_result (fixture, i), "invocations-missing"));
    }
  g_assert_true (dyno_run_is_interrupted (fixture->run));
}

/* Between the first and the second block. */
static void
drop_first (DynoRunner *runner, guint invocation, gpointer data)
{
  g_autoptr (DynoResult) first =
      g_list_model_get_item (dyno_run_get_results (dyno_runner_get_run (runner)), 0);

  g_assert_null (dyno_runner_get_current (runner));
  if (invocation == 1)
    dyno_runner_drop (runner, first);
}

static void
start_following (Fixture *fixture)
{
  g_signal_connect (fixture->runner, "turn", G_CALLBACK (drop_first), NULL);
}

/* A dropped case is as complete as if no more invocations had been requested. */
static void
test_drop (Fixture *fixture, gconstpointer data)
{
  fixture->prepare = start_following;
  run (fixture, "\"batch-sizes\": [1, 2], \"shuffle\": false, ");
  g_assert_cmpuint (fixture->turns->len, ==, 1 + N_INVOCATIONS);
  g_assert_cmpuint (dyno_result_get_n_invocations (get_result (fixture, 0)), ==, 1);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (dyno_result_is_complete (get_result (fixture, i)));
      g_assert_null (dyno_result_find_message (get_result (fixture, i), "invocations-missing"));
    }
  assert_whole (get_result (fixture, 1));
  g_assert_false (dyno_run_is_interrupted (fixture->run));
}

static gboolean
let_go_cb (gpointer data)
{
  Fixture *fixture = data;
  g_autoptr (DynoResult) first =
      g_list_model_get_item (dyno_run_get_results (dyno_runner_get_run (fixture->runner)), 0);

  g_assert_cmpuint (fixture->turns->len, ==, 2);
  dyno_runner_drop (fixture->runner, first);
  dyno_runner_release (fixture->runner);
  return G_SOURCE_REMOVE;
}

static void
hold_second_block (Fixture *fixture, guint invocation)
{
  if (invocation != 1 || fixture->n_held++ > 0)
    return;
  dyno_runner_hold (fixture->runner);
  if (!fixture->stops_held)
    g_idle_add (let_go_cb, fixture);
  else
    g_cancellable_cancel (fixture->cancellable);
}

static void
start_holding (Fixture *fixture)
{
  g_signal_connect_swapped (fixture->runner, "turn", G_CALLBACK (hold_second_block), fixture);
}

/* While the caller decides what to drop, nothing starts. */
static void
test_hold (Fixture *fixture, gconstpointer data)
{
  fixture->prepare = start_holding;
  run (fixture, "\"batch-sizes\": [1, 2], \"shuffle\": false, ");
  g_assert_cmpuint (fixture->turns->len, ==, 1 + N_INVOCATIONS);
  g_assert_cmpuint (dyno_result_get_n_invocations (get_result (fixture, 0)), ==, 1);
  assert_whole (get_result (fixture, 1));
}

/* A held run can be stopped, and released afterwards. */
static void
test_hold_and_stop (Fixture *fixture, gconstpointer data)
{
  fixture->prepare = start_holding;
  fixture->stops_held = TRUE;
  run (fixture, "\"batch-sizes\": [1, 2], \"shuffle\": false, ");
  g_assert_cmpuint (fixture->turns->len, ==, 2);
  g_assert_true (dyno_run_is_interrupted (fixture->run));
  dyno_runner_release (fixture->runner);
}

static void
spend (Fixture *fixture)
{
  dyno_runner_set_budget (fixture->runner, 1e-6);
}

static void
test_budget (Fixture *fixture, gconstpointer data)
{
  fixture->prepare = spend;
  run (fixture, "\"batch-sizes\": [1, 2], ");
  g_assert_cmpuint (fixture->turns->len, ==, 0);
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_CANCELLED);
}

static void
allow_little (Fixture *fixture)
{
  dyno_runner_set_budget (fixture->runner, 5);
}

/* What takes longer than there is time is given up, not waited for. */
static void
test_budget_holds (Fixture *fixture, gconstpointer data)
{
  choose_script ("hang.json");
  fixture->prepare = allow_little;
  run (fixture, "");
  g_assert_cmpint (dyno_result_get_status (get_result (fixture, 0)), ==, DYNO_STATUS_CANCELLED);
  g_assert_cmpstr (dyno_result_get_reason (get_result (fixture, 0)), ==,
                   "The time ran out during this case.");
}

static void
allow_much (Fixture *fixture)
{
  dyno_runner_set_budget (fixture->runner, 600);
}

static void
expect_analyses (gpointer data, const Turn *turn)
{
  Fixture *fixture = data;

  if (turn->invocation == 1)
    g_assert_cmpuint (fixture->n_analyses, ==, 3);
}

/* Where time may run out, the first cases of the plan come first, and all are analysed after their first process. */
static void
test_budget_order (Fixture *fixture, gconstpointer data)
{
  fixture->prepare = allow_much;
  fixture->interfere = expect_analyses;
  run (fixture, "\"batch-sizes\": [1, 2, 4], ");
  g_assert_cmpuint (fixture->turns->len, ==, 3 * N_INVOCATIONS);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (g_array_index (fixture->turns, Turn, i).ordinal, ==, i);
  g_assert_cmpuint (dyno_run_get_n_ok (fixture->run), ==, 3);
}

static void
allow_few (Fixture *fixture)
{
  dyno_runner_set_budget (fixture->runner, 11);
}

/* A run that its budget ends is whole, although there was no time for its first analysis. */
static void
test_budget_analysis (Fixture *fixture, gconstpointer data)
{
  fixture->prepare = allow_few;
  run (fixture, "\"batch-sizes\": [1, 2, 4], ");
  g_assert_false (dyno_run_is_interrupted (fixture->run));
  for (guint i = 0; i < 3; i++)
    g_assert_null (dyno_result_find_message (get_result (fixture, i), DYNO_RESULT_NOT_ANALYSED));
  /* Where a process takes longer than its share, the case has no numbers to analyse. */
  if (dyno_result_get_status (get_result (fixture, 0)) == DYNO_STATUS_OK)
    g_assert_nonnull (dyno_result_find_message (get_result (fixture, 0), "no-analysis"));
}

static void
allow_some (Fixture *fixture)
{
  dyno_runner_set_budget (fixture->runner, 40);
}

/* A case that has no number after its share of the time does not keep the others from theirs. */
static void
test_budget_share (Fixture *fixture, gconstpointer turns)
{
  g_autofree char *rest = g_strdup_printf (
      "\"backends\": [\"fake:crawls\", \"fake:fast\", \"fake:half\"], \"turns\": %s, ", (const char *)turns);
  DynoResult *late;

  choose_script ("mixed-cards.json");
  fixture->prepare = allow_some;
  run (fixture, rest);
  late = get_result_of (fixture, "crawls");
  g_assert_cmpint (dyno_result_get_status (late), ==, DYNO_STATUS_SKIPPED);
  g_assert_true (g_str_has_prefix (dyno_result_get_reason (late),
                                   "It was not measured within its share of the time. The "));
  g_assert_cmpint (dyno_result_get_status (get_result_of (fixture, "fast")), ==, DYNO_STATUS_OK);
  g_assert_cmpint (dyno_result_get_status (get_result_of (fixture, "half")), ==, DYNO_STATUS_OK);
}

static void
cancel_block (gpointer data, const Turn *turn)
{
  Fixture *fixture = data;

  /* Both were checked, and the first one is to open the model. */
  if (fixture->turns->len == 3)
    g_cancellable_cancel (fixture->cancellable);
}

/* A run that is stopped says of sides that were only checked that they had no turn. */
static void
test_turns_stopped (Fixture *fixture, gconstpointer data)
{
  fixture->interfere = cancel_block;
  run (fixture, "\"batch-sizes\": [1], \"options\": [\"\", \"repeats=2\"], \"turns\": true, ");
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (dyno_result_get_status (get_result (fixture, i)), ==, DYNO_STATUS_CANCELLED);
      g_assert_cmpstr (dyno_result_get_reason (get_result (fixture, i)), ==,
                       "The run was stopped before this case.");
    }
}

static void
prefer_last (DynoRunner *runner, guint invocation, gpointer data)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *results = dyno_run_get_results (dyno_runner_get_run (runner));

  for (guint i = g_list_model_get_n_items (results); i > 0; i--)
    g_ptr_array_add (order, g_list_model_get_item (results, i - 1));
  dyno_runner_prefer (runner, order);
}

static void
start_preferring (Fixture *fixture)
{
  dyno_runner_set_budget (fixture->runner, 600);
  g_signal_connect (fixture->runner, "turn", G_CALLBACK (prefer_last), NULL);
}

/* Where time is limited, later blocks prepare the sides in the order that is asked for, and so end with the last of it. */
static void
test_turns_preferred (Fixture *fixture, gconstpointer data)
{
  fixture->prepare = start_preferring;
  run (fixture, "\"options\": [\"\", \"repeats=2\", \"repeats=3\"], \"turns\": true, ");
  for (guint invocation = 1; invocation < N_INVOCATIONS; invocation++)
    {
      const Turn *last = (const Turn *)(gpointer)fixture->turns->data + fixture->turns->len - 1;

      while (last->invocation != invocation)
        last--;
      g_assert_cmpuint (last[-1].ordinal, ==, 1);
      g_assert_cmpuint (last->ordinal, ==, 0);
    }
}

static DynoResult *
create_process (DynoCase *kase, const char *code, double pressure)
{
  DynoResult *result = dyno_result_new (kase, 0);

  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_take_value (
      result, dyno_value_new ("memory_pressure_ms", pressure, "ms", DYNO_QUALITY_MEASURED, "kernel"));
  if (code != NULL)
    dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, code, "It is so."));
  return result;
}

static void
assert_said (DynoResult *result, const char *words)
{
  DynoDiagnostic *diagnostic = g_ptr_array_index (dyno_result_get_diagnostics (result), 0);

  g_assert_cmpstr (dyno_diagnostic_get_message (diagnostic), ==, words);
}

/* What only the first process is looked at for is of the case; what any might have said is of those that said it. */
static void
test_words (Fixture *fixture, gconstpointer data)
{
  static const char *const codes[] = { "engine-default", "load-during" };
  static const char *const words[] = { "It is so.", "It is so. (1 of 2 processes)" };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "fake");
      g_autoptr (DynoResult) first = create_process (kase, codes[i], 2);
      g_autoptr (DynoResult) second = create_process (kase, NULL, 3);
      g_autoptr (DynoResult) empty = dyno_result_new (kase, 0);
      g_autoptr (DynoResult) alone = dyno_result_join (empty, 0, first);
      g_autoptr (DynoResult) both = dyno_result_join (alone, 1, second);

      assert_said (both, words[i]);
      g_assert_cmpfloat (dyno_result_get_number (both, "memory_pressure_ms"), ==, 5);
    }
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add ("/run/invocations/" #name, Fixture, NULL, set_up, test_##name, tear_down)
  ADD (words);
  ADD (blocks);
  ADD (first);
  ADD (numbers_first);
  ADD (analysed_later);
  ADD (analysis_fails);
  ADD (later_crash);
  ADD (first_crash);
  ADD (later_hang);
  ADD (later_skip);
  ADD (later_cancel);
  ADD (drop);
  ADD (hold);
  ADD (turns);
  ADD (turns_refused);
  ADD (turns_crash);
  ADD (turns_skip);
  ADD (budget);
  ADD (budget_holds);
  ADD (budget_order);
  g_test_add ("/run/invocations/budget_share", Fixture, "false", set_up, test_budget_share, tear_down);
  if (suite_is_thorough ())
    {
      ADD (analysis_stopped);
      ADD (analysed_after_kill);
      ADD (analysed_elsewhere);
      ADD (analysis_refutes);
      ADD (hold_and_stop);
      ADD (turns_obstacle);
      ADD (turns_partly);
      ADD (turns_with_itself);
      ADD (turns_stopped);
      ADD (turns_preferred);
      ADD (budget_analysis);
      g_test_add ("/run/invocations/budget_share_in_turns", Fixture, "true", set_up, test_budget_share,
                  tear_down);
    }
  return g_test_run ();
}

SUITE (run_suite)
