/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-benchmark-private.h"
#include "dyno-app-charts-private.h"
#include "dyno-app-compare-private.h"
#include "dyno-app-hardware-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "page-fixture.h"

/* Draws the pages of the real window into a folder. They show measurements of this machine: if the store holds fewer
 * than two runs, the ceilings are measured and the bundled suite is run first. */

/* Around a window that has a shadow: nearly all of it. */
#define SHADOW 30

/* With the shadow 1000 × 700, the most that app stores take. */
#define WIDE_WIDTH        940
#define WIDE_HEIGHT       640
#define PREFERENCES_WIDTH 640
#define NARROW_WIDTH      360
#define NARROW_HEIGHT     720
#define RUNS_NEEDED       2
#define RUNS_COMPARED     3

static const char *folder;
static const char *wanted = "";

/* A page, a section of it, and the scroll position. */
static const struct
{
  const char *page;
  const char *name;
  const char *section;
  double scroll;
  gboolean narrow;
} shots[] = {
  { "benchmark", "benchmark", NULL, 0, TRUE },
  { "benchmark", "sweep", NULL, 0.75, TRUE },
  { "results", "results", NULL, 0, TRUE },
  { "results", "limits", "roofline", 0, TRUE },
  { "results", "case", "latency-time", 0.7, FALSE },
  { "results", "operators", "roofline-operators", 0.7, FALSE },
  { "results", "energy", "power-timeline", 1, FALSE },
  { "compare", "compare", "comparison", 0, TRUE },
  { "compare", "compare-limits", "roofline", 0.4, TRUE },
  { "compare", "compare-energy", "energy-latency", 0.4, FALSE },
  { "compare", "differences", NULL, 1, TRUE },
  { "hardware", "hardware", "machine", 0, FALSE },
  { "hardware", "backends", "backends", 0, TRUE },
  { "hardware", "ceilings", "ceilings", 0, TRUE },
  { "hardware", "sensors", "sensors", 0, TRUE },
};

/* Waiting */

static gboolean
has_painted (gpointer data)
{
  return *(int *)data >= 3;
}

static void
painted_cb (GdkFrameClock *clock, int *n_frames)
{
  *n_frames += 1;
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
}

static void
settle (GtkWindow *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  int n_frames = 0;
  gulong handler = g_signal_connect (clock, "after-paint", G_CALLBACK (painted_cb), &n_frames);

  gtk_widget_queue_draw (GTK_WIDGET (window));
  page_fixture_wait (has_painted, &n_frames);
  g_signal_handler_disconnect (clock, handler);
}

static gboolean
is_measured (gpointer model)
{
  return !dyno_ceilings_model_get_measuring (model);
}

static gboolean
is_counted (gpointer plan_form)
{
  return !dyno_plan_form_get_counting (plan_form);
}

static gboolean
is_idle (gpointer application)
{
  return dyno_app_session_get_runner (dyno_application_get_session (application)) == NULL;
}

static gboolean
is_half_done (gpointer application)
{
  DynoRunner *runner = dyno_app_session_get_runner (dyno_application_get_session (application));

  return runner == NULL ||
         (dyno_runner_get_progress (runner) > 0.4 && dyno_runner_get_live_latency (runner) != NULL &&
          dyno_trace_get_length (dyno_runner_get_live_latency (runner)) > 20);
}

static gboolean
shows_run (gpointer results_page)
{
  return dyno_results_page_get_run (results_page) != NULL;
}

typedef struct
{
  DynoComparePage *page;
  guint n_runs;
} Comparison;

static gboolean
compares_runs (gpointer data)
{
  Comparison *comparison = data;

  return dyno_compare_page_get_n_runs (comparison->page) == comparison->n_runs;
}

static gboolean
knows_hardware (gpointer hardware_page)
{
  return !dyno_hardware_page_get_loading (hardware_page);
}

/* Drawing */

static void
draw (GtkWindow *window, const char *name)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (window));
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *file_name = g_strconcat (name, ".png", NULL);
  g_autofree char *path = g_build_filename (folder, file_name, NULL);
  int width = gtk_widget_get_width (GTK_WIDGET (window));
  int height = gtk_widget_get_height (GTK_WIDGET (window));
  int margin = gdk_display_is_composited (gtk_widget_get_display (GTK_WIDGET (window))) ? SHADOW : 0;

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  texture = gsk_renderer_render_texture (
      gtk_native_get_renderer (GTK_NATIVE (window)), node,
      &GRAPHENE_RECT_INIT (-margin, -margin, width + 2 * margin, height + 2 * margin));
  if (!gdk_texture_save_to_png (texture, path))
    g_error ("“%s” could not be written", path);
}

/* The largest scrolled window of the visible page. */
static GtkWidget *
find_scrolled (GtkWidget *widget)
{
  GtkWidget *best = NULL;

  if (!gtk_widget_get_mapped (widget))
    return NULL;
  if (GTK_IS_SCROLLED_WINDOW (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_scrolled (child);
      if (found != NULL && (best == NULL || gtk_widget_get_width (found) > gtk_widget_get_width (best)))
        best = found;
    }
  return best;
}

static void
scroll (GtkWindow *window, double fraction)
{
  GtkWidget *scrolled = find_scrolled (GTK_WIDGET (window));
  GtkAdjustment *adjustment =
      scrolled != NULL ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)) : NULL;

  if (adjustment != NULL)
    gtk_adjustment_set_value (adjustment, fraction * (gtk_adjustment_get_upper (adjustment) -
                                                      gtk_adjustment_get_page_size (adjustment)));
}

static gboolean
is_mapped (GtkWidget *widget, gconstpointer type)
{
  return gtk_widget_get_mapped (widget) && G_TYPE_CHECK_INSTANCE_TYPE (widget, GPOINTER_TO_SIZE (type));
}

static GtkWidget *
find_mapped (GtkWidget *widget, GType type)
{
  return page_fixture_find_where (widget, is_mapped, GSIZE_TO_POINTER (type));
}

/* The charts of one case are on a page of their own. */
static void
show_case (GtkWidget *window, const char *section)
{
  GtkWidget *view = find_mapped (window, DYNO_TYPE_RUN_VIEW);
  GtkWidget *table = view != NULL ? page_fixture_find (view, DYNO_TYPE_CASE_TABLE) : NULL;
  DynoChartKind kind;

  if (table == NULL)
    return;
  gtk_widget_activate_action (view, "run.close-case", NULL);
  if (section != NULL && dyno_chart_kind_from_string (section, &kind) &&
      dyno_chart_kind_is_of_one_case (kind))
    {
      g_autoptr (DynoResult) result =
          g_list_model_get_item (dyno_case_table_get_rows (DYNO_CASE_TABLE (table)), 1);
      g_signal_emit_by_name (table, "activated", result);
    }
}

/* A section is one of the Hardware page, or a chart. */
static void
show_section (GtkWindow *window, const char *name)
{
  DynoChartKind kind;
  GtkWidget *parent = GTK_WIDGET (window);

  show_case (parent, name);
  if (name == NULL)
    return;
  if (!dyno_chart_kind_from_string (name, &kind))
    {
      gtk_stack_set_visible_child_name (GTK_STACK (page_fixture_find_named (parent, "section_stack")), name);
      return;
    }
  if (dyno_chart_kind_is_of_one_case (kind))
    parent = page_fixture_find (parent, DYNO_TYPE_CASE_VIEW);
  dyno_chart_groups_show (DYNO_CHART_GROUPS (find_mapped (parent, DYNO_TYPE_CHART_GROUPS)), kind);
}

static void
draw_pages (GtkWindow *window, const char *suffix)
{
  gboolean narrow = gtk_widget_get_width (GTK_WIDGET (window)) <= NARROW_WIDTH;

  for (guint i = 0; i < G_N_ELEMENTS (shots); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%s", shots[i].name, suffix);

      if ((narrow && !shots[i].narrow) || !g_str_has_prefix (shots[i].name, wanted))
        continue;
      dyno_window_show_page (DYNO_WINDOW (window), shots[i].page);
      settle (window);
      show_section (window, shots[i].section);
      settle (window);
      scroll (window, shots[i].scroll);
      settle (window);
      draw (window, name);
    }
}

static gboolean
knows_compatibility (gpointer window)
{
  return !dyno_compatibility_window_get_loading (window);
}

/* Separate windows. */

static void
draw_small_window (GtkWidget *window, int width, int height, const char *name, PageCondition is_ready)
{
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  if (is_ready != NULL)
    page_fixture_wait (is_ready, window);
  settle (GTK_WINDOW (window));
  draw (GTK_WINDOW (window), name);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
draw_small_windows (DynoApplication *application, int width, int height, const char *suffix)
{
  g_autofree char *compatibility = g_strconcat ("compatibility-", suffix, NULL);
  g_autofree char *preferences = g_strconcat ("preferences-", suffix, NULL);
  GSettings *settings = dyno_app_session_get_settings (dyno_application_get_session (application));

  if (g_str_has_prefix (compatibility, wanted))
    draw_small_window (dyno_compatibility_window_new (dyno_application_get_session (application)), width,
                       height, compatibility, knows_compatibility);
  if (g_str_has_prefix (preferences, wanted))
    draw_small_window (dyno_preferences_new (settings), MIN (width, PREFERENCES_WIDTH), height, preferences,
                       NULL);
}

static DynoWindow *
open_window (DynoApplication *application, int width, int height)
{
  DynoWindow *window = dyno_window_new (application);

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  settle (GTK_WINDOW (window));
  return window;
}

/* Pages are made when they are first shown. */
static GtkWidget *
show_page (DynoWindow *window, const char *name, GType type)
{
  dyno_window_show_page (window, name);
  settle (GTK_WINDOW (window));
  return page_fixture_find (GTK_WIDGET (window), type);
}

static void
fill_window (DynoApplication *application, DynoWindow *window, GPtrArray *runs)
{
  GtkWidget *benchmark_page = show_page (window, "benchmark", DYNO_TYPE_BENCHMARK_PAGE);
  GtkWidget *results_page = show_page (window, "results", DYNO_TYPE_RESULTS_PAGE);
  GtkWidget *compare_page = show_page (window, "compare", DYNO_TYPE_COMPARE_PAGE);
  GtkWidget *hardware_page = show_page (window, "hardware", DYNO_TYPE_HARDWARE_PAGE);
  DynoStore *store = dyno_app_session_get_store (dyno_application_get_session (application));

  page_fixture_wait (knows_hardware, hardware_page);
  dyno_window_show_run (window, dyno_run_get_id (g_ptr_array_index (runs, 0)));
  page_fixture_wait (shows_run, results_page);
  for (guint i = runs->len; i > 0; i--)
    {
      Comparison comparison = { DYNO_COMPARE_PAGE (compare_page), runs->len - i + 1 };

      dyno_window_compare_run (window, store, dyno_run_get_id (g_ptr_array_index (runs, i - 1)));
      page_fixture_wait (compares_runs, &comparison);
    }
  gtk_widget_activate_action (benchmark_page, "benchmark.load-suite", "s", "quick");
  page_fixture_wait (is_counted, page_fixture_find (benchmark_page, DYNO_TYPE_PLAN_FORM));
}

static void
draw_window (DynoApplication *application, GPtrArray *runs, int width, int height, const char *suffix)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  DynoWindow *window = open_window (application, width, height);
  g_autofree char *light = g_strconcat (suffix, "light", NULL);
  g_autofree char *dark = g_strconcat (suffix, "dark", NULL);

  fill_window (application, window, runs);
  draw_pages (GTK_WINDOW (window), light);
  draw_small_windows (application, width, height, light);
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  draw_pages (GTK_WINDOW (window), dark);
  draw_small_windows (application, width, height, dark);
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Measuring */

static void
measure_ceilings (DynoApplication *application)
{
  DynoCeilingsModel *model = dyno_app_session_get_ceilings (dyno_application_get_session (application));

  dyno_ceilings_model_measure (model, DYNO_CEILINGS_SECONDS);
  page_fixture_wait (is_measured, model);
}

static void
measure (DynoApplication *application, const char *title, gboolean first)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_bundled ("quick", &error);
  DynoWindow *window = open_window (application, WIDE_WIDTH, WIDE_HEIGHT);

  g_assert_no_error (error);
  g_object_set (plan, "title", title, NULL);
  dyno_app_session_start_run (dyno_application_get_session (application), plan, &error);
  g_assert_no_error (error);
  dyno_window_show_page (window, "benchmark");
  page_fixture_wait (is_half_done, application);
  settle (GTK_WINDOW (window));
  if (first)
    draw (GTK_WINDOW (window), "live-light");
  page_fixture_wait (is_idle, application);
  gtk_window_destroy (GTK_WINDOW (window));
}

static GPtrArray *
list_runs (DynoApplication *application)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *runs =
      dyno_store_list_runs (dyno_app_session_get_store (dyno_application_get_session (application)), NULL, 0,
                            RUNS_COMPARED, &error);

  g_assert_no_error (error);
  return runs;
}

int
main (int argc, char *argv[])
{
  g_autoptr (DynoApplication) application = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  g_setenv ("DYNO_NO_CEILINGS", "1", TRUE); /* they have their own picture */
  if (argc < 2 || argc > 3)
    {
      g_printerr ("Usage: %s FOLDER [PICTURE]\n", argv[0]);
      return 2;
    }
  folder = argv[1];
  wanted = argc > 2 ? argv[2] : "";
  application = page_fixture_start_application ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_LIGHT);

  runs = list_runs (application);
  if (runs->len < RUNS_NEEDED)
    measure_ceilings (application);
  for (guint i = runs->len; i < RUNS_NEEDED; i++)
    measure (application, i == 0 ? "Before the update" : "After the update", i == 0);
  g_ptr_array_unref (runs);
  runs = list_runs (application);

  draw_window (application, runs, WIDE_WIDTH, WIDE_HEIGHT, "");
  draw_window (application, runs, NARROW_WIDTH, NARROW_HEIGHT, "narrow-");
  return 0;
}
