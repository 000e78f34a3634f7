/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-process-memory.h"
#include "dyno-sensor.h"

G_BEGIN_DECLS

/* Returns a sensor of the process's resident set and that of @others; NULL if the process cannot read its own
 * memory. */
DynoSensor *dyno_memory_sensor_new (DynoProcessMemory *others);
/* Returns a sensor of the resident sets of @others only, which has no reading while there are none. */
DynoSensor *dyno_memory_sensor_new_of_others (DynoProcessMemory *others);

/* Returns the process's highest resident set since the start or dyno_memory_sensor_reset_peak(), in bytes; -1 if it
 * cannot be read. */
gint64 dyno_memory_sensor_read_peak (void);
/* Resets the kernel's highest resident set, so that building the model does not count as running it. Returns whether
 * the kernel did it. */
gboolean dyno_memory_sensor_reset_peak (void);

G_END_DECLS
