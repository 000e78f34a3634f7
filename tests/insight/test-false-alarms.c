/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-false-alarms.h"
#include "suite.h"

#define N_STEPS 60

static double
draw (GRand *random)
{
  return sqrt (-2 * log (1 - g_rand_double (random))) * cos (2 * G_PI * g_rand_double (random));
}

static void
add_process (GRand *random, DynoResult *result, guint number, double level, const char *failure)
{
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 0);
  DynoInvocation *invocation = dyno_invocation_new (number, failure);

  dyno_trace_set_invocation (trace, number);
  for (guint i = 0; i < N_STEPS; i++)
    dyno_trace_add (trace, i * 1000000, level * exp (0.02 * draw (random)));
  dyno_result_take_trace (result, trace);
  g_ptr_array_add (invocation->values,
                   dyno_value_new ("latency_p50_ms", level, "ms", DYNO_QUALITY_MEASURED, "clock"));
  dyno_result_take_invocation (result, invocation);
}

static DynoResult *
create_result (GRand *random, guint n, double spread)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("net", "cpu");
  DynoResult *result = dyno_result_new (kase, 0);

  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  for (guint i = 0; i < n; i++)
    add_process (random, result, i, 10 * exp (spread * draw (random)), NULL);
  return result;
}

/* The judge rarely finds that a case differs from itself, on a quiet machine or not. */
static void
test_rate (void)
{
  static const double spreads[] = { 0.002, 0.2 };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < G_N_ELEMENTS (spreads); i++)
    {
      g_autoptr (DynoResult) result = create_result (random, 20, spreads[i]);
      DynoFalseAlarms alarms;

      dyno_false_alarms_count (result, &alarms);
      g_test_message ("%u alarms in %u", alarms.n_alarms, alarms.n_comparisons);
      g_assert_cmpuint (alarms.n_comparisons, ==, 100);
      g_assert_cmpuint (alarms.n_alarms, <=, 5);
    }
}

/* Two groups of five are needed, and a process that failed is in none. */
static void
test_few (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  g_autoptr (DynoResult) few = create_result (random, 9, 0.01);
  DynoFalseAlarms alarms;

  add_process (random, few, 9, 10, "It crashed.");
  dyno_false_alarms_count (few, &alarms);
  g_assert_cmpuint (alarms.n_comparisons, ==, 0);
  add_process (random, few, 10, 10, NULL);
  dyno_false_alarms_count (few, &alarms);
  g_assert_cmpuint (alarms.n_comparisons, ==, 100);
}

static const SuiteTest tests[] = {
  { "/insight/false-alarms/rate", test_rate },
  { "/insight/false-alarms/few", test_few },
};

SUITE_TESTS (tests)
