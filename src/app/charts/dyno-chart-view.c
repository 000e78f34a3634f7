/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-chart-export.h"
#include "dyno-compat.h"
#include "dyno-file.h"

struct _DynoChartView
{
  AdwBin parent_instance;

  DynoChart *chart;
  gboolean show_table;

  GtkWidget *title_label;
  GtkWidget *caption_label;
  GtkWidget *menu_button;
  GtkWidget *empty_label;
  GtkStack *stack;
  DynoChartCanvas *canvas;
  DynoDataTable *table;
  GtkFlowBox *legend;
  GtkDropDown *aspect_drop_down;
  GtkWidget *context_menu;
};

enum
{
  PROP_0,
  PROP_CHART,
  PROP_SHOW_TABLE,
  N_PROPS
};

enum
{
  ACTIVATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoChartView, dyno_chart_view, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void
aspect_selected_cb (DynoChartView *self)
{
  guint selected = gtk_drop_down_get_selected (self->aspect_drop_down);

  if (self->chart != NULL && selected < dyno_chart_get_n_aspects (self->chart))
    dyno_chart_set_aspect (self->chart, selected);
}

static void
canvas_activated_cb (DynoChartView *self, GObject *subject)
{
  g_signal_emit (self, signals[ACTIVATED], 0, subject);
}

/* Legend */

static guint
get_series (GtkWidget *widget)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (widget), "series"));
}

static void
draw_swatch_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  DynoChartView *self = user_data;
  DynoChartStyle style;

  dyno_chart_palette_fill (GTK_WIDGET (area), &style);
  dyno_chart_render_swatch (self->chart, get_series (GTK_WIDGET (area)), cr, width, height, &style);
}

static void
series_toggled_cb (GtkToggleButton *button, DynoChartView *self)
{
  dyno_chart_set_series_visible (self->chart, get_series (GTK_WIDGET (button)),
                                 gtk_toggle_button_get_active (button));
}

static GtkWidget *
legend_button_new (DynoChartView *self, guint series)
{
  GtkWidget *button = gtk_toggle_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *swatch = gtk_drawing_area_new ();
  GtkWidget *label = gtk_label_new (dyno_chart_get_series_name (self->chart, series));

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), 24);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), 12);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch_cb, self, NULL);
  g_object_set_data (G_OBJECT (swatch), "series", GUINT_TO_POINTER (series));
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_widget_add_css_class (label, "caption");
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  dyno_tooltip_set (button, dyno_chart_get_series_name (self->chart, series));
  gtk_accessible_update_relation (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL,
                                  -1);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button),
                                dyno_chart_get_series_visible (self->chart, series));
  g_object_set_data (G_OBJECT (button), "series", GUINT_TO_POINTER (series));
  g_signal_connect_object (button, "toggled", G_CALLBACK (series_toggled_cb), self, 0);
  return button;
}

/* Names beside the lines take the place of the legend. */
static void
show_legend (DynoChartView *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->legend), self->chart != NULL &&
                                                         dyno_chart_get_n_series (self->chart) > 1 &&
                                                         !dyno_chart_names_lines (self->chart));
}

static void
update_legend (DynoChartView *self)
{
  guint n_series = self->chart != NULL ? dyno_chart_get_n_series (self->chart) : 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->legend))) != NULL)
    gtk_flow_box_remove (self->legend, child);
  for (guint i = 0; n_series > 1 && i < n_series; i++)
    {
      GtkWidget *flow_box_child = gtk_flow_box_child_new ();

      gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (flow_box_child), legend_button_new (self, i));
      gtk_widget_set_focusable (flow_box_child, FALSE);
      gtk_flow_box_append (self->legend, flow_box_child);
    }
  show_legend (self);
}

/* Aspects */

static void
update_aspects (DynoChartView *self)
{
  guint n_aspects = self->chart != NULL ? dyno_chart_get_n_aspects (self->chart) : 0;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < n_aspects; i++)
    gtk_string_list_append (names, dyno_chart_get_aspect_name (self->chart, i));
  g_signal_handlers_block_by_func (self->aspect_drop_down, aspect_selected_cb, self);
  gtk_drop_down_set_model (self->aspect_drop_down, G_LIST_MODEL (names));
  if (n_aspects > 0)
    gtk_drop_down_set_selected (self->aspect_drop_down, dyno_chart_get_aspect (self->chart));
  g_signal_handlers_unblock_by_func (self->aspect_drop_down, aspect_selected_cb, self);
  gtk_widget_set_visible (GTK_WIDGET (self->aspect_drop_down), n_aspects > 1);
}

/* Contents */

static void
set_text (GtkWidget *label, const char *text)
{
  gtk_label_set_label (GTK_LABEL (label), text != NULL ? text : "");
  gtk_widget_set_visible (label, text != NULL && *text != '\0');
}

/* One line says what is found and what bands and whiskers mean; its tooltip has all of it. */
static void
update_caption (DynoChartView *self)
{
  gboolean has_data = self->chart != NULL && dyno_chart_get_empty_message (self->chart) == NULL;
  g_autofree char *caption = NULL;
  g_autofree char *whole = NULL;

  if (has_data)
    {
      caption = g_strstrip (
          g_strjoin (" ", dyno_chart_get_finding (self->chart), dyno_chart_get_note (self->chart), NULL));
      whole = g_strstrip (g_strjoin ("\n", caption, dyno_chart_get_caption (self->chart), NULL));
    }
  set_text (self->caption_label, caption);
  dyno_tooltip_set (self->caption_label, whole);
}

static void
update_page (DynoChartView *self)
{
  gboolean has_data = self->chart != NULL && dyno_chart_get_empty_message (self->chart) == NULL;

  set_text (self->empty_label, self->chart != NULL ? dyno_chart_get_empty_message (self->chart) : NULL);
  update_caption (self);
  if (has_data && self->show_table)
    dyno_data_table_set_chart (self->table, self->chart);

  /* Move the focus from the chart to its table and back, because hiding a widget would lose it. */
  gboolean takes_focus = dyno_focus_find_within (GTK_WIDGET (self->stack)) != NULL;
  gtk_stack_set_visible_child_name (self->stack, !has_data ? "empty" : self->show_table ? "table" : "chart");
  if (takes_focus)
    gtk_widget_child_focus (gtk_stack_get_visible_child (self->stack), GTK_DIR_TAB_FORWARD);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.export", has_data);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.copy", has_data);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.copy-table", has_data);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.save-table", has_data);
}

static void
chart_changed_cb (DynoChartView *self)
{
  gboolean was_empty = g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "empty") == 0;

  set_text (self->title_label, dyno_chart_get_title (self->chart));
  double from, to;
  gboolean has_part =
      dyno_chart_can_select (self->chart) && dyno_chart_get_selection (self->chart, &from, &to);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.reset-zoom", dyno_chart_is_zoomed (self->chart));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.zoom-to-selection", has_part);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.unselect", has_part);
  show_legend (self);
  if (!was_empty)
    update_caption (self);
  else if (dyno_chart_get_empty_message (self->chart) == NULL)
    {
      update_page (self);
      update_legend (self);
      update_aspects (self);
    }
}

/* Export */

static GBytes *
render (DynoChartView *self, DynoImageFormat format, GError **error)
{
  double height = dyno_chart_get_export_height (self->chart, DYNO_CHART_EXPORT_WIDTH);

  return dyno_chart_export_to_bytes (self->chart, format, DYNO_CHART_EXPORT_WIDTH, height,
                                     dyno_chart_style_get_light (), error);
}

static void
written_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoChartView) self = DYNO_CHART_VIEW (user_data);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (G_FILE (object));
  g_autofree char *text = NULL;

  dyno_writing_end ();
  if (!dyno_output_file_save_finish (G_FILE (object), result, &error))
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("The chart could not be exported"), error);
      return;
    }
  text = g_strdup_printf (_ ("Exported to “%s”"), name);
  dyno_toast_say (GTK_WIDGET (self), text);
}

static void
export_file_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoChartView *self = DYNO_CHART_VIEW (object);
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  DynoImageFormat format;

  if (file == NULL || self->chart == NULL)
    return;

  gboolean is_known = dyno_image_format_from_name (name, &format);
  g_return_if_fail (is_known);
  bytes = render (self, format, &error);
  if (bytes == NULL)
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("The chart could not be exported"), error);
      return;
    }
  dyno_writing_begin ();
  dyno_output_file_save_async (file, bytes, NULL, written_cb, g_object_ref (self));
}

static void
export_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  const DynoCompatFormat formats[] = { { "svg", _ ("SVG image") },
                                       { "png", _ ("PNG image") },
                                       { "pdf", _ ("PDF") },
                                       { "csv", _ ("CSV table") },
                                       { "json", _ ("JSON data") },
                                       { "vl.json", _ ("Vega-Lite chart") },
                                       { NULL } };
  DynoChartView *self = DYNO_CHART_VIEW (widget);
  g_autofree char *name = g_strdup_printf ("%s.svg", dyno_chart_get_title (self->chart));

  g_strdelimit (name, "/", '-');
  dyno_compat_save_file_async (widget, _ ("Export Chart"), name, formats, export_file_cb, NULL);
}

static void
copy_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoChartView *self = DYNO_CHART_VIEW (widget);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = render (self, DYNO_IMAGE_PNG, &error);
  g_autoptr (GdkTexture) texture = bytes != NULL ? gdk_texture_new_from_bytes (bytes, &error) : NULL;

  if (texture == NULL)
    {
      dyno_toast_report_error (widget, _ ("The chart could not be copied"), error);
      return;
    }
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
  dyno_toast_say (widget, _ ("The chart is in the clipboard"));
}

static void
copy_table_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_autofree char *table = dyno_chart_dup_table (DYNO_CHART_VIEW (widget)->chart, '\t');

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), table);
  dyno_toast_say (widget, _ ("The table is in the clipboard"));
}

static void
save_table_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoChartView *self = DYNO_CHART_VIEW (object);
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);
  g_autoptr (GBytes) bytes = NULL;
  char *table;

  if (file == NULL || self->chart == NULL)
    return;
  table = dyno_chart_dup_table (self->chart, ',');
  bytes = g_bytes_new_take (table, strlen (table));
  dyno_writing_begin ();
  dyno_output_file_save_async (file, bytes, NULL, written_cb, g_object_ref (self));
}

static void
save_table_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  const DynoCompatFormat formats[] = { { "csv", _ ("CSV table") }, { NULL } };
  DynoChartView *self = DYNO_CHART_VIEW (widget);
  g_autofree char *name = g_strdup_printf ("%s.csv", dyno_chart_get_title (self->chart));

  g_strdelimit (name, "/", '-');
  dyno_compat_save_file_async (widget, _ ("Save Table"), name, formats, save_table_cb, NULL);
}

static void
reset_zoom_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_chart_reset_zoom (DYNO_CHART_VIEW (widget)->chart);
}

static void
zoom_to_selection_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_chart_zoom_to_selection (DYNO_CHART_VIEW (widget)->chart);
}

static void
unselect_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_chart_unselect (DYNO_CHART_VIEW (widget)->chart);
}

static GdkContentProvider *
drag_prepare_cb (DynoChartView *self, double x, double y, GtkDragSource *source)
{
  g_autoptr (GBytes) svg = NULL;
  g_autoptr (GBytes) png = NULL;
  g_autoptr (GBytes) csv = NULL;
  GdkContentProvider *providers[3];

  /* A drag on a zoomed chart pans it, and on one over time selects. */
  if (self->chart == NULL || dyno_chart_is_zoomed (self->chart) || dyno_chart_can_select (self->chart))
    return NULL;
  svg = render (self, DYNO_IMAGE_SVG, NULL);
  png = render (self, DYNO_IMAGE_PNG, NULL);
  csv = render (self, DYNO_IMAGE_CSV, NULL);
  if (svg == NULL || png == NULL || csv == NULL)
    return NULL;
  providers[0] = gdk_content_provider_new_for_bytes ("image/png", png);
  providers[1] = gdk_content_provider_new_for_bytes ("image/svg+xml", svg);
  providers[2] = gdk_content_provider_new_for_bytes ("text/csv", csv);
  return gdk_content_provider_new_union (providers, G_N_ELEMENTS (providers));
}

static void
drag_begin_cb (DynoChartView *self, GdkDrag *drag, GtkDragSource *source)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (self->canvas));
  g_autoptr (GdkPaintable) image = gdk_paintable_get_current_image (paintable);

  gtk_drag_source_set_icon (source, image, 0, 0);
}

/* Context menu */

static void
popup_menu (DynoChartView *self, double x, double y)
{
  graphene_point_t point = GRAPHENE_POINT_INIT (x, y);
  graphene_point_t target;

  if (!gtk_widget_compute_point (GTK_WIDGET (self->canvas), GTK_WIDGET (self), &point, &target))
    return;
  if (self->context_menu == NULL)
    {
      self->context_menu = gtk_popover_menu_new_from_model (
          gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (self->menu_button)));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->context_menu), FALSE);
      gtk_widget_set_halign (self->context_menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->context_menu, GTK_WIDGET (self));
      /* The keys of the chart go on after the menu. */
      g_signal_connect_object (self->context_menu, "closed", G_CALLBACK (gtk_widget_grab_focus), self->canvas,
                               G_CONNECT_SWAPPED);
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->context_menu),
                               &(GdkRectangle){ (int)target.x, (int)target.y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->context_menu));
}

static void
secondary_pressed_cb (DynoChartView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  popup_menu (self, x, y);
}

static void
menu_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoChartView *self = DYNO_CHART_VIEW (widget);

  popup_menu (self, gtk_widget_get_width (GTK_WIDGET (self->canvas)) / 2.0,
              gtk_widget_get_height (GTK_WIDGET (self->canvas)) / 2.0);
}

static void
dyno_chart_view_dispose (GObject *object)
{
  DynoChartView *self = DYNO_CHART_VIEW (object);

  if (self->chart != NULL)
    g_signal_handlers_disconnect_by_func (self->chart, chart_changed_cb, self);
  g_clear_object (&self->chart);
  g_clear_pointer (&self->context_menu, gtk_widget_unparent);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_CHART_VIEW);

  G_OBJECT_CLASS (dyno_chart_view_parent_class)->dispose (object);
}

static void
dyno_chart_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoChartView *self = DYNO_CHART_VIEW (object);

  switch (prop_id)
    {
    case PROP_CHART:
      g_value_set_object (value, self->chart);
      break;
    case PROP_SHOW_TABLE:
      g_value_set_boolean (value, self->show_table);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_chart_view_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoChartView *self = DYNO_CHART_VIEW (object);

  switch (prop_id)
    {
    case PROP_CHART:
      dyno_chart_view_set_chart (self, g_value_get_object (value));
      break;
    case PROP_SHOW_TABLE:
      dyno_chart_view_set_show_table (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_chart_view_class_init (DynoChartViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = dyno_chart_view_dispose;
  object_class->get_property = dyno_chart_view_get_property;
  object_class->set_property = dyno_chart_view_set_property;

  properties[PROP_CHART] = g_param_spec_object ("chart", NULL, NULL, DYNO_TYPE_CHART, flags);
  properties[PROP_SHOW_TABLE] = g_param_spec_boolean ("show-table", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 1, G_TYPE_OBJECT);

  g_type_ensure (DYNO_TYPE_CHART_CANVAS);
  g_type_ensure (DYNO_TYPE_DATA_TABLE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-chart-view.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoChartView, title_label);
  gtk_widget_class_bind_template_child (widget_class, DynoChartView, caption_label);
  gtk_widget_class_bind_template_child (widget_class, DynoChartView, menu_button);
  gtk_widget_class_bind_template_child (widget_class, DynoChartView, empty_label);
  gtk_widget_class_bind_template_child (widget_class, DynoChartView, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoChartView, canvas);
  gtk_widget_class_bind_template_child (widget_class, DynoChartView, table);
  gtk_widget_class_bind_template_child (widget_class, DynoChartView, legend);
  gtk_widget_class_bind_template_child (widget_class, DynoChartView, aspect_drop_down);
  gtk_widget_class_bind_template_callback (widget_class, aspect_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, canvas_activated_cb);
  gtk_widget_class_install_action (widget_class, "chart.export", NULL, export_action);
  gtk_widget_class_install_action (widget_class, "chart.copy", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "chart.copy-table", NULL, copy_table_action);
  gtk_widget_class_install_action (widget_class, "chart.save-table", NULL, save_table_action);
  gtk_widget_class_install_action (widget_class, "chart.reset-zoom", NULL, reset_zoom_action);
  gtk_widget_class_install_action (widget_class, "chart.zoom-to-selection", NULL, zoom_to_selection_action);
  gtk_widget_class_install_action (widget_class, "chart.unselect", NULL, unselect_action);
  gtk_widget_class_install_action (widget_class, "chart.menu", NULL, menu_action);
  gtk_widget_class_install_property_action (widget_class, "chart.show-table", "show-table");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_t, GDK_CONTROL_MASK, "chart.show-table", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_t, 0, "chart.show-table", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "chart.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "chart.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "chart.menu", NULL);
}

static void
dyno_chart_view_init (DynoChartView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  GtkDragSource *drag = gtk_drag_source_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect_object (drag, "prepare", G_CALLBACK (drag_prepare_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self, G_CONNECT_SWAPPED);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (secondary_pressed_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->canvas), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self->canvas), GTK_EVENT_CONTROLLER (click));

  update_legend (self);
  update_page (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.reset-zoom", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.zoom-to-selection", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.unselect", FALSE);
}

GtkWidget *
dyno_chart_view_new (DynoChart *chart)
{
  return g_object_new (DYNO_TYPE_CHART_VIEW, "chart", chart, NULL);
}

DynoChart *
dyno_chart_view_get_chart (DynoChartView *self)
{
  g_return_val_if_fail (DYNO_IS_CHART_VIEW (self), NULL);
  return self->chart;
}

void
dyno_chart_view_set_chart (DynoChartView *self, DynoChart *chart)
{
  g_return_if_fail (DYNO_IS_CHART_VIEW (self));
  g_return_if_fail (chart == NULL || DYNO_IS_CHART (chart));

  if (self->chart == chart)
    return;

  if (self->chart != NULL)
    g_signal_handlers_disconnect_by_func (self->chart, chart_changed_cb, self);
  g_set_object (&self->chart, chart);
  dyno_chart_canvas_set_chart (self->canvas, chart);
  if (chart != NULL)
    {
      g_signal_connect_object (chart, "changed", G_CALLBACK (chart_changed_cb), self, G_CONNECT_SWAPPED);
      chart_changed_cb (self);
      dyno_chart_prepare_cases (chart);
    }
  update_legend (self);
  update_aspects (self);
  update_page (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHART]);
}

gboolean
dyno_chart_view_get_show_table (DynoChartView *self)
{
  g_return_val_if_fail (DYNO_IS_CHART_VIEW (self), FALSE);
  return self->show_table;
}

void
dyno_chart_view_set_show_table (DynoChartView *self, gboolean show_table)
{
  g_return_if_fail (DYNO_IS_CHART_VIEW (self));

  if (self->show_table == !!show_table)
    return;

  self->show_table = !!show_table;
  update_page (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_TABLE]);
}

gboolean
dyno_chart_view_show_row (DynoChartView *self, const char *text)
{
  g_return_val_if_fail (DYNO_IS_CHART_VIEW (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  dyno_chart_view_set_show_table (self, TRUE);
  return dyno_data_table_select_row (self->table, text);
}
