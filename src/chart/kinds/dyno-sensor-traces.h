/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* The prefixes of the names of sensor traces. */
#define DYNO_SENSOR_POWER       "power_"
#define DYNO_SENSOR_TEMPERATURE "temperature_"
#define DYNO_SENSOR_CLOCK       "clock_"
#define DYNO_SENSOR_THROTTLED   "throttled_"

/* Returns the traces with readings, in the order of the result; only those of the first invocation, which
 * alone has power. Elements are DynoTrace. The caller owns the list, not what is in it. */
GPtrArray *dyno_sensor_traces_list (DynoResult *result, const char *prefix);
/* Returns the part of the machine. */
const char *dyno_sensor_traces_get_part (DynoTrace *power);
const char *dyno_sensor_traces_get_part_name (DynoTrace *power);
/* Returns the power of the part most relevant to the work; NULL if there is none. */
DynoTrace *dyno_sensor_traces_find_main_power (DynoResult *result);

G_END_DECLS
