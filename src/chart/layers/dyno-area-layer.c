/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

/* Long step paths are slow to draw. */
#define MAX_DENSITY    0.5
#define MARKER_SPACING 96.0
#define MARKER_SIZE    4.0

struct _DynoAreaLayer
{
  DynoLayer parent_instance;

  gboolean filled;
};

G_DEFINE_FINAL_TYPE (DynoAreaLayer, dyno_area_layer, DYNO_TYPE_LAYER)

static double
get_tint (const DynoChartStyle *style)
{
  return style->high_contrast ? 0.3 : 0.18;
}

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
draw_columns (
    DynoAreaLayer *self, GArray *columns, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (DYNO_LAYER (self));
  const DynoColor *color = dyno_ink_get_color (style, dyno_series_get_slot (series));

  for (guint i = 0; i < columns->len && self->filled; i++)
    {
      const DynoColumn *column = &g_array_index (columns, DynoColumn, i);
      double top = round (dyno_plot_get_y (plot, column->most));

      cairo_rectangle (cr, column->x, top, column->width, plot->y + plot->height - top);
    }
  dyno_ink_set_faded (cr, color, get_tint (style));
  cairo_fill (cr);
  dyno_ink_set (cr, color);
  dyno_layer_draw_columns (series, columns, cr, plot, style->line_width);
}

static void
dyno_area_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoAreaLayer *self = DYNO_AREA_LAYER (layer);
  DynoSeries *series = dyno_layer_get_series (layer);
  guint slot = dyno_series_get_slot (series);
  g_autoptr (GArray) columns = dyno_plot_decimate (plot, series, MAX_DENSITY);

  if (columns != NULL)
    draw_columns (self, columns, cr, plot, style);
  else
    {
      add_steps (series, cr, plot);
      if (self->filled)
        {
          const DynoColor *color = dyno_ink_get_color (style, slot);
          double alpha = get_tint (style);
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
      dyno_ink_set_line (cr, style, slot, FALSE);
      cairo_stroke (cr);
    }
  if (self->filled)
    return;

  /* Long lines are too dense for dashes and for a marker at each point: a few markers distinguish them. */
  for (double x = plot->x + MARKER_SPACING * (0.2 + 0.13 * (slot % 6)); x < plot->x + plot->width;
       x += MARKER_SPACING)
    {
      guint next = dyno_series_find (series, dyno_plot_get_x_value (plot, x));

      if (next > 0 && next < dyno_series_get_length (series))
        dyno_ink_draw_marker (cr, style, slot, x,
                              dyno_plot_get_y (plot, dyno_series_get_y (series)[next - 1]), MARKER_SIZE);
    }
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

DynoLayer *
dyno_area_layer_new (DynoSeries *series, gboolean filled)
{
  DynoAreaLayer *self =
      dyno_layer_new (DYNO_TYPE_AREA_LAYER, series, filled ? DYNO_MARK_DASH : DYNO_MARK_LINE);

  self->filled = filled;
  return DYNO_LAYER (self);
}
