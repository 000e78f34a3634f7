/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-axis.h"
#include "dyno-chart-style.h"
#include "dyno-series.h"

G_BEGIN_DECLS

/* dyno-plot */

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

/* dyno-ink */

/* The looks of slots: each has its own colour, marker and dash. */

void dyno_ink_set (cairo_t *cr, const DynoColor *color);
void dyno_ink_set_faded (cairo_t *cr, const DynoColor *color, double alpha);
void dyno_ink_set_background (cairo_t *cr, const DynoChartStyle *style);
const DynoColor *dyno_ink_get_color (const DynoChartStyle *style, guint slot);
/* Prepares a line. High contrast adds dashes, and so do repeating colours. @dashed: whether only the dash
 * distinguishes the line, because it has no markers. */
void dyno_ink_set_line (cairo_t *cr, const DynoChartStyle *style, guint slot, gboolean dashed);
/* Prepares a reference line. */
void dyno_ink_set_guide (cairo_t *cr, const DynoChartStyle *style, guint slot);
/* Strokes a line over bars, which may be as light or as dark as the line: an edge separates the two. @dash
 * may be NULL. */
void dyno_ink_stroke_over (
    cairo_t *cr, const DynoChartStyle *style, double width, const double *dash, guint n_dashes);
/* Draws the marker of a slot, separated from lines by a rim in the background colour. */
void
dyno_ink_draw_marker (cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double size);
/* Draws the marker of a point: in outline if it is hollow, because it is less certain. @point: the index of
 * the point. */
void dyno_ink_draw_point (cairo_t *cr,
                          const DynoChartStyle *style,
                          DynoSeries *series,
                          guint point,
                          double x,
                          double y,
                          double size);
/* Draws the marker of a verdict; its shape differs as well as its colour. */
void
dyno_ink_draw_verdict (cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double size);
/* Returns how far the ring of a point extends beyond its marker; 0 if it has none. */
double dyno_ink_get_ring_room (DynoDoubt doubt);
/* Draws the ring around the marker of a doubtful point. */
void dyno_ink_draw_ring (
    cairo_t *cr, const DynoChartStyle *style, DynoDoubt doubt, double x, double y, double radius);
void dyno_ink_draw_edge (cairo_t *cr, const DynoChartStyle *style, DynoDoubt doubt);
/* Adds the mark of a line that continues beyond an edge to the path: a chevron that points there, instead of
 * an end. @dx: -1 or 1 if it is cut on the left or on the right, else 0. @dy: -1 or 1 if it is cut at the top
 * or at the bottom, else 0. */
void dyno_ink_add_cut (cairo_t *cr, double x, double y, double dx, double dy);
/* Adds the interval of each point that has one to the path, upright, with caps at its ends or marks where the
 * plot cuts it. */
void dyno_ink_add_whiskers (cairo_t *cr, DynoSeries *series, const DynoPlot *plot);
void dyno_ink_draw_outline (cairo_t *cr, const DynoChartStyle *style, guint slot);
/* Draws a bar whose value was not measured. */
void dyno_ink_fill_hatched (
    cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double width, double height);
/* Draws the legend symbol of a series: a bit of its line, its marker, or both. */
void dyno_ink_draw_swatch (
    DynoSeries *series, cairo_t *cr, const DynoChartStyle *style, double width, double height);

G_END_DECLS
