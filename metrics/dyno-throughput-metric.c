/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

/* Items, for models with a sequence tokens, and for models that hear seconds of audio, per second of the steady state's wall
 * time. */
G_DECLARE_FINAL_TYPE (DynoThroughputMetric, dyno_throughput_metric, DYNO, THROUGHPUT_METRIC, DynoMetric)

struct _DynoThroughputMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoThroughputMetric, dyno_throughput_metric, DYNO_TYPE_METRIC)

static void
add_rate (DynoMeasurement *measurement,
          const char *name,
          double n,
          const char *unit,
          DynoQuality quality,
          const char *what)
{
  const char *time =
      measurement->has_own_clock ? "the time of its steps by the engine's own clock" : "its wall time";
  const char *window =
      measurement->steadiness == DYNO_STEADINESS_NONE ? "the whole measurement" : "the steady state";
  g_autofree char *source = g_strdup_printf ("%s of %s over %s", what, window, time);

  dyno_measurement_add_settled (measurement, name, 1e9 * n / (double)measurement->steady_wall_ns, unit,
                                quality, source);
}

static void
dyno_throughput_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  double n_steps = dyno_measurement_count_steady_steps (measurement);
  double items = n_steps * dyno_measurement_get_items_per_step (measurement);
  double tokens = items * measurement->sequence_length;
  DynoValue *sound = dyno_measurement_get_value (measurement, "audio_seconds");
  g_autofree char *heard = NULL;

  if (n_steps < 1)
    return;
  add_rate (measurement, "throughput_items_per_sec", items, "1/s", DYNO_QUALITY_MEASURED, "items");
  if (tokens > 0 && measurement->n_generated == 0)
    add_rate (measurement, "throughput_tokens_per_sec", tokens, "tokens/s", DYNO_QUALITY_MEASURED, "tokens");
  if (sound == NULL)
    return;
  heard = measurement->n_generated > 0
              ? g_strdup_printf ("audio_seconds of each item, for which %u tokens are written,",
                                 measurement->n_generated)
              : g_strdup ("audio_seconds of each item");
  add_rate (measurement, "audio_seconds_per_sec", items * dyno_value_get_number (sound), "s/s",
            dyno_value_get_quality (sound), heard);
}

static const DynoMetricValue known_values[] = {
  { "throughput_items_per_sec", N_ ("Sustained throughput"), TRUE, TRUE,
    .note = "all items over the whole steady state; the rate of a median step is that of the median" },
  { "throughput_tokens_per_sec", N_ ("Sustained token throughput"), TRUE, TRUE },
  { "audio_seconds", N_ ("Audio of an item"), FALSE,
    .note = "the frames or samples of the input over their number in a second" },
  { "audio_seconds_per_sec", N_ ("Real-time factor"), FALSE, TRUE,
    .note = "seconds of audio for each second of work, with the tokens that the case writes; above 1 it is "
            "faster "
            "than the audio" },
  { NULL },
};

static void
dyno_throughput_metric_class_init (DynoThroughputMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "throughput";
  metric_class->values = known_values;
  metric_class->collect = dyno_throughput_metric_collect;
}

static void
dyno_throughput_metric_init (DynoThroughputMetric *self)
{
}
