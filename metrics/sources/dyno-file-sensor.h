/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-sensor.h"

G_BEGIN_DECLS

/* Returns a descriptor, -1 if it cannot be opened. @error: in G_FILE_ERROR. */
int dyno_file_sensor_open (const char *path, GError **error);
/* Reads an open file of sysfs again from its start. Anything other than one number is no reading. Returns whether
 * there is a number. */
gboolean dyno_file_sensor_read_number (int file, gint64 *number);

/* Returns a sensor that reads the file, which stays open; NULL on error. @path: a file below the root of sysfs that
 * contains a whole number. @error: in G_FILE_ERROR. */
DynoSensor *dyno_file_sensor_new (const DynoSensorInfo *info, const char *path, double scale, GError **error);
/* Returns a sensor of energy that reads the file, which stays open; NULL on error. @path: a file below the root of
 * sysfs that contains a growing number. @range: the number at which it wraps, 0 for never. @error: in
 * G_FILE_ERROR. */
DynoSensor *dyno_file_sensor_new_counter (
    const DynoSensorInfo *info, const char *path, double scale, guint64 range, GError **error);

G_END_DECLS
