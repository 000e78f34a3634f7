/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

/* Memory of the accelerator that did the work, as its driver reports it: the part of the processes that do the work,
 * and all of it. */
G_DECLARE_FINAL_TYPE (DynoVramMetric, dyno_vram_metric, DYNO, VRAM_METRIC, DynoMetric)

struct _DynoVramMetric
{
  DynoMetric parent_instance;

  GPtrArray *infos;
  GPtrArray *traces;
};

G_DEFINE_FINAL_TYPE (DynoVramMetric, dyno_vram_metric, DYNO_TYPE_METRIC)

/* The readings from which a value is computed, and why there may be none. */
typedef struct
{
  gboolean of_process;
  const char *value_name;
  const char *trace_name;
} Account;

static const Account accounts[] = {
  { TRUE, "device_memory_peak_mb", "memory_device" },
  { FALSE, "device_memory_global_peak_mb", "memory_device_global" },
};

static void
dyno_vram_metric_finalize (GObject *object)
{
  DynoVramMetric *self = DYNO_VRAM_METRIC (object);

  g_ptr_array_unref (self->infos);
  g_ptr_array_unref (self->traces);

  G_OBJECT_CLASS (dyno_vram_metric_parent_class)->finalize (object);
}

/* The device that will work is known only later; reading all of them costs little. */
static void
dyno_vram_metric_start (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoVramMetric *self = DYNO_VRAM_METRIC (metric);
  guint n = measurement->sensors != NULL ? dyno_sensor_set_get_n_sensors (measurement->sensors) : 0;

  for (guint i = 0; i < n && measurement->sampling_milliseconds > 0; i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (measurement->sensors, i);
      const DynoSensorInfo *info = dyno_sensor_get_info (sensor);

      if (info->kind != DYNO_SENSOR_MEMORY || info->domain != DYNO_DOMAIN_DEVICE)
        continue;
      if (info->of_process)
        dyno_sensor_follow (sensor, measurement->others);
      g_ptr_array_add (self->infos, (gpointer)info);
      g_ptr_array_add (self->traces, dyno_sampler_add (measurement->sampler, sensor,
                                                       accounts[info->of_process ? 0 : 1].trace_name,
                                                       measurement->sampling_milliseconds));
    }
}

/* A server does not report its device, but the driver reports where its processes have memory. */
static void
dyno_vram_metric_stop (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoVramMetric *self = DYNO_VRAM_METRIC (metric);
  guint n_boards = 0;

  for (guint i = 0; measurement->server != NULL && i < self->infos->len; i++)
    {
      const DynoSensorInfo *info = g_ptr_array_index (self->infos, i);

      if (!info->of_process || dyno_trace_get_length (g_ptr_array_index (self->traces, i)) == 0)
        continue;
      n_boards++;
      measurement->board = n_boards == 1 ? info : NULL;
    }
}

static int
find_trace (DynoVramMetric *self, const DynoSensorInfo *device, gboolean of_process)
{
  for (guint i = 0; device != NULL && i < self->infos->len; i++)
    {
      const DynoSensorInfo *info = g_ptr_array_index (self->infos, i);

      if (info->of_process == of_process && dyno_sensor_device_is_same (info, device))
        return (int)i;
    }
  return -1;
}

static const char *
explain (DynoVramMetric *self, DynoMeasurement *measurement, const Account *account, int index)
{
  if (measurement->sampling_milliseconds == 0 || measurement->sensors == NULL)
    return _ ("Sampling is off; set periods for memory and power.");
  if (self->infos->len == 0)
    return _ ("No driver reports device memory; NVML, AMD SMI and ROCm SMI do.");
  if (index < 0)
    return _ ("The memory of the device the work ran on is not reported.");
  if (account->of_process)
    return _ (
        "The driver does not list the processes that do the work; in a container it may know them by other "
        "numbers.");
  return _ ("The driver never answered.");
}

static void
dyno_vram_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  if (!dyno_measurement_is_on_device (measurement))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (accounts); i++)
    {
      DynoVramMetric *self = DYNO_VRAM_METRIC (metric);
      const Account *account = &accounts[i];
      g_autofree char *reason = NULL;
      const DynoSensorInfo *device = dyno_measurement_find_device_sensor (measurement, &reason);
      int index = find_trace (self, device, account->of_process);
      double peak;

      if (index >= 0 &&
          dyno_measurement_sum_up_readings (measurement, g_ptr_array_index (self->traces, index),
                                            DYNO_PHASE_LOAD, DYNO_PHASE_ANALYSE, NULL, &peak))
        {
          const DynoSensorInfo *info = g_ptr_array_index (self->infos, index);
          g_autofree char *source = g_strdup_printf ("highest reading, one every %u ms: %s",
                                                     measurement->sampling_milliseconds, info->source);

          dyno_measurement_add_measured (measurement, account->value_name, peak, "MB", source);
          dyno_measurement_take_trace (measurement, g_object_ref (g_ptr_array_index (self->traces, index)));
          continue;
        }
      if (reason == NULL)
        reason = g_strdup (explain (self, measurement, account, index));
      dyno_measurement_add_unsupported (measurement, account->value_name, "MB", reason);
    }
}

static const DynoMetricValue known_values[] = {
  { "device_memory_peak_mb", N_ ("Peak device memory"), TRUE,
    .note = "of the processes that do the work, a server’s as well" },
  { "device_memory_global_peak_mb", N_ ("Peak device memory, all programs"), FALSE },
  { NULL },
};

static void
dyno_vram_metric_class_init (DynoVramMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_vram_metric_finalize;

  metric_class->id = "vram";
  metric_class->values = known_values;
  metric_class->start = dyno_vram_metric_start;
  metric_class->stop = dyno_vram_metric_stop;
  metric_class->collect = dyno_vram_metric_collect;
}

static void
dyno_vram_metric_init (DynoVramMetric *self)
{
  self->infos = g_ptr_array_new ();
  self->traces = g_ptr_array_new_with_free_func (g_object_unref);
}
