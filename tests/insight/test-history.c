/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>

#include "dyno-comparison.h"
#include "dyno-error.h"
#include "dyno-history.h"
#include "dyno-result-sink.h"
#include "suite.h"

#define NOISE(i) (0.01 * ((int)((i)*7 % 5) - 2))

typedef struct
{
  char *path;
  DynoStore *store;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-history-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;

  fixture->path = g_build_filename (folder, "store.sqlite", NULL);
  fixture->store = dyno_store_open (fixture->path, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (fixture->path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_clear_object (&fixture->store);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_remove (path);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (fixture->path);
}

/* One value of a series */

static DynoHistoryTrend *
get_trend (const DynoHistory *history, guint i)
{
  g_assert_cmpuint (i, <, history->trends->len);
  return history->trends->pdata[i];
}

static const DynoHistorySegment *
get_segment (const DynoHistoryTrend *trend, guint i)
{
  g_assert_cmpuint (i, <, trend->segments->len);
  return trend->segments->pdata[i];
}

static DynoHistory *
follow (const double *values, guint n)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("net", "cpu");
  g_autoptr (DynoResult) head = dyno_result_new (kase, 0);
  GPtrArray *points = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("run-%u", i);

      g_ptr_array_add (points, dyno_history_point_new (head, id, i, values[i]));
    }
  return dyno_history_new (points, "latency_p50_ms", 0.02);
}

static void
test_change (void)
{
  double values[24];
  g_autoptr (DynoHistory) history = NULL;
  const DynoHistoryTrend *trend;
  g_autofree char *change = NULL;

  for (guint i = 0; i < 24; i++)
    values[i] = (i < 14 ? 10 : 11) + NOISE (i);
  history = follow (values, 24);
  trend = get_trend (history, 0);
  g_assert_cmpuint (trend->segments->len, ==, 2);
  g_assert_cmpuint (get_segment (trend, 1)->first, ==, 14);
  g_assert_cmpuint (get_segment (trend, 0)->n, ==, 14);
  g_assert_cmpfloat_with_epsilon (get_segment (trend, 0)->level, 10, 0.02);
  g_assert_cmpfloat_with_epsilon (get_segment (trend, 1)->ratio, 1.1, 0.005);
  g_assert_cmpint (dyno_history_get_verdict (history, get_segment (trend, 1)), ==, DYNO_VERDICT_WORSE);
  change = dyno_history_dup_change (history, get_segment (trend, 1));
  g_assert_true (g_str_has_suffix (change, " % slower"));
}

/* However far it is off. */
static void
test_last_alone (void)
{
  double values[24];
  g_autoptr (DynoHistory) history = NULL;

  for (guint i = 0; i < 24; i++)
    values[i] = i < 23 ? 10 + NOISE (i) : 100;
  history = follow (values, 24);
  g_assert_cmpuint (get_trend (history, 0)->segments->len, ==, 1);
}

/* Shown beyond doubt, and too small to matter. */
static void
test_below_threshold (void)
{
  double values[24];
  g_autoptr (DynoHistory) history = NULL;
  g_autofree char *answer = NULL;

  for (guint i = 0; i < 24; i++)
    values[i] = i < 12 ? 10 + NOISE (i) : 10.15 + NOISE (i);
  history = follow (values, 24);
  g_assert_cmpuint (get_trend (history, 0)->segments->len, ==, 1);
  answer = dyno_history_dup_answer (history, get_trend (history, 0));
  g_assert_cmpstr (answer, ==, "No change of more than 2 % in 24 runs.");
}

static void
test_too_few (void)
{
  static const double values[] = { 10, 10, 10, 20, 20, 20, 20 };
  g_autoptr (DynoHistory) history = follow (values, G_N_ELEMENTS (values));
  g_autofree char *answer = dyno_history_dup_answer (history, get_trend (history, 0));

  g_assert_cmpuint (get_trend (history, 0)->segments->len, ==, 1);
  g_assert_cmpstr (answer, ==, "There are 7 steady runs. Changes can be told from chance with 8 or more.");
}

/* The least for which a change can be found at all. */
static void
test_enough (void)
{
  static const double values[] = { 10, 10.1, 10.2, 10.3, 20, 20.1, 20.2, 20.3 };
  g_autoptr (DynoHistory) history = follow (values, DYNO_HISTORY_MIN_RUNS);

  G_STATIC_ASSERT (G_N_ELEMENTS (values) == DYNO_HISTORY_MIN_RUNS);
  g_assert_cmpuint (get_trend (history, 0)->segments->len, ==, 2);
}

/* Through a store */

static void
keep (Fixture *fixture, guint i, double median, const char *version, const char *processor)
{
  g_autofree char *id = g_strdup_printf ("run-%02u", i);
  g_autofree char *machine =
      g_strdup_printf ("{\"cpu\":{\"name\":\"%s\"},\"kernel\":{\"release\":\"6.%u\"},\"state\":{}}",
                       processor, i < 10 ? 1 : 2);
  g_autoptr (DynoRun) run = dyno_run_new (id);
  g_autoptr (DynoCase) kase = dyno_case_new ("net", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  g_autoptr (GError) error = NULL;

  /* The seed and the effort of a case are not part of its identity. */
  g_object_set (kase, "seed", (guint64)i, NULL);
  g_object_set (run, "started-at", (gint64)(i + 1) * 1000000, "machine", machine, "app-version", version,
                NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", median, "ms", "clock");
  for (guint k = 0; k < 2; k++)
    {
      DynoInvocation *invocation = dyno_invocation_new (k, NULL);

      g_ptr_array_add (invocation->values, dyno_value_new ("latency_p50_ms", median + k - 0.5, "ms",
                                                           DYNO_QUALITY_MEASURED, "clock"));
      dyno_result_take_invocation (result, invocation);
    }
  dyno_run_add_result (run, result);
  dyno_result_sink_begin_run (DYNO_RESULT_SINK (fixture->store), run, &error);
  g_assert_no_error (error);
  dyno_result_sink_add_result (DYNO_RESULT_SINK (fixture->store), run, result, &error);
  g_assert_no_error (error);
  dyno_result_sink_end_run (DYNO_RESULT_SINK (fixture->store), run, &error);
  g_assert_no_error (error);
}

static DynoHistory *
load (Fixture *fixture, const DynoHistoryQuery *query)
{
  g_autoptr (GError) error = NULL;
  DynoHistory *history = dyno_history_load (fixture->store, query, &error);

  g_assert_no_error (error);
  return history;
}

/* Another kernel is not another machine, but is named as a cause of the change; another processor is another
 * machine. */
static void
test_stored (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoHistory) history = NULL;
  g_autofree char *changes = NULL;
  g_autofree char *ends = NULL;
  const DynoHistoryTrend *trend;
  const DynoHistoryPoint *point;

  for (guint i = 0; i < 20; i++)
    keep (fixture, i, (i < 10 ? 10 : 8) + NOISE (i), i < 10 ? "1.0" : "1.1", i == 4 ? "Other" : "This");
  history = load (fixture, &(DynoHistoryQuery){ .words = "NET cpu", .backend = "cpu" });
  g_assert_cmpuint (history->trends->len, ==, 1);
  trend = get_trend (history, 0);
  g_assert_cmpuint (trend->points->len, ==, 19);
  g_assert_cmpuint (trend->segments->len, ==, 2);
  point = trend->points->pdata[get_segment (trend, 1)->first];
  g_assert_cmpstr (point->run_id, ==, "run-10");
  g_assert_cmpuint (point->n_processes, ==, 2);
  g_assert_cmpfloat_with_epsilon (point->high - point->low, 1, 1e-9);
  ends = dyno_history_point_dup_ends (point);
  g_assert_cmpstr (ends, ==, "range of 2 processes");
  changes = dyno_history_dup_changes (get_segment (trend, 1));
  g_assert_cmpstr (changes, ==, "Dyno: 1.0 → 1.1; Kernel: 6.1 → 6.2");
}

/* Ten processes of another case of this machine, half of which take longer by a third. */
static void
keep_self_test (Fixture *fixture)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("small", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  g_autoptr (DynoRun) run = dyno_run_new ("self-test");
  g_autoptr (GError) error = NULL;

  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", 3, "ms", "steady state");
  for (guint i = 0; i < DYNO_SELF_TEST_MIN_PROCESSES; i++)
    {
      DynoInvocation *invocation = dyno_invocation_new (i, NULL);

      g_ptr_array_add (invocation->values, dyno_value_new ("latency_p50_ms", i % 2 == 0 ? 3 : 4, "ms",
                                                           DYNO_QUALITY_MEASURED, "steady state"));
      dyno_result_take_invocation (result, invocation);
    }
  dyno_run_add_result (run, result);
  g_object_set (run, "started-at", (gint64)1, "source", DYNO_SELF_TEST_SOURCE, "machine",
                "{\"cpu\":{\"name\":\"This\"},\"state\":{}}", NULL);
  g_assert_true (dyno_result_sink_begin_run (DYNO_RESULT_SINK (fixture->store), run, &error));
  g_assert_true (dyno_result_sink_add_result (DYNO_RESULT_SINK (fixture->store), run, result, &error));
  g_assert_true (dyno_result_sink_end_run (DYNO_RESULT_SINK (fixture->store), run, &error));
  g_assert_no_error (error);
}

/* A change below the noise floor does not count, and the self-test is not part of the history. */
static void
test_noise_floor (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoHistory) before = NULL;
  g_autoptr (DynoHistory) after = NULL;
  g_autofree char *answer = NULL;

  for (guint i = 0; i < 20; i++)
    keep (fixture, i, (i < 10 ? 10 : 8) + NOISE (i), "1.0", "This");
  before = load (fixture, &(DynoHistoryQuery){ NULL });
  keep_self_test (fixture);
  after = load (fixture, &(DynoHistoryQuery){ NULL });
  g_assert_cmpuint (get_trend (before, 0)->segments->len, ==, 2);
  g_assert_null (before->self_test);
  g_assert_cmpuint (after->trends->len, ==, 1);
  g_assert_cmpuint (get_trend (after, 0)->segments->len, ==, 1);
  g_assert_nonnull (after->self_test);
  answer = dyno_history_dup_answer (after, get_trend (after, 0));
  g_assert_cmpstr (answer, ==, "No change of more than 33.3 % in 20 runs.");
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoHistory) other_words = NULL;
  g_autoptr (DynoHistory) other_metric = NULL;
  g_autoptr (DynoHistory) none = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_history_load (fixture->store, &(DynoHistoryQuery){ NULL }, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  keep (fixture, 0, 10, "1.0", "This");
  other_words = load (fixture, &(DynoHistoryQuery){ .words = "net gpu" });
  g_assert_cmpuint (other_words->trends->len, ==, 0);
  other_metric = load (fixture, &(DynoHistoryQuery){ .metric = "memory_peak_mb" });
  g_assert_cmpuint (other_metric->trends->len, ==, 0);
  g_clear_error (&error);
  none = dyno_history_load (fixture->store, &(DynoHistoryQuery){ .metric = "roof_distance_percent" }, &error);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

/* Cases that can have a history */

static const DynoHistoryMachine *
get_machine (GPtrArray *catalog, guint i)
{
  g_assert_cmpuint (i, <, catalog->len);
  return catalog->pdata[i];
}

static GPtrArray *
load_catalog (Fixture *fixture, const char *here)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *catalog = dyno_history_catalog_load (fixture->store, here, &error);

  g_assert_no_error (error);
  return catalog;
}

/* A machine is the same with another kernel; deleted runs do not count. This machine comes first, else the last used. */
static void
test_catalog (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) nothing = load_catalog (fixture, NULL);
  g_autoptr (GPtrArray) catalog = NULL;
  g_autoptr (GPtrArray) here = NULL;
  g_autoptr (GPtrArray) metrics = NULL;
  g_autoptr (GError) error = NULL;
  const DynoHistoryCase *kase;

  g_assert_cmpuint (nothing->len, ==, 0);
  for (guint i = 8; i < 14; i++)
    keep (fixture, i, 10, "1.0", i == 8 || i == 9 ? "Other" : "This");
  g_assert_true (dyno_store_delete_run (fixture->store, "run-13", &error));
  catalog = load_catalog (fixture, NULL);
  g_assert_cmpuint (catalog->len, ==, 2);
  g_assert_cmpuint (get_machine (catalog, 0)->cases->len, ==, 1);
  kase = get_machine (catalog, 0)->cases->pdata[0];
  g_assert_cmpuint (kase->n_runs, ==, 3);
  g_assert_cmpint (kase->measured_at, ==, 13 * G_USEC_PER_SEC);
  g_assert_true (g_str_has_prefix (kase->label, "net"));
  g_assert_true (dyno_history_machine_find (get_machine (catalog, 0), kase->key) == kase);
  g_assert_null (dyno_history_machine_find (get_machine (catalog, 0), "no such case"));
  metrics = dyno_history_catalog_list_metrics (fixture->store, get_machine (catalog, 0), kase, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (metrics->len, ==, 1);
  g_assert_cmpstr (metrics->pdata[0], ==, "latency_p50_ms");
  here = load_catalog (fixture, "{\"cpu\":{\"name\":\"Other\"},\"kernel\":{\"release\":\"9\"}}");
  g_assert_true (get_machine (here, 0)->is_this);
  g_assert_false (get_machine (here, 1)->is_this);
  g_assert_cmpuint (((DynoHistoryCase *)get_machine (here, 0)->cases->pdata[0])->n_runs, ==, 2);
}

/* Two files with the same name are one case, which a run of both measures once. */
static void
test_same_run (Fixture *fixture, gconstpointer data)
{
  static const char *const models[] = { "/one/net.onnx", "/two/net.onnx" };
  g_autoptr (DynoRun) run = dyno_run_new ("both");
  g_autoptr (GPtrArray) catalog = NULL;
  g_autoptr (GError) error = NULL;
  const DynoHistoryCase *kase;

  g_object_set (run, "started-at", (gint64)1, "machine", "{\"cpu\":{\"name\":\"This\"},\"state\":{}}", NULL);
  g_assert_true (dyno_result_sink_begin_run (DYNO_RESULT_SINK (fixture->store), run, &error));
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (DynoCase) measured = dyno_case_new (models[i], "cpu");
      g_autoptr (DynoResult) result = dyno_result_new (measured, i);

      dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
      dyno_result_add_measured (result, "latency_p50_ms", 3, "ms", "steady state");
      dyno_run_add_result (run, result);
      g_assert_true (dyno_result_sink_add_result (DYNO_RESULT_SINK (fixture->store), run, result, &error));
    }
  g_assert_true (dyno_result_sink_end_run (DYNO_RESULT_SINK (fixture->store), run, &error));
  g_assert_no_error (error);
  catalog = load_catalog (fixture, NULL);
  g_assert_cmpuint (get_machine (catalog, 0)->cases->len, ==, 1);
  kase = get_machine (catalog, 0)->cases->pdata[0];
  g_assert_cmpuint (kase->n_runs, ==, 1);
}

static void
test_baselines (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoHistory) history = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  const DynoHistoryTrend *trend;

  for (guint i = 0; i < 2; i++)
    keep (fixture, i, 10, "1.0", "This");
  g_assert_true (dyno_store_set_baseline (fixture->store, "main", "run-01", &error));
  g_assert_true (dyno_store_set_baseline (fixture->store, "best", "run-01", &error));
  history = load (fixture, &(DynoHistoryQuery){ NULL });
  g_assert_cmpuint (history->baselines->len, ==, 2);
  trend = get_trend (history, 0);
  first = dyno_history_dup_baselines (history, trend->points->pdata[0]);
  second = dyno_history_dup_baselines (history, trend->points->pdata[1]);
  g_assert_cmpstr (first, ==, "");
  g_assert_cmpstr (second, ==, "“best”, “main”");
  g_assert_true (dyno_history_find_point (trend, "run-01") == trend->points->pdata[1]);
  g_assert_null (dyno_history_find_point (trend, "run-02"));
}

static void
add_tests (void)
{
  g_test_add_func ("/history/change", test_change);
  g_test_add_func ("/history/last-alone", test_last_alone);
  g_test_add_func ("/history/below-threshold", test_below_threshold);
  g_test_add_func ("/history/too-few", test_too_few);
  g_test_add_func ("/history/enough", test_enough);
  g_test_add ("/history/stored", Fixture, NULL, set_up, test_stored, tear_down);
  g_test_add ("/history/noise-floor", Fixture, NULL, set_up, test_noise_floor, tear_down);
  g_test_add ("/history/nothing", Fixture, NULL, set_up, test_nothing, tear_down);
  g_test_add ("/history/catalog", Fixture, NULL, set_up, test_catalog, tear_down);
  g_test_add ("/history/same-run", Fixture, NULL, set_up, test_same_run, tear_down);
  g_test_add ("/history/baselines", Fixture, NULL, set_up, test_baselines, tear_down);
}

SUITE_ADD (add_tests)
