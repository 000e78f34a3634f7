/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dyno-sensor-source.h"
#include "dyno-system-file.h"

#define PMU_FOLDER "bus/event_source/devices/power"

#define PERIOD_SECONDS 1e-3

static const struct
{
  const char *event;
  const char *name;
  DynoSensorDomain domain;
} events[] = {
  { "energy-pkg", "package", DYNO_DOMAIN_PACKAGE }, { "energy-cores", "core", DYNO_DOMAIN_CORE },
  { "energy-gpu", "uncore", DYNO_DOMAIN_UNCORE },   { "energy-ram", "dram", DYNO_DOMAIN_DRAM },
  { "energy-psys", "psys", DYNO_DOMAIN_PLATFORM },
};

typedef struct
{
  int file;
  double joules_per_count;
  guint64 first;
} PerfData;

static void
perf_data_free (gpointer data)
{
  PerfData *self = data;

  close (self->file);
  g_free (self);
}

/* The kernel adds the counter up in 64 bits, so nothing wraps. */
static gboolean
read_count (gpointer data, gint64 now_ns, double *value)
{
  PerfData *self = data;
  guint64 count;

  if (read (self->file, &count, sizeof count) != sizeof count)
    return FALSE;
  *value = (double)(count - self->first) * self->joules_per_count;
  return TRUE;
}

static char *
dup_event_text (const char *event, const char *suffix)
{
  g_autofree char *path = g_strconcat (PMU_FOLDER "/events/", event, suffix, NULL);

  return dyno_system_file_dup_text (DYNO_PATH_SYSFS, path);
}

/* An event that counts for the whole package is opened on the one processor that the kernel names for it. */
static int
open_event (guint32 type, guint64 config, int processor)
{
  struct perf_event_attr attributes = { .type = type, .size = sizeof attributes, .config = config };

  return (int)syscall (SYS_perf_event_open, &attributes, -1, processor, -1, PERF_FLAG_FD_CLOEXEC);
}

static DynoSensor *
create_sensor (guint event, int file, double scale)
{
  PerfData *data = g_new0 (PerfData, 1);
  g_autofree char *source = g_strdup_printf (_ ("RAPL through perf, %s"), events[event].event);
  DynoSensorInfo info = {
    .kind = DYNO_SENSOR_ENERGY,
    .domain = events[event].domain,
    .name = events[event].name,
    .source = source,
    .period_seconds = PERIOD_SECONDS,
    .resolution = scale,
  };

  data->file = file;
  data->joules_per_count = scale;
  if (read (file, &data->first, sizeof data->first) != sizeof data->first)
    data->first = 0;
  return dyno_sensor_new (&info, read_count, data, perf_data_free);
}

/* Returns: 0, or why the event could not be opened. */
static int
add_event (GPtrArray *sensors, guint32 type, guint event, int processor)
{
  g_autofree char *text = dup_event_text (events[event].event, "");
  g_autofree char *scale = dup_event_text (events[event].event, ".scale");
  int file;

  if (text == NULL || scale == NULL || !g_str_has_prefix (text, "event="))
    return 0;
  file = open_event (type, g_ascii_strtoull (text + strlen ("event="), NULL, 0), processor);
  if (file < 0)
    return errno;
  g_ptr_array_add (sensors, create_sensor (event, file, g_ascii_strtod (scale, NULL)));
  return 0;
}

/* Adds the events of the first processor of each part of a list such as `0,24` or `0-1`. */
static int
add_packages (GPtrArray *sensors, guint32 type, const char *processors)
{
  g_auto (GStrv) parts = g_strsplit (processors, ",", -1);
  int code = 0;

  for (guint i = 0; parts[i] != NULL; i++)
    for (guint event = 0; event < G_N_ELEMENTS (events); event++)
      {
        int failure = add_event (sensors, type, event, (int)g_ascii_strtoll (parts[i], NULL, 10));

        code = failure != 0 ? failure : code;
      }
  return code;
}

static DynoProbe *
explain (int code)
{
  gint64 paranoid = dyno_system_file_read_int64 (DYNO_PATH_PROCFS, "sys/kernel/perf_event_paranoid", 2);
  g_autofree char *reason = NULL;

  if (code == EACCES || code == EPERM)
    {
      reason =
          g_strdup_printf (_ ("The kernel lets only the administrator count energy (perf_event_paranoid is "
                              "%" G_GINT64_FORMAT ")."),
                           paranoid);
      return dyno_probe_new_unsupported (
          reason, _ ("Run “sudo sysctl kernel.perf_event_paranoid=0” for as long as you measure."));
    }
  reason = g_strdup_printf (_ ("The kernel refuses to count energy: %s."), g_strerror (code));
  return dyno_probe_new_unsupported (reason, NULL);
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  gint64 type = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, PMU_FOLDER "/type", -1);
  g_autofree char *processors = dyno_system_file_dup_text (DYNO_PATH_SYSFS, PMU_FOLDER "/cpumask");
  guint n_before = sensors->len;
  int code;

  if (type < 0)
    return dyno_probe_new_unsupported (_ ("The kernel’s performance counters have none for energy."), NULL);
  code = add_packages (sensors, (guint32)type, processors != NULL ? processors : "0");
  if (sensors->len > n_before)
    return dyno_probe_new_available ("perf");
  return explain (code != 0 ? code : ENOENT);
}

const DynoSensorSource dyno_perf_source = { "perf", N_ ("RAPL through perf"), discover };
