/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-chart-style.h"

G_BEGIN_DECLS

/* Reads the colours of charts from the style sheets. The widgets around the chart show its title and caption. */
void dyno_chart_palette_fill (GtkWidget *widget, DynoChartStyle *style);

G_END_DECLS
