/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-sensor-set.h"

G_BEGIN_DECLS

/* Prints the details of each sensor and the message of every source. */
void dyno_cli_sensors_print (DynoSensorSet *sensors);
/* Adds `sensors` and `sensor_sources`; `period_seconds`, `resolution` and `limit` are null if unknown. */
void dyno_cli_sensors_add_json (DynoSensorSet *sensors, JsonBuilder *builder);

G_END_DECLS
