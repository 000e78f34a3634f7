/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-paths.h"

static int
open_process_file (const char *name, int flags)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "self", name, NULL);

  return open (path, flags | O_CLOEXEC);
}

typedef struct
{
  int statm; /* of this process, -1 if this process does not count */
  DynoProcessMemory *others;
} MemoryData;

static gboolean
read_others (gpointer data, gint64 now_ns, double *value)
{
  MemoryData *self = data;

  *value = (double)dyno_process_memory_read (self->others) / 1e6;
  return *value > 0;
}

static gboolean
read_resident (gpointer data, gint64 now_ns, double *value)
{
  MemoryData *self = data;
  char text[128];
  gssize length = pread (self->statm, text, sizeof text - 1, 0);
  const char *second;

  if (length <= 0)
    return FALSE;
  text[length] = '\0';
  second = strchr (text, ' ');
  if (second == NULL)
    return FALSE;
  *value = (double)(g_ascii_strtoll (second, NULL, 10) * sysconf (_SC_PAGESIZE) +
                    dyno_process_memory_read (self->others)) /
           1e6;
  return TRUE;
}

static void
free_data (gpointer data)
{
  MemoryData *self = data;

  if (self->statm >= 0)
    close (self->statm);
  dyno_process_memory_unref (self->others);
  g_free (self);
}

DynoSensor *
dyno_memory_sensor_new (DynoProcessMemory *others)
{
  const DynoSensorInfo info = { .kind = DYNO_SENSOR_MEMORY, .name = "rss", .source = "resident set" };
  int statm = open_process_file ("statm", O_RDONLY);
  MemoryData *data;

  if (statm < 0)
    return NULL;
  data = g_new (MemoryData, 1);
  *data = (MemoryData){ statm, dyno_process_memory_ref (others) };
  return dyno_sensor_new (&info, read_resident, data, free_data);
}

DynoSensor *
dyno_memory_sensor_new_of_others (DynoProcessMemory *others)
{
  const DynoSensorInfo info = { .kind = DYNO_SENSOR_MEMORY, .name = "rss", .source = "resident sets" };
  MemoryData *data = g_new (MemoryData, 1);

  *data = (MemoryData){ -1, dyno_process_memory_ref (others) };
  return dyno_sensor_new (&info, read_others, data, free_data);
}

gint64
dyno_memory_sensor_read_peak (void)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "self", "status", NULL);
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return -1;
  line = strstr (text, "VmHWM:");
  return line != NULL ? g_ascii_strtoll (line + strlen ("VmHWM:"), NULL, 10) * 1024 : -1;
}

gboolean
dyno_memory_sensor_reset_peak (void)
{
  int clear_refs = open_process_file ("clear_refs", O_WRONLY);
  gboolean done;

  if (clear_refs < 0)
    return FALSE;
  done = write (clear_refs, "5", 1) == 1;
  close (clear_refs);
  return done;
}
