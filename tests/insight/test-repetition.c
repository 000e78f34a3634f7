/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-repetition.h"
#include "suite.h"

static DynoRun *
create_run (const char *plan)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  DynoRun *run = g_object_new (DYNO_TYPE_RUN, "title", "Theirs", "plan", plan, NULL);

  g_object_set (kase, "sequence-length", 16, NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", 10, "ms", "clock");
  dyno_run_add_result (run, result);
  return run;
}

/* The difference that a machine's own noise makes is no disagreement, if all of the interval is within it. */
static void
test_judge (void)
{
  static const struct
  {
    DynoVerdict verdict;
    double low;
    double high;
    double noise_floor;
    DynoAgreement expected;
  } rows[] = {
    { DYNO_VERDICT_SAME, 0.99, 1.01, NAN, DYNO_AGREEMENT_AGREES },
    { DYNO_VERDICT_BETTER, 0.7, 0.8, NAN, DYNO_AGREEMENT_DIFFERS },
    { DYNO_VERDICT_WORSE, 1.2, 1.3, 0.1, DYNO_AGREEMENT_DIFFERS },
    { DYNO_VERDICT_WITHIN_NOISE, 1.03, 1.06, 0.07, DYNO_AGREEMENT_AGREES },
    { DYNO_VERDICT_WITHIN_NOISE, 1.03, 1.09, 0.07, DYNO_AGREEMENT_UNKNOWN },
    { DYNO_VERDICT_NOT_ENOUGH_DATA, 0.95, 1.05, 0.07, DYNO_AGREEMENT_AGREES },
    { DYNO_VERDICT_NOT_ENOUGH_DATA, 0.92, 1.05, 0.07, DYNO_AGREEMENT_UNKNOWN },
    { DYNO_VERDICT_NOT_ENOUGH_DATA, 0.95, 1.05, NAN, DYNO_AGREEMENT_UNKNOWN },
    { DYNO_VERDICT_NOT_ENOUGH_DATA, NAN, NAN, 0.07, DYNO_AGREEMENT_UNKNOWN },
    { DYNO_VERDICT_PROBABLY_WORSE, 0.99, 1.05, 0.07, DYNO_AGREEMENT_UNKNOWN },
    { DYNO_VERDICT_CONFOUNDED, 0.99, 1.01, 0.07, DYNO_AGREEMENT_UNKNOWN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const DynoComparedCase kase = {
        .verdict = rows[i].verdict,
        .low = rows[i].low,
        .high = rows[i].high,
        .noise_floor = rows[i].noise_floor,
      };

      g_assert_cmpint (dyno_agreement_judge (&kase), ==, rows[i].expected);
    }
}

/* All cases must agree; one that differs decides, and one that was left out is open. */
static void
test_judge_all (void)
{
  g_autoptr (DynoRun) run = create_run (NULL);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoComparison) comparison = dyno_comparison_new_empty ("latency_p50_ms", "ms", 0.02);
  g_autofree char *nothing = NULL;
  g_autofree char *all = NULL;
  guint counts[DYNO_N_AGREEMENTS];

  dyno_comparison_add_side (comparison, run, "Then");
  dyno_comparison_add_side (comparison, run, "Now");
  g_assert_cmpint (dyno_agreement_judge_all (comparison, counts), ==, DYNO_AGREEMENT_UNKNOWN);
  nothing = dyno_agreement_dup_answer (comparison);
  g_assert_cmpstr (nothing, ==, "No case was repeated.");
  dyno_comparison_add_case (comparison, 1, result, result)->verdict = DYNO_VERDICT_SAME;
  g_assert_cmpint (dyno_agreement_judge_all (comparison, counts), ==, DYNO_AGREEMENT_AGREES);
  dyno_comparison_leave_out (comparison, 1, result, TRUE, g_strdup ("It failed."));
  g_assert_cmpint (dyno_agreement_judge_all (comparison, counts), ==, DYNO_AGREEMENT_UNKNOWN);
  dyno_comparison_add_case (comparison, 1, result, result)->verdict = DYNO_VERDICT_WORSE;
  g_assert_cmpint (dyno_agreement_judge_all (comparison, counts), ==, DYNO_AGREEMENT_DIFFERS);
  g_assert_cmpuint (counts[DYNO_AGREEMENT_AGREES], ==, 1);
  g_assert_cmpuint (counts[DYNO_AGREEMENT_DIFFERS], ==, 1);
  g_assert_cmpuint (counts[DYNO_AGREEMENT_UNKNOWN], ==, 1);
  all = dyno_agreement_dup_answer (comparison);
  g_assert_cmpstr (all, ==, "Repeated: 1 case agrees within its interval, 1 case differs, 1 case is open.");
}

static void
assert_refused (DynoRun *run, const char *const *models, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRepetition) repetition = dyno_repetition_new (run, models, &error);

  g_assert_null (repetition);
  suite_assert_error (error, code, words);
}

static void
test_refused (void)
{
  const char *plan = "{ \"models\": [\"bert-tiny\"] }";
  const char *const two[] = { "bert-tiny", "bert-small", NULL };
  g_autoptr (DynoRun) without_plan = create_run (NULL);
  g_autoptr (DynoRun) imported = create_run (plan);
  g_autoptr (DynoRun) empty = g_object_new (DYNO_TYPE_RUN, "plan", plan, NULL);
  g_autoptr (DynoRun) unknown = create_run ("{ \"models\": [\"bert-tiny\"], \"colour\": 1 }");
  g_autoptr (DynoRun) gone = create_run ("{ \"models\": [\"/nowhere/model.onnx\"] }");
  g_autoptr (DynoRun) good = create_run (plan);
  DynoOrigin *origin = dyno_origin_new ();

  origin->tool = g_strdup ("llama-bench");
  dyno_run_set_origin (imported, origin);
  dyno_origin_unref (origin);
  assert_refused (without_plan, NULL, DYNO_ERROR_INVALID_ARGUMENT, "without its plan");
  assert_refused (imported, NULL, DYNO_ERROR_INVALID_ARGUMENT, "llama-bench");
  assert_refused (empty, NULL, DYNO_ERROR_INVALID_ARGUMENT, "no measured case");
  assert_refused (unknown, NULL, DYNO_ERROR_INVALID_DATA, "colour");
  assert_refused (gone, NULL, DYNO_ERROR_NOT_FOUND, "/nowhere/model.onnx");
  assert_refused (good, two, DYNO_ERROR_INVALID_ARGUMENT, "--model");
}

static gboolean
has_difference (const DynoRepetition *repetition, const char *name)
{
  for (guint i = 0; i < repetition->before->differences->len; i++)
    if (g_str_equal (((DynoSideDifference *)repetition->before->differences->pdata[i])->name, name))
      return TRUE;
  return FALSE;
}

/* A model that is not here is left out with the reason, and the others run. */
static void
test_other_machine (void)
{
  g_autoptr (DynoRun) run =
      create_run ("{ \"models\": [\"bert-tiny\", \"/nowhere/model.onnx\"], \"sequence-lengths\": [16] }");
  g_autoptr (DynoCase) kase = dyno_case_new ("/nowhere/model.onnx", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRepetition) repetition = NULL;
  const DynoLeftOutCase *left_out;

  dyno_run_add_result (run, result);
  g_object_set (run, "app-version", "0.0.1", "machine",
                "{ \"cpu\": { \"name\": \"Abacus\" }, \"backends\": [ { \"id\": \"cpu\", \"runtime\": \"ONNX "
                "Runtime 0.1.0\" } ] }",
                NULL);
  repetition = dyno_repetition_new (run, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length ((char **)dyno_plan_get_models (repetition->plan)), ==, 1);
  g_assert_true (has_difference (repetition, "Processor"));
  g_assert_true (has_difference (repetition, "Dyno"));
  g_assert_cmpuint (repetition->before->left_out->len, >=, 1);
  left_out = repetition->before->left_out->pdata[0];
  g_assert_nonnull (strstr (left_out->reason, "/nowhere/model.onnx"));
}

static const SuiteTest tests[] = {
  { "/insight/repetition/judge", test_judge },
  { "/insight/repetition/judge-all", test_judge_all },
  { "/insight/repetition/refused", test_refused },
  { "/insight/repetition/other-machine", test_other_machine },
};

SUITE_TESTS (tests)
