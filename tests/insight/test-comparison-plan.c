/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-comparison.h"
#include "dyno-comparison-builder.h"
#include "dyno-error.h"
#include "suite.h"

static DynoResult *
add_case (DynoRun *run, const char *backend, guint batch_size)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", backend);
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "batch-size", batch_size, "sequence-length", 128, NULL);
  result = dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", 10, "ms", "clock");
  dyno_run_add_result (run, result);
  return result;
}

static DynoComparison *
compare (DynoRun *before, DynoRun *after)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  const DynoComparisonOptions options = { NULL };

  g_ptr_array_add (runs, before);
  g_ptr_array_add (runs, after);
  return dyno_comparison_new (runs, &options, NULL);
}

static DynoRun *
create_run (const char *title)
{
  return g_object_new (DYNO_TYPE_RUN, "title", title, NULL);
}

/* Exactly the undecided cases of both sides in one plan. */
static void
test_disputed (void)
{
  g_autoptr (DynoRun) before = create_run ("Before");
  g_autoptr (DynoRun) after = create_run ("After");
  g_autoptr (DynoComparison) comparison = NULL;
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (GPtrArray) cases = NULL;
  g_autoptr (GError) error = NULL;

  for (guint batch_size = 1; batch_size <= 4; batch_size *= 2)
    {
      add_case (before, "cpu", batch_size);
      add_case (after, "openvino", batch_size);
    }
  comparison = compare (before, after);
  ((DynoComparedCase *)comparison->cases->pdata[1])->verdict = DYNO_VERDICT_BETTER;
  ((DynoComparedCase *)comparison->cases->pdata[2])->n_needed = 12;
  plan = dyno_comparison_plan_new (comparison, &error);
  g_assert_no_error (error);
  g_assert_true (dyno_plan_get_turns (plan));
  cases = dyno_plan_expand (plan, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cases->len, ==, 4);
  for (guint i = 0; i < cases->len; i++)
    {
      g_assert_cmpuint (dyno_case_get_batch_size (cases->pdata[i]), ==, i % 2 == 0 ? 1 : 4);
      g_assert_cmpstr (dyno_case_get_backend (cases->pdata[i]), ==, i < 2 ? "cpu" : "openvino");
      g_assert_cmpuint (dyno_method_get_invocations (dyno_case_get_method (cases->pdata[i])), ==, 12);
    }
}

/* Cases that differ only in time cannot be put into one run. */
static void
test_same_setting (void)
{
  g_autoptr (DynoRun) before = create_run ("Before");
  g_autoptr (DynoRun) after = create_run ("After");
  g_autoptr (DynoComparison) comparison = NULL;
  g_autoptr (GError) error = NULL;

  add_case (before, "cpu", 1);
  add_case (after, "cpu", 1);
  comparison = compare (before, after);
  g_assert_null (dyno_comparison_plan_new (comparison, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static const SuiteTest tests[] = {
  { "/insight/comparison-plan/disputed", test_disputed },
  { "/insight/comparison-plan/same-setting", test_same_setting },
};

SUITE_TESTS (tests)
