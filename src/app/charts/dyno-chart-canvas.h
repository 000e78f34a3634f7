/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-chart.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CHART_CANVAS (dyno_chart_canvas_get_type ())

/**
 * DynoChartCanvas:
 *
 * Draws a chart. The pointer hovers over points, Ctrl and the wheel zoom, a drag pans a zoomed chart. On the
 * keyboard, the arrow keys walk from point to point and from series to series, Home and End jump, plus and
 * minus zoom, 0 shows everything, and Escape leaves the point.
 *
 * # Accessibility
 *
 * It has the role `IMG`, the chart's title as its label, and as its description the chart's finding, or the
 * point that the cursor is on.
 */
G_DECLARE_FINAL_TYPE (DynoChartCanvas, dyno_chart_canvas, DYNO, CHART_CANVAS, GtkWidget)

/* Returns its chart; NULL if there is none. */
DynoChart *dyno_chart_canvas_get_chart (DynoChartCanvas *self);
/* @chart may be NULL. */
void dyno_chart_canvas_set_chart (DynoChartCanvas *self, DynoChart *chart);
void dyno_chart_canvas_get_style (DynoChartCanvas *self, DynoChartStyle *style);

G_END_DECLS
