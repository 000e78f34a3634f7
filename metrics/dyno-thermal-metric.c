/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"

/* Temperatures, clocks, fans, voltages and throttling while the case runs: they explain a bend in a curve. */
G_DECLARE_FINAL_TYPE (DynoThermalMetric, dyno_thermal_metric, DYNO, THERMAL_METRIC, DynoMetric)

struct _DynoThermalMetric
{
  DynoMetric parent_instance;

  GPtrArray *infos;
  GPtrArray *traces;
};

G_DEFINE_FINAL_TYPE (DynoThermalMetric, dyno_thermal_metric, DYNO_TYPE_METRIC)

typedef struct
{
  double low;
  double high;
  double sum;
  gsize n;
} Range;

static void
dyno_thermal_metric_finalize (GObject *object)
{
  DynoThermalMetric *self = DYNO_THERMAL_METRIC (object);

  g_ptr_array_unref (self->infos);
  g_ptr_array_unref (self->traces);

  G_OBJECT_CLASS (dyno_thermal_metric_parent_class)->finalize (object);
}

static void
dyno_thermal_metric_start (DynoMetric *metric, DynoMeasurement *measurement)
{
  static const char *const prefixes[] = {
    [DYNO_SENSOR_TEMPERATURE] = "temperature_",
    [DYNO_SENSOR_CLOCK] = "clock_",
    [DYNO_SENSOR_FAN] = "fan_",
    [DYNO_SENSOR_THROTTLE] = "throttled_",
    [DYNO_SENSOR_VOLTAGE] = "voltage_",
  };
  DynoThermalMetric *self = DYNO_THERMAL_METRIC (metric);
  guint n = measurement->sensors != NULL ? dyno_sensor_set_get_n_sensors (measurement->sensors) : 0;

  for (guint i = 0; i < n; i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (measurement->sensors, i);
      const DynoSensorInfo *info = dyno_sensor_get_info (sensor);
      const char *prefix = info->kind < G_N_ELEMENTS (prefixes) ? prefixes[info->kind] : NULL;
      g_autofree char *name = prefix != NULL ? g_strconcat (prefix, info->name, NULL) : NULL;

      if (name == NULL)
        continue;
      g_ptr_array_add (self->infos, (gpointer)info);
      g_ptr_array_add (self->traces, dyno_sampler_add (measurement->sampler, sensor, name,
                                                       measurement->power_milliseconds));
    }
}

/* Widens @range by the readings while measuring. */
static void
look_at (DynoMeasurement *measurement, DynoTrace *trace, Range *range)
{
  const gint64 *times = dyno_trace_get_times (trace);
  const double *numbers = dyno_trace_get_values (trace);
  gint64 began = measurement->phase_ns[DYNO_PHASE_MEASURE] - measurement->origin_ns;
  gint64 ended = measurement->phase_ns[DYNO_PHASE_ANALYSE] - measurement->origin_ns;

  for (gsize i = 0; i < dyno_trace_get_length (trace); i++)
    if (times[i] >= began && times[i] <= ended)
      {
        range->low = MIN (range->low, numbers[i]);
        range->high = MAX (range->high, numbers[i]);
        range->sum += numbers[i];
        range->n++;
      }
}

/* Returns whether the sensor belongs to the device that does the work. */
static gboolean
sits_on_work (const DynoSensorInfo *info, DynoMeasurement *measurement, const DynoSensorInfo *device)
{
  if (!dyno_measurement_is_on_device (measurement))
    return info->domain == DYNO_DOMAIN_PACKAGE;
  return info->domain == DYNO_DOMAIN_DEVICE && device != NULL && dyno_sensor_device_is_same (info, device);
}

/* Returns the source of the first sensor of a kind, or of the one that read highest. */
static const char *
find_range (DynoThermalMetric *self,
            DynoMeasurement *measurement,
            const DynoSensorInfo *device,
            DynoSensorKind kind,
            Range *range)
{
  const char *source = NULL;

  for (guint i = 0; i < self->infos->len; i++)
    {
      const DynoSensorInfo *info = g_ptr_array_index (self->infos, i);
      Range one = { .low = INFINITY, .high = -INFINITY };

      if (info->kind != kind || !sits_on_work (info, measurement, device))
        continue;
      look_at (measurement, g_ptr_array_index (self->traces, i), &one);
      if (one.n == 0 || (source != NULL && (kind == DYNO_SENSOR_CLOCK || one.high <= range->high)))
        continue;
      *range = one;
      source = info->source;
    }
  return source;
}

static char *
explain_absence (DynoMeasurement *measurement, const char *source)
{
  const char *const of_processor[] = { source, NULL };
  static const char *const of_device[] = { "nvml", NULL };
  g_autofree char *text = NULL;

  if (measurement->sensors == NULL)
    return g_strdup (_ ("Sampling of temperatures and clocks is off; set “power-milliseconds”."));
  text = dyno_sensor_set_explain (measurement->sensors,
                                  dyno_measurement_is_on_device (measurement) ? of_device : of_processor);
  if (*text != '\0')
    return g_steal_pointer (&text);
  return g_strdup (
      _ ("No sensor belongs to the device the work ran on, or the measurement ended before one was read."));
}

/* @reason: why the device has no sensors, or NULL. */
static void
add_temperature (DynoThermalMetric *self,
                 DynoMeasurement *measurement,
                 const DynoSensorInfo *device,
                 const char *reason)
{
  Range range;
  const char *source = find_range (self, measurement, device, DYNO_SENSOR_TEMPERATURE, &range);
  g_autofree char *why = NULL;

  if (source != NULL)
    {
      dyno_measurement_add_measured (measurement, "temperature_max_celsius", range.high, "°C", source);
      return;
    }
  why = reason != NULL ? g_strdup (reason) : explain_absence (measurement, "hwmon");
  dyno_measurement_add_unsupported (measurement, "temperature_max_celsius", "°C", why);
}

static void
add_clock (DynoThermalMetric *self,
           DynoMeasurement *measurement,
           const DynoSensorInfo *device,
           const char *reason)
{
  Range range;
  const char *source = find_range (self, measurement, device, DYNO_SENSOR_CLOCK, &range);
  g_autofree char *why = NULL;

  if (source != NULL)
    {
      dyno_measurement_add_measured (measurement, "clock_avg_mhz", range.sum / (double)range.n, "MHz",
                                     source);
      dyno_measurement_add_measured (measurement, "clock_min_mhz", range.low, "MHz", source);
      return;
    }
  why = reason != NULL ? g_strdup (reason) : explain_absence (measurement, "cpu");
  dyno_measurement_add_unsupported (measurement, "clock_avg_mhz", "MHz", why);
  dyno_measurement_add_unsupported (measurement, "clock_min_mhz", "MHz", why);
}

static void
dyno_thermal_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoThermalMetric *self = DYNO_THERMAL_METRIC (metric);
  g_autofree char *reason = NULL;
  const DynoSensorInfo *device = dyno_measurement_find_device_sensor (measurement, &reason);
  const char *unseen = dyno_measurement_explain_unseen (measurement);

  if (unseen != NULL)
    {
      /* It is unknown which device became warm. */
      dyno_measurement_add_unsupported (measurement, "temperature_max_celsius", "°C", unseen);
      dyno_measurement_add_unsupported (measurement, "clock_avg_mhz", "MHz", unseen);
      dyno_measurement_add_unsupported (measurement, "clock_min_mhz", "MHz", unseen);
      return;
    }
  add_temperature (self, measurement, device, reason);
  add_clock (self, measurement, device, reason);

  for (guint i = 0; i < self->infos->len; i++)
    {
      const DynoSensorInfo *info = g_ptr_array_index (self->infos, i);
      Range range = { .low = INFINITY, .high = -INFINITY };
      g_autofree char *message = NULL;

      /* An idle device may be slow without effect, but the processor feeds the one that works. */
      if (info->kind != DYNO_SENSOR_THROTTLE ||
          !(info->domain == DYNO_DOMAIN_PACKAGE || sits_on_work (info, measurement, device)))
        continue;
      look_at (measurement, g_ptr_array_index (self->traces, i), &range);
      if (range.sum <= 0)
        continue;
      message = g_strdup_printf (
          _ ("The hardware throttled in %.0f %% of the readings during the measurement (%s)."),
          100 * range.sum / (double)range.n, info->source);
      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING,
                                       info->by_heat ? "thermal-throttling" : "hardware-throttling", message);
    }

  for (guint i = 0; i < self->traces->len; i++)
    if (dyno_trace_get_length (g_ptr_array_index (self->traces, i)) > 0)
      dyno_measurement_take_trace (measurement, g_object_ref (g_ptr_array_index (self->traces, i)));
}

static const DynoMetricValue known_values[] = {
  { "temperature_max_celsius", N_ ("Maximum temperature"), TRUE,
    .note = "hottest sensor of the part that did the work" },
  { "clock_avg_mhz", N_ ("Average clock"), TRUE, TRUE, .note = "cores that did the work" },
  { "clock_min_mhz", N_ ("Minimum clock"), TRUE, TRUE, .note = "cores that did the work" },
  { NULL },
};

static void
dyno_thermal_metric_class_init (DynoThermalMetricClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  object_class->finalize = dyno_thermal_metric_finalize;

  metric_class->id = "thermal";
  metric_class->values = known_values;
  metric_class->start = dyno_thermal_metric_start;
  metric_class->collect = dyno_thermal_metric_collect;
}

static void
dyno_thermal_metric_init (DynoThermalMetric *self)
{
  self->infos = g_ptr_array_new ();
  self->traces = g_ptr_array_new_with_free_func (g_object_unref);
}
