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
 * @x_axis: (nullable): the horizontal axis
 * @y_axis: (nullable): the vertical axis, upwards; a category axis runs downwards
 * @taken: (nullable) (element-type DynoTextBox): the areas that names must not overlap
 * @aside: the room to the right of it for words about its rows, in px
 *
 * The area of the data: the only type that converts between units and pixels.
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
 * @x: the left edge of the column, in px
 * @width: the distance to the next column that holds points
 * @first: its first point
 * @end: the point behind its last
 * @least: its minimum y, in data units
 * @most: its maximum y
 *
 * The points of a series in one column of pixels.
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

/* Finds the points in view and one neighbour on each side, to which lines lead. */
void dyno_plot_get_visible_points (const DynoPlot *plot, DynoSeries *series, guint *first, guint *end);
/* Folds the visible points into one entry per column of pixels, so that the drawing time depends on the width
 * of the picture, not on the length of the series. Returns the columns that hold points; NULL if there are so
 * few points that each can be drawn. Elements are DynoColumn. The caller owns it. @density: up to this many
 * points per column are drawn individually. */
GArray *dyno_plot_decimate (const DynoPlot *plot, DynoSeries *series, double density);

G_END_DECLS
