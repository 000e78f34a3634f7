/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-text.h"
#include "suite.h"

static void
assert_cell (const char *text, const char *expected)
{
  g_autofree char *cell = dyno_csv_dup_text (text);

  g_assert_cmpstr (cell, ==, expected);
}

static void
test_formulas (void)
{
  assert_cell (NULL, NULL);
  assert_cell ("", "");
  assert_cell ("gpt2 = +-@", "gpt2 = +-@");
  assert_cell ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
  assert_cell ("+1-1", "'+1-1");
  assert_cell ("-1+cmd", "'-1+cmd");
  assert_cell ("@SUM(A1)", "'@SUM(A1)");
  assert_cell ("\t=1", "'\t=1");
  assert_cell ("\r=1", "'\r=1");
  assert_cell ("'=1", "'=1");
  assert_cell ("-", "'-");
}

static void
test_numbers (void)
{
  assert_cell ("-1.5", "-1.5");
  assert_cell ("+2e-5", "+2e-5");
  assert_cell ("-inf", "-inf");
}

static void
test_quotes (void)
{
  g_autoptr (GString) csv = g_string_new (NULL);

  dyno_csv_append (csv, "plain;", ',');
  dyno_csv_append (csv, "a,b", ',');
  dyno_csv_append (csv, "a;\"b\"", ';');
  dyno_csv_append (csv, "a\nb", ',');
  g_assert_cmpstr (csv->str, ==, "plain;\"a,b\"\"a;\"\"b\"\"\"\"a\nb\"");
}

static const SuiteTest tests[] = {
  { "/csv/formulas", test_formulas },
  { "/csv/numbers", test_numbers },
  { "/csv/quotes", test_quotes },
};

SUITE_TESTS (tests)
