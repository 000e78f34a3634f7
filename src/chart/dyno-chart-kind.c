/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-bandwidth-chart.h"
#include "dyno-chart-kind.h"
#include "dyno-comparison-chart.h"
#include "dyno-distribution-chart.h"
#include "dyno-efficiency-chart.h"
#include "dyno-energy-chart.h"
#include "dyno-latency-chart.h"
#include "dyno-memory-chart.h"
#include "dyno-operators-chart.h"
#include "dyno-power-chart.h"
#include "dyno-roofline-chart.h"
#include "dyno-roofline-operators-chart.h"
#include "dyno-scaling-chart.h"
#include "dyno-threads-chart.h"

typedef enum
{
  OF_ONE_CASE = 1 << 0,
  HAS_ROOFS = 1 << 1,
} KindFlags;

/* The charts there are: a stable name, what fills one with cases (DynoChartCase), and what it is like. */
static const struct
{
  const char *name;
  void (*build) (DynoChart *chart, GPtrArray *cases);
  KindFlags flags;
} kinds[DYNO_N_CHARTS] = {
  [DYNO_CHART_SCALING_LATENCY] = { "scaling-latency", dyno_scaling_chart_build_latency },
  [DYNO_CHART_SCALING_THROUGHPUT] = { "scaling-throughput", dyno_scaling_chart_build_throughput },
  [DYNO_CHART_COMPARISON] = { "comparison", dyno_comparison_chart_build },
  [DYNO_CHART_MEMORY] = { "memory", dyno_memory_chart_build, OF_ONE_CASE },
  [DYNO_CHART_DISTRIBUTION] = { "distribution", dyno_distribution_chart_build, OF_ONE_CASE },
  [DYNO_CHART_LATENCY_TIME] = { "latency-time", dyno_latency_chart_build, OF_ONE_CASE },
  [DYNO_CHART_OPERATORS] = { "operators", dyno_operators_chart_build, OF_ONE_CASE },
  [DYNO_CHART_ROOFLINE] = { "roofline", dyno_roofline_chart_build, HAS_ROOFS },
  [DYNO_CHART_ROOFLINE_OPERATORS] = { "roofline-operators", dyno_roofline_operators_chart_build,
                                      OF_ONE_CASE | HAS_ROOFS },
  [DYNO_CHART_BANDWIDTH] = { "bandwidth", dyno_bandwidth_chart_build, HAS_ROOFS },
  [DYNO_CHART_POWER_EFFICIENCY] = { "power-efficiency", dyno_efficiency_chart_build },
  [DYNO_CHART_POWER_TIMELINE] = { "power-timeline", dyno_power_chart_build, OF_ONE_CASE },
  [DYNO_CHART_ENERGY_LATENCY] = { "energy-latency", dyno_energy_chart_build },
  [DYNO_CHART_THREAD_SCALING] = { "thread-scaling", dyno_threads_chart_build },
};

/**
 * dyno_chart_kind_to_string:
 * @kind: a kind
 *
 * Returns: (transfer none): its stable name, for command lines and file names
 */
const char *
dyno_chart_kind_to_string (DynoChartKind kind)
{
  g_return_val_if_fail (kind < DYNO_N_CHARTS, NULL);
  return kinds[kind].name;
}

/**
 * dyno_chart_kind_from_string:
 * @string: a name
 * @kind: (out): the kind of that name
 *
 * Returns: whether there is one
 */
gboolean
dyno_chart_kind_from_string (const char *string, DynoChartKind *kind)
{
  for (guint i = 0; i < DYNO_N_CHARTS; i++)
    if (g_strcmp0 (kinds[i].name, string) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * dyno_chart_kind_is_of_one_case:
 * @kind: a kind
 *
 * Returns: whether it shows one case best, see [ctor@Dyno.Chart.new_for_result]; the others show all cases together
 */
gboolean
dyno_chart_kind_is_of_one_case (DynoChartKind kind)
{
  g_return_val_if_fail (kind < DYNO_N_CHARTS, FALSE);
  return (kinds[kind].flags & OF_ONE_CASE) != 0;
}

/**
 * dyno_chart_kind_has_roofs:
 * @kind: a kind
 *
 * Returns: whether it shows what the machine can do at most, see [method@Dyno.Chart.set_ceilings]
 */
gboolean
dyno_chart_kind_has_roofs (DynoChartKind kind)
{
  g_return_val_if_fail (kind < DYNO_N_CHARTS, FALSE);
  return (kinds[kind].flags & HAS_ROOFS) != 0;
}

void
dyno_chart_kind_build (DynoChartKind kind, DynoChart *chart, GPtrArray *cases)
{
  g_assert (kind < DYNO_N_CHARTS);
  kinds[kind].build (chart, cases);
}
