/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define MARKER_SIZE       3.0
#define MARKER_SPACING    6.0
#define DOT               2.0
#define LARGE_DOT         3.0
#define LARGE_DOT_SPACING 1.5

struct _DynoScatterLayer
{
  DynoLayer parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoScatterLayer, dyno_scatter_layer, DYNO_TYPE_LAYER)

/* Draws a dot on whole pixels: thousands of them are drawn at once. */
static void
add_dot (cairo_t *cr, double x, double y, double size)
{
  cairo_rectangle (cr, round (x - size / 2), round (y - size / 2), size, size);
}

static void
dyno_scatter_layer_render (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (self);
  g_autoptr (GArray) columns = dyno_plot_decimate (plot, series, 2);
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);
  guint slot = dyno_series_get_slot (series);
  const DynoColor *color = dyno_ink_get_color (style, slot);
  guint first, end;

  if (columns != NULL)
    {
      for (guint i = 0; i < columns->len; i++)
        {
          const DynoColumn *column = &g_array_index (columns, DynoColumn, i);
          double top = floor (dyno_plot_get_y (plot, column->most) - DOT / 2);
          double bottom = ceil (dyno_plot_get_y (plot, column->least) + DOT / 2);

          cairo_rectangle (cr, column->x, top, 1, bottom - top);
        }
      dyno_ink_set_faded (cr, color, style->high_contrast ? 0.7 : 0.4);
      cairo_fill (cr);
      for (guint i = 0; i < columns->len; i++)
        {
          const DynoColumn *column = &g_array_index (columns, DynoColumn, i);

          add_dot (cr, column->x, dyno_plot_get_y (plot, y[column->end - 1]), DOT);
        }
      dyno_ink_set (cr, color);
      cairo_fill (cr);
      return;
    }
  dyno_plot_get_visible_points (plot, series, &first, &end);
  double size = (end - first) * LARGE_DOT_SPACING <= plot->width ? LARGE_DOT : DOT;
  gboolean sparse = (end - first) * MARKER_SPACING <= plot->width;
  dyno_ink_set_faded (cr, color, style->high_contrast ? 1 : 0.8);
  for (guint i = first; i < end; i++)
    if (sparse)
      dyno_ink_draw_marker (cr, style, slot, dyno_plot_get_x (plot, x[i]), dyno_plot_get_y (plot, y[i]),
                            MARKER_SIZE);
    else
      add_dot (cr, dyno_plot_get_x (plot, x[i]), dyno_plot_get_y (plot, y[i]), size);
  cairo_fill (cr);
}

static void
dyno_scatter_layer_class_init (DynoScatterLayerClass *klass)
{
  DYNO_LAYER_CLASS (klass)->render = dyno_scatter_layer_render;
  DYNO_LAYER_CLASS (klass)->pick = dyno_layer_pick_nearest;
}

static void
dyno_scatter_layer_init (DynoScatterLayer *self)
{
}

DynoLayer *
dyno_scatter_layer_new (DynoSeries *series)
{
  return dyno_layer_new (DYNO_TYPE_SCATTER_LAYER, series, DYNO_MARK_DOT);
}
