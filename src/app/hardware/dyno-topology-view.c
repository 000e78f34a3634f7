/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "dyno-app-hardware-private.h"
#include "dyno-compat.h"

#define PADDING        8
#define SPACING        6
#define RADIUS         8
#define THREAD_WIDTH   30
#define THREAD_HEIGHT  22
#define DIMMED_OPACITY 0.45

struct _DynoTopologyView
{
  GtkWidget parent_instance;

  DynoTopologyNode *node;
  GArray *boxes;
  int boxes_width;
  int boxes_height;
  guint cursor; /* the box under the keyboard cursor; 0, the machine, for none */
};

/* The position of a node; parents come before their children. */
typedef struct
{
  const DynoTopologyNode *node;
  int x;
  int y;
  int width;
  int height;
} Box;

typedef struct
{
  GdkRGBA foreground;
  GdkRGBA accent;
  GdkRGBA focus;
  double border;
} Palette;

enum
{
  PROP_0,
  PROP_NODE,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoTopologyView, dyno_topology_view, GTK_TYPE_WIDGET)

static GParamSpec *properties[N_PROPS];

static PangoLayout *
create_layout (DynoTopologyView *self, const char *text, int width)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, width * PANGO_SCALE);
  return layout;
}

static Box place (DynoTopologyView *self, GArray *boxes, const DynoTopologyNode *node, int available);

/* Lines up the children at @left and @top, wrapping at @available; returns their size. */
static GtkRequisition
place_children (
    DynoTopologyView *self, GArray *boxes, const DynoTopologyNode *node, int left, int top, int available)
{
  GtkRequisition taken = { 0, 0 };
  int x = 0;
  int y = 0;
  int line_height = 0;

  for (guint i = 0; i < node->children->len; i++)
    {
      guint first = boxes->len;
      Box child = place (self, boxes, g_ptr_array_index (node->children, i), available);

      if (x > 0 && x + child.width > available)
        {
          x = 0;
          y += line_height + SPACING;
          line_height = 0;
        }
      for (guint k = first; k < boxes->len; k++)
        {
          g_array_index (boxes, Box, k).x += left + x;
          g_array_index (boxes, Box, k).y += top + y;
        }
      taken.width = MAX (taken.width, x + child.width);
      x += child.width + SPACING;
      line_height = MAX (line_height, child.height);
    }
  taken.height = y + line_height;
  return taken;
}

/* Appends the boxes of @node and of its descendants, at the origin; returns the outer box. */
static Box
place (DynoTopologyView *self, GArray *boxes, const DynoTopologyNode *node, int available)
{
  Box box = { node, 0, 0, THREAD_WIDTH, THREAD_HEIGHT };
  guint index = boxes->len;
  int padding = node->kind == DYNO_TOPOLOGY_MACHINE ? 0 : PADDING;
  GtkRequisition inside;
  int label_width = 0;
  int label_height = 0;

  g_array_append_val (boxes, box);
  if (node->kind == DYNO_TOPOLOGY_THREAD)
    return box;
  if (node->label != NULL)
    {
      g_autoptr (PangoLayout) layout = create_layout (self, node->label, -1);

      pango_layout_set_width (layout, -1);
      pango_layout_get_pixel_size (layout, &label_width, &label_height);
    }
  label_height += label_height > 0 ? SPACING : 0;
  inside = place_children (self, boxes, node, padding, padding + label_height, available - 2 * padding);
  box.width = MAX (inside.width, MIN (label_width, available - 2 * padding)) + 2 * padding;
  box.height = inside.height + label_height + 2 * padding;
  g_array_index (boxes, Box, index) = box;
  return box;
}

static void
ensure_boxes (DynoTopologyView *self, int width)
{
  if (self->boxes != NULL && self->boxes_width == width)
    return;
  g_clear_pointer (&self->boxes, g_array_unref);
  self->boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  self->boxes_width = width;
  self->boxes_height = self->node != NULL ? place (self, self->boxes, self->node, width).height : 0;
}

static void
dyno_topology_view_measure (GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  DynoTopologyView *self = DYNO_TOPOLOGY_VIEW (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 10 * PADDING + 4 * THREAD_WIDTH;
      *natural = 640;
      return;
    }
  ensure_boxes (self, for_size >= 0 ? for_size : 640);
  *minimum = *natural = self->boxes_height;
}

static GtkSizeRequestMode
dyno_topology_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static GdkRGBA
fade (const GdkRGBA *color, double alpha)
{
  GdkRGBA faded = *color;

  faded.alpha *= alpha;
  return faded;
}

/* Unusable parts are struck through, so that they differ in more than their shade. */
static void
draw_strike (GtkSnapshot *snapshot, const Box *box, const Palette *palette)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (box->x, box->y, box->width, box->height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  GdkRGBA line = fade (&palette->foreground, 0.6);

  gdk_cairo_set_source_rgba (cr, &line);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, box->x + 4, box->y + box->height - 4);
  cairo_line_to (cr, box->x + box->width - 4, box->y + 4);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_box (DynoTopologyView *self, GtkSnapshot *snapshot, const Box *box, const Palette *palette)
{
  gboolean dimmed = !box->node->usable;

  if (dimmed)
    gtk_snapshot_push_opacity (snapshot, DIMMED_OPACITY);

  gboolean is_thread = box->node->kind == DYNO_TOPOLOGY_THREAD;
  float radius = is_thread ? RADIUS / 2 : RADIUS;
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (box->x + 0.5f, box->y + 0.5f, box->width - 1, box->height - 1);
  gboolean computes = is_thread || box->node->kind == DYNO_TOPOLOGY_DEVICE;
  GdkRGBA fill =
      computes && box->node->usable ? fade (&palette->accent, 0.3) : fade (&palette->foreground, 0.04);
  GdkRGBA line = fade (&palette->foreground, palette->border);
  GskRoundedRect outline;
  gsk_rounded_rect_init_from_rect (&outline, &bounds, radius);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &fill, &bounds);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &outline, (float[]){ 1, 1, 1, 1 },
                              (GdkRGBA[]){ line, line, line, line });

  int padding = is_thread ? 0 : PADDING;
  g_autoptr (PangoLayout) layout = create_layout (self, box->node->label, box->width - 2 * padding);
  int height;
  pango_layout_get_pixel_size (layout, NULL, &height);
  pango_layout_set_alignment (layout, is_thread ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot,
      &GRAPHENE_POINT_INIT (box->x + padding, box->y + (is_thread ? (box->height - height) / 2 : padding)));
  gtk_snapshot_append_layout (snapshot, layout, &palette->foreground);
  gtk_snapshot_restore (snapshot);

  if (dimmed && box->node->kind == DYNO_TOPOLOGY_THREAD)
    draw_strike (snapshot, box, palette);
  if (dimmed)
    gtk_snapshot_pop (snapshot);
}

static const DynoTopologyNode *get_cursor_node (DynoTopologyView *self);

static void
dyno_topology_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  DynoTopologyView *self = DYNO_TOPOLOGY_VIEW (widget);
  Palette palette;

  ensure_boxes (self, gtk_widget_get_width (widget));

  AdwStyleManager *manager = adw_style_manager_get_default ();
  dyno_compat_lookup_color (GTK_WIDGET (self), "window_fg_color", &palette.foreground);
  dyno_compat_lookup_color (GTK_WIDGET (self), "accent_bg_color", &palette.accent);
  dyno_compat_lookup_color (GTK_WIDGET (self), "dyno_focus", &palette.focus);
  palette.border = adw_style_manager_get_high_contrast (manager) ? 0.9 : 0.25;

  for (guint i = 0; i < self->boxes->len; i++)
    {
      const Box *box = &g_array_index (self->boxes, Box, i);

      if (box->node->kind != DYNO_TOPOLOGY_MACHINE)
        draw_box (self, snapshot, box, &palette);
    }
  if (gtk_widget_has_visible_focus (widget) && get_cursor_node (self) != NULL)
    {
      const Box *box = &g_array_index (self->boxes, Box, self->cursor);
      graphene_rect_t bounds = GRAPHENE_RECT_INIT (box->x, box->y, box->width, box->height);
      GdkRGBA line = palette.focus;
      GskRoundedRect outline;

      gsk_rounded_rect_init_from_rect (&outline, &bounds, RADIUS);
      gtk_snapshot_append_border (snapshot, &outline, (float[]){ 2, 2, 2, 2 },
                                  (GdkRGBA[]){ line, line, line, line });
    }
}

static char *
describe_node (const DynoTopologyNode *node)
{
  g_autofree char *name = NULL;

  /* Translators: %s is the number of a hardware thread */
  name = node->kind == DYNO_TOPOLOGY_THREAD ? g_strdup_printf (_ ("Thread %s"), node->label)
                                            : g_strdup (node->label);
  if (node->usable)
    return g_steal_pointer (&name);
  /* Translators: %s names a part of the machine, such as “Core 3” */
  return g_strdup_printf (_ ("%s: not available to Dyno"), name);
}

/* Keyboard */

static const DynoTopologyNode *
get_cursor_node (DynoTopologyView *self)
{
  ensure_boxes (self, gtk_widget_get_width (GTK_WIDGET (self)));
  if (self->cursor == 0 || self->cursor >= self->boxes->len)
    return NULL;
  return g_array_index (self->boxes, Box, self->cursor).node;
}

/* Boxes are in the order of the tree, so the next one is inside or beside. */
static gboolean
move_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  DynoTopologyView *self = DYNO_TOPOLOGY_VIEW (widget);
  int step = g_variant_get_int32 (args);

  ensure_boxes (self, gtk_widget_get_width (widget));
  if ((int)self->cursor + step < 1 || self->cursor + step >= self->boxes->len)
    return GDK_EVENT_PROPAGATE;

  self->cursor += step;
  const DynoTopologyNode *node = get_cursor_node (self);
  g_autofree char *text = node != NULL ? describe_node (node) : g_strdup ("");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));

  return GDK_EVENT_STOP;
}

static gboolean
dyno_topology_view_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  DynoTopologyView *self = DYNO_TOPOLOGY_VIEW (widget);
  const DynoTopologyNode *node = keyboard ? get_cursor_node (self) : NULL;
  g_autofree char *text = NULL;

  if (!keyboard)
    {
      ensure_boxes (self, gtk_widget_get_width (widget));
      for (guint i = 0; i < self->boxes->len; i++)
        {
          const Box *box = &g_array_index (self->boxes, Box, i);

          if (x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height)
            node = box->node;
        }
    }
  if (node == NULL || node->label == NULL)
    return FALSE;
  text = describe_node (node);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* The fonts may have changed. */
static void
dyno_topology_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (dyno_topology_view_parent_class)->css_changed (widget, change);

  g_clear_pointer (&DYNO_TOPOLOGY_VIEW (widget)->boxes, g_array_unref);
  gtk_widget_queue_resize (widget);
}

static void
dyno_topology_view_finalize (GObject *object)
{
  DynoTopologyView *self = DYNO_TOPOLOGY_VIEW (object);

  g_clear_pointer (&self->boxes, g_array_unref);
  g_clear_pointer (&self->node, dyno_topology_node_unref);

  G_OBJECT_CLASS (dyno_topology_view_parent_class)->finalize (object);
}

static void
dyno_topology_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoTopologyView *self = DYNO_TOPOLOGY_VIEW (object);

  switch (prop_id)
    {
    case PROP_NODE:
      g_value_set_boxed (value, self->node);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_topology_view_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoTopologyView *self = DYNO_TOPOLOGY_VIEW (object);

  switch (prop_id)
    {
    case PROP_NODE:
      dyno_topology_view_set_node (self, g_value_get_boxed (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_topology_view_class_init (DynoTopologyViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->finalize = dyno_topology_view_finalize;
  object_class->get_property = dyno_topology_view_get_property;
  object_class->set_property = dyno_topology_view_set_property;
  widget_class->measure = dyno_topology_view_measure;
  widget_class->get_request_mode = dyno_topology_view_get_request_mode;
  widget_class->snapshot = dyno_topology_view_snapshot;
  widget_class->query_tooltip = dyno_topology_view_query_tooltip;
  widget_class->css_changed = dyno_topology_view_css_changed;

  properties[PROP_NODE] =
      g_param_spec_boxed ("node", NULL, NULL, DYNO_TYPE_TOPOLOGY_NODE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  static const guint back[] = { GDK_KEY_Left, GDK_KEY_KP_Left };
  static const guint forward[] = { GDK_KEY_Right, GDK_KEY_KP_Right };
  for (guint i = 0; i < G_N_ELEMENTS (back); i++)
    {
      gtk_widget_class_add_binding (widget_class, back[i], 0, move_cb, "i", -1);
      gtk_widget_class_add_binding (widget_class, forward[i], 0, move_cb, "i", 1);
    }

  gtk_widget_class_set_css_name (widget_class, "topology");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
dyno_topology_view_init (DynoTopologyView *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Topology"), -1);
}

DynoTopologyNode *
dyno_topology_view_get_node (DynoTopologyView *self)
{
  g_return_val_if_fail (DYNO_IS_TOPOLOGY_VIEW (self), NULL);
  return self->node;
}

void
dyno_topology_view_set_node (DynoTopologyView *self, DynoTopologyNode *node)
{
  g_autofree char *description = NULL;

  g_return_if_fail (DYNO_IS_TOPOLOGY_VIEW (self));

  if (self->node == node)
    return;
  g_clear_pointer (&self->boxes, g_array_unref);
  g_clear_pointer (&self->node, dyno_topology_node_unref);
  self->cursor = 0;
  self->node = node != NULL ? dyno_topology_node_ref (node) : NULL;
  description = node != NULL ? dyno_topology_node_describe (node) : g_strdup (_ ("Topology"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, description, -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NODE]);
}
