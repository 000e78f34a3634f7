/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-history.h"
#include "dyno-json.h"
#include "dyno-result-sink.h"
#include "suite.h"

#define NOISE(i) (0.01 * ((int)((i)*7 % 5) - 2))

typedef struct
{
  char *path;
  DynoStore *store;
  DynoAlertRules *rules;
  GPtrArray *notes;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-alert-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;

  self->path = g_build_filename (folder, "store.sqlite", NULL);
  self->store = dyno_store_open (self->path, &error);
  self->rules = dyno_alert_rules_new ();
  self->notes = g_ptr_array_new_with_free_func (g_free);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_clear_object (&self->store);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_remove (path);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (self->path);
  dyno_alert_rules_free (self->rules);
  g_ptr_array_unref (self->notes);
}

/* Returns a stored run of two cases: one with the median, and one that failed where @failure is set. */
static DynoRun *
keep (Fixture *self, guint i, double median, const char *failure)
{
  g_autofree char *id = g_strdup_printf ("run-%02u", i);
  DynoRun *run = dyno_run_new (id);
  g_autoptr (DynoCase) kase = dyno_case_new ("net", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  g_autoptr (DynoCase) other_case = dyno_case_new ("other", "cpu");
  g_autoptr (DynoResult) other = dyno_result_new (other_case, 1);
  g_autoptr (GError) error = NULL;

  g_object_set (run, "title", "Nightly", "started-at", (gint64)(i + 1) * 1000000, "machine",
                "{\"cpu\":{\"name\":\"This\"},\"state\":{}}", NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", median, "ms", "clock");
  dyno_result_set_status (other, failure != NULL ? DYNO_STATUS_FAILED : DYNO_STATUS_SKIPPED, failure);
  dyno_run_add_result (run, result);
  dyno_run_add_result (run, other);
  dyno_result_sink_begin_run (DYNO_RESULT_SINK (self->store), run, &error);
  g_assert_no_error (error);
  dyno_result_sink_add_result (DYNO_RESULT_SINK (self->store), run, result, &error);
  g_assert_no_error (error);
  dyno_result_sink_add_result (DYNO_RESULT_SINK (self->store), run, other, &error);
  g_assert_no_error (error);
  dyno_result_sink_end_run (DYNO_RESULT_SINK (self->store), run, &error);
  g_assert_no_error (error);
  return run;
}

static GPtrArray *
find (Fixture *self, DynoRun *run)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *alerts = dyno_alerts_find (run, self->store, self->rules, self->notes, &error);

  g_assert_no_error (error);
  return alerts;
}

static void
assert_alert (GPtrArray *alerts, guint i, DynoAlertRule rule, const char *words)
{
  const DynoAlert *alert;

  g_assert_cmpuint (i, <, alerts->len);
  alert = alerts->pdata[i];
  g_test_message ("%s: %s", alert->name, alert->message);
  g_assert_cmpint (alert->rule, ==, rule);
  g_assert_nonnull (strstr (alert->message, words));
}

static void
test_failed (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRun) run = keep (self, 0, 10, "The engine crashed.");
  g_autoptr (GPtrArray) alerts = find (self, run);
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (alerts->len, ==, 1);
  assert_alert (alerts, 0, DYNO_ALERT_FAILED, "The engine crashed.");
  g_assert_true (dyno_alert_rules_choose (self->rules, "change, outlier", &error));
  none = find (self, run);
  g_assert_cmpuint (none->len, ==, 0);
}

/* Runs as before are none of it; the first that is far off is, and a change it is not yet. */
static void
test_outlier (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (DynoRun) run = keep (self, i, 10 + NOISE (i), NULL);
      g_autoptr (GPtrArray) alerts = find (self, run);

      g_assert_cmpuint (alerts->len, ==, 0);
    }

  g_autoptr (DynoRun) far = keep (self, 12, 14, NULL);
  g_autoptr (GPtrArray) alerts = find (self, far);

  g_assert_cmpuint (alerts->len, ==, 1);
  assert_alert (alerts, 0, DYNO_ALERT_OUTLIER, "14 ms, far off the 10 ms of 12 earlier runs");
}

/* The level moves by less than the threshold, or there are too few runs to tell. */
static void
test_no_outlier (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < DYNO_HISTORY_MIN_RUNS - 1; i++)
    {
      g_autoptr (DynoRun) run = keep (self, i, 10, NULL);
    }

  g_autoptr (DynoRun) early = keep (self, 20, 14, NULL);
  g_autoptr (GPtrArray) too_few = find (self, early);

  g_assert_cmpuint (too_few->len, ==, 0);
}

static void
test_below_threshold (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (DynoRun) run = keep (self, i, 10, NULL);
    }

  g_autoptr (DynoRun) slightly = keep (self, 12, 10.1, NULL);
  g_autoptr (GPtrArray) alerts = find (self, slightly);

  g_assert_cmpuint (alerts->len, ==, 0);
}

/* It is told by the run that shows it, and not again by later ones. */
static void
test_change (Fixture *self, gconstpointer data)
{
  guint n_changes = 0;
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_alert_rules_choose (self->rules, "change", &error));
  for (guint i = 0; i < 24; i++)
    {
      g_autoptr (DynoRun) run = keep (self, i, (i < 12 ? 10 : 12) + NOISE (i), NULL);
      g_autoptr (GPtrArray) alerts = find (self, run);

      if (alerts->len == 0)
        continue;
      g_assert_cmpuint (i, >, 12);
      assert_alert (alerts, 0, DYNO_ALERT_CHANGE, "slower since");
      n_changes++;
    }
  g_assert_cmpuint (n_changes, ==, 1);
}

static void
test_limits (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRun) run = keep (self, 0, 10, NULL);
  g_autoptr (GPtrArray) alerts = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_alert_rules_add_limit (self->rules, "latency_p50_ms=10", TRUE, &error));
  g_assert_true (dyno_alert_rules_add_limit (self->rules, "latency_p50_ms=9.5", TRUE, &error));
  g_assert_true (dyno_alert_rules_add_limit (self->rules, "latency_p50_ms=11", FALSE, &error));
  g_assert_true (dyno_alert_rules_add_limit (self->rules, "no_such_value=1", FALSE, &error));
  alerts = find (self, run);
  g_assert_cmpuint (alerts->len, ==, 2);
  assert_alert (alerts, 0, DYNO_ALERT_LIMIT, "is 10 ms, above the limit of 9.50 ms.");
  assert_alert (alerts, 1, DYNO_ALERT_LIMIT, "is 10 ms, below the limit of 11 ms.");
  g_assert_cmpuint (self->notes->len, ==, 1);
  g_assert_nonnull (strstr (self->notes->pdata[0], "“no_such_value”"));
}

static void
test_refused_rules (Fixture *self, gconstpointer data)
{
  static const char *const limits[] = { "latency_p50_ms", "=3", "latency_p50_ms=", "latency_p50_ms=3ms" };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_assert_false (dyno_alert_rules_add_limit (self->rules, limits[i], TRUE, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, limits[i]);
    }
  g_assert_false (dyno_alert_rules_choose (self->rules, "failed,lucky", &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "“lucky”");
}

/* Kept with the cases, whose numbers are no more doubtful for that. */
static void
test_kept (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRun) run = keep (self, 0, 10, "The engine crashed.");
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_alert_rules_add_limit (self->rules, "latency_p50_ms=9", TRUE, &error));

  g_autoptr (GPtrArray) alerts = find (self, run);
  g_autoptr (DynoResult) last = g_list_model_get_item (dyno_run_get_results (run), 0);

  g_ptr_array_add (alerts, dyno_alert_new_lost ("n7", "It is gone.", last));
  g_ptr_array_add (alerts, dyno_alert_new_lost ("n8", NULL, NULL));
  assert_alert (alerts, 2, DYNO_ALERT_LOST, "n7 was lost: It is gone.");
  g_assert_true (dyno_alerts_keep (alerts, run, self->store, &error));
  g_assert_no_error (error);

  g_autoptr (DynoRun) again = dyno_store_load_run (self->store, "run-00", &error);
  g_autoptr (DynoResult) measured = g_list_model_get_item (dyno_run_get_results (again), 0);
  g_autoptr (DynoResult) failed = g_list_model_get_item (dyno_run_get_results (again), 1);

  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (again)), ==, 2);
  g_assert_nonnull (strstr (dyno_result_find_message (measured, "alert-limit"), "above the limit"));
  g_assert_nonnull (strstr (dyno_result_find_message (measured, "alert-lost"), "n7"));
  g_assert_cmpstr (dyno_result_find_message (failed, "alert-failed"), ==, "The engine crashed.");
  g_assert_cmpint (dyno_result_get_state (measured), ==, DYNO_CASE_STATE_MEASURED);
  g_assert_cmpfloat (dyno_result_get_number (measured, "latency_p50_ms"), ==, 10);
}

static void
test_json (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRun) run = keep (self, 0, 10, "The engine crashed.");
  g_autoptr (GPtrArray) alerts = find (self, run);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autoptr (JsonObject) root = NULL;
  JsonObject *first, *second;

  g_ptr_array_add (alerts, dyno_alert_new_lost ("n8", NULL, NULL));
  text = dyno_alerts_to_json (alerts, run);
  root = dyno_json_parse_object (text, -1, "the alerts", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (dyno_json_member_get_string (dyno_json_member_get_object (root, "run"), "id"), ==,
                   "run-00");
  first = dyno_json_member_get_element (dyno_json_member_get_array (root, "alerts"), 0);
  second = dyno_json_member_get_element (dyno_json_member_get_array (root, "alerts"), 1);
  g_assert_cmpstr (dyno_json_member_get_string (first, "rule"), ==, "failed");
  g_assert_cmpint (dyno_json_member_get_int64 (first, "case", 0), ==, 2);
  g_assert_cmpstr (dyno_json_member_get_string (first, "message"), ==, "The engine crashed.");
  g_assert_cmpstr (dyno_json_member_get_string (second, "rule"), ==, "lost");
  g_assert_true (json_object_get_null_member (second, "case"));
}

static void
test_command (Fixture *self, gconstpointer data)
{
  g_autofree char *told = g_strconcat (self->path, "-told", NULL);
  g_autofree char *quoted = g_shell_quote (told);
  g_autofree char *command = g_strdup_printf ("cat > %s", quoted);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_alerts_run_command (command, "{}", &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (told, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "{}");
  g_assert_false (dyno_alerts_run_command ("echo no mail here >&2; exit 3", "{}", &error));
  suite_assert_error (error, DYNO_ERROR_FAILED, "exit 3” failed: no mail here");
  g_assert_false (dyno_alerts_run_command ("exit 3", "{}", &error));
  suite_assert_error (error, DYNO_ERROR_FAILED, "“exit 3” failed.");
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/alert/failed", test_failed },
  { "/alert/outlier", test_outlier },
  { "/alert/no-outlier", test_no_outlier },
  { "/alert/below-threshold", test_below_threshold },
  { "/alert/change", test_change },
  { "/alert/limits", test_limits },
  { "/alert/refused-rules", test_refused_rules },
  { "/alert/kept", test_kept },
  { "/alert/json", test_json },
  { "/alert/command", test_command },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)
