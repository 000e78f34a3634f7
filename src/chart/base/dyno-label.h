/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plot.h"
#include "dyno-text.h"

G_BEGIN_DECLS

/* Names among the data: each is written where there is free room, or not at all. */

/* Keeps names away from an area that was drawn. */
void dyno_label_occupy (const DynoPlot *plot, double x, double y, double width, double height);
/* Writes a name if it stays within the plot and overlaps nothing. Returns whether it was written. */
gboolean dyno_label_try (const DynoPlot *plot,
                         const DynoText *text,
                         double width,
                         double height,
                         cairo_t *cr,
                         const DynoChartStyle *style);
/* Writes a name beside a point: to the right if there is room, else left, above or below. Returns whether it
 * was written. */
gboolean dyno_label_try_around (
    const DynoPlot *plot, const DynoText *text, double distance, cairo_t *cr, const DynoChartStyle *style);

G_END_DECLS
