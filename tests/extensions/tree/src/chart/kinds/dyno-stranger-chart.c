/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"

static double
get_latency (const DynoChartCase *kase)
{
  return dyno_result_get_number (kase->result, "latency_p50_ms");
}

static gboolean
has_latency (DynoResult *result)
{
  return dyno_result_get_number (result, "latency_p50_ms") > 0;
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  g_autoptr (DynoSeries) series = dyno_series_new (_ ("Median"), 0);
  DynoChartTable *table = dyno_chart_build_table (chart);
  double most = 0;

  dyno_chart_table_add_case_columns (table, cases, 0);
  dyno_chart_table_add_columns (table, _ ("Median latency (ms)"), NULL);
  for (guint i = 0; i < cases->len; i++)
    {
      dyno_series_add (series, i + 1, get_latency (cases->pdata[i]));
      dyno_chart_table_begin_row (table, cases->pdata[i]);
      dyno_chart_table_add_number (table, get_latency (cases->pdata[i]));
      most = MAX (most, get_latency (cases->pdata[i]));
    }
  dyno_chart_take_axes (chart, dyno_linear_axis_new_nice (_ ("Case"), "", 0, cases->len),
                        dyno_linear_axis_new_nice (_ ("Median latency"), "ms", 0, most));
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, dyno_line_layer_new (series));
  dyno_chart_take_finding (chart, g_strdup_printf (_ ("The longest median is %.3g ms."), most));
}

const DynoChartInfo dyno_stranger_chart = {
  .name = "stranger",
  .label = N_ ("Strange latencies"),
  .empty = N_ ("There is no latency. Measure a model."),
  .group = DYNO_CHART_GROUP_SPEED,
  .has_data = has_latency,
  .build = build,
};
