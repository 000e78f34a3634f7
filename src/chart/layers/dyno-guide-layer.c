/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

struct _DynoGuideLayer
{
  DynoLayer parent_instance;

  gboolean in_steps;
};

G_DEFINE_FINAL_TYPE (DynoGuideLayer, dyno_guide_layer, DYNO_TYPE_LAYER)

static void
dyno_guide_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);
  const double *x = dyno_series_get_x (series);
  const double *y = dyno_series_get_y (series);

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      if (i > 0 && DYNO_GUIDE_LAYER (layer)->in_steps)
        cairo_line_to (cr, dyno_plot_get_x (plot, x[i]), dyno_plot_get_y (plot, y[i - 1]));
      cairo_line_to (cr, dyno_plot_get_x (plot, x[i]), dyno_plot_get_y (plot, y[i]));
    }
  dyno_ink_set_guide (cr, style, dyno_series_get_slot (series));
  cairo_stroke (cr);
}

static void
dyno_guide_layer_class_init (DynoGuideLayerClass *klass)
{
  DYNO_LAYER_CLASS (klass)->render = dyno_guide_layer_render;
}

static void
dyno_guide_layer_init (DynoGuideLayer *self)
{
}

DynoLayer *
dyno_guide_layer_new (DynoSeries *series, gboolean in_steps)
{
  DynoGuideLayer *self = dyno_layer_new (DYNO_TYPE_GUIDE_LAYER, series, DYNO_MARK_GUIDE);

  self->in_steps = in_steps;
  return DYNO_LAYER (self);
}
