/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sensor.h"

G_BEGIN_DECLS

int dyno_file_sensor_open (const char *path, GError **error);
gboolean dyno_file_sensor_read_number (int file, gint64 *number);

DynoSensor *dyno_file_sensor_new (const DynoSensorInfo *info, const char *path, double scale, GError **error);
DynoSensor *dyno_file_sensor_new_counter (
    const DynoSensorInfo *info, const char *path, double scale, guint64 range, GError **error);

G_END_DECLS
