/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "dyno-value.h"
#include "suite.h"

static void
test_measured (void)
{
  g_autoptr (DynoValue) value = dyno_value_new ("load_time_ms", 2.5, "ms", DYNO_QUALITY_MEASURED, "clock");

  g_assert_cmpstr (dyno_value_get_name (value), ==, "load_time_ms");
  g_assert_cmpfloat (dyno_value_get_number (value), ==, 2.5);
  g_assert_cmpstr (dyno_value_get_unit (value), ==, "ms");
  g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_MEASURED);
  g_assert_cmpstr (dyno_value_get_source (value), ==, "clock");
  g_assert_true (dyno_value_is_number (value));
}

/* A number that is not finite is never a measurement, and an unsupported value has no number. */
static void
test_no_number (void)
{
  static const double numbers[] = { NAN, INFINITY, -INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (DynoValue) value = dyno_value_new ("flops", numbers[i], "FLOP", DYNO_QUALITY_MEASURED, NULL);

      g_assert_cmpint (dyno_value_get_quality (value), ==, DYNO_QUALITY_UNSUPPORTED);
      g_assert_true (isnan (dyno_value_get_number (value)));
      g_assert_false (dyno_value_is_number (value));
    }
}

static void
test_unsupported (void)
{
  g_autoptr (DynoValue) value = dyno_value_new_unsupported ("flops", "FLOP", "No rule counts “Foo”.");
  g_autoptr (DynoValue) sly = dyno_value_new ("flops", 3, "FLOP", DYNO_QUALITY_UNSUPPORTED, NULL);

  g_assert_false (dyno_value_is_number (value));
  g_assert_cmpstr (dyno_value_get_source (value), ==, "No rule counts “Foo”.");
  g_assert_true (isnan (dyno_value_get_number (sly)));
}

static void
test_quality (void)
{
  static const char *const names[] = { "measured", "unsteady", "estimated", "imported", "unsupported" };
  DynoQuality quality = DYNO_QUALITY_UNSUPPORTED;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (dyno_quality_from_string (names[i], &quality));
      g_assert_cmpint (quality, ==, i);
      g_assert_cmpstr (dyno_quality_to_string (quality), ==, names[i]);
    }
  g_assert_false (dyno_quality_from_string ("guessed", &quality));
  g_assert_null (dyno_quality_to_string (99));
}

static void
test_boxed (void)
{
  DynoValue *value = dyno_value_new ("flops", 3, "FLOP", DYNO_QUALITY_ESTIMATED, "rules");
  g_autoptr (DynoValue) copy = g_boxed_copy (DYNO_TYPE_VALUE, value);

  g_boxed_free (DYNO_TYPE_VALUE, value);
  g_assert_cmpstr (dyno_value_get_name (copy), ==, "flops");
  g_assert_cmpfloat (dyno_value_get_number (copy), ==, 3);
}

static const SuiteTest tests[] = {
  { "/value/measured", test_measured },
  { "/value/no-number", test_no_number },
  { "/value/unsupported", test_unsupported },
  { "/value/quality", test_quality },
  { "/value/boxed", test_boxed },
};

SUITE_TESTS (tests)
