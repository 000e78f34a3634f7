/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib.h>

#include "dyno-cli-table.h"

static void
test_alignment (void)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("lr", "Name", "N", NULL);
  g_autofree char *text = NULL;

  dyno_cli_table_take_row (table, g_strdup ("a"), g_strdup ("1"), NULL);
  dyno_cli_table_take_row (table, g_strdup ("longer"), g_strdup ("1234"), NULL);
  text = dyno_cli_table_to_string (table);
  g_assert_cmpstr (text, ==, "Name       N\na          1\nlonger  1234\n");
}

static void
test_width (void)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("ll", "A", "B", NULL);
  g_autofree char *text = NULL;

  dyno_cli_table_take_row (table, g_strdup ("µs"), g_strdup ("x"), NULL);
  dyno_cli_table_take_row (table, g_strdup ("模型"), g_strdup ("y"), NULL);
  text = dyno_cli_table_to_string (table);
  g_assert_cmpstr (text, ==, "A     B\nµs    x\n模型  y\n");
}

static void
test_empty_column (void)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("lll", "A", "Nothing", "C", NULL);
  g_autofree char *text = NULL;

  dyno_cli_table_take_row (table, g_strdup ("1"), g_strdup (""), g_strdup ("3"), NULL);
  text = dyno_cli_table_to_string (table);
  g_assert_cmpstr (text, ==, "A  C\n1  3\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/table/alignment", test_alignment);
  g_test_add_func ("/cli/table/width", test_width);
  g_test_add_func ("/cli/table/empty-column", test_empty_column);
  return g_test_run ();
}
