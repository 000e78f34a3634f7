/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-metric.h"
#include "dyno-outcome.h"
#include "dyno-paths.h"
#include "dyno-phase.h"
#include "dyno-result-samples.h"
#include "dyno-run.h"
#include "store-fixture.h"
#include "suite.h"

static void
add_result (DynoRun *run, const char *model, const char *backend, guint ordinal)
{
  g_autoptr (DynoResult) result = store_fixture_make_result (model, backend, ordinal);

  dyno_run_add_result (run, result);
}

static void
keep_run (DynoStore *store, const char *id, gint64 started_at, const char *title, const char *model)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, started_at, title);

  add_result (run, model, "cpu", 0);
  store_fixture_keep (store, run);
}

static void
assert_ids (DynoStore *store, const char *search, guint offset, guint limit, const char *expected)
{
  g_autoptr (GPtrArray) runs = store_fixture_list (store, search, offset, limit);
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? " " : "", dyno_run_get_id (g_ptr_array_index (runs, i)));
  g_assert_cmpstr (ids->str, ==, expected);
}

static void
test_empty (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_store_is_read_only (fixture->store));
  g_assert_null (dyno_store_get_message (fixture->store));
  g_assert_cmpstr (dyno_store_get_path (fixture->store), ==, fixture->path);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, &error), ==, 0);
  g_assert_no_error (error);
  assert_ids (fixture->store, NULL, 0, 10, "");
  g_assert_null (dyno_store_load_run (fixture->store, "latest", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static void
test_default (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) store = NULL;

  dyno_paths_set_root (DYNO_PATH_DATA, fixture->folder);
  store = dyno_store_open_default (&error);
  dyno_paths_set_root (DYNO_PATH_DATA, NULL);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (dyno_store_get_path (store), fixture->folder));
}

static void
test_round_trip (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (NULL, 1000, "Two models");
  g_autoptr (DynoRun) loaded = NULL;

  dyno_run_set_notes (run, "Windows open, fan on: 23 °C");
  add_result (run, "gpt2", "cpu", 0);
  add_result (run, "bert-base-uncased", "fake", 1);
  store_fixture_keep (fixture->store, run);
  store_fixture_reopen (fixture);

  loaded = store_fixture_load (fixture->store, dyno_run_get_id (run));
  store_fixture_assert_same_run (run, loaded);
  g_assert_cmpstr (dyno_run_get_source (loaded), ==, "dyno");
}

static void
test_bare_run (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  dyno_result_set_status (result, DYNO_STATUS_FAILED, "The worker was killed.");
  dyno_run_add_result (run, result);
  store_fixture_keep (fixture->store, run);
  loaded = store_fixture_load (fixture->store, "latest");
  g_assert_null (dyno_run_get_title (loaded));
  g_assert_null (dyno_run_get_machine (loaded));
  g_assert_null (dyno_run_get_plan (loaded));
  g_assert_cmpuint (dyno_run_get_n_ok (loaded), ==, 0);
  g_clear_object (&result);
  result = g_list_model_get_item (dyno_run_get_results (loaded), 0);
  g_assert_null (dyno_result_get_model_name (result));
  g_assert_cmpstr (dyno_result_get_reason (result), ==, "The worker was killed.");
}

static void
test_many_samples (StoreFixture *fixture, gconstpointer data)
{
  const gsize n_points = 1000000;
  g_autoptr (DynoRun) run = store_fixture_make_run ("long", 1, "Long");
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);
  DynoTrace *trace = dyno_trace_new ("memory_rss", "MB", 0);

  for (gsize i = 0; i < n_points; i++)
    dyno_trace_add (trace, (gint64)i * 1000, (double)i / 3);
  dyno_result_take_trace (result, trace);
  dyno_run_add_result (run, result);
  store_fixture_keep (fixture->store, run);
  loaded = store_fixture_load (fixture->store, "long");
  g_clear_object (&result);
  result = g_list_model_get_item (dyno_run_get_results (loaded), 0);
  trace = dyno_result_get_trace (result, "memory_rss");
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, n_points);
  g_assert_cmpfloat (dyno_trace_get_values (trace)[n_points - 1], ==, (double)(n_points - 1) / 3);
}

/* The list of runs, which knows numbers only, and whoever loaded the results. */
static void
assert_same_counts (DynoRun *loaded, DynoRun *listed)
{
  DynoCaseCounts of_loaded = { 0 };
  DynoCaseCounts of_listed = { 0 };

  dyno_run_count_cases (loaded, &of_loaded);
  dyno_run_count_cases (listed, &of_listed);
  g_assert_cmpmem (&of_loaded, sizeof of_loaded, &of_listed, sizeof of_listed);
  g_assert_cmpuint (of_listed.of[DYNO_CASE_STATE_DOUBTFUL], ==, 1);
}

/* As seen through another store on the same file. */
static void
assert_running (StoreFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) store = dyno_store_open (fixture->path, &error);
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (store, NULL, 0, 1, &error);
  g_autoptr (DynoRun) loaded = store_fixture_load (store, "unfinished");
  g_autoptr (DynoPlan) remaining = NULL;
  DynoCaseCounts counts = { 0 };

  g_assert_true (dyno_run_is_running (g_ptr_array_index (runs, 0)));
  g_assert_true (dyno_run_is_running (loaded));
  g_assert_false (dyno_run_is_interrupted (loaded));
  assert_same_counts (loaded, g_ptr_array_index (runs, 0));
  dyno_run_count_cases (loaded, &counts);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_WAITING], ==, 7);
  remaining = dyno_remaining_plan_new (loaded, &error);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

/* While it is measured, and after its process has released it without an end. */
static void
test_unfinished (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("unfinished", 5, "Stopped early");
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 3);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoRun) loaded = NULL;

  g_object_set (run, "n-cases", 8, NULL);
  store_fixture_begin (fixture->store, run);
  store_fixture_add (fixture->store, run, result);
  assert_running (fixture);
  store_fixture_reopen (fixture);
  runs = store_fixture_list (fixture->store, NULL, 0, 10);
  g_assert_cmpuint (runs->len, ==, 1);
  g_assert_cmpint (dyno_run_get_finished_at (g_ptr_array_index (runs, 0)), ==, 0);
  g_assert_cmpuint (dyno_run_get_n_cases (g_ptr_array_index (runs, 0)), ==, 8);
  g_assert_cmpuint (dyno_run_get_n_ok (g_ptr_array_index (runs, 0)), ==, 1);
  g_assert_false (dyno_run_is_running (g_ptr_array_index (runs, 0)));
  g_assert_true (dyno_run_is_interrupted (g_ptr_array_index (runs, 0)));
  loaded = store_fixture_load (fixture->store, "unfinished");
  assert_same_counts (loaded, g_ptr_array_index (runs, 0));
}

static gboolean
lacks_invocations (DynoStore *store)
{
  g_autoptr (DynoRun) run = store_fixture_load (store, "partial");
  g_autoptr (DynoResult) result = NULL;
  GPtrArray *diagnostics;
  gboolean lacks = FALSE;

  result = g_list_model_get_item (dyno_run_get_results (run), 0);
  diagnostics = dyno_result_get_diagnostics (result);
  for (guint i = 0; i < diagnostics->len; i++)
    lacks = lacks || g_str_equal (dyno_diagnostic_get_code (diagnostics->pdata[i]), "invocations-missing");
  return lacks;
}

/* A case whose invocations are still to come has not been stopped. */
static void
test_running_case (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("partial", 5, "Goes on");
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);
  g_autoptr (DynoMethod) method = dyno_method_new ();

  g_ptr_array_set_size (dyno_result_get_invocations (result), 0);
  dyno_result_take_invocation (result, dyno_invocation_new (0, NULL));
  g_object_set (dyno_result_get_case (result), "method", method, NULL);
  store_fixture_begin (fixture->store, run);
  store_fixture_add (fixture->store, run, result);
  g_assert_false (lacks_invocations (fixture->store));
  store_fixture_reopen (fixture);
  g_assert_true (lacks_invocations (fixture->store));
}

static void
die_while_running (StoreFixture *fixture)
{
  g_autoptr (DynoStore) store = dyno_store_open (g_getenv ("DYNO_TEST_STORE"), NULL);
  g_autoptr (DynoRun) run = store_fixture_make_run ("killed", 9, "Killed");
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);

  dyno_result_sink_begin_run (DYNO_RESULT_SINK (store), run, NULL);
  dyno_result_sink_add_result (DYNO_RESULT_SINK (store), run, result, NULL);
  store_fixture_tear_down (fixture, NULL);
  raise (SIGKILL);
}

static void
test_killed (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) loaded = NULL;

  if (g_test_subprocess ())
    die_while_running (fixture);
  g_setenv ("DYNO_TEST_STORE", fixture->path, TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  loaded = store_fixture_load (fixture->store, "killed");
  g_assert_cmpint (dyno_run_get_finished_at (loaded), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (loaded)), ==, 1);
}

static void
test_list (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) runs = NULL;

  keep_run (fixture->store, "b", 200, "Second", "gpt2");
  keep_run (fixture->store, "a", 100, "First", "resnet50");
  keep_run (fixture->store, "c", 300, "Third", "vit-base");
  assert_ids (fixture->store, NULL, 0, 10, "c b a");
  assert_ids (fixture->store, "", 1, 1, "b");
  assert_ids (fixture->store, NULL, 3, 5, "");

  runs = dyno_store_list_runs (fixture->store, NULL, 0, 1, NULL);
  g_assert_cmpstr (dyno_run_get_summary (g_ptr_array_index (runs, 0)), ==, "vit-base · ONNX Runtime (CPU)");
  g_assert_cmpuint (dyno_run_get_n_cases (g_ptr_array_index (runs, 0)), ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (g_ptr_array_index (runs, 0))), ==, 0);
}

static void
test_search_model_id (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("tiny", 50, "Small");
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  g_object_set (result, "model-name", "BERT tiny", NULL);
  dyno_run_add_result (run, result);
  store_fixture_keep (fixture->store, run);
  assert_ids (fixture->store, "bert-tiny", 0, 9, "tiny");
  assert_ids (fixture->store, "bert tiny", 0, 9, "tiny");
}

static void
test_search (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) noted = store_fixture_make_run ("noted", 50, "Ärger");
  g_autoptr (GError) error = NULL;

  keep_run (fixture->store, "percent", 100, "100% sure_thing", "gpt2");
  keep_run (fixture->store, "plain", 200, "100 surely thing", "resnet50");
  dyno_run_set_notes (noted, "Fan on");
  store_fixture_keep (fixture->store, noted);

  assert_ids (fixture->store, "SURE", 0, 9, "plain percent");
  assert_ids (fixture->store, "sure  gpt2", 0, 9, "percent");
  assert_ids (fixture->store, "cpu resnet", 0, 9, "plain");
  assert_ids (fixture->store, "%", 0, 9, "percent");
  assert_ids (fixture->store, "e_t", 0, 9, "percent");
  assert_ids (fixture->store, "ÄRGER FAN", 0, 9, "noted");
  assert_ids (fixture->store, "\"' OR 1=1 --", 0, 9, "");
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, "thing", &error), ==, 2);
  g_assert_no_error (error);
}

static void
test_prefix (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) unique = NULL;
  g_autoptr (DynoRun) exact = NULL;
  g_autoptr (DynoRun) latest = NULL;

  keep_run (fixture->store, "abc", 100, "One", "gpt2");
  keep_run (fixture->store, "abcd", 300, "Two", "gpt2");
  keep_run (fixture->store, "x%y", 200, "Three", "gpt2");
  unique = dyno_store_load_run (fixture->store, "x", &error);
  g_assert_cmpstr (dyno_run_get_id (unique), ==, "x%y");
  exact = dyno_store_load_run (fixture->store, "abc", &error);
  g_assert_cmpstr (dyno_run_get_id (exact), ==, "abc");
  latest = dyno_store_load_run (fixture->store, "latest", &error);
  g_assert_cmpstr (dyno_run_get_id (latest), ==, "abcd");
  g_assert_no_error (error);

  g_assert_null (dyno_store_load_run (fixture->store, "ab", &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "“abcd”");
  g_assert_null (dyno_store_load_run (fixture->store, "a%", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (dyno_store_load_run (fixture->store, "", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static void
test_update (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (DynoRun) stranger = dyno_run_new ("stranger");

  keep_run (fixture->store, "run", 100, "Old name", "gpt2");
  run = dyno_store_load_run (fixture->store, "run", &error);
  dyno_run_set_title (run, "New name");
  dyno_run_set_notes (run, "After the update");
  g_assert_true (dyno_store_update_run (fixture->store, run, &error));
  loaded = store_fixture_load (fixture->store, "run");
  store_fixture_assert_same_run (run, loaded);
  assert_ids (fixture->store, "old", 0, 9, "");
  assert_ids (fixture->store, "new after gpt2", 0, 9, "run");

  g_assert_false (dyno_store_update_run (fixture->store, stranger, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static void
assert_bin (DynoStore *store, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_list_bin (store, &error);
  g_autoptr (GString) ids = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < runs->len; i++)
    {
      g_assert_cmpint (dyno_run_get_deleted_at (runs->pdata[i]), >, 0);
      g_string_append_printf (ids, "%s%s", i > 0 ? " " : "", dyno_run_get_id (runs->pdata[i]));
    }
  g_assert_cmpstr (ids->str, ==, expected);
}

static void
test_delete (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  g_autofree char *deleted = NULL;

  keep_run (fixture->store, "run", 100, "In the bin", "gpt2");
  keep_run (fixture->store, "rust", 200, "Kept", "gpt2");
  g_assert_false (dyno_store_delete_run (fixture->store, "ru", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  store_fixture_delete (fixture->store, "run");
  assert_ids (fixture->store, NULL, 0, 9, "rust");
  assert_bin (fixture->store, "run");
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), ==, 1);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM benchmark_runs", 1);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM benchmark_results", 1);
  g_assert_false (dyno_store_delete_run (fixture->store, "run", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  id = dyno_store_resolve_run (fixture->store, "ru", &error);
  g_assert_cmpstr (id, ==, "rust");
  deleted = dyno_store_resolve_deleted_run (fixture->store, "r", &error);
  g_assert_cmpstr (deleted, ==, "run");
}

static void
test_restore (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) deleted = NULL;
  g_autoptr (GAsyncResult) restored = NULL;
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GPtrArray) bin = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) before = NULL;
  g_autoptr (DynoRun) after = NULL;

  keep_run (fixture->store, "run", 100, "There and back", "gpt2");
  before = dyno_store_load_run (fixture->store, "run", &error);
  dyno_store_delete_run_async (fixture->store, "run", NULL, store_fixture_on_ready, &deleted);
  g_assert_true (dyno_store_delete_run_finish (fixture->store, store_fixture_wait_for (&deleted), &error));
  store_fixture_reopen (fixture);
  dyno_store_list_bin_async (fixture->store, NULL, store_fixture_on_ready, &listed);
  bin = dyno_store_list_bin_finish (fixture->store, store_fixture_wait_for (&listed), &error);
  g_assert_cmpuint (bin->len, ==, 1);
  dyno_store_restore_run_async (fixture->store, "run", NULL, store_fixture_on_ready, &restored);
  g_assert_true (dyno_store_restore_run_finish (fixture->store, store_fixture_wait_for (&restored), &error));
  after = store_fixture_load (fixture->store, "run");
  store_fixture_assert_same_run (before, after);
  assert_bin (fixture->store, "");
  g_assert_false (dyno_store_restore_run (fixture->store, "run", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static void
assert_empty (StoreFixture *fixture)
{
  static const char *const tables[] = { "machines", "runs",      "results",    "metric_values",
                                        "series",   "operators", "diagnostics" };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT count (*) FROM %s", tables[i]);
      store_fixture_assert_int (fixture->path, sql, 0);
    }
}

static void
test_empty_bin (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  keep_run (fixture->store, "run", 100, "Gone soon", "gpt2");
  g_assert_true (dyno_store_empty_bin (fixture->store, &error));
  assert_ids (fixture->store, NULL, 0, 9, "run");
  store_fixture_delete (fixture->store, "run");
  g_assert_true (dyno_store_empty_bin (fixture->store, &error));
  g_assert_no_error (error);
  assert_empty (fixture);
}

static void
assert_not_kept (gboolean is_kept, GError **error)
{
  g_assert_false (is_kept);
  g_assert_error (*error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_nonnull (strstr ((*error)->message, "clock"));
  g_clear_error (error);
}

/* A run that no document may contain does not come into the store either, and what was there before stays. */
static void
test_impossible (StoreFixture *fixture, gconstpointer data)
{
  DynoResultSink *sink = DYNO_RESULT_SINK (fixture->store);
  g_autoptr (DynoRun) late = store_fixture_make_run ("late", G_MAXINT64, "In a far future");
  g_autoptr (DynoRun) run = store_fixture_make_run ("run", 1000, "Now");
  g_autoptr (DynoResult) huge = store_fixture_make_result ("gpt2", "cpu", 1);
  g_autoptr (DynoResult) usual = store_fixture_make_result ("gpt2", "cpu", 0);
  g_autoptr (GError) error = NULL;
  gboolean is_new = FALSE;

  assert_not_kept (dyno_result_sink_begin_run (sink, late, &error), &error);
  assert_not_kept (dyno_store_add_run (fixture->store, late, &is_new, &error), &error);
  assert_empty (fixture);
  dyno_result_add_measured (huge, "huge", 1e40, "", "");
  store_fixture_begin (fixture->store, run);
  store_fixture_add (fixture->store, run, usual);
  assert_not_kept (dyno_result_sink_add_result (sink, run, huge, &error), &error);
  g_object_set (run, "finished-at", G_MAXINT64, NULL);
  assert_not_kept (dyno_result_sink_end_run (sink, run, &error), &error);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM results", 1);
  store_fixture_assert_int (fixture->path, "SELECT finished_at FROM runs", 0);
}

/* As if the store had been opened some days ago and had seen then that the time of a run was over. */
static void
set_seen (StoreFixture *fixture, const char *id, gint64 days_ago)
{
  g_autofree char *path = g_strconcat (fixture->path, ".bin", NULL);
  g_autofree char *text = g_strdup_printf ("{\"%s\":%" G_GINT64_FORMAT "}", id,
                                           g_get_real_time () - days_ago * G_TIME_SPAN_DAY - 1);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static gboolean
was_seen (StoreFixture *fixture)
{
  g_autofree char *path = g_strconcat (fixture->path, ".bin", NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
set_deleted (StoreFixture *fixture, const char *id, gint64 days_ago)
{
  g_autofree char *sql = g_strdup_printf ("UPDATE runs SET deleted_at = %" G_GINT64_FORMAT " WHERE id = '%s'",
                                          g_get_real_time () - days_ago * G_TIME_SPAN_DAY - 1, id);

  store_fixture_run_sql (fixture->path, sql);
}

/* Of two deleted runs, the store erases the one whose 30 days are over, once two openings a week apart have seen it. */
static void
test_bin_expires (StoreFixture *fixture, gconstpointer data)
{
  keep_run (fixture->store, "old", 100, "Old", "gpt2");
  keep_run (fixture->store, "young", 200, "Young", "gpt2");
  keep_run (fixture->store, "kept", 300, "Kept", "gpt2");
  set_deleted (fixture, "old", DYNO_STORE_BIN_DAYS);
  set_deleted (fixture, "young", 29);
  store_fixture_reopen (fixture);
  store_fixture_reopen (fixture);
  assert_bin (fixture->store, "young old");
  g_assert_true (was_seen (fixture));
  set_seen (fixture, "old", 6);
  store_fixture_reopen (fixture);
  assert_bin (fixture->store, "young old");
  set_seen (fixture, "old", 7);
  store_fixture_reopen (fixture);
  assert_bin (fixture->store, "young");
  g_assert_false (was_seen (fixture));
  assert_ids (fixture->store, NULL, 0, 9, "kept");
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM results", 2);
}

/* A clock that was ahead once saw the end of everything: with the right clock, that is forgotten. */
static void
test_bin_with_wrong_clock (StoreFixture *fixture, gconstpointer data)
{
  keep_run (fixture->store, "run", 100, "Deleted yesterday", "gpt2");
  set_deleted (fixture, "run", 1);
  set_seen (fixture, "run", -40);
  store_fixture_reopen (fixture);
  assert_bin (fixture->store, "run");
  g_assert_false (was_seen (fixture));
  set_deleted (fixture, "run", 31);
  set_seen (fixture, "run", -40);
  store_fixture_reopen (fixture);
  assert_bin (fixture->store, "run");
}

/* A run that ended yesterday was not deleted in 1970, whatever the clock said. */
static void
test_bin_with_late_clock (StoreFixture *fixture, gconstpointer data)
{
  keep_run (fixture->store, "run", g_get_real_time () - G_TIME_SPAN_DAY, "Measured yesterday", "gpt2");
  set_deleted (fixture, "run", 10000);
  set_seen (fixture, "run", 8);
  store_fixture_reopen (fixture);
  assert_bin (fixture->store, "run");
}

/* A version of Dyno with other metrics wrote other views. */
/* Each metric names its columns; values missing in a case are empty. */
static void
test_columns (StoreFixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "latency_p50_ms",    "power_avg_watts",
                                       "energy_joules",     "avg_bandwidth_gbps",
                                       "placement_percent", "arithmetic_intensity_flops_per_byte" };
  g_autoptr (DynoRun) run = store_fixture_make_run ("run", 1000, "Columns");
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);

  dyno_result_add_measured (result, "placement_percent", 99, "%", "a test");
  dyno_run_add_result (run, result);
  store_fixture_keep (fixture->store, run);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT count (*) FROM pragma_table_info ('benchmark_results')"
                                              " WHERE name = '%s'",
                                              names[i]);
      store_fixture_assert_int (fixture->path, sql, 1);
    }
  store_fixture_assert_int (fixture->path,
                            "SELECT count (*) FROM benchmark_results"
                            " WHERE placement_percent = 99"
                            " AND power_avg_watts IS NULL",
                            1);
}

static void
test_views_are_renewed (StoreFixture *fixture, gconstpointer data)
{
  keep_run (fixture->store, "run", 1000000, "Flat", "gpt2");
  g_clear_object (&fixture->store);
  store_fixture_run_sql (fixture->path, "DROP VIEW benchmark_results; DROP VIEW benchmark_runs;"
                                        "CREATE VIEW benchmark_runs AS SELECT 7 AS seven");
  store_fixture_reopen (fixture);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM benchmark_runs WHERE n_ok = 1", 1);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM benchmark_results WHERE flops = 2.5e9", 1);
}

static void
test_same_id_twice (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) again = store_fixture_make_run ("run", 200, "Again");
  g_autoptr (GError) error = NULL;

  keep_run (fixture->store, "run", 100, "First", "gpt2");
  g_assert_false (dyno_result_sink_begin_run (DYNO_RESULT_SINK (fixture->store), again, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  assert_ids (fixture->store, "first", 0, 9, "run");
}

static void
keep_on_machine (DynoStore *store, const char *id, const char *machine)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, 1, "On a machine");

  g_object_set (run, "machine", machine, NULL);
  store_fixture_keep (store, run);
}

static void
test_machines (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (JsonNode) machine = NULL;

  keep_on_machine (fixture->store, "idle",
                   "{\"state\": {\"load_1m\": 0.1}, \"cpu\": {\"name\": \"X\", \"cores\": 2}}");
  keep_on_machine (fixture->store, "busy",
                   "{\"cpu\": {\"cores\": 2, \"name\": \"X\"}, \"state\": {\"load_1m\": 7.5}}");
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM machines", 1);
  keep_on_machine (fixture->store, "other",
                   "{\"cpu\": {\"cores\": 4, \"name\": \"X\"}, \"state\": {\"load_1m\": 7.5}}");
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM machines", 2);

  run = dyno_store_load_run (fixture->store, "busy", NULL);
  machine = json_from_string (dyno_run_get_machine (run), NULL);
  g_assert_cmpfloat (json_object_get_double_member (
                         json_object_get_object_member (json_node_get_object (machine), "state"), "load_1m"),
                     ==, 7.5);
}

static void
test_bad_machine (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("run", 1, "No machine");
  g_autoptr (GError) error = NULL;

  g_object_set (run, "machine", "not JSON", NULL);
  g_assert_false (dyno_result_sink_begin_run (DYNO_RESULT_SINK (fixture->store), run, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  assert_ids (fixture->store, NULL, 0, 9, "");
}

static void
test_views (StoreFixture *fixture, gconstpointer data)
{
  keep_run (fixture->store, "run", 1000000, "Flat", "gpt2");
  store_fixture_assert_int (
      fixture->path,
      "SELECT count (*) FROM benchmark_results WHERE model = 'gpt2'"
      " AND batch_size = 4 AND cpu = 'A CPU' AND latency_p50_ms = 1.375 AND flops = 2.5e9"
      " AND throughput_items_per_sec IS NULL AND run_title = 'Flat'",
      1);
  store_fixture_assert_int (fixture->path,
                            "SELECT count (*) FROM benchmark_runs WHERE id = 'run' AND n_ok = 1"
                            " AND started = '1970-01-01 00:00:01' AND seconds = 5.0",
                            1);
}

static void
test_async (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GAsyncResult) loaded = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoRun) run = NULL;

  keep_run (fixture->store, "run", 100, "Later", "gpt2");
  dyno_store_list_runs_async (fixture->store, "later", 0, 10, NULL, store_fixture_on_ready, &listed);
  dyno_store_load_run_async (fixture->store, "latest", NULL, store_fixture_on_ready, &loaded);
  runs = dyno_store_list_runs_finish (fixture->store, store_fixture_wait_for (&listed), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 1);
  run = dyno_store_load_run_finish (fixture->store, store_fixture_wait_for (&loaded), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (dyno_run_get_id (run), ==, "run");
}

static void
test_cancelled (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) loaded = NULL;
  g_autoptr (GError) error = NULL;

  keep_run (fixture->store, "run", 100, "Never mind", "gpt2");
  g_cancellable_cancel (cancellable);
  dyno_store_load_run_async (fixture->store, "run", cancellable, store_fixture_on_ready, &loaded);
  g_assert_null (dyno_store_load_run_finish (fixture->store, store_fixture_wait_for (&loaded), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_ids (fixture->store, NULL, 0, 9, "run");
}

typedef struct
{
  GThread *main_thread;
  guint n_emissions;
} Watch;

static void
on_changed (DynoStore *store, Watch *watch)
{
  g_assert_true (g_thread_self () == watch->main_thread);
  watch->n_emissions++;
}

static gpointer
write_in_thread (gpointer store)
{
  for (guint i = 0; i < 10; i++)
    keep_run (store, NULL, i + 1, "From a thread", "gpt2");
  return NULL;
}

static void
test_changed (StoreFixture *fixture, gconstpointer data)
{
  Watch watch = { g_thread_self (), 0 };

  g_signal_connect (fixture->store, "changed", G_CALLBACK (on_changed), &watch);
  g_thread_join (g_thread_new ("writer", write_in_thread, fixture->store));
  g_assert_cmpuint (watch.n_emissions, ==, 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (watch.n_emissions, ==, 1);
  keep_run (fixture->store, NULL, 1, "From here", "gpt2");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (watch.n_emissions, ==, 2);
}

static gpointer
read_in_thread (gpointer store)
{
  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (GPtrArray) runs = store_fixture_list (store, "thread", 0, 100);
    }
  return NULL;
}

static void
test_threads (StoreFixture *fixture, gconstpointer data)
{
  GThread *threads[6];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, i % 2 == 0 ? write_in_thread : read_in_thread, fixture->store);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, "thread", NULL), ==, 30);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM results", 30);
}

static DynoResult *
make_timed (gint64 nanoseconds)
{
  DynoResult *result = store_fixture_make_result ("gpt2", "cpu", 0);
  DynoInvocation *first = dyno_result_get_invocations (result)->pdata[0];
  DynoTrace *phases = dyno_trace_new ("phases", "", 0);

  dyno_trace_add (phases, 0, DYNO_PHASE_LOAD);
  dyno_trace_add (phases, nanoseconds / 4, DYNO_PHASE_FIRST_RUN);
  dyno_trace_add (phases, nanoseconds - nanoseconds / 4, DYNO_PHASE_ANALYSE);
  dyno_trace_add (phases, nanoseconds, DYNO_N_PHASES);
  dyno_result_take_trace (result, phases);
  g_ptr_array_add (first->values,
                   dyno_value_new (DYNO_RESULT_ANALYSIS_MS, 500, "ms", DYNO_QUALITY_MEASURED, "clock"));
  g_ptr_array_add (first->values,
                   dyno_value_new (DYNO_TURNS_WAIT, 1000, "ms", DYNO_QUALITY_MEASURED, "clock"));
  return result;
}

static void
keep_timed (DynoStore *store, const char *id, gint64 started_at, const char *machine, gint64 nanoseconds)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, started_at, "Timed");
  g_autoptr (DynoResult) result = make_timed (nanoseconds);

  g_object_set (run, "machine", machine, NULL);
  dyno_run_add_result (run, result);
  store_fixture_keep (store, run);
}

/* The time of a case in the newest run on this machine, with its analysis, and without its waits for others. */
static void
test_durations (StoreFixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "11111111-0000-4000-8000-000000000000",
                                     "22222222-0000-4000-8000-000000000000",
                                     "33333333-0000-4000-8000-000000000000" };
  g_autoptr (DynoResult) result = make_timed (1);
  g_autoptr (JsonNode) node = dyno_case_to_json (dyno_result_get_case (result));
  g_autofree char *kase = dyno_json_text_write (node, FALSE);
  g_autoptr (GHashTable) durations = NULL;
  g_autoptr (GHashTable) others = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *kin = NULL;

  keep_timed (fixture->store, ids[0], 1000, "{\"cpu\":{\"name\":\"One\"}}", G_GINT64_CONSTANT (9000000000));
  keep_timed (fixture->store, ids[1], 3000, "{\"cpu\":{\"name\":\"Other\"}}", G_GINT64_CONSTANT (2000000000));
  keep_timed (fixture->store, ids[2], 2000, "{\"cpu\":{\"name\":\"One\"},\"os\":{\"kernel\":\"6\"}}",
              G_GINT64_CONSTANT (4000000000));
  durations = dyno_store_load_durations (fixture->store, "{\"cpu\":{\"name\":\"One\"}}", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_hash_table_size (durations), ==, 2);
  kin = dyno_case_dup_kin (node);
  for (guint i = 0; i < 2; i++)
    {
      const DynoCaseDuration *duration = g_hash_table_lookup (durations, i == 0 ? kase : kin);

      g_assert_cmpfloat (duration->seconds, ==, 3.5);
      g_assert_cmpfloat (duration->load, ==, 1);
      g_assert_cmpfloat (duration->analysis, ==, 1.5);
    }
  others = dyno_store_load_durations (fixture->store, "{\"cpu\":{\"name\":\"Third\"}}", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_hash_table_size (others), ==, 0);
}

static void
keep_outcome (DynoStore *store, const char *id, gint64 started_at, const char *failure)
{
  g_autoptr (DynoRun) run = store_fixture_make_run (id, started_at, "Outcomes");
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);

  if (failure != NULL)
    dyno_result_set_status (result, DYNO_STATUS_FAILED, failure);
  dyno_run_add_result (run, result);
  store_fixture_keep (store, run);
}

static GPtrArray *
list_outcomes (DynoStore *store, const char *machine)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *outcomes = dyno_store_list_outcomes (store, machine, &error);

  g_assert_no_error (error);
  return outcomes;
}

/* What was measured on this machine, whatever it was busy with; not on others, and not what was deleted. */
static void
test_outcomes (StoreFixture *fixture, gconstpointer data)
{
  static const char machine[] = "{\"cpu\":{\"name\":\"A CPU\",\"cores\":2},\"state\":{\"load_1m\":3}}";
  g_autoptr (GPtrArray) known = NULL;
  g_autoptr (GPtrArray) of_other = NULL;
  g_autoptr (GPtrArray) left = NULL;
  g_autofree char *text = NULL;

  keep_outcome (fixture->store, "one", 1000, NULL);
  keep_outcome (fixture->store, "two", 3000, "The worker crashed.");
  keep_outcome (fixture->store, "three", 2000, NULL);
  known = list_outcomes (fixture->store, machine);
  g_assert_cmpuint (known->len, ==, 2);
  g_assert_true (dyno_outcome_has_run (known->pdata[0]));
  g_assert_false (dyno_outcome_has_run (known->pdata[1]));
  g_assert_cmpstr (dyno_case_get_model (dyno_outcome_get_case (known->pdata[1])), ==, "gpt2");
  text = dyno_outcome_dup_text (known->pdata[1]);
  g_assert_nonnull (strstr (text, "The worker crashed."));
  of_other = list_outcomes (fixture->store, "{\"cpu\":{\"name\":\"Another CPU\"}}");
  g_assert_cmpuint (of_other->len, ==, 0);
  g_assert_true (dyno_store_delete_run (fixture->store, "two", NULL));
  left = list_outcomes (fixture->store, machine);
  g_assert_cmpuint (left->len, ==, 1);
}

static DynoBaseline *
get_only_baseline (DynoStore *store, GPtrArray **baselines)
{
  g_autoptr (GError) error = NULL;

  *baselines = dyno_store_list_baselines (store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint ((*baselines)->len, ==, 1);
  return (*baselines)->pdata[0];
}

/* A run that has a name is not deleted; a run that is lost leaves its name. */
static void
test_baselines (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("one", 1000, "One");
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) after = NULL;
  g_autoptr (GError) error = NULL;

  store_fixture_keep (fixture->store, run);
  g_assert_true (dyno_store_set_baseline (fixture->store, "main", "one", NULL));
  g_assert_true (get_only_baseline (fixture->store, &before)->is_kept);
  g_assert_false (dyno_store_delete_run (fixture->store, "one", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), ==, 1);
  store_fixture_run_sql (fixture->path, "DELETE FROM runs");
  g_assert_false (get_only_baseline (fixture->store, &after)->is_kept);
  g_assert_true (dyno_store_remove_baseline (fixture->store, "main", NULL));
  g_clear_error (&error);
  g_assert_false (dyno_store_remove_baseline (fixture->store, "main", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_false (dyno_store_set_baseline (fixture->store, "last", "one", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

static DynoResult *
make_invoked (guint n)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  DynoResult *result = dyno_result_new (kase, 0);

  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  for (guint i = 0; i < n; i++)
    {
      DynoTrace *trace = dyno_trace_new ("latency", "ms", 0);
      DynoInvocation *invocation = dyno_invocation_new (i, NULL);

      dyno_trace_add (trace, 0, 1 + i);
      dyno_trace_set_invocation (trace, i);
      dyno_result_take_trace (result, trace);
      g_ptr_array_add (invocation->values,
                       dyno_value_new ("latency_p50_ms", 1 + i, "ms", DYNO_QUALITY_MEASURED, "clock"));
      dyno_result_take_invocation (result, invocation);
    }
  dyno_result_add_measured (result, "latency_p50_ms", (1 + n) / 2.0, "ms", "clock");
  return result;
}

static void
put_invoked (DynoStore *store, DynoRun *run, guint n)
{
  g_autoptr (DynoResult) result = make_invoked (n);

  store_fixture_add (store, run, result);
}

/* A case replaces its version with fewer invocations, and never the other way round. */
static void
test_invocations (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("invoked", 1000, "Invoked");
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GPtrArray) listed = NULL;
  g_autofree char *text = NULL;
  guint n;
  g_autofree double *medians = NULL;

  g_assert_true (dyno_result_sink_begin_run (DYNO_RESULT_SINK (fixture->store), run, NULL));
  put_invoked (fixture->store, run, 1);
  put_invoked (fixture->store, run, 3);
  put_invoked (fixture->store, run, 2);
  store_fixture_reopen (fixture);
  loaded = dyno_store_load_run (fixture->store, "invoked", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (loaded)), ==, 1);
  result = g_list_model_get_item (dyno_run_get_results (loaded), 0);
  medians = dyno_result_dup_invocation_numbers (result, "latency_p50_ms", &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat (medians[2], ==, 3);
  g_assert_cmpuint (dyno_result_get_traces (result)->len, ==, 3);
  g_assert_cmpfloat (dyno_trace_get_values (dyno_result_get_invocation_trace (result, "latency", 1))[0], ==,
                     2);
  store_fixture_assert_int (fixture->path, "SELECT count (*) FROM invocation_values", 3);
  /* Five were to come: who kills the run finds it interrupted. */
  g_assert_cmpint (dyno_result_get_state (result), ==, DYNO_CASE_STATE_MEASURED);
  store_fixture_assert_int (fixture->path, "SELECT n_doubtful FROM runs", 0);
  g_assert_true (dyno_run_is_interrupted (loaded));
  listed = dyno_store_list_runs (fixture->store, NULL, 0, 10, NULL);
  text = dyno_run_dup_state_text (listed->pdata[0]);
  g_assert_cmpstr (text, ==, "Interrupted: 1 measured");
  /* While it is measured, pending invocations are not missing. */
  dyno_run_set_running (loaded, TRUE);
  g_assert_false (dyno_run_is_interrupted (loaded));
}

static void
put_measured (DynoStore *store, DynoRun *run, gboolean is_analysed)
{
  g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);

  if (!is_analysed)
    dyno_result_take_diagnostic (
        result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, DYNO_RESULT_NOT_ANALYSED, "Not yet."));
  store_fixture_add (store, run, result);
}

/* An analysis adds no invocation, and still replaces the case that was stored before it. */
static void
test_analysed (StoreFixture *fixture, gconstpointer data)
{
  static const char *const sql =
      "SELECT count (*) FROM diagnostics WHERE code = '" DYNO_RESULT_NOT_ANALYSED "'";
  g_autoptr (DynoRun) run = store_fixture_make_run ("analysed", 1000, "Analysed");

  store_fixture_begin (fixture->store, run);
  put_measured (fixture->store, run, FALSE);
  store_fixture_assert_int (fixture->path, sql, 1);
  put_measured (fixture->store, run, TRUE);
  store_fixture_assert_int (fixture->path, sql, 0);
  put_measured (fixture->store, run, FALSE);
  store_fixture_assert_int (fixture->path, sql, 0);
}

static const SuiteFixtureTest (StoreFixture) tests[] = {
  { "/store/empty", test_empty },
  { "/store/default", test_default },
  { "/store/round-trip", test_round_trip },
  { "/store/bare-run", test_bare_run },
  { "/store/many-samples", test_many_samples },
  { "/store/unfinished", test_unfinished },
  { "/store/running-case", test_running_case },
  { "/store/killed", test_killed },
  { "/store/list", test_list },
  { "/store/outcomes", test_outcomes },
  { "/store/baselines", test_baselines },
  { "/store/search", test_search },
  { "/store/search-model-id", test_search_model_id },
  { "/store/prefix", test_prefix },
  { "/store/update", test_update },
  { "/store/delete", test_delete },
  { "/store/restore", test_restore },
  { "/store/empty-bin", test_empty_bin },
  { "/store/impossible", test_impossible },
  { "/store/bin-expires", test_bin_expires },
  { "/store/bin-with-wrong-clock", test_bin_with_wrong_clock },
  { "/store/bin-with-late-clock", test_bin_with_late_clock },
  { "/store/same-id-twice", test_same_id_twice },
  { "/store/machines", test_machines },
  { "/store/durations", test_durations },
  { "/store/invocations", test_invocations },
  { "/store/analysed", test_analysed },
  { "/store/bad-machine", test_bad_machine },
  { "/store/views", test_views },
  { "/store/columns", test_columns },
  { "/store/views-are-renewed", test_views_are_renewed },
  { "/store/async", test_async },
  { "/store/cancelled", test_cancelled },
  { "/store/changed", test_changed },
  { "/store/threads", test_threads },
};

SUITE_FIXTURE_TESTS (tests, StoreFixture, store_fixture_set_up, store_fixture_tear_down)
