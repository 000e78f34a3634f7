/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"
#include "dyno-unit.h"

/* The kernel counts in steps of a hundredth of a second. */
#define RATE_INTERVAL_NS (G_GINT64_CONSTANT (200) * 1000 * 1000)

/* How busy processors and devices are over the steady state: all processors, each class of cores, the part of the
 * processes that do the work; the device that did the work, by those processes and by all programs, and its parts. */
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

/* The drivers of the devices say how busy they are; the source "usage" knows all processors and Intel's NPUs. */
static gboolean
is_of_device (const DynoSensorInfo *info)
{
  return info->device != NULL || info->domain == DYNO_DOMAIN_DEVICE;
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

      if (info->kind != DYNO_SENSOR_BUSY &&
          !(info->kind == DYNO_SENSOR_TRAFFIC && info->domain == DYNO_DOMAIN_DEVICE))
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
add_usage (DynoMeasurement *measurement,
           const DynoSensorInfo *info,
           DynoTrace *counter,
           const char *trace_name,
           const char *unsteady)
{
  g_autoptr (GArray) stretches = dyno_measurement_list_steady_stretches (measurement);
  const char *unit = dyno_sensor_kind_to_rate_unit (info->kind);
  g_autofree char *name =
      g_strconcat (trace_name, info->kind == DYNO_SENSOR_BUSY ? "_percent" : "_gbps", NULL);
  g_autoptr (DynoTrace) rate = dyno_energy_trace_to_rate (counter, trace_name, unit, RATE_INTERVAL_NS);
  g_autofree char *period = dyno_unit_format (1e3 * info->period_seconds, "ms");
  DynoEnergy sum;

  if (dyno_trace_get_length (rate) > 0)
    dyno_measurement_take_trace (measurement, g_steal_pointer (&rate));
  if (unsteady != NULL)
    {
      dyno_measurement_add_unsupported (measurement, name, unit, unsteady);
      return;
    }
  if (!dyno_energy_trace_measure (counter, (const DynoStretch *)stretches->data, stretches->len, 0, &sum) ||
      !(sum.seconds > 0))
    return;
  if (sum.seconds < info->period_seconds)
    {
      g_autofree char *too_short = g_strdup_printf (_ ("The driver averages its readings over up to %s, "
                                                       "longer than the steady state; measure for longer."),
                                                    period);

      dyno_measurement_add_unsupported (measurement, name, unit, too_short);
    }
  else
    dyno_measurement_add_measured (measurement, name, sum.joules / sum.seconds, unit, info->source);
}

/* The device that did the work */

static gboolean
works_on_device (DynoMeasurement *measurement)
{
  return dyno_measurement_is_on_device (measurement) ||
         measurement->device_kind == DYNO_DEVICE_KIND_INTEGRATED_GPU;
}

static double
get_growth (DynoTrace *counter)
{
  gsize length = dyno_trace_get_length (counter);

  return length > 0 ? dyno_trace_get_values (counter)[length - 1] - dyno_trace_get_values (counter)[0] : 0;
}

/* Returns a sensor of the device: that of its address; where that is unknown, the one that the processes that do the
 * work kept busy most, or the only one; NULL if there is none. An NPU and a graphics processor may be in one machine, and
 * neither's address be known. */
static const DynoSensorInfo *
find_device (DynoUtilisationMetric *self, DynoMeasurement *measurement)
{
  const DynoSensorInfo *busiest = NULL, *only = NULL;
  gboolean are_several = FALSE;
  double most = 0;

  for (guint i = 0; i < self->infos->len; i++)
    {
      const DynoSensorInfo *info = self->infos->pdata[i];
      gboolean is_npu = g_str_has_prefix (info->name, "npu");

      if (!is_of_device (info) || (measurement->device_kind != DYNO_DEVICE_KIND_UNKNOWN &&
                                   is_npu != (measurement->device_kind == DYNO_DEVICE_KIND_NPU)))
        continue;
      if (measurement->board != NULL ? dyno_sensor_device_is_same (info, measurement->board)
                                     : dyno_sensor_device_is_called (info, measurement->device_address) ||
                                           dyno_sensor_device_is_called (info, measurement->device))
        return info;
      are_several = are_several || (only != NULL && !dyno_sensor_device_is_same (only, info));
      only = info;
      if (info->of_process && get_growth (self->traces->pdata[i]) > most)
        {
          busiest = info;
          most = get_growth (self->traces->pdata[i]);
        }
    }
  if (measurement->board != NULL || measurement->device_address != NULL)
    return NULL;
  return busiest != NULL ? busiest : are_several ? NULL : only;
}

static char *
dup_trace_name (const DynoSensorInfo *info)
{
  if (info->kind == DYNO_SENSOR_TRAFFIC)
    return g_strconcat ("bandwidth_device_", info->facet, NULL);
  if (info->facet != NULL)
    return g_strconcat ("utilisation_device_", info->facet, NULL);
  return g_strdup (info->of_process ? "utilisation_device" : "utilisation_device_global");
}

static void
add_missing (DynoMeasurement *measurement,
             const DynoSensorInfo *device,
             const char *name,
             gboolean of_process)
{
  const char *reason = _ ("No driver says how busy the device is that did the work.");
  g_autofree char *reasons = NULL;

  if (dyno_measurement_get_value (measurement, name) != NULL)
    return;
  if (measurement->sensors == NULL)
    reason = _ ("Sensor sampling is off; set “power-milliseconds”.");
  else if (device == NULL)
    reasons =
        dyno_sensor_set_explain (measurement->sensors, (const char *const[]){ "nvml", "rocm", "drm", NULL });
  else if (of_process)
    reason =
        _ ("The driver does not say how long these processes keep the device busy; in a container it may "
           "know them by other numbers.");
  else
    reason =
        _ ("The driver does not say how busy the device is, and only the superuser outside of containers "
           "may add up the use of all programs. Run the command “sudo dyno-cli run”.");
  dyno_measurement_add_unsupported (measurement, name, "%",
                                    reasons != NULL && *reasons != '\0' ? reasons : reason);
}

static void
dyno_utilisation_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoUtilisationMetric *self = DYNO_UTILISATION_METRIC (metric);
  g_autofree char *unsteady = dyno_measurement_explain_no_sum (
      measurement, _ ("Utilisation is an average over a steady state only."));
  const DynoSensorInfo *device = NULL;

  if (dyno_measurement_explain_unseen (measurement) != NULL)
    return;
  if (works_on_device (measurement))
    device = find_device (self, measurement);
  for (guint i = 0; i < self->infos->len; i++)
    {
      const DynoSensorInfo *info = self->infos->pdata[i];
      g_autofree char *plain = g_strconcat ("utilisation_", info->name, NULL);
      g_autofree char *of_device = is_of_device (info) ? dup_trace_name (info) : NULL;

      if (of_device == NULL || g_str_equal (info->name, "npu"))
        add_usage (measurement, info, self->traces->pdata[i], plain, unsteady);
      if (of_device != NULL && device != NULL && dyno_sensor_device_is_same (info, device) &&
          dyno_trace_get_length (self->traces->pdata[i]) > 0)
        add_usage (measurement, info, self->traces->pdata[i], of_device, unsteady);
    }
  if (works_on_device (measurement))
    {
      add_missing (measurement, device, "utilisation_device_percent", TRUE);
      add_missing (measurement, device, "utilisation_device_global_percent", FALSE);
    }
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
  { "utilisation_device_percent", N_ ("Device utilisation by the engine"), FALSE,
    .note = "of the device that did the work, by the processes that do it; of several engines in it, the "
            "busiest" },
  { "utilisation_device_global_percent", N_ ("Device utilisation"), FALSE,
    .note = "of the device that did the work, by all programs" },
  { "utilisation_device_memory_percent", N_ ("Utilisation of device memory"), FALSE,
    .note = "share of the time in which the device’s memory is accessed" },
  { "utilisation_device_bandwidth_percent", N_ ("Utilisation of device bandwidth"), FALSE,
    .note = "traffic of the device’s memory, of its highest rate; NVML’s GPM, from Hopper on" },
  { "utilisation_device_sm_percent", N_ ("Utilisation of multiprocessors"), FALSE,
    .note = "NVML’s GPM, from Hopper on" },
  { "utilisation_device_occupancy_percent", N_ ("Occupancy of multiprocessors"), FALSE,
    .note = "warps at work, of those that the multiprocessors can hold; NVML’s GPM, from Hopper on" },
  { "utilisation_device_tensor_percent", N_ ("Utilisation of tensor cores"), FALSE,
    .note = "NVML’s GPM, from Hopper on" },
  { "bandwidth_device_memory_gbps", N_ ("Measured bandwidth of device memory"), FALSE, TRUE,
    .note =
        "NVML’s GPM, from Hopper on, by the memory’s clock and the width of its bus; beside the estimate in "
        "avg_bandwidth_gbps" },
  { "bandwidth_device_pcie_sent_gbps", N_ ("Sent over PCI Express"), FALSE,
    .note = "by the device; NVML’s GPM, from Hopper on" },
  { "bandwidth_device_pcie_received_gbps", N_ ("Received over PCI Express"), FALSE,
    .note = "by the device; NVML’s GPM, from Hopper on" },
  { "bandwidth_device_nvlink_sent_gbps", N_ ("Sent over NVLink"), FALSE,
    .note = "by the device; NVML’s GPM, from Hopper on" },
  { "bandwidth_device_nvlink_received_gbps", N_ ("Received over NVLink"), FALSE,
    .note = "by the device; NVML’s GPM, from Hopper on" },
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
