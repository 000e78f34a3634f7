/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-source.h"
#include "dyno-system-file.h"

/* A request to a memory controller moves one line. */
#define LINE_BYTES 64

#define MAX_EVENTS 8

/**
 * Family:
 * @units: the prefix of the units' names
 * @name: their name, in words
 * @events: the events to count: the kernel's names, or terms if it has none
 * @retried: (nullable): the event to subtract, because it is counted twice
 * @is_known: (nullable): whether @events are known for the processor
 * @approximate: whether more events than counters take turns
 *
 * A kind of memory controller with counters. Terms are from the tables of events in Linux perf.
 */
typedef struct
{
  const char *units;
  const char *name;
  const char *events[MAX_EVENTS + 1];
  const char *retried;
  gboolean (*is_known) (void);
  gboolean approximate;
} Family;

typedef struct
{
  int file;
  double gigabytes_per_count;
} Counter;

typedef struct
{
  GArray *counters;
  double first;
} TrafficData;

/* Zen to Zen 3; later data fabrics number their events differently, and have memory controllers that count. */
static gboolean
is_early_zen (void)
{
  g_autofree char *cpuinfo = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "cpuinfo");
  g_autofree char *family_text = dyno_system_file_dup_field (cpuinfo, "cpu family", "\t :");
  g_autofree char *model_text = dyno_system_file_dup_field (cpuinfo, "model", "\t :");
  gint64 family = family_text != NULL ? g_ascii_strtoll (family_text, NULL, 10) : 0;
  gint64 model = model_text != NULL ? g_ascii_strtoll (model_text, NULL, 10) : -1;

  return family == 0x17 ||
         (family == 0x19 && model >= 0 && (model <= 0x0f || (model >= 0x20 && model <= 0x5f)));
}

/* The first family that counts here is used, because several may see the same traffic. */
static const Family families[] = {
  { "uncore_imc", N_ ("Intel’s memory controllers"), { "cas_count_read", "cas_count_write" } },
  { "uncore_imc", N_ ("Intel’s memory controllers"), { "data_reads", "data_writes" } },
  { "uncore_imc_free_running", N_ ("Intel’s memory controllers"), { "data_read", "data_write" } },
  { "uncore_imc_free_running", N_ ("Intel’s memory controllers"), { "read", "write" } },
  { "amd_umc", N_ ("AMD’s memory controllers"), { "event=0x0a" } },
  { "amd_df",
    N_ ("AMD’s data fabric, whose channels take turns on its counters"),
    { "event=0x07,umask=0x38", "event=0x47,umask=0x38", "event=0x87,umask=0x38", "event=0xc7,umask=0x38",
      "event=0x107,umask=0x38", "event=0x147,umask=0x38", "event=0x187,umask=0x38",
      "event=0x1c7,umask=0x38" },
    .is_known = is_early_zen,
    .approximate = TRUE },
  { "arm_cmn", N_ ("Arm’s mesh, requests to memory"), { "hnf_mc_reqs" }, .retried = "hnf_mc_retries" },
};

static void
close_counter (gpointer data)
{
  close (((Counter *)data)->file);
}

static void
traffic_data_free (gpointer data)
{
  TrafficData *self = data;

  g_array_unref (self->counters);
  g_free (self);
}

/* If one controller cannot be read, the sum is unknown, not smaller. */
static gboolean
add_up (TrafficData *self, double *gigabytes)
{
  *gigabytes = 0;
  for (guint i = 0; i < self->counters->len; i++)
    {
      Counter *counter = &g_array_index (self->counters, Counter, i);
      double count;

      if (!dyno_perf_event_read (counter->file, &count))
        return FALSE;
      *gigabytes += count * counter->gigabytes_per_count;
    }
  return TRUE;
}

static gboolean
read_traffic (gpointer data, gint64 now_ns, double *value)
{
  TrafficData *self = data;

  if (!add_up (self, value))
    return FALSE;
  *value -= self->first;
  return TRUE;
}

/* Returns: 0, or why the event could not be opened. */
static int
add_counters (GArray *counters, const char *unit, const DynoPerfEvent *event, double sign)
{
  g_autoptr (GArray) processors = dyno_perf_event_list_processors (unit);

  for (guint i = 0; i < processors->len; i++)
    {
      Counter counter = {
        .file = dyno_perf_event_open (event, g_array_index (processors, int, i)),
        .gigabytes_per_count = sign *
                               (g_str_equal (event->unit, "MiB")     ? event->scale * (1 << 20)
                                : g_str_equal (event->unit, "Bytes") ? event->scale
                                                                     : LINE_BYTES) /
                               1e9,
      };

      if (counter.file < 0)
        return errno;
      g_array_append_val (counters, counter);
    }
  return 0;
}

/* Returns: 0, or why not all of the unit could be opened; ENOENT where the kernel has no such events. */
static int
add_unit (GArray *counters, const Family *family, const char *unit)
{
  DynoPerfEvent event;
  int code = 0;

  for (guint i = 0; code == 0 && family->events[i] != NULL; i++)
    code = dyno_perf_event_describe (&event, unit, family->events[i])
               ? add_counters (counters, unit, &event, 1)
               : ENOENT;
  if (code == 0 && family->retried != NULL)
    code = dyno_perf_event_describe (&event, unit, family->retried)
               ? add_counters (counters, unit, &event, -1)
               : ENOENT;
  return code;
}

/* Returns: 0, or why not: ENODEV without such units. */
static int
try_family (GPtrArray *sensors, const Family *family)
{
  g_auto (GStrv) units = dyno_perf_event_list_units (family->units);
  g_autoptr (GArray) counters = g_array_new (FALSE, FALSE, sizeof (Counter));
  int code = 0;

  g_array_set_clear_func (counters, close_counter);
  if (units[0] == NULL || (family->is_known != NULL && !family->is_known ()))
    return ENODEV;
  for (guint i = 0; code == 0 && units[i] != NULL; i++)
    code = add_unit (counters, family, units[i]);
  if (code == 0)
    {
      TrafficData *data = g_new0 (TrafficData, 1);
      g_autofree char *source =
          g_strdup_printf (_ ("%s, what the whole machine reads and writes (%s through perf)"),
                           _ (family->name), family->units);
      DynoSensorInfo info = {
        .kind = DYNO_SENSOR_TRAFFIC,
        .domain = DYNO_DOMAIN_DRAM,
        .name = "dram",
        .source = source,
        .resolution = LINE_BYTES / 1e9,
        .estimated = family->approximate,
      };

      data->counters = g_array_ref (counters);
      if (!add_up (data, &data->first))
        data->first = 0;
      g_ptr_array_add (sensors, dyno_sensor_new (&info, read_traffic, data, traffic_data_free));
    }
  return code;
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  int reason = ENODEV;

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      int code = try_family (sensors, &families[i]);

      if (code == 0)
        return dyno_probe_new_available ("perf");
      /* A refusal is more useful than a missing event, and that more than a missing unit. */
      if (reason == ENODEV || (reason == ENOENT && code != ENODEV))
        reason = code;
    }

  g_autofree char *why = NULL;
  g_autofree char *remedy = NULL;

  if (reason == ENODEV)
    return dyno_probe_new_unsupported (
        _ ("The kernel shows no counters of memory controllers (uncore_imc, amd_umc, amd_df or arm_cmn)."),
        _ ("Virtual machines have none: measure on the host."));
  if (reason == ENOENT)
    return dyno_probe_new_unsupported (_ ("The kernel counts at the memory controllers, but does not say "
                                          "which events are reads and writes."),
                                       _ ("A newer kernel may."));
  why = dyno_perf_event_dup_refusal (reason);
  remedy = dyno_perf_event_dup_remedy (reason);
  return dyno_probe_new_unsupported (why, remedy);
}

const DynoSensorSource dyno_traffic_source = { "traffic", N_ ("Memory controller traffic"), discover };
