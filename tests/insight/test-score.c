/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-score.h"
#include "dyno-scratch.h"
#include "suite.h"

#define MODELS "\"bert-tiny\", \"smol\", \"resnet\""

/* The model “m16” of the tests is in half precision, and “memory” needs few operations for each byte. */
static DynoResult *
add_case (DynoRun *run, const char *model, const double *medians, guint n)
{
  g_autoptr (DynoCase) kase = dyno_case_new (model, "cpu");
  g_autoptr (DynoResult) result =
      dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));

  if (g_str_equal (model, "m16"))
    g_object_set (kase, "precision", "fp16", NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  for (guint i = 0; i < n; i++)
    {
      DynoInvocation *invocation = dyno_invocation_new (i, NULL);

      g_ptr_array_add (invocation->values,
                       dyno_value_new ("latency_p50_ms", medians[i], "ms", DYNO_QUALITY_MEASURED, "clock"));
      dyno_result_take_invocation (result, invocation);
    }
  dyno_result_add_measured (result, "arithmetic_intensity_flops_per_byte",
                            g_str_equal (model, "memory") ? 1 : 10, "", "rules");
  dyno_result_add_measured (result, "ridge_point_flops_per_byte", 5, "", "ceilings");
  dyno_run_add_result (run, result);
  return result;
}

static void
set_over_all (DynoResult *result, guint number, double median)
{
  DynoInvocation *invocation = dyno_result_get_invocations (result)->pdata[number];

  g_ptr_array_add (invocation->values,
                   dyno_value_new ("latency_all_p50_ms", median, "ms", DYNO_QUALITY_MEASURED, "clock"));
}

static DynoRun *
create_run (void)
{
  DynoRun *run = dyno_run_new (NULL);

  g_object_set (
      run, "machine",
      "{\"cpu\": {\"name\": \"Tortoise\", \"cores\": 2}, \"backends\": [{\"id\": \"cpu\", \"runtime\": "
      "\"Engine 1\"}]}",
      "plan", "{\"title\": \"Quick\", \"models\": [" MODELS "]}", "app-version", "1.2", NULL);
  return run;
}

static DynoReference
refer (DynoRun *run)
{
  return (DynoReference){ .run = run, .suite = (char *)"Quick", .commit = (char *)"abc" };
}

static void
assert_near (double value, double wanted)
{
  g_assert_cmpfloat_with_epsilon (value, wanted, 1e-3 * wanted);
}

/* ln 2 and ln 8 have the mean ln 4, and ln 1 and ln 4 the mean ln 2: twice as fast, without any spread. */
static void
test_by_hand (void)
{
  g_autoptr (DynoRun) old = create_run ();
  g_autoptr (DynoRun) run = create_run ();
  DynoReference reference = refer (old);
  g_autoptr (DynoScore) score = NULL;
  g_autofree char *text = NULL;

  add_case (old, "bert-tiny", (double[]){ 2, 2 }, 2);
  add_case (old, "smol", (double[]){ 8, 8 }, 2);
  add_case (run, "bert-tiny", (double[]){ 1, 1 }, 2);
  add_case (run, "smol", (double[]){ 4, 4 }, 2);
  score = dyno_score_new (run, &reference);
  assert_near (score->all->value.estimate, 200);
  assert_near (score->all->value.low, 200);
  assert_near (score->all->value.high, 200);
  text = dyno_score_dup_text (score);
  g_assert_cmpstr (
      text, ==,
      "Score 200 (95 % interval 200 to 200), where the reference machine has 100. It is of the suite "
      "“Quick” on Engine 1. Reference machine: Tortoise · 2 cores · Dyno 1.2 · Engine 1 (CPU) · 2 measured.");
}

/* The logarithms of the rounds are -0.1 and 0.1: the standard error of their mean is 0.1, and with one degree of freedom
 * the interval reaches 12.7062 times as far. */
static void
test_interval (void)
{
  g_autoptr (DynoRun) even = create_run ();
  g_autoptr (DynoRun) uneven = create_run ();
  DynoReference steady = refer (even);
  DynoReference unsteady = refer (uneven);
  g_autoptr (DynoScore) score = NULL;
  g_autoptr (DynoScore) reverse = NULL;

  add_case (even, "bert-tiny", (double[]){ 1, 1 }, 2);
  add_case (uneven, "bert-tiny", (double[]){ exp (-0.1), exp (0.1) }, 2);
  score = dyno_score_new (uneven, &steady);
  assert_near (score->all->value.estimate, 100);
  assert_near (score->all->value.low, 100 * exp (-1.27062));
  assert_near (score->all->value.high, 100 * exp (1.27062));
  /* The uncertainty of the reference counts as well. */
  reverse = dyno_score_new (even, &unsteady);
  assert_near (reverse->all->value.low, 100 * exp (-1.27062));
}

/* A slow round slows all cases: its mean says so once, where the cases by themselves would say it twice. */
static void
test_rounds (void)
{
  g_autoptr (DynoRun) run = create_run ();
  DynoReference reference = refer (run);
  g_autoptr (DynoScore) opposite = NULL;
  g_autoptr (DynoScore) together = NULL;
  g_autoptr (DynoRun) other = create_run ();

  add_case (run, "bert-tiny", (double[]){ 1, 2 }, 2);
  add_case (run, "smol", (double[]){ 2, 1 }, 2);
  add_case (other, "bert-tiny", (double[]){ 1, 2 }, 2);
  add_case (other, "smol", (double[]){ 1, 2 }, 2);
  opposite = dyno_score_new (run, &reference);
  assert_near (opposite->all->value.low, 100);
  together = dyno_score_new (other, &reference);
  g_assert_cmpfloat (together->all->value.low, <, 5);
}

/* With itself 100, at twice the rates 200, whatever the numbers; the interval keeps its shape. */
static void
test_properties (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint try = 0; try < 100; try++)
    {
      g_autoptr (DynoRun) run = create_run ();
      g_autoptr (DynoRun) twice = create_run ();
      DynoReference reference = refer (run);
      g_autoptr (DynoScore) same = NULL;
      g_autoptr (DynoScore) doubled = NULL;

      for (guint i = 0; i < 3; i++)
        {
          const char *models[] = { "bert-tiny", "smol", "resnet" };
          double medians[5], halves[5];

          for (guint k = 0; k < 5; k++)
            {
              medians[k] = exp (g_rand_double_range (random, -3, 3));
              halves[k] = medians[k] / 2;
            }
          add_case (run, models[i], medians, 5);
          add_case (twice, models[i], halves, 5);
        }
      same = dyno_score_new (run, &reference);
      doubled = dyno_score_new (twice, &reference);
      assert_near (same->all->value.estimate, 100);
      g_assert_cmpfloat (same->all->value.low, <=, 100);
      assert_near (same->all->value.low * same->all->value.high, 1e4);
      assert_near (doubled->all->value.estimate, 200);
      assert_near (doubled->all->value.low, 2 * same->all->value.low);
      assert_near (doubled->all->value.high, 2 * same->all->value.high);
    }
}

/* A single process has no interval. A process that only one case lacks leaves the others’ rounds. */
static void
test_few_processes (void)
{
  g_autoptr (DynoRun) old = create_run ();
  g_autoptr (DynoRun) run = create_run ();
  g_autoptr (DynoRun) single = create_run ();
  DynoReference reference = refer (old);
  g_autoptr (DynoScore) score = NULL;
  g_autoptr (DynoScore) of_single = NULL;
  g_autofree char *answer = NULL;

  add_case (old, "bert-tiny", (double[]){ 2, 2, 2 }, 3);
  add_case (old, "smol", (double[]){ 2, 2, 2 }, 3);
  add_case (run, "bert-tiny", (double[]){ 1, 1, 99 }, 3);
  add_case (run, "smol", (double[]){ 1, 1 }, 2);
  score = dyno_score_new (run, &reference);
  assert_near (score->all->value.estimate, 200);
  assert_near (score->all->value.high, 200);

  add_case (single, "bert-tiny", (double[]){ 1 }, 1);
  add_case (single, "smol", (double[]){ 1 }, 1);
  of_single = dyno_score_new (single, &reference);
  assert_near (of_single->all->value.estimate, 200);
  g_assert_true (isnan (of_single->all->value.low));
  answer = dyno_score_dup_answer (of_single);
  g_assert_cmpstr (answer, ==, "Score 200, where the reference machine has 100.");
}

/* Undisturbed medians are only compared with such. */
static void
test_undisturbed (void)
{
  g_autoptr (DynoRun) old = create_run ();
  g_autoptr (DynoRun) run = create_run ();
  DynoReference reference = refer (old);
  DynoResult *before = add_case (old, "bert-tiny", (double[]){ 2 }, 1);
  DynoResult *after = add_case (run, "bert-tiny", (double[]){ 1 }, 1);
  g_autoptr (DynoScore) mixed = NULL;
  g_autoptr (DynoScore) alike = NULL;

  set_over_all (before, 0, 4);
  mixed = dyno_score_new (run, &reference);
  assert_near (mixed->all->value.estimate, 400);
  set_over_all (after, 0, 8);
  alike = dyno_score_new (run, &reference);
  assert_near (alike->all->value.estimate, 200);
}

static void
test_missing (void)
{
  g_autoptr (DynoRun) old = create_run ();
  g_autoptr (DynoRun) run = create_run ();
  DynoReference reference = refer (old);
  DynoResult *doubtful;
  g_autoptr (DynoScore) score = NULL;
  g_autoptr (DynoScore) too_few = NULL;
  g_autofree char *scope = NULL;
  g_autofree char *answer = NULL;

  add_case (old, "bert-tiny", (double[]){ 2, 2 }, 2);
  add_case (old, "smol", (double[]){ 2, 2 }, 2);
  add_case (old, "resnet", (double[]){ 2, 2 }, 2);
  add_case (run, "bert-tiny", (double[]){ 1, 1 }, 2);
  add_case (run, "another", (double[]){ 1, 1 }, 2);
  doubtful = add_case (run, "smol", (double[]){ 4, 4 }, 2);
  score = dyno_score_new (run, &reference);
  assert_near (score->all->value.estimate, 100);
  g_assert_cmpuint (score->all->n_cases, ==, 2);
  scope = dyno_score_dup_scope (score);
  g_assert_nonnull (strstr (scope, "It is of 2 of 3 cases of the suite “Quick” on Engine 1."));

  /* Numbers that may be wrong are not scored, and one case is too few. */
  dyno_result_take_diagnostic (
      doubtful, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "output-difference", "The answers differ."));
  g_assert_cmpint (dyno_result_get_state (doubtful), ==, DYNO_CASE_STATE_DOUBTFUL);
  too_few = dyno_score_new (run, &reference);
  answer = dyno_score_dup_text (too_few);
  g_assert_cmpstr (answer, ==, "There is no score: 1 of 3 cases of the suite “Quick” has numbers that hold.");
}

/* A run of something else has no score and no reason, even if it shares a case. */
static void
test_other_run (void)
{
  g_autoptr (DynoRun) old = create_run ();
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  DynoReference reference = refer (old);

  add_case (old, "bert-tiny", (double[]){ 2 }, 1);
  add_case (old, "smol", (double[]){ 2 }, 1);
  add_case (old, "resnet", (double[]){ 2 }, 1);
  add_case (run, "bert-tiny", (double[]){ 1 }, 1);
  g_assert_null (dyno_score_new (run, &reference));
}

static void
test_parts (void)
{
  g_autoptr (DynoRun) old = create_run ();
  g_autoptr (DynoRun) run = create_run ();
  DynoReference reference = refer (old);
  g_autoptr (DynoScore) score = NULL;
  g_autofree char *scope = NULL;
  g_autoptr (JsonObject) object = NULL;

  add_case (old, "memory", (double[]){ 1 }, 1);
  add_case (old, "bert-tiny", (double[]){ 1 }, 1);
  add_case (old, "m16", (double[]){ 1 }, 1);
  add_case (run, "memory", (double[]){ 1 }, 1);
  add_case (run, "bert-tiny", (double[]){ 0.5 }, 1);
  add_case (run, "m16", (double[]){ 0.125 }, 1);
  g_object_set (run, "machine", "{\"backends\": [{\"id\": \"cpu\", \"runtime\": \"Engine 2\"}]}", NULL);
  score = dyno_score_new (run, &reference);
  assert_near (score->all->value.estimate, 100 * pow (16, 1.0 / 3));
  scope = dyno_score_dup_scope (score);
  g_assert_nonnull (strstr (scope, "on Engine 2. Of it: fp32\u00a0141, fp16\u00a0800. Of it: "
                                   "memory\u00a0100, compute\u00a0400. Reference"));
  object = dyno_score_to_json (score);
  g_assert_cmpint (
      json_object_get_int_member (
          json_object_get_object_member (json_object_get_object_member (object, "sides"), "compute"),
          "cases"),
      ==, 2);
  g_assert_true (json_object_get_null_member (object, "low"));
}

/* The one that is built in names all that a reader needs. */
static void
test_bundled (void)
{
  const DynoReference *reference = dyno_reference_get_bundled ();
  g_autoptr (DynoScore) score = dyno_score_new (reference->run, reference);
  g_autofree char *text = dyno_reference_dup_text (reference);

  assert_near (score->all->value.estimate, 100);
  g_assert_cmpuint (score->all->n_cases, ==, 6);
  g_assert_true (score->all->value.low < 100 && score->all->value.high > 100);
  g_assert_cmpstr (reference->suite, ==, "Quick");
  g_assert_cmpuint (strlen (reference->commit), ==, 40);
  g_assert_nonnull (strstr (text, "Dyno "));
  g_assert_nonnull (strstr (text, "ONNX Runtime "));
}

static void
test_bad_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) empty = NULL;

  g_assert_null (dyno_reference_new ("{", -1, &error));
  g_assert_nonnull (error);
  g_assert_null (dyno_reference_new ("{\"runs\": []}", -1, &empty));
  g_assert_nonnull (empty);
}

static DynoRun *
store_run (DynoStore *store, const char *machine, gint64 started_at, double median)
{
  g_autoptr (DynoRun) run = create_run ();
  g_autoptr (GError) error = NULL;
  gboolean is_new;

  g_object_set (run, "machine", machine, "started-at", started_at, "finished-at", started_at + 1, "n-cases",
                3u, NULL);
  add_case (run, "bert-tiny", (double[]){ median }, 1);
  add_case (run, "smol", (double[]){ median }, 1);
  add_case (run, "resnet", (double[]){ median }, 1);
  dyno_store_add_run (store, run, &is_new, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&run);
}

/* The newest run of this machine counts, not one of another machine, nor one without a score. */
static void
test_newest (void)
{
  const char *here = "{\"cpu\": {\"name\": \"Tortoise\", \"cores\": 2}}";
  const char *there = "{\"cpu\": {\"name\": \"Hare\", \"cores\": 2}}";
  g_autofree char *folder = g_dir_make_tmp ("dyno-score-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "runs.db", NULL);
  g_autoptr (DynoRun) old = create_run ();
  DynoReference reference = refer (old);

  add_case (old, "bert-tiny", (double[]){ 1 }, 1);
  add_case (old, "smol", (double[]){ 1 }, 1);
  add_case (old, "resnet", (double[]){ 1 }, 1);
  {
    g_autoptr (DynoStore) store = dyno_store_open (path, NULL);
    g_autoptr (DynoRun) of_others = store_run (store, there, 5000000, 0.1);
    g_autoptr (DynoScore) none = dyno_score_find_newest (store, here, &reference);
    g_autoptr (DynoRun) first = store_run (store, here, 1000000, 4);
    g_autoptr (DynoRun) second = store_run (store, here, 2000000, 2);
    g_autoptr (DynoScore) score = dyno_score_find_newest (store, here, &reference);

    g_assert_null (none);
    g_assert_nonnull (score);
    assert_near (score->all->value.estimate, 50);
    g_assert_cmpstr (score->run_id, ==, dyno_run_get_id (second));
    g_assert_cmpint (score->measured_at, ==, 2000000);
  }
  dyno_scratch_remove (folder);
}

static const SuiteTest tests[] = {
  { "/score/by-hand", test_by_hand },
  { "/score/interval", test_interval },
  { "/score/rounds", test_rounds },
  { "/score/properties", test_properties },
  { "/score/few-processes", test_few_processes },
  { "/score/undisturbed", test_undisturbed },
  { "/score/missing", test_missing },
  { "/score/other-run", test_other_run },
  { "/score/parts", test_parts },
  { "/score/bundled", test_bundled },
  { "/score/newest", test_newest },
  { "/score/bad-file", test_bad_file },
};

SUITE_TESTS (tests)
