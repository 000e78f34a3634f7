/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-sensor-monitor.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SENSORS_VIEW (dyno_sensors_view_get_type ())

/**
 * DynoSensorsView:
 *
 * The current values of the machine's sensors, and why others have none. It reads them only while it is
 * visible.
 */
G_DECLARE_FINAL_TYPE (DynoSensorsView, dyno_sensors_view, DYNO, SENSORS_VIEW, AdwBin)

/* Returns the monitor that reads the sensors. */
DynoSensorMonitor *dyno_sensors_view_get_monitor (DynoSensorsView *self);

G_END_DECLS
