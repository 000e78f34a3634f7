/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "dyno-perf-event.h"
#include "dyno-sensor-source.h"

#define UNIT "power"

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
  double first;
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
  double count;

  if (!dyno_perf_event_read (self->file, &count))
    return FALSE;
  *value = (count - self->first) * self->joules_per_count;
  return TRUE;
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
  if (!dyno_perf_event_read (file, &data->first))
    data->first = 0;
  return dyno_sensor_new (&info, read_count, data, perf_data_free);
}

/* Returns: 0, or why the event could not be opened. */
static int
add_event (GPtrArray *sensors, guint event, int processor)
{
  DynoPerfEvent description;
  int file;

  if (!dyno_perf_event_describe (&description, UNIT, events[event].event))
    return 0;
  file = dyno_perf_event_open (&description, processor);
  if (file < 0)
    return errno;
  g_ptr_array_add (sensors, create_sensor (event, file, description.scale));
  return 0;
}

static int
add_packages (GPtrArray *sensors, const GArray *processors)
{
  int code = 0;

  for (guint i = 0; i < processors->len; i++)
    for (guint event = 0; event < G_N_ELEMENTS (events); event++)
      {
        int failure = add_event (sensors, event, g_array_index (processors, int, i));

        code = failure != 0 ? failure : code;
      }
  return code;
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  g_auto (GStrv) units = dyno_perf_event_list_units (UNIT);
  g_autoptr (GArray) processors = dyno_perf_event_list_processors (UNIT);
  guint n_before = sensors->len;
  g_autofree char *reason = NULL;
  g_autofree char *remedy = NULL;
  int code;

  if (units[0] == NULL)
    return dyno_probe_new_unsupported (_ ("The kernel’s performance counters have none for energy."), NULL);
  code = add_packages (sensors, processors);
  if (sensors->len > n_before)
    return dyno_probe_new_available ("perf");
  code = code != 0 ? code : ENOENT;
  reason = dyno_perf_event_dup_refusal (code);
  remedy = dyno_perf_event_dup_remedy (code);
  return dyno_probe_new_unsupported (reason, remedy);
}

const DynoSensorSource dyno_perf_source = { "perf", N_ ("RAPL through perf"), discover };
