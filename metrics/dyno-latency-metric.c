/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"
#include "dyno-time-series.h"

/* The duration of a step: mean, percentiles (linear interpolation, Hyndman–Fan type 7) and the 95 % interval of the
 * median, over the steady state; every step goes into the trace `latency`. */
G_DECLARE_FINAL_TYPE (DynoLatencyMetric, dyno_latency_metric, DYNO, LATENCY_METRIC, DynoMetric)

#define INTERVAL_SOURCE                                                                                      \
  "95 % interval of the median within this process, by order statistics of the effective sample size"

struct _DynoLatencyMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoLatencyMetric, dyno_latency_metric, DYNO_TYPE_METRIC)

/* Adds a number from the steady samples, or from all if there is no steady state; @how describes the computation, if
 * the name does not make it plain. */
static void
add_number (DynoMeasurement *measurement, const char *name, double number, const char *unit, const char *how)
{
  const char *window = measurement->steadiness == DYNO_STEADINESS_NONE ? "whole measurement" : "steady state";
  const char *what =
      measurement->server != NULL ? "from each request to the last text of its answer" : "around each step";
  g_autofree char *source =
      g_strdup_printf ("%s %s, %s%s", dyno_measurement_get_clock_name (measurement), what, window, how);

  dyno_measurement_add_settled (measurement, name, number, unit, DYNO_QUALITY_MEASURED, source);
}

static void
add_percentile (DynoMeasurement *measurement,
                const double *sorted,
                gsize n,
                double n_effective,
                const char *name,
                double percent)
{
  g_autofree char *reason = dyno_measurement_explain_percentile (n, n_effective, percent);

  if (reason == NULL)
    add_number (measurement, name, dyno_stats_percentile (sorted, n, percent), "ms",
                ", percentile by linear interpolation (type 7)");
  else
    dyno_measurement_add_unsupported (measurement, name, "ms", reason);
}

/* Adds the median of @n steps with its interval; sorts @values. */
static void
add_median (DynoMeasurement *measurement, double *values, gsize n, const char *how)
{
  const char *reason = dyno_measurement_explain_unsteady (measurement);
  double n_effective = dyno_stats_effective_size (values, n);
  double low, high;

  dyno_stats_sort (values, n);
  add_number (measurement, "latency_p50_ms", dyno_stats_percentile (values, n, 50), "ms", how);
  if (reason == NULL && !dyno_stats_median_interval (values, n, n_effective, &low, &high))
    reason = _ ("Too few samples.");
  if (reason != NULL)
    {
      dyno_measurement_add_unsupported (measurement, "latency_median_low_ms", "ms", reason);
      dyno_measurement_add_unsupported (measurement, "latency_median_high_ms", "ms", reason);
      return;
    }
  dyno_measurement_add_measured (measurement, "latency_median_low_ms", low, "ms", INTERVAL_SOURCE);
  dyno_measurement_add_measured (measurement, "latency_median_high_ms", high, "ms", INTERVAL_SOURCE);
}

/* The undisturbed steps have the say where they represent the measurement. @values: all steady steps. */
static void
add_medians (DynoMeasurement *measurement, const double *values, gsize n)
{
  gsize first = measurement->steady_first;
  g_autoptr (GArray) indices =
      dyno_measurement_list_undisturbed (measurement, first, measurement->steady_end);
  g_autofree double *all = g_memdup2 (values, n * sizeof (double));
  g_autofree double *undisturbed = indices != NULL ? g_new (double, indices->len) : NULL;

  for (guint i = 0; indices != NULL && i < indices->len; i++)
    undisturbed[i] = values[g_array_index (indices, gsize, i) - first];
  if (undisturbed == NULL)
    {
      add_median (measurement, all, n, "");
      return;
    }
  add_median (measurement, undisturbed, indices->len, ", undisturbed windows of about 50 ms");
  dyno_stats_sort (all, n);
  add_number (measurement, "latency_all_p50_ms", dyno_stats_percentile (all, n, 50), "ms", "");
}

static void
append_samples (DynoTrace *trace, const DynoSamples *samples, gint64 origin_ns, guint steps_per_sample)
{
  gsize n = dyno_samples_get_length (samples);

  for (gsize i = 0; i < n; i++)
    dyno_trace_add (trace, samples->starts[i] - origin_ns,
                    (double)samples->durations[i] / (1e6 * steps_per_sample));
}

static void
add_counts (DynoMeasurement *measurement, gsize n)
{
  dyno_measurement_add_measured (measurement, "latency_samples", (double)n, "",
                                 "samples that the latency is of");
  dyno_measurement_add_measured (measurement, "latency_batched_steps", measurement->steps_per_sample, "",
                                 "steps timed together because one is shorter than 1000 clock resolutions");
}

/* A latency that grew throughout the load belongs to no load. Returns whether it did. */
static gboolean
withhold (DynoMeasurement *measurement, gsize n)
{
  static const char *const names[] = {
    "latency_mean_ms",        "latency_stddev_ms", "latency_p50_ms", "latency_median_low_ms",
    "latency_median_high_ms", "latency_p90_ms",    "latency_p95_ms", "latency_p99_ms",
    "latency_p999_ms",        "latency_min_ms",    "latency_max_ms",
  };
  const char *reason = dyno_measurement_explain_overload (measurement);

  if (reason == NULL)
    return FALSE;
  add_counts (measurement, n);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    dyno_measurement_add_unsupported (measurement, names[i], "ms", reason);
  return TRUE;
}

/* Adds the numbers of @n steady steps, at least one; sorts @values. */
static void
add_steady (DynoMeasurement *measurement, double *values, gsize n)
{
  double n_effective = dyno_stats_effective_size (values, n);
  DynoOutliers outliers;
  gsize n_outliers;

  add_number (measurement, "latency_mean_ms", dyno_stats_mean (values, n), "ms", "");
  add_number (measurement, "latency_stddev_ms", dyno_stats_standard_deviation (values, n), "ms", "");
  add_medians (measurement, values, n);
  dyno_stats_sort (values, n);
  add_percentile (measurement, values, n, n_effective, "latency_p90_ms", 90);
  add_percentile (measurement, values, n, n_effective, "latency_p95_ms", 95);
  add_percentile (measurement, values, n, n_effective, "latency_p99_ms", 99);
  add_percentile (measurement, values, n, n_effective, "latency_p999_ms", 99.9);
  add_number (measurement, "latency_min_ms", values[0], "ms", "");
  add_number (measurement, "latency_max_ms", values[n - 1], "ms", "");
  add_counts (measurement, n);
  dyno_measurement_add_measured (measurement, "latency_effective_samples", n_effective, "",
                                 "effective sample size for the median: n / (1 + 2 Σρ), initial "
                                 "monotone sequence");

  dyno_stats_outliers (values, n, &outliers);
  n_outliers = outliers.low_severe + outliers.low_mild + outliers.high_mild + outliers.high_severe;
  if (n_outliers > 0)
    {
      g_autofree char *message = g_strdup_printf (
          ngettext ("%zu of %zu samples lies outside Tukey’s fences, %zu of them far above. It was kept.",
                    "%zu of %zu samples lie outside Tukey’s fences, %zu of them far above. They were kept.",
                    n_outliers),
          n_outliers, n, outliers.high_severe);

      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "outliers", message);
    }
}

static void
dyno_latency_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  const char *engine_copy = _ ("the engine’s own copy of one step’s tensors, outside the timed steps");
  gsize n = measurement->steady_end - measurement->steady_first;
  g_autofree double *values =
      dyno_samples_to_milliseconds (measurement->samples, measurement->steady_first, measurement->steady_end,
                                    measurement->steps_per_sample);
  g_autofree char *timer =
      g_strdup_printf ("%s read back to back", dyno_measurement_get_clock_name (measurement));
  DynoTrace *trace = dyno_trace_new ("latency", "ms", measurement->origin_ns);

  dyno_trace_reserve (trace, dyno_samples_get_length (measurement->warm_up) +
                                 dyno_samples_get_length (measurement->samples));
  append_samples (trace, measurement->warm_up, measurement->origin_ns, 1);
  append_samples (trace, measurement->samples, measurement->origin_ns, measurement->steps_per_sample);
  dyno_measurement_take_trace (measurement, trace);

  dyno_measurement_add_measured (measurement, "timer_resolution_ns", measurement->clock_resolution_ns, "ns",
                                 timer);
  if (measurement->has_own_clock)
    dyno_measurement_add_unsupported (
        measurement, "timer_overhead_ns", "ns",
        _ ("The engine reads its own clock; the cost of a reading is unknown."));
  else
    dyno_measurement_add_measured (measurement, "timer_overhead_ns", measurement->clock_overhead_ns, "ns",
                                   timer);

  if (measurement->has_transfers)
    {
      dyno_measurement_add_measured (measurement, "transfer_to_device_ms",
                                     (double)measurement->transfers.to_device_ns / 1e6, "ms", engine_copy);
      dyno_measurement_add_measured (measurement, "transfer_from_device_ms",
                                     (double)measurement->transfers.from_device_ns / 1e6, "ms", engine_copy);
    }
  if (n > 0 && !withhold (measurement, n))
    add_steady (measurement, values, n);
}

static const DynoMetricValue known_values[] = {
  { "latency_mean_ms", N_ ("Mean latency"), TRUE },
  { "latency_p50_ms", N_ ("Median latency"), TRUE,
    .note = "of the undisturbed part of the time where that is at least a fifth of it" },
  { "latency_all_p50_ms", N_ ("Median latency over all"), FALSE,
    .note = "with the disturbed part; only if the median is of the undisturbed part" },
  { "latency_p90_ms", N_ ("90th percentile of latency"), TRUE },
  { "latency_p95_ms", N_ ("95th percentile of latency"), TRUE },
  { "latency_p99_ms", N_ ("99th percentile of latency"), TRUE },
  { "latency_p999_ms", N_ ("99.9th percentile of latency"), FALSE },
  { "latency_min_ms", N_ ("Minimum latency"), TRUE },
  { "latency_max_ms", N_ ("Maximum latency"), TRUE },
  { "latency_stddev_ms", N_ ("Standard deviation of latency"), TRUE },
  { "latency_median_low_ms", /* xgettext:no-c-format */ N_ ("Median latency, 95 % interval, low end"), TRUE,
    .note = "with fewer than five processes the low end of their range" },
  { "latency_median_high_ms", /* xgettext:no-c-format */ N_ ("Median latency, 95 % interval, high end"), TRUE,
    .note = "with fewer than five processes the high end of their range" },
  { "latency_samples", N_ ("Samples"), TRUE },
  { "latency_effective_samples", N_ ("Effective samples"), FALSE,
    .note = "decides the interval, the percentiles and the end of measuring" },
  { "latency_batched_steps", N_ ("Steps per sample"), FALSE },
  { "timer_resolution_ns", N_ ("Timer resolution"), FALSE },
  { "timer_overhead_ns", N_ ("Timer overhead"), FALSE },
  { "transfer_to_device_ms", N_ ("Transfer to the device"), FALSE,
    .note = "the tensors of one step, where the engine copies them apart" },
  { "transfer_from_device_ms", N_ ("Transfer from the device"), FALSE,
    .note = "the tensors of one step, where the engine copies them apart" },
  { NULL },
};

static void
dyno_latency_metric_class_init (DynoLatencyMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "latency";
  metric_class->values = known_values;
  metric_class->collect = dyno_latency_metric_collect;
}

static void
dyno_latency_metric_init (DynoLatencyMetric *self)
{
}
