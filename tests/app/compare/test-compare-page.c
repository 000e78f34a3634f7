/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-charts-private.h"
#include "dyno-app-compare-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-plan.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

static void
add_case (DynoRun *run, const char *backend, guint batch_size, double median)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", backend);
  g_autoptr (DynoResult) result = NULL;

  g_object_set (kase, "batch-size", batch_size, "sequence-length", 128, NULL);
  result = dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", median, "ms", "made up");
  dyno_run_add_result (run, result);
}

/* One run with two backends. */
static DynoRun *
add_run (const char *title, int second)
{
  DynoRun *run =
      g_object_new (DYNO_TYPE_RUN, "title", title, "started-at", (gint64)second * G_USEC_PER_SEC, "plan",
                    "{}", "machine", "{}", "source", "dyno", "app-version", PACKAGE_VERSION, NULL);

  add_case (run, "cpu", 1, 2);
  add_case (run, "openvino", 1, 1);
  add_case (run, "cpu", 2, 4);
  add_case (run, "openvino", 2, 2);
  run_fixture_keep (window_fixture_get_store (), run);
  return run;
}

static gboolean
is_shown (gpointer page)
{
  return gtk_widget_get_visible (page_fixture_find_named (page, "measure_button"));
}

static DynoWindow *
open_comparison (GtkWidget **page)
{
  g_autoptr (DynoRun) run = NULL;
  DynoWindow *window = window_fixture_open (1000);

  window_fixture_clear_store ();
  run = add_run ("Both", 1);
  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (run));
  *page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);
  page_fixture_wait (is_shown, *page);
  return window;
}

/* Presses the row of a case. */
static void
press_row (GtkWidget *page, int position)
{
  GtkWidget *list = page_fixture_find (page_fixture_find_named (page, "differences"), GTK_TYPE_LIST_BOX);

  g_signal_emit_by_name (list, "row-activated",
                         gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), position));
}

/* In a narrow window, long names of engines leave room for each other. */
static void
test_narrow (void)
{
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);
  GtkWidget *bin = page_fixture_find_named (page, "narrow_bin");
  int minimum;

  gtk_window_set_default_size (GTK_WINDOW (window), 360, 600);
  window_fixture_wait_frames (page);
  gtk_widget_measure (dyno_narrow_bin_get_child (DYNO_NARROW_BIN (bin)), GTK_ORIENTATION_HORIZONTAL, -1,
                      &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, <=, 360);
  window_fixture_close (window);
}

/* The rows of a comparison are named by the case, its verdict and its values. */
static void
test_names (void)
{
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);
  GtkWidget *list = page_fixture_find (page_fixture_find_named (page, "differences"), GTK_TYPE_LIST_BOX);

  for (int i = 1; i <= 2; i++)
    g_assert_true (gtk_test_accessible_has_relation (
        GTK_ACCESSIBLE (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), i)),
        GTK_ACCESSIBLE_RELATION_LABELLED_BY));
  window_fixture_close (window);
}

/* The backends of one run are compared, with any of them as the baseline. */
static void
test_one_run (void)
{
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);
  GtkDropDown *baseline = GTK_DROP_DOWN (page_fixture_find_named (page, "baseline_choice"));

  window_fixture_wait_shown (window, "No difference shown");
  window_fixture_wait_shown (
      window, "OpenVINO (CPU) looks 2.0 times faster than ONNX Runtime (CPU), but that is not certain.");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (baseline)));
  gtk_drop_down_set_selected (baseline, 1);
  window_fixture_wait_shown (
      window, "ONNX Runtime (CPU) looks 2.0 times slower than OpenVINO (CPU), but that is not certain.");
  g_signal_emit_by_name (page_fixture_find_named (page, "swap_button"), "clicked");
  window_fixture_wait_shown (
      window, "OpenVINO (CPU) looks 2.0 times faster than ONNX Runtime (CPU), but that is not certain.");
  window_fixture_close (window);
}

/* A row says in words what the case is, and unfolds its statistics. */
static void
test_row (void)
{
  const char *details =
      "Ratio (95 % interval): 0.50\nProcesses: 1 before, 1 after\nEffective samples: 1 before, 1 after\n"
      "Each side was measured in one process, and the next process may differ by more. Measure with 5 "
      "processes per case.";
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);

  window_fixture_wait_shown (window, "no difference shown");
  window_fixture_wait_shown (window, "2\u00a0ms → 1\u00a0ms");
  g_assert_false (window_fixture_shows (GTK_WIDGET (window), details));
  press_row (page, 1);
  window_fixture_wait_shown (window, details);
  press_row (page, 1);
  window_fixture_wait_gone (window, details);
  window_fixture_close (window);
}

static gboolean
has_charts (gpointer page)
{
  return page_fixture_find (page_fixture_find_named (page, "pairs"), DYNO_TYPE_CHART_VIEW) != NULL;
}

/* The charts of both sides stand side by side, without a winner in their words, and share the cursor. */
static void
test_charts (void)
{
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);
  GtkWidget *before;
  DynoChart *left, *right;

  page_fixture_wait (has_charts, page);
  before = page_fixture_find (page_fixture_find_named (page, "pairs"), DYNO_TYPE_CHART_VIEW);
  left = dyno_chart_view_get_chart (DYNO_CHART_VIEW (before));
  right = dyno_chart_view_get_chart (DYNO_CHART_VIEW (gtk_widget_get_next_sibling (before)));
  g_assert_cmpstr (dyno_chart_get_title (left), ==, "Latency by batch size · ONNX Runtime (CPU)");
  g_assert_cmpstr (dyno_chart_get_title (right), ==, "Latency by batch size · OpenVINO (CPU)");
  g_assert_cmpstr (dyno_chart_get_finding (left), ==, "");
  g_assert_null (dyno_chart_get_cursor_text (right));
  g_assert_true (dyno_chart_move_cursor (left, 1, 0));
  g_assert_true (dyno_chart_move_cursor (left, 1, 0));
  g_assert_nonnull (strstr (dyno_chart_get_cursor_text (right), "2\u00a0ms"));
  dyno_chart_unhover (left);
  g_assert_null (dyno_chart_get_cursor_text (right));
  window_fixture_close (window);
}

static gboolean
has_two (gpointer page)
{
  return dyno_compare_page_get_n_runs (page) == 2;
}

static gboolean
is_baseline (GtkWidget *page, int position)
{
  GtkListBox *list = GTK_LIST_BOX (page_fixture_find_named (page, "runs_list"));
  GtkWidget *row = GTK_WIDGET (gtk_list_box_get_row_at_index (list, position));

  return gtk_check_button_get_active (GTK_CHECK_BUTTON (page_fixture_find (row, GTK_TYPE_CHECK_BUTTON)));
}

static const char *
get_title (GtkWidget *page, int position)
{
  GtkListBox *list = GTK_LIST_BOX (page_fixture_find_named (page, "runs_list"));

  return adw_preferences_row_get_title (ADW_PREFERENCES_ROW (gtk_list_box_get_row_at_index (list, position)));
}

static void
press_compare (DynoWindow *window, DynoRun *run)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.compare-run", "(ss)",
                                             dyno_store_get_path (window_fixture_get_store ()),
                                             dyno_run_get_id (run)));
}

/* A run that is picked is compared with the latest of the same cases, and the older one is the baseline; one that is
 * picked next takes the place of what nobody picked. */
static void
test_partner (void)
{
  DynoWindow *window = window_fixture_open (1000);
  g_autoptr (DynoRun) first = NULL;
  g_autoptr (DynoRun) second = NULL;
  g_autoptr (DynoRun) other = NULL;
  g_autoptr (DynoRun) third = NULL;
  GtkWidget *page;

  window_fixture_clear_store ();
  first = add_run ("First", 1);
  second = add_run ("Second", 2);
  third = add_run ("Third", 3);
  other = run_fixture_add (window_fixture_get_store (), "Other", 4, 1);
  press_compare (window, third);
  page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);
  page_fixture_wait (has_two, page);
  g_assert_cmpstr (get_title (page, 0), ==, "Third");
  g_assert_cmpstr (get_title (page, 1), ==, "Second");
  g_assert_true (is_baseline (page, 1));

  press_compare (window, first);
  g_assert_cmpuint (dyno_compare_page_get_n_runs (DYNO_COMPARE_PAGE (page)), ==, 1);
  page_fixture_wait (has_two, page);
  g_assert_cmpstr (get_title (page, 1), ==, "First");
  g_assert_true (is_baseline (page, 1));
  window_fixture_close (window);
}

static gboolean
has_first (gpointer page)
{
  return has_two (page) && g_str_equal (get_title (page, 1), "First");
}

/* The sides swap, and a run that is picked for a side takes the place of the one that was there. */
static void
test_sides (void)
{
  DynoWindow *window = window_fixture_open (1000);
  g_autoptr (DynoRun) first = NULL;
  g_autoptr (DynoRun) second = NULL;
  g_autoptr (DynoRun) third = NULL;
  g_autoptr (DynoRunEntry) entry = NULL;
  GtkWidget *page, *button;

  window_fixture_clear_store ();
  first = add_run ("First", 1);
  second = add_run ("Second", 2);
  third = add_run ("Third", 3);
  press_compare (window, second);
  page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);
  page_fixture_wait (has_two, page);
  window_fixture_wait_shown (window, "Third and Second look alike, but that is not certain.");
  g_signal_emit_by_name (page_fixture_find_named (page, "swap_button"), "clicked");
  window_fixture_wait_shown (window, "Second and Third look alike, but that is not certain.");

  button = page_fixture_find_named (page, "after_button");
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  g_assert_true (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button))) ==
                 page_fixture_find_named (page, "picker"));
  entry = dyno_run_entry_new (window_fixture_get_store (), first, FALSE);
  g_signal_emit_by_name (page_fixture_find_named (page, "picker"), "picked", entry);
  page_fixture_wait (has_first, page);
  g_assert_true (is_baseline (page, 0));
  window_fixture_wait_shown (window, "First and Third look alike, but that is not certain.");
  window_fixture_close (window);
}

static void
take_plan (DynoPlan **taken, DynoPlan *plan)
{
  g_set_object (taken, plan);
}

static gboolean
is_taken (gpointer data)
{
  return *(DynoPlan **)data != NULL;
}

/* The undecided cases of both sides become a plan. */
static void
test_measure_again (void)
{
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (GPtrArray) cases = NULL;
  g_autoptr (GError) error = NULL;

  /* The window would begin to measure. */
  g_assert_cmpuint (g_signal_handlers_disconnect_matched (
                        page, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA,
                        g_signal_lookup ("measure-again", DYNO_TYPE_COMPARE_PAGE), 0, NULL, NULL, window),
                    ==, 1);
  g_signal_connect_swapped (page, "measure-again", G_CALLBACK (take_plan), &plan);
  g_signal_emit_by_name (page_fixture_find_named (page, "measure_button"), "clicked");
  page_fixture_wait (is_taken, &plan);
  cases = dyno_plan_expand (plan, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cases->len, ==, 4);
  window_fixture_close (window);
}

/* The sides that were measured side by side are compared as soon as they are, in place of what was shown before. */
static void
test_measured_again (void)
{
  static const char *const models[] = { "/nowhere/none.onnx", NULL };
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);
  GtkWidget *benchmark = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_BENCHMARK_PAGE);
  g_autoptr (DynoPlan) plan = g_object_new (DYNO_TYPE_PLAN, "models", models, NULL);
  g_autoptr (DynoRun) run = add_run ("Side by side", 2);

  g_signal_emit_by_name (page_fixture_find_named (page, "swap_button"), "clicked");
  window_fixture_wait_shown (
      window, "ONNX Runtime (CPU) looks 2.0 times slower than OpenVINO (CPU), but that is not certain.");
  g_signal_emit_by_name (page, "measure-again", plan);
  g_signal_emit_by_name (benchmark, "run-finished", run);
  window_fixture_wait_shown (
      window, "OpenVINO (CPU) looks 2.0 times faster than ONNX Runtime (CPU), but that is not certain.");
  window_fixture_close (window);
}

static gboolean
is_in_clipboard (gpointer page)
{
  GdkContentProvider *content = gdk_clipboard_get_content (gtk_widget_get_clipboard (page));
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  return content != NULL && gdk_content_provider_get_value (content, &value, NULL) &&
         g_str_has_prefix (g_value_get_string (&value),
                           "# ONNX Runtime (CPU) compared with OpenVINO (CPU)\n");
}

/* The report is on the comparison as it is shown, with the baseline that was chosen. */
static void
test_report (void)
{
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);
  GtkWidget *button = page_fixture_find_named (page, "report_button");

  gtk_drop_down_set_selected (GTK_DROP_DOWN (page_fixture_find_named (page, "baseline_choice")), 1);
  window_fixture_wait_shown (
      window, "ONNX Runtime (CPU) looks 2.0 times slower than OpenVINO (CPU), but that is not certain.");
  g_assert_true (gtk_widget_get_sensitive (button));
  g_assert_true (gtk_widget_activate_action (button, "report.copy", "s", "markdown"));
  page_fixture_wait (is_in_clipboard, page);
  window_fixture_close (window);
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  g_test_add_func ("/compare-page/one-run", test_one_run);
  g_test_add_func ("/compare-page/row", test_row);
  g_test_add_func ("/compare-page/names", test_names);
  g_test_add_func ("/compare-page/narrow", test_narrow);
  g_test_add_func ("/compare-page/charts", test_charts);
  g_test_add_func ("/compare-page/sides", test_sides);
  g_test_add_func ("/compare-page/partner", test_partner);
  g_test_add_func ("/compare-page/measure-again", test_measure_again);
  g_test_add_func ("/compare-page/measured-again", test_measured_again);
  g_test_add_func ("/compare-page/report", test_report);
  return window_fixture_run ();
}

SUITE (run_suite)
