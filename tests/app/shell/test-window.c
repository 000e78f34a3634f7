/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-charts-private.h"
#include "dyno-app-compare-private.h"
#include "dyno-app-hardware-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-kind-list.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-page-list.h"
#include "dyno-roofline.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

#define WIDE   1100
#define NARROW 360
/* The height of the labels and the title of an x axis. */
#define AXIS_HEIGHT 36

static const char *folder;

static DynoResultsPage *
get_results_page (DynoWindow *window)
{
  return DYNO_RESULTS_PAGE (page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE));
}

static GtkWidget *
get_run_view (DynoWindow *window)
{
  return page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RUN_VIEW);
}

static DynoRun *
add_run (const char *title, gint64 started_at, double scale)
{
  return run_fixture_add (window_fixture_get_store (), title, started_at * G_USEC_PER_SEC, scale);
}

static guint
count_runs (const char *search)
{
  g_autoptr (GError) error = NULL;
  guint count = dyno_store_count_runs (window_fixture_get_store (), search, &error);

  g_assert_no_error (error);
  return count;
}

static gboolean
has_no_runs (gpointer data)
{
  return count_runs (NULL) == 0;
}

static gboolean
shows_run (gpointer page)
{
  return dyno_results_page_get_run (page) != NULL;
}

static DynoWindow *
open_on_results (int width)
{
  DynoWindow *window = window_fixture_open (width);

  dyno_window_show_page (window, "results");
  window_fixture_wait_frames (GTK_WIDGET (window));
  return window;
}

static void
test_empty (void)
{
  DynoWindow *window = open_on_results (WIDE);

  window_fixture_wait_shown (window, "No Runs Yet");
  g_assert_true (window_fixture_shows (GTK_WIDGET (window), "Run a Benchmark"));
  g_assert_false (window_fixture_can (GTK_WIDGET (get_results_page (window)), "win.save"));
  g_assert_true (window_fixture_can (GTK_WIDGET (window), "win.search"));
  dyno_window_show_page (window, "compare");
  g_assert_false (window_fixture_can (GTK_WIDGET (window), "win.search"));
  window_fixture_wait_shown (window, "Nothing to Compare Yet");
  window_fixture_close (window);
}

static void
test_run (void)
{
  g_autoptr (DynoRun) run = add_run ("A fine run", 1, 1);
  DynoWindow *window = open_on_results (WIDE);

  page_fixture_wait (shows_run, get_results_page (window));
  window_fixture_wait_shown (window, "A fine run");
  window_fixture_wait_shown (
      window, "3 of 4 cases are doubtful: the machine ran on battery power. 1 of 4 cases failed.");
  window_fixture_wait_shown (window, "BERT tiny · batch 1");
  g_assert_cmpstr (dyno_run_get_id (dyno_results_page_get_run (get_results_page (window))), ==,
                   dyno_run_get_id (run));
  window_fixture_close (window);
}

typedef struct
{
  GtkStack *stack;
  const char *name;
} Page;

static gboolean
shows_page (gpointer data)
{
  Page *page = data;

  return g_strcmp0 (gtk_stack_get_visible_child_name (page->stack), page->name) == 0;
}

static gboolean
is_chart (GtkWidget *widget, gconstpointer data)
{
  return DYNO_IS_CHART_CANVAS (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
has_chart (gpointer view)
{
  return page_fixture_find_where (view, is_chart, NULL) != NULL;
}

static gboolean
is_text (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_label (GTK_LABEL (widget)), text);
}

static void
make_quiet (DynoRun *run, DynoResult *result)
{
  g_ptr_array_set_size (dyno_result_get_diagnostics (result), 0);
}

static void
make_rough (DynoRun *run, DynoResult *result)
{
  GPtrArray *values = dyno_result_get_values (result);
  double median = dyno_result_get_number (result, "latency_p50_ms");

  make_quiet (run, result);
  for (guint i = 0; i < values->len; i++)
    if (g_str_equal (dyno_value_get_name (values->pdata[i]), "latency_median_high_ms"))
      {
        g_ptr_array_remove_index (values, i);
        dyno_result_add_measured (result, "latency_median_high_ms", 1.3 * median, "ms", "made up");
        return;
      }
}

static void
make_imported (DynoRun *run, DynoResult *result)
{
  g_autoptr (DynoOrigin) origin = dyno_origin_new ();

  make_quiet (run, result);
  origin->dialect = g_strdup ("llama-bench");
  origin->tool = g_strdup ("llama-bench");
  origin->file_name = g_strdup ("results.json");
  origin->hash = g_strnfill (64, '0');
  origin->extra = g_strdup ("{}");
  dyno_run_set_origin (run, origin);
  g_object_set (run, "plan", NULL, NULL);
}

/* Returns how much of @part charts cover, in pixels. */
static double
measure_plots (GtkWidget *widget, GtkWidget *part)
{
  graphene_rect_t bounds, visible;
  graphene_rect_t room =
      GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (part), (float)gtk_widget_get_height (part));
  double area = 0;

  if (DYNO_IS_CHART_CANVAS (widget) && gtk_widget_get_mapped (widget) &&
      gtk_widget_compute_bounds (widget, part, &bounds) &&
      graphene_rect_intersection (&bounds, &room, &visible))
    return (double)visible.size.width * (double)visible.size.height;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    area += measure_plots (child, part);
  return area;
}

/* The x axis of the first plot, with its labels and title, is seen before anything is scrolled. */
static void
assert_shows_axis (GtkWidget *view)
{
  DynoChartCanvas *canvas = DYNO_CHART_CANVAS (page_fixture_find_where (view, is_chart, NULL));
  const DynoChartPanel *panel =
      g_ptr_array_index (dyno_chart_get_panels (dyno_chart_canvas_get_chart (canvas)), 0);
  graphene_rect_t bounds;
  double bottom;

  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (canvas), view, &bounds));
  bottom = (double)bounds.origin.y + panel->plot.y + panel->plot.height + AXIS_HEIGHT;
  g_test_message ("The first x axis ends at %.0f of %d", bottom, gtk_widget_get_height (view));
  g_assert_cmpfloat (panel->plot.height, >, 0);
  g_assert_cmpfloat (bottom, <=, gtk_widget_get_height (view));
}

/* A quarter of what is seen before anything is scrolled is plot, whatever must be said of the run. */
static void
test_first_screen (void)
{
  static const struct
  {
    const char *title;
    void (*change) (DynoRun *run, DynoResult *result);
  } stores[] = { { "A quiet run", make_quiet },
                 { "A rough run", make_rough },
                 { "Imported", make_imported } };
  static const int sizes[][2] = { { 1280, 800 }, { 1000, 640 }, { 370, 700 } };

  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      g_autoptr (DynoRun) run = run_fixture_make (stores[i].title, G_USEC_PER_SEC, 1);

      for (guint k = 0; k < g_list_model_get_n_items (dyno_run_get_results (run)); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), k);
          stores[i].change (run, result);
        }
      run_fixture_keep (window_fixture_get_store (), run);
      for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
        {
          DynoWindow *window = dyno_window_new (window_fixture_get_application ());
          GtkWidget *view;
          double share;

          gtk_window_set_default_size (GTK_WINDOW (window), sizes[k][0], sizes[k][1]);
          gtk_window_present (GTK_WINDOW (window));
          dyno_window_show_run (window, dyno_run_get_id (run));
          page_fixture_wait (shows_run, get_results_page (window));
          view = get_run_view (window);
          page_fixture_wait (has_chart, view);
          window_fixture_wait_frames (GTK_WIDGET (window));
          share = measure_plots (view, view) / sizes[k][0] / sizes[k][1];
          g_test_message ("%s: %.3f at %d × %d", stores[i].title, share, sizes[k][0], sizes[k][1]);
          g_assert_cmpfloat (share, >=, 0.25);
          if (k == 0)
            assert_shows_axis (view);
          g_assert_true (window_fixture_shows (view, "Run Again") ==
                         (k < 2 && stores[i].change != make_imported));
          window_fixture_close (window);
        }
      window_fixture_clear_store ();
    }
}

static void
show_table (DynoWindow *window)
{
  GtkWidget *groups = page_fixture_find (get_run_view (window), DYNO_TYPE_CHART_GROUPS);

  dyno_chart_groups_show_page (DYNO_CHART_GROUPS (groups), "table");
}

/* A tile leads to the case that it stands for. */
static void
test_tile (void)
{
  g_autoptr (DynoRun) run = add_run ("Four cases", 1, 1);
  DynoWindow *window = open_on_results (WIDE);

  page_fixture_wait (shows_run, get_results_page (window));
  window_fixture_wait_shown (window, "ResNet-18 · batch 1");
  g_signal_emit_by_name (
      gtk_widget_get_ancestor (page_fixture_find_where (GTK_WIDGET (window), is_text, "ResNet-18 · batch 1"),
                               GTK_TYPE_BUTTON),
      "clicked");
  window_fixture_wait_shown (window, "Four cases · case 3 of 4");
  window_fixture_close (window);
}

/* A case has its own page: back, next, previous. */
static void
test_case_page (void)
{
  g_autoptr (DynoRun) run = add_run ("Four cases", 1, 1);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *view = get_run_view (window);
  DynoCaseTable *table = DYNO_CASE_TABLE (page_fixture_find (view, DYNO_TYPE_CASE_TABLE));
  GtkStack *stack = GTK_STACK (page_fixture_find_named (view, "stack"));
  g_autoptr (GObject) heading = NULL;

  page_fixture_wait (shows_run, get_results_page (window));
  show_table (window);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_case_table_get_rows (table)), ==, 6);
  heading = g_list_model_get_item (dyno_case_table_get_rows (table), 3);
  g_assert_true (GTK_IS_STRING_OBJECT (heading));
  window_fixture_wait_shown (window, "Interval, ±1.0 %");
  g_signal_emit_by_name (page_fixture_find (GTK_WIDGET (table), GTK_TYPE_COLUMN_VIEW), "activate", 3);
  g_assert_false (window_fixture_can (view, "run.close-case"));

  g_signal_emit_by_name (page_fixture_find (GTK_WIDGET (table), GTK_TYPE_COLUMN_VIEW), "activate", 2);
  page_fixture_wait (shows_page, &(Page){ stack, "case" });
  window_fixture_wait_shown (window, "Four cases · case 2 of 4");
  window_fixture_wait_shown (window, "Doubtful");
  g_assert_true (gtk_widget_activate_action (view, "run.next-case", NULL));
  g_assert_true (gtk_widget_activate_action (view, "run.next-case", NULL));
  window_fixture_wait_shown (window, "Four cases · case 4 of 4");
  window_fixture_wait_shown (window, "The worker was killed.");
  g_assert_false (window_fixture_can (view, "run.next-case"));
  g_assert_true (gtk_widget_activate_action (view, "run.previous-case", NULL));
  window_fixture_wait_shown (window, "Four cases · case 3 of 4");
  g_assert_true (gtk_widget_activate_action (view, "run.close-case", NULL));
  page_fixture_wait (shows_page, &(Page){ stack, "run" });
  g_assert_true (
      gtk_widget_child_focus (page_fixture_find_named (view, "findings_card"), GTK_DIR_TAB_FORWARD));
  window_fixture_close (window);
}

static GtkEventControllerScrollFlags
get_scroll_flags (GtkWidget *scrolled_window)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (scrolled_window);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        return gtk_event_controller_scroll_get_flags (GTK_EVENT_CONTROLLER_SCROLL (controller));
    }
  g_assert_not_reached ();
}

static void
assert_spins_keep (GtkWidget *widget)
{
  if (GTK_IS_SPIN_BUTTON (widget))
    g_assert_cmpint (get_scroll_flags (widget), ==, GTK_EVENT_CONTROLLER_SCROLL_NONE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_spins_keep (child);
}

/* Scrolling past a number does not change it. */
static void
test_wheel_over_numbers (void)
{
  DynoWindow *window = window_fixture_open (WIDE);

  dyno_window_show_page (window, "benchmark");
  g_assert_nonnull (page_fixture_find (GTK_WIDGET (window), GTK_TYPE_SPIN_BUTTON));
  assert_spins_keep (GTK_WIDGET (window));
  window_fixture_close (window);
}

/* Over a table whose rows are all visible, the wheel scrolls the page. */
static void
test_wheel (void)
{
  g_autoptr (DynoRun) run = add_run ("Four cases", 1, 1);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *table, *page;

  page_fixture_wait (shows_run, get_results_page (window));
  show_table (window);
  window_fixture_wait_frames (GTK_WIDGET (window));
  table = page_fixture_find (page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_CASE_TABLE),
                             GTK_TYPE_SCROLLED_WINDOW);
  page = page_fixture_find_named (get_run_view (window), "scrolled_window");
  g_assert_false (get_scroll_flags (table) & GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_assert_true (get_scroll_flags (page) & GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  window_fixture_close (window);
}

static void
test_run_arrives (void)
{
  DynoWindow *window = open_on_results (WIDE);
  g_autoptr (DynoRun) run = NULL;

  window_fixture_wait_shown (window, "No Runs Yet");
  run = add_run ("New in the store", 1, 1);
  window_fixture_wait_shown (window, "New in the store");
  window_fixture_close (window);
}

/* The command line writes to the same store without notifying this process. */
static void
test_run_from_elsewhere (void)
{
  DynoWindow *window = open_on_results (WIDE);
  g_autoptr (GError) error = NULL;
  DynoStore *elsewhere = dyno_store_open_default (&error);
  g_autoptr (DynoRun) run = NULL;

  g_assert_no_error (error);
  g_assert_true (elsewhere != window_fixture_get_store ());
  window_fixture_wait_shown (window, "No Runs Yet");
  run = run_fixture_add (elsewhere, "Measured elsewhere", 1, 1);
  page_fixture_finalize (elsewhere);
  g_assert_true (window_fixture_press (GTK_WIDGET (get_results_page (window)), GDK_KEY_F5, 0));
  window_fixture_wait_shown (window, "Measured elsewhere");
  window_fixture_close (window);
}

/* Who watches a run to its end stays where they are; elsewhere a toast offers to show it. */
static void
test_run_ends (void)
{
  g_autoptr (DynoRun) run = add_run ("Just measured", 1, 1);
  DynoWindow *window = window_fixture_open (WIDE);
  GtkWidget *page;

  dyno_window_show_page (window, "benchmark");
  page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_BENCHMARK_PAGE);
  g_signal_emit_by_name (page, "run-finished", run);
  g_assert_cmpstr (dyno_window_get_page (window), ==, "benchmark");
  dyno_window_show_page (window, "hardware");
  g_signal_emit_by_name (page, "run-finished", run);
  g_assert_cmpstr (dyno_window_get_page (window), ==, "hardware");
  window_fixture_wait_shown (window, "Show Results");
  window_fixture_close (window);
}

typedef struct
{
  gpointer page;
  DynoRun *run;
} Wanted;

static gboolean
shows_wanted (gpointer data)
{
  Wanted *wanted = data;
  DynoRun *shown = dyno_results_page_get_run (wanted->page);

  return shown != NULL && g_str_equal (dyno_run_get_id (shown), dyno_run_get_id (wanted->run));
}

/* In either order of loading the list and the run. */
static void
test_show_run (void)
{
  g_autoptr (DynoRun) old = add_run ("The old one", 1, 1);
  g_autoptr (DynoRun) new = add_run ("The new one", 2, 1);
  g_autofree char *prefix = g_strndup (dyno_run_get_id (old), 13);
  DynoWindow *window = window_fixture_open (WIDE);

  dyno_window_show_run (window, prefix);
  page_fixture_wait (shows_wanted, &(Wanted){ get_results_page (window), old });
  window_fixture_wait_shown (window, "The new one");
  page_fixture_wait (shows_wanted, &(Wanted){ get_results_page (window), old });
  window_fixture_close (window);
}

/* A run beyond the loaded part of the list stays shown when the list changes. */
static void
test_show_far_run (void)
{
  g_autoptr (DynoRun) old = add_run ("Far down", 1, 1);
  g_autoptr (DynoRun) newer = NULL;
  DynoWindow *window;

  for (guint i = 0; i < 120; i++)
    g_object_unref (add_run ("In between", 2 + i, 1));
  window = open_on_results (WIDE);
  page_fixture_wait (shows_run, get_results_page (window));
  dyno_window_show_run (window, dyno_run_get_id (old));
  page_fixture_wait (shows_wanted, &(Wanted){ get_results_page (window), old });
  newer = add_run ("Just ended", 1000, 1);
  window_fixture_wait_shown (window, "Just ended");
  page_fixture_wait (shows_wanted, &(Wanted){ get_results_page (window), old });
  window_fixture_close (window);
}

static void
test_show_no_run (void)
{
  DynoWindow *window = window_fixture_open (WIDE);

  dyno_window_show_run (window, "no-such-run");
  window_fixture_wait_shown (window, "The run could not be shown");
  window_fixture_close (window);
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

static void
test_rename (void)
{
  g_autoptr (DynoRun) run = add_run ("Old title", 1, 1);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *entry = page_fixture_find_named (GTK_WIDGET (window), "title_entry");

  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_true (gtk_widget_activate_action (get_run_view (window), "run.rename", NULL));
  page_fixture_wait (is_mapped, entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), "Fresh title");
  g_signal_emit_by_name (entry, "activate");
  window_fixture_wait_shown (window, "Fresh title");
  window_fixture_wait_gone (window, "Old title");
  while (count_runs ("Fresh") == 0)
    window_fixture_wait_frames (GTK_WIDGET (window));
  window_fixture_close (window);
}

/* With the keyboard, editing begins and ends in the list. */
static void
test_rename_keys (void)
{
  g_autoptr (DynoRun) run = add_run ("Old title", 1, 1);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *page = GTK_WIDGET (get_results_page (window));
  GtkWidget *list = page_fixture_find_named (page, "list_view");
  GtkWidget *entry = page_fixture_find_named (page, "title_entry");

  page_fixture_wait (shows_run, page);
  g_assert_true (gtk_widget_child_focus (list, GTK_DIR_TAB_FORWARD));
  g_assert_true (window_fixture_press (page, GDK_KEY_F2, 0));
  page_fixture_wait (is_mapped, entry);
  g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (window)), entry));
  g_signal_emit_by_name (entry, "activate");
  g_assert_false (gtk_widget_get_mapped (entry));
  g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (window)), list));
  window_fixture_close (window);
}

static void
test_rename_cancelled (void)
{
  g_autoptr (DynoRun) run = add_run ("It stays", 1, 1);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *entry = page_fixture_find_named (GTK_WIDGET (window), "title_entry");

  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_true (gtk_widget_activate_action (get_run_view (window), "run.rename", NULL));
  page_fixture_wait (is_mapped, entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  g_signal_emit_by_name (entry, "activate");
  window_fixture_wait_shown (window, "It stays");
  g_assert_cmpuint (count_runs ("stays"), ==, 1);
  window_fixture_close (window);
}

static GtkWidget *
find_dialog (DynoWindow *window)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) dialog = g_list_model_get_item (windows, i);

      if (gtk_window_get_transient_for (GTK_WINDOW (dialog)) == GTK_WINDOW (window) &&
          gtk_widget_get_mapped (dialog))
        return dialog;
    }
  return NULL;
}

/* Notes are written in a dialog, and read where the other findings are. */
static void
test_notes (void)
{
  g_autoptr (DynoRun) run = add_run ("With notes", 1, 1);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *notes;

  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_true (gtk_widget_activate_action (get_run_view (window), "run.notes", NULL));
  notes = page_fixture_find (find_dialog (window), GTK_TYPE_TEXT_VIEW);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (notes)), "the fan was loud", -1);
  page_fixture_press (find_dialog (window), "_Save");
  while (count_runs ("loud") == 0)
    window_fixture_wait_frames (GTK_WIDGET (window));
  g_assert_nonnull (page_fixture_find_where (get_run_view (window), is_text, "the fan was loud"));
  window_fixture_close (window);
}

static gboolean
shows_plan (gpointer form)
{
  g_autoptr (DynoPlan) plan = dyno_plan_form_create_plan (form);

  return g_strv_contains (dyno_plan_get_loads (plan), "concurrent=1,2,4,8");
}

/* A choice opens Benchmark with the plan of the run and one more axis. */
static void
test_measure_more (void)
{
  g_autoptr (DynoRun) run = add_run ("Two sizes", 1, 1);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *dialog;

  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_true (gtk_widget_activate_action (get_run_view (window), "run.measure-more", NULL));
  dialog = find_dialog (window);
  g_assert_nonnull (page_fixture_find_row (dialog, "99.9th percentile of latency"));
  g_assert_nonnull (page_fixture_find_row (dialog, "Energy"));
  adw_action_row_activate (ADW_ACTION_ROW (page_fixture_find_row (dialog, "Load")));
  g_assert_null (find_dialog (window));
  page_fixture_wait (shows_plan, page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_PLAN_FORM));
  window_fixture_close (window);
}

static gboolean
is_button (GtkWidget *widget, gconstpointer label)
{
  return gtk_widget_get_mapped (widget) && GTK_IS_BUTTON (widget) && window_fixture_shows (widget, label);
}

static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  return page_fixture_find_where (widget, is_button, label);
}

static void
test_delete_undone (void)
{
  g_autoptr (DynoRun) run = add_run ("Precious", 1, 1);
  DynoWindow *window = open_on_results (WIDE);

  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_true (gtk_widget_activate_action (get_run_view (window), "results.delete", NULL));
  window_fixture_wait_shown (window, "“Precious” deleted");
  window_fixture_wait_shown (window, "No Runs Yet");
  page_fixture_wait (has_no_runs, NULL);
  g_signal_emit_by_name (find_button (GTK_WIDGET (window), "Undo"), "clicked");
  window_fixture_wait_shown (window, "Precious");
  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_cmpuint (count_runs (NULL), ==, 1);
  window_fixture_close (window);
  g_assert_cmpuint (count_runs (NULL), ==, 1);
}

static void
test_delete_done (void)
{
  g_autoptr (DynoRun) run = add_run ("Rubbish", 1, 1);
  DynoWindow *window = open_on_results (WIDE);

  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_true (gtk_widget_activate_action (get_run_view (window), "results.delete", NULL));
  window_fixture_wait_shown (window, "“Rubbish” deleted");
  window_fixture_close (window);
  page_fixture_wait (has_no_runs, NULL);
}

/* After the toast has gone, the bin still has the run. */
static void
test_deleted_runs (void)
{
  g_autoptr (DynoRun) run = add_run ("Missed", 1, 1);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *bin;

  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_true (gtk_widget_activate_action (get_run_view (window), "results.delete", NULL));
  window_fixture_wait_shown (window, "No Runs Yet");
  page_fixture_wait (has_no_runs, NULL);
  bin = dyno_bin_window_new (window_fixture_get_store ());
  gtk_window_present (GTK_WINDOW (bin));
  window_fixture_wait_shown ((DynoWindow *)bin, "Missed");
  g_signal_emit_by_name (find_button (bin, "Restore"), "clicked");
  window_fixture_wait_shown (window, "Missed");
  window_fixture_wait_gone ((DynoWindow *)bin, "Missed");
  g_assert_cmpuint (count_runs (NULL), ==, 1);
  gtk_window_destroy (GTK_WINDOW (bin));
  window_fixture_close (window);
}

static void
test_search (void)
{
  g_autoptr (DynoRun) one = add_run ("Monday", 1, 1);
  g_autoptr (DynoRun) other = add_run ("Tuesday", 2, 1);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *page = GTK_WIDGET (get_results_page (window));
  GtkEditable *search = GTK_EDITABLE (page_fixture_find_named (page, "search_entry"));

  window_fixture_wait_shown (window, "Monday");
  gtk_editable_set_text (search, "tues");
  window_fixture_wait_gone (window, "Monday");
  window_fixture_wait_shown (window, "Tuesday");
  gtk_editable_set_text (search, "never");
  window_fixture_wait_shown (window, "No Runs Found");
  g_signal_emit_by_name (find_button (page, "Clear Search"), "clicked");
  window_fixture_wait_shown (window, "Monday");
  window_fixture_close (window);
}

static void
test_bad_document (void)
{
  g_autofree char *path = g_build_filename (folder, "bad.dyno", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  DynoWindow *window = open_on_results (WIDE);

  g_file_set_contents (path, "This is no document at all.", -1, &error);
  g_assert_no_error (error);
  dyno_window_open_file (window, file);
  window_fixture_wait_shown (window, "The file could not be opened");
  g_assert_nonnull (find_button (GTK_WIDGET (window), "Details"));
  g_assert_true (window_fixture_shows (GTK_WIDGET (window), "No Runs Yet"));
  window_fixture_close (window);
}

static void
test_missing_document (void)
{
  g_autofree char *path = g_build_filename (folder, "missing.dyno", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  DynoWindow *window = open_on_results (WIDE);

  dyno_window_open_file (window, file);
  window_fixture_wait_shown (window, "The file could not be opened");
  window_fixture_close (window);
}

static char *
write_document (const char *title)
{
  g_autofree char *name = g_strconcat (title, ".dyno", NULL);
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (DynoRun) run = add_run (title, 5, 2);
  const char *ids[] = { dyno_run_get_id (run), NULL };
  g_autoptr (GError) error = NULL;

  dyno_store_save_document (window_fixture_get_store (), ids, path, &error);
  g_assert_no_error (error);
  window_fixture_clear_store ();
  return path;
}

static gboolean
has_one_run (gpointer data)
{
  return count_runs (NULL) == 1;
}

static void
test_document (void)
{
  g_autofree char *path = write_document ("Sent to me");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  DynoWindow *window = window_fixture_open (WIDE);
  GListModel *documents = dyno_app_session_get_documents (window_fixture_get_session ());

  dyno_window_open_file (window, file);
  window_fixture_wait_shown (window, "Sent to me");
  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_true (window_fixture_shows (GTK_WIDGET (window), "Import"));
  g_assert_false (window_fixture_can (get_run_view (window), "results.delete"));
  g_assert_false (window_fixture_can (get_run_view (window), "run.rename"));
  g_assert_true (window_fixture_can (get_run_view (window), "win.save"));
  g_assert_cmpuint (g_list_model_get_n_items (documents), ==, 1);

  g_assert_true (gtk_widget_activate_action (get_run_view (window), "run.import", NULL));
  page_fixture_wait (has_one_run, NULL);
  window_fixture_wait_shown (window, "1 run imported");

  g_assert_true (gtk_widget_activate_action (get_run_view (window), "results.close-document", NULL));
  g_assert_cmpuint (g_list_model_get_n_items (documents), ==, 0);
  window_fixture_close (window);
}

static void
append_fixture (GListStore *files, const char *name)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "import", "fixtures", "llama-bench", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_list_store_append (files, file);
}

static void
append_text (GListStore *files, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  g_list_store_append (files, file);
}

/* Results of other tools are told by their content, and are imported once. */
static void
test_import (void)
{
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  DynoWindow *window = open_on_results (WIDE);

  window_fixture_wait_shown (window, "No Runs Yet");
  append_fixture (files, "b6135.json");
  dyno_window_open_files (window, G_LIST_MODEL (files));
  window_fixture_wait_shown (window, "Imported 1 run");
  page_fixture_wait (shows_run, get_results_page (window));
  g_assert_nonnull (find_button (GTK_WIDGET (window), "Show"));

  append_fixture (files, "b1275.csv");
  dyno_window_open_files (window, G_LIST_MODEL (files));
  window_fixture_wait_shown (window, "Imported 1 of 2 runs; the others are there already");
  g_assert_cmpuint (count_runs (NULL), ==, 2);
  window_fixture_close (window);

  window = open_on_results (WIDE);
  dyno_window_open_files (window, G_LIST_MODEL (files));
  window_fixture_wait_shown (window, "All 2 runs are there already");
  g_assert_cmpuint (count_runs (NULL), ==, 2);
  window_fixture_close (window);
}

/* A window of its own with libadwaita of before 1.5, later a dialog within the window. */
static gboolean
is_message (GtkWidget *widget, gconstpointer unused)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (widget), "default-response") != NULL;
}

static gboolean
has_message (gpointer data)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GtkWidget **message = data;

  for (guint i = 0; i < g_list_model_get_n_items (windows) && *message == NULL; i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      *message = page_fixture_find_where (window, is_message, NULL); /* its window keeps it */
    }
  return *message != NULL;
}

/* A file that breaks off is reported with its line, and does not keep back the others. */
static void
test_import_failure (void)
{
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  DynoWindow *window = open_on_results (WIDE);
  GtkWidget *message = NULL;
  g_autofree char *heading = NULL;
  g_autofree char *body = NULL;

  append_text (files, "broken.jsonl",
               "{\"build_commit\": \"1\", \"build_number\": 1, \"model_filename\": \"m\", \"n_prompt\": 1,\n"
               " \"n_gen\": 1, \"avg_ns\": 1, \"avg_ts\": 1, oops\n");
  append_fixture (files, "b1275.csv");
  dyno_window_open_files (window, G_LIST_MODEL (files));
  window_fixture_wait_shown (window, "Imported 1 run");
  page_fixture_wait (has_message, &message);
  g_object_get (message, "heading", &heading, "body", &body, NULL);
  g_assert_cmpstr (heading, ==, "1 File Not Imported");
  g_assert_nonnull (strstr (body, "broken.jsonl"));
  g_assert_nonnull (strstr (body, "Line 3"));
  g_test_message ("%s", body);
  if (GTK_IS_WINDOW (message))
    gtk_window_destroy (GTK_WINDOW (message));
  g_assert_cmpuint (count_runs (NULL), ==, 1);
  window_fixture_close (window);
}

/* What is in a folder without results is no failure. */
static void
test_import_nothing (void)
{
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  g_autofree char *path = g_build_filename (folder, "empty", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  DynoWindow *window = open_on_results (WIDE);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_list_store_append (files, file);
  append_text (files, "empty/notes.txt", "Nothing that was measured.");
  g_list_store_remove (files, 1);
  dyno_window_open_files (window, G_LIST_MODEL (files));
  window_fixture_wait_shown (window, "No results of other tools were found");
  window_fixture_close (window);
}

static gboolean
compares_two (gpointer page)
{
  return dyno_compare_page_get_n_runs (page) == 2;
}

static void
test_compare (void)
{
  g_autoptr (DynoRun) before = add_run ("Before", 1, 1);
  g_autoptr (DynoRun) after = add_run ("After", 2, 0.5);
  DynoWindow *window = window_fixture_open (WIDE);
  GtkWidget *page;

  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (before));
  page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);
  window_fixture_wait_shown (window, "Add Another Run");
  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (after));
  page_fixture_wait (compares_two, page);
  window_fixture_wait_shown (window, "After looks 2.0 times faster than Before, but that is not certain.");
  window_fixture_wait_shown (window, "no difference shown");
  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (after));
  window_fixture_wait_shown (window, "This run is already in the comparison");
  g_assert_cmpuint (dyno_compare_page_get_n_runs (DYNO_COMPARE_PAGE (page)), ==, 2);
  window_fixture_close (window);
}

typedef struct
{
  GListModel *runs;
  guint n;
} Choice;

static gboolean
has_choice (gpointer data)
{
  Choice *choice = data;

  return g_list_model_get_n_items (choice->runs) == choice->n;
}

/* A run that was picked cannot be picked again, and the list stays open for the next one. */
static void
test_compare_picker (void)
{
  g_autoptr (DynoRun) one = add_run ("One", 1, 1);
  g_autoptr (DynoRun) other = add_run ("Other", 2, 1);
  DynoWindow *window = window_fixture_open (WIDE);
  GtkWidget *page, *list;
  DynoRunPicker *picker;
  Choice choice = { NULL, 2 };

  dyno_window_show_page (window, "compare");
  page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);
  picker = DYNO_RUN_PICKER (page_fixture_find_named (page, "first_picker"));
  choice.runs = dyno_run_catalog_get_model (dyno_run_picker_get_catalog (picker));
  g_assert_cmpuint (g_list_model_get_n_items (choice.runs), ==, 0); /* none is listed before it is needed */
  gtk_popover_popup (GTK_POPOVER (picker));
  page_fixture_wait (has_choice, &choice);
  list = page_fixture_find_named (GTK_WIDGET (picker), "list_view");
  g_signal_emit_by_name (list, "activate", 0);
  choice.n = 1;
  page_fixture_wait (has_choice, &choice);
  g_signal_emit_by_name (list, "activate", 0);
  page_fixture_wait (compares_two, page);
  choice.n = 0;
  page_fixture_wait (has_choice, &choice);

  g_signal_emit_by_name (page_fixture_find (page_fixture_find_named (page, "runs_list"), GTK_TYPE_BUTTON),
                         "clicked");
  choice.n = 1;
  page_fixture_wait (has_choice, &choice);
  window_fixture_close (window);
}

static DynoWindow *
compare_two (DynoRun *one, DynoRun *other)
{
  DynoWindow *window = window_fixture_open (WIDE);

  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (one));
  window_fixture_wait_shown (window, "Add Another Run");
  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (other));
  page_fixture_wait (compares_two, page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE));
  return window;
}

static GtkListBoxRow *
get_compared (DynoWindow *window, int position)
{
  GtkWidget *page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);

  return gtk_list_box_get_row_at_index (GTK_LIST_BOX (page_fixture_find_named (page, "runs_list")), position);
}

static void
choose_baseline (DynoWindow *window, int position)
{
  GtkWidget *check = page_fixture_find (GTK_WIDGET (get_compared (window, position)), GTK_TYPE_CHECK_BUTTON);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
}

static void
assert_sides (DynoWindow *window, const char *before, const char *after)
{
  GtkWidget *page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);

  g_assert_true (window_fixture_shows (page_fixture_find_named (page, "before_button"), before));
  g_assert_true (window_fixture_shows (page_fixture_find_named (page, "after_button"), after));
}

static void
test_compare_baseline (void)
{
  g_autoptr (DynoRun) before = add_run ("Before", 1, 1);
  g_autoptr (DynoRun) after = add_run ("After", 2, 0.5);
  DynoWindow *window = compare_two (before, after);

  window_fixture_wait_shown (window, "After looks 2.0 times faster than Before, but that is not certain.");
  choose_baseline (window, 1);
  window_fixture_wait_shown (window, "Before looks 2.0 times slower than After, but that is not certain.");
  assert_sides (window, "After", "Before");
  window_fixture_close (window);
}

static void
remove_compared (DynoWindow *window, int position)
{
  GtkWidget *button = page_fixture_find (GTK_WIDGET (get_compared (window, position)), GTK_TYPE_BUTTON);

  g_signal_emit_by_name (button, "clicked");
}

/* The oldest of the runs is the baseline, also when it comes back; alone it has nothing to be one for. */
static void
test_compare_remove (void)
{
  g_autoptr (DynoRun) before = add_run ("Before", 1, 1);
  g_autoptr (DynoRun) after = add_run ("After", 2, 0.5);
  DynoWindow *window = compare_two (before, after);

  window_fixture_wait_shown (window, "After looks 2.0 times faster than Before, but that is not certain.");
  remove_compared (window, 0);
  window_fixture_wait_shown (window, "Add Another Run");
  assert_sides (window, "After", "Choose a Run…");
  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (before));
  window_fixture_wait_shown (window, "After looks 2.0 times faster than Before, but that is not certain.");
  assert_sides (window, "Before", "After");
  remove_compared (window, 1);
  remove_compared (window, 0);
  window_fixture_wait_shown (window, "Nothing to Compare Yet");
  window_fixture_close (window);
}

static void
test_compare_titles (void)
{
  g_autoptr (DynoRun) one = add_run ("Again", 1, 1);
  g_autoptr (DynoRun) other = add_run ("Again", 2, 1);
  DynoWindow *window = compare_two (one, other);

  window_fixture_wait_shown (window, "Run of 00:00:02");
  assert_sides (window, "Run of 00:00:01", "Run of 00:00:02");
  g_assert_cmpuint (count_runs ("Run of"), ==, 0);
  window_fixture_close (window);
}

static DynoRun *
add_run_with_intensity (const char *title, const char *machine)
{
  DynoRun *run = run_fixture_make (title, 1, 1);

  g_object_set (run, "machine", machine, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (dyno_run_get_results (run)); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), i);

      dyno_result_add_measured (result, "arithmetic_intensity_flops_per_byte", 4, "FLOP/B", "made up");
      dyno_result_add_measured (result, "flops", 1e7, "FLOP", "made up");
    }
  run_fixture_keep (window_fixture_get_store (), run);
  return run;
}

static char *
dup_this_machine (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (&error);
  g_autoptr (JsonNode) node = NULL;

  g_assert_no_error (error);
  node = dyno_machine_to_json (machine);
  return dyno_json_text_write (node, FALSE);
}

static DynoCeiling *
create_ceiling (const char *id, guint n_threads)
{
  gboolean compute = g_str_has_prefix (id, "fp32");

  return g_object_new (
      DYNO_TYPE_CEILING, "id", id, "kind", compute ? DYNO_CEILING_COMPUTE : DYNO_CEILING_BANDWIDTH, "device",
      "cpu", "threads", n_threads, "precision", compute ? "fp32" : NULL, "level", compute ? NULL : "DRAM",
      "mix", compute ? NULL : "read", "instruction-set", "AVX2", "value", 1e10, "best", 1e10, "unit",
      compute ? "FLOP/s" : "B/s", "measured-at", G_GINT64_CONSTANT (1700000000000000), NULL);
}

static void
save_ceilings (const char *machine)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "cpu");
  guint n_threads = dyno_roofline_count_threads (kase, machine);
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (ceilings, create_ceiling ("fp32-avx2", n_threads));
  g_ptr_array_add (ceilings, create_ceiling ("dram-read", n_threads));
  dyno_store_save_ceilings (window_fixture_get_store (), machine, ceilings, &error);
  g_assert_no_error (error);
}

typedef struct
{
  DynoChartGroups *groups;
  const char *word;
} Finding;

static gboolean
finds (gpointer data)
{
  Finding *finding = data;
  DynoChartView *view = dyno_chart_groups_show (finding->groups, DYNO_CHART_ROOFLINE);

  return strstr (dyno_chart_get_finding (dyno_chart_view_get_chart (view)), finding->word) != NULL;
}

/* Each run is drawn with the roofs of its own machine; one without roofs is also drawn. */
static void
test_compare_roofs (void)
{
  g_autofree char *here = dup_this_machine ();
  g_autoptr (DynoRun) one = add_run_with_intensity ("Here", here);
  g_autoptr (DynoRun) other = add_run_with_intensity ("There", "{\"cpu\":{\"name\":\"Abacus\"}}");
  g_autoptr (DynoRun) third = add_run_with_intensity ("Far", "{\"cpu\":{\"name\":\"Zuse\"}}");
  DynoWindow *window;
  GtkWidget *page;
  DynoChartGroups *groups;
  DynoChart *chart;

  save_ceilings (here);
  window = compare_two (one, other);
  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (third));
  window_fixture_wait_shown (window, "2 others");
  page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE);
  groups = DYNO_CHART_GROUPS (page_fixture_find (page, DYNO_TYPE_CHART_GROUPS));
  page_fixture_wait (finds, &(Finding){ groups, "50 %" });
  chart = dyno_chart_view_get_chart (dyno_chart_groups_show (groups, DYNO_CHART_ROOFLINE));
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 3);
  g_assert_nonnull (strstr (dyno_chart_get_series_name (chart, 0), "Here"));
  g_assert_nonnull (strstr (dyno_chart_get_series_name (chart, 1), "There"));
  window_fixture_close (window);
}

static gboolean
is_narrow (gpointer bin)
{
  return dyno_narrow_bin_get_narrow (bin);
}

static int
get_minimum_width (GtkWidget *widget)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

static DynoWindow *
compare_three (void)
{
  g_autoptr (DynoRun) one = add_run ("One", 1, 1);
  g_autoptr (DynoRun) other = add_run ("Other", 2, 1);
  g_autoptr (DynoRun) third = add_run ("Third", 3, 1);
  DynoWindow *window = compare_two (one, other);

  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (third));
  window_fixture_wait_shown (window, "Third");
  return window;
}

static GtkWidget *
get_compared_row (DynoWindow *window, int position)
{
  GtkWidget *list =
      page_fixture_find_named (page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE), "runs_list");

  return GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), position));
}

static gboolean
has_focus_within (gpointer widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/* A button activated by the keyboard has the focus when it disappears. */
static void
remove_compared_run (DynoWindow *window, int position)
{
  GtkWidget *button = page_fixture_find (get_compared_row (window, position), GTK_TYPE_BUTTON);

  g_assert_true (gtk_widget_grab_focus (button));
  g_signal_emit_by_name (button, "clicked");
}

static void
test_compare_focus (void)
{
  DynoWindow *window = compare_three ();
  GtkWidget *check, *picker;

  check = page_fixture_find (get_compared_row (window, 1), GTK_TYPE_CHECK_BUTTON);
  g_assert_true (gtk_widget_grab_focus (check));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == check);
  remove_compared_run (window, 1);
  g_assert_true (has_focus_within (page_fixture_find_named (GTK_WIDGET (window), "choices")));
  remove_compared (window, 1);
  remove_compared (window, 0);
  window_fixture_wait_shown (window, "Nothing to Compare Yet");
  picker = page_fixture_find_named (GTK_WIDGET (window), "first_picker");
  g_assert_true (has_focus_within (gtk_widget_get_parent (picker)));
  window_fixture_close (window);
}

/* The stack of a page that is loading shows a placeholder, and removes it when the next child is there. */
static gboolean
has_content (gpointer page)
{
  GtkStack *stack = GTK_STACK (page_fixture_find (page, GTK_TYPE_STACK));

  return stack == NULL || (g_strcmp0 (gtk_stack_get_visible_child_name (stack), "loading") != 0 &&
                           !gtk_stack_get_transition_running (stack));
}

/* The shortcuts of pages move the focus into them, even while the Hardware page is loading. */
static void
test_page_keys (void)
{
  static const char *const pages[] = { "hardware", "benchmark", "results", "compare" };
  DynoWindow *window = window_fixture_open (WIDE);
  AdwViewStack *stack = ADW_VIEW_STACK (page_fixture_find (GTK_WIDGET (window), ADW_TYPE_VIEW_STACK));

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      GtkWidget *page = adw_view_stack_get_child_by_name (stack, pages[i]);

      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", pages[i]);
      g_assert_true (adw_view_stack_get_visible_child (stack) == page);
      g_test_message ("page “%s”", pages[i]);
      page_fixture_wait (has_content, page);
      page_fixture_wait (has_focus_within, page);
    }
  window_fixture_close (window);
}

static gboolean
has_all_pages (gpointer window)
{
  const GType types[] = { DYNO_TYPE_BENCHMARK_PAGE, DYNO_TYPE_RESULTS_PAGE, DYNO_TYPE_COMPARE_PAGE,
                          DYNO_TYPE_HARDWARE_PAGE };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (page_fixture_find (window, types[i]) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
turns_unseen (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_SPINNER (widget) && gtk_spinner_get_spinning (GTK_SPINNER (widget)) &&
         !gtk_widget_get_mapped (widget);
}

static gboolean
has_unseen_rows (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_LIST_VIEW (widget) && gtk_widget_get_first_child (widget) != NULL &&
         !gtk_widget_get_mapped (widget);
}

static gboolean
has_runs (gpointer list_view)
{
  return gtk_widget_get_first_child (list_view) != NULL;
}

/* Pages that are not shown draw no frames and make no rows. */
static void
test_unseen_pages (void)
{
  g_autoptr (DynoRun) run = add_run ("One", 1, 1);
  DynoWindow *window = window_fixture_open (WIDE);

  page_fixture_wait (has_all_pages, window);
  g_assert_null (page_fixture_find_where (GTK_WIDGET (window), turns_unseen, NULL));
  dyno_window_show_page (window, "results");
  page_fixture_wait (has_runs, page_fixture_find_named (GTK_WIDGET (get_results_page (window)), "list_view"));
  g_assert_null (page_fixture_find_where (GTK_WIDGET (window), turns_unseen, NULL));
  g_assert_null (page_fixture_find_where (page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE),
                                          has_unseen_rows, NULL));
  window_fixture_close (window);
}

/* On the smallest screen no page may be too wide. */
static void
test_narrow (void)
{
  static const char *const pages[] = { "benchmark", "results", "compare", "hardware" };
  g_autoptr (DynoRun) one = add_run ("A run with a long title that needs more than one line", 1, 1);
  g_autoptr (DynoRun) other = add_run ("Another run with a title that is long as well", 2, 1);
  DynoWindow *window = window_fixture_open (NARROW);
  GtkWidget *bin = page_fixture_find_named (GTK_WIDGET (window), "narrow_bin");

  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (one));
  dyno_window_compare_run (window, window_fixture_get_store (), dyno_run_get_id (other));
  page_fixture_wait (compares_two, page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_COMPARE_PAGE));
  dyno_window_show_run (window, dyno_run_get_id (one));
  page_fixture_wait (shows_run, get_results_page (window));
  page_fixture_wait (is_narrow, bin);
  page_fixture_wait (is_narrow,
                     page_fixture_find_named (GTK_WIDGET (get_results_page (window)), "narrow_bin"));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      dyno_window_show_page (window, pages[i]);
      window_fixture_wait_frames (GTK_WIDGET (window));
      g_assert_cmpint (get_minimum_width (dyno_narrow_bin_get_child (DYNO_NARROW_BIN (bin))), <=, NARROW);
      g_assert_cmpint (get_minimum_width (get_run_view (window)), <=, NARROW);
    }
  window_fixture_close (window);
}

/* A button with only an icon. */
static gboolean
lacks_name (GtkWidget *widget)
{
  return (GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget)) &&
         page_fixture_find (widget, GTK_TYPE_IMAGE) != NULL &&
         page_fixture_find (widget, GTK_TYPE_LABEL) == NULL &&
         !gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static void
assert_names (GtkWidget *widget)
{
  if (!gtk_widget_get_mapped (widget) || GTK_IS_WINDOW_CONTROLS (widget) || GTK_IS_SPIN_BUTTON (widget))
    return;
  if (lacks_name (widget) && !GTK_IS_MENU_BUTTON (gtk_widget_get_parent (widget)))
    g_error ("A %s (%s) has no name for who cannot see it", G_OBJECT_TYPE_NAME (widget),
             gtk_widget_get_tooltip_text (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_names (child);
}

static void
test_names (void)
{
  static const char *const pages[] = { "benchmark", "results", "compare", "hardware" };
  g_autoptr (DynoRun) one = add_run ("One", 1, 1);
  g_autoptr (DynoRun) other = add_run ("Other", 2, 1);
  DynoWindow *window = compare_two (one, other);

  dyno_window_show_run (window, dyno_run_get_id (one));
  page_fixture_wait (shows_run, get_results_page (window));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      dyno_window_show_page (window, pages[i]);
      window_fixture_wait_frames (GTK_WIDGET (window));
      assert_names (GTK_WIDGET (window));
    }
  window_fixture_close (window);
}

static void
test_narrow_back (void)
{
  g_autoptr (DynoRun) run = add_run ("Only one", 1, 1);
  DynoWindow *window = open_on_results (NARROW);
  GtkWidget *list = page_fixture_find_named (GTK_WIDGET (get_results_page (window)), "list_view");

  dyno_window_show_run (window, dyno_run_get_id (run));
  page_fixture_wait (shows_run, get_results_page (window));
  window_fixture_wait_frames (GTK_WIDGET (window));
  g_assert_true (gtk_widget_get_mapped (get_run_view (window)));
  g_assert_false (gtk_widget_get_mapped (list));
  g_assert_true (gtk_widget_activate_action (get_run_view (window), "results.back", NULL));
  window_fixture_wait_frames (GTK_WIDGET (window));
  g_assert_false (gtk_widget_get_mapped (get_run_view (window)));
  g_assert_true (gtk_widget_get_mapped (list));
  g_signal_emit_by_name (list, "activate", 0);
  window_fixture_wait_frames (GTK_WIDGET (window));
  g_assert_true (gtk_widget_get_mapped (get_run_view (window)));
  window_fixture_close (window);
}

static gboolean
lists_two (gpointer list)
{
  return g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (list))) == 2;
}

/* The arrow keys continue from the row that was left, wherever the run was opened from. */
static void
test_narrow_focus (void)
{
  g_autoptr (DynoRun) old = add_run ("The old one", 1, 1);
  g_autoptr (DynoRun) new = add_run ("The new one", 2, 1);
  DynoWindow *window = open_on_results (NARROW);
  GtkWidget *list = page_fixture_find_named (GTK_WIDGET (get_results_page (window)), "list_view");
  GtkWidget *focus;

  page_fixture_wait (lists_two, list);
  dyno_window_show_run (window, dyno_run_get_id (old));
  page_fixture_wait (shows_wanted, &(Wanted){ get_results_page (window), old });
  window_fixture_wait_frames (GTK_WIDGET (window));
  g_assert_true (gtk_widget_activate_action (get_run_view (window), "results.back", NULL));
  window_fixture_wait_frames (GTK_WIDGET (window));
  focus = gtk_root_get_focus (GTK_ROOT (window));
  g_assert_true (gtk_widget_get_parent (focus) == list);
  g_assert_true (window_fixture_shows (focus, "The old one"));
  window_fixture_close (window);
}

static void
test_two_windows (void)
{
  g_autoptr (DynoRun) run = add_run ("Seen twice", 1, 1);
  DynoWindow *one = open_on_results (WIDE);
  DynoWindow *other = open_on_results (WIDE);

  window_fixture_wait_shown (one, "Seen twice");
  window_fixture_wait_shown (other, "Seen twice");
  page_fixture_wait (shows_run, get_results_page (one));
  g_assert_true (gtk_widget_activate_action (get_run_view (one), "results.delete", NULL));
  window_fixture_close (one);
  window_fixture_wait_shown (other, "No Runs Yet");
  window_fixture_close (other);
}

/* Each page in the list is in the window, under its name, with an icon that exists, and its key goes to it. */
static void
test_pages (void)
{
  GtkApplication *application = GTK_APPLICATION (window_fixture_get_application ());
  GtkIconTheme *icons = gtk_icon_theme_get_for_display (gdk_display_get_default ());
  DynoWindow *window = window_fixture_open (WIDE);

  for (guint i = 0; i < G_N_ELEMENTS (dyno_pages); i++)
    {
      const DynoPageInfo *info = dyno_pages[i];
      g_autofree char *action = g_strconcat ("win.show-page::", info->name, NULL);
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, action);
      GtkWidget *page;

      g_assert_true (gtk_icon_theme_has_icon (icons, info->icon_name));
      g_assert_cmpstr (accels[0], ==, info->accel);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", info->name);
      page = page_fixture_find (GTK_WIDGET (window), info->get_type ());
      g_assert_true (DYNO_IS_PAGE (page));
      g_assert_true (dyno_page_get_session (DYNO_PAGE (page)) == window_fixture_get_session ());
      window_fixture_wait_frames (page);
      g_assert_true (gtk_widget_get_mapped (page));
      g_assert_cmpint (window_fixture_can (GTK_WIDGET (window), "win.search"), ==,
                       dyno_page_can_search (DYNO_PAGE (page)));
    }
  window_fixture_close (window);
}

static void
test_state (void)
{
  GSettings *settings = dyno_app_session_get_settings (window_fixture_get_session ());
  DynoWindow *window = window_fixture_open (WIDE);
  g_autofree char *page = NULL;

  dyno_window_show_page (window, "hardware");
  gtk_window_close (GTK_WINDOW (window));
  page = g_settings_get_string (settings, "last-page");
  window = window_fixture_open (WIDE);
  g_assert_cmpstr (page, ==, "hardware");
  dyno_window_show_page (window, "no-such-page");
  window_fixture_close (window);
  g_settings_reset (settings, "last-page");
}

static void
set_up (gpointer fixture, gconstpointer data)
{
  window_fixture_get_application ();
}

static void
run_test (gpointer fixture, gconstpointer func)
{
  ((GTestFunc)func) ();
}

static void
tear_down (gpointer fixture, gconstpointer data)
{
  window_fixture_clear_store ();
}

static void
add_test (const char *path, GTestFunc func)
{
  g_test_add_vtable (path, 0, func, set_up, run_test, tear_down);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  folder = window_fixture_init ();

  add_test ("/window/empty", test_empty);
  add_test ("/window/run", test_run);
  add_test ("/window/first-screen", test_first_screen);
  add_test ("/window/case-page", test_case_page);
  add_test ("/window/show-run", test_show_run);
  add_test ("/window/rename", test_rename);
  add_test ("/window/notes", test_notes);
  add_test ("/window/delete/undone", test_delete_undone);
  add_test ("/window/deleted-runs", test_deleted_runs);
  add_test ("/window/search", test_search);
  add_test ("/window/document", test_document);
  add_test ("/window/compare", test_compare);
  add_test ("/window/compare/baseline", test_compare_baseline);
  add_test ("/window/narrow", test_narrow);
  add_test ("/window/names", test_names);
  add_test ("/window/page-keys", test_page_keys);
  add_test ("/window/pages", test_pages);
  add_test ("/window/state", test_state);
  if (suite_is_thorough ())
    {
      add_test ("/window/measure-more", test_measure_more);
      add_test ("/window/wheel", test_wheel);
      add_test ("/window/run-ends", test_run_ends);
      add_test ("/window/rename/keys", test_rename_keys);
      add_test ("/window/import", test_import);
      add_test ("/window/compare-picker", test_compare_picker);
      add_test ("/window/two-windows", test_two_windows);
      add_test ("/window/run-arrives", test_run_arrives);
      add_test ("/window/tile", test_tile);
      add_test ("/window/run-from-elsewhere", test_run_from_elsewhere);
      add_test ("/window/wheel-over-numbers", test_wheel_over_numbers);
      add_test ("/window/show-far-run", test_show_far_run);
      add_test ("/window/show-no-run", test_show_no_run);
      add_test ("/window/rename/cancelled", test_rename_cancelled);
      add_test ("/window/delete/done", test_delete_done);
      add_test ("/window/document/bad", test_bad_document);
      add_test ("/window/document/missing", test_missing_document);
      add_test ("/window/import/failure", test_import_failure);
      add_test ("/window/import/nothing", test_import_nothing);
      add_test ("/window/compare/remove", test_compare_remove);
      add_test ("/window/compare/focus", test_compare_focus);
      add_test ("/window/compare/titles", test_compare_titles);
      add_test ("/window/compare/roofs", test_compare_roofs);
      add_test ("/window/narrow/back", test_narrow_back);
      add_test ("/window/narrow/focus", test_narrow_focus);
      add_test ("/window/unseen-pages", test_unseen_pages);
    }
  return window_fixture_run ();
}

SUITE (run_suite)
