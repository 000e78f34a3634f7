/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/* A chart as data, for drawing it with other tools. */

char *dyno_chart_spec_dup_json (DynoChart *chart);
/* Returns a specification for Vega-Lite 5, as JSON, with the points of dyno_chart_spec_dup_json(): a starting
 * point for drawing the chart in another way. */
char *dyno_chart_spec_dup_vega_lite (DynoChart *chart);

G_END_DECLS
