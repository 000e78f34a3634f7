/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define MARKER_SIZE 4.0
#define RING_RADIUS 7.0
/* Half the height of the stroke, as a share of the row height, and of the end of a whisker in px. */
#define STROKE_SHARE 0.3
#define MAX_STROKE   12.0
#define CAP          5.0

struct _DynoSpreadLayer
{
  DynoLayer parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoSpreadLayer, dyno_spread_layer, DYNO_TYPE_LAYER)

static void
dyno_spread_layer_locate (DynoLayer *layer, const DynoPlot *plot, guint point, double *x, double *y)
{
  DynoSeries *series = dyno_layer_get_series (layer);

  *x = dyno_plot_get_x (plot, dyno_series_get_y (series)[point]);
  *y = dyno_plot_get_y (plot, round (dyno_series_get_x (series)[point]));
}

static void
add_cap (cairo_t *cr, double x, double middle)
{
  cairo_move_to (cr, x, middle - CAP);
  cairo_line_to (cr, x, middle + CAP);
}

static void
dyno_spread_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      double x, middle, low, high;

      dyno_spread_layer_locate (layer, plot, i, &x, &middle);
      if (dyno_series_get_band (series, i, &low, &high))
        {
          double row_height = fabs (dyno_plot_get_y (plot, 1) - dyno_plot_get_y (plot, 0));
          double half = MIN (row_height * STROKE_SHARE, MAX_STROKE);

          low = dyno_plot_get_x (plot, low);
          high = dyno_plot_get_x (plot, high);
          cairo_move_to (cr, low, middle);
          cairo_line_to (cr, high, middle);
          add_cap (cr, low, middle);
          add_cap (cr, high, middle);
          dyno_ink_stroke_over (cr, style, style->high_contrast ? 2 : 1.25, NULL, 0);
          cairo_move_to (cr, round (x), middle - half);
          cairo_line_to (cr, round (x), middle + half);
          dyno_ink_stroke_over (cr, style, 2, NULL, 0);
          continue;
        }
      dyno_ink_draw_marker (cr, style, dyno_series_get_slot (series), x, middle, MARKER_SIZE);
      dyno_ink_draw_ring (cr, style, dyno_series_get_doubt (series, i), x, middle, RING_RADIUS);
    }
}

static gboolean
dyno_spread_layer_pick (
    DynoLayer *layer, const DynoPlot *plot, double x, double y, guint *point, double *distance)
{
  guint length = dyno_series_get_length (dyno_layer_get_series (layer));

  *distance = INFINITY;
  for (guint i = 0; i < length; i++)
    {
      double point_x, point_y;

      dyno_spread_layer_locate (layer, plot, i, &point_x, &point_y);
      if (dyno_plot_contains (plot, point_x, point_y) && hypot (point_x - x, point_y - y) < *distance)
        {
          *distance = hypot (point_x - x, point_y - y);
          *point = i;
        }
    }
  return isfinite (*distance);
}

static void
dyno_spread_layer_class_init (DynoSpreadLayerClass *klass)
{
  DYNO_LAYER_CLASS (klass)->render = dyno_spread_layer_render;
  DYNO_LAYER_CLASS (klass)->pick = dyno_spread_layer_pick;
  DYNO_LAYER_CLASS (klass)->locate = dyno_spread_layer_locate;
}

static void
dyno_spread_layer_init (DynoSpreadLayer *self)
{
}

DynoLayer *
dyno_spread_layer_new (DynoSeries *series)
{
  return dyno_layer_new (DYNO_TYPE_SPREAD_LAYER, series,
                         dyno_series_has_band (series) ? DYNO_MARK_LIMIT : DYNO_MARK_DOT);
}
