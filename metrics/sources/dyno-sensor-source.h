/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-probe.h"
#include "dyno-sensor.h"

G_BEGIN_DECLS

/**
 * DynoSensorSource:
 * @id: stable name
 * @name: name for people
 * @discover: finds the sensors that can be read here and now, opens them and adds them; says what it found, or
 *   why there are none and what would help. Gets the thermal design power the user declared, 0 for none.
 *
 * A way to get at sensors. One file each, which defines one of these; one line in `dyno-sensor-set.c`.
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

G_END_DECLS
