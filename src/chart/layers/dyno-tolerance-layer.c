/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

/* Keeps a narrow band visible. */
#define LEAST_WIDTH 3.0

struct _DynoToleranceLayer
{
  DynoLayer parent_instance;

  double middle;
  double low;
  double high;
};

G_DEFINE_FINAL_TYPE (DynoToleranceLayer, dyno_tolerance_layer, DYNO_TYPE_LAYER)

static void
dyno_tolerance_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoToleranceLayer *self = DYNO_TOLERANCE_LAYER (layer);
  double middle = dyno_plot_get_x (plot, self->middle);
  double low = dyno_plot_get_x (plot, self->low);
  double high = dyno_plot_get_x (plot, self->high);
  double left = MIN (MIN (low, high), middle - LEAST_WIDTH / 2);
  double right = MAX (MAX (low, high), middle + LEAST_WIDTH / 2);

  left = CLAMP (left, plot->x, plot->x + plot->width);
  right = CLAMP (right, plot->x, plot->x + plot->width);
  dyno_ink_set_faded (cr, &style->foreground, style->high_contrast ? 0.18 : 0.09);
  cairo_rectangle (cr, left, plot->y, right - left, plot->height);
  cairo_fill (cr);
  if (middle < plot->x || middle > plot->x + plot->width)
    return;
  dyno_ink_set_faded (cr, &style->foreground, style->high_contrast ? 1 : 0.55);
  cairo_rectangle (cr, round (middle), plot->y, 1, plot->height);
  cairo_fill (cr);
}

static void
dyno_tolerance_layer_class_init (DynoToleranceLayerClass *klass)
{
  DYNO_LAYER_CLASS (klass)->render = dyno_tolerance_layer_render;
}

static void
dyno_tolerance_layer_init (DynoToleranceLayer *self)
{
}

DynoLayer *
dyno_tolerance_layer_new (double middle, double low, double high)
{
  DynoToleranceLayer *self = g_object_new (DYNO_TYPE_TOLERANCE_LAYER, NULL);

  self->middle = middle;
  self->low = low;
  self->high = high;
  return DYNO_LAYER (self);
}
