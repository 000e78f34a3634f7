/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-process-memory.h"
#include "dyno-sensor.h"

G_BEGIN_DECLS

DynoSensor *dyno_memory_sensor_new (DynoProcessMemory *others);
DynoSensor *dyno_memory_sensor_new_of_others (DynoProcessMemory *others);

gint64 dyno_memory_sensor_read_peak (void);
gboolean dyno_memory_sensor_reset_peak (void);

G_END_DECLS
