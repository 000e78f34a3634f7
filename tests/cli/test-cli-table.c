/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib.h>
#include <string.h>

#include "dyno-cli-table.h"

static void
test_alignment (void)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("lr", "Name", "N", NULL);
  g_autofree char *text = NULL;

  dyno_cli_table_take_row (table, g_strdup ("a"), g_strdup ("1"), NULL);
  dyno_cli_table_take_row (table, g_strdup ("longer"), g_strdup ("1234"), NULL);
  text = dyno_cli_table_to_string (table, 0);
  g_assert_cmpstr (text, ==, "Name       N\na          1\nlonger  1234\n");
}

static void
test_width (void)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("ll", "A", "B", NULL);
  g_autofree char *text = NULL;

  dyno_cli_table_take_row (table, g_strdup ("µs"), g_strdup ("x"), NULL);
  dyno_cli_table_take_row (table, g_strdup ("模型"), g_strdup ("y"), NULL);
  text = dyno_cli_table_to_string (table, 0);
  g_assert_cmpstr (text, ==, "A     B\nµs    x\n模型  y\n");
}

static void
test_empty_column (void)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("lll", "A", "Nothing", "C", NULL);
  g_autofree char *text = NULL;

  dyno_cli_table_take_row (table, g_strdup ("1"), g_strdup (""), g_strdup ("3"), NULL);
  text = dyno_cli_table_to_string (table, 0);
  g_assert_cmpstr (text, ==, "A  C\n1  3\n");
}

static DynoCliTable *
new_runs (void)
{
  DynoCliTable *table = dyno_cli_table_new ("lr1r2w", "Model", "Median", "Tail", "Note", NULL);

  dyno_cli_table_take_row (table, g_strdup ("bert"), g_strdup ("1.5 ms"), g_strdup ("2 ms"),
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
    { 30,
      "Model   bert\nMedian  1.5 ms\nTail    2 ms\nNote    the machine was busy\n        with other work\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (DynoCliTable) table = new_runs ();
      g_autofree char *text = dyno_cli_table_to_string (table, cases[i].width);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_wraps_and_drops (void)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("lr1r2w", "Model", "Median", "Tail", "Note", NULL);
  g_autofree char *name = g_strnfill (46, 'm');
  g_autofree char *text = NULL;
  g_autofree char *expected = NULL;

  dyno_cli_table_take_row (table, g_strdup (name), g_strdup ("1.5 ms"), g_strdup ("2 ms"),
                           g_strdup ("the machine was busy with other work"), NULL);
  text = dyno_cli_table_to_string (table, 82);
  expected = g_strdup_printf (
      "%-46s  Median  Note\n%s  1.5 ms  the machine was busy with\n%46s          other work\n"
      "Not shown: Tail. Use --wide for all columns.\n",
      "Model", name, "");
  g_assert_cmpstr (text, ==, expected);
}

/* What is printed has the width that was counted. */
static void
test_controls (void)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("ll", "Name", "N", NULL);
  g_autofree char *text = NULL;

  dyno_cli_table_take_row (table, g_strdup ("a\033b\nc"), g_strdup ("1"), NULL);
  dyno_cli_table_take_row (table, g_strdup ("b"), g_strnfill (100000, 'x'), NULL);
  text = dyno_cli_table_to_string (table, 0);
  g_assert_true (g_str_has_prefix (text, "Name      N\na\\x1bb c  1\nb         xxx"));
  g_assert_true (g_str_has_suffix (text, "x…\n"));
  g_assert_cmpuint (strlen (text), <, 2000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/table/alignment", test_alignment);
  g_test_add_func ("/cli/table/width", test_width);
  g_test_add_func ("/cli/table/empty-column", test_empty_column);
  g_test_add_func ("/cli/table/controls", test_controls);
  g_test_add_func ("/cli/table/fits", test_fits);
  g_test_add_func ("/cli/table/wraps-and-drops", test_wraps_and_drops);
  return g_test_run ();
}
