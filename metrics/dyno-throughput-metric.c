/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-throughput-metric.h"

struct _DynoThroughputMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoThroughputMetric, dyno_throughput_metric, DYNO_TYPE_METRIC)

static void
dyno_throughput_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  double n_samples = (double)(measurement->steady_end - measurement->steady_first);
  double seconds = (double)measurement->steady_wall_ns / 1e9;
  double items = n_samples * measurement->steps_per_sample * measurement->batch_size;
  double tokens = items * measurement->sequence_length;

  if (n_samples < 1)
    return;
  dyno_measurement_add_measured (measurement, "throughput_items_per_sec", items / seconds, "1/s",
                                 "items of the steady state over its wall time");
  if (tokens > 0 && measurement->decodes == NULL)
    dyno_measurement_add_measured (measurement, "throughput_tokens_per_sec", tokens / seconds, "tokens/s",
                                   "tokens of the steady state over its wall time");
}

static void
dyno_throughput_metric_class_init (DynoThroughputMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "throughput";
  metric_class->collect = dyno_throughput_metric_collect;
}

static void
dyno_throughput_metric_init (DynoThroughputMetric *self)
{
}
