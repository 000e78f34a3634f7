/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "chart-fixture.h"
#include "dyno-report.h"
#include "suite.h"

typedef struct
{
  guint n_cases;
  guint n_failures;
  guint n_skipped;
  char *tests;
  char *failures;
  char *skipped;
} Seen;

static void
read_element (GMarkupParseContext *context,
              const char *element,
              const char **names,
              const char **values,
              gpointer user_data,
              GError **error)
{
  Seen *seen = user_data;

  seen->n_cases += g_str_equal (element, "testcase");
  seen->n_failures += g_str_equal (element, "failure");
  seen->n_skipped += g_str_equal (element, "skipped");
  if (g_str_equal (element, "testsuite"))
    g_markup_collect_attributes (element, names, values, error, G_MARKUP_COLLECT_STRDUP, "tests",
                                 &seen->tests, G_MARKUP_COLLECT_STRDUP, "failures", &seen->failures,
                                 G_MARKUP_COLLECT_STRDUP, "skipped", &seen->skipped, G_MARKUP_COLLECT_STRING,
                                 "name", NULL, G_MARKUP_COLLECT_STRING, "errors", NULL,
                                 G_MARKUP_COLLECT_INVALID);
}

static void
assert_count (const char *text, guint n)
{
  g_assert_cmpuint (g_ascii_strtoull (text, NULL, 10), ==, n);
  g_free ((char *)text);
}

/* Of every verdict there is a case; a name may be anything. */
static void
test_verdicts (void)
{
  const GMarkupParser parser = { .start_element = read_element };
  g_autoptr (DynoComparison) comparison = fixture_create_comparison ("latency_p50_ms", "ms");
  Seen seen = { 0 };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &seen, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *xml = NULL;
  DynoComparedCase *first = comparison->cases->pdata[0];
  guint n_worse = 0;

  for (guint i = 0; i < comparison->cases->len; i++)
    n_worse += ((DynoComparedCase *)comparison->cases->pdata[i])->verdict == DYNO_VERDICT_WORSE;
  g_free (first->label);
  first->label = g_strdup ("\"/><script>\x01 & ]]>");
  xml = dyno_report_junit_write (comparison);
  g_markup_parse_context_parse (context, xml, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_worse, >, 0);
  g_assert_cmpuint (seen.n_failures, ==, n_worse);
  g_assert_cmpuint (seen.n_skipped, >, 0);
  g_assert_cmpuint (seen.n_cases, ==, comparison->cases->len + comparison->left_out->len);
  assert_count (seen.tests, seen.n_cases);
  assert_count (seen.failures, seen.n_failures);
  assert_count (seen.skipped, seen.n_skipped);
}

static const SuiteTest tests[] = {
  { "/report/junit/verdicts", test_verdicts },
};

SUITE_TESTS (tests)
