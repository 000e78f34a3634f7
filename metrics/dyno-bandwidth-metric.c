/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-memory-modules.h"
#include "dyno-metric.h"
#include "dyno-step-work.h"
#include "dyno-unit.h"

/* An operator with a smaller share of the time is too short for the profile's clock. */
#define MIN_TIME_SHARE 0.01

/* Over a shorter time than this, the counters mostly show the traffic at its edges. */
#define RATE_INTERVAL_NS (G_GINT64_CONSTANT (20) * 1000 * 1000)

/* The amount and the rate of the data that the steps move: by the memory controllers' own counters if the machine has
 * them, else estimated by a model of traffic from the operators' shapes. The model's `bytes_per_step` is given as
 * well as the counters in any case; the two are never mixed, because caches are between them. */
G_DECLARE_FINAL_TYPE (DynoBandwidthMetric, dyno_bandwidth_metric, DYNO, BANDWIDTH_METRIC, DynoMetric)

struct _DynoBandwidthMetric
{
  DynoMetric parent_instance;

  const DynoSensorInfo *info;
  DynoTrace *traffic;
};

G_DEFINE_FINAL_TYPE (DynoBandwidthMetric, dyno_bandwidth_metric, DYNO_TYPE_METRIC)

static void
dyno_bandwidth_metric_finalize (GObject *object)
{
  g_clear_object (&DYNO_BANDWIDTH_METRIC (object)->traffic);

  G_OBJECT_CLASS (dyno_bandwidth_metric_parent_class)->finalize (object);
}

static void
dyno_bandwidth_metric_start (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoBandwidthMetric *self = DYNO_BANDWIDTH_METRIC (metric);
  guint n = measurement->sensors != NULL ? dyno_sensor_set_get_n_sensors (measurement->sensors) : 0;

  for (guint i = 0; i < n; i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (measurement->sensors, i);
      const DynoSensorInfo *info = dyno_sensor_get_info (sensor);

      if (info->kind != DYNO_SENSOR_TRAFFIC || info->domain == DYNO_DOMAIN_DEVICE || self->traffic != NULL)
        continue;
      self->info = info;
      self->traffic =
          dyno_sampler_add (measurement->sampler, sensor, "traffic_dram", measurement->power_milliseconds);
    }
}

/* Returns the time of the steady steps themselves, without the gaps between them; for overlapping requests, the time
 * of all. */
static double
sum_seconds (DynoMeasurement *measurement)
{
  double seconds = 0;

  if (measurement->load != NULL)
    return (double)measurement->steady_wall_ns / 1e9;
  if (measurement->samples == NULL)
    return dyno_measurement_count_steady_steps (measurement) *
           dyno_measurement_get_number (measurement, "latency_mean_ms") / 1e3;
  for (gsize i = measurement->steady_first; i < measurement->steady_end; i++)
    seconds += (double)measurement->samples->durations[i] / 1e9;
  return seconds;
}

static void
add_unsupported (DynoMeasurement *measurement, const char *reason)
{
  dyno_measurement_add_unsupported (measurement, "avg_bandwidth_gbps", "GB/s", reason);
  dyno_measurement_add_unsupported (measurement, "peak_bandwidth_gbps", "GB/s", reason);
  dyno_measurement_add_unsupported (measurement, "memory_transfers_gb", "GB", reason);
}

static void
drop_value (DynoMeasurement *measurement, const char *name)
{
  DynoValue *value = dyno_measurement_get_value (measurement, name);

  if (value != NULL)
    g_ptr_array_remove (measurement->values, value);
}

static void
add_modelled (DynoMeasurement *measurement,
              const char *name,
              double number,
              const char *unit,
              const char *how,
              const char *why)
{
  /* The peak is that of an operator, of which nobody stated the bytes. */
  gboolean is_given = measurement->given_bytes > 0 && !g_str_equal (name, "peak_bandwidth_gbps");
  g_autofree char *source = g_strdup_printf (
      "%s, %s. %s",
      is_given ? "by you (--bytes-per-step)" : dyno_step_work_get_bytes_source (&measurement->analysis), how,
      why);

  dyno_measurement_add_estimated (measurement, name, number, unit, source);
}

/* Returns why @peak, that of the fastest operator, is not the peak of a step; NULL if it may be. */
static char *
explain_no_peak (const DynoMeasurement *measurement, double peak, double average)
{
  guint n_untimed = 0;

  for (guint i = 0; i < measurement->operators->len; i++)
    if (dyno_operator_get_time_ns (measurement->operators->pdata[i]) < 0)
      n_untimed++;
  if (measurement->n_requests > 1)
    return g_strdup (
        _ ("Operators are timed with one request at a time, so the peak of several at once is unknown."));
  if (n_untimed > 0)
    return g_strdup_printf (_ ("%u of %u operators have no time; one of them may move the most."), n_untimed,
                            measurement->operators->len);
  if (!(peak > 0))
    return g_strdup (_ ("The profile has no operator of which both the time and the bytes are known."));
  if (!(peak < average))
    return NULL;

  g_autofree char *of_fastest = dyno_unit_format_plain (peak);
  g_autofree char *of_steps = dyno_unit_format_plain (average);

  /* Translators: two numbers */
  return g_strdup_printf (_ ("In the profile the fastest operator moves %s GB/s, less than the %s GB/s of "
                             "whole steps: operators run slower while profiled, so this is not a peak."),
                          of_fastest, of_steps);
}

/* @why: why nothing was counted. */
static void
add_model (DynoMeasurement *measurement, const char *why)
{
  double bytes = dyno_measurement_get_number (measurement, "bytes_per_step");
  double n_steps = dyno_measurement_count_steady_steps (measurement);
  double gigabytes = bytes * n_steps / 1e9;
  double average = gigabytes / sum_seconds (measurement);
  double total_ns = 0, peak = 0;

  if (!(gigabytes > 0))
    return;
  drop_value (measurement, "avg_bandwidth_gbps");
  drop_value (measurement, "memory_transfers_gb");
  drop_value (measurement, "peak_bandwidth_gbps");
  add_modelled (measurement, "avg_bandwidth_gbps", average, "GB/s", "over the time of the steps", why);
  add_modelled (measurement, "memory_transfers_gb", gigabytes, "GB", "all steps of the steady state", why);

  /* The fastest of the operators that the profile's clock can time. */
  for (guint i = 0; i < measurement->operators->len; i++)
    total_ns += (double)MAX (dyno_operator_get_time_ns (measurement->operators->pdata[i]), 0);
  for (guint i = 0; i < measurement->operators->len; i++)
    {
      DynoOperator *op = measurement->operators->pdata[i];
      double time_ns = (double)dyno_operator_get_time_ns (op);

      if (time_ns > 0 && time_ns >= MIN_TIME_SHARE * total_ns)
        peak =
            MAX (peak, (double)dyno_operator_get_bytes (op) * (double)dyno_operator_get_calls (op) / time_ns);
    }

  g_autofree char *reason = explain_no_peak (measurement, peak, average);

  if (reason != NULL)
    dyno_measurement_add_unsupported (measurement, "peak_bandwidth_gbps", "GB/s", reason);
  else
    add_modelled (measurement, "peak_bandwidth_gbps", peak, "GB/s",
                  "of the fastest operator that takes a hundredth of the time", why);
}

/* Devices other than graphics cards share the machine's memory. */
static gboolean
has_own_memory (DynoMeasurement *measurement)
{
  return dyno_measurement_is_on_device (measurement) && measurement->device_kind != DYNO_DEVICE_KIND_NPU;
}

static char *
explain_counters (DynoMeasurement *measurement)
{
  g_autofree char *text = NULL;

  if (has_own_memory (measurement))
    return g_strdup (_ ("The counters are those of main memory, but the device has its own memory."));
  if (measurement->sensors == NULL)
    return g_strdup (_ ("Sensor sampling is off; set “power-milliseconds”."));
  text = dyno_sensor_set_explain (measurement->sensors, (const char *const[]){ "traffic", NULL });
  if (*text != '\0')
    return g_steal_pointer (&text);
  return g_strdup (
      _ ("The memory controllers gave no readings for the steady state, or their counters stood still."));
}

static void
add_counted (DynoBandwidthMetric *self,
             DynoMeasurement *measurement,
             const char *name,
             double number,
             const char *unit)
{
  if (self->info->estimated)
    dyno_measurement_add_estimated (measurement, name, number, unit, self->info->source);
  else
    dyno_measurement_add_measured (measurement, name, number, unit, self->info->source);
}

/* @unsteady: why there is only the trace, or NULL. */
static gboolean
add_counters (DynoBandwidthMetric *self, DynoMeasurement *measurement, const char *unsteady)
{
  g_autoptr (GArray) stretches = dyno_measurement_list_steady_stretches (measurement);
  g_autoptr (DynoTrace) rate = NULL;
  DynoEnergy traffic;
  double average, highest;

  if (self->traffic == NULL)
    return FALSE;

  rate = dyno_energy_trace_to_rate (self->traffic, "bandwidth_dram", "GB/s", RATE_INTERVAL_NS);
  if (dyno_trace_get_length (rate) > 0)
    dyno_measurement_take_trace (measurement, g_object_ref (rate));
  if (unsteady != NULL || has_own_memory (measurement) ||
      !dyno_energy_trace_measure (self->traffic, (const DynoStretch *)stretches->data, stretches->len, 0,
                                  &traffic) ||
      traffic.joules <= 0)
    return FALSE;
  average = traffic.joules / traffic.seconds;
  add_counted (self, measurement, "avg_bandwidth_gbps", average, "GB/s");
  /* Parts of the steady state may have no reading of their own, so the average may be higher than any of them. */
  if (dyno_energy_trace_find_highest (rate, stretches, &highest))
    add_counted (self, measurement, "peak_bandwidth_gbps", MAX (average, highest), "GB/s");
  else
    dyno_measurement_add_unsupported (
        measurement, "peak_bandwidth_gbps", "GB/s",
        _ ("The measurement ended before the traffic could be read twice; allow more time."));
  add_counted (self, measurement, "memory_transfers_gb", traffic.joules, "GB");
  return TRUE;
}

static void
dyno_bandwidth_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  g_autofree char *unsteady =
      dyno_measurement_explain_no_sum (measurement, _ ("Traffic is summed up over a steady state only."));
  const char *unseen = dyno_measurement_explain_unseen (measurement);
  g_autofree char *why = NULL;

  if (unseen != NULL)
    {
      add_unsupported (measurement, unseen);
      dyno_measurement_add_unsupported (measurement, "peak_theoretical_bandwidth_gbps", "GB/s", unseen);
      return;
    }

  g_autofree char *derivation = NULL;
  double bytes_per_second = dyno_memory_modules_derive_bandwidth (&derivation);

  if (has_own_memory (measurement))
    dyno_measurement_add_unsupported (
        measurement, "peak_theoretical_bandwidth_gbps", "GB/s",
        _ ("The firmware describes main memory, but the device has its own memory."));
  else if (bytes_per_second > 0)
    dyno_measurement_add_estimated (measurement, "peak_theoretical_bandwidth_gbps", bytes_per_second / 1e9,
                                    "GB/s", derivation);
  else
    dyno_measurement_add_unsupported (measurement, "peak_theoretical_bandwidth_gbps", "GB/s", derivation);
  if (add_counters (DYNO_BANDWIDTH_METRIC (metric), measurement, unsteady))
    return;
  why = unsteady != NULL ? g_strdup (unsteady) : explain_counters (measurement);
  add_unsupported (measurement, why);
}

/* Without counters there is a model of the traffic, which needs the operators. */
static void
dyno_bandwidth_metric_analysed (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoValue *counted = dyno_measurement_get_value (measurement, "avg_bandwidth_gbps");

  if (counted != NULL && !dyno_value_is_number (counted) &&
      dyno_measurement_explain_unsteady (measurement) == NULL)
    {
      g_autofree char *why = g_strdup (dyno_value_get_source (counted));

      add_model (measurement, why);
    }
}

static const DynoMetricValue known_values[] = {
  { "avg_bandwidth_gbps", N_ ("Average bandwidth"), TRUE, TRUE,
    .note = "from the memory controllers’ counters of the whole machine, of a device with memory of its own "
            "from that; else estimated from bytes_per_step" },
  { "peak_bandwidth_gbps", N_ ("Peak bandwidth"), TRUE, TRUE },
  { "peak_theoretical_bandwidth_gbps", N_ ("Theoretical bandwidth"), TRUE, TRUE,
    .note = "from the memory modules as the firmware describes them" },
  { "memory_transfers_gb", N_ ("Memory traffic"), TRUE,
    .note = "steady state; measured or estimated as the average bandwidth" },
  { NULL },
};

static void
dyno_bandwidth_metric_class_init (DynoBandwidthMetricClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  object_class->finalize = dyno_bandwidth_metric_finalize;

  metric_class->id = "bandwidth";
  metric_class->values = known_values;
  metric_class->start = dyno_bandwidth_metric_start;
  metric_class->collect = dyno_bandwidth_metric_collect;
  metric_class->analysed = dyno_bandwidth_metric_analysed;
}

static void
dyno_bandwidth_metric_init (DynoBandwidthMetric *self)
{
}
