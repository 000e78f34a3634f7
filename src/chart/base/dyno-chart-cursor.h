/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-panel.h"
#include "dyno-layer.h"

G_BEGIN_DECLS

/**
 * DynoChartCursor:
 * @series: (element-type DynoSeries): the series of the chart
 * @layers: (element-type DynoLayer): its layers
 * @panels: (element-type DynoChartPanel): its panels, at least one
 * @is_set: whether it is on a point
 * @index: the series it is on
 * @point: the point it is on
 *
 * The point of a chart that the pointer or keyboard selected.
 */
typedef struct
{
  GPtrArray *series;
  GPtrArray *layers;
  GPtrArray *panels;
  gboolean is_set;
  guint index;
  guint point;
} DynoChartCursor;

/* Returns whether it was on a point. */
gboolean dyno_chart_cursor_clear (DynoChartCursor *self);
/* Moves to the point nearest to the pointer, or to none. Returns whether it changed. */
gboolean dyno_chart_cursor_pick (DynoChartCursor *self, double x, double y);
/* Moves on, see dyno_chart_move_cursor(). Returns whether it changed. @d_point: the number of points to move
 * along the series. */
gboolean dyno_chart_cursor_move (DynoChartCursor *self, int d_point, int d_series);
/* Clears the cursor if its point is gone or hidden. */
void dyno_chart_cursor_check (DynoChartCursor *self);

/* Returns the layer that drew its point; NULL if there is none. */
DynoLayer *dyno_chart_cursor_get_layer (DynoChartCursor *self);
/* Returns the plot in which that point was drawn. */
const DynoPlot *dyno_chart_cursor_get_plot (DynoChartCursor *self);
/* Returns the text for the point. The caller owns it. */
char *dyno_chart_cursor_describe (DynoChartCursor *self);

G_END_DECLS
