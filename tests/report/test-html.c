/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "chart-fixture.h"
#include "dyno-report.h"
#include "suite.h"

#define MAX_SIZE (2 * 1000 * 1000)

static char *
write_with (GPtrArray *runs, const char *template)
{
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) report = dyno_report_write (dyno_report_format_find ("html"),
                                                 dyno_report_template_find (template), &source, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (report, NULL), g_bytes_get_size (report));
}

/* Reading a page as XML */

typedef struct
{
  GHashTable *ids;
  GHashTable *counts; /* of each element */
  GPtrArray *references;
  GString *text;
} Page;

static guint
count (Page *page, const char *element)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (page->counts, element));
}

static void
read_element (GMarkupParseContext *context,
              const char *element,
              const char **names,
              const char **values,
              gpointer user_data,
              GError **error)
{
  Page *page = user_data;

  g_hash_table_insert (page->counts, g_strdup (element), GUINT_TO_POINTER (count (page, element) + 1));
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (g_str_equal (names[i], "id"))
        g_assert_true (g_hash_table_add (page->ids, g_strdup (values[i])));
      g_assert_false (g_str_equal (names[i], "src"));
      if (g_str_has_suffix (names[i], "href"))
        {
          g_assert_cmpint (*values[i], ==, '#');
          g_ptr_array_add (page->references, g_strdup (values[i] + 1));
        }
      g_assert_false (g_str_has_prefix (names[i], "on"));
    }
}

static void
read_text (GMarkupParseContext *context, const char *text, gsize length, gpointer user_data, GError **error)
{
  g_string_append_len (((Page *)user_data)->text, text, (gssize)length);
}

static void
page_clear (Page *page)
{
  g_hash_table_unref (page->ids);
  g_hash_table_unref (page->counts);
  g_ptr_array_unref (page->references);
  g_string_free (page->text, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Page, page_clear)

/* Every id is there once, nothing refers to anything outside of the page, and no attribute is a script. */
static void
read_page (Page *page, const char *html)
{
  const GMarkupParser parser = { .start_element = read_element, .text = read_text };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, page, NULL);
  g_autoptr (GError) error = NULL;

  page->ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  page->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  page->references = g_ptr_array_new_with_free_func (g_free);
  page->text = g_string_new (NULL);
  g_assert_true (g_str_has_prefix (html, "<!DOCTYPE html>\n<html xmlns="));
  g_markup_parse_context_parse (context, html, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < page->references->len; i++)
    g_assert_true (g_hash_table_contains (page->ids, page->references->pdata[i]));
}

/* Each colour of the drawings is declared in the light and in the dark. */
static void
assert_colours (const char *html)
{
  g_autoptr (GRegex) used = g_regex_new ("var\\(--(k\\d+)\\)", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n_used = 0;

  for (g_regex_match (used, html, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *name = g_match_info_fetch (match, 1);
      g_autofree char *declared = g_strdup_printf ("--%s:", name);
      const char *first = strstr (html, declared);

      g_assert_nonnull (first);
      g_assert_nonnull (strstr (first + 1, declared));
      n_used++;
    }
  g_assert_cmpuint (n_used, >, 20);
  g_assert_null (strstr (html, "class=\"light-only\""));
}

/* As many cases and charts as the suite “quick” has, and some more. */
static void
test_run (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep ("Quick", 3, 5), NULL);
  g_autofree char *html = write_with (runs, "run");
  g_auto (Page) page = { NULL };

  read_page (&page, html);
  assert_colours (html);
  g_assert_cmpuint (count (&page, "h1"), ==, 1);
  g_assert_cmpuint (count (&page, "svg"), >, 3);
  g_assert_cmpuint (count (&page, "svg"), ==, count (&page, "figure"));
  g_assert_cmpuint (count (&page, "script"), ==, 1);
  g_assert_cmpuint (strlen (html), <, MAX_SIZE);
}

static void
test_of_one_case (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_single (), NULL);
  g_autofree char *html = write_with (runs, "run");
  g_auto (Page) page = { NULL };

  read_page (&page, html);
  assert_colours (html);
  g_assert_cmpuint (strlen (html), <, MAX_SIZE);
}

/* Names that people, models and machines have are texts, whatever they look like. */
static void
test_hostile_names (void)
{
  static const char hostile[] =
      "</script><script>alert(1)</script>\" onload=\"x\" &amp; ]]> \x01\x7f url(#c1-1)";
  DynoRun *run = fixture_create_sweep (hostile, 1, 2);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (GPtrArray) runs = fixture_list (run, NULL);
  g_autofree char *html = NULL;
  g_auto (Page) page = { NULL };

  g_object_set (result, "model-name", hostile, "device", hostile, NULL);
  g_object_set (dyno_result_get_case (result), "model", hostile, NULL);
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "code", hostile));
  html = write_with (runs, "run");
  read_page (&page, html);
  g_assert_cmpuint (count (&page, "script"), ==, 1);
  g_assert_nonnull (strstr (page.text->str, "</script><script>alert(1)</script>\" onload=\"x\" &amp; ]]> "));
}

static void
test_comparison (void)
{
  g_autoptr (GPtrArray) runs =
      fixture_list (fixture_create_sweep ("Before", 1, 2), fixture_create_sweep ("After", 1, 2), NULL);
  g_autofree char *html = write_with (runs, "comparison");
  g_auto (Page) page = { NULL };

  read_page (&page, html);
  g_assert_nonnull (strstr (html, "<h1>After compared with Before</h1>"));
  g_assert_cmpuint (count (&page, "svg"), ==, 1);
}

/* The matrix stands first. */
static void
test_hardware (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep ("Sweep", 2, 2), NULL);
  g_autofree char *html = write_with (runs, "hardware");
  g_auto (Page) page = { NULL };

  read_page (&page, html);
  g_assert_cmpuint (count (&page, "svg"), ==, 1);
  g_assert_true (strstr (html, "<svg") < strstr (html, "<table>"));
}

static const SuiteTest tests[] = {
  { "/report/html/run", test_run },
  { "/report/html/of-one-case", test_of_one_case },
  { "/report/html/hostile-names", test_hostile_names },
  { "/report/html/comparison", test_comparison },
  { "/report/html/hardware", test_hardware },
};

SUITE_TESTS (tests)
