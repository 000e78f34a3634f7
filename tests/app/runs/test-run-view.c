/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-session-private.h"
#include "dyno-chart-kind-list.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

/* The end of a run and the reading of it race; each of these may be the one where the reading is first. */
#define N_RACES 10

static DynoRun *
begin_run (void)
{
  DynoRun *run = run_fixture_make ("Short", G_USEC_PER_SEC, 1);
  g_autoptr (GError) error = NULL;

  g_object_set (run, "finished-at", G_GINT64_CONSTANT (0), NULL);
  dyno_result_sink_begin_run (DYNO_RESULT_SINK (window_fixture_get_store ()), run, &error);
  g_assert_no_error (error);
  return run;
}

static void
end_run (DynoRun *run)
{
  DynoResultSink *sink = DYNO_RESULT_SINK (window_fixture_get_store ());
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      dyno_result_sink_add_result (sink, run, result, &error);
      g_assert_no_error (error);
    }
  g_object_set (run, "finished-at", 2 * (gint64)G_USEC_PER_SEC, NULL);
  dyno_result_sink_end_run (sink, run, &error);
  g_assert_no_error (error);
}

static DynoRun *
read_summary (void)
{
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (window_fixture_get_store (), NULL, 0, 1, NULL);

  return g_object_ref (runs->pdata[0]);
}

static gboolean
shows_end (gpointer view)
{
  DynoRun *run = dyno_run_view_get_run (view);

  return run != NULL && dyno_run_get_finished_at (run) > 0;
}

static gboolean
is_being_measured (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_label (GTK_LABEL (widget)), "Being measured") != NULL;
}

/* A run that ends while it is read is shown as it ended. */
static void
test_ends_while_read (void)
{
  DynoStore *store = window_fixture_get_store ();
  DynoRunView *view = g_object_ref_sink (g_object_new (DYNO_TYPE_RUN_VIEW, NULL));

  for (guint i = 0; i < N_RACES; i++)
    {
      g_autoptr (DynoRun) run = begin_run ();
      g_autoptr (DynoRun) before = read_summary ();
      g_autoptr (DynoRunEntry) entry = dyno_run_entry_new (store, before, FALSE);
      g_autoptr (DynoRun) after = NULL;

      dyno_run_view_set_entry (view, entry);
      end_run (run);
      after = read_summary ();
      dyno_run_entry_set_run (entry, after);
      page_fixture_wait (shows_end, view);
      g_assert_null (page_fixture_find_where (GTK_WIDGET (view), is_being_measured, NULL));
      dyno_run_view_set_entry (view, NULL);
      window_fixture_clear_store ();
    }
  page_fixture_finalize (view);
}

static gboolean
is_label (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_label (GTK_LABEL (widget)), text);
}

static gboolean
is_doubt (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_LABEL (widget) && GTK_IS_IMAGE (gtk_widget_get_prev_sibling (widget)) &&
         strstr (gtk_label_get_label (GTK_LABEL (widget)), "doubtful") != NULL;
}

/* Doubts leave the first screen to the charts until the rest is unfolded, and a narrow window to their buttons. */
static void
test_folded_doubt (void)
{
  g_autoptr (DynoRun) run = run_fixture_make ("Short", G_USEC_PER_SEC, 1);
  GtkWidget *card = g_object_ref_sink (g_object_new (DYNO_TYPE_FINDINGS_CARD, NULL));
  GtkWidget *more, *doubt, *line;

  dyno_findings_card_set_run (DYNO_FINDINGS_CARD (card), run, TRUE, FALSE);
  more = page_fixture_find (card, GTK_TYPE_TOGGLE_BUTTON);
  doubt = page_fixture_find_where (card, is_doubt, NULL);
  g_assert_cmpint (gtk_label_get_lines (GTK_LABEL (doubt)), ==, 2);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (more), TRUE);
  g_assert_cmpint (gtk_label_get_lines (GTK_LABEL (doubt)), ==, -1);

  line = gtk_widget_get_parent (doubt);
  g_assert_true (GTK_IS_BUTTON (gtk_widget_get_next_sibling (line)));
  dyno_findings_card_set_narrow (DYNO_FINDINGS_CARD (card), TRUE);
  g_assert_cmpint (gtk_orientable_get_orientation (GTK_ORIENTABLE (gtk_widget_get_parent (line))), ==,
                   GTK_ORIENTATION_VERTICAL);
  page_fixture_finalize (card);
}

static gboolean
is_number (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
         gtk_widget_has_css_class (widget, "numeric") && *gtk_label_get_label (GTK_LABEL (widget)) != '\0';
}

static float
get_right_edge (GtkWidget *table, GtkWidget *widget)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, table, &bounds));
  return bounds.origin.x + bounds.size.width;
}

/* Titles stand over their numbers, and where not all columns fit, the grade of a case does. */
static void
test_table (void)
{
  g_autoptr (DynoRun) run = run_fixture_make ("Short", G_USEC_PER_SEC, 1);
  GtkWidget *window = gtk_window_new ();
  GtkWidget *table = g_object_new (DYNO_TYPE_CASE_TABLE, NULL);

  gtk_window_set_default_size (GTK_WINDOW (window), 560, 400);
  gtk_window_set_child (GTK_WINDOW (window), table);
  dyno_case_table_set_run (DYNO_CASE_TABLE (table), run);
  gtk_window_present (GTK_WINDOW (window));
  window_fixture_wait_frames (table);
  g_assert_cmpfloat_with_epsilon (get_right_edge (table, page_fixture_find_where (table, is_label, "Median")),
                                  get_right_edge (table, page_fixture_find_where (table, is_number, NULL)),
                                  6);
  g_assert_cmpfloat (get_right_edge (table, page_fixture_find_where (table, is_label, "Grade")), <=,
                     gtk_widget_get_width (table));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A narrow head has no buttons to compare and to share, so the menu of the run has their items, above those that delete. */
static void
test_narrow_menu (void)
{
  DynoRunView *view = g_object_ref_sink (g_object_new (DYNO_TYPE_RUN_VIEW, NULL));
  GtkMenuButton *button = GTK_MENU_BUTTON (page_fixture_find_named (GTK_WIDGET (view), "menu_button"));
  GMenuModel *menu = gtk_menu_button_get_menu_model (button);
  g_autoptr (GMenuModel) compare = NULL;
  g_autoptr (GMenuModel) share = NULL;
  g_autofree char *action = NULL;
  int n_sections = g_menu_model_get_n_items (menu);

  g_object_set (view, "narrow", TRUE, NULL);
  menu = gtk_menu_button_get_menu_model (button);
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, n_sections + 2);
  compare = g_menu_model_get_item_link (menu, 1, G_MENU_LINK_SUBMENU);
  g_assert_cmpint (g_menu_model_get_n_items (compare), ==, 3);
  share = g_menu_model_get_item_link (menu, n_sections, G_MENU_LINK_SECTION);
  g_assert_true (g_menu_model_get_item_attribute (share, 0, G_MENU_ATTRIBUTE_ACTION, "s", &action));
  g_assert_cmpstr (action, ==, "run.save");
  g_object_set (view, "narrow", FALSE, NULL);
  g_assert_cmpint (g_menu_model_get_n_items (gtk_menu_button_get_menu_model (button)), ==, n_sections);
  page_fixture_finalize (view);
}

static DynoChart *
get_latency_chart (DynoRunView *view)
{
  GtkWidget *groups =
      page_fixture_find (page_fixture_find (GTK_WIDGET (view), DYNO_TYPE_CASE_VIEW), DYNO_TYPE_CHART_GROUPS);

  return dyno_chart_view_get_chart (dyno_chart_groups_show (DYNO_CHART_GROUPS (groups), DYNO_CHART_LATENCY));
}

/* During a run, the open page of a case changes with its own news alone. */
static void
test_live_case (void)
{
  g_autoptr (DynoRun) run = run_fixture_make ("Live", G_USEC_PER_SEC, 1);
  g_autoptr (DynoRunEntry) entry = dyno_run_entry_new (window_fixture_get_store (), run, FALSE);
  g_autoptr (DynoResult) open = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_autoptr (DynoResult) other = g_list_model_get_item (dyno_run_get_results (run), 1);
  DynoRunView *view = g_object_ref_sink (g_object_new (DYNO_TYPE_RUN_VIEW, NULL));
  DynoChart *chart;

  dyno_run_set_running (run, TRUE);
  dyno_run_view_show_live (view, entry);
  dyno_run_view_open_case (view, open);
  chart = get_latency_chart (view);
  g_assert_true (DYNO_IS_CHART (chart));
  g_object_notify (G_OBJECT (other), "status");
  dyno_run_view_show_live (view, entry);
  g_assert_true (get_latency_chart (view) == chart);
  g_object_notify (G_OBJECT (open), "status");
  dyno_run_view_show_live (view, entry);
  g_assert_true (get_latency_chart (view) != chart);
  page_fixture_finalize (view);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  g_test_add_func ("/run-view/ends-while-read", test_ends_while_read);
  g_test_add_func ("/run-view/folded-doubt", test_folded_doubt);
  g_test_add_func ("/run-view/live-case", test_live_case);
  g_test_add_func ("/run-view/table", test_table);
  g_test_add_func ("/run-view/narrow-menu", test_narrow_menu);
  return window_fixture_run ();
}

SUITE (run_suite)
