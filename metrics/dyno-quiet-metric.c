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

static void
dyno_quiet_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  double percent = dyno_measurement_get_undisturbed_percent (measurement, measurement->steady_first,
                                                             measurement->steady_end);
  double queued_ns = 0;
  gint64 all_ns = 0;

  if (isnan (percent))
    return;

  DynoTrace *queued = dyno_trace_new ("queue_delay", "%", measurement->origin_ns);
  DynoTrace *undisturbed = dyno_trace_new ("undisturbed", "", measurement->origin_ns);

  for (guint i = 0; i < measurement->windows->len; i++)
    {
      const DynoWindow *window = &g_array_index (measurement->windows, DynoWindow, i);

      dyno_trace_add (queued, window->end_ns - measurement->origin_ns, window->queued_percent);
      dyno_trace_add (undisturbed, window->end_ns - measurement->origin_ns, window->is_disturbed ? 0 : 1);
      if (window->end <= measurement->steady_first)
        continue;
      all_ns += window->end_ns - window->begin_ns;
      queued_ns += window->queued_percent / 100 * (double)(window->end_ns - window->begin_ns);
    }
  dyno_measurement_take_trace (measurement, queued);
  dyno_measurement_take_trace (measurement, undisturbed);
  dyno_measurement_add_measured (measurement, "undisturbed_percent", percent, "%",
                                 "windows of about 50 ms in which the threads of this process waited for a "
                                 "processor for at most 5 % of the time, without throttling or time taken by "
                                 "a hypervisor");
  dyno_measurement_add_measured (measurement, "queue_delay_percent", 100 * queued_ns / (double)all_ns, "%",
                                 "the kernel's count of time in which a thread of this process waited for a "
                                 "processor, over all threads");
}

static const DynoMetricValue known_values[] = {
  { "undisturbed_percent", N_ ("Undisturbed part of the time"), TRUE },
  { "queue_delay_percent", N_ ("Waiting for a processor"), FALSE,
    .note = "how long threads that could run had none, in per cent of the time" },
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
