/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-phase.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

#define MAX_SLICES 120
/* A slice of fewer steps has no percentiles. */
#define MIN_STEPS 20
/* More lines in a panel are hard to tell apart. */
#define MAX_LINES 3

typedef struct
{
  DynoChart *chart;
  const DynoChartCase *kase;
  DynoAxis *time;
  double begin;
  double end;
  guint n_series;
} Sustained;

static gboolean
is_sustained (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "sustained_percent")) &&
         dyno_result_get_trace (result, "latency") != NULL &&
         dyno_result_get_trace (result, "phases") != NULL;
}

/* Finds the beginning and the end of the measurement, in seconds; without a later phase, it ends with the
 * last latency. */
static void
find_measurement (Sustained *self)
{
  DynoTrace *phases = dyno_result_get_trace (self->kase->result, "phases");
  DynoTrace *latency = dyno_result_get_trace (self->kase->result, "latency");
  gsize n = dyno_trace_get_length (latency);

  self->begin = 0;
  self->end = n > 0 ? (double)dyno_trace_get_times (latency)[n - 1] / 1e9 : 0;
  for (gsize i = 0; i < dyno_trace_get_length (phases); i++)
    {
      double time = (double)dyno_trace_get_times (phases)[i] / 1e9;

      if (dyno_trace_get_values (phases)[i] == DYNO_PHASE_MEASURE)
        self->begin = time;
      else if (dyno_trace_get_values (phases)[i] > DYNO_PHASE_MEASURE)
        self->end = MIN (self->end, time);
    }
}

/* Returns the readings between two times, which are consecutive in a trace. */
static const double *
get_readings (DynoTrace *trace, double begin, double end, gsize *n)
{
  const gint64 *times = dyno_trace_get_times (trace);
  gsize length = dyno_trace_get_length (trace);
  gsize first = 0;

  while (first < length && (double)times[first] / 1e9 < begin)
    first++;
  for (*n = 0; first + *n < length && (double)times[first + *n] / 1e9 < end;)
    (*n)++;
  return dyno_trace_get_values (trace) + first;
}

static double
get_mean (DynoTrace *trace, double begin, double end)
{
  gsize n;
  const double *readings = get_readings (trace, begin, end, &n);

  return n > 0 ? dyno_stats_mean (readings, n) : NAN;
}

/* Describes the mean of a reading in the first and the last tenth of the measurement. */
static char *
describe_change (const Sustained *self, DynoTrace *trace)
{
  double tenth = (self->end - self->begin) / 10;
  double before = get_mean (trace, self->begin, self->begin + tenth);
  double after = get_mean (trace, self->end - tenth, self->end);
  g_autofree char *from = dyno_unit_format (before, dyno_trace_get_unit (trace));
  g_autofree char *to = dyno_unit_format (after, dyno_trace_get_unit (trace));

  if (!isfinite (before) || !isfinite (after))
    return NULL;
  return g_strdup_printf (_ ("%s on average in the first tenth, %s in the last"), from, to);
}

static void
add_rows (const Sustained *self, DynoSeries *series, const char *unit)
{
  DynoChartTable *table = dyno_chart_build_table (self->chart);

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      double low = NAN, high = NAN;

      dyno_series_get_band (series, i, &low, &high);
      dyno_chart_table_begin_row (table, self->kase);
      dyno_chart_table_add_text (table, dyno_series_get_name (series));
      dyno_chart_table_add_text (table, unit);
      dyno_chart_table_add_number (table, dyno_series_get_x (series)[i]);
      dyno_chart_table_add_number (table, dyno_series_get_y (series)[i]);
      dyno_chart_table_add_number (table, low);
      dyno_chart_table_add_number (table, high);
    }
}

/* --- latency --- */

static void
add_latency (Sustained *self)
{
  DynoTrace *latency = dyno_result_get_trace (self->kase->result, "latency");
  g_autoptr (DynoSeries) series = dyno_series_new (_ ("Median latency"), self->n_series++);
  DynoSeries *tails[] = { dyno_series_new ("", dyno_series_get_slot (series)),
                          dyno_series_new ("", dyno_series_get_slot (series)) };
  double least = INFINITY, most = -INFINITY;
  gsize n;

  get_readings (latency, self->begin, self->end, &n);
  guint n_slices = (guint)CLAMP (n / MIN_STEPS, 1, MAX_SLICES);
  for (guint i = 0; i < n_slices; i++)
    {
      double begin = self->begin + (self->end - self->begin) * i / n_slices;
      double end = self->begin + (self->end - self->begin) * (i + 1) / n_slices;
      const double *readings = get_readings (latency, begin, end, &n);
      g_autofree double *sorted = g_memdup2 (readings, n * sizeof *readings);

      if (n < MIN_STEPS)
        continue;
      dyno_stats_sort (sorted, n);
      double low = dyno_stats_percentile (sorted, n, 10);
      double high = dyno_stats_percentile (sorted, n, 90);
      dyno_series_add_with_band (series, (begin + end) / 2, dyno_stats_percentile (sorted, n, 50), low, high);
      dyno_series_add (tails[0], (begin + end) / 2, low);
      dyno_series_add (tails[1], (begin + end) / 2, high);
      least = MIN (least, low);
      most = MAX (most, high);
    }
  dyno_chart_begin_panel (self->chart, _ ("Latency of a step"));
  dyno_chart_add_series (self->chart, series);
  for (guint i = 0; i < G_N_ELEMENTS (tails); i++)
    {
      dyno_series_set_leader (tails[i], series);
      dyno_chart_take_layer (self->chart, dyno_guide_layer_new (tails[i], FALSE));
      g_object_unref (tails[i]);
    }
  dyno_chart_take_layer (self->chart, dyno_line_layer_new (series));
  dyno_chart_take_axes (self->chart, g_object_ref (self->time),
                        dyno_linear_axis_new_nice (_ ("Latency of a step"), "ms",
                                                   isfinite (least) ? least : 0, isfinite (most) ? most : 1));
  dyno_chart_take_panel_finding (self->chart, describe_change (self, latency));
  add_rows (self, series, "ms");
}

/* --- sensors --- */

static DynoSeries *
create_series (const Sustained *self, DynoTrace *trace, const char *name)
{
  DynoSeries *series = dyno_series_new (name, self->n_series);
  const gint64 *times = dyno_trace_get_times (trace);
  const double *values = dyno_trace_get_values (trace);

  for (gsize i = 0; i < dyno_trace_get_length (trace); i++)
    {
      double time = (double)times[i] / 1e9;

      if (time >= self->begin && time <= self->end)
        dyno_series_add (series, time, values[i]);
    }
  return series;
}

static gboolean
add_sensors (Sustained *self, const char *title, const char *prefix)
{
  g_autoptr (GPtrArray) traces = dyno_sensor_traces_list (self->kase->result, prefix);
  g_autoptr (GPtrArray) throttled = dyno_sensor_traces_list (self->kase->result, DYNO_TRACES_THROTTLED);
  double least = INFINITY;
  double most = -INFINITY;

  if (traces->len == 0)
    return FALSE;
  dyno_chart_begin_panel (self->chart, title);
  /* Throttling lowers the clock: its shades are behind the lines. */
  for (guint i = 0; i < throttled->len; i++)
    dyno_chart_take_layer (self->chart, dyno_stretch_layer_new (throttled->pdata[i], _ ("Throttled")));
  for (guint i = 0; i < MIN (traces->len, MAX_LINES); i++)
    {
      DynoTrace *trace = g_ptr_array_index (traces, i);
      const char *what = strcmp (prefix, DYNO_TRACES_POWER) == 0
                             ? dyno_sensor_traces_get_part_name (trace)
                             : dyno_trace_get_name (trace) + strlen (prefix);
      /* Translators: what a sensor reads, and where: “Temperature: k10temp” */
      g_autofree char *name = g_strdup_printf (_ ("%s: %s"), title, what);
      g_autoptr (DynoSeries) series = create_series (self, trace, name);
      double low, high;

      if (dyno_series_get_extent (series, 0, dyno_series_get_length (series), &low, &high))
        {
          least = MIN (least, low);
          most = MAX (most, high);
        }
      self->n_series++;
      dyno_chart_add_series (self->chart, series);
      dyno_chart_take_layer (self->chart, dyno_area_layer_new (series, FALSE));
      add_rows (self, series, dyno_trace_get_unit (trace));
    }
  dyno_chart_take_axes (self->chart, g_object_ref (self->time),
                        dyno_linear_axis_new_nice (title, dyno_trace_get_unit (traces->pdata[0]),
                                                   isfinite (least) ? least : 0, isfinite (most) ? most : 1));
  dyno_chart_take_panel_finding (self->chart, describe_change (self, traces->pdata[0]));
  return TRUE;
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  static const struct
  {
    const char *title;
    const char *prefix;
    const char *value;
    const char *missing;
  } sensors[] = {
    { N_ ("Clock"), DYNO_TRACES_CLOCK, "clock_avg_mhz", N_ ("No clock was read.") },
    { N_ ("Temperature"), DYNO_TRACES_TEMPERATURE, "temperature_max_celsius",
      N_ ("No temperature was read.") },
    { N_ ("Power"), DYNO_TRACES_POWER, "power_avg_watts", N_ ("No power was read.") },
  };
  Sustained self = { .chart = chart, .kase = g_ptr_array_index (cases, 0) };
  GString *caption = g_string_new (dyno_chart_get_caption (chart));

  find_measurement (&self);
  self.time = dyno_time_axis_new_between (self.begin, self.end);
  /* An axis of its own: the other charts of the case are of all processes. */
  if (dyno_result_get_n_invocations (self.kase->result) > 1)
    dyno_axis_set_title (self.time, _ ("Time in the first process"));
  dyno_chart_table_add_columns (dyno_chart_build_table (chart), _ ("Series"), _ ("Unit"), _ ("Time (s)"),
                                _ ("Value"), _ ("10th percentile"), _ ("90th percentile"), NULL);
  add_latency (&self);
  g_string_append_c (caption, '\n');
  dyno_sentences_append (caption, _ ("Dashed lines: the 10th and the 90th percentile of the steps."));
  for (guint i = 0; i < G_N_ELEMENTS (sensors); i++)
    if (!add_sensors (&self, _ (sensors[i].title), sensors[i].prefix))
      {
        g_autofree char *reasons = dyno_chart_cases_dup_reasons (cases, sensors[i].value);

        dyno_sentences_append (caption, _ (sensors[i].missing));
        dyno_sentences_append (caption, reasons);
      }
  g_object_unref (self.time);
  dyno_chart_take_caption (chart, g_string_free (caption, FALSE));
  double percent = dyno_result_get_number (self.kase->result, "sustained_percent");
  g_autofree char *text = dyno_unit_format_percent (percent);
  dyno_chart_take_finding (
      chart, g_strdup_printf (
                 percent >= 99 && percent <= 101
                     ? _ ("The throughput holds: the last tenth has %s %% of that of the first.")
                 : percent > 101 ? _ ("The throughput rises: the last tenth has %s %% of that of the first.")
                                 : _ ("The throughput falls: the last tenth has %s %% of that of the first."),
                 text));
}

const DynoChartInfo dyno_sustained_chart = {
  .name = "sustained",
  .label = N_ ("Sustained load"),
  .empty = N_ ("No case was measured for a given time. Run the suite “Sustained”, or set the minimum and the "
               "maximum duration to the same."),
  .group = DYNO_CHART_GROUP_SPEED,
  .flags = DYNO_CHART_OF_ONE_CASE | DYNO_CHART_IS_WIDE,
  .has_data = is_sustained,
  .limit = 1,
  .build = build,
};
