/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

/* The number of steps in the steady state. */
G_DECLARE_FINAL_TYPE (DynoStrangerMetric, dyno_stranger_metric, DYNO, STRANGER_METRIC, DynoMetric)

struct _DynoStrangerMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoStrangerMetric, dyno_stranger_metric, DYNO_TYPE_METRIC)

static void
dyno_stranger_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  dyno_measurement_add_settled (measurement, "strange_steps",
                                dyno_measurement_count_steady_steps (measurement), "", DYNO_QUALITY_MEASURED,
                                "steps of the steady state");
}

static const DynoMetricValue known_values[] = {
  { "strange_steps", N_ ("Strange steps"), TRUE, FALSE },
  { NULL },
};

static void
dyno_stranger_metric_class_init (DynoStrangerMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "stranger";
  metric_class->values = known_values;
  metric_class->collect = dyno_stranger_metric_collect;
}

static void
dyno_stranger_metric_init (DynoStrangerMetric *self)
{
}
