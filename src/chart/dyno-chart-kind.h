/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-info.h"

G_BEGIN_DECLS

/* The only list of the kinds of charts, in the order people see them: the kind, and the DynoChartInfo that
 * its file in kinds/ defines. */
#define DYNO_CHART_KINDS(KIND)                                                                               \
  KIND (SCALING_LATENCY, dyno_scaling_latency_chart)                                                         \
  KIND (SCALING_THROUGHPUT, dyno_scaling_throughput_chart)                                                   \
  KIND (COMPARISON, dyno_comparison_chart)                                                                   \
  KIND (NODES, dyno_nodes_chart)                                                                             \
  KIND (DISTRIBUTION, dyno_distribution_chart)                                                               \
  KIND (LATENCY_TIME, dyno_latency_chart)                                                                    \
  KIND (SUSTAINED, dyno_sustained_chart)                                                                     \
  KIND (OPERATORS, dyno_operators_chart)                                                                     \
  KIND (PLACEMENT, dyno_placement_chart)                                                                     \
  KIND (THREAD_SCALING, dyno_threads_chart)                                                                  \
  KIND (LOAD_LATENCY, dyno_load_latency_chart)                                                               \
  KIND (GOODPUT, dyno_goodput_chart)                                                                         \
  KIND (CLIENT_SCALING, dyno_clients_chart)                                                                  \
  KIND (QUEUE_TIME, dyno_queue_chart)                                                                        \
  KIND (QUEUE_SERVICE, dyno_queue_split_chart)                                                               \
  KIND (ROOFLINE, dyno_roofline_chart)                                                                       \
  KIND (ROOFLINE_OPERATORS, dyno_roofline_operators_chart)                                                   \
  KIND (ROOFLINE_MODULES, dyno_roofline_modules_chart)                                                       \
  KIND (BANDWIDTH, dyno_bandwidth_chart)                                                                     \
  KIND (PARETO, dyno_pareto_chart)                                                                           \
  KIND (MEMORY, dyno_memory_chart)                                                                           \
  KIND (POWER_EFFICIENCY, dyno_efficiency_chart)                                                             \
  KIND (ENERGY_LATENCY, dyno_energy_chart)                                                                   \
  KIND (ENERGY_RATE, dyno_energy_rate_chart)                                                                 \
  KIND (POWER_TIMELINE, dyno_power_chart)

/**
 * DynoChartKind:
 *
 * The built-in kinds of charts; DynoChartInfo describes each. Plug-ins have the numbers from
 * DYNO_N_CHARTS on.
 */
typedef enum
{
#define DYNO_CHART_KIND(kind, info) DYNO_CHART_##kind,
  DYNO_CHART_KINDS (DYNO_CHART_KIND)
#undef DYNO_CHART_KIND
      DYNO_N_CHARTS,
} DynoChartKind;

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
/* Returns whether people who look at these runs want to know why a chart of this kind is empty. @runs holds
 * DynoRun. */
gboolean dyno_chart_kind_concerns (DynoChartKind kind, GPtrArray *runs);

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
