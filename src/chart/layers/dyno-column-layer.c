/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

/* Columns narrower than this touch each other. */
#define MIN_GAPPED 5.0

struct _DynoColumnLayer
{
  DynoLayer parent_instance;

  double bin_width;
  gboolean filled;
};

G_DEFINE_FINAL_TYPE (DynoColumnLayer, dyno_column_layer, DYNO_TYPE_LAYER)

static void
dyno_column_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoColumnLayer *self = DYNO_COLUMN_LAYER (layer);

  if (self->filled)
    {
      DynoSeries *series = dyno_layer_get_series (DYNO_LAYER (self));
      const double *x = dyno_series_get_x (series);
      const double *y = dyno_series_get_y (series);
      double bottom = plot->y + plot->height;

      for (guint i = 0; i < dyno_series_get_length (series); i++)
        {
          double left = dyno_plot_get_x (plot, x[i]);
          double width = dyno_plot_get_x (plot, x[i] + self->bin_width) - left;
          double top = MIN (dyno_plot_get_y (plot, y[i]), bottom - 1);

          if (y[i] > 0)
            cairo_rectangle (cr, left, top, width - (width >= MIN_GAPPED ? 1 : 0), bottom - top);
        }
      dyno_ink_set_faded (cr, dyno_ink_get_color (style, dyno_series_get_slot (series)),
                          style->high_contrast ? 1 : 0.75);
      cairo_fill (cr);
    }
  else
    {
      DynoSeries *series = dyno_layer_get_series (DYNO_LAYER (self));
      const double *x = dyno_series_get_x (series);
      const double *y = dyno_series_get_y (series);
      guint slot = dyno_series_get_slot (series);

      for (guint i = 0; i < dyno_series_get_length (series); i++)
        {
          double top = dyno_plot_get_y (plot, y[i]);

          cairo_line_to (cr, dyno_plot_get_x (plot, x[i]), top);
          cairo_line_to (cr, dyno_plot_get_x (plot, x[i] + self->bin_width), top);
        }
      dyno_ink_set_line (cr, style, slot, TRUE);
      cairo_stroke (cr);
    }
}

static void
dyno_column_layer_locate (DynoLayer *layer, const DynoPlot *plot, guint point, double *x, double *y)
{
  DynoSeries *series = dyno_layer_get_series (layer);

  *x = dyno_plot_get_x (plot, dyno_series_get_x (series)[point] + DYNO_COLUMN_LAYER (layer)->bin_width / 2);
  *y = dyno_plot_get_y (plot, dyno_series_get_y (series)[point]);
}

static void
dyno_column_layer_class_init (DynoColumnLayerClass *klass)
{
  DynoLayerClass *layer_class = DYNO_LAYER_CLASS (klass);

  layer_class->render = dyno_column_layer_render;
  layer_class->pick = dyno_layer_pick_nearest;
  layer_class->locate = dyno_column_layer_locate;
}

static void
dyno_column_layer_init (DynoColumnLayer *self)
{
}

DynoLayer *
dyno_column_layer_new (DynoSeries *series, double bin_width, gboolean filled)
{
  DynoColumnLayer *self = dyno_layer_new (DYNO_TYPE_COLUMN_LAYER, series, DYNO_MARK_DASH);

  self->bin_width = bin_width;
  self->filled = filled;
  return DYNO_LAYER (self);
}
