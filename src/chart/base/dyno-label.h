/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plot.h"
#include "dyno-text.h"

G_BEGIN_DECLS

/* Names in the midst of data: each is written where nothing is yet, or not at all. */

void dyno_label_occupy (const DynoPlot *plot, double x, double y, double width, double height);
gboolean dyno_label_try (const DynoPlot *plot,
                         const DynoText *text,
                         double width,
                         double height,
                         cairo_t *cr,
                         const DynoChartStyle *style);
gboolean dyno_label_try_around (
    const DynoPlot *plot, const DynoText *text, double distance, cairo_t *cr, const DynoChartStyle *style);

G_END_DECLS
