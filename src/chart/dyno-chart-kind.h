/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-info.h"

G_BEGIN_DECLS

/* A kind of chart, which DynoChartInfo describes: those of `dyno-chart-kind-list.h`, and from DYNO_N_CHARTS on those of
 * plug-ins. */
typedef guint DynoChartKind;

/**
 * dyno_plugin_get_chart:
 * @index: its index
 *
 * The function that a plug-in exports, see [callback@Dyno.PluginGet].
 *
 * Returns: (nullable): a kind of chart (DynoChartInfo); NULL after the last
 */
gconstpointer dyno_plugin_get_chart (guint index);

/* Returns the number of kinds, including those of plug-ins after DYNO_N_CHARTS. */
guint dyno_chart_kind_count (void);
const DynoChartInfo *dyno_chart_kind_get_info (DynoChartKind kind);
/* Returns its stable name, for command lines and file names. */
const char *dyno_chart_kind_to_string (DynoChartKind kind);
/* Returns whether there is a kind of that name. */
gboolean dyno_chart_kind_from_string (const char *string, DynoChartKind *kind);
gboolean dyno_chart_kind_is_of_one_case (DynoChartKind kind);

/* Makes a chart of all measured cases of @runs; with several runs the series are named by run. If the runs
 * hold no data for it, the chart shows its empty message. Returns a chart, possibly empty. @runs holds
 * DynoRun. */
DynoChart *dyno_chart_new (DynoChartKind kind, GPtrArray *runs);
/* The same as dyno_chart_new() or dyno_chart_new_for_result() for callers that make several charts: shared
 * values are computed once, and the charts have their roofs from the start. Returns a chart, possibly empty. */
DynoChart *dyno_chart_new_for_data (DynoChartKind kind, DynoChartData *data);
/* Returns a chart of this case alone, possibly empty. */
DynoChart *dyno_chart_new_for_result (DynoChartKind kind, DynoRun *run, DynoResult *result);

G_END_DECLS
