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
#include "dyno-run-summary.h"
#include "page-fixture.h"

/* Draws the pages of the real window into a folder, and frames of a journey through them. They show measurements of this
 * machine: if the store holds fewer than two runs, the ceilings are measured and the bundled suite is run first, while
 * no other program disturbs it. */

/* Around a window that has a shadow: nearly all of it. */
#define SHADOW 30

/* With the shadow 1000 × 700, the most that app stores take. */
#define WIDE_WIDTH    940
#define WIDE_HEIGHT   640
#define RUNS_COMPARED 2

#define CASE_SECONDS  5.0
#define QUIET_SECONDS 3600.0
#define MOST_ATTEMPTS 3
#define FRAME_SECONDS 6

static const char *folder;
static const char *wanted = "";
static guint n_drawn;

/* A page, a section of it, the scroll position, and the chart or drawing that must be in the picture. */
static const struct
{
  const char *page;
  const char *name;
  const char *section;
  double scroll;
  GType (*get_drawing) (void);
  gboolean in_journey;
} shots[] = {
  { "benchmark", "benchmark", NULL, 0, dyno_plan_strip_get_type, FALSE },
  { "results", "results", NULL, 0, dyno_chart_view_get_type, TRUE },
  { "results", "limits", "roofline", 0, dyno_chart_view_get_type, TRUE },
  { "results", "case", "latency-time", 0, dyno_chart_view_get_type, TRUE },
  { "results", "operators", "operators", 0, dyno_chart_view_get_type, TRUE },
  { "compare", "compare", NULL, 0, dyno_difference_list_get_type, TRUE },
  { "compare", "side-by-side", NULL, 0.15, dyno_chart_view_get_type, TRUE },
  { "hardware", "hardware", "ceilings", 0, dyno_chart_view_get_type, FALSE },
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

/* Frames are drawn at steady intervals, and more rarely than a wait may last. */
typedef struct
{
  DynoApplication *application;
  gint64 time;
} Frame;

static gboolean
is_due (gpointer data)
{
  Frame *frame = data;

  return is_idle (frame->application) || g_get_monotonic_time () >= frame->time;
}

static gboolean
shows_run (gpointer results_page)
{
  return dyno_results_page_get_run (results_page) != NULL;
}

static gboolean
compares_runs (gpointer compare_page)
{
  return dyno_compare_page_get_n_runs (compare_page) == RUNS_COMPARED;
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

static void
draw_frame (GtkWindow *window)
{
  g_autofree char *name = g_strdup_printf ("journey-%02u", n_drawn++);

  settle (window);
  draw (window, name);
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

typedef struct
{
  GtkWidget *window;
  GType type;
} PageDrawing;

static gboolean
shows_drawing (gpointer data)
{
  PageDrawing *drawing = data;

  return find_mapped (drawing->window, drawing->type) != NULL;
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
draw_pages (GtkWindow *window, const char *suffix, gboolean in_journey)
{
  for (guint i = 0; i < G_N_ELEMENTS (shots); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%s", shots[i].name, suffix);
      PageDrawing drawing = { GTK_WIDGET (window), shots[i].get_drawing () };

      if (!g_str_has_prefix (shots[i].name, wanted))
        continue;
      dyno_window_show_page (DYNO_WINDOW (window), shots[i].page);
      settle (window);
      show_section (window, shots[i].section);
      settle (window);
      page_fixture_wait (shows_drawing, &drawing);
      scroll (window, shots[i].scroll);
      settle (window);
      draw (window, name);
      if (in_journey && shots[i].in_journey)
        draw_frame (window);
    }
}

static DynoWindow *
open_window (DynoApplication *application)
{
  DynoWindow *window = dyno_window_new (application);

  gtk_window_set_default_size (GTK_WINDOW (window), WIDE_WIDTH, WIDE_HEIGHT);
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
  const char *const ids[RUNS_COMPARED + 1] = { dyno_run_get_id (runs->pdata[1]),
                                               dyno_run_get_id (runs->pdata[0]) };

  page_fixture_wait (knows_hardware, hardware_page);
  dyno_window_show_run (window, dyno_run_get_id (g_ptr_array_index (runs, 0)));
  page_fixture_wait (shows_run, results_page);
  dyno_compare_page_set_runs (DYNO_COMPARE_PAGE (compare_page), store, ids);
  page_fixture_wait (compares_runs, compare_page);
  gtk_widget_activate_action (benchmark_page, "benchmark.load-suite", "s", "quick");
  page_fixture_wait (is_counted, page_fixture_find (benchmark_page, DYNO_TYPE_PLAN_FORM));
}

static void
draw_window (DynoApplication *application, GPtrArray *runs)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  DynoWindow *window = open_window (application);

  fill_window (application, window, runs);
  draw_pages (GTK_WINDOW (window), "light", n_drawn > 0);
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  draw_pages (GTK_WINDOW (window), "dark", FALSE);
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

/* Returns whether the last run may be shown, and deletes it otherwise. A virtual machine may never measure better than
 * roughly. */
static gboolean
keep_if_clean (DynoApplication *application, gboolean takes_rough)
{
  DynoStore *store = dyno_app_session_get_store (dyno_application_get_session (application));
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = list_runs (application);
  const char *id = dyno_run_get_id (runs->pdata[0]);
  g_autoptr (DynoRun) run = dyno_store_load_run (store, id, &error);
  g_autofree char *doubt = NULL;
  g_autofree char *rough = NULL;

  g_assert_no_error (error);
  doubt = dyno_run_summary_dup_doubt (run);
  rough = takes_rough ? NULL : dyno_run_summary_dup_rough (run);
  if (doubt == NULL && rough == NULL)
    return TRUE;
  g_printerr ("%s\n", doubt != NULL ? doubt : rough);
  dyno_store_delete_run (store, id, &error);
  g_assert_no_error (error);
  return FALSE;
}

/* Returns whether there is one more run to show. */
static gboolean
measure (DynoApplication *application, const char *title, gboolean in_journey, gboolean takes_rough)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_bundled ("quick", &error);
  DynoAppSession *session = dyno_application_get_session (application);
  DynoWindow *window = open_window (application);
  Frame frame = { application, 0 };

  g_assert_no_error (error);
  g_object_set (plan, "title", title, NULL);
  g_object_set (dyno_plan_get_method (plan), "min-seconds", CASE_SECONDS, "max-seconds", CASE_SECONDS,
                "wait-quiet", QUIET_SECONDS, NULL);
  dyno_window_show_page (window, "benchmark");
  settle (GTK_WINDOW (window));
  if (in_journey)
    draw_frame (GTK_WINDOW (window));
  dyno_app_session_start_run (session, plan, &error);
  g_assert_no_error (error);
  while (!is_idle (application))
    {
      frame.time = g_get_monotonic_time () + FRAME_SECONDS * G_USEC_PER_SEC;
      page_fixture_wait (is_due, &frame);
      if (in_journey && !is_idle (application))
        draw_frame (GTK_WINDOW (window));
    }
  gtk_window_destroy (GTK_WINDOW (window));
  return keep_if_clean (application, takes_rough);
}

int
main (int argc, char *argv[])
{
  static const char *const titles[] = { "Before the update", "After the update" };
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
  if (runs->len < RUNS_COMPARED)
    measure_ceilings (application);
  for (guint i = runs->len; i < RUNS_COMPARED; i++)
    {
      guint attempt = 1;

      while (!measure (application, titles[i], i == 0 && attempt == 1, attempt == MOST_ATTEMPTS))
        if (attempt++ == MOST_ATTEMPTS)
          {
            g_printerr ("This machine is too busy for pictures. Close other programs.\n");
            return 1;
          }
    }
  g_ptr_array_unref (runs);
  runs = list_runs (application);

  draw_window (application, runs);
  return 0;
}
