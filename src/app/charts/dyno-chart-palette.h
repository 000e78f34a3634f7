/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-chart-style.h"

G_BEGIN_DECLS

/* Reads the colours of charts from the style sheets. Title and caption are left to the widgets around. */
void dyno_chart_palette_fill (GtkWidget *widget, DynoChartStyle *style);

G_END_DECLS
