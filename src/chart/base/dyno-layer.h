/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-chart-style.h"
#include "dyno-plot.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LAYER (dyno_layer_get_type ())

/**
 * DynoLayer:
 *
 * One way to draw data: lines, bars, bands. Rendering is pure: the same plot and style give the same picture
 * on any surface.
 */
G_DECLARE_DERIVABLE_TYPE (DynoLayer, dyno_layer, DYNO, LAYER, GObject)

/**
 * DynoLayerClass:
 * @render: draws; already clipped to the plot
 * @annotate: writes names, once all layers are drawn; see dyno-label.h
 * @pick: finds the point nearest to a place, with its distance in px; without it the layer has no points
 * @locate: returns the position of a point in px
 */
struct _DynoLayerClass
{
  GObjectClass parent_class;

  void (*render) (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style);
  void (*annotate) (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style);
  gboolean (*pick) (
      DynoLayer *self, const DynoPlot *plot, double x, double y, guint *point, double *distance);
  void (*locate) (DynoLayer *self, const DynoPlot *plot, guint point, double *x, double *y);
};

/* Returns the series that it draws; NULL if there is none. */
DynoSeries *dyno_layer_get_series (DynoLayer *self);
void dyno_layer_set_series (DynoLayer *self, DynoSeries *series);
/* Returns whether the cursor can move on it: it has a visible series, and can pick. */
gboolean dyno_layer_has_points (DynoLayer *self);
/* Returns whether it belongs to the lower plot of a panel that has two. */
gboolean dyno_layer_is_lower (DynoLayer *self);
void dyno_layer_set_lower (DynoLayer *self, gboolean lower);
/* Returns the index of its panel in the chart. */
guint dyno_layer_get_panel (DynoLayer *self);
void dyno_layer_set_panel (DynoLayer *self, guint panel);

void dyno_layer_render (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style);
void dyno_layer_annotate (DynoLayer *self, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style);
/* Returns whether it found a point. */
gboolean
dyno_layer_pick (DynoLayer *self, const DynoPlot *plot, double x, double y, guint *point, double *distance);
void dyno_layer_locate (DynoLayer *self, const DynoPlot *plot, guint point, double *x, double *y);

/* For subclasses: finds the nearest point of a series with increasing x. */
gboolean dyno_layer_pick_nearest (
    DynoLayer *self, const DynoPlot *plot, double x, double y, guint *point, double *distance);

/* For subclasses: draws a line through decimated points. */
void dyno_layer_draw_columns (
    DynoSeries *series, GArray *columns, cairo_t *cr, const DynoPlot *plot, double thickness);

G_END_DECLS
