/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-axis.h"
#include "dyno-series.h"

G_BEGIN_DECLS

/**
 * DynoPlot:
 * @x: left edge of the data area, in px
 * @y: its top
 * @width: its width
 * @height: its height
 * @x_axis: (nullable): what runs to the right
 * @y_axis: (nullable): what runs upwards; a category axis runs downwards
 * @taken: (nullable) (element-type DynoTextBox): where things lie that names have to keep away from
 * @aside: how much room is kept to the right of it for words about its rows, in px
 *
 * The place where data is drawn: the one thing that knows both of units and of pixels.
 */
typedef struct
{
  double x;
  double y;
  double width;
  double height;
  DynoAxis *x_axis;
  DynoAxis *y_axis;
  GArray *taken;
  double aside;
} DynoPlot;

double dyno_plot_get_x (const DynoPlot *plot, double value);
double dyno_plot_get_y (const DynoPlot *plot, double value);
double dyno_plot_get_x_value (const DynoPlot *plot, double x);
gboolean dyno_plot_contains (const DynoPlot *plot, double x, double y);

/**
 * DynoColumn:
 * @x: where the column begins, in px
 * @width: how far it is to the next column that holds points
 * @first: its first point
 * @end: the point behind its last
 * @least: its least y, in data
 * @most: its greatest
 *
 * What a series has in one column of pixels.
 */
typedef struct
{
  double x;
  double width;
  guint first;
  guint end;
  double least;
  double most;
} DynoColumn;

/* Finds the points in view and the neighbours on both sides, to which lines lead. */
void dyno_plot_get_visible_points (const DynoPlot *plot, DynoSeries *series, guint *first, guint *end);
/* Folds the visible points into one entry per column of pixels, so that drawing takes as long as the
 * picture is wide, not as the series is long. Returns the columns that hold points; NULL when there are so
 * few points that each can be drawn. Elements are DynoColumn. The caller owns it. @density: up to this
 * many points per column are drawn one by one. */
GArray *dyno_plot_decimate (const DynoPlot *plot, DynoSeries *series, double density);

G_END_DECLS
