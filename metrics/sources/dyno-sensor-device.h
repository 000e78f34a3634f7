/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sensor-set.h"

G_BEGIN_DECLS

/* Returns whether both sit on the same device: by its address, else by its unique id, else by what they
 * are called. */
gboolean dyno_sensor_device_is_same (const DynoSensorInfo *a, const DynoSensorInfo *b);
const DynoSensorInfo *
dyno_sensor_device_find (DynoSensorSet *sensors, const char *id, const char *address, char **reason);

G_END_DECLS
