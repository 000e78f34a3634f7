/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-json.h"
#include "suite.h"

static gboolean
is_shallow (const char *text)
{
  return dyno_json_text_is_shallow (text, strlen (text));
}

static char *
repeat (const char *text, guint n)
{
  GString *string = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (string, text);
  return g_string_free (string, FALSE);
}

static void
test_depth (void)
{
  g_autofree char *fits = repeat ("[", 500);
  g_autofree char *too_deep = repeat ("[", 501);
  g_autofree char *objects = repeat ("{\"a\":", 501);
  g_autofree char *in_a_row = repeat ("[{}],", 5000);

  g_assert_true (is_shallow (""));
  g_assert_true (is_shallow ("{\"a\": [1, 2]}"));
  g_assert_true (is_shallow (fits));
  g_assert_true (is_shallow (in_a_row));
  g_assert_false (is_shallow (too_deep));
  g_assert_false (is_shallow (objects));
}

static void
test_strings (void)
{
  g_autofree char *brackets = repeat ("[", 1000);
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", brackets);
  g_autofree char *after_quote = g_strdup_printf ("\"\\\"\"%s", brackets);
  g_autofree char *open_ended = g_strdup_printf ("\"%s\\", brackets);

  g_assert_true (is_shallow (quoted));
  g_assert_false (is_shallow (after_quote));
  g_assert_true (is_shallow (open_ended));
}

static void
assert_strict (const char *text, const char *expected)
{
  g_autofree char *strict = dyno_json_text_dup_strict (text, strlen (text));

  g_assert_cmpstr (strict, ==, expected);
}

static void
test_strict (void)
{
  assert_strict ("", "");
  assert_strict ("{\"a\": [0.0, Infinity], \"b\": -Infinity}",
                 "{\"a\": [0.0, 1.7976931348623157e308], \"b\": -1.7976931348623157e308}");
  assert_strict ("[NaN,NaN]", "[\"NaN\",\"NaN\"]");
  assert_strict ("{\"NaN\": \"-Infinity \\\" NaN\"}", "{\"NaN\": \"-Infinity \\\" NaN\"}");
  assert_strict ("[\"Infinity", "[\"Infinity");
  assert_strict ("Infinit", "Infinit");
}

/* A reader takes what is written for what it was. */
static void
test_write (void)
{
  static const double numbers[] = { 1e17, -4e20, 1e-8, 2.5e-1, 1, 0 };
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_array (builder);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    json_builder_add_double_value (builder, numbers[i]);
  json_builder_add_string_value (builder, "\"1e5.0 \x1f");
  json_builder_end_array (builder);
  node = json_builder_get_root (builder);
  text = dyno_json_text_write (node, FALSE);
  g_assert_cmpstr (text, ==, "[1e+17,-4e+20,1e-08,0.25,1.0,0.0,\"\\\"1e5.0 \\u001f\"]");
  g_assert_true (dyno_json_text_load (parser, text, strlen (text), &error));
  g_assert_no_error (error);
}

/* Texts in it, and the words for what is wrong, are UTF-8. */
static void
test_escapes (void)
{
  static const struct
  {
    const char *text;
    gboolean is_json;
  } cases[] = {
    { "[\"\\n\\u00e9\\\\3\", 3]", TRUE },
    { "[\"\\333\"]", FALSE },
    { "{\"a\" \"\\337\"}", FALSE },
    { "[\"\\", FALSE },
    { "[\"\\3", FALSE },
    { "[\xc3\xa9]", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonParser) parser = json_parser_new ();
      g_autoptr (JsonNode) node = dyno_json_text_parse (cases[i].text);
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (node != NULL, ==, cases[i].is_json);
      g_assert_cmpint (dyno_json_text_load (parser, cases[i].text, strlen (cases[i].text), &error), ==,
                       cases[i].is_json);
      g_assert_cmpint (error == NULL, ==, cases[i].is_json);
      g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
    }
}

static const SuiteTest tests[] = {
  { "/json-text/depth", test_depth },     { "/json-text/strings", test_strings },
  { "/json-text/strict", test_strict },   { "/json-text/write", test_write },
  { "/json-text/escapes", test_escapes },
};

SUITE_TESTS (tests)
