/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-compare-page.h"
#include "dyno-plan.h"
#include "run-fixture.h"
#include "window-fixture.h"

#define WHY                                                                                                  \
  " Each side was measured in one process, and the next process may differ by more. Measure with 5 "         \
  "processes per case."

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
add_run (void)
{
  DynoRun *run = g_object_new (DYNO_TYPE_RUN, "title", "Both", "started-at", (gint64)G_USEC_PER_SEC, "plan",
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
  return gtk_widget_get_sensitive (page_fixture_find_named (page, "measure_button"));
}

static DynoWindow *
open_comparison (GtkWidget **page)
{
  g_autoptr (DynoRun) run = add_run ();
  DynoWindow *window = window_fixture_open (1000);

  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (run));
  *page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);
  page_fixture_wait (is_shown, *page);
  return window;
}

/* The backends of one run are compared, with any of them as the baseline. */
static void
test_one_run (void)
{
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);
  GtkDropDown *baseline = GTK_DROP_DOWN (page_fixture_find_named (page, "baseline_choice"));

  window_fixture_wait_shown (window, "There is not enough data to tell openvino from cpu." WHY);
  window_fixture_wait_shown (window, "0.50");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (baseline)));
  gtk_drop_down_set_selected (baseline, 1);
  window_fixture_wait_shown (window, "There is not enough data to tell cpu from openvino." WHY);
  window_fixture_wait_shown (window, "2.00");
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

static gboolean
is_in_clipboard (gpointer page)
{
  GdkContentProvider *content = gdk_clipboard_get_content (gtk_widget_get_clipboard (page));
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  return content != NULL && gdk_content_provider_get_value (content, &value, NULL) &&
         g_str_has_prefix (g_value_get_string (&value), "# cpu compared with openvino\n");
}

/* The report is on the comparison as it is shown, with the baseline that was chosen. */
static void
test_report (void)
{
  GtkWidget *page;
  DynoWindow *window = open_comparison (&page);
  GtkWidget *button = page_fixture_find_named (page, "report_button");

  gtk_drop_down_set_selected (GTK_DROP_DOWN (page_fixture_find_named (page, "baseline_choice")), 1);
  window_fixture_wait_shown (window, "There is not enough data to tell cpu from openvino." WHY);
  g_assert_true (gtk_widget_get_sensitive (button));
  g_assert_true (gtk_widget_activate_action (button, "report.copy", "s", "markdown"));
  page_fixture_wait (is_in_clipboard, page);
  window_fixture_close (window);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  g_test_add_func ("/compare-page/one-run", test_one_run);
  g_test_add_func ("/compare-page/measure-again", test_measure_again);
  g_test_add_func ("/compare-page/report", test_report);
  status = g_test_run ();
  window_fixture_finish ();
  return status;
}
