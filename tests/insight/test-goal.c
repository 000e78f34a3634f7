/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-goal.h"
#include "suite.h"

static DynoResult *
create_result (const char *backend)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("resnet-50", backend);
  DynoResult *result = dyno_result_new (kase, 0);

  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", 8, "ms", "clock");
  dyno_result_add_measured (result, "latency_p90_ms", 8, "ms", "clock");
  dyno_result_add_measured (result, "throughput_items_per_sec", 100, "1/s", "clock");
  dyno_result_add_measured (result, "memory_peak_mb", 2, "MB", "kernel");
  return result;
}

static void
test_parse (void)
{
  g_autofree char *text = NULL;
  g_autofree char *label = NULL;
  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_ENERGY);
  goal.limits[DYNO_LIMIT_MEMORY] = 100;
  g_assert_true (dyno_goal_parse (&goal, "memory, latency=2.5", NULL));
  text = dyno_goal_to_string (&goal);
  label = dyno_goal_dup_label (&goal);
  g_assert_cmpstr (text, ==, "latency=2.5,memory=1");
  g_assert_cmpstr (label, ==, "Lowest median latency × 2.50, Least memory × 1");
  g_assert_true (dyno_goal_is_weighted (&goal));
  g_assert_cmpint (dyno_goal_get_main (&goal), ==, DYNO_OBJECTIVE_LATENCY);
  g_assert_cmpfloat (goal.limits[DYNO_LIMIT_MEMORY], ==, 100);
}

static void
test_bad (void)
{
  static const char *const texts[] = { "",           "speed",      "latency=",        "latency=0",
                                       "latency=-1", "latency=1x", "memory,,latency", "latency=inf" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      DynoGoal goal;

      dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
      g_assert_false (dyno_goal_parse (&goal, texts[i], &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
    }
}

/* Only ratios matter; several values count as their weighted geometric mean. */
static void
test_cost (void)
{
  g_autoptr (DynoResult) result = create_result ("cpu");
  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  g_assert_cmpfloat_with_epsilon (dyno_goal_get_cost (&goal, result), 8, 1e-12);
  dyno_goal_init (&goal, DYNO_OBJECTIVE_THROUGHPUT);
  g_assert_cmpfloat_with_epsilon (dyno_goal_get_cost (&goal, result), 0.01, 1e-12);
  g_assert_true (dyno_goal_parse (&goal, "latency=1,memory=1", NULL));
  g_assert_cmpfloat_with_epsilon (dyno_goal_get_cost (&goal, result), 4, 1e-12);
  g_assert_true (dyno_goal_parse (&goal, "latency,energy", NULL));
  g_assert_true (isnan (dyno_goal_get_cost (&goal, result)));
}

static void
assert_reason (const DynoGoal *goal, DynoResult *result, const char *expected)
{
  g_autofree char *reason = dyno_goal_explain (goal, result);

  g_assert_cmpstr (reason, ==, expected);
}

static void
test_limits (void)
{
  g_autoptr (DynoResult) result = create_result ("openvino");
  g_autoptr (DynoResult) reference = create_result ("cpu");
  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  assert_reason (&goal, result, NULL);
  goal.limits[DYNO_LIMIT_LATENCY] = 8;
  assert_reason (&goal, result, NULL);
  goal.limits[DYNO_LIMIT_LATENCY] = 7.5;
  assert_reason (&goal, result, "90th percentile of latency is 8\u00a0ms, above the limit of 7.50\u00a0ms.");
  goal.limits[DYNO_LIMIT_LATENCY] = INFINITY;
  goal.limits[DYNO_LIMIT_ERROR] = 1;
  assert_reason (&goal, result, "Maximum output error against the CPU was not measured.");
  assert_reason (&goal, reference, NULL);
  dyno_result_add_measured (result, "output_max_error", 0.02, "", "outputs");
  assert_reason (&goal, result,
                 "Maximum output error against the CPU is 2.0\u00a0%, above the limit of 1.0\u00a0%.");
}

/* Estimates are not measurements, and unsteady values are not reliable ones. */
static void
test_quality (void)
{
  g_autoptr (DynoResult) result = create_result ("cpu");
  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_ENERGY);
  assert_reason (&goal, result, "Throughput per watt was not measured.");
  dyno_result_take_value (result,
                          dyno_value_new ("throughput_per_watt", 3, "1/s/W", DYNO_QUALITY_ESTIMATED, "TDP"));
  assert_reason (&goal, result, "Throughput per watt is estimated, not measured.");
  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  dyno_result_take_diagnostic (result,
                               dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "no-steady-state", "Never."));
  assert_reason (&goal, result, "Its latency never became steady.");
  goal.allows_moving_turns = TRUE;
  assert_reason (&goal, result, "Its latency never became steady.");
  dyno_result_take_trace (result, dyno_trace_new ("turns", "", 0));
  assert_reason (&goal, result, NULL);
  dyno_result_set_status (result, DYNO_STATUS_FAILED, "The worker was killed.");
  assert_reason (&goal, result, "The worker was killed.");
}

/* A million items take 10 000 s, and tokens count where the case generates some. Without a price there is no cost. */
static void
test_price (void)
{
  static const char *const bad[] = { "cheap", "0", "-3", "2.5.1", "1 of the dearest coins", "inf" };
  g_autoptr (DynoResult) result = create_result ("cpu");
  g_autofree char *cost = NULL;
  g_autofree char *source = NULL;
  g_autofree char *tokens = NULL;
  g_autoptr (GError) error = NULL;
  DynoPrice price;

  g_assert_true (dyno_price_parse (&price, "3.6 EUR", &error));
  g_object_set (result, "architecture", "resnet", NULL);
  g_assert_cmpfloat_with_epsilon (dyno_price_get_cost (&price, result), 10, 1e-9);
  cost = dyno_price_dup_cost (&price, result);
  source = dyno_price_dup_source (&price, result);
  g_assert_cmpstr (cost, ==, "10 EUR per million images");
  g_assert_cmpstr (source, ==, "3.60 EUR per hour, as given, and 100 images/s, as measured");
  dyno_result_add_measured (result, "decode_tokens_per_sec", 1000, "tokens/s", "clock");
  tokens = dyno_price_dup_cost (&price, result);
  g_assert_cmpstr (tokens, ==, "1 EUR per million tokens");
  g_assert_true (dyno_price_parse (&price, "", &error));
  g_assert_true (isnan (dyno_price_get_cost (&price, result)));
  g_assert_null (dyno_price_dup_cost (&price, result));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (dyno_price_parse (&price, bad[i], &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, bad[i]);
    }
}

static const SuiteTest tests[] = {
  { "/goal/parse", test_parse },   { "/goal/bad", test_bad },         { "/goal/cost", test_cost },
  { "/goal/limits", test_limits }, { "/goal/quality", test_quality }, { "/goal/price", test_price },
};

SUITE_TESTS (tests)
