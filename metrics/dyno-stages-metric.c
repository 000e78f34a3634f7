/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-metric.h"

/* The share of each graph in the time of a step, for a model of several graphs. */
G_DECLARE_FINAL_TYPE (DynoStagesMetric, dyno_stages_metric, DYNO, STAGES_METRIC, DynoMetric)

struct _DynoStagesMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoStagesMetric, dyno_stages_metric, DYNO_TYPE_METRIC)

static double
find_median (DynoMeasurement *measurement, const DynoStageSamples *stage)
{
  gsize n = measurement->steady_end - measurement->steady_first;
  g_autofree double *values = dyno_samples_to_milliseconds (
      stage->samples, measurement->steady_first, measurement->steady_end, measurement->steps_per_sample);

  dyno_stats_sort (values, n);
  return dyno_stats_percentile (values, n, 50);
}

static void
dyno_stages_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  if (measurement->steady_end == measurement->steady_first)
    return;
  for (guint i = 0; i < measurement->stages->len; i++)
    {
      const DynoStageSamples *stage = &g_array_index (measurement->stages, DynoStageSamples, i);
      gsize first = measurement->steady_first, end = measurement->steady_end;
      double all = (double)dyno_samples_sum (measurement->samples, first, end);
      double own = (double)dyno_samples_sum (stage->samples, first, end);
      g_autofree char *median = g_strdup_printf ("stage_%s_p50_ms", stage->name);
      g_autofree char *share = g_strdup_printf ("stage_%s_percent", stage->name);

      dyno_measurement_add_settled (measurement, median, find_median (measurement, stage), "ms",
                                    DYNO_QUALITY_MEASURED,
                                    "median of what all runs of the stage in a step took together");

      /* A stage that repeats, such as a step of a diffusion model, also gets the time of one run. */
      g_autofree char *name = g_strdup_printf ("stage_%s_run_ms", stage->name);
      g_autofree char *source =
          g_strdup_printf ("stage_%s_p50_ms over the %" G_GINT64_FORMAT " runs of the stage in a step",
                           stage->name, stage->n_times);

      if (stage->n_times > 1)
        dyno_measurement_add_settled (measurement, name,
                                      find_median (measurement, stage) / (double)stage->n_times, "ms",
                                      DYNO_QUALITY_MEASURED, source);

      dyno_measurement_add_settled (
          measurement, share, 100 * own / all, "%", DYNO_QUALITY_MEASURED,
          "time of the stage over that of whole steps, handing over between stages included");
    }
}

static void
dyno_stages_metric_class_init (DynoStagesMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "stages";
  metric_class->collect = dyno_stages_metric_collect;
}

static void
dyno_stages_metric_init (DynoStagesMetric *self)
{
}
