/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-chart-style.h"
#include "dyno-plot.h"

G_BEGIN_DECLS

/* How a slot looks: each has a colour, a marker and a dash of its own. */

void dyno_ink_set (cairo_t *cr, const DynoColor *color);
void dyno_ink_set_faded (cairo_t *cr, const DynoColor *color, double alpha);
void dyno_ink_set_background (cairo_t *cr, const DynoChartStyle *style);
const DynoColor *dyno_ink_get_color (const DynoChartStyle *style, guint slot);
void dyno_ink_set_line (cairo_t *cr, const DynoChartStyle *style, guint slot, gboolean dashed);
void dyno_ink_set_guide (cairo_t *cr, const DynoChartStyle *style, guint slot);
void dyno_ink_stroke_over (
    cairo_t *cr, const DynoChartStyle *style, double width, const double *dash, guint n_dashes);
void
dyno_ink_draw_marker (cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double size);
void dyno_ink_draw_point (cairo_t *cr,
                          const DynoChartStyle *style,
                          DynoSeries *series,
                          guint point,
                          double x,
                          double y,
                          double size);
void
dyno_ink_draw_verdict (cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double size);
/* Returns how much further than the marker of the point its ring reaches; 0 where it has none. */
double dyno_ink_get_ring_room (DynoDoubt doubt);
void dyno_ink_draw_ring (
    cairo_t *cr, const DynoChartStyle *style, DynoDoubt doubt, double x, double y, double radius);
void dyno_ink_draw_edge (cairo_t *cr, const DynoChartStyle *style, DynoDoubt doubt);
void dyno_ink_add_cut (cairo_t *cr, double x, double y, double dx, double dy);
void dyno_ink_add_whisker (cairo_t *cr, double x, double top, double bottom, const DynoPlot *plot);
void dyno_ink_draw_outline (cairo_t *cr, const DynoChartStyle *style, guint slot);
void dyno_ink_fill_hatched (
    cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double width, double height);
void dyno_ink_draw_swatch (
    DynoSeries *series, cairo_t *cr, const DynoChartStyle *style, double width, double height);

G_END_DECLS
