/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-manifest.h"
#include "dyno-metric.h"
#include "dyno-model-needs.h"
#include "dyno-step-work.h"

/* The time, the weights and the work of each graph of a model of several. */
G_DECLARE_FINAL_TYPE (DynoStagesMetric, dyno_stages_metric, DYNO, STAGES_METRIC, DynoMetric)

struct _DynoStagesMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoStagesMetric, dyno_stages_metric, DYNO_TYPE_METRIC)

static double
find_median (DynoMeasurement *measurement, const DynoSamples *samples)
{
  gsize n = measurement->steady_end - measurement->steady_first;
  g_autofree double *values = dyno_samples_to_milliseconds (
      samples, measurement->steady_first, measurement->steady_end, measurement->steps_per_sample);

  dyno_stats_sort (values, n);
  return dyno_stats_percentile (values, n, 50);
}

static int
compare_openings (gconstpointer a, gconstpointer b)
{
  const DynoStageSamples *one = *(const DynoStageSamples *const *)a,
                         *other = *(const DynoStageSamples *const *)b;

  return (one->opened_ns[0] > other->opened_ns[0]) - (one->opened_ns[0] < other->opened_ns[0]);
}

/* Points are in the order of time: the index of each stage when its opening began, and the number of stages in the end. */
static void
take_openings (DynoMeasurement *measurement)
{
  DynoTrace *trace = dyno_trace_new (DYNO_STAGE_OPENINGS, "", measurement->origin_ns);
  const DynoStageSamples *stages = (const DynoStageSamples *)(gpointer)measurement->stages->data;
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  gint64 end = 0;

  for (guint i = 0; i < measurement->stages->len; i++)
    g_ptr_array_add (sorted, (gpointer)&stages[i]);
  g_ptr_array_sort (sorted, compare_openings);
  for (guint i = 0; i < sorted->len; i++)
    {
      const DynoStageSamples *stage = sorted->pdata[i];

      dyno_trace_add (trace, stage->opened_ns[0] - measurement->origin_ns, (double)(stage - stages));
      end = stage->opened_ns[1];
    }
  dyno_trace_add (trace, end - measurement->origin_ns, measurement->stages->len);
  dyno_measurement_take_trace (measurement, trace);
}

static void
dyno_stages_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  g_autoptr (GArray) weights = NULL;

  if (measurement->steady_end == measurement->steady_first || measurement->stages->len == 0)
    return;
  take_openings (measurement);
  weights = dyno_model_list_stage_weights (measurement->model);
  for (guint i = 0; i < measurement->stages->len; i++)
    {
      const DynoStageSamples *stage = &g_array_index (measurement->stages, DynoStageSamples, i);
      gsize first = measurement->steady_first, end = measurement->steady_end;
      double all = (double)dyno_samples_sum (measurement->samples, first, end);
      double own = (double)dyno_samples_sum (stage->samples, first, end);
      g_autofree char *median = g_strdup_printf ("stage_%s_p50_ms", stage->name);
      g_autofree char *share = g_strdup_printf ("stage_%s_percent", stage->name);
      g_autofree char *held = g_strdup_printf ("stage_%s_weights_mb", stage->name);

      dyno_measurement_add_settled (measurement, median, find_median (measurement, stage->samples), "ms",
                                    DYNO_QUALITY_MEASURED,
                                    "median of what all runs of the stage in a step took together");

      /* A stage that repeats, such as a step of a diffusion model, also gets the time of one run. */
      g_autofree char *name = g_strdup_printf ("stage_%s_run_ms", stage->name);
      g_autofree char *source =
          g_strdup_printf ("stage_%s_p50_ms over the %" G_GINT64_FORMAT " runs of the stage in a step",
                           stage->name, stage->n_times);

      if (stage->n_times > 1)
        dyno_measurement_add_settled (measurement, name,
                                      find_median (measurement, stage->samples) / (double)stage->n_times,
                                      "ms", DYNO_QUALITY_MEASURED, source);

      dyno_measurement_add_settled (
          measurement, share, 100 * own / all, "%", DYNO_QUALITY_MEASURED,
          "time of the stage over that of whole steps, handing over between stages included");

      /* Only a stage on another device than its feeders waits for copies. */
      g_autofree char *handed = g_strdup_printf ("stage_%s_handover_ms", stage->name);

      if (stage->handed != NULL)
        dyno_measurement_add_settled (
            measurement, handed, find_median (measurement, stage->handed), "ms", DYNO_QUALITY_MEASURED,
            "median of the copies in a step from stages on other devices, through the "
            "memory of the host");

      g_autofree char *peak = g_strdup_printf ("stage_%s_peak_mb", stage->name);

      if (stage->peak_bytes > 0)
        dyno_measurement_add_measured (
            measurement, peak, (double)stage->peak_bytes / 1e6, "MB",
            "the allocator of the stage's session: the most in use at once since it was "
            "loaded");
      else
        dyno_measurement_add_unsupported (measurement, peak, "MB",
                                          _ ("The runtime does not report allocator statistics."));
      if (i < weights->len)
        dyno_measurement_add_measured (measurement, held, (double)g_array_index (weights, gint64, i) / 1e6,
                                       "MB", "size of the weights in the graph of the stage");
    }
}

/* Returns the nodes that belong to the stage; NULL if the engine reports none. */
static GPtrArray *
list_own (GPtrArray *nodes, const char *stage)
{
  GPtrArray *own = nodes != NULL ? g_ptr_array_new () : NULL;

  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    if (dyno_manifest_is_node_of (((DynoNodeProfile *)nodes->pdata[i])->name, stage))
      g_ptr_array_add (own, nodes->pdata[i]);
  return own;
}

/* The work of a stage in @n_steps steps of one kind. */
static void
count_work (DynoMeasurement *measurement,
            const DynoStepAnalysis *analysis,
            const char *stage,
            guint n_steps,
            double *flops,
            double *bytes)
{
  g_autoptr (GPtrArray) shapes = list_own (analysis->shapes, stage);
  g_autoptr (GPtrArray) traffic = list_own (analysis->traffic, stage);
  const DynoStepAnalysis own = { .shapes = shapes,
                                 .shapes_from_cpu = analysis->shapes_from_cpu,
                                 .traffic = traffic,
                                 .traffic_steps = analysis->traffic_steps };
  g_autoptr (GHashTable) unknown = g_hash_table_new (g_str_hash, g_str_equal);

  *flops = *bytes = 0;
  if (n_steps == 0)
    return;
  *flops = n_steps * dyno_step_work_count_flops (measurement, &own, unknown);
  *bytes = n_steps * dyno_step_work_count_bytes (measurement, &own, NULL);
  if (g_hash_table_size (unknown) > 0)
    *flops = NAN;
}

static void
add_work (DynoMeasurement *measurement, const char *stage, const char *what, double number, const char *unit)
{
  g_autofree char *name = g_strdup_printf ("stage_%s_%s", stage, what);

  if (isfinite (number))
    dyno_measurement_add_estimated (measurement, name, number, unit,
                                    g_str_equal (unit, "B")
                                        ? dyno_step_work_get_bytes_source (&measurement->analysis)
                                        : dyno_step_work_get_flops_source (&measurement->analysis));
  else
    dyno_measurement_add_unsupported (measurement, name, unit,
                                      measurement->analysis.shapes == NULL
                                          ? _ ("The backend does not report operator shapes.")
                                          : _ ("The work of an operator of this stage is unknown."));
}

/* The steps that decode are also counted apart: they read all weights for one token, so another roof applies to them
 * than to the step over the prompt. */
static void
dyno_stages_metric_analysed (DynoMetric *metric, DynoMeasurement *measurement)
{
  guint n_decodes = MAX (measurement->n_generated, 1) - 1;
  g_auto (GStrv) stages = dyno_model_dup_stages (measurement->model);

  for (char **stage = stages; *stage != NULL; stage++)
    {
      g_autofree char *median = g_strdup_printf ("stage_%s_p50_ms", *stage);
      double flops, bytes, decode_flops, decode_bytes;

      if (dyno_measurement_get_value (measurement, median) == NULL)
        continue;
      count_work (measurement, &measurement->analysis, *stage, 1, &flops, &bytes);
      count_work (measurement, &measurement->decode_analysis, *stage, n_decodes, &decode_flops,
                  &decode_bytes);
      add_work (measurement, *stage, "flops", flops + decode_flops, "FLOP");
      add_work (measurement, *stage, "bytes", bytes + decode_bytes, "B");
      if (!(decode_bytes > 0))
        continue;
      add_work (measurement, *stage, "decode_flops", decode_flops, "FLOP");
      add_work (measurement, *stage, "decode_bytes", decode_bytes, "B");
    }
}

static void
dyno_stages_metric_class_init (DynoStagesMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "stages";
  metric_class->collect = dyno_stages_metric_collect;
  metric_class->analysed = dyno_stages_metric_analysed;
}

static void
dyno_stages_metric_init (DynoStagesMetric *self)
{
}
