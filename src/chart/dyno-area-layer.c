/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-area-layer.h"
#include "dyno-ink.h"

struct _DynoAreaLayer
{
  DynoLayer parent_instance;

  gboolean filled;
};

G_DEFINE_FINAL_TYPE (DynoAreaLayer, dyno_area_layer, DYNO_TYPE_LAYER)

static void
add_steps (DynoSeries *series, cairo_t *cr, const DynoPlot *plot)
{
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);
  guint first, end;

  dyno_plot_get_visible_points (plot, series, &first, &end);
  for (guint i = first; i < end; i++)
    {
      double here = dyno_plot_get_x (plot, x[i]);

      if (i > first)
        cairo_line_to (cr, here, dyno_plot_get_y (plot, y[i - 1]));
      cairo_line_to (cr, here, dyno_plot_get_y (plot, y[i]));
    }
}

static void
add_columns (DynoSeries *series, GArray *columns, cairo_t *cr, const DynoPlot *plot)
{
  const double *y = dyno_series_get_y (series);

  for (guint i = 0; i < columns->len; i++)
    {
      const DynoColumn *column = &g_array_index (columns, DynoColumn, i);

      cairo_line_to (cr, column->x, dyno_plot_get_y (plot, column->least));
      cairo_line_to (cr, column->x, dyno_plot_get_y (plot, column->most));
      cairo_line_to (cr, column->x + 1, dyno_plot_get_y (plot, y[column->end - 1]));
    }
}

static void
fill_down (cairo_t *cr, const DynoPlot *plot, const DynoColor *color, double alpha)
{
  cairo_path_t *line = cairo_copy_path (cr);
  double left, top, right, bottom;

  cairo_path_extents (cr, &left, &top, &right, &bottom);
  cairo_line_to (cr, right, plot->y + plot->height);
  cairo_line_to (cr, left, plot->y + plot->height);
  cairo_close_path (cr);
  dyno_ink_set_faded (cr, color, alpha);
  cairo_fill (cr);
  cairo_append_path (cr, line);
  cairo_path_destroy (line);
}

static void
dyno_area_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoAreaLayer *self = DYNO_AREA_LAYER (layer);
  DynoSeries *series = dyno_layer_get_series (layer);
  g_autoptr (GArray) columns = dyno_plot_decimate (plot, series);
  guint slot = dyno_series_get_slot (series);

  if (columns != NULL)
    add_columns (series, columns, cr, plot);
  else
    add_steps (series, cr, plot);
  if (self->filled)
    fill_down (cr, plot, dyno_ink_get_color (style, slot), style->high_contrast ? 0.3 : 0.18);
  dyno_ink_set_line (cr, style, slot, !self->filled);
  cairo_stroke (cr);
}

static void
dyno_area_layer_class_init (DynoAreaLayerClass *klass)
{
  DYNO_LAYER_CLASS (klass)->render = dyno_area_layer_render;
  DYNO_LAYER_CLASS (klass)->pick = dyno_layer_pick_nearest;
}

static void
dyno_area_layer_init (DynoAreaLayer *self)
{
}

/**
 * dyno_area_layer_new:
 * @series: what to draw
 * @filled: whether to tint down to zero; several areas would hide each other
 *
 * Returns: (transfer full): a layer
 */
DynoLayer *
dyno_area_layer_new (DynoSeries *series, gboolean filled)
{
  DynoAreaLayer *self = g_object_new (DYNO_TYPE_AREA_LAYER, NULL);

  self->filled = filled;
  dyno_layer_set_series (DYNO_LAYER (self), series);
  return DYNO_LAYER (self);
}
