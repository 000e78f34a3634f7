/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"
#include "page-fixture.h"
#include "suite.h"

static void
count_cb (guint *n_changes)
{
  (*n_changes)++;
}

/* The unit is shown in the field, whether typed or not. */
static void
test_unit (void)
{
  g_autoptr (DynoLimitRow) row = g_object_ref_sink (dyno_limit_row_new (DYNO_LIMIT_LATENCY));
  GtkWidget *spin = page_fixture_find (GTK_WIDGET (row), GTK_TYPE_SPIN_BUTTON);
  guint n_changes = 0;

  g_signal_connect_swapped (row, "changed", G_CALLBACK (count_cb), &n_changes);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, "Maximum p90 Latency");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "0.0 ms");
  gtk_editable_set_text (GTK_EDITABLE (spin), "20");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpfloat (dyno_limit_row_get_most (row), ==, 20);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "20.0 ms");
  gtk_editable_set_text (GTK_EDITABLE (spin), "30 ms");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpfloat (dyno_limit_row_get_most (row), ==, 30);
  g_assert_cmpuint (n_changes, ==, 2);
  dyno_limit_row_reset (row);
  g_assert_cmpfloat (dyno_limit_row_get_most (row), ==, 0);
}

/* A limit of 0 means none; any other limit applies. */
static void
test_goal (void)
{
  g_autoptr (DynoLimitRow) row = g_object_ref_sink (dyno_limit_row_new (DYNO_LIMIT_POWER));
  GtkWidget *spin = page_fixture_find (GTK_WIDGET (row), GTK_TYPE_SPIN_BUTTON);
  DynoGoal goal, before;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  before = goal;
  dyno_limit_row_apply (row, &goal);
  g_assert_cmpmem (&goal.limits, sizeof goal.limits, &before.limits, sizeof before.limits);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 12.5);
  dyno_limit_row_apply (row, &goal);
  g_assert_cmpfloat (goal.limits[DYNO_LIMIT_POWER], ==, 12.5);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/limit-row/unit", test_unit);
  g_test_add_func ("/limit-row/goal", test_goal);
  return g_test_run ();
}

SUITE (run_suite)
