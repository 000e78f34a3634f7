/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

/* Tenths of the measured time are compared; with fewer steps than this, one slow step would decide. */
#define N_PARTS   10
#define MIN_STEPS 10

/* The sustained speed: the throughput of the last tenth of a measurement over that of its first, in per cent. It
 * covers the whole measurement, steady or not, because it describes the change; and only measurements of a given
 * duration, because one that ends when the median is precise ends at different times. */
G_DECLARE_FINAL_TYPE (DynoSustainedMetric, dyno_sustained_metric, DYNO, SUSTAINED_METRIC, DynoMetric)

struct _DynoSustainedMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoSustainedMetric, dyno_sustained_metric, DYNO_TYPE_METRIC)

/* Returns the first sample that begins at @time or later. */
static gsize
find_sample (const DynoSamples *samples, gint64 time)
{
  gsize n = dyno_samples_get_length (samples);
  gsize i = 0;

  while (i < n && samples->starts[i] < time)
    i++;
  return i;
}

static double
get_mean_ns (const DynoSamples *samples, gsize first, gsize end)
{
  return (double)dyno_samples_sum (samples, first, end) / (double)(end - first);
}

static void
dyno_sustained_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  const DynoSamples *samples = measurement->samples;
  gsize n = dyno_samples_get_length (samples);
  g_autofree char *source = NULL;
  gint64 begin, duration;
  gsize first_end, last_begin;

  if (!measurement->is_of_given_duration || n == 0 || measurement->load != NULL)
    return;
  begin = samples->starts[0];
  duration = dyno_samples_get_last_end (samples) - begin;
  first_end = find_sample (samples, begin + duration / N_PARTS);
  last_begin = find_sample (samples, begin + duration / N_PARTS * (N_PARTS - 1));
  if (first_end < MIN_STEPS || n - last_begin < MIN_STEPS)
    {
      dyno_measurement_add_unsupported (
          measurement, "sustained_percent", "%",
          _ ("A tenth of the measurement has fewer than 10 samples. Measure longer."));
      return;
    }
  source =
      g_strdup_printf ("throughput of the last tenth of %.4g s of measurement over that of the first tenth",
                       (double)duration / 1e9);
  dyno_measurement_add_measured (
      measurement, "sustained_percent",
      100 * get_mean_ns (samples, 0, first_end) / get_mean_ns (samples, last_begin, n), "%", source);
}

static const DynoMetricValue known_values[] = {
  { "sustained_percent", N_ ("Sustained throughput"), TRUE, TRUE,
    .note = "throughput in the last tenth of the time over that in the first, steady or not; only where "
            "minimum and maximum duration are equal" },
  { NULL },
};

static void
dyno_sustained_metric_class_init (DynoSustainedMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "sustained";
  metric_class->values = known_values;
  metric_class->collect = dyno_sustained_metric_collect;
}

static void
dyno_sustained_metric_init (DynoSustainedMetric *self)
{
}
