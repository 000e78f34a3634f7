/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <unistd.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-paths.h"

typedef struct
{
  int file;
  double scale;
  DynoEnergyCounter counter;
} FileData;

static void
file_data_free (gpointer data)
{
  FileData *self = data;

  close (self->file);
  g_free (self);
}

static gboolean
read_scaled (gpointer data, gint64 now_ns, double *value)
{
  FileData *self = data;
  gint64 number;

  if (!dyno_file_sensor_read_number (self->file, &number))
    return FALSE;
  *value = (double)number * self->scale;
  return TRUE;
}

static gboolean
read_counter (gpointer data, gint64 now_ns, double *value)
{
  FileData *self = data;
  gint64 number;

  return dyno_file_sensor_read_number (self->file, &number) && number >= 0 &&
         dyno_energy_counter_advance (&self->counter, (guint64)number, now_ns, value);
}

/* Returns: the open file, which contains a number; NULL otherwise. */
static FileData *
open_data (const char *path, double scale, GError **error)
{
  int file = dyno_file_sensor_open (path, error);
  FileData *data;
  gint64 number;

  if (file < 0)
    return NULL;
  if (!dyno_file_sensor_read_number (file, &number))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("“%s” holds no number."), path);
      close (file);
      return NULL;
    }
  data = g_new0 (FileData, 1);
  data->file = file;
  data->scale = scale;
  return data;
}

int
dyno_file_sensor_open (const char *path, GError **error)
{
  g_autofree char *file_name = dyno_paths_build (DYNO_PATH_SYSFS, path, NULL);
  int file = open (file_name, O_RDONLY | O_CLOEXEC);
  int code = errno;

  if (file < 0)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), _ ("“%s” cannot be read: %s."),
                 file_name, g_strerror (code));
  return file;
}

gboolean
dyno_file_sensor_read_number (int file, gint64 *number)
{
  char text[32];
  gssize length = pread (file, text, sizeof text - 1, 0);
  char *end = NULL;

  if (length <= 0)
    return FALSE;
  text[length] = '\0';
  errno = 0;
  *number = g_ascii_strtoll (text, &end, 10);
  return errno == 0 && end != text && (*end == '\n' || *end == '\0');
}

DynoSensor *
dyno_file_sensor_new (const DynoSensorInfo *info, const char *path, double scale, GError **error)
{
  FileData *data = open_data (path, scale, error);

  return data != NULL ? dyno_sensor_new (info, read_scaled, data, file_data_free) : NULL;
}

DynoSensor *
dyno_file_sensor_new_counter (
    const DynoSensorInfo *info, const char *path, double scale, guint64 range, GError **error)
{
  FileData *data = open_data (path, scale, error);

  if (data == NULL)
    return NULL;
  data->counter = (DynoEnergyCounter){ .joules_per_unit = scale, .range = range };
  return dyno_sensor_new (info, read_counter, data, file_data_free);
}

char *
dyno_file_sensor_dup_target (const char *folder, const char *link)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_SYSFS, folder, link, NULL);
  g_autofree char *target = realpath (path, NULL);

  return target != NULL ? g_path_get_basename (target) : NULL;
}
