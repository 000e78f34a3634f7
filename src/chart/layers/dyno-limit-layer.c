/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

/* The share of the row height that the stroke takes. */
#define SHARE         0.86
#define MAX_THICKNESS 40.0

struct _DynoLimitLayer
{
  DynoLayer parent_instance;

  gboolean dashed;
};

G_DEFINE_FINAL_TYPE (DynoLimitLayer, dyno_limit_layer, DYNO_TYPE_LAYER)

static void
dyno_limit_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  static const double dash[] = { 3, 2 };
  DynoSeries *series = dyno_layer_get_series (layer);
  const double *rows = dyno_series_get_x (series);

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      double x = round (dyno_plot_get_x (plot, dyno_series_get_y (series)[i]));
      double middle = dyno_plot_get_y (plot, rows[i]);
      double height = dyno_plot_get_y (plot, rows[i] + 0.5) - dyno_plot_get_y (plot, rows[i] - 0.5);
      double half = MIN (height * SHARE, MAX_THICKNESS) / 2;

      if (middle < plot->y || middle > plot->y + plot->height)
        continue;
      cairo_move_to (cr, x, middle - half);
      cairo_line_to (cr, x, middle + half);
    }
  dyno_ink_stroke_over (cr, style, 2, dash, DYNO_LIMIT_LAYER (layer)->dashed ? G_N_ELEMENTS (dash) : 0);
}

static void
dyno_limit_layer_locate (DynoLayer *layer, const DynoPlot *plot, guint point, double *x, double *y)
{
  DynoSeries *series = dyno_layer_get_series (layer);

  *x = dyno_plot_get_x (plot, dyno_series_get_y (series)[point]);
  *y = dyno_plot_get_y (plot, dyno_series_get_x (series)[point]);
}

static void
dyno_limit_layer_class_init (DynoLimitLayerClass *klass)
{
  DYNO_LAYER_CLASS (klass)->render = dyno_limit_layer_render;
  DYNO_LAYER_CLASS (klass)->locate = dyno_limit_layer_locate;
}

static void
dyno_limit_layer_init (DynoLimitLayer *self)
{
}

DynoLayer *
dyno_limit_layer_new (DynoSeries *series, gboolean dashed)
{
  DynoLimitLayer *self =
      dyno_layer_new (DYNO_TYPE_LIMIT_LAYER, series, dashed ? DYNO_MARK_DASHED_LIMIT : DYNO_MARK_LIMIT);

  self->dashed = dashed;
  return DYNO_LAYER (self);
}
