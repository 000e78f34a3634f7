/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-load.h"
#include "dyno-result-samples.h"
#include "dyno-unit.h"

/* A percentile is represented by the requests whose ranks are within a hundredth of it. */
#define RANK_SHARE 0.01

static const struct
{
  double share;
  const char *name;
} percentiles[] = {
  { 0.5, N_ ("median") },
  { 0.9, N_ ("90th percentile") },
  { 0.99, N_ ("99th percentile") },
};

/* The latency of a request and its time in the queue, in ms. */
typedef struct
{
  double latency;
  double queue;
} Request;

static gboolean
has_split (DynoResult *result)
{
  DynoTrace *queue = dyno_result_get_trace (result, "queue");
  DynoLoad load;

  return queue != NULL && dyno_trace_get_length (queue) > 1 &&
         dyno_trace_get_length (queue) == dyno_result_get_measured (result, 0).n &&
         dyno_load_parse (dyno_case_get_load (dyno_result_get_case (result)), &load, NULL) &&
         load.shape == DYNO_LOAD_RATE;
}

static int
compare_latencies (gconstpointer a, gconstpointer b)
{
  double left = ((const Request *)a)->latency;
  double right = ((const Request *)b)->latency;

  return (left > right) - (left < right);
}

static void
add_bar (DynoSeries *series, guint row, double ms, const char *percentile)
{
  g_autofree char *time = dyno_unit_format (ms, "ms");
  g_autofree char *text = g_strdup_printf ("%s, %s: %s", percentile, dyno_series_get_name (series), time);

  dyno_series_add_with_text (series, row, ms, text);
}

static void
take_stacked (DynoChart *chart, DynoSeries *series, DynoSeries *below)
{
  DynoLayer *layer = dyno_bar_layer_new (series, 0, 1);

  dyno_bar_layer_stack (DYNO_BAR_LAYER (layer), below);
  dyno_chart_add_series (chart, series);
  dyno_chart_take_layer (chart, layer);
}

/* Of several cases, shows the first: percentiles at different rates are not comparable. */
static void
build (DynoChart *chart, GPtrArray *cases)
{
  const DynoChartCase *kase = cases->pdata[0];
  DynoSample measured = dyno_result_get_measured (kase->result, 0);
  const double *waits = dyno_trace_get_values (dyno_result_get_trace (kase->result, "queue"));
  g_autoptr (GArray) requests = g_array_sized_new (FALSE, FALSE, sizeof (Request), (guint)measured.n);
  g_autoptr (DynoSeries) queue = dyno_series_new (_ ("in the queue"), 0);
  g_autoptr (DynoSeries) service = dyno_series_new (_ ("in service"), 1);
  DynoAxis *rows = dyno_category_axis_new ("");
  DynoChartTable *table = dyno_chart_build_table (chart);
  double most = 0, n = (guint)measured.n;
  Request mean = { 0 };

  for (gsize i = 0; i < measured.n; i++)
    {
      Request request = { measured.values[i], waits[i] };

      g_array_append_val (requests, request);
    }
  g_array_sort (requests, compare_latencies);

  dyno_chart_table_add_columns (table, _ ("Percentile"), _ ("Queue (ms)"), _ ("Service (ms)"),
                                _ ("Latency (ms)"), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++)
    {
      const char *name = _ (percentiles[i].name);
      guint row = dyno_category_axis_add (DYNO_CATEGORY_AXIS (rows), name);

      /* The mean of the requests around the percentile of the latency. */
      guint begin = (guint)CLAMP ((percentiles[i].share - RANK_SHARE) * n, 0, n - 1);
      guint end = (guint)CLAMP ((percentiles[i].share + RANK_SHARE) * n, begin + 1, n);
      mean = (Request){ 0 };
      for (guint k = begin; k < end; k++)
        {
          mean.latency += g_array_index (requests, Request, k).latency / (end - begin);
          mean.queue += g_array_index (requests, Request, k).queue / (end - begin);
        }
      add_bar (queue, row, mean.queue, name);
      add_bar (service, row, mean.latency - mean.queue, name);
      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_text (table, name);
      dyno_chart_table_add_number (table, mean.queue);
      dyno_chart_table_add_number (table, mean.latency - mean.queue);
      dyno_chart_table_add_number (table, mean.latency);
      most = MAX (most, mean.latency);
    }
  dyno_chart_take_axes (chart, dyno_linear_axis_new_nice (_ ("Time"), "ms", 0, most), rows);
  take_stacked (chart, queue, NULL);
  take_stacked (chart, service, queue);
  g_autofree char *percent = dyno_unit_format_percent (100 * mean.queue / mean.latency);
  dyno_chart_take_finding (
      chart,
      g_strdup_printf (_ ("At the 99th percentile, %s %% of the latency is spent in the queue."), percent));
}

const DynoChartInfo dyno_queue_split_chart = {
  .name = "queue-service",
  .label = N_ ("Queue and service"),
  .empty = N_ ("No rate was measured. Choose the load “rate=auto”, or a rate such as “rate=50/s”."),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_OF_ONE_CASE,
  .has_data = has_split,
  .limit = 1,
  .build = build,
};
