/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "suite.h"

#define OTHERS "[null, true, \"12\", [1], {\"a\": 1}]"

static JsonArray *
get_others (JsonObject *root)
{
  return dyno_json_member_get_array (root, "others");
}

/* A kind that is not wanted counts as missing, and never becomes a number. */
static void
test_kinds (void)
{
  g_autoptr (JsonObject) root =
      dyno_json_try_object ("{\"others\": " OTHERS ", \"texts\": [\"a\", 1, null, \"b\"]}", -1);
  g_auto (GStrv) texts = dyno_json_member_dup_strings (root, "texts");
  g_auto (GStrv) none = dyno_json_member_dup_strings (root, "none");

  for (guint i = 0; i < json_array_get_length (get_others (root)); i++)
    {
      JsonNode *node = json_array_get_element (get_others (root), i);

      g_assert_cmpint (dyno_json_node_get_int64 (node, -7), ==, -7);
      g_assert_cmpfloat (dyno_json_node_get_double (node, -7), ==, -7);
      g_assert_cmpstr (dyno_json_node_get_string (node), ==, i == 2 ? "12" : NULL);
      g_assert_true ((dyno_json_node_get_array (node) != NULL) == (i == 3));
      g_assert_true ((dyno_json_node_get_object (node) != NULL) == (i == 4));
    }
  g_assert_cmpstr (texts[0], ==, "a");
  g_assert_cmpstr (texts[1], ==, "b");
  g_assert_null (texts[2]);
  g_assert_null (none[0]);
}

static void
test_missing (void)
{
  g_autoptr (JsonObject) empty = json_object_new ();
  JsonObject *const objects[] = { empty, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    {
      g_assert_null (dyno_json_member_get_object (objects[i], "a"));
      g_assert_null (dyno_json_member_get_array (objects[i], "a"));
      g_assert_null (dyno_json_member_get_string (objects[i], "a"));
      g_assert_cmpint (dyno_json_member_get_int64 (objects[i], "a", 3), ==, 3);
      g_assert_cmpfloat (dyno_json_member_get_double (objects[i], "a", 0.5), ==, 0.5);
      g_assert_false (dyno_json_member_get_boolean (objects[i], "a"));
    }
}

static void
test_numbers (void)
{
  static const struct
  {
    const char *text;
    gint64 whole;
    double number;
  } cases[] = { { "12", 12, 12 },        { "-3", -3, -3 },           { "3.0", 3, 3 },
                { "2.5", -1, 2.5 },      { "1e9", 1000000000, 1e9 }, { "1e300", -1, 1e300 },
                { "-1e300", -1, -1e300 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"a\": %s}", cases[i].text);
      g_autoptr (JsonObject) object = dyno_json_try_object (text, -1);

      g_assert_cmpint (dyno_json_member_get_int64 (object, "a", -1), ==, cases[i].whole);
      g_assert_cmpfloat (dyno_json_member_get_double (object, "a", NAN), ==, cases[i].number);
    }
}

static void
test_parse (void)
{
  static const char *const wrong[] = { "", "[]", "null", "1", "{\"a\"", "{\"a\": [", NULL };
  g_autofree char *opening = g_strnfill (600, '[');
  g_autofree char *closing = g_strnfill (600, ']');
  g_autofree char *deep = g_strdup_printf ("{\"a\": %s%s}", opening, closing);
  g_autoptr (JsonObject) begun = dyno_json_try_object ("{\"a\": 1} and more", 8);

  g_assert_cmpint (dyno_json_member_get_int64 (begun, "a", 0), ==, 1);
  for (guint i = 0; wrong[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_json_try_object (wrong[i], -1));
      g_assert_null (dyno_json_parse_object (wrong[i], -1, "the thing", &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "the thing");
    }
  g_assert_null (dyno_json_try_object (deep, -1));
  g_assert_null (dyno_json_try_object (NULL, 0));
  g_assert_null (dyno_json_parse_object (NULL, 0, "", NULL));
}

static const SuiteTest tests[] = {
  { "/json/kinds", test_kinds },
  { "/json/missing", test_missing },
  { "/json/numbers", test_numbers },
  { "/json/parse", test_parse },
};

SUITE_TESTS (tests)
