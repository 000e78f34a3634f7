/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sensor.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SENSOR_READING (dyno_sensor_reading_get_type ())

/**
 * DynoSensorReading:
 *
 * The current value of a sensor, for display. Read-only properties: `name` (string: the part, such as `package`),
 * `unit` (string), `source` (string: how it is measured, in words), `estimated` (boolean), `value` (double, NaN while
 * there is none). Counters of energy and traffic are shown as rates.
 */
G_DECLARE_FINAL_TYPE (DynoSensorReading, dyno_sensor_reading, DYNO, SENSOR_READING, GObject)

/* Returns a reading without a value. */
DynoSensorReading *dyno_sensor_reading_new (const DynoSensorInfo *info);

const char *dyno_sensor_reading_get_name (DynoSensorReading *self);
DynoSensorKind dyno_sensor_reading_get_kind (DynoSensorReading *self);
/* Returns the unit of the value; for a counter, the unit of its rate. */
const char *dyno_sensor_reading_get_unit (DynoSensorReading *self);
const char *dyno_sensor_reading_get_source (DynoSensorReading *self);
gboolean dyno_sensor_reading_get_estimated (DynoSensorReading *self);
DynoSensorDomain dyno_sensor_reading_get_domain (DynoSensorReading *self);
/* Returns the update period of the hardware, in seconds; 0 if it updates at every reading, or if unknown. */
double dyno_sensor_reading_get_period (DynoSensorReading *self);
/* Returns the smallest step of the sensor, in the unit of its kind; 0 if unknown. */
double dyno_sensor_reading_get_resolution (DynoSensorReading *self);
double dyno_sensor_reading_get_value (DynoSensorReading *self);
void dyno_sensor_reading_set_value (DynoSensorReading *self, double value);

G_END_DECLS
