/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-result-samples.h"
#include "dyno-unit.h"

/* A longer table is of no use to people; the trace has all requests. */
#define MOST_ROWS 1000

/* The measured requests of the first process in order of arrival, preceded by earlier ones. */
typedef struct
{
  const gint64 *arrivals;
  const double *latencies;
  gsize n;
  gsize n_before;
} Requests;

static Requests
find_requests (DynoResult *result)
{
  DynoSample measured = dyno_result_get_measured (result, 0);
  DynoTrace *latency = dyno_result_get_trace (result, "latency");
  gsize first = measured.n > 0 ? (gsize)(measured.values - dyno_trace_get_values (latency)) : 0;

  return (Requests){ measured.n > 0 ? dyno_trace_get_times (latency) + first : NULL, measured.values,
                     measured.n, first };
}

static gboolean
has_queue (DynoResult *result)
{
  DynoLoad load;

  return dyno_load_parse (dyno_case_get_load (dyno_result_get_case (result)), &load, NULL) &&
         load.shape == DYNO_LOAD_RATE && find_requests (result).n > 1;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *)a, right = *(const gint64 *)b;

  return (left > right) - (left < right);
}

/* The number of requests in flight over time, in steps. */
typedef struct
{
  const Requests *requests;
  DynoSeries *series;
  double n;
  double most;
} Queue;

static void
step (Queue *self, gint64 time, double change)
{
  double seconds = (double)(time - self->requests->arrivals[0]) / 1e9;

  dyno_series_add (self->series, seconds, self->n);
  self->n += change;
  self->most = MAX (self->most, self->n);
  dyno_series_add (self->series, seconds, self->n);
}

/* Fills the series up to the last arrival. @in_flight gets the number of requests in flight at each arrival,
 * including the new one. Returns the maximum. */
static double
fill_queue (const Requests *requests, DynoSeries *series, double *in_flight)
{
  g_autoptr (GArray) answers = g_array_sized_new (FALSE, FALSE, sizeof (gint64), (guint)requests->n);
  Queue queue = { .requests = requests, .series = series };
  guint n_answered = 0;

  /* The answers to requests that were in flight at the first arrival or arrived later. */
  for (gssize i = -(gssize)requests->n_before; i < (gssize)requests->n; i++)
    {
      gint64 time = requests->arrivals[i] + (gint64)(requests->latencies[i] * 1e6);

      if (time > requests->arrivals[0])
        g_array_append_val (answers, time);
    }
  g_array_sort (answers, compare_times);
  queue.n = (double)(answers->len - requests->n);
  dyno_series_reserve (series, 2 * (guint)(requests->n + answers->len));
  for (gsize i = 0; i < requests->n; i++)
    {
      while (n_answered < answers->len &&
             g_array_index (answers, gint64, n_answered) <= requests->arrivals[i])
        step (&queue, g_array_index (answers, gint64, n_answered++), -1);
      step (&queue, requests->arrivals[i], 1);
      in_flight[i] = queue.n;
    }
  return queue.most;
}

/* Of several cases, shows the first: queues at different rates are not comparable. */
static void
build (DynoChart *chart, GPtrArray *cases)
{
  const DynoChartCase *kase = cases->pdata[0];
  Requests requests = find_requests (kase->result);
  g_autoptr (DynoSeries) queue = dyno_series_new (_ ("requests in flight"), 0);
  g_autoptr (DynoSeries) latency = dyno_series_new (_ ("latency"), 1);
  g_autofree double *in_flight = g_new (double, requests.n);
  double most = fill_queue (&requests, queue, in_flight);
  double low = 0, high = 1;
  double outstanding = dyno_result_get_number (kase->result, "load_outstanding");
  g_autofree char *average = dyno_unit_format_number (outstanding, outstanding < 100 ? 1 : 0);
  g_autofree char *peak = dyno_unit_format_exact (most);

  dyno_series_reserve (latency, (guint)requests.n);
  for (gsize i = 0; i < requests.n; i++)
    dyno_series_add (latency, (double)(requests.arrivals[i] - requests.arrivals[0]) / 1e9,
                     requests.latencies[i]);
  dyno_series_set_mark (latency, DYNO_MARK_DOT);
  dyno_series_get_extent (latency, 0, dyno_series_get_length (latency), &low, &high);
  dyno_chart_take_axes (
      chart,
      dyno_time_axis_new_between (0, dyno_series_get_x (latency)[dyno_series_get_length (latency) - 1]),
      dyno_linear_axis_new_nice (_ ("Requests in flight"), "", 0, most));
  dyno_chart_take_lower_axis (chart, dyno_linear_axis_new_nice (_ ("Latency"), "ms", 0, high));
  dyno_chart_add_series (chart, queue);
  dyno_chart_take_layer (chart, dyno_line_layer_new (queue));
  dyno_chart_add_series (chart, latency);
  dyno_chart_take_lower_layer (chart, dyno_scatter_layer_new (latency));
  DynoChartTable *table = dyno_chart_build_table (chart);
  guint length = dyno_series_get_length (latency);
  dyno_chart_table_add_columns (table, _ ("Time (s)"), _ ("Requests in flight"), _ ("Latency (ms)"), NULL);
  for (guint i = 0; i < length; i += (length + MOST_ROWS - 1) / MOST_ROWS)
    {
      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_number (table, dyno_series_get_x (latency)[i]);
      dyno_chart_table_add_number (table, in_flight[i]);
      dyno_chart_table_add_number (table, dyno_series_get_y (latency)[i]);
    }
  dyno_chart_take_finding (
      chart, isfinite (outstanding)
                 ? g_strdup_printf (_ ("On average, %s requests are in flight, at most %s."), average, peak)
                 : g_strdup_printf (_ ("At most %s requests are in flight."), peak));
}

const DynoChartInfo dyno_queue_chart = {
  .name = "queue-time",
  .label = N_ ("Queue over time"),
  .empty = N_ ("No rate was measured. Choose the load “rate=auto”, or a rate such as “rate=50/s”."),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_OF_ONE_CASE,
  .has_data = has_queue,
  .limit = 1,
  .build = build,
};
