/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"

/* For a mixture of experts, the share of a layer's tokens that each expert got, as counted by the model itself. */
G_DECLARE_FINAL_TYPE (DynoExpertsMetric, dyno_experts_metric, DYNO, EXPERTS_METRIC, DynoMetric)

struct _DynoExpertsMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoExpertsMetric, dyno_experts_metric, DYNO_TYPE_METRIC)

/* Returns the shares of one layer in percent, in the order of its experts, at the end of the last step. */
static DynoTrace *
create_trace (const DynoMeasurement *measurement, gint64 layer)
{
  const gint64 n_experts = dyno_tensor_get_shape (measurement->expert_tokens)->dims[1];
  const gint64 *counts =
      (const gint64 *)dyno_tensor_get_data (measurement->expert_tokens) + layer * n_experts;
  g_autofree char *name = g_strdup_printf ("expert_share_%" G_GINT64_FORMAT, layer);
  DynoTrace *trace = dyno_trace_new (name, "%", measurement->origin_ns);
  gint64 time_ns = dyno_samples_get_last_end (measurement->samples) - measurement->origin_ns;
  gint64 n_choices = 0;

  for (gint64 i = 0; i < n_experts; i++)
    n_choices += counts[i];
  for (gint64 i = 0; i < n_experts && n_choices > 0; i++)
    dyno_trace_add (trace, time_ns, 100 * (double)counts[i] / (double)n_choices);
  return trace;
}

static void
dyno_experts_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  const DynoShape *shape =
      measurement->expert_tokens != NULL ? dyno_tensor_get_shape (measurement->expert_tokens) : NULL;
  g_autofree char *source = NULL;
  double least = INFINITY, most = -INFINITY;

  for (gint64 layer = 0; shape != NULL && layer < shape->dims[0]; layer++)
    {
      DynoTrace *trace = create_trace (measurement, layer);

      for (gsize i = 0; i < dyno_trace_get_length (trace); i++)
        {
          least = fmin (least, dyno_trace_get_values (trace)[i]);
          most = fmax (most, dyno_trace_get_values (trace)[i]);
        }
      dyno_measurement_take_trace (measurement, trace);
    }
  if (most < 0)
    return;
  source =
      g_strdup_printf ("of the choices of an expert in one layer in %s; %.3g %% if all were chosen alike",
                       measurement->n_generated > 0 ? "all steps of a generation" : "the last step",
                       100.0 / (double)shape->dims[1]);
  dyno_measurement_add_measured (measurement, "expert_share_max_percent", most, "%", source);
  dyno_measurement_add_measured (measurement, "expert_share_min_percent", least, "%", source);
}

static const DynoMetricValue known_values[] = {
  { "expert_share_max_percent", N_ ("Busiest expert"), FALSE,
    .note = "largest share of its layer’s tokens that one expert got in the last step, of a generation in "
            "all its steps" },
  { "expert_share_min_percent", N_ ("Least busy expert"), FALSE,
    .note = "smallest share of its layer’s tokens that one expert got in the last step, of a generation in "
            "all its steps" },
  { NULL },
};

static void
dyno_experts_metric_class_init (DynoExpertsMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "experts";
  metric_class->values = known_values;
  metric_class->once = TRUE;
  metric_class->collect = dyno_experts_metric_collect;
}

static void
dyno_experts_metric_init (DynoExpertsMetric *self)
{
}
