/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"

/* Others that keep fewer processors busy than this, in processors and as a share of all, are the machine at rest. */
#define QUIET_LOAD       0.5
#define QUIET_LOAD_SHARE 0.05

/* A hypervisor that takes less does not show in a median. */
#define QUIET_STEAL_PERCENT 1

/* What disturbed the measurement while it went on: counters of the kernel, differenced over its stretches. */
G_DECLARE_FINAL_TYPE (DynoDisturbanceMetric, dyno_disturbance_metric, DYNO, DISTURBANCE_METRIC, DynoMetric)

struct _DynoDisturbanceMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoDisturbanceMetric, dyno_disturbance_metric, DYNO_TYPE_METRIC)

/* Stretches before the steady part are no concern of its numbers. */
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

static void
add_values (DynoMeasurement *measurement, const DynoDisturbance *sum)
{
  double others = dyno_disturbance_get_others (sum);
  double steal = dyno_disturbance_get_steal_percent (sum);

  add_count (measurement, "throttled_periods", sum->n_throttled, 1, "", "nr_throttled of the control groups");
  add_count (measurement, "throttled_ms", sum->throttled_us, 1e-3, "ms",
             "throttled_usec of the control groups");
  add_count (measurement, "cpu_pressure_ms", sum->pressure_us, 1e-3, "ms",
             "the kernel's count of time in which some task waited for a processor");
  add_count (measurement, "voluntary_switches", sum->voluntary_switches, 1, "",
             "the kernel's count for all threads of this process");
  add_count (measurement, "involuntary_switches", sum->involuntary_switches, 1, "",
             "the kernel's count for all threads of this process");
  if (isfinite (steal))
    dyno_measurement_add_measured (measurement, "steal_percent", steal, "%",
                                   "the kernel's count of time taken by the hypervisor");
  if (isfinite (others))
    dyno_measurement_add_measured (measurement, "others_load_processors", others, "",
                                   "time of the processors, without that of this process");
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
  double others = dyno_disturbance_get_others (sum);
  g_autofree char *message = NULL;

  if (!(others > MAX (QUIET_LOAD, QUIET_LOAD_SHARE * (double)sum->n_processors)))
    return;
  message = g_strdup_printf (
      _ ("Other programs kept %.1f CPU cores busy during the measurement. Close them and measure again."),
      others);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "load-during", message);
}

static void
warn_stolen (DynoMeasurement *measurement, const DynoDisturbance *sum)
{
  double steal = dyno_disturbance_get_steal_percent (sum);
  g_autofree char *message = NULL;

  if (!(steal > QUIET_STEAL_PERCENT))
    return;
  message = g_strdup_printf (_ ("The hypervisor took %.1f %% of the CPU time during the measurement: other "
                                "virtual machines use the same CPU cores."),
                             steal);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "steal-time", message);
}

static void
dyno_disturbance_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoDisturbance sum = { 0 };

  if (!sum_up (measurement, &sum))
    return;
  add_values (measurement, &sum);
  warn_throttled (measurement, &sum);
  warn_others (measurement, &sum);
  warn_stolen (measurement, &sum);
}

static void
dyno_disturbance_metric_class_init (DynoDisturbanceMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "disturbance";
  metric_class->collect = dyno_disturbance_metric_collect;
}

static void
dyno_disturbance_metric_init (DynoDisturbanceMetric *self)
{
}
