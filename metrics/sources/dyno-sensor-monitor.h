/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-sensor-reading.h"
#include "dyno-sensor-set.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SENSOR_MONITOR (dyno_sensor_monitor_get_type ())

/**
 * DynoSensorMonitor:
 *
 * Watches all sensors of the machine from a thread, for a window to show: nothing of it waits. Construct it on the
 * thread that is to hear of changes. Signals:
 *
 * - `discovered`: it is known which sensors there are
 * - `changed`: their readings are new
 */
G_DECLARE_FINAL_TYPE (DynoSensorMonitor, dyno_sensor_monitor, DYNO, SENSOR_MONITOR, GObject)

/* Returns a monitor that does nothing yet. @period_milliseconds: time from one reading to the next, such
 * as 1000. */
DynoSensorMonitor *dyno_sensor_monitor_new (guint period_milliseconds, double tdp_watts);
void dyno_sensor_monitor_start (DynoSensorMonitor *self);
void dyno_sensor_monitor_stop (DynoSensorMonitor *self);

/* Returns a list of DynoSensorReading, empty until sensors are discovered. */
GListModel *dyno_sensor_monitor_get_readings (DynoSensorMonitor *self);
DynoSensorSet *dyno_sensor_monitor_get_sensors (DynoSensorMonitor *self);

G_END_DECLS
