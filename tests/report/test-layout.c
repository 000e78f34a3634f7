/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib.h>
#include <string.h>

#include "dyno-report-plain.h"
#include "suite.h"

static void
test_columns (void)
{
  static const struct
  {
    const char *alignment;
    const char *titles[3];
    const char *rows[3][3];
    guint width;
    const char *text;
  } cases[] = {
    { "lr",
      { "Name", "N" },
      { { "a", "1" }, { "longer", "1234" } },
      0,
      "Name       N\na          1\nlonger  1234\n" },
    { "ll", { "A", "B" }, { { "µs", "x" }, { "模型", "y" } }, 0, "A     B\nµs    x\n模型  y\n" },
    { "lll", { "A", "Nothing", "C" }, { { "1", "", "3" } }, 0, "A  C\n1  3\n" },
    /* Of parts, those that all rows have go above the table; a row of nothing else has a dash. */
    { "pr",
      { "Case", "N" },
      { { "bert\u00a0· batch 1\u00a0· 32 tokens", "1" },
        { "bert\u00a0· batch 1\u00a0· 64 tokens", "2" },
        { "bert\u00a0· batch 1", "3" } },
      20,
      "bert\u00a0· batch 1\nCase       N\n32 tokens  1\n64 tokens  2\n—          3\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const *titles = cases[i].titles;
      g_autoptr (DynoReportTable) table =
          dyno_report_table_new (cases[i].alignment, titles[0], titles[1], titles[2], NULL);
      g_autofree char *text = NULL;

      for (guint k = 0; k < G_N_ELEMENTS (cases[i].rows) && cases[i].rows[k][0] != NULL; k++)
        dyno_report_table_take_row (table, g_strdup (cases[i].rows[k][0]), g_strdup (cases[i].rows[k][1]),
                                    g_strdup (cases[i].rows[k][2]), NULL);
      text = dyno_report_table_to_string (table, cases[i].width);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static DynoReportTable *
new_runs (void)
{
  DynoReportTable *table = dyno_report_table_new ("lr1r2w", "Model", "Median", "Tail", "Note", NULL);

  dyno_report_table_take_row (table, g_strdup ("bert"), g_strdup ("1.5 ms"), g_strdup ("2 ms"),
                              g_strdup ("the machine was busy with other work"), NULL);
  return table;
}

static void
test_fits (void)
{
  static const struct
  {
    guint width;
    const char *text;
  } cases[] = {
    { 0, "Model  Median  Tail  Note\nbert   1.5 ms  2 ms  the machine was busy with other work\n" },
    { 57, "Model  Median  Tail  Note\nbert   1.5 ms  2 ms  the machine was busy with other work\n" },
    { 45, "Model  Median  Tail  Note\nbert   1.5 ms  2 ms  the machine was busy\n                     with "
          "other work\n" },
    { 30, "Model  Note\nbert   the machine was busy\n       with other work\n"
          "Not shown: Median, Tail. Use\n--wide for all columns.\n" },
    { 22, "Model:  bert\nMedian: 1.5 ms\nTail:   2 ms\nNote:   the machine\n        was busy with\n"
          "        other work\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (DynoReportTable) table = new_runs ();
      g_autofree char *text = dyno_report_table_to_string (table, cases[i].width);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_wraps_and_drops (void)
{
  g_autoptr (DynoReportTable) table =
      dyno_report_table_new ("lr1r2w", "Model", "Median", "Tail", "Note", NULL);
  g_autofree char *name = g_strnfill (46, 'm');
  g_autofree char *text = NULL;
  g_autofree char *expected = NULL;

  dyno_report_table_take_row (table, g_strdup (name), g_strdup ("1.5 ms"), g_strdup ("2 ms"),
                              g_strdup ("the machine was busy with other work"), NULL);
  text = dyno_report_table_to_string (table, 80);
  expected = g_strdup_printf (
      "%-46s  Median  Note\n%s  1.5 ms  the machine was busy\n%46s          with other work\n"
      "Not shown: Tail. Use --wide for all columns.\n",
      "Model", name, "");
  g_assert_cmpstr (text, ==, expected);
}

/* What is printed has the width that was counted. */
static void
test_controls (void)
{
  g_autoptr (DynoReportTable) table = dyno_report_table_new ("ll", "Name", "N", NULL);
  g_autofree char *text = NULL;

  dyno_report_table_take_row (table, g_strdup ("a\033b\nc"), g_strdup ("1"), NULL);
  dyno_report_table_take_row (table, g_strdup ("b"), g_strnfill (100000, 'x'), NULL);
  text = dyno_report_table_to_string (table, 0);
  g_assert_true (g_str_has_prefix (text, "Name      N\na\\x1bb c  1\nb         xxx"));
  g_assert_true (g_str_has_suffix (text, "x…\n"));
  g_assert_cmpuint (strlen (text), <, 2000);
}

static DynoReportTable *
new_sweep (guint n_rows)
{
  DynoReportTable *table =
      dyno_report_table_new ("LLRrr2r1", "Model", "Engine", "Batch", "Median", "Tail", "Rate", NULL);

  for (guint i = 1; i <= n_rows; i++)
    dyno_report_table_take_row (table, g_strdup ("bert"), g_strdup ("cpu"), g_strdup_printf ("%u", i),
                                g_strdup_printf ("%u\u00a0ms", i), g_strdup ("2\u00a0ms"),
                                g_strdup ("9\u00a0/s"), NULL);
  return table;
}

/* What all rows share goes above the table, then columns go by their digits, and a swept axis never. */
static void
test_settings (void)
{
  static const struct
  {
    guint width;
    const char *text;
  } cases[] = {
    { 60, "Model  Engine  Batch  Median (ms)  Tail (ms)  Rate (/s)\n"
          "bert   cpu         1            1          2          9\n"
          "bert   cpu         2            2          2          9\n" },
    { 30, "bert\u00a0· cpu\nBatch  Median (ms)  Tail  Rate\n                    (ms)  (/s)\n"
          "    1            1     2     9\n    2            2     2     9\n" },
    { 25, "bert\u00a0· cpu\nBatch  Median  Tail  Rate\n         (ms)  (ms)  (/s)\n"
          "    1       1     2     9\n    2       2     2     9\n" },
    { 20, "bert\u00a0· cpu\nBatch  Median  Rate\n         (ms)  (/s)\n"
          "    1       1     9\n    2       2     9\n"
          "Not shown: Tail. Use\n--wide for all\ncolumns.\n" },
    { 12, "bert\u00a0· cpu\nBatch:  1\nMedian: 1\u00a0ms\nTail:   2\u00a0ms\nRate:   9\u00a0/s\n"
          "\nBatch:  2\nMedian: 2\u00a0ms\nTail:   2\u00a0ms\nRate:   9\u00a0/s\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (DynoReportTable) table = new_sweep (2);
      g_autofree char *text = dyno_report_table_to_string (table, cases[i].width);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* The words of a setting stand above the table in place of its cell; empty words say nothing. */
static void
test_words (void)
{
  g_autoptr (DynoReportTable) table = dyno_report_table_new ("r", "N", NULL);
  g_auto (GStrv) threads = g_strsplit ("2,2", ",", -1);
  g_auto (GStrv) states = g_strsplit ("fine,fine", ",", -1);
  g_autofree char *text = NULL;

  dyno_report_table_take_row (table, g_strdup ("1"), NULL);
  dyno_report_table_take_row (table, g_strdup ("12"), NULL);
  dyno_report_table_take_column (table, "R", "Threads", g_steal_pointer (&threads));
  dyno_report_table_take_words (table, g_strdup ("2 threads"));
  dyno_report_table_take_column (table, "L", "Status", g_steal_pointer (&states));
  dyno_report_table_take_words (table, g_strdup (""));
  text = dyno_report_table_to_string (table, 10);
  g_assert_cmpstr (text, ==, "2 threads\n N\n 1\n12\n");
}

/* A unit stands in the heading only where all numbers have it, and a column of dashes is silent where room is short. */
static void
test_units (void)
{
  g_autoptr (DynoReportTable) table = dyno_report_table_new ("rrr", "A", "B", "Nothing", NULL);
  g_autofree char *wide = NULL;
  g_autofree char *narrow = NULL;

  dyno_report_table_take_row (table, g_strdup ("~1\u00a0ms"), g_strdup ("1\u00a0ms"), g_strdup ("—"), NULL);
  dyno_report_table_take_row (table, g_strdup ("—"), g_strdup ("1\u00a0s"), g_strdup ("—"), NULL);
  wide = dyno_report_table_to_string (table, 0);
  g_assert_cmpstr (wide, ==,
                   "A (ms)     B  Nothing\n    ~1  1\u00a0ms        —\n     —   1\u00a0s        —\n");
  narrow = dyno_report_table_to_string (table, 15);
  g_assert_cmpstr (narrow, ==, "A (ms)     B\n    ~1  1\u00a0ms\n     —   1\u00a0s\n");
}

/* What a column is, is said where it is shown. */
static void
test_note (void)
{
  static const char *const expected[] = { "N  Interval\n1  ±1\u00a0%\nInterval: of the median.\n",
                                          "N\n1\nNot shown:\nInterval.\nUse --wide\nfor all\ncolumns.\n" };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (DynoReportTable) table = dyno_report_table_new ("r", "N", NULL);
      g_auto (GStrv) cells = g_strsplit ("±1\u00a0%", ",", -1);
      g_autofree char *text = NULL;

      dyno_report_table_take_row (table, g_strdup ("1"), NULL);
      dyno_report_table_take_column (table, "l1", "Interval", g_steal_pointer (&cells));
      dyno_report_table_take_note (table, g_strdup ("Interval: of the median."));
      text = dyno_report_table_to_string (table, i == 0 ? 60 : 10);
      g_assert_cmpstr (text, ==, expected[i]);
    }
}

static void
test_wrap (void)
{
  static const struct
  {
    const char *text;
    guint width;
    const char *lines;
  } cases[] = {
    { "", 5, "" },
    { "one two three", 7, "one two|three" },
    { "one two three", 6, "one|two|three" },
    { "/a/long/path of it", 8, "/a/long/|path of|it" },
    { "unbreakable word", 4, "unbreakable|word" },
    { "co-operative", 4, "co-|operative" },
    { "up to 12 %", 8, "up to|12 %" },
    { "模型 模型", 4, "模型|模型" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) lines = dyno_report_text_wrap (cases[i].text, cases[i].width);
      g_autofree char *joined = g_strjoinv ("|", lines);

      g_assert_cmpstr (joined, ==, cases[i].lines);
    }
}

static const SuiteTest tests[] = {
  { "/report/layout/columns", test_columns },   { "/report/layout/controls", test_controls },
  { "/report/layout/fits", test_fits },         { "/report/layout/wraps-and-drops", test_wraps_and_drops },
  { "/report/layout/settings", test_settings }, { "/report/layout/words", test_words },
  { "/report/layout/units", test_units },       { "/report/layout/note", test_note },
  { "/report/text/wrap", test_wrap },
};

SUITE_TESTS (tests)
