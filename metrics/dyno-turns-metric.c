/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

/* When the case had its turns, and what it cost to come back after the others had worked. */
G_DECLARE_FINAL_TYPE (DynoTurnsMetric, dyno_turns_metric, DYNO, TURNS_METRIC, DynoMetric)

struct _DynoTurnsMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoTurnsMetric, dyno_turns_metric, DYNO_TYPE_METRIC)

/* Returns by how much the first step of a turn took longer than the median of the others, in ms. */
static double
find_cost (DynoMeasurement *measurement, guint turn)
{
  const GArray *ends = measurement->chunk_ends;
  gsize first = turn > 0 ? g_array_index (ends, gsize, turn - 1) : 0;
  gsize n = g_array_index (ends, gsize, turn) - first;
  g_autofree double *cold =
      dyno_samples_to_milliseconds (measurement->cold, turn, turn + 1, measurement->steps_per_sample);
  g_autofree double *warm =
      dyno_samples_to_milliseconds (measurement->samples, first, first + n, measurement->steps_per_sample);

  dyno_stats_sort (warm, n);
  return *cold - dyno_stats_percentile (warm, n, 50);
}

static void
dyno_turns_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoTrace *turns, *cold;

  if (measurement->turn_starts == NULL)
    return;
  turns = dyno_trace_new ("turns", "", measurement->origin_ns);
  cold = dyno_trace_new ("cold_latency", "ms", measurement->origin_ns);
  for (guint i = 0; i < measurement->turn_starts->len; i++)
    {
      g_autofree double *latency =
          dyno_samples_to_milliseconds (measurement->cold, i, i + 1, measurement->steps_per_sample);

      dyno_trace_add (turns, g_array_index (measurement->turn_starts, gint64, i) - measurement->origin_ns, i);
      dyno_trace_add (cold, measurement->cold->starts[i] - measurement->origin_ns, *latency);
    }
  dyno_measurement_take_trace (measurement, turns);
  dyno_measurement_take_trace (measurement, cold);

  guint n = measurement->turn_starts->len;
  g_autofree double *costs = g_new (double, n);

  for (guint i = 0; i < n; i++)
    costs[i] = find_cost (measurement, i);
  dyno_stats_sort (costs, n);
  dyno_measurement_add_measured (measurement, "cold_return_ms", dyno_stats_percentile (costs, n, 50), "ms",
                                 "first step of a turn, less the median of its other steps; median of turns");
  dyno_measurement_add_measured (measurement, DYNO_TURNS_WAIT, (double)measurement->turn_wait_ns / 1e6, "ms",
                                 "CLOCK_MONOTONIC_RAW around the waits for turns");
}

static const DynoMetricValue known_values[] = {
  { "cold_return_ms", N_ ("Cost of a cold return"), FALSE,
    .note = "in turns: how much longer the first step of a turn took than the median of its others; median "
            "over turns" },
  { DYNO_TURNS_WAIT, N_ ("Wait for turns"), FALSE,
    .note = "in turns: how long the process waited while others loaded, warmed up and worked" },
  { NULL },
};

static void
dyno_turns_metric_class_init (DynoTurnsMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "turns";
  metric_class->values = known_values;
  metric_class->collect = dyno_turns_metric_collect;
}

static void
dyno_turns_metric_init (DynoTurnsMetric *self)
{
}
