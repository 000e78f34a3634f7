/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

struct _DynoColumns
{
  GtkWidget parent_instance;

  int threshold;
  int spacing;
};

enum
{
  PROP_0,
  PROP_THRESHOLD,
  PROP_SPACING,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoColumns, dyno_columns, GTK_TYPE_WIDGET)

static GParamSpec *properties[N_PROPS];

static int
count_visible (DynoColumns *self)
{
  int n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += gtk_widget_should_layout (child) ? 1 : 0;
  return n;
}

/* Children that do not fit side by side are stacked, at any width. */
static int
column_width (DynoColumns *self, int width, int n_columns)
{
  int beside = (width - (n_columns - 1) * self->spacing) / MAX (n_columns, 1);
  int widest = 0;

  if (n_columns < 2 || width < dyno_narrow_bin_scale (GTK_WIDGET (self), self->threshold))
    return width;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int minimum = 0;

      if (gtk_widget_should_layout (child))
        gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
      widest = MAX (widest, minimum);
    }
  return beside < widest ? width : beside;
}

static void
measure_width (DynoColumns *self, int *minimum, int *natural)
{
  int n_columns = count_visible (self);

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int child_minimum, child_natural;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &child_minimum, &child_natural, NULL, NULL);
      *minimum = MAX (*minimum, child_minimum);
      *natural = MAX (*natural, child_natural);
    }
  *natural = MAX (*natural * n_columns + (n_columns - 1) * self->spacing, *minimum);
}

static void
measure_height (DynoColumns *self, int width, int *minimum, int *natural)
{
  int n_columns = count_visible (self);
  int child_width = width < 0 ? -1 : column_width (self, width, n_columns);
  gboolean stacked = width >= 0 && child_width == width; /* nothing is lower than side by side */
  int spacing = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int child_minimum, child_natural;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, child_width, &child_minimum, &child_natural, NULL,
                          NULL);
      *minimum = stacked ? *minimum + spacing + child_minimum : MAX (*minimum, child_minimum);
      *natural = stacked ? *natural + spacing + child_natural : MAX (*natural, child_natural);
      spacing = self->spacing;
    }
}

static void
dyno_columns_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  DynoColumns *self = DYNO_COLUMNS (widget);

  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    measure_width (self, minimum, natural);
  else
    measure_height (self, for_size, minimum, natural);
}

/* Stacks the children, each at its natural height if there is room. */
static void
allocate_stacked (DynoColumns *self, int width, int height)
{
  int n_children = count_visible (self);
  g_autofree GtkRequestedSize *sizes = g_new0 (GtkRequestedSize, n_children);
  int left = height - MAX (n_children - 1, 0) * self->spacing;
  GtkAllocation place = { 0, 0, width, 0 };
  int i = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      {
        gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &sizes[i].minimum_size,
                            &sizes[i].natural_size, NULL, NULL);
        left -= sizes[i++].minimum_size;
      }
  gtk_distribute_natural_allocation (MAX (left, 0), n_children, sizes);
  i = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      {
        place.height = sizes[i++].minimum_size;
        gtk_widget_size_allocate (child, &place, -1);
        place.y += place.height + self->spacing;
      }
}

static void
dyno_columns_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  DynoColumns *self = DYNO_COLUMNS (widget);
  int child_width = column_width (self, width, count_visible (self));

  if (child_width == width)
    allocate_stacked (self, width, height);
  else
    {
      gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
      GtkAllocation place = { rtl ? width - child_width : 0, 0, child_width, height };

      for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
           child = gtk_widget_get_next_sibling (child))
        if (gtk_widget_should_layout (child))
          {
            gtk_widget_size_allocate (child, &place, -1);
            place.x += (child_width + self->spacing) * (rtl ? -1 : 1);
          }
    }
}

static GtkSizeRequestMode
dyno_columns_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
dyno_columns_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (dyno_columns_parent_class)->dispose (object);
}

static void
dyno_columns_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoColumns *self = DYNO_COLUMNS (object);

  switch (prop_id)
    {
    case PROP_THRESHOLD:
      g_value_set_int (value, self->threshold);
      break;
    case PROP_SPACING:
      g_value_set_int (value, self->spacing);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_size (DynoColumns *self, int *size, int value, GParamSpec *pspec)
{
  if (*size == value)
    return;
  *size = value;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

static void
dyno_columns_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoColumns *self = DYNO_COLUMNS (object);

  switch (prop_id)
    {
    case PROP_THRESHOLD:
      set_size (self, &self->threshold, g_value_get_int (value), pspec);
      break;
    case PROP_SPACING:
      set_size (self, &self->spacing, g_value_get_int (value), pspec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_columns_class_init (DynoColumnsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = dyno_columns_dispose;
  object_class->get_property = dyno_columns_get_property;
  object_class->set_property = dyno_columns_set_property;
  widget_class->measure = dyno_columns_measure;
  widget_class->size_allocate = dyno_columns_size_allocate;
  widget_class->get_request_mode = dyno_columns_get_request_mode;

  properties[PROP_THRESHOLD] = g_param_spec_int ("threshold", NULL, NULL, 0, G_MAXINT, 800, flags);
  properties[PROP_SPACING] = g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT, 24, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
dyno_columns_init (DynoColumns *self)
{
  self->threshold = 800;
  self->spacing = 24;
}
