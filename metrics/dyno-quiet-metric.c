/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"

/* How much of the measurement was undisturbed. */
G_DECLARE_FINAL_TYPE (DynoQuietMetric, dyno_quiet_metric, DYNO, QUIET_METRIC, DynoMetric)

struct _DynoQuietMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoQuietMetric, dyno_quiet_metric, DYNO_TYPE_METRIC)

static const struct
{
  const char *value;
  const char *source;
} causes[DYNO_N_WINDOW_CAUSES] = {
  { "disturbed_by_queue_percent",
    "windows in which the threads of this process waited for a processor for more "
    "than 5 % of the time" },
  { "disturbed_by_others_percent",
    "windows in which other programs used the cores of this process for more than "
    "5 % of the time" },
  { "disturbed_by_clock_percent", "windows in which the clock was more than 5 % below its median" },
  { "disturbed_by_limit_percent", "windows of stretches in which the control group stopped this process" },
  { "disturbed_by_steal_percent", "windows of stretches of which a hypervisor took more than 2 %" },
};

/* Returns the causes that this kernel reports. */
static DynoWindowCauses
list_known_causes (DynoMeasurement *measurement)
{
  DynoWindowCauses known = DYNO_WINDOW_CAUSE_QUEUE;

  for (guint i = 0; i < measurement->windows->len; i++)
    {
      const DynoWindow *window = &g_array_index (measurement->windows, DynoWindow, i);

      known |= isfinite (window->others_percent) ? DYNO_WINDOW_CAUSE_OTHERS : 0;
      known |= isfinite (window->clock_mhz) ? DYNO_WINDOW_CAUSE_CLOCK : 0;
    }
  for (guint i = 0; measurement->disturbances != NULL && i < measurement->disturbances->len; i++)
    {
      const DynoDisturbance *one = &g_array_index (measurement->disturbances, DynoDisturbance, i);

      known |= one->n_throttled >= 0 ? DYNO_WINDOW_CAUSE_LIMIT : 0;
      known |= isfinite (dyno_disturbance_get_steal_percent (one)) ? DYNO_WINDOW_CAUSE_STEAL : 0;
    }
  return known;
}

static void
take_traces (DynoMeasurement *measurement)
{
  DynoTrace *queued = dyno_trace_new ("queue_delay", "%", measurement->origin_ns);
  DynoTrace *undisturbed = dyno_trace_new ("undisturbed", "", measurement->origin_ns);
  g_autoptr (DynoTrace) others = dyno_trace_new ("others_load", "%", measurement->origin_ns);
  g_autoptr (DynoTrace) clock = dyno_trace_new ("window_clock", "MHz", measurement->origin_ns);

  for (guint i = 0; i < measurement->windows->len; i++)
    {
      const DynoWindow *window = &g_array_index (measurement->windows, DynoWindow, i);
      gint64 time_ns = window->end_ns - measurement->origin_ns;

      dyno_trace_add (queued, time_ns, window->queued_percent);
      dyno_trace_add (undisturbed, time_ns, window->causes == 0 ? 1 : 0);
      if (isfinite (window->others_percent))
        dyno_trace_add (others, time_ns, window->others_percent);
      if (isfinite (window->clock_mhz))
        dyno_trace_add (clock, time_ns, window->clock_mhz);
    }
  dyno_measurement_take_trace (measurement, queued);
  dyno_measurement_take_trace (measurement, undisturbed);
  if (dyno_trace_get_length (others) > 0)
    dyno_measurement_take_trace (measurement, g_object_ref (others));
  if (dyno_trace_get_length (clock) > 0)
    dyno_measurement_take_trace (measurement, g_object_ref (clock));
}

static void
dyno_quiet_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  gsize first = measurement->steady_first, end = measurement->steady_end;
  double percent = dyno_measurement_get_undisturbed_percent (measurement, first, end);
  double queued_ns = 0;
  gint64 all_ns = 0;
  DynoWindowCauses known;

  if (isnan (percent))
    return;
  known = list_known_causes (measurement);
  take_traces (measurement);
  dyno_measurement_add_measured (measurement, "undisturbed_percent", percent, "%",
                                 "windows of about 50 ms in which the threads of this process waited for a "
                                 "processor, and other programs used its cores, for at most 5 % of the time, "
                                 "without a lower clock, throttling or time taken by a hypervisor");
  for (guint i = 0; i < DYNO_N_WINDOW_CAUSES; i++)
    if ((known & (1u << i)) != 0)
      dyno_measurement_add_measured (
          measurement, causes[i].value,
          dyno_measurement_get_disturbed_percent (measurement, first, end, 1u << i), "%", causes[i].source);

  for (guint i = 0; i < measurement->windows->len; i++)
    {
      const DynoWindow *window = &g_array_index (measurement->windows, DynoWindow, i);

      if (window->end <= first)
        continue;
      all_ns += window->end_ns - window->begin_ns;
      queued_ns += window->queued_percent / 100 * (double)(window->end_ns - window->begin_ns);
    }
  dyno_measurement_add_measured (measurement, "queue_delay_percent", 100 * queued_ns / (double)all_ns, "%",
                                 "the kernel's count of time in which a thread of this process waited for a "
                                 "processor, over all threads");
}

static const DynoMetricValue known_values[] = {
  { "undisturbed_percent", N_ ("Undisturbed part of the time"), TRUE },
  { "queue_delay_percent", N_ ("Waiting for a processor"), FALSE,
    .note = "how long threads that could run had none, in per cent of the time" },
  { "disturbed_by_queue_percent", N_ ("Time disturbed by waiting for a processor"), FALSE },
  { "disturbed_by_others_percent", N_ ("Time disturbed by other programs on its cores"), FALSE,
    .note = "also on the other hardware threads of those cores" },
  { "disturbed_by_clock_percent", N_ ("Time disturbed by a lower clock"), FALSE },
  { "disturbed_by_limit_percent", N_ ("Time disturbed by throttling"), FALSE,
    .note = "the control group’s CPU limit" },
  { "disturbed_by_steal_percent", N_ ("Time disturbed by the hypervisor"), FALSE },
  { NULL },
};

static void
dyno_quiet_metric_class_init (DynoQuietMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "quiet";
  metric_class->values = known_values;
  metric_class->collect = dyno_quiet_metric_collect;
}

static void
dyno_quiet_metric_init (DynoQuietMetric *self)
{
}
