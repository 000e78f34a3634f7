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
 * Watches all sensors of the machine, except those of the processes that do the work, from a thread, for display in a
 * window: none of its functions waits. Create it on the thread that will get its signals. Signals:
 *
 * - `discovered`: the sensors are known
 * - `changed`: there are new readings
 */
G_DECLARE_FINAL_TYPE (DynoSensorMonitor, dyno_sensor_monitor, DYNO, SENSOR_MONITOR, GObject)

/* Returns a monitor that is not started. @period_milliseconds: time from one reading to the next, such as 1000. */
DynoSensorMonitor *dyno_sensor_monitor_new (guint period_milliseconds, double tdp_watts);
/* Looks for sensors and starts reading them, on a thread. Does nothing if it is already started. */
void dyno_sensor_monitor_start (DynoSensorMonitor *self);
/* Stops reading, without waiting for the thread. The last readings stay; dyno_sensor_monitor_start() starts it
 * again. */
void dyno_sensor_monitor_stop (DynoSensorMonitor *self);

/* Returns a list of DynoSensorReading, empty until sensors are discovered. */
GListModel *dyno_sensor_monitor_get_readings (DynoSensorMonitor *self);
/* Includes the probe of every source. Its sensors are read by the monitor's thread; leave them alone. Valid from the
 * signal `discovered` until the monitor is stopped. Returns the set; NULL if there is none. */
DynoSensorSet *dyno_sensor_monitor_get_sensors (DynoSensorMonitor *self);

G_END_DECLS
