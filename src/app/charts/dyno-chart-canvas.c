/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <math.h>

#include "dyno-app-charts-private.h"
#include "dyno-compat.h"

#define ZOOM_STEP  1.25
#define LEAST_DRAG 4
#define FAR        1000000
/* A picture is drawn if it is at most this share of the visible height away from it. */
#define NEAR       0.25
#define HEIGHT     400
#define MIN_HEIGHT 240
#define MAX_HEIGHT 1600
/* Words around each of several plots, or a legend, take a part of the card: a higher picture keeps the share of the data. */
#define SEVERAL_PLOTS 1.65
#define WITH_LEGEND   1.3

struct _DynoChartCanvas
{
  GtkWidget parent_instance;

  DynoChart *chart;
  char *font;
  double pointer_x;
  double pointer_y;
  double start_x;
  double start_y;
  double pan_x;
  double pan_y;
  gboolean is_selecting;
  gboolean names_lines;
  gboolean is_put_off; /* it is drawn once the page is scrolled to it */
  int height;          /* the height requested last */
};

enum
{
  PROP_0,
  PROP_CHART,
  N_PROPS
};

enum
{
  ACTIVATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoChartCanvas, dyno_chart_canvas, GTK_TYPE_WIDGET)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

/* Bars and panels need room; other charts use the available space. */
static int
get_height (DynoChartCanvas *self, int width)
{
  double height = self->chart != NULL ? dyno_chart_get_natural_height (self->chart, width) : 0;

  if (self->chart != NULL && dyno_chart_get_n_plots (self->chart) > 1)
    height = SEVERAL_PLOTS * (height > 0 ? height : HEIGHT);
  else if (self->chart != NULL && height <= 0 && dyno_chart_get_n_series (self->chart) > 1 &&
           !dyno_chart_names_lines (self->chart))
    height = WITH_LEGEND * HEIGHT;
  return height > 0 ? CLAMP ((int)height, MIN_HEIGHT, MAX_HEIGHT) : 0;
}

static void
chart_changed_cb (DynoChartCanvas *self)
{
  if (get_height (self, gtk_widget_get_width (GTK_WIDGET (self))) != self->height)
    gtk_widget_queue_resize (GTK_WIDGET (self));

  /* The description is the finding. A screen reader says it when it changes, so the point under the cursor goes
   * there if GTK cannot announce it. */
  const char *cursor = self->chart != NULL ? dyno_chart_get_cursor_text (self->chart) : NULL;
  const char *finding = self->chart != NULL ? dyno_chart_get_finding (self->chart) : NULL;
  const char *title = self->chart != NULL ? dyno_chart_get_title (self->chart) : NULL;
  gboolean tells_cursor = cursor != NULL && !dyno_compat_can_announce ();
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, or_empty (title),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  tells_cursor ? cursor : or_empty (finding), -1);
  if (cursor != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, cursor, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT);

  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Pointer */

static void
motion_cb (DynoChartCanvas *self, double x, double y)
{
  self->pointer_x = x;
  self->pointer_y = y;
  if (self->chart != NULL)
    dyno_chart_hover (self->chart, x, y);
}

static void
leave_cb (DynoChartCanvas *self)
{
  if (self->chart != NULL)
    dyno_chart_unhover (self->chart);
}

static gboolean
scroll_cb (DynoChartCanvas *self, double dx, double dy, GtkEventController *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);

  if (self->chart == NULL || !(state & GDK_CONTROL_MASK) || dy == 0)
    return GDK_EVENT_PROPAGATE;
  dyno_chart_zoom (self->chart, dy < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, self->pointer_x, self->pointer_y);
  return GDK_EVENT_STOP;
}

static void
drag_begin_cb (DynoChartCanvas *self, double x, double y, GtkGesture *gesture)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  self->pan_x = self->pan_y = 0;
  self->start_x = x;
  self->start_y = y;
  self->is_selecting =
      self->chart != NULL && dyno_chart_can_select (self->chart) && !(state & GDK_SHIFT_MASK);
  if (!self->is_selecting)
    gtk_gesture_set_state (gesture, self->chart != NULL && dyno_chart_is_zoomed (self->chart)
                                        ? GTK_EVENT_SEQUENCE_CLAIMED
                                        : GTK_EVENT_SEQUENCE_DENIED);
}

static void
drag_update_cb (DynoChartCanvas *self, double x, double y, GtkGesture *gesture)
{
  if (self->chart == NULL)
    return;
  if (self->is_selecting)
    {
      /* A click is no drag. */
      if (fabs (x) < LEAST_DRAG)
        return;
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
      dyno_chart_select (self->chart, self->start_x, self->start_x + x, FALSE);
      return;
    }
  dyno_chart_pan (self->chart, self->start_x, self->start_y, x - self->pan_x, y - self->pan_y);
  self->pan_x = x;
  self->pan_y = y;
}

static void
drag_end_cb (DynoChartCanvas *self, double x, double y, GtkGesture *gesture)
{
  if (self->chart == NULL || !self->is_selecting || fabs (x) < LEAST_DRAG)
    return;
  dyno_chart_select (self->chart, self->start_x, self->start_x + x, TRUE);
  /* Escape takes the selection away again. */
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* Activates the subject of the clicked point. */
static gboolean
activate (DynoChartCanvas *self)
{
  GObject *subject = self->chart != NULL ? dyno_chart_get_cursor_subject (self->chart) : NULL;

  if (subject != NULL)
    g_signal_emit (self, signals[ACTIVATED], 0, subject);
  return subject != NULL;
}

/* Grab the focus on release: it makes the page scroll to the chart, and after a press another point would be
 * under the pointer. */
static void
released_cb (DynoChartCanvas *self, int n_press, double x, double y)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->chart != NULL && dyno_chart_hover (self->chart, x, y))
    activate (self);
}

/* Keyboard */

static gboolean
move_cursor_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (widget);
  int d_point, d_series;

  if (self->chart == NULL)
    return GDK_EVENT_PROPAGATE;
  g_variant_get (args, "(ii)", &d_point, &d_series);
  if (!dyno_chart_move_cursor (self->chart, d_point, d_series))
    gtk_widget_error_bell (widget);
  else
    dyno_compat_announce (widget, or_empty (dyno_chart_get_cursor_text (self->chart)));
  return GDK_EVENT_STOP;
}

static gboolean
extend_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (widget);

  if (self->chart == NULL || !dyno_chart_can_select (self->chart))
    return GDK_EVENT_PROPAGATE;
  if (!dyno_chart_extend_selection (self->chart, g_variant_get_int32 (args)))
    gtk_widget_error_bell (widget);
  else
    dyno_compat_announce (widget, or_empty (dyno_chart_get_finding (self->chart)));
  return GDK_EVENT_STOP;
}

static gboolean
zoom_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (widget);
  double factor = g_variant_get_double (args);

  if (self->chart == NULL)
    return GDK_EVENT_PROPAGATE;
  dyno_chart_zoom (self->chart, factor, gtk_widget_get_width (widget) / 2.0,
                   gtk_widget_get_height (widget) / 2.0);
  return GDK_EVENT_STOP;
}

static gboolean
reset_zoom_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (widget);

  if (self->chart == NULL)
    return GDK_EVENT_PROPAGATE;
  dyno_chart_reset_zoom (self->chart);
  return GDK_EVENT_STOP;
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (widget);

  double from, to;

  if (self->chart == NULL)
    return GDK_EVENT_PROPAGATE;
  if (dyno_chart_can_select (self->chart) && dyno_chart_get_selection (self->chart, &from, &to))
    dyno_chart_unselect (self->chart);
  else if (dyno_chart_get_cursor_text (self->chart) == NULL)
    return GDK_EVENT_PROPAGATE;
  dyno_chart_unhover (self->chart);
  return GDK_EVENT_STOP;
}

static gboolean
activate_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  return activate (DYNO_CHART_CANVAS (widget)) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

static void
add_bindings (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint keys[2];
    int d_point;
    int d_series;
  } moves[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, -1, 0 },   { { GDK_KEY_Right, GDK_KEY_KP_Right }, 1, 0 },
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, -1 },       { { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, 1 },
    { { GDK_KEY_Home, GDK_KEY_KP_Home }, -FAR, 0 }, { { GDK_KEY_End, GDK_KEY_KP_End }, FAR, 0 },
  };
  static const struct
  {
    guint keys[2];
    int d_point;
  } extensions[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, -1 },
    { { GDK_KEY_Right, GDK_KEY_KP_Right }, 1 },
    { { GDK_KEY_Home, GDK_KEY_KP_Home }, -FAR },
    { { GDK_KEY_End, GDK_KEY_KP_End }, FAR },
  };
  static const guint zoom_in[] = { GDK_KEY_plus, GDK_KEY_KP_Add, GDK_KEY_equal };
  static const guint zoom_out[] = { GDK_KEY_minus, GDK_KEY_KP_Subtract };
  static const guint zoom_reset[] = { GDK_KEY_0, GDK_KEY_KP_0 };

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    for (guint j = 0; j < G_N_ELEMENTS (moves[i].keys); j++)
      gtk_widget_class_add_binding (widget_class, moves[i].keys[j], 0, move_cursor_cb, "(ii)",
                                    moves[i].d_point, moves[i].d_series);
  for (guint i = 0; i < G_N_ELEMENTS (extensions); i++)
    for (guint j = 0; j < G_N_ELEMENTS (extensions[i].keys); j++)
      gtk_widget_class_add_binding (widget_class, extensions[i].keys[j], GDK_SHIFT_MASK, extend_cb, "i",
                                    extensions[i].d_point);
  for (guint i = 0; i < G_N_ELEMENTS (zoom_in); i++)
    gtk_widget_class_add_binding (widget_class, zoom_in[i], 0, zoom_cb, "d", ZOOM_STEP);
  for (guint i = 0; i < G_N_ELEMENTS (zoom_out); i++)
    gtk_widget_class_add_binding (widget_class, zoom_out[i], 0, zoom_cb, "d", 1 / ZOOM_STEP);
  for (guint i = 0; i < G_N_ELEMENTS (zoom_reset); i++)
    gtk_widget_class_add_binding (widget_class, zoom_reset[i], 0, reset_zoom_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, activate_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, activate_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, activate_cb, NULL);
}

/* Drawing */

static gboolean
tell_changed_cb (gpointer chart)
{
  g_signal_emit_by_name (chart, "changed");
  return G_SOURCE_REMOVE;
}

/* The toolkit asks for all pictures of a page, even for those far below its visible part. */
static gboolean
is_near (GtkWidget *widget)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  graphene_rect_t bounds;
  int height;

  if (viewport == NULL || !gtk_widget_compute_bounds (widget, viewport, &bounds))
    return TRUE;
  height = gtk_widget_get_height (viewport);
  return (double)bounds.origin.y < height * (1 + NEAR) &&
         (double)(bounds.origin.y + bounds.size.height) > -height * NEAR;
}

static void
scrolled_cb (DynoChartCanvas *self)
{
  if (self->is_put_off)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
dyno_chart_canvas_map (GtkWidget *widget)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  GtkAdjustment *adjustment =
      viewport != NULL ? gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport)) : NULL;

  GTK_WIDGET_CLASS (dyno_chart_canvas_parent_class)->map (widget);
  if (adjustment == NULL || g_signal_handler_find (adjustment, G_SIGNAL_MATCH_FUNC | G_SIGNAL_MATCH_DATA, 0,
                                                   0, NULL, scrolled_cb, widget) > 0)
    return;
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (scrolled_cb), widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (scrolled_cb), widget, G_CONNECT_SWAPPED);
}

static void
dyno_chart_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  DynoChartStyle style;
  cairo_t *cr;

  self->is_put_off = !is_near (widget);
  if (self->chart == NULL || width <= 0 || height <= 0 || self->is_put_off)
    return;

  dyno_chart_canvas_get_style (self, &style);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  dyno_chart_render (self->chart, cr, width, height, &style);
  cairo_destroy (cr);

  /* The legend beside this picture may come or go now, but not while it is drawn. */
  if (dyno_chart_names_lines (self->chart) == self->names_lines)
    return;
  self->names_lines = !self->names_lines;
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, tell_changed_cb, g_object_ref (self->chart), g_object_unref);
}

static void
dyno_chart_canvas_measure (GtkWidget *widget,
                           GtkOrientation orientation,
                           int for_size,
                           int *minimum,
                           int *natural,
                           int *minimum_baseline,
                           int *natural_baseline)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (widget);
  int height;

  *minimum = MIN_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 480 : HEIGHT;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  /* Without a given width, the minimum height over all widths is needed. */
  height = get_height (self, for_size > 0 ? for_size : G_MAXINT16);
  if (for_size > 0)
    self->height = height;
  if (height > 0)
    *minimum = *natural = height;
}

static GtkSizeRequestMode
dyno_chart_canvas_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
dyno_chart_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (widget);

  GTK_WIDGET_CLASS (dyno_chart_canvas_parent_class)->css_changed (widget, change);

  g_clear_pointer (&self->font, g_free);
  gtk_widget_queue_draw (widget);
}

static void
dyno_chart_canvas_dispose (GObject *object)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (object);

  if (self->chart != NULL)
    g_signal_handlers_disconnect_by_func (self->chart, chart_changed_cb, self);
  g_clear_object (&self->chart);

  G_OBJECT_CLASS (dyno_chart_canvas_parent_class)->dispose (object);
}

static void
dyno_chart_canvas_finalize (GObject *object)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (object);

  g_free (self->font);

  G_OBJECT_CLASS (dyno_chart_canvas_parent_class)->finalize (object);
}

static void
dyno_chart_canvas_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (object);

  switch (prop_id)
    {
    case PROP_CHART:
      g_value_set_object (value, self->chart);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_chart_canvas_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoChartCanvas *self = DYNO_CHART_CANVAS (object);

  switch (prop_id)
    {
    case PROP_CHART:
      dyno_chart_canvas_set_chart (self, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_chart_canvas_class_init (DynoChartCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_chart_canvas_dispose;
  object_class->finalize = dyno_chart_canvas_finalize;
  object_class->get_property = dyno_chart_canvas_get_property;
  object_class->set_property = dyno_chart_canvas_set_property;
  widget_class->map = dyno_chart_canvas_map;
  widget_class->snapshot = dyno_chart_canvas_snapshot;
  widget_class->measure = dyno_chart_canvas_measure;
  widget_class->get_request_mode = dyno_chart_canvas_get_request_mode;
  widget_class->css_changed = dyno_chart_canvas_css_changed;

  properties[PROP_CHART] =
      g_param_spec_object ("chart", NULL, NULL, DYNO_TYPE_CHART,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 1, G_TYPE_OBJECT);

  add_bindings (widget_class);
  gtk_widget_class_set_css_name (widget_class, "chart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
dyno_chart_canvas_init (DynoChartCanvas *self)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);

  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect_object (motion, "motion", G_CALLBACK (motion_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (leave_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (scroll, "scroll", G_CALLBACK (scroll_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (drag_update_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-end", G_CALLBACK (drag_end_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (click, "released", G_CALLBACK (released_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

DynoChart *
dyno_chart_canvas_get_chart (DynoChartCanvas *self)
{
  g_return_val_if_fail (DYNO_IS_CHART_CANVAS (self), NULL);
  return self->chart;
}

void
dyno_chart_canvas_set_chart (DynoChartCanvas *self, DynoChart *chart)
{
  g_return_if_fail (DYNO_IS_CHART_CANVAS (self));
  g_return_if_fail (chart == NULL || DYNO_IS_CHART (chart));

  if (self->chart == chart)
    return;

  if (self->chart != NULL)
    g_signal_handlers_disconnect_by_func (self->chart, chart_changed_cb, self);
  g_set_object (&self->chart, chart);
  if (chart != NULL)
    {
      g_signal_connect_object (chart, "changed", G_CALLBACK (chart_changed_cb), self, G_CONNECT_SWAPPED);
      self->names_lines = dyno_chart_names_lines (chart);
    }
  chart_changed_cb (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHART]);
}

void
dyno_chart_canvas_get_style (DynoChartCanvas *self, DynoChartStyle *style)
{
  g_return_if_fail (DYNO_IS_CHART_CANVAS (self));
  g_return_if_fail (style != NULL);

  if (self->font == NULL)
    {
      PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
      g_autoptr (PangoFontDescription) font =
          pango_font_description_copy (pango_context_get_font_description (context));

      /* Widget fonts are in px, chart fonts in points. */
      if (pango_font_description_get_size_is_absolute (font))
        pango_font_description_set_size (font, pango_font_description_get_size (font) * 3 / 4);
      self->font = pango_font_description_to_string (font);
    }
  dyno_chart_palette_fill (GTK_WIDGET (self), style);
  style->font = self->font;
}
