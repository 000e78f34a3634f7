/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-ceiling.h"
#include "dyno-verification.h"
#include "suite.h"

static DynoCheckOutcome
judge (const double *ratios, guint n, double noise_floor)
{
  g_autoptr (DynoCheck) check = dyno_check_new_ratio ("bare-loop", "A bare loop", ratios, n, noise_floor);

  g_assert_nonnull (check->text);
  return check->outcome;
}

/* Only a difference beyond the limit, its interval and the machine's own noise fails. */
static void
test_ratio (void)
{
  static const double same[] = { 1.01, 0.99, 1.0, 1.02, 0.98, 1.0 };
  static const double slower[] = { 1.21, 1.19, 1.2, 1.22, 1.18, 1.2 };
  static const double faster[] = { 0.81, 0.79, 0.8, 0.82, 0.78, 0.8 };
  static const double noisy[] = { 1.5, 0.7, 1.1, 2.0, 0.6, 1.2 };
  static const double noisy_beyond[] = { 2.5, 1.0, 1.1, 3.0, 1.6, 1.2 };

  g_assert_cmpint (judge (same, 6, NAN), ==, DYNO_CHECK_PASS);
  g_assert_cmpint (judge (slower, 6, NAN), ==, DYNO_CHECK_FAIL);
  g_assert_cmpint (judge (faster, 6, 0.1), ==, DYNO_CHECK_FAIL);
  g_assert_cmpint (judge (slower, 6, 0.25), ==, DYNO_CHECK_WARN);
  g_assert_cmpint (judge (noisy, 6, NAN), ==, DYNO_CHECK_WARN);
  g_assert_cmpint (judge (noisy_beyond, 6, NAN), ==, DYNO_CHECK_WARN);
  g_assert_cmpint (judge (same, 2, NAN), ==, DYNO_CHECK_UNCHECKED);
}

static void
test_interval (void)
{
  static const double ratios[] = { 1.0, 1.02, 0.98 };
  g_autoptr (DynoCheck) check = dyno_check_new_ratio ("bare-loop", "A bare loop", ratios, 3, NAN);

  /* The geometric mean, and Student's t of 2 degrees of freedom, 4.303, times 0.0200 / √3 */
  g_assert_cmpfloat_with_epsilon (check->ratio, 0.99987, 1e-4);
  g_assert_cmpfloat_with_epsilon (check->high / check->ratio, exp (4.303 * 0.0200 / sqrt (3)), 1e-3);
  g_assert_cmpfloat_with_epsilon (check->low * check->high, check->ratio * check->ratio, 1e-9);
}

/* A machine that changes raises false alarms, so these only warn. */
static void
test_alarms (void)
{
  const DynoFalseAlarms few = { 100, 5 }, many = { 100, 60 }, none = { 0, 0 };
  g_autoptr (DynoCheck) good = dyno_check_new_alarms (&few, 0.03);
  g_autoptr (DynoCheck) bad = dyno_check_new_alarms (&many, 0.5);
  g_autoptr (DynoCheck) unknown = dyno_check_new_alarms (&none, NAN);

  g_assert_cmpint (good->outcome, ==, DYNO_CHECK_PASS);
  g_assert_cmpint (bad->outcome, ==, DYNO_CHECK_WARN);
  g_assert_cmpint (unknown->outcome, ==, DYNO_CHECK_UNCHECKED);
}

static void
add (GPtrArray *ceilings, const char *id, guint threads, double value, double spread)
{
  g_ptr_array_add (ceilings,
                   g_object_new (DYNO_TYPE_CEILING, "id", id, "kind", DYNO_CEILING_BANDWIDTH, "device", "cpu",
                                 "threads", threads, "value", value, "spread", spread, "unit", "B/s", NULL));
}

static GPtrArray *
create_ceilings (double l2, double dram_of_two, double spread)
{
  GPtrArray *ceilings = g_ptr_array_new_with_free_func (g_object_unref);

  add (ceilings, "l1-read", 1, 100, 0.01);
  add (ceilings, "l2-read", 1, l2, spread);
  add (ceilings, "dram-read", 1, 20, 0.01);
  add (ceilings, "dram-read", 2, dram_of_two, spread);
  return ceilings;
}

static void
assert_ceilings (
    double l2, double dram_of_two, double spread, DynoCheckOutcome levels, DynoCheckOutcome threads)
{
  g_autoptr (GPtrArray) ceilings = create_ceilings (l2, dram_of_two, spread);
  g_autoptr (DynoCheck) of_levels = dyno_check_new_levels (ceilings);
  g_autoptr (DynoCheck) of_threads = dyno_check_new_threads (ceilings);

  g_assert_cmpint (of_levels->outcome, ==, levels);
  g_assert_cmpint (of_threads->outcome, ==, threads);
  if (levels != DYNO_CHECK_PASS)
    g_assert_nonnull (strstr (of_levels->text, "l2-read"));
  if (threads != DYNO_CHECK_PASS)
    g_assert_nonnull (strstr (of_threads->text, "dram-read"));
}

/* A level that is missing is stepped over; only undisturbed ceilings fail. */
static void
test_ceilings (void)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (DynoCheck) levels = dyno_check_new_levels (none);
  g_autoptr (DynoCheck) threads = dyno_check_new_threads (none);

  assert_ceilings (60, 30, 0.01, DYNO_CHECK_PASS, DYNO_CHECK_PASS);
  assert_ceilings (104, 19.5, 0.01, DYNO_CHECK_PASS, DYNO_CHECK_PASS);
  assert_ceilings (140, 12, 0.01, DYNO_CHECK_FAIL, DYNO_CHECK_FAIL);
  assert_ceilings (140, 12, 0.3, DYNO_CHECK_WARN, DYNO_CHECK_WARN);
  assert_ceilings (15, 30, 0.01, DYNO_CHECK_FAIL, DYNO_CHECK_PASS);
  g_assert_cmpint (levels->outcome, ==, DYNO_CHECK_UNCHECKED);
  g_assert_cmpint (threads->outcome, ==, DYNO_CHECK_UNCHECKED);
}

static void
test_sensors (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  g_autoptr (DynoCheck) absent = dyno_check_new_sensors (result, FALSE);
  g_autoptr (DynoCheck) good = dyno_check_new_sensors (result, TRUE);
  g_autoptr (DynoCheck) bad = NULL;

  dyno_result_take_diagnostic (result,
                               dyno_diagnostic_new (DYNO_SEVERITY_INFO, "energy-counter", "12 W and 20 W"));
  bad = dyno_check_new_sensors (result, TRUE);
  g_assert_cmpint (absent->outcome, ==, DYNO_CHECK_ABSENT);
  g_assert_cmpint (good->outcome, ==, DYNO_CHECK_PASS);
  g_assert_cmpint (bad->outcome, ==, DYNO_CHECK_WARN);
  g_assert_cmpstr (bad->text, ==, "12 W and 20 W");
}

static const SuiteTest tests[] = {
  { "/insight/verification/ratio", test_ratio },     { "/insight/verification/interval", test_interval },
  { "/insight/verification/alarms", test_alarms },   { "/insight/verification/ceilings", test_ceilings },
  { "/insight/verification/sensors", test_sensors },
};

SUITE_TESTS (tests)
