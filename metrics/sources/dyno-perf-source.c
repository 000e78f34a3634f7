/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "dyno-metrics-sources-private.h"
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

/* The kernel extends the counter to 64 bits, so it does not wrap. */
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

/* Returns: 0, or why the event could not be opened on every package: if one cannot be read, the sum is unknown, not
 * smaller. */
static int
add_event (GPtrArray *sensors, guint event, const GArray *processors)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
  DynoPerfEvent description;

  if (!dyno_perf_event_describe (&description, UNIT, events[event].event))
    return 0;
  for (guint i = 0; i < processors->len; i++)
    {
      int file = dyno_perf_event_open (&description, g_array_index (processors, int, i));

      if (file < 0)
        return errno;

      PerfData *data = g_new0 (PerfData, 1);
      g_autofree char *source = g_strdup_printf (_ ("RAPL through perf, %s"), events[event].event);
      DynoSensorInfo info = {
        .kind = DYNO_SENSOR_ENERGY,
        .domain = events[event].domain,
        .name = events[event].name,
        .source = source,
        .period_seconds = PERIOD_SECONDS,
        .resolution = description.scale,
      };

      data->file = file;
      data->joules_per_count = description.scale;
      if (!dyno_perf_event_read (file, &data->first))
        data->first = 0;
      g_ptr_array_add (found, dyno_sensor_new (&info, read_count, data, perf_data_free));
    }
  g_ptr_array_extend_and_steal (sensors, g_steal_pointer (&found));
  return 0;
}

static DynoProbe *
explain (int code)
{
  g_autofree char *reason = dyno_perf_event_dup_refusal (code);
  g_autofree char *remedy = dyno_perf_event_dup_remedy (code);

  return dyno_probe_new_unsupported (reason, remedy);
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  g_auto (GStrv) units = dyno_perf_event_list_units (UNIT);
  g_autoptr (GArray) processors = dyno_perf_event_list_processors (UNIT);
  g_autoptr (GString) found = g_string_new ("perf");
  guint n_before = sensors->len;

  if (units[0] == NULL)
    return dyno_probe_new_unsupported (_ ("The kernel’s performance counters include none for energy."),
                                       NULL);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      int code = add_event (sensors, i, processors);
      g_autofree char *refusal = code != 0 ? dyno_perf_event_dup_refusal (code) : NULL;

      if (code != 0 && events[i].domain == DYNO_DOMAIN_PACKAGE)
        return explain (code);
      if (code != 0)
        g_string_append_printf (found, _ (". Without %s: %s"), events[i].name, refusal);
    }
  return sensors->len > n_before ? dyno_probe_new_available (found->str) : explain (ENOENT);
}

const DynoSensorSource dyno_perf_source = { "perf", N_ ("RAPL through perf"), discover };
