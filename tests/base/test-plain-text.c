/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-text.h"
#include "suite.h"

static void
assert_shown (const char *text, const char *expected)
{
  g_autofree char *shown = dyno_plain_text_show_controls (text);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_controls (void)
{
  assert_shown ("", "");
  assert_shown ("Größe\tα\n", "Größe\tα\n");
  assert_shown ("a\033[2Jb\rc\a", "a\\x1b[2Jb\\x0dc\\x07");
  assert_shown ("\177 \302\233", "\\u007f \\u009b");
  assert_shown ("gpj\342\200\256.exe \342\201\246x\342\201\251", "gpj\\u202e.exe \\u2066x\\u2069");
  assert_shown ("\330\234 \342\200\216 \342\200\217 \342\200\250", "\\u061c \\u200e \\u200f \\u2028");
  assert_shown ("\377 \342\202", "\\xff \\xe2\\x82");
}

static void
test_valid (void)
{
  g_autofree char *text = dyno_plain_text_make_valid ("a\000b\302", 4);
  g_autofree char *cut = dyno_plain_text_make_valid ("abc", 2);

  g_assert_cmpstr (text, ==, "a\\x00b\\xc2");
  g_assert_cmpstr (cut, ==, "ab");
}

static void
test_shorten (void)
{
  g_autofree char *whole = dyno_plain_text_shorten ("äöü", 3);
  g_autofree char *cut = dyno_plain_text_shorten ("äöüß", 3);

  g_assert_cmpstr (whole, ==, "äöü");
  g_assert_cmpstr (cut, ==, "äöü…");
}

static void
assert_quoted (const char *text, guint most, const char *expected)
{
  g_autofree char *shown = dyno_plain_text_quote (text, most);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_quote (void)
{
  assert_quoted (NULL, 5, "");
  assert_quoted ("w", 5, "w");
  assert_quoted ("weight", 6, "weight");
  assert_quoted ("weight", 5, "weigh…");
  assert_quoted ("größer", 3, "grö…");
}

/* A name must not write lines of its own, nor move the cursor of a terminal. */
static void
test_one_line (void)
{
  assert_quoted ("a\nParameters: 7\tb", 99, "a Parameters: 7 b");
  assert_quoted ("a\033[2Jb\r", 99, "a\uFFFD[2Jb\uFFFD");
  assert_quoted ("a\xff", 99, "a\uFFFD");
}

static void
test_join (void)
{
  static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };
  g_autofree char *none = dyno_plain_text_join (names, 0, ", ", "");
  g_autofree char *two = dyno_plain_text_join (names, 2, ",", "=1");
  g_autofree char *eight = dyno_plain_text_join (names, 8, ", ", "");
  g_autofree char *ten = dyno_plain_text_join (names, 10, ", ", "");

  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (two, ==, "a=1,b=1");
  g_assert_cmpstr (eight, ==, "a, b, c, d, e, f, g, h");
  g_assert_cmpstr (ten, ==, "a, b, c, d, e, f, g, h and 2 more");
}

static const SuiteTest tests[] = {
  { "/plain-text/controls", test_controls }, { "/plain-text/valid", test_valid },
  { "/plain-text/shorten", test_shorten },   { "/plain-text/quote", test_quote },
  { "/plain-text/one-line", test_one_line }, { "/plain-text/join", test_join },
};

SUITE_TESTS (tests)
