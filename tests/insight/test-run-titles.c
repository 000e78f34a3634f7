/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-run-summary.h"
#include "suite.h"

static void
add_run (GPtrArray *runs, const char *title, const char *submission, const char *node)
{
  g_autofree char *machine = g_strdup_printf (
      "{\"state\": {\"cluster\": {\"submission\": \"%s\", \"node\": \"%s\"}}}", submission, node);
  DynoRun *run = dyno_run_new (NULL);

  g_object_set (run, "title", title, "machine", submission != NULL ? machine : "{}", NULL);
  g_ptr_array_add (runs, run);
}

static void
assert_titles (GPtrArray *runs, const char *expected)
{
  g_auto (GStrv) titles = dyno_run_titles_dup (runs);
  g_autofree char *joined = g_strjoinv (", ", titles);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_same_title (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  add_run (runs, "Quick", NULL, NULL);
  add_run (runs, "Quick", NULL, NULL);
  add_run (runs, "Other", NULL, NULL);
  assert_titles (runs, "Quick, Quick (2), Other");
}

static gint64
parse_time (const char *text)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (text, zone);

  return g_date_time_to_unix (time) * G_USEC_PER_SEC;
}

/* Where all have one title, their times tell them apart, written as short as will do. */
static void
test_times (void)
{
  static const struct
  {
    const char *first;
    const char *second;
    const char *expected;
  } rows[] = {
    { "2026-11-27T21:49:10", "2026-11-27T22:19:10", "Run of 21:49, Run of 22:19" },
    { "2026-11-27T21:49:10", "2026-11-27T21:49:30", "Run of 21:49:10, Run of 21:49:30" },
    { "2026-11-26T21:49:10", "2026-11-27T21:49:30", "Run of 2026-11-26, 21:49, Run of 2026-11-27, 21:49" },
    { "2026-11-27T21:49:10", "2026-11-27T21:49:10", "Quick, Quick (2)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

      add_run (runs, "Quick", NULL, NULL);
      add_run (runs, "Quick", NULL, NULL);
      g_object_set (runs->pdata[0], "started-at", parse_time (rows[i].first), NULL);
      g_object_set (runs->pdata[1], "started-at", parse_time (rows[i].second), NULL);
      assert_titles (runs, rows[i].expected);
    }
}

/* Nodes tell the runs of a submission apart, but not one of them from other runs. */
static void
test_nodes (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  add_run (runs, "Quick on n1", "first", "n1");
  assert_titles (runs, "Quick on n1");
  add_run (runs, "Quick on n2", "first", "n2");
  assert_titles (runs, "n1, n2");
  add_run (runs, "Quick on n1", "second", "n1");
  assert_titles (runs, "Quick on n1, Quick on n2, Quick on n1 (2)");
}

static const SuiteTest tests[] = {
  { "/run-titles/same-title", test_same_title },
  { "/run-titles/times", test_times },
  { "/run-titles/nodes", test_nodes },
};

SUITE_TESTS (tests)
