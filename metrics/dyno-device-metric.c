/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

/* The device's time, cycles and waiting, and the work that a delegate took, from the engine's own profile. */
G_DECLARE_FINAL_TYPE (DynoDeviceMetric, dyno_device_metric, DYNO, DEVICE_METRIC, DynoMetric)

struct _DynoDeviceMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoDeviceMetric, dyno_device_metric, DYNO_TYPE_METRIC)

static void
dyno_device_metric_analysed (DynoMetric *metric, DynoMeasurement *measurement)
{
  GPtrArray *values = measurement->analysis.profile_values;

  for (guint i = 0; values != NULL && i < values->len; i++)
    dyno_measurement_add_measured (
        measurement, dyno_value_get_name (values->pdata[i]), dyno_value_get_number (values->pdata[i]),
        dyno_value_get_unit (values->pdata[i]), dyno_value_get_source (values->pdata[i]));
}

static const DynoMetricValue known_values[] = {
  { "device_time_ms", N_ ("Time on the accelerator"), FALSE,
    .note = "of one execution, by the engine’s profile; while profiling, so longer than without" },
  { "device_cycles", N_ ("Cycles of the accelerator"), FALSE,
    .note = "of one execution, by the engine’s profile" },
  { "device_vector_threads", N_ ("Vector threads"), FALSE, .more_is_better = TRUE,
    .note = "threads of the accelerator’s vector unit (HVX) that were at work, by the engine’s profile" },
  { "device_memory_wait_ms", N_ ("Wait for on-chip memory"), FALSE,
    .note = "until the accelerator’s own memory (VTCM) was free, by the engine’s profile" },
  { "device_power_wait_ms", N_ ("Wait for power"), FALSE,
    .note = "until the units of the accelerator were on, by the engine’s profile" },
  { "device_yields", N_ ("Yields to other work"), FALSE,
    .note = "how often an execution made room for another, by the engine’s profile" },
  { "delegated_operators_percent", N_ ("Operators that the delegate took"), FALSE, .more_is_better = TRUE,
    .note = "share of the operators in the file, by the engine’s profile; the engine’s own kernels ran the "
            "others" },
  { NULL },
};

static void
dyno_device_metric_class_init (DynoDeviceMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "device";
  metric_class->values = known_values;
  metric_class->once = TRUE;
  metric_class->analysed = dyno_device_metric_analysed;
}

static void
dyno_device_metric_init (DynoDeviceMetric *self)
{
}
