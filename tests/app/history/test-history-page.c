/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-compare-private.h"
#include "dyno-app-history-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-shell-private.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

/* After the fourth of eight runs everything takes a tenth longer. */
static void
add_runs (guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *title = g_strdup_printf ("Run %u", i + 1);
      double noise = 0.002 * (i * 7 % 5);
      g_autoptr (DynoRun) run = run_fixture_add (window_fixture_get_store (), title, (i + 1) * G_USEC_PER_SEC,
                                                 (i < n / 2 ? 1 : 1.1) * (1 + noise));
    }
}

static GtkWidget *
get_page (DynoWindow *window)
{
  return page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_HISTORY_PAGE);
}

static GtkWidget *
get_named (DynoWindow *window, const char *name)
{
  return page_fixture_find_named (get_page (window), name);
}

static DynoWindow *
open_history (void)
{
  DynoWindow *window = window_fixture_open (1000);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-history", NULL);
  return window;
}

static guint
count_rows (DynoWindow *window, const char *list)
{
  GtkListBox *box = GTK_LIST_BOX (get_named (window, list));
  guint n = 0;

  while (gtk_list_box_get_row_at_index (box, (int)n) != NULL)
    n++;
  return n;
}

static GtkListBoxRow *
get_row (DynoWindow *window, const char *list, int index)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (get_named (window, list)), index);

  g_assert_nonnull (row);
  return row;
}

static void
close_history (DynoWindow *window)
{
  window_fixture_close (window);
  window_fixture_clear_store ();
}

/* A single run has no history, and the page says so. After a second run of the same cases the history appears
 * automatically. */
static void
test_empty (void)
{
  DynoWindow *window;

  add_runs (1);
  window = open_history ();
  window_fixture_wait_shown (window, "No History Yet");
  g_assert_true (gtk_widget_get_mapped (get_page (window)));
  add_runs (2);
  window_fixture_wait_shown (window,
                             "There are 3 steady runs. Changes can be told from chance with 8 or more.");
  g_assert_cmpuint (count_rows (window, "list"), ==, 3);
  g_assert_false (gtk_widget_get_visible (get_named (window, "changes_group")));
  close_history (window);
}

/* The chart, the change in words, and the runs, the newest first. */
static void
test_change (void)
{
  DynoWindow *window;
  DynoChart *chart;
  AdwActionRow *change, *newest;
  int minimum;

  add_runs (8);
  window = open_history ();
  window_fixture_wait_shown (window, "Changes");
  chart = dyno_chart_view_get_chart (DYNO_CHART_VIEW (get_named (window, "chart_view")));
  g_assert_cmpuint (dyno_chart_get_table (chart)->len, ==, 9);
  g_assert_cmpuint (count_rows (window, "changes_list"), ==, 1);
  change = ADW_ACTION_ROW (get_row (window, "changes_list", 0));
  g_assert_nonnull (strstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (change)), " % slower"));
  g_assert_nonnull (strstr (adw_action_row_get_subtitle (change), "“Run 5”"));
  g_assert_cmpuint (count_rows (window, "list"), ==, 8);
  newest = ADW_ACTION_ROW (get_row (window, "list", 0));
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (newest)), ==, "Run 8");
  gtk_widget_measure (get_page (window), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, <=, 360);
  close_history (window);
}

static gboolean
is_of_second_case (gpointer window)
{
  DynoChart *chart = dyno_chart_view_get_chart (DYNO_CHART_VIEW (get_named (window, "chart_view")));
  GStrv row = g_ptr_array_index (dyno_chart_get_table (chart), 1);

  return strstr (row[0], "batch 2") != NULL;
}

/* Cases with as many runs come in the order in which they were measured last; the value stays. */
static void
test_choices (void)
{
  DynoWindow *window;
  GtkDropDown *cases, *metrics;

  add_runs (2);
  window = open_history ();
  window_fixture_wait_shown (window, "Median latency over the runs");
  cases = GTK_DROP_DOWN (get_named (window, "case_choice"));
  metrics = GTK_DROP_DOWN (get_named (window, "metric_choice"));
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (cases)), ==, 3);
  g_assert_false (gtk_widget_get_visible (get_named (window, "machine_choice")));
  for (guint i = 0; i < g_list_model_get_n_items (gtk_drop_down_get_model (metrics)); i++)
    {
      g_autoptr (GObject) choice = g_list_model_get_item (gtk_drop_down_get_model (metrics), i);
      g_autofree char *label = NULL;

      g_object_get (choice, "label", &label, NULL);
      if (g_str_has_prefix (label, "Sustained throughput"))
        gtk_drop_down_set_selected (metrics, i);
    }
  window_fixture_wait_shown (window, "Sustained throughput over the runs");
  gtk_drop_down_set_selected (cases, 1);
  page_fixture_wait (is_of_second_case, window);
  window_fixture_wait_shown (window, "Sustained throughput over the runs");
  close_history (window);
}

static gboolean
shows_run (gpointer page)
{
  DynoRun *run = dyno_results_page_get_run (page);

  return run != NULL && g_strcmp0 (dyno_run_get_title (run), "Run 2") == 0;
}

/* From the history to a run, from there to a case, and back to the history, which then shows that case. */
static void
test_way (void)
{
  DynoWindow *window;
  GtkWidget *results, *view;
  g_autoptr (DynoResult) result = NULL;

  add_runs (2);
  window = open_history ();
  window_fixture_wait_shown (window, "Run 2");
  results = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE);
  gtk_widget_activate (GTK_WIDGET (get_row (window, "list", 0)));
  page_fixture_wait (shows_run, results);
  g_assert_false (gtk_widget_get_mapped (get_page (window)));
  view = page_fixture_find (results, DYNO_TYPE_RUN_VIEW);
  g_assert_false (window_fixture_can (view, "run.show-history"));
  result = g_list_model_get_item (dyno_run_get_results (dyno_run_view_get_run (DYNO_RUN_VIEW (view))), 1);
  g_signal_emit_by_name (page_fixture_find (view, DYNO_TYPE_CASE_TABLE), "activated", result);
  gtk_widget_activate_action (view, "run.show-history", NULL);
  g_assert_true (gtk_widget_get_mapped (get_page (window)));
  page_fixture_wait (is_of_second_case, window);
  close_history (window);
}

static gboolean
compares_two (gpointer page)
{
  return dyno_compare_page_get_n_runs (page) == 2;
}

/* Two runs are compared, and earlier ones are replaced. */
static void
test_compare (void)
{
  DynoWindow *window;
  GtkWidget *compare;

  add_runs (3);
  window = open_history ();
  window_fixture_wait_shown (window, "Runs");
  g_assert_false (gtk_widget_get_sensitive (get_named (window, "compare_button")));
  for (int i = 0; i < 2; i++)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (page_fixture_find (
                                     GTK_WIDGET (get_row (window, "list", i)), GTK_TYPE_CHECK_BUTTON)),
                                 TRUE);
  g_assert_true (gtk_widget_get_sensitive (get_named (window, "compare_button")));
  g_signal_emit_by_name (get_named (window, "compare_button"), "clicked");
  compare = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);
  page_fixture_wait (compares_two, compare);
  window_fixture_wait_shown (window, "Run 2");
  window_fixture_wait_shown (window, "Run 3");
  close_history (window);
}

/* A run gets a name as a baseline, which pins it, and loses it again. */
static void
test_baseline (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) baselines = NULL;
  DynoWindow *window;
  GtkWidget *form, *entry;

  add_runs (2);
  window = open_history ();
  window_fixture_wait_shown (window, "Runs");
  g_assert_false (gtk_widget_get_visible (get_named (window, "baselines_group")));
  gtk_widget_activate_action_variant (
      get_page (window), "history.name-baseline",
      gtk_actionable_get_action_target_value (GTK_ACTIONABLE (get_row (window, "list", 1))));
  form = page_fixture_find_anywhere (DYNO_TYPE_BASELINE_FORM);
  g_assert_nonnull (form);
  entry = page_fixture_find_named (form, "entry");
  gtk_editable_set_text (GTK_EDITABLE (entry), "last");
  g_assert_true (gtk_widget_get_visible (page_fixture_find_named (form, "note")));
  gtk_editable_set_text (GTK_EDITABLE (entry), "main");
  gtk_window_present (GTK_WINDOW (gtk_widget_get_root (form)));
  g_signal_emit_by_name (gtk_widget_get_root (form), "response", "save");
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (form)));
  window_fixture_wait_shown (window, "Baseline “main”");
  g_assert_cmpuint (count_rows (window, "baselines_list"), ==, 1);
  gtk_widget_activate_action (get_page (window), "history.remove-baseline", "s", "main");
  window_fixture_wait_gone (window, "Baseline “main”");
  g_assert_false (gtk_widget_get_visible (get_named (window, "baselines_group")));
  baselines = dyno_store_list_baselines (window_fixture_get_store (), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (baselines->len, ==, 0);
  close_history (window);
}

/* Long histories are listed in pages. */
static void
test_many (void)
{
  DynoWindow *window;

  add_runs (30);
  window = open_history ();
  window_fixture_wait_shown (window, "Show 5 Older Runs");
  g_assert_cmpuint (count_rows (window, "list"), ==, 25);
  g_signal_emit_by_name (get_named (window, "more_button"), "clicked");
  g_assert_cmpuint (count_rows (window, "list"), ==, 30);
  g_assert_false (gtk_widget_get_visible (get_named (window, "more_button")));
  close_history (window);
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  g_test_add_func ("/history-page/empty", test_empty);
  g_test_add_func ("/history-page/change", test_change);
  g_test_add_func ("/history-page/choices", test_choices);
  g_test_add_func ("/history-page/way", test_way);
  g_test_add_func ("/history-page/compare", test_compare);
  g_test_add_func ("/history-page/baseline", test_baseline);
  g_test_add_func ("/history-page/many", test_many);
  return window_fixture_run ();
}

SUITE (run_suite)
