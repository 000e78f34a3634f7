/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-error.h"
#include "dyno-grade.h"
#include "dyno-run.h"
#include "suite.h"

static DynoResult *
make_result (DynoStatus status, guint ordinal)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  DynoResult *result = dyno_result_new (kase, ordinal);

  dyno_result_set_status (result, status, NULL);
  return result;
}

static void
warn (DynoResult *result, DynoSeverity severity, const char *code, const char *message)
{
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (severity, code, message));
}

static void
test_judge (void)
{
  g_autoptr (DynoResult) result = make_result (DYNO_STATUS_OK, 0);
  g_auto (GStrv) doubts = NULL;

  warn (result, DYNO_SEVERITY_INFO, "governor", "The governor is powersave.");
  warn (result, DYNO_SEVERITY_WARNING, "above-roof", "It lies above its roof.");
  g_assert_cmpint (dyno_result_get_state (result), ==, DYNO_CASE_STATE_MEASURED);
  warn (result, DYNO_SEVERITY_WARNING, "thermal-throttling", "It was hot.");
  g_assert_cmpint (dyno_result_get_state (result), ==, DYNO_CASE_STATE_DOUBTFUL);
  doubts = dyno_result_dup_doubts (result);
  g_assert_cmpuint (g_strv_length (doubts), ==, 1);
  g_assert_cmpstr (doubts[0], ==, "It was hot.");
  warn (result, DYNO_SEVERITY_WARNING, "no-steady-state", "It never became steady.");
  g_assert_cmpint (dyno_result_get_state (result), ==, DYNO_CASE_STATE_UNSTEADY);
}

/* What only widens the interval is a disturbance, which shows in the grade. */
static void
test_judge_noise (void)
{
  static const char *const codes[] = { "machine-load",      "load-during", "interval-not-reached",
                                       "slow-down",         "steal-time",  "energy-quantised",
                                       "unsteady-processes" };
  g_autoptr (DynoResult) result = make_result (DYNO_STATUS_OK, 0);
  g_auto (GStrv) disturbances = NULL;
  g_auto (GStrv) doubts = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    warn (result, DYNO_SEVERITY_WARNING, codes[i], codes[i]);
  g_assert_cmpint (dyno_result_get_state (result), ==, DYNO_CASE_STATE_MEASURED);
  doubts = dyno_result_dup_doubts (result);
  disturbances = dyno_result_dup_disturbances (result);
  g_assert_cmpuint (g_strv_length (doubts), ==, 0);
  g_assert_cmpuint (g_strv_length (disturbances), ==, G_N_ELEMENTS (codes));
}

static void
set_interval (DynoResult *result, double low, double high, guint n_processes)
{
  dyno_result_add_measured (result, "latency_p50_ms", 100, "ms", "clock");
  dyno_result_add_measured (result, "latency_median_low_ms", low, "ms", "clock");
  dyno_result_add_measured (result, "latency_median_high_ms", high, "ms", "clock");
  for (guint i = 0; i < n_processes; i++)
    dyno_result_take_invocation (result, dyno_invocation_new (i, NULL));
}

/* The farther end of the interval decides. A range is fair at best, and one process has no grade unless even its
 * own interval is wide. */
static void
test_grade (void)
{
  static const struct
  {
    double low, high;
    guint n_processes;
    DynoGrade grade;
    const char *label;
  } cases[] = {
    { 98, 101, 5, DYNO_GRADE_GOOD, "Good" },      { 99, 102.1, 5, DYNO_GRADE_FAIR, "Fair" },
    { 97.9, 100, 5, DYNO_GRADE_FAIR, "Fair" },    { 90, 110, 5, DYNO_GRADE_FAIR, "Fair" },
    { 100, 110.1, 5, DYNO_GRADE_ROUGH, "Rough" }, { 99.5, 100.5, 4, DYNO_GRADE_FAIR, "Fair" },
    { 80, 100.5, 2, DYNO_GRADE_ROUGH, "Rough" },  { 99.9, 100.1, 1, DYNO_GRADE_NONE, "Measured" },
    { 80, 120, 1, DYNO_GRADE_ROUGH, "Rough" },    { NAN, NAN, 5, DYNO_GRADE_NONE, "Measured" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (DynoResult) result = make_result (DYNO_STATUS_OK, 0);

      set_interval (result, cases[i].low, cases[i].high, cases[i].n_processes);
      g_assert_cmpint (dyno_result_get_grade (result), ==, cases[i].grade);
      g_assert_cmpstr (dyno_result_get_status_label (result), ==, cases[i].label);
      warn (result, DYNO_SEVERITY_WARNING, "fallback", "It ran elsewhere.");
      g_assert_cmpstr (dyno_result_get_status_label (result), ==, "Doubtful");
    }
}

static void
test_judge_unmeasured (void)
{
  static const DynoCaseState expected[] = {
    [DYNO_STATUS_PENDING] = DYNO_CASE_STATE_WAITING, [DYNO_STATUS_RUNNING] = DYNO_CASE_STATE_RUNNING,
    [DYNO_STATUS_OK] = DYNO_CASE_STATE_DOUBTFUL,     [DYNO_STATUS_FAILED] = DYNO_CASE_STATE_FAILED,
    [DYNO_STATUS_SKIPPED] = DYNO_CASE_STATE_SKIPPED, [DYNO_STATUS_CANCELLED] = DYNO_CASE_STATE_NOT_RUN,
  };

  for (DynoStatus status = DYNO_STATUS_PENDING; status <= DYNO_STATUS_CANCELLED; status++)
    {
      g_autoptr (DynoResult) result = make_result (status, 0);
      g_auto (GStrv) doubts = NULL;

      warn (result, DYNO_SEVERITY_WARNING, "thermal-throttling", "It was hot.");
      doubts = dyno_result_dup_doubts (result);
      g_assert_cmpint (dyno_result_get_state (result), ==, expected[status]);
      g_assert_cmpuint (g_strv_length (doubts), ==, status == DYNO_STATUS_OK ? 1 : 0);
    }
}

static void
add (DynoRun *run, DynoStatus status, guint ordinal)
{
  g_autoptr (DynoResult) result = make_result (status, ordinal);

  dyno_run_add_result (run, result);
}

/* Eight cases; of them two are measured, one failed, one was stopped, and four are not there. */
static DynoRun *
make_interrupted (void)
{
  DynoRun *run = dyno_run_new (NULL);

  g_object_set (run, "n-cases", 8, "plan",
                "{\"models\": [\"gpt2\"], \"batch-sizes\": [1,2,4,8,16,32,64,128]}", NULL);
  add (run, DYNO_STATUS_OK, 1);
  add (run, DYNO_STATUS_OK, 3);
  add (run, DYNO_STATUS_FAILED, 7);
  add (run, DYNO_STATUS_CANCELLED, 0);
  return run;
}

static void
test_counts (void)
{
  g_autoptr (DynoRun) run = make_interrupted ();
  g_autofree char *text = NULL;
  DynoCaseCounts counts = { 0 };

  dyno_run_count_cases (run, &counts);
  g_assert_cmpuint (counts.n_cases, ==, 8);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_MEASURED], ==, 2);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_FAILED], ==, 1);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_NOT_RUN], ==, 5);
  g_assert_cmpuint (dyno_case_counts_get_n_with_numbers (&counts), ==, 2);
  g_assert_true (dyno_run_is_interrupted (run));
  text = dyno_case_counts_dup_text (&counts);
  g_assert_cmpstr (text, ==, "2 measured · 1 failed · 5 not run");
}

/* Cases that are pending in a running run are not run after it has ended. */
static void
test_counts_over (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  DynoCaseCounts counts = { 0 };

  g_object_set (run, "n-cases", 2, NULL);
  add (run, DYNO_STATUS_OK, 0);
  add (run, DYNO_STATUS_PENDING, 1);
  dyno_run_count_cases (run, &counts);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_WAITING], ==, 1);
  g_assert_false (dyno_run_is_interrupted (run));
  g_object_set (run, "finished-at", (gint64)1, NULL);
  dyno_run_count_cases (run, &counts);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_WAITING], ==, 0);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_NOT_RUN], ==, 1);
  g_assert_true (dyno_run_is_interrupted (run));
}

static void
test_counts_listed (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  DynoCaseCounts counts = { .of = { [DYNO_CASE_STATE_DOUBTFUL] = 3, [DYNO_CASE_STATE_SKIPPED] = 1 } };

  g_object_set (run, "n-cases", 5, NULL);
  dyno_run_set_counts (run, &counts);
  dyno_run_count_cases (run, &counts);
  g_assert_cmpuint (counts.n_cases, ==, 5);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_DOUBTFUL], ==, 3);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_NOT_RUN], ==, 1);
}

static void
assert_cases (DynoPlan *plan, const char *expected)
{
  g_autofree char *cases = g_strjoinv (",", (char **)dyno_plan_get_cases (plan));

  g_assert_cmpstr (cases, ==, expected);
}

static void
test_remaining (void)
{
  g_autoptr (DynoRun) run = make_interrupted ();
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_remaining_plan_new (run, &error);
  g_autoptr (GPtrArray) cases = NULL;

  g_assert_no_error (error);
  assert_cases (plan, "1,3,5,6,7");
  cases = dyno_plan_expand (plan, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cases->len, ==, 5);
  g_assert_cmpuint (dyno_case_get_batch_size (cases->pdata[0]), ==, 1);
  g_assert_cmpuint (dyno_case_get_batch_size (cases->pdata[4]), ==, 64);
}

/* The rest of a run that was itself the rest of another one. */
static void
test_remaining_again (void)
{
  g_autoptr (DynoRun) run = make_interrupted ();
  g_autoptr (DynoRun) second = dyno_run_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_remaining_plan_new (run, &error);
  g_autofree char *json = dyno_plan_to_json (plan);
  g_autoptr (DynoPlan) rest = NULL;

  g_object_set (second, "n-cases", 5, "plan", json, NULL);
  add (second, DYNO_STATUS_SKIPPED, 0);
  add (second, DYNO_STATUS_OK, 2);
  rest = dyno_remaining_plan_new (second, &error);
  g_assert_no_error (error);
  assert_cases (rest, "3,6,7");
}

static void
test_nothing_remains (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (GError) error = NULL;

  g_object_set (run, "n-cases", 1, "plan", "{\"models\": [\"gpt2\"]}", NULL);
  add (run, DYNO_STATUS_OK, 0);
  g_assert_null (dyno_remaining_plan_new (run, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_object_set (run, "plan", NULL, NULL);
  g_assert_null (dyno_remaining_plan_new (run, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static void
test_in_doubt (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (DynoResult) doubtful = NULL;

  g_object_set (run, "n-cases", 3, "plan", "{\"models\": [\"gpt2\"], \"batch-sizes\": [1, 2, 4]}", NULL);
  add (run, DYNO_STATUS_OK, 0);
  add (run, DYNO_STATUS_OK, 1);
  g_assert_null (dyno_remaining_plan_new_in_doubt (run, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  doubtful = g_list_model_get_item (dyno_run_get_results (run), 1);
  dyno_result_take_diagnostic (doubtful,
                               dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "fallback", "It fell back."));
  plan = dyno_remaining_plan_new_in_doubt (run, &error);
  g_assert_no_error (error);
  assert_cases (plan, "2");
  g_assert_cmpfloat (dyno_method_get_wait_quiet (dyno_plan_get_method (plan)), ==, 120);
}

static void
test_no_such_case (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json ("{\"models\": [\"gpt2\"], \"cases\": [1, 2]}", &error);

  g_assert_no_error (error);
  g_assert_null (dyno_plan_expand (plan, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

static const SuiteTest tests[] = {
  { "/case-state/judge", test_judge },
  { "/case-state/judge-unmeasured", test_judge_unmeasured },
  { "/case-state/judge-noise", test_judge_noise },
  { "/case-state/grade", test_grade },
  { "/case-state/counts", test_counts },
  { "/case-state/counts-over", test_counts_over },
  { "/case-state/counts-listed", test_counts_listed },
  { "/case-state/remaining", test_remaining },
  { "/case-state/remaining-again", test_remaining_again },
  { "/case-state/nothing-remains", test_nothing_remains },
  { "/case-state/in-doubt", test_in_doubt },
  { "/case-state/no-such-case", test_no_such_case },
};

SUITE_TESTS (tests)
