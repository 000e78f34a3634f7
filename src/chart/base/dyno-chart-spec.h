/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/* A chart as data, for whoever draws it anew. */

char *dyno_chart_spec_dup_json (DynoChart *chart);
/* A specification after version 5 of Vega-Lite with the points in it, as dyno_chart_spec_dup_json() has
 * them: a start for whoever wants to draw the chart in another way. Returns JSON. */
char *dyno_chart_spec_dup_vega_lite (DynoChart *chart);

G_END_DECLS
