/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"

/* A hypervisor that takes less does not affect a median. */
#define QUIET_STEAL_PERCENT 1

/* Waiting for memory stops a step for the whole wait; waiting for storage may be another program's, whose steps are
 * not timed. In per cent of the measurement. */
#define QUIET_MEMORY_PERCENT 1
#define QUIET_IO_PERCENT     5

/* A client that keeps a smaller part of a processor busy does not disturb the server beside it. */
#define MOST_OF_CLIENT 0.1

/* Disturbances during the measurement: differences of kernel counters over its stretches. */
G_DECLARE_FINAL_TYPE (DynoDisturbanceMetric, dyno_disturbance_metric, DYNO, DISTURBANCE_METRIC, DynoMetric)

struct _DynoDisturbanceMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoDisturbanceMetric, dyno_disturbance_metric, DYNO_TYPE_METRIC)

/* Stretches before the steady part do not affect its numbers. */
static gboolean
sum_up (DynoMeasurement *measurement, DynoDisturbance *sum)
{
  gboolean has_any = FALSE;

  for (guint i = 0; measurement->disturbances != NULL && i < measurement->disturbances->len; i++)
    {
      const DynoDisturbance *one = &g_array_index (measurement->disturbances, DynoDisturbance, i);

      if (g_array_index (measurement->chunk_ends, gsize, i) <= measurement->steady_first)
        continue;
      if (has_any)
        dyno_disturbance_add (sum, one);
      else
        *sum = *one;
      has_any = TRUE;
    }
  return has_any;
}

/* A server on this machine whose processes are not visible is not another program. */
static double
get_others (DynoMeasurement *measurement, const DynoDisturbance *sum)
{
  return measurement->device_kind == DYNO_DEVICE_KIND_SERVER && dyno_measurement_is_elsewhere (measurement)
             ? NAN
             : dyno_disturbance_get_others (sum);
}

static void
add_count (DynoMeasurement *measurement,
           const char *name,
           gint64 count,
           double scale,
           const char *unit,
           const char *source)
{
  if (count >= 0)
    dyno_measurement_add_measured (measurement, name, scale * (double)count, unit, source);
}

static const char *const pressure_names[DYNO_N_PRESSURES] = {
  [DYNO_PRESSURE_CPU] = "cpu_pressure_ms",
  [DYNO_PRESSURE_MEMORY] = "memory_pressure_ms",
  [DYNO_PRESSURE_IO] = "io_pressure_ms",
};

static const char *const group_pressure_names[DYNO_N_PRESSURES] = {
  [DYNO_PRESSURE_CPU] = "group_cpu_pressure_ms",
  [DYNO_PRESSURE_MEMORY] = "group_memory_pressure_ms",
  [DYNO_PRESSURE_IO] = "group_io_pressure_ms",
};

/* The client of a server uses processors too, and takes them from a server on the same machine. */
static void
add_shares (DynoMeasurement *measurement, const DynoDisturbance *sum)
{
  double server = dyno_disturbance_to_processors (sum, sum->server_ticks);
  double client = dyno_disturbance_to_processors (sum, sum->own_ticks);
  g_autofree char *message = NULL;

  if (isfinite (client))
    dyno_measurement_add_measured (measurement, "client_load_processors", client, "",
                                   "time of the processors for this process, which sends the requests");
  if (isfinite (server))
    dyno_measurement_add_measured (measurement, "server_load_processors", server, "",
                                   "time of the processors for the server’s processes");
  else
    dyno_measurement_add_unsupported (measurement, "server_load_processors", "",
                                      dyno_measurement_is_elsewhere (measurement)
                                          ? measurement->server->elsewhere
                                          : _ ("A process of the server ended meanwhile."));
  if (!(client > MOST_OF_CLIENT) || !isfinite (server))
    return;
  message = g_strdup_printf (_ ("Sending the requests kept %.2f CPU cores busy on the machine of the server, "
                                "which may have missed them."),
                             client);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "client-beside-server", message);
}

static void
warn_throttled (DynoMeasurement *measurement, const DynoDisturbance *sum)
{
  g_autofree char *message = NULL;

  if (sum->n_throttled <= 0)
    return;
  message = g_strdup_printf (
      ngettext ("The CPU limit of the control group throttled %u period of the measurement, for %.0f ms: the "
                "results show the limit, not the machine. Raise it, or use fewer threads.",
                "The CPU limit of the control group throttled %u periods of the measurement, for %.0f ms: "
                "the results show the limit, not the machine. Raise it, or use fewer threads.",
                (guint)sum->n_throttled),
      (guint)sum->n_throttled, 1e-3 * (double)MAX (sum->throttled_us, 0));
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "throttled-window", message);
}

static void
warn_others (DynoMeasurement *measurement, const DynoDisturbance *sum)
{
  double others = get_others (measurement, sum);
  double undisturbed = dyno_measurement_get_number (measurement, "undisturbed_percent");
  g_autofree char *message = NULL;

  if (!dyno_disturbance_is_loud (others, (double)sum->n_processors))
    return;
  if (isfinite (dyno_measurement_get_number (measurement, "latency_all_p50_ms")))
    {
      message =
          g_strdup_printf (_ ("Other programs kept %.1f CPU cores busy during the measurement. The median "
                              "counts only the time in which they did not disturb it (%.0f %%)."),
                           others, undisturbed);
      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "load-during", message);
      return;
    }
  message = isnan (undisturbed)
                ? g_strdup_printf (_ ("Other programs kept %.1f CPU cores busy during the measurement. Close "
                                      "them and measure again."),
                                   others)
                : g_strdup_printf (_ ("Other programs kept %.1f CPU cores busy and disturbed %.0f %% of the "
                                      "measurement. Close them, or wait until the machine is idle, and "
                                      "measure again."),
                                   others, 100 - undisturbed);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "load-during", message);
}

/* Returns the share of the time in which some task waited, in per cent: in the process's own group, if that is
 * counted. */
static double
get_waiting_percent (const DynoDisturbance *sum, DynoPressure kind)
{
  gint64 waited = sum->group_pressure_us[kind] >= 0 ? sum->group_pressure_us[kind] : sum->pressure_us[kind];

  return waited >= 0 && sum->time_ns > 0 ? 100 * 1e3 * (double)waited / (double)sum->time_ns : 0;
}

/* Programs wait for a processor that the hypervisor took, for memory or for storage. A model whose weights are read
 * from storage again and again waits in its own group. */
static void
warn_waiting (DynoMeasurement *measurement, const DynoDisturbance *sum)
{
  double steal = dyno_disturbance_get_steal_percent (sum);
  double for_memory = get_waiting_percent (sum, DYNO_PRESSURE_MEMORY);
  double for_storage = get_waiting_percent (sum, DYNO_PRESSURE_IO);
  gboolean is_own = sum->group_pressure_us[DYNO_PRESSURE_IO] >= 0;
  g_autofree char *stolen = NULL;
  g_autofree char *memory = NULL;
  g_autofree char *storage = NULL;

  if (steal > QUIET_STEAL_PERCENT)
    {
      stolen =
          g_strdup_printf (_ ("The hypervisor took %.1f %% of the CPU time during the measurement: other "
                              "virtual machines use the same CPU cores."),
                           steal);
      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "steal-time", stolen);
    }
  if (!(for_memory <= QUIET_MEMORY_PERCENT))
    {
      memory =
          g_strdup_printf (_ ("Programs waited for memory in %.1f %% of the measurement, because there was "
                              "not enough of it. Close programs, or choose a smaller case."),
                           for_memory);
      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "memory-pressure", memory);
    }
  if (!(for_storage <= QUIET_IO_PERCENT))
    {
      storage =
          g_strdup_printf (_ ("Programs waited for storage in %.1f %% of the measurement."), for_storage);
      dyno_measurement_add_diagnostic (measurement, is_own ? DYNO_SEVERITY_WARNING : DYNO_SEVERITY_INFO,
                                       "io-pressure", storage);
    }
}

static void
dyno_disturbance_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoDisturbance sum = { 0 };

  if (!sum_up (measurement, &sum))
    return;

  double others = get_others (measurement, &sum);
  double steal = dyno_disturbance_get_steal_percent (&sum);

  add_count (measurement, "throttled_periods", sum.n_throttled, 1, "", "nr_throttled of the control groups");
  add_count (measurement, "throttled_ms", sum.throttled_us, 1e-3, "ms",
             "throttled_usec of the control groups");
  for (guint kind = 0; kind < DYNO_N_PRESSURES; kind++)
    {
      add_count (measurement, pressure_names[kind], sum.pressure_us[kind], 1e-3, "ms",
                 "the kernel's count of time in which some task of the machine waited for it");
      add_count (measurement, group_pressure_names[kind], sum.group_pressure_us[kind], 1e-3, "ms",
                 "the kernel's count of time in which some task of this control group waited for it");
    }
  add_count (measurement, "voluntary_switches", sum.voluntary_switches, 1, "",
             "the kernel's count for all threads of this process");
  add_count (measurement, "involuntary_switches", sum.involuntary_switches, 1, "",
             "the kernel's count for all threads of this process");
  if (isfinite (steal))
    dyno_measurement_add_measured (measurement, "steal_percent", steal, "%",
                                   "the kernel's count of time taken by the hypervisor");
  if (isfinite (others))
    dyno_measurement_add_measured (
        measurement, "others_load_processors", others, "",
        measurement->server != NULL
            ? "time of the processors, without that of the server, of this process and of those they started"
            : "time of the processors, without that of this process and those it started");
  if (measurement->server != NULL)
    add_shares (measurement, &sum);

  warn_throttled (measurement, &sum);
  warn_others (measurement, &sum);
  warn_waiting (measurement, &sum);
}

static const DynoMetricValue known_values[] = {
  { "throttled_periods", N_ ("Throttled periods"), TRUE, .note = "the control group’s CPU limit" },
  { "throttled_ms", N_ ("Time throttled"), TRUE, .note = "the control group’s CPU limit" },
  { "cpu_pressure_ms", N_ ("CPU pressure"), FALSE, .note = "some task of the machine waited" },
  { "memory_pressure_ms", N_ ("Memory pressure"), FALSE, .note = "some task of the machine waited" },
  { "io_pressure_ms", N_ ("Storage pressure"), FALSE, .note = "some task of the machine waited" },
  { "group_cpu_pressure_ms", N_ ("CPU pressure of the control group"), FALSE,
    .note = "some task of the worker’s own control group waited" },
  { "group_memory_pressure_ms", N_ ("Memory pressure of the control group"), FALSE,
    .note = "some task of the worker’s own control group waited" },
  { "group_io_pressure_ms", N_ ("Storage pressure of the control group"), FALSE,
    .note = "some task of the worker’s own control group waited" },
  { "voluntary_switches", N_ ("Voluntary context switches"), FALSE },
  { "involuntary_switches", N_ ("Involuntary context switches"), TRUE },
  { "steal_percent", N_ ("CPU time stolen"), TRUE },
  { "others_load_processors", N_ ("CPU cores busy with other programs"), TRUE,
    .note = "without the worker’s own child processes" },
  { "server_load_processors", N_ ("CPU cores busy with the server"), TRUE },
  { "client_load_processors", N_ ("CPU cores busy with sending requests"), FALSE },
  { NULL },
};

static void
dyno_disturbance_metric_class_init (DynoDisturbanceMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "disturbance";
  metric_class->values = known_values;
  metric_class->collect = dyno_disturbance_metric_collect;
}

static void
dyno_disturbance_metric_init (DynoDisturbanceMetric *self)
{
}
