/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sensor-set.h"

G_BEGIN_DECLS

/* Returns whether both sit on the same device: by its address, else by its unique id, else by what they
 * are called. */
gboolean dyno_sensor_device_is_same (const DynoSensorInfo *a, const DynoSensorInfo *b);
/* Where the address is known, only a sensor at that address counts; where it is not, that of the only
 * device there is. Returns one of its sensors; NULL if there is none. @id: what the device that did the
 * work is called, NULL where none was named. @address: where it sits, NULL where that is not known.
 * @reason: why it has no sensors, NULL where no device has any. */
const DynoSensorInfo *
dyno_sensor_device_find (DynoSensorSet *sensors, const char *id, const char *address, char **reason);

G_END_DECLS
