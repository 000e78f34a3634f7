/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cli-private.h"
#include "suite.h"

static void
assert_quantity (double number, const char *unit, const char *expected)
{
  g_autofree char *text = dyno_cli_format_quantity (number, unit);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_quantity (void)
{
  assert_quantity (2.5e9, "FLOP", "2.50\u00a0GFLOP");
  assert_quantity (999, "FLOP/s", "999\u00a0FLOP/s");
  assert_quantity (1e3, "B", "1\u00a0kB");
  assert_quantity (0, "FLOP", "0\u00a0FLOP");
  assert_quantity (0.0032, "ms", "3.20\u00a0µs");
}

static void
test_value (void)
{
  g_autoptr (DynoValue) number = dyno_value_new ("flops", 4e6, "FLOP", DYNO_QUALITY_ESTIMATED, NULL);
  g_autoptr (DynoValue) nothing = dyno_value_new_unsupported ("flops", "FLOP", "no reason");
  g_autofree char *of_number = dyno_cli_format_value (number);
  g_autofree char *of_nothing = dyno_cli_format_value (nothing);
  g_autofree char *of_absent = dyno_cli_format_value (NULL);

  g_assert_cmpstr (of_number, ==, "4\u00a0MFLOP");
  g_assert_cmpstr (of_nothing, ==, "—");
  g_assert_cmpstr (of_absent, ==, "");
}

static void
test_date (void)
{
  g_autofree char *date = dyno_report_text_format_date (G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC);
  g_autofree char *never = dyno_report_text_format_date (0);

  g_assert_cmpstr (date, ==, "2023-11-14 22:13");
  g_assert_cmpstr (never, ==, "—");
}

static void
test_duration (void)
{
  const struct
  {
    double seconds;
    const char *text;
  } cases[] = { { 0.4, "0:00" }, { 59.6, "1:00" }, { 61, "1:01" }, { 3661, "1:01:01" }, { -5, "0:00" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = dyno_cli_format_duration (cases[i].seconds);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* Devices that an engine's name does not tell apart are named beside it. */
static void
test_engine (void)
{
  g_autofree char *alone = dyno_cli_format_engine ("cpu", "cpu");
  g_autofree char *one = dyno_cli_format_engine ("cuda", "GPU-1");
  g_autofree char *other = dyno_cli_format_engine ("cuda", "GPU-2");

  g_assert_cmpstr (alone, ==, "ONNX Runtime (CPU)");
  g_assert_cmpstr (one, ==, "ONNX Runtime (CUDA)\u00a0· GPU-1");
  g_assert_cmpstr (one, !=, other);
}

static const SuiteTest tests[] = {
  { "/cli/format/quantity", test_quantity }, { "/cli/format/value", test_value },
  { "/cli/format/date", test_date },         { "/cli/format/duration", test_duration },
  { "/cli/format/engine", test_engine },
};

SUITE_TESTS (tests)
