/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/* Returns a chart of the trace over time, which may still grow: dyno_chart_refresh() updates the chart. */
DynoChart *dyno_chart_new_for_trace (DynoTrace *trace, const char *title);

G_END_DECLS
