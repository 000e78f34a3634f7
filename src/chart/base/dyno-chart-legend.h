/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-chart-style.h"
#include "dyno-plot.h"

G_BEGIN_DECLS

/* The names of the series in a picture: in rows above the plot, or beside the ends of their lines. */

/* Returns the height of the rows it needs, in px. @series holds DynoSeries. @width: the maximum width.
 * @max_height: the maximum height. */
double dyno_chart_legend_measure (
    GPtrArray *series, cairo_t *cr, const DynoChartStyle *style, double width, double max_height);
/* Draws the visible series side by side, in rows. If some do not fit, the last row ends with their number.
 * @series holds DynoSeries. */
void dyno_chart_legend_draw (GPtrArray *series,
                             cairo_t *cr,
                             const DynoChartStyle *style,
                             double x,
                             double y,
                             double width,
                             double max_height);

/* Returns the width that the names need beside the plot. @series holds DynoSeries. */
double dyno_chart_legend_measure_labels (GPtrArray *series, cairo_t *cr, const DynoChartStyle *style);
/* Writes each name beside the end of its line; labels of lines that end close together are pushed apart.
 * @series holds DynoSeries. */
void dyno_chart_legend_draw_labels (
    GPtrArray *series, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style, double width);

G_END_DECLS
