/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-sensor-set.h"

G_BEGIN_DECLS

void dyno_cli_sensors_print (DynoSensorSet *sensors);
void dyno_cli_sensors_add_json (DynoSensorSet *sensors, JsonBuilder *builder);

G_END_DECLS
