/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-probe.h"
#include "dyno-sensor.h"

G_BEGIN_DECLS

/**
 * DynoSensorSource:
 * @id: stable name
 * @name: name for people
 * @discover: finds the sensors that can be read here and now, opens them and adds them; returns a probe with the
 *   reason and the remedy if there are none. Gets the thermal design power that the user declared, 0 for none.
 *
 * A source of sensors. Each has a file that defines one of these, and a line in `dyno-sensor-set.c`.
 */
typedef struct
{
  const char *id;
  const char *name;
  DynoProbe *(*discover) (GPtrArray *sensors, double tdp_watts);
} DynoSensorSource;

extern const DynoSensorSource dyno_rapl_source;
extern const DynoSensorSource dyno_perf_source;
extern const DynoSensorSource dyno_nvml_source;
extern const DynoSensorSource dyno_rocm_source;
#ifdef HAVE_LIBSENSORS
extern const DynoSensorSource dyno_hwmon_source;
#endif
extern const DynoSensorSource dyno_battery_source;
extern const DynoSensorSource dyno_powermetrics_source;
extern const DynoSensorSource dyno_cpu_source;
extern const DynoSensorSource dyno_traffic_source;
extern const DynoSensorSource dyno_estimate_source;
extern const DynoSensorSource dyno_usage_source;
extern const DynoSensorSource dyno_drm_source;

G_END_DECLS
