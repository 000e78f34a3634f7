/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

struct _DynoBandLayer
{
  DynoLayer parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoBandLayer, dyno_band_layer, DYNO_TYPE_LAYER)

static void
add_edge (DynoSeries *series, cairo_t *cr, const DynoPlot *plot, gboolean upper)
{
  const double *x = dyno_series_get_x (series);
  guint length = dyno_series_get_length (series);

  for (guint i = 0; i < length; i++)
    {
      guint point = upper ? i : length - 1 - i;
      double low, high;

      if (dyno_series_get_band (series, point, &low, &high))
        cairo_line_to (cr, dyno_plot_get_x (plot, x[point]), dyno_plot_get_y (plot, upper ? high : low));
    }
}

static void
dyno_band_layer_render (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (self);
  const DynoColor *color = dyno_ink_get_color (style, dyno_series_get_slot (series));

  add_edge (series, cr, plot, TRUE);
  add_edge (series, cr, plot, FALSE);
  cairo_close_path (cr);
  dyno_ink_set_faded (cr, color, 0.16);
  cairo_fill (cr);
  dyno_ink_add_whiskers (cr, series, plot);
  dyno_ink_set_faded (cr, color, style->high_contrast ? 1 : 0.6);
  cairo_set_line_width (cr, style->high_contrast ? 2 : 1);
  cairo_stroke (cr);
}

static void
dyno_band_layer_class_init (DynoBandLayerClass *klass)
{
  DYNO_LAYER_CLASS (klass)->render = dyno_band_layer_render;
}

static void
dyno_band_layer_init (DynoBandLayer *self)
{
}

DynoLayer *
dyno_band_layer_new (DynoSeries *series)
{
  return dyno_layer_new (DYNO_TYPE_BAND_LAYER, series, dyno_series_get_mark (series));
}
