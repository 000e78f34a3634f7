/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-app-widgets-private.h"
#include "dyno-unit.h"
#include "suite.h"

#define assert_text(call, expected)                                                                          \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    g_autofree char *text = call;                                                                            \
    g_assert_cmpstr (text, ==, expected);                                                                    \
  }                                                                                                          \
  G_STMT_END

static void
test_quantity (void)
{
  assert_text (dyno_format_quantity (3.21, "ms"), "3.21\u00a0ms");
  assert_text (dyno_format_quantity (0.25, "ms"), "250\u00a0µs");
  assert_text (dyno_format_quantity (948.4, "1/s"), "948\u00a0items/s");
  assert_text (dyno_format_quantity (1.23e12, "FLOP/s"), "1.23\u00a0TFLOP/s");
  assert_text (dyno_format_quantity (999, "FLOP"), "999\u00a0FLOP");
  assert_text (dyno_format_quantity (6, ""), "6");
  assert_text (dyno_format_quantity (NAN, "ms"), "—");
}

static void
test_value (void)
{
  g_autoptr (DynoValue) value =
      dyno_value_new ("latency_p50_ms", 12.34, "ms", DYNO_QUALITY_MEASURED, "clock");
  g_autoptr (DynoValue) none = dyno_value_new_unsupported ("latency_p99_ms", "ms", "This needs 459 samples.");

  g_autoptr (DynoValue) rate =
      dyno_value_new ("throughput_items_per_sec", 40, "1/s", DYNO_QUALITY_MEASURED, "clock");
  g_autoptr (DynoCase) kase = dyno_case_new ("resnet-18", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  g_object_set (result, "architecture", "resnet", NULL);
  assert_text (dyno_format_value (result, value), "12.3\u00a0ms");
  assert_text (dyno_format_value (result, rate), "40\u00a0images/s");
  assert_text (dyno_format_value (result, none), "—");
  assert_text (dyno_format_value (result, NULL), "—");
}

static void
test_duration (void)
{
  assert_text (dyno_unit_format_duration (0.4), "less than 1 s");
  assert_text (dyno_unit_format_duration (59.4), "59 s");
  assert_text (dyno_unit_format_duration (59.6), "1 min");
  assert_text (dyno_unit_format_duration (7210), "2 h");
  assert_text (dyno_unit_format_duration (125), "2 min 5 s");
  assert_text (dyno_unit_format_duration (7260), "2 h 1 min");
}

static void
test_date (void)
{
  gint64 now = g_get_real_time ();
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_local (now / G_USEC_PER_SEC);
  g_autofree char *today = g_date_time_format (date, "Today, %H:%M");

  assert_text (dyno_format_date (now), today);
  assert_text (dyno_format_date (0), "—");
  assert_text (dyno_format_date (G_GINT64_CONSTANT (951782400) * G_USEC_PER_SEC), "29 February 2000, 00:00");
}

static void
test_difference (void)
{
  assert_text (dyno_format_difference (1.5), "+50.0 %");
  assert_text (dyno_format_difference (0.75), "−25.0 %");
  assert_text (dyno_format_difference (1.0001), "0.0 %");
  assert_text (dyno_format_difference (NAN), "—");
}

static void
test_state (void)
{
  for (guint state = 0; state < DYNO_N_CASE_STATES; state++)
    {
      g_assert_cmpuint (strlen (dyno_case_state_get_label (state)), >, 0);
      g_assert_cmpuint (strlen (dyno_format_state_css_class (state)), >, 0);
      g_assert_true (g_str_has_suffix (dyno_format_state_icon (state), "-symbolic"));
    }
}

static const SuiteTest tests[] = {
  { "/format/quantity", test_quantity },     { "/format/value", test_value },
  { "/format/duration", test_duration },     { "/format/date", test_date },
  { "/format/difference", test_difference }, { "/format/state", test_state },
};

SUITE_TESTS (tests)
