/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* The prefixes of the names of sensor traces. */
#define DYNO_SENSOR_POWER       "power_"
#define DYNO_SENSOR_TEMPERATURE "temperature_"
#define DYNO_SENSOR_CLOCK       "clock_"
#define DYNO_SENSOR_THROTTLED   "throttled_"

GPtrArray *dyno_sensor_traces_list (DynoResult *result, const char *prefix);
const char *dyno_sensor_traces_get_part (DynoTrace *power);
const char *dyno_sensor_traces_get_part_name (DynoTrace *power);
DynoTrace *dyno_sensor_traces_find_main_power (DynoResult *result);

G_END_DECLS
