/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-missing.h"
#include "suite.h"

#define NO_POWER "There are no energy counters in a virtual machine."

static void
add_missing (DynoResult *result, const char *name, const char *reason)
{
  dyno_result_take_value (result, dyno_value_new_unsupported (name, "", reason));
}

static DynoResult *
add_result (GListStore *results, const char *percentile_reason)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, g_list_model_get_n_items (G_LIST_MODEL (results)));

  dyno_result_add_measured (result, "latency_p50_ms", 1, "ms", "clock");
  /* They are listed in the order of the metrics, whichever came first. */
  add_missing (result, "latency_p999_ms", percentile_reason);
  add_missing (result, "latency_p99_ms", percentile_reason);
  add_missing (result, "power_avg_watts", NO_POWER);
  add_missing (result, "energy_joules", NO_POWER);
  add_missing (result, "temperature_max_celsius", NO_POWER);
  g_list_store_append (results, result);
  return result;
}

static void
assert_missing (GPtrArray *list, guint i, const char *title, const char *reason, guint n_results)
{
  DynoMissing *missing = list->pdata[i];
  g_autofree char *text = dyno_missing_dup_title (missing);

  g_assert_cmpstr (text, ==, title);
  g_assert_cmpstr (missing->reason, ==, reason);
  g_assert_cmpuint (missing->results->len, ==, n_results);
}

/* Each reason is listed once, however many cases and values it concerns. */
static void
test_group (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  g_autoptr (GPtrArray) list = NULL;
  DynoResult *last;

  add_result (results, "This needs 4603 samples; there are 200.");
  add_result (results, "This needs 4603 samples; there are 1187.");
  last = add_result (results, "This needs 4603 samples; there are 31.");
  add_missing (last, "peak_theoretical_bandwidth_gbps", "");

  list = dyno_missing_find (G_LIST_MODEL (results));
  g_assert_cmpuint (list->len, ==, 3);
  assert_missing (list, 0, "99th percentile of latency, 99.9th percentile of latency",
                  "This needs 4603 samples; there are 31 – 1187.", 3);
  assert_missing (list, 1, "Power and energy, Temperature (3 values)", NO_POWER, 3);
  assert_missing (list, 2, "Theoretical bandwidth", "No reason was given.", 1);
}

/* A number with a fraction or an exponent is one number, and the point after it ends the sentence. */
static void
test_fractions (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  g_autoptr (GPtrArray) list = NULL;

  add_result (results, "A step reads 31.25 GB/s of 4.5 GB/s, by 0.5.");
  add_result (results, "A step reads 7 GB/s of 4.5 GB/s, by 0.75.");
  add_result (results, "A step reads 1.2e+03 GB/s of 4,5 GB/s, by 12.");
  list = dyno_missing_find (G_LIST_MODEL (results));
  g_assert_cmpuint (list->len, ==, 2);
  assert_missing (list, 0, "99th percentile of latency, 99.9th percentile of latency",
                  "A step reads 7 – 1.2e+03 GB/s of 4.5 GB/s, by 0.5 – 12.", 3);
}

static void
test_nothing (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  g_autoptr (GPtrArray) list = dyno_missing_find (G_LIST_MODEL (results));

  g_assert_cmpuint (list->len, ==, 0);
}

static const SuiteTest tests[] = {
  { "/missing/group", test_group },
  { "/missing/fractions", test_fractions },
  { "/missing/nothing", test_nothing },
};

SUITE_TESTS (tests)
