/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-kind.h"
#include "dyno-comparison-chart.h"
#include "dyno-distribution-chart.h"
#include "dyno-latency-chart.h"
#include "dyno-memory-chart.h"
#include "dyno-operators-chart.h"
#include "dyno-scaling-chart.h"

/* The charts there are: a stable name, and what fills one with cases (DynoChartCase). */
static const struct
{
  const char *name;
  void (*build) (DynoChart *chart, GPtrArray *cases);
} kinds[DYNO_N_CHARTS] = {
  [DYNO_CHART_SCALING_LATENCY] = { "scaling-latency", dyno_scaling_chart_build_latency },
  [DYNO_CHART_SCALING_THROUGHPUT] = { "scaling-throughput", dyno_scaling_chart_build_throughput },
  [DYNO_CHART_COMPARISON] = { "comparison", dyno_comparison_chart_build },
  [DYNO_CHART_MEMORY] = { "memory", dyno_memory_chart_build },
  [DYNO_CHART_DISTRIBUTION] = { "distribution", dyno_distribution_chart_build },
  [DYNO_CHART_LATENCY_TIME] = { "latency-time", dyno_latency_chart_build },
  [DYNO_CHART_OPERATORS] = { "operators", dyno_operators_chart_build },
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

void
dyno_chart_kind_build (DynoChartKind kind, DynoChart *chart, GPtrArray *cases)
{
  g_assert (kind < DYNO_N_CHARTS);
  kinds[kind].build (chart, cases);
}
