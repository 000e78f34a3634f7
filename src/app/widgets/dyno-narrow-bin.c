/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

/* GNOME supports no smaller width. */
#define SMALLEST_WIDTH 360

/* In the unit of `gtk-xft-dpi`. */
#define USUAL_DPI (96 * 1024.0)

struct _DynoNarrowBin
{
  GtkWidget parent_instance;

  GtkWidget *child;
  int threshold;
  gboolean narrow;
  guint idle_id;
};

enum
{
  PROP_0,
  PROP_CHILD,
  PROP_THRESHOLD,
  PROP_NARROW,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoNarrowBin, dyno_narrow_bin, GTK_TYPE_WIDGET)

static GParamSpec *properties[N_PROPS];

static gboolean
flip_cb (gpointer user_data)
{
  DynoNarrowBin *self = user_data;

  self->idle_id = 0;
  self->narrow = !self->narrow;
  if (self->narrow)
    gtk_widget_add_css_class (GTK_WIDGET (self), "narrow");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "narrow");
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NARROW]);
  return G_SOURCE_REMOVE;
}

static void
dyno_narrow_bin_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  DynoNarrowBin *self = DYNO_NARROW_BIN (widget);
  int child_width = 0;

  *minimum = *natural = 0;
  if (self->child == NULL || !gtk_widget_should_layout (self->child))
    return;

  gtk_widget_measure (self->child, GTK_ORIENTATION_HORIZONTAL, -1, &child_width, NULL, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL && for_size != -1)
    for_size = MAX (for_size, child_width);
  gtk_widget_measure (self->child, orientation, for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = MIN (*minimum, SMALLEST_WIDTH);
}

static void
dyno_narrow_bin_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  DynoNarrowBin *self = DYNO_NARROW_BIN (widget);
  int child_width, child_height;

  if (width > 0)
    {
      gboolean narrow = width < dyno_narrow_bin_scale (widget, self->threshold);

      /* Widgets bound to `narrow` change the layout, which is not allowed during a layout. */
      g_clear_handle_id (&self->idle_id, g_source_remove);
      if (narrow != self->narrow)
        self->idle_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, flip_cb, self, NULL);
    }
  if (self->child == NULL || !gtk_widget_should_layout (self->child))
    return;

  gtk_widget_measure (self->child, GTK_ORIENTATION_HORIZONTAL, -1, &child_width, NULL, NULL, NULL);
  child_width = MAX (child_width, width);
  gtk_widget_measure (self->child, GTK_ORIENTATION_VERTICAL, child_width, &child_height, NULL, NULL, NULL);
  gtk_widget_allocate (self->child, child_width, MAX (child_height, height), baseline, NULL);
}

static GtkSizeRequestMode
dyno_narrow_bin_get_request_mode (GtkWidget *widget)
{
  DynoNarrowBin *self = DYNO_NARROW_BIN (widget);

  return self->child != NULL ? gtk_widget_get_request_mode (self->child) : GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
dyno_narrow_bin_dispose (GObject *object)
{
  DynoNarrowBin *self = DYNO_NARROW_BIN (object);

  g_clear_handle_id (&self->idle_id, g_source_remove);
  g_clear_pointer (&self->child, gtk_widget_unparent);

  G_OBJECT_CLASS (dyno_narrow_bin_parent_class)->dispose (object);
}

static void
dyno_narrow_bin_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoNarrowBin *self = DYNO_NARROW_BIN (object);

  switch (prop_id)
    {
    case PROP_CHILD:
      g_value_set_object (value, self->child);
      break;
    case PROP_THRESHOLD:
      g_value_set_int (value, self->threshold);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_narrow_bin_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoNarrowBin *self = DYNO_NARROW_BIN (object);

  switch (prop_id)
    {
    case PROP_CHILD:
      dyno_narrow_bin_set_child (self, g_value_get_object (value));
      break;
    case PROP_THRESHOLD:
      dyno_narrow_bin_set_threshold (self, g_value_get_int (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_narrow_bin_class_init (DynoNarrowBinClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_narrow_bin_dispose;
  object_class->get_property = dyno_narrow_bin_get_property;
  object_class->set_property = dyno_narrow_bin_set_property;
  widget_class->measure = dyno_narrow_bin_measure;
  widget_class->size_allocate = dyno_narrow_bin_size_allocate;
  widget_class->get_request_mode = dyno_narrow_bin_get_request_mode;

  properties[PROP_CHILD] =
      g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_THRESHOLD] =
      g_param_spec_int ("threshold", NULL, NULL, 0, G_MAXINT, 600,
                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_narrow_bin_init (DynoNarrowBin *self)
{
  self->threshold = 600;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

double
dyno_narrow_bin_scale (GtkWidget *widget, int width)
{
  int dpi;

  g_return_val_if_fail (GTK_IS_WIDGET (widget), width);

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return width * (dpi > 0 ? dpi / USUAL_DPI : 1);
}

GtkWidget *
dyno_narrow_bin_new (void)
{
  return g_object_new (DYNO_TYPE_NARROW_BIN, NULL);
}

GtkWidget *
dyno_narrow_bin_get_child (DynoNarrowBin *self)
{
  g_return_val_if_fail (DYNO_IS_NARROW_BIN (self), NULL);
  return self->child;
}

void
dyno_narrow_bin_set_child (DynoNarrowBin *self, GtkWidget *child)
{
  g_return_if_fail (DYNO_IS_NARROW_BIN (self));
  g_return_if_fail (child == NULL || GTK_IS_WIDGET (child));

  if (self->child == child)
    return;

  g_clear_pointer (&self->child, gtk_widget_unparent);
  self->child = child;
  if (child != NULL)
    gtk_widget_set_parent (child, GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHILD]);
}

void
dyno_narrow_bin_set_threshold (DynoNarrowBin *self, int threshold)
{
  g_return_if_fail (DYNO_IS_NARROW_BIN (self));
  g_return_if_fail (threshold >= 0);

  if (self->threshold == threshold)
    return;

  self->threshold = threshold;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_THRESHOLD]);
}

gboolean
dyno_narrow_bin_get_narrow (DynoNarrowBin *self)
{
  g_return_val_if_fail (DYNO_IS_NARROW_BIN (self), FALSE);
  return self->narrow;
}
