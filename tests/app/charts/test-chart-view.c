/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "chart-fixture.h"
#include "dyno-app-charts-private.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-kind-list.h"
#include "dyno-compat.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

/* The least shares of the card that the plot has: if it is alone; in a narrow card, with a legend, or of several plots
 * together; below a line in which one chooses what it shows; with few rows. */
#define LEAST_SHARE        0.7
#define LEAST_SHARED_SHARE 0.69
#define LEAST_CHOICE_SHARE 0.63
#define LEAST_LOW_SHARE    0.57
/* A lower card is mostly words. */
#define LOW 350

typedef struct
{
  GtkWidget *window;
  DynoChart *chart;
  DynoChartView *view;
  GtkWidget *canvas;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRun) run = run_fixture_make ("A run", 1, 1);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();

  g_ptr_array_add (runs, run);
  self->chart = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  self->view = DYNO_CHART_VIEW (dyno_chart_view_new (self->chart));
  self->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (self->window), 480, 420);
  gtk_window_set_child (GTK_WINDOW (self->window), GTK_WIDGET (self->view));
  gtk_window_present (GTK_WINDOW (self->window));
  self->canvas = page_fixture_find (GTK_WIDGET (self->view), DYNO_TYPE_CHART_CANVAS);
  window_fixture_wait_frames (self->window);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_clear_object (&self->chart);
}

static void
test_accessible (Fixture *self, gconstpointer data)
{
  gtk_test_accessible_assert_role (self->canvas, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (self->canvas, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       dyno_chart_get_title (self->chart));
  gtk_test_accessible_assert_property (self->canvas, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       dyno_chart_get_finding (self->chart));
  g_assert_cmpuint (strlen (dyno_chart_get_finding (self->chart)), >, 0);
  g_assert_false (
      gtk_test_accessible_has_property (GTK_ACCESSIBLE (self->canvas), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT));
  g_assert_true (gtk_widget_get_focusable (self->canvas));
}

/* The point under the cursor is announced, or is the description, which a screen reader says when it changes. */
static void
assert_told (Fixture *self, const char *point)
{
  gtk_test_accessible_assert_property (self->canvas, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, point);
  gtk_test_accessible_assert_property (self->canvas, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       dyno_compat_can_announce () ? dyno_chart_get_finding (self->chart)
                                                                   : point);
}

static void
test_cursor (Fixture *self, gconstpointer data)
{
  g_autofree char *first = NULL;

  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_Home, 0));
  first = g_strdup (dyno_chart_get_cursor_text (self->chart));
  g_assert_nonnull (first);
  assert_told (self, first);

  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_Right, 0));
  g_assert_cmpstr (dyno_chart_get_cursor_text (self->chart), !=, first);
  assert_told (self, dyno_chart_get_cursor_text (self->chart));

  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_Escape, 0));
  g_assert_null (dyno_chart_get_cursor_text (self->chart));
  gtk_test_accessible_assert_property (self->canvas, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       dyno_chart_get_finding (self->chart));
}

static void
test_other_series (Fixture *self, gconstpointer data)
{
  g_autofree char *first = NULL;

  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_Home, 0));
  first = g_strdup (dyno_chart_get_cursor_text (self->chart));
  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_Down, 0));
  g_assert_cmpstr (dyno_chart_get_cursor_text (self->chart), !=, first);
  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_Up, 0));
  g_assert_cmpstr (dyno_chart_get_cursor_text (self->chart), ==, first);
}

static void
test_zoom (Fixture *self, gconstpointer data)
{
  g_assert_false (dyno_chart_is_zoomed (self->chart));
  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_plus, 0));
  g_assert_true (dyno_chart_is_zoomed (self->chart));
  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_0, 0));
  g_assert_false (dyno_chart_is_zoomed (self->chart));

  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_plus, 0));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->view), "chart.reset-zoom", NULL));
  g_assert_false (dyno_chart_is_zoomed (self->chart));
}

static void
test_table (Fixture *self, gconstpointer data)
{
  GtkWidget *column_view = page_fixture_find (GTK_WIDGET (self->view), GTK_TYPE_COLUMN_VIEW);
  GPtrArray *table = dyno_chart_get_table (self->chart);
  GListModel *rows;

  g_assert_false (gtk_widget_get_mapped (column_view));
  g_assert_true (window_fixture_press (GTK_WIDGET (self->view), GDK_KEY_t, GDK_CONTROL_MASK));
  g_assert_true (dyno_chart_view_get_show_table (self->view));
  window_fixture_wait_frames (self->window);
  g_assert_true (gtk_widget_get_mapped (column_view));
  rows = G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (column_view)));
  g_assert_cmpuint (g_list_model_get_n_items (rows), ==, table->len - 1);
  g_assert_cmpuint (table->len, >, 1);

  g_assert_true (window_fixture_press (GTK_WIDGET (self->view), GDK_KEY_t, GDK_CONTROL_MASK));
  window_fixture_wait_frames (self->window);
  g_assert_true (gtk_widget_get_mapped (self->canvas));
}

/* The key that shows the table must not throw the focus out of the chart. */
static void
test_table_focus (Fixture *self, gconstpointer data)
{
  GtkWidget *table = page_fixture_find (GTK_WIDGET (self->view), GTK_TYPE_COLUMN_VIEW);
  GtkWidget *focus;

  gtk_widget_grab_focus (self->canvas);
  g_assert_true (window_fixture_press (GTK_WIDGET (self->view), GDK_KEY_t, 0));
  window_fixture_wait_frames (self->window);
  focus = gtk_window_get_focus (GTK_WINDOW (self->window));
  g_assert_nonnull (focus);
  g_assert_true (gtk_widget_is_ancestor (focus, table));
  g_assert_true (window_fixture_press (GTK_WIDGET (self->view), GDK_KEY_t, 0));
  window_fixture_wait_frames (self->window);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (self->window)) == self->canvas);
}

static void
test_legend (Fixture *self, gconstpointer data)
{
  GtkWidget *legend = page_fixture_find_named (GTK_WIDGET (self->view), "legend");
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoChart) chart = NULL;
  GtkWidget *button;

  g_ptr_array_add (runs, run_fixture_make ("A run", 1, 1));
  g_ptr_array_add (runs, run_fixture_make ("Another run", 2, 1));
  chart = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  dyno_chart_view_set_chart (self->view, chart);
  window_fixture_wait_frames (self->window);
  button = page_fixture_find (legend, GTK_TYPE_TOGGLE_BUTTON);
  g_assert_cmpuint (dyno_chart_get_n_series (chart), ==, 2);
  g_assert_true (gtk_widget_get_mapped (button));
  g_assert_true (window_fixture_shows (button, dyno_chart_get_series_name (chart, 0)));
  gtk_test_accessible_assert_state (button, GTK_ACCESSIBLE_STATE_PRESSED, GTK_ACCESSIBLE_TRISTATE_TRUE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), FALSE);
  gtk_test_accessible_assert_state (button, GTK_ACCESSIBLE_STATE_PRESSED, GTK_ACCESSIBLE_TRISTATE_FALSE);
  g_assert_false (dyno_chart_get_series_visible (chart, 0));
  g_assert_true (dyno_chart_get_series_visible (chart, 1));
}

static void
test_empty (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoChart) chart = NULL;

  g_ptr_array_add (runs, run);
  chart = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  dyno_chart_view_set_chart (self->view, chart);
  window_fixture_wait_frames (self->window);
  g_assert_true (window_fixture_shows (GTK_WIDGET (self->view), dyno_chart_get_empty_message (chart)));
  g_assert_false (gtk_widget_get_mapped (self->canvas));
  g_assert_false (window_fixture_can (GTK_WIDGET (self->view), "chart.copy"));
}

static void
copied_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GdkTexture **texture = user_data;

  *texture = gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (object), result, NULL);
}

static gboolean
is_set (gpointer pointer)
{
  return *(gpointer *)pointer != NULL;
}

static void
test_copy (Fixture *self, gconstpointer data)
{
  g_autoptr (GdkTexture) texture = NULL;

  g_assert_true (window_fixture_can (GTK_WIDGET (self->view), "chart.copy"));
  g_assert_true (window_fixture_press (GTK_WIDGET (self->view), GDK_KEY_c, GDK_CONTROL_MASK));
  gdk_clipboard_read_texture_async (gtk_widget_get_clipboard (self->canvas), NULL, copied_cb, &texture);
  page_fixture_wait (is_set, &texture);
  g_assert_cmpint (gdk_texture_get_width (texture), >, gdk_texture_get_height (texture));
}

static void
assert_same_color (const DynoColor *one, const DynoColor *other)
{
  g_assert_cmpfloat_with_epsilon (one->red, other->red, 1e-3);
  g_assert_cmpfloat_with_epsilon (one->green, other->green, 1e-3);
  g_assert_cmpfloat_with_epsilon (one->blue, other->blue, 1e-3);
  g_assert_cmpfloat_with_epsilon (one->alpha, other->alpha, 1e-3);
}

static GtkDragSource *
find_drag_source (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DRAG_SOURCE (controller))
        return GTK_DRAG_SOURCE (controller);
    }
  return NULL;
}

static void
written_cb (GObject *provider, GAsyncResult *result, gpointer is_written)
{
  g_autoptr (GError) error = NULL;

  *(gboolean *)is_written =
      gdk_content_provider_write_mime_type_finish (GDK_CONTENT_PROVIDER (provider), result, &error);
  g_assert_no_error (error);
}

static void
assert_offered (GdkContentProvider *provider, const char *mime_type, const char *beginning)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  gboolean is_written = FALSE;

  gdk_content_provider_write_mime_type_async (provider, mime_type, stream, G_PRIORITY_DEFAULT, NULL,
                                              written_cb, &is_written);
  while (!is_written)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)), >=,
                    strlen (beginning));
  g_assert_cmpmem (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)), strlen (beginning),
                   beginning, strlen (beginning));
}

/* Whoever it is dropped on takes it as a picture, as a drawing or as numbers; one that is zoomed is moved instead. */
static void
test_drag (Fixture *self, gconstpointer data)
{
  GtkDragSource *source = find_drag_source (self->canvas);
  g_autoptr (GdkContentProvider) provider = NULL;
  g_autoptr (GdkContentProvider) zoomed = NULL;
  g_autofree char *table = dyno_chart_dup_table (self->chart, ',');

  g_assert_nonnull (source);
  g_signal_emit_by_name (source, "prepare", 10.0, 10.0, &provider);
  g_assert_nonnull (provider);
  assert_offered (provider, "image/png", "\x89PNG\r\n");
  assert_offered (provider, "image/svg+xml", "<?xml");
  assert_offered (provider, "text/csv", table);
  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_plus, 0));
  g_signal_emit_by_name (source, "prepare", 10.0, 10.0, &zoomed);
  g_assert_null (zoomed);
}

/* Colours come from the style sheets, follow them, and are those of the exports. */
static void
test_style (Fixture *self, gconstpointer data)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  DynoChartStyle light, dark;

  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  dyno_chart_canvas_get_style (DYNO_CHART_CANVAS (self->canvas), &light);
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  dyno_chart_canvas_get_style (DYNO_CHART_CANVAS (self->canvas), &dark);
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_DEFAULT);

  g_assert_false (light.with_title);
  g_assert_cmpfloat (light.foreground.red, <, dark.foreground.red);
  for (guint i = 0; i < DYNO_CHART_N_COLORS; i++)
    {
      assert_same_color (&light.series[i], &dyno_chart_style_get_light ()->series[i]);
      assert_same_color (&dark.series[i], &dyno_chart_style_get_dark ()->series[i]);
      g_assert_cmpfloat (dyno_color_get_contrast (&light.series[i], &light.background), >=, 3);
      g_assert_cmpfloat (dyno_color_get_contrast (&dark.series[i], &dark.background), >=, 3);
    }
}

/* Each run is on a backend of its own, so no two share a row. */
static void
add_run_on (GPtrArray *runs, const char *backend)
{
  DynoRun *run = run_fixture_make (backend, 1, 1);

  for (guint i = 0; i < g_list_model_get_n_items (dyno_run_get_results (run)); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), i);

      g_object_set (dyno_result_get_case (result), "backend", backend, NULL);
    }
  g_ptr_array_add (runs, run);
}

static gboolean
hides_rows (DynoChartView *view)
{
  GtkWidget *canvas = page_fixture_find (GTK_WIDGET (view), DYNO_TYPE_CHART_CANVAS);
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface);
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (DynoTextBox));
  gboolean hides = FALSE;
  DynoChartStyle style;

  dyno_chart_canvas_get_style (DYNO_CHART_CANVAS (canvas), &style);
  dyno_text_set_recorder (boxes);
  dyno_chart_render (dyno_chart_view_get_chart (view), cr, gtk_widget_get_width (canvas),
                     gtk_widget_get_height (canvas), &style);
  dyno_text_set_recorder (NULL);
  for (guint i = 0; i < boxes->len; i++)
    {
      hides = hides || strstr (g_array_index (boxes, DynoTextBox, i).text, " more row") != NULL;
      g_free (g_array_index (boxes, DynoTextBox, i).text);
    }
  g_array_unref (boxes);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return hides;
}

/* Bars of several runs have room beside each other, whether they share rows or not. */
static void
test_rows (void)
{
  static const char *const backends[][3] = { { "cpu", "cpu", "cpu" }, { "cpu", "webgpu", "openvino" } };
  GtkWidget *window = gtk_window_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *groups = g_object_new (DYNO_TYPE_CHART_GROUPS, NULL);

  gtk_window_set_default_size (GTK_WINDOW (window), 900, 600);
  gtk_window_set_child (GTK_WINDOW (window), scroller);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), groups);
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < G_N_ELEMENTS (backends); i++)
    {
      g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
      DynoChartView *view;

      for (guint j = 0; j < G_N_ELEMENTS (backends[i]); j++)
        add_run_on (runs, backends[i][j]);
      dyno_chart_groups_set_runs (DYNO_CHART_GROUPS (groups), runs);
      view = dyno_chart_groups_show (DYNO_CHART_GROUPS (groups), DYNO_CHART_COMPARISON);
      window_fixture_wait_frames (window);
      g_assert_cmpuint (dyno_chart_get_n_series (dyno_chart_view_get_chart (view)), ==, 3);
      g_assert_false (hides_rows (view));
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

static GtkGesture *
find_drag (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkGesture) gesture = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_DRAG (gesture))
        return gesture;
    }
  return NULL;
}

/* In a chart over time a drag selects, Shift and the arrows as well, and Escape shows all again; the picture is no
 * longer dragged out of it. */
static void
test_select (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_single (), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_LATENCY, runs);
  g_autoptr (GdkContentProvider) provider = NULL;
  GtkGesture *drag = find_drag (self->canvas);
  double from, to;

  dyno_chart_view_set_chart (self->view, chart);
  window_fixture_wait_frames (self->window);
  g_signal_emit_by_name (find_drag_source (self->canvas), "prepare", 10.0, 10.0, &provider);
  g_assert_null (provider);
  g_assert_false (window_fixture_can (GTK_WIDGET (self->view), "chart.unselect"));

  g_signal_emit_by_name (drag, "drag-begin", 150.0, 100.0);
  g_signal_emit_by_name (drag, "drag-update", 2.0, 0.0);
  g_signal_emit_by_name (drag, "drag-end", 2.0, 0.0);
  g_assert_false (dyno_chart_get_selection (chart, &from, &to));
  g_signal_emit_by_name (drag, "drag-begin", 150.0, 100.0);
  g_signal_emit_by_name (drag, "drag-update", 90.0, 0.0);
  g_signal_emit_by_name (drag, "drag-end", 90.0, 0.0);
  g_assert_true (dyno_chart_get_selection (chart, &from, &to));
  g_assert_true (window_fixture_shows (GTK_WIDGET (self->view), dyno_chart_get_finding (chart)));
  g_assert_true (window_fixture_can (GTK_WIDGET (self->view), "chart.unselect"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->view), "chart.zoom-to-selection", NULL));
  g_assert_true (dyno_chart_is_zoomed (chart));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->view), "chart.unselect", NULL));
  g_assert_false (dyno_chart_get_selection (chart, &from, &to));

  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_Right, GDK_SHIFT_MASK));
  g_assert_true (dyno_chart_get_selection (chart, &from, &to));
  g_assert_true (window_fixture_press (self->canvas, GDK_KEY_Escape, 0));
  g_assert_false (dyno_chart_get_selection (chart, &from, &to));
}

/* Names beside the lines take the place of the legend, where they have room. */
static void
test_names (Fixture *self, gconstpointer data)
{
  static const int widths[] = { 900, 320 };
  GtkWidget *legend = page_fixture_find_named (GTK_WIDGET (self->view), "legend");
  g_autoptr (GPtrArray) runs =
      fixture_list (fixture_create_sweep ("Laptop", 1, 4), fixture_create_sweep ("Desktop", 1, 4), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);

  dyno_chart_view_set_chart (self->view, chart);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      gtk_window_set_default_size (GTK_WINDOW (self->window), widths[i], 500);
      while (gtk_widget_get_visible (legend) != (i > 0))
        g_main_context_iteration (NULL, TRUE);
    }
}

/* The data, with the names of their rows and those at the ends of their lines. */
static double
get_plot_area (DynoChart *chart, GtkWidget *canvas)
{
  GPtrArray *panels = dyno_chart_get_panels (chart);
  double area = 0;

  for (guint i = 0; i < panels->len; i++)
    {
      const DynoChartPanel *panel = g_ptr_array_index (panels, i);
      double width = panel->plot.width + panel->plot.aside;

      if (dyno_chart_panel_count_rows (panel) > 0)
        width += panel->plot.x - panel->cell.x;
      if (dyno_chart_get_n_series (chart) > 1 && dyno_chart_names_lines (chart))
        width = gtk_widget_get_width (canvas) - panel->plot.x;
      area += width * (panel->plot.height + panel->lower.height);
    }
  return area;
}

static double
get_least_share (DynoChart *chart, int width, double height)
{
  gboolean has_legend = dyno_chart_get_n_series (chart) > 1 && !dyno_chart_names_lines (chart);

  if (height < LOW)
    return LEAST_LOW_SHARE;
  if (dyno_chart_get_n_aspects (chart) > 1)
    return LEAST_CHOICE_SHARE;
  return has_legend || width < 600 || dyno_chart_get_n_plots (chart) > 1 ? LEAST_SHARED_SHARE : LEAST_SHARE;
}

/* The plot has most of its card, at the width that it has in the window. */
static void
test_share (Fixture *self, gconstpointer data)
{
  static const int widths[] = { 1280, 1000 };
  gboolean is_met = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
      {
        g_autoptr (GPtrArray) runs = fixture_create_runs_for (kind);
        g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);
        gboolean is_wide = (dyno_chart_kind_get_info (kind)->flags & DYNO_CHART_IS_WIDE) != 0;
        int width = is_wide ? widths[i] - 2 * 12 : (widths[i] - 3 * 12) / 2;

        gtk_window_destroy (GTK_WINDOW (self->window));
        self->view = DYNO_CHART_VIEW (dyno_chart_view_new (chart));
        self->canvas = page_fixture_find (GTK_WIDGET (self->view), DYNO_TYPE_CHART_CANVAS);
        self->window = gtk_window_new ();
        gtk_widget_add_css_class (GTK_WIDGET (self->view), "card");
        gtk_widget_set_valign (GTK_WIDGET (self->view), GTK_ALIGN_START);
        gtk_window_set_child (GTK_WINDOW (self->window), GTK_WIDGET (self->view));
        gtk_window_set_default_size (GTK_WINDOW (self->window), width, 1000);
        gtk_window_present (GTK_WINDOW (self->window));
        window_fixture_wait_frames (self->window);
        double card =
            gtk_widget_get_width (GTK_WIDGET (self->view)) * gtk_widget_get_height (GTK_WIDGET (self->view));
        double share = get_plot_area (chart, self->canvas) / card;
        g_test_message ("%s at %d: %.0f %% of %.0f", dyno_chart_kind_to_string (kind), width, 100 * share,
                        card);
        is_met = is_met &&
                 (dyno_chart_get_empty_message (chart) != NULL ||
                  share >= get_least_share (chart, width, gtk_widget_get_height (GTK_WIDGET (self->view))));
      }
  g_assert_true (is_met);
}

static gboolean
was_drawn (gpointer chart)
{
  const DynoChartPanel *panel = g_ptr_array_index (dyno_chart_get_panels (chart), 0);

  return panel->plot.width > 0;
}

/* A picture far below the visible part of a page is drawn once the page is scrolled to it. */
static void
test_put_off (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep ("Laptop", 1, 4), NULL);
  g_autoptr (DynoChart) chart = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *above = g_object_new (GTK_TYPE_BUTTON, "height-request", 3000, NULL);

  gtk_box_append (GTK_BOX (box), above);
  gtk_box_append (GTK_BOX (box), dyno_chart_view_new (chart));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_window_set_child (GTK_WINDOW (self->window), scroller);
  gtk_widget_grab_focus (above);
  window_fixture_wait_frames (self->window);
  g_assert_false (was_drawn (chart));
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)), 3000);
  page_fixture_wait (was_drawn, chart);
}

/* Charts that nobody sees are not made. */
static void
test_hidden_groups (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *groups = g_object_new (DYNO_TYPE_CHART_GROUPS, NULL);
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep ("Laptop", 1, 4), NULL);

  gtk_window_set_child (GTK_WINDOW (window), groups);
  dyno_chart_groups_set_runs (DYNO_CHART_GROUPS (groups), runs);
  g_assert_null (page_fixture_find (groups, DYNO_TYPE_CHART_VIEW));
  gtk_window_present (GTK_WINDOW (window));
  window_fixture_wait_frames (window);
  g_assert_nonnull (page_fixture_find (groups, DYNO_TYPE_CHART_VIEW));
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_written (gpointer path)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && *text != '\0';
}

/* Saves in the format, and returns the beginning of the file. */
static char *
save (Fixture *self, const char *action, const char *format, const char *suffix)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", dyno_chart_get_title (self->chart), suffix);
  char *text = NULL;
  GtkFileChooser *dialog;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->view), action, NULL));
  dialog = page_fixture_wait_for_dialog ();
  page_fixture_choose_format (dialog, format);
  page_fixture_press (GTK_WIDGET (dialog), "_Save");
  page_fixture_wait (is_written, name);
  g_assert_true (g_file_get_contents (name, &text, NULL, NULL));
  g_assert_cmpint (g_unlink (name), ==, 0);
  return text;
}

/* The format is chosen from a list. */
static void
test_save (Fixture *self, gconstpointer data)
{
  g_autofree char *png = save (self, "chart.export", "PNG image (.png)", "png");
  g_autofree char *svg = save (self, "chart.export", "SVG image (.svg)", "svg");
  g_autofree char *csv = save (self, "chart.save-table", "CSV table (.csv)", "csv");

  g_assert_true (g_str_has_prefix (png, "\x89PNG"));
  g_assert_nonnull (strstr (svg, "<svg"));
  g_assert_nonnull (strchr (csv, ','));
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_assert_cmpint (g_chdir (window_fixture_init ()), ==, 0);
  window_fixture_get_application ();

  g_test_add ("/chart-view/accessible", Fixture, NULL, set_up, test_accessible, tear_down);
  g_test_add ("/chart-view/cursor", Fixture, NULL, set_up, test_cursor, tear_down);
  g_test_add ("/chart-view/other-series", Fixture, NULL, set_up, test_other_series, tear_down);
  g_test_add ("/chart-view/zoom", Fixture, NULL, set_up, test_zoom, tear_down);
  g_test_add ("/chart-view/table", Fixture, NULL, set_up, test_table, tear_down);
  g_test_add ("/chart-view/table-focus", Fixture, NULL, set_up, test_table_focus, tear_down);
  g_test_add ("/chart-view/legend", Fixture, NULL, set_up, test_legend, tear_down);
  g_test_add ("/chart-view/empty", Fixture, NULL, set_up, test_empty, tear_down);
  g_test_add ("/chart-view/copy", Fixture, NULL, set_up, test_copy, tear_down);
  g_test_add ("/chart-view/save", Fixture, NULL, set_up, test_save, tear_down);
  g_test_add ("/chart-view/drag", Fixture, NULL, set_up, test_drag, tear_down);
  g_test_add ("/chart-view/select", Fixture, NULL, set_up, test_select, tear_down);
  g_test_add ("/chart-view/names", Fixture, NULL, set_up, test_names, tear_down);
  g_test_add ("/chart-view/share", Fixture, NULL, set_up, test_share, tear_down);
  g_test_add ("/chart-view/put-off", Fixture, NULL, set_up, test_put_off, tear_down);
  g_test_add ("/chart-view/style", Fixture, NULL, set_up, test_style, tear_down);
  g_test_add_func ("/chart-view/rows", test_rows);
  g_test_add_func ("/chart-view/hidden-groups", test_hidden_groups);
  return window_fixture_run ();
}

SUITE (run_suite)
