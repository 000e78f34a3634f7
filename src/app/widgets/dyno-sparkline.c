/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

#define MAX_POINTS 60
#define WIDTH      72
#define HEIGHT     24
#define MARGIN     2

struct _DynoSparkline
{
  GtkWidget parent_instance;

  double values[MAX_POINTS]; /* the newest last; NaN for missing ones */
  guint n_values;
};

G_DEFINE_FINAL_TYPE (DynoSparkline, dyno_sparkline, GTK_TYPE_WIDGET)

static void
trace_line (DynoSparkline *self, cairo_t *cr, double width, double height)
{
  double lowest = INFINITY;
  double highest = -INFINITY;
  double step = (width - 2 * MARGIN) / (MAX_POINTS - 1);
  double start = width - MARGIN - step * (self->n_values - 1);

  for (guint i = 0; i < self->n_values; i++)
    if (isfinite (self->values[i]))
      {
        lowest = MIN (lowest, self->values[i]);
        highest = MAX (highest, self->values[i]);
      }
  if (lowest > highest)
    return;
  for (guint i = 0; i < self->n_values; i++)
    {
      /* A constant line is in the middle. */
      double share = highest > lowest ? (self->values[i] - lowest) / (highest - lowest) : 0.5;

      if (!isfinite (self->values[i]))
        cairo_new_sub_path (cr);
      else
        cairo_line_to (cr, start + step * i, height - MARGIN - share * (height - 2 * MARGIN));
    }
}

static void
dyno_sparkline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  GdkRGBA color;

  if (dyno_compat_lookup_color (widget, "accent_color", &color))
    gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1.5);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  trace_line (DYNO_SPARKLINE (widget), cr, width, height);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
dyno_sparkline_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

static void
dyno_sparkline_class_init (DynoSparklineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = dyno_sparkline_snapshot;
  widget_class->measure = dyno_sparkline_measure;

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
dyno_sparkline_init (DynoSparkline *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

GtkWidget *
dyno_sparkline_new (void)
{
  return g_object_new (DYNO_TYPE_SPARKLINE, NULL);
}

void
dyno_sparkline_push (DynoSparkline *self, double value)
{
  g_return_if_fail (DYNO_IS_SPARKLINE (self));

  if (self->n_values == MAX_POINTS)
    memmove (self->values, self->values + 1, (MAX_POINTS - 1) * sizeof (double));
  else
    self->n_values++;
  self->values[self->n_values - 1] = value;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
dyno_sparkline_set_trace (DynoSparkline *self, DynoTrace *trace)
{
  gsize length = trace != NULL ? dyno_trace_get_length (trace) : 0;
  gsize n = MIN (length, MAX_POINTS);

  g_return_if_fail (DYNO_IS_SPARKLINE (self));

  for (gsize i = 0; i < n; i++)
    self->values[i] = dyno_trace_get_values (trace)[length - n + i];
  self->n_values = (guint)n;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint
dyno_sparkline_get_length (DynoSparkline *self)
{
  g_return_val_if_fail (DYNO_IS_SPARKLINE (self), 0);
  return self->n_values;
}
