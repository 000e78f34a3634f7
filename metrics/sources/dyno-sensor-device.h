/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sensor-set.h"

G_BEGIN_DECLS

/* Returns whether both belong to the same device: by its address, else by its unique id, else by name. */
gboolean dyno_sensor_device_is_same (const DynoSensorInfo *a, const DynoSensorInfo *b);
/* If the address is known, only a sensor at that address counts; if not, that of the only device. Returns one of its
 * sensors; NULL if there is none. @id: the id of the device that did the work, NULL if none was named. @address: its
 * address, NULL if unknown. @reason: why it has no sensors, NULL if no device has any. */
const DynoSensorInfo *
dyno_sensor_device_find (DynoSensorSet *sensors, const char *id, const char *address, char **reason);

G_END_DECLS
