/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/* Two charts of one kind side by side: the two sides of a comparison. */

/* Gives both charts the colour of their side, and no finding, which would speak of one side alone. Titles become
 * “Latency · Before”. To be called again when a chart was built anew; a DynoChartLink gives them common ranges. */
void dyno_chart_pair (DynoChart *before, const char *before_title, DynoChart *after, const char *after_title);

G_END_DECLS
