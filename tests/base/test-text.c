/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-text.h"

static void
assert_short (const char *text, guint most, const char *expected)
{
  g_autofree char *shown = dyno_text_shorten (text, most);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_shorten (void)
{
  assert_short (NULL, 5, "");
  assert_short ("w", 5, "w");
  assert_short ("weight", 6, "weight");
  assert_short ("weight", 5, "weigh…");
  assert_short ("größer", 3, "grö…");
}

/* A name must not write lines of its own, nor move the cursor of a terminal. */
static void
test_one_line (void)
{
  assert_short ("a\nParameters: 7\tb", 99, "a Parameters: 7 b");
  assert_short ("a\033[2Jb\r", 99, "a\uFFFD[2Jb\uFFFD");
  assert_short ("a\xff", 99, "a\uFFFD");
}

static void
test_join (void)
{
  static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };
  g_autofree char *none = dyno_text_join (names, 0, ", ", "");
  g_autofree char *two = dyno_text_join (names, 2, ",", "=1");
  g_autofree char *eight = dyno_text_join (names, 8, ", ", "");
  g_autofree char *ten = dyno_text_join (names, 10, ", ", "");

  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (two, ==, "a=1,b=1");
  g_assert_cmpstr (eight, ==, "a, b, c, d, e, f, g, h");
  g_assert_cmpstr (ten, ==, "a, b, c, d, e, f, g, h and 2 more");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/shorten", test_shorten);
  g_test_add_func ("/text/one-line", test_one_line);
  g_test_add_func ("/text/join", test_join);
  return g_test_run ();
}
