/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "store-fixture.h"
#include "suite.h"

#define HERE      "{\"cpu\":{\"name\":\"A CPU\",\"cores\":2},\"state\":{\"load_1m\":0.25}}"
#define ELSEWHERE "{\"cpu\":{\"name\":\"Another CPU\",\"cores\":2}}"

/* A case that was measured in some processes, of which half took longer by a share, and in one that failed. */
static DynoResult *
make_case (guint ordinal, guint n, double share)
{
  DynoResult *result = store_fixture_make_result ("small", "cpu", ordinal);

  g_ptr_array_set_size (dyno_result_get_invocations (result), 0);
  for (guint i = 0; i < n; i++)
    {
      DynoInvocation *invocation = dyno_invocation_new (i, NULL);

      g_ptr_array_add (invocation->values, dyno_value_new ("latency_p50_ms", i % 2 == 0 ? 1 : 1 + share, "ms",
                                                           DYNO_QUALITY_MEASURED, "steady state"));
      g_ptr_array_add (invocation->values,
                       dyno_value_new_unsupported ("power_avg_watts", "W", "No power meter."));
      dyno_result_take_invocation (result, invocation);
    }
  dyno_result_take_invocation (result, dyno_invocation_new (n, "It crashed."));
  return result;
}

static void
keep_self_test (
    DynoStore *store, const char *id, gint64 started_at, const char *machine, guint n, double share)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, started_at, "Self-Test");
  g_autoptr (DynoResult) result = make_case (0, n, share);

  g_object_set (run, "source", DYNO_SELF_TEST_SOURCE, "machine", machine, NULL);
  dyno_run_add_result (run, result);
  store_fixture_keep (store, run);
}

/* The turns of a self-test, in which the case is there twice. */
static void
keep_turns (DynoStore *store, const char *id, gint64 started_at)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, started_at, "Self-Test");

  g_object_set (run, "source", DYNO_SELF_TEST_SOURCE, "machine", HERE, NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (DynoResult) result = make_case (i, 10, 0.75);

      dyno_run_add_result (run, result);
    }
  store_fixture_keep (store, run);
}

static void
keep_run (DynoStore *store, const char *id, gint64 started_at)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, started_at, "A run");
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);

  dyno_run_add_result (run, result);
  store_fixture_keep (store, run);
}

static void
assert_floor (DynoStore *store, const char *machine, const char *id, double noise_floor)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSelfTest) self_test = dyno_store_load_self_test (store, machine, &error);

  g_assert_no_error (error);
  if (id == NULL)
    {
      g_assert_null (self_test);
      return;
    }
  g_assert_nonnull (self_test);
  g_assert_cmpstr (self_test->run_id, ==, id);
  g_assert_cmpfloat_with_epsilon (dyno_self_test_get_floor (self_test, "latency_p50_ms"), noise_floor, 1e-9);
  g_assert_true (isnan (dyno_self_test_get_floor (self_test, "power_avg_watts")));
}

static void
test_floors (void)
{
  g_autoptr (DynoSelfTest) self_test = dyno_self_test_new ("floors", 0);

  for (guint i = 0; i < DYNO_SELF_TEST_MIN_PROCESSES; i++)
    {
      dyno_self_test_add (self_test, "latency_p50_ms", i % 2 > 0 ? 6 : 4);
      dyno_self_test_add (self_test, "memory_peak_mb", 3);
    }
  /* A second query gives the same value. */
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpfloat (dyno_self_test_get_floor (self_test, "latency_p50_ms"), ==, 0.5);
      g_assert_cmpfloat (dyno_self_test_get_floor (self_test, "memory_peak_mb"), ==, 0);
      g_assert_true (isnan (dyno_self_test_get_floor (self_test, "power_avg_watts")));
    }
}

/* The newest one counts that has processes enough, one after another. */
static void
test_newest (StoreFixture *fixture, gconstpointer data)
{

  assert_floor (fixture->store, HERE, NULL, 0);
  keep_self_test (fixture->store, "old", 1000, HERE, 12, 0.5);
  keep_self_test (fixture->store, "new", 2000, HERE, 10, 0.25);
  keep_self_test (fixture->store, "stopped", 3000, HERE, 9, 0.125);
  keep_turns (fixture->store, "turns", 4000);
  assert_floor (fixture->store, HERE, "new", 0.25);
  store_fixture_delete (fixture->store, "new");
  assert_floor (fixture->store, HERE, "old", 0.5);
}

/* Each machine has its own, whatever its load is. */
static void
test_machines (StoreFixture *fixture, gconstpointer data)
{
  keep_self_test (fixture->store, "here", 1000, HERE, 10, 0.5);
  keep_self_test (fixture->store, "elsewhere", 2000, ELSEWHERE, 10, 0.25);
  assert_floor (fixture->store, "{\"cpu\":{\"name\":\"A CPU\",\"cores\":2},\"state\":{\"load_1m\":9}}",
                "here", 0.5);
  assert_floor (fixture->store, ELSEWHERE, "elsewhere", 0.25);
  assert_floor (fixture->store, "{\"cpu\":{\"name\":\"A third CPU\"}}", NULL, 0);
}

/* Steps of @n_steps samples, of 1 to 2 ms; too few to state their p90. */
static DynoInvocation *
add_process (DynoResult *result, guint number, guint n_steps)
{
  DynoInvocation *invocation = dyno_invocation_new (number, NULL);
  DynoTrace *latency = dyno_trace_new ("latency", "ms", 0);

  for (guint i = 0; i < n_steps; i++)
    dyno_trace_add (latency, i + 1, 1 + (double)i / (n_steps - 1));
  dyno_trace_set_invocation (latency, number);
  dyno_result_take_trace (result, latency);
  g_ptr_array_add (invocation->values,
                   dyno_value_new ("latency_p50_ms", 1.5, "ms", DYNO_QUALITY_MEASURED, "steady state"));
  g_ptr_array_add (invocation->values,
                   dyno_value_new_unsupported ("latency_p90_ms", "ms", "Too few samples."));
  dyno_result_take_invocation (result, invocation);
  return invocation;
}

static DynoSelfTest *
keep_and_load (DynoStore *store, DynoResult *result)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("few", 1000, "Self-Test");
  g_autoptr (GError) error = NULL;
  DynoSelfTest *self_test;

  g_object_set (run, "source", DYNO_SELF_TEST_SOURCE, "machine", HERE, NULL);
  dyno_run_add_result (run, result);
  store_fixture_keep (store, run);
  self_test = dyno_store_load_self_test (store, HERE, &error);
  g_assert_no_error (error);
  return self_test;
}

static DynoResult *
create_case (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("small", "cpu");
  g_autoptr (DynoMethod) method = dyno_method_new ();
  DynoResult *result;

  g_object_set (method, "invocations", DYNO_SELF_TEST_MIN_PROCESSES, NULL);
  g_object_set (kase, "method", method, NULL);
  result = dyno_result_new (kase, 0);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  return result;
}

/* Ten processes are enough for the floor of a percentile, too, even if each has too few samples to state it. */
static void
test_percentile (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoResult) result = create_case ();
  g_autoptr (DynoSelfTest) self_test = NULL;

  for (guint i = 0; i < DYNO_SELF_TEST_MIN_PROCESSES; i++)
    add_process (result, i, 11);
  self_test = keep_and_load (fixture->store, result);
  g_assert_cmpuint (dyno_self_test_count (self_test, "latency_p90_ms"), ==, DYNO_SELF_TEST_MIN_PROCESSES);
  g_assert_cmpfloat_with_epsilon (dyno_self_test_get_floor (self_test, "latency_p90_ms"), 0, 1e-9);
  g_assert_false (self_test->is_doubtful);
}

static void
test_doubtful (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoResult) result = create_case ();
  g_autoptr (DynoSelfTest) self_test = NULL;

  for (guint i = 0; i < DYNO_SELF_TEST_MIN_PROCESSES; i++)
    add_process (result, i, 11);
  dyno_result_take_diagnostic (
      result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "throttled-window", "The CPU limit throttled it."));
  self_test = keep_and_load (fixture->store, result);
  g_assert_true (self_test->is_doubtful);
}

/* It is loaded with the runs, but is not one of them. */
static void
test_beside_runs (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) listed = NULL;
  g_autoptr (DynoRun) latest = NULL;
  g_autoptr (DynoRun) self_test = NULL;

  keep_run (fixture->store, "run", 1000);
  keep_self_test (fixture->store, "self-test", 2000, HERE, 10, 0.5);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, &error), ==, 1);
  listed = dyno_store_list_runs (fixture->store, NULL, 0, 10, &error);
  g_assert_cmpuint (listed->len, ==, 1);
  latest = store_fixture_load (fixture->store, "latest");
  g_assert_cmpstr (dyno_run_get_id (latest), ==, "run");
  g_assert_cmpstr (dyno_run_get_self_test (latest)->run_id, ==, "self-test");
  g_assert_cmpint (dyno_run_get_self_test (latest)->measured_at, ==, 2000);
  self_test = store_fixture_load (fixture->store, "self");
  g_assert_cmpstr (dyno_run_get_source (self_test), ==, DYNO_SELF_TEST_SOURCE);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM benchmark_runs", 1);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM benchmark_results", 1);
}

/* A self-test from a document is still not a run of the user. */
static void
test_imported (StoreFixture *fixture, gconstpointer data)
{
  const char *const ids[] = { "self-test", NULL };
  g_autofree char *path = store_fixture_build_path (fixture, "test.dyno");
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) imported = NULL;

  keep_self_test (fixture->store, "self-test", 1000, HERE, 10, 0.5);
  g_assert_true (dyno_store_save_document (fixture->store, ids, path, &error));
  store_fixture_delete (fixture->store, "self-test");
  g_assert_true (dyno_store_empty_bin (fixture->store, &error));
  assert_floor (fixture->store, HERE, NULL, 0);
  imported = store_fixture_import (fixture->store, path);
  g_assert_cmpuint (g_strv_length (imported), ==, 1);
  assert_floor (fixture->store, HERE, "self-test", 0.5);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, &error), ==, 0);
}

/* A run gets it when it begins. */
static void
test_sink (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("next", 2000, "Next");
  g_autoptr (DynoSelfTest) self_test = NULL;

  keep_self_test (fixture->store, "self-test", 1000, HERE, 10, 0.5);
  self_test = dyno_result_sink_load_self_test (DYNO_RESULT_SINK (fixture->store), run);
  g_assert_cmpstr (self_test->run_id, ==, "self-test");
}

static void
add_tests (void)
{
  static const SuiteFixtureTest (StoreFixture) tests[] = {
    { "/store/self-test/newest", test_newest },      { "/store/self-test/machines", test_machines },
    { "/store/self-test/beside", test_beside_runs }, { "/store/self-test/imported", test_imported },
    { "/store/self-test/sink", test_sink },          { "/store/self-test/percentile", test_percentile },
    { "/store/self-test/doubtful", test_doubtful },
  };

  g_test_add_func ("/store/self-test/floors", test_floors);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, StoreFixture, NULL, store_fixture_set_up, tests[i].run,
                store_fixture_tear_down);
}

SUITE_ADD (add_tests)
