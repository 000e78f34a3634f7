/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

/* The kernel counts in steps of a hundredth of a second. */
#define RATE_INTERVAL_NS (G_GINT64_CONSTANT (200) * 1000 * 1000)

/* How busy the processors are over the steady state: all of them, each class of cores, the part of the processes that
 * do the work, and an NPU whose driver counts it. */
G_DECLARE_FINAL_TYPE (DynoUtilisationMetric, dyno_utilisation_metric, DYNO, UTILISATION_METRIC, DynoMetric)

struct _DynoUtilisationMetric
{
  DynoMetric parent_instance;

  GPtrArray *infos;
  GPtrArray *traces;
};

G_DEFINE_FINAL_TYPE (DynoUtilisationMetric, dyno_utilisation_metric, DYNO_TYPE_METRIC)

static void
dyno_utilisation_metric_finalize (GObject *object)
{
  DynoUtilisationMetric *self = DYNO_UTILISATION_METRIC (object);

  g_ptr_array_unref (self->infos);
  g_ptr_array_unref (self->traces);

  G_OBJECT_CLASS (dyno_utilisation_metric_parent_class)->finalize (object);
}

static void
dyno_utilisation_metric_start (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoUtilisationMetric *self = DYNO_UTILISATION_METRIC (metric);
  guint n = measurement->sensors != NULL ? dyno_sensor_set_get_n_sensors (measurement->sensors) : 0;

  for (guint i = 0; i < n; i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (measurement->sensors, i);
      const DynoSensorInfo *info = dyno_sensor_get_info (sensor);

      if (info->kind != DYNO_SENSOR_BUSY)
        continue;
      if (info->of_process)
        dyno_sensor_follow (sensor, measurement->others);
      g_ptr_array_add (self->infos, (gpointer)info);
      g_ptr_array_add (self->traces, dyno_sampler_add (measurement->sampler, sensor, info->name,
                                                       measurement->power_milliseconds));
    }
}

/* @unsteady: why there is only the trace, or NULL. */
static void
add_usage (DynoMeasurement *measurement, const DynoSensorInfo *info, DynoTrace *busy, const char *unsteady)
{
  g_autoptr (GArray) stretches = dyno_measurement_list_steady_stretches (measurement);
  g_autofree char *trace_name = g_strconcat ("utilisation_", info->name, NULL);
  g_autofree char *name = g_strconcat (trace_name, "_percent", NULL);
  g_autoptr (DynoTrace) rate = dyno_energy_trace_to_rate (busy, trace_name, "%", RATE_INTERVAL_NS);
  DynoEnergy sum;

  if (dyno_trace_get_length (rate) > 0)
    dyno_measurement_take_trace (measurement, g_steal_pointer (&rate));
  if (unsteady != NULL)
    dyno_measurement_add_unsupported (measurement, name, "%", unsteady);
  else if (dyno_energy_trace_measure (busy, (const DynoStretch *)stretches->data, stretches->len, 0, &sum) &&
           sum.seconds > 0)
    dyno_measurement_add_measured (measurement, name, sum.joules / sum.seconds, "%", info->source);
}

static void
dyno_utilisation_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoUtilisationMetric *self = DYNO_UTILISATION_METRIC (metric);
  g_autofree char *unsteady = dyno_measurement_explain_no_sum (
      measurement, _ ("Utilisation is an average over a steady state only."));

  if (dyno_measurement_explain_unseen (measurement) != NULL)
    return;
  for (guint i = 0; i < self->infos->len; i++)
    add_usage (measurement, self->infos->pdata[i], self->traces->pdata[i], unsteady);
}

static const DynoMetricValue known_values[] = {
  { "utilisation_cpu_percent", N_ ("Processor utilisation"), FALSE,
    .note = "of all processors of the machine, by all programs, over the steady state" },
  { "utilisation_cpu_performance_percent", N_ ("Utilisation of fast cores"), FALSE,
    .note = "where a processor has two classes of cores" },
  { "utilisation_cpu_efficiency_percent", N_ ("Utilisation of efficient cores"), FALSE,
    .note = "where a processor has two classes of cores" },
  { "utilisation_npu_percent", N_ ("NPU utilisation"), FALSE,
    .note = "by all programs, as the driver of Intel’s NPUs counts it" },
  { "utilisation_process_percent", N_ ("Processor utilisation by the engine"), FALSE,
    .note = "of all processors of the machine, by the processes that do the work" },
  { NULL },
};

static void
dyno_utilisation_metric_class_init (DynoUtilisationMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_utilisation_metric_finalize;
  metric_class->id = "utilisation";
  metric_class->values = known_values;
  metric_class->start = dyno_utilisation_metric_start;
  metric_class->collect = dyno_utilisation_metric_collect;
}

static void
dyno_utilisation_metric_init (DynoUtilisationMetric *self)
{
  self->infos = g_ptr_array_new ();
  self->traces = g_ptr_array_new_with_free_func (g_object_unref);
}
