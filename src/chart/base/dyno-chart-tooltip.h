/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-chart-style.h"

G_BEGIN_DECLS

/* @heading may be NULL. */
void dyno_chart_tooltip_draw (const char *heading,
                              const char *text,
                              double x,
                              double y,
                              double width,
                              double height,
                              cairo_t *cr,
                              const DynoChartStyle *style);

G_END_DECLS
