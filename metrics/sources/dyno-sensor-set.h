/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sensor-source.h"

G_BEGIN_DECLS

/**
 * DynoSensorSet:
 *
 * All sensors of the machine that can be read here and now, without duplicates, and the probe of every source.
 */
typedef struct _DynoSensorSet DynoSensorSet;

/* Asks every source. May block for a moment while a driver wakes up. Returns the set. The caller owns it. @tdp_watts:
 * the thermal design power that the user declared, for estimates where nothing measures; 0 for none. */
DynoSensorSet *dyno_sensor_set_discover (double tdp_watts);
void dyno_sensor_set_free (DynoSensorSet *self);

guint dyno_sensor_set_get_n_sensors (DynoSensorSet *self);
/* Returns the sensor at that index. */
DynoSensor *dyno_sensor_set_get_sensor (DynoSensorSet *self, guint index);

guint dyno_sensor_set_get_n_sources (DynoSensorSet *self);
/* Returns the source at that index. */
const DynoSensorSource *dyno_sensor_set_get_source (DynoSensorSet *self, guint index);
/* Returns the probe of the source at that index. */
DynoProbe *dyno_sensor_set_get_probe (DynoSensorSet *self, guint index);
/* Returns why these sources have no sensors, and the remedy. The caller owns it. */
char *dyno_sensor_set_explain (DynoSensorSet *self, const char *const *ids);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSensorSet, dyno_sensor_set_free)

G_END_DECLS
