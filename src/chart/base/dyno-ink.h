/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-style.h"

G_BEGIN_DECLS

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
/* Adds an upright interval to the path, with caps at its ends or marks where the plot cuts it. @plot: the
 * area that it must not leave. */
void dyno_ink_add_whisker (cairo_t *cr, double x, double top, double bottom, const DynoPlot *plot);
void dyno_ink_draw_outline (cairo_t *cr, const DynoChartStyle *style, guint slot);
/* Draws a bar whose value was not measured. */
void dyno_ink_fill_hatched (
    cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double width, double height);
/* Draws the legend symbol of a series: a bit of its line, its marker, or both. */
void dyno_ink_draw_swatch (
    DynoSeries *series, cairo_t *cr, const DynoChartStyle *style, double width, double height);

G_END_DECLS
