/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"

/* In long series, only points this close to the pointer are examined. */
#define SHORT_SERIES 4096
#define REACH        24.0

typedef struct
{
  DynoSeries *series;
  gboolean lower;
  guint panel;
} DynoLayerPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (DynoLayer, dyno_layer, G_TYPE_OBJECT)

static void
dyno_layer_real_locate (DynoLayer *self, const DynoPlot *plot, guint point, double *x, double *y)
{
  DynoSeries *series = dyno_layer_get_series (self);

  *x = dyno_plot_get_x (plot, dyno_series_get_x (series)[point]);
  *y = dyno_plot_get_y (plot, dyno_series_get_y (series)[point]);
}

static void
dyno_layer_finalize (GObject *object)
{
  DynoLayerPrivate *priv = dyno_layer_get_instance_private (DYNO_LAYER (object));

  g_clear_object (&priv->series);

  G_OBJECT_CLASS (dyno_layer_parent_class)->finalize (object);
}

static void
dyno_layer_class_init (DynoLayerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_layer_finalize;
  klass->locate = dyno_layer_real_locate;
}

static void
dyno_layer_init (DynoLayer *self)
{
}

DynoSeries *
dyno_layer_get_series (DynoLayer *self)
{
  DynoLayerPrivate *priv = dyno_layer_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_LAYER (self), NULL);
  return priv->series;
}

gpointer
dyno_layer_new (GType type, DynoSeries *series, DynoMark mark)
{
  DynoLayer *self = g_object_new (type, NULL);
  DynoLayerPrivate *priv = dyno_layer_get_instance_private (self);

  dyno_series_set_mark (series, mark);
  priv->series = g_object_ref (series);
  return self;
}

gboolean
dyno_layer_has_points (DynoLayer *self)
{
  DynoSeries *series = dyno_layer_get_series (self);

  return series != NULL && DYNO_LAYER_GET_CLASS (self)->pick != NULL && dyno_series_get_visible (series) &&
         dyno_series_get_length (series) > 0;
}

gboolean
dyno_layer_is_lower (DynoLayer *self)
{
  DynoLayerPrivate *priv = dyno_layer_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_LAYER (self), FALSE);
  return priv->lower;
}

void
dyno_layer_set_lower (DynoLayer *self, gboolean lower)
{
  DynoLayerPrivate *priv = dyno_layer_get_instance_private (self);

  g_return_if_fail (DYNO_IS_LAYER (self));
  priv->lower = lower;
}

guint
dyno_layer_get_panel (DynoLayer *self)
{
  DynoLayerPrivate *priv = dyno_layer_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_LAYER (self), 0);
  return priv->panel;
}

void
dyno_layer_set_panel (DynoLayer *self, guint panel)
{
  DynoLayerPrivate *priv = dyno_layer_get_instance_private (self);

  g_return_if_fail (DYNO_IS_LAYER (self));
  priv->panel = panel;
}

static gboolean
is_seen (DynoLayer *self)
{
  DynoSeries *series = dyno_layer_get_series (self);

  return series == NULL || (dyno_series_get_visible (series) && dyno_series_get_length (series) > 0);
}

void
dyno_layer_render (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  if (!is_seen (self))
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  DYNO_LAYER_GET_CLASS (self)->render (self, cr, plot, style);
  cairo_restore (cr);
}

void
dyno_layer_annotate (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  if (DYNO_LAYER_GET_CLASS (self)->annotate != NULL && is_seen (self))
    DYNO_LAYER_GET_CLASS (self)->annotate (self, cr, plot, style);
}

gboolean
dyno_layer_pick (DynoLayer *self, const DynoPlot *plot, double x, double y, guint *point, double *distance)
{
  return dyno_layer_has_points (self) &&
         DYNO_LAYER_GET_CLASS (self)->pick (self, plot, x, y, point, distance);
}

void
dyno_layer_locate (DynoLayer *self, const DynoPlot *plot, guint point, double *x, double *y)
{
  DYNO_LAYER_GET_CLASS (self)->locate (self, plot, point, x, y);
}

gboolean
dyno_layer_pick_nearest (
    DynoLayer *self, const DynoPlot *plot, double x, double y, guint *point, double *distance)
{
  DynoSeries *series = dyno_layer_get_series (self);
  double low, high;
  guint first, end;

  *distance = INFINITY;
  dyno_axis_get_visible (plot->x_axis, &low, &high);
  if (dyno_series_get_length (series) > SHORT_SERIES)
    {
      low = MAX (low, dyno_plot_get_x_value (plot, x - REACH));
      high = MIN (high, dyno_plot_get_x_value (plot, x + REACH));
    }
  dyno_series_find_range (series, low, high, &first, &end);
  for (guint i = first; i < end; i++)
    {
      double point_x, point_y;

      dyno_layer_locate (self, plot, i, &point_x, &point_y);
      double here = hypot (point_x - x, point_y - y);
      if (here < *distance && dyno_plot_contains (plot, point_x, point_y))
        {
          *distance = here;
          *point = i;
        }
    }
  return isfinite (*distance);
}

/* Draws a box per column, from its minimum to its maximum and to the end of the previous column: far faster
 * than a line, and it looks the same. */
void
dyno_layer_draw_columns (
    DynoSeries *series, GArray *columns, cairo_t *cr, const DynoPlot *plot, double thickness)
{
  const double *y = dyno_series_get_y (series);

  for (guint i = 0; i < columns->len; i++)
    {
      const DynoColumn *column = &g_array_index (columns, DynoColumn, i);
      double before = y[column->first > 0 ? column->first - 1 : 0];
      double top = dyno_plot_get_y (plot, MAX (column->most, before));
      double bottom = dyno_plot_get_y (plot, MIN (column->least, before));

      cairo_rectangle (cr, column->x, top - thickness / 2, column->width, bottom - top + thickness);
    }
  cairo_fill (cr);
}
