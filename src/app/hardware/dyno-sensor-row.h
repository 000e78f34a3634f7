/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-sensor-reading.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SENSOR_ROW (dyno_sensor_row_get_type ())

/**
 * DynoSensorRow:
 *
 * The current and recent values of a sensor.
 */
G_DECLARE_FINAL_TYPE (DynoSensorRow, dyno_sensor_row, DYNO, SENSOR_ROW, AdwActionRow)

/* Returns a new row. */
GtkWidget *dyno_sensor_row_new (DynoSensorReading *reading);

/* Shows the current value of the sensor. */
void dyno_sensor_row_update (DynoSensorRow *self);

G_END_DECLS
