/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"

/* Of a mixture of experts, which share of a layer's tokens each of them got: the model counts them itself. */
G_DECLARE_FINAL_TYPE (DynoExpertsMetric, dyno_experts_metric, DYNO, EXPERTS_METRIC, DynoMetric)

struct _DynoExpertsMetric
{
  DynoMetric parent_instance;

  DynoTensor *counts; /* [layers, experts] */
};

G_DEFINE_FINAL_TYPE (DynoExpertsMetric, dyno_experts_metric, DYNO_TYPE_METRIC)

static void
dyno_experts_metric_finalize (GObject *object)
{
  DynoExpertsMetric *self = DYNO_EXPERTS_METRIC (object);

  g_clear_pointer (&self->counts, dyno_tensor_unref);

  G_OBJECT_CLASS (dyno_experts_metric_parent_class)->finalize (object);
}

static gboolean
counts_experts (DynoModel *model)
{
  GPtrArray *outputs = dyno_model_get_outputs (model);

  for (guint i = 0; i < outputs->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (outputs->pdata[i]), DYNO_MODEL_EXPERT_TOKENS))
      return TRUE;
  return FALSE;
}

static DynoTensor *
find_counts (GPtrArray *outputs)
{
  for (guint i = 0; i < outputs->len; i++)
    {
      const DynoShape *shape = dyno_tensor_get_shape (outputs->pdata[i]);

      if (g_str_equal (dyno_tensor_get_name (outputs->pdata[i]), DYNO_MODEL_EXPERT_TOKENS) &&
          shape->type == DYNO_DATA_TYPE_INT64 && shape->rank == 2)
        return outputs->pdata[i];
    }
  return NULL;
}

/* Comes after the peak of memory is read, which the copies of the outputs would raise. */
static void
dyno_experts_metric_stop (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoExpertsMetric *self = DYNO_EXPERTS_METRIC (metric);
  g_autoptr (GPtrArray) outputs = NULL;
  DynoTensor *counts;

  if (!counts_experts (measurement->model))
    return;
  outputs = dyno_session_get_outputs (measurement->session, NULL);
  counts = outputs != NULL ? find_counts (outputs) : NULL;
  if (counts != NULL)
    self->counts = dyno_tensor_ref (counts);
}

/* The shares of one layer in percent, in the order of its experts, at the time of the step that they are of. */
static DynoTrace *
create_trace (const DynoExpertsMetric *self, const DynoMeasurement *measurement, gint64 layer)
{
  const gint64 n_experts = dyno_tensor_get_shape (self->counts)->dims[1];
  const gint64 *counts = (const gint64 *)dyno_tensor_get_data (self->counts) + layer * n_experts;
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
find_extremes (DynoTrace *trace, double *least, double *most)
{
  for (gsize i = 0; i < dyno_trace_get_length (trace); i++)
    {
      *least = fmin (*least, dyno_trace_get_values (trace)[i]);
      *most = fmax (*most, dyno_trace_get_values (trace)[i]);
    }
}

static void
dyno_experts_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoExpertsMetric *self = DYNO_EXPERTS_METRIC (metric);
  const DynoShape *shape = self->counts != NULL ? dyno_tensor_get_shape (self->counts) : NULL;
  g_autofree char *source = NULL;
  double least = INFINITY, most = -INFINITY;

  for (gint64 layer = 0; shape != NULL && layer < shape->dims[0]; layer++)
    {
      DynoTrace *trace = create_trace (self, measurement, layer);

      find_extremes (trace, &least, &most);
      dyno_measurement_take_trace (measurement, trace);
    }
  if (most < 0)
    return;
  source = g_strdup_printf ("of the choices of an expert in one layer in the last step; %.3g %% if all were "
                            "chosen alike",
                            100.0 / (double)shape->dims[1]);
  dyno_measurement_add_measured (measurement, "expert_share_max_percent", most, "%", source);
  dyno_measurement_add_measured (measurement, "expert_share_min_percent", least, "%", source);
}

static const DynoMetricValue known_values[] = {
  { "expert_share_max_percent", N_ ("Busiest expert"), FALSE },
  { "expert_share_min_percent", N_ ("Least busy expert"), FALSE },
  { NULL },
};

static void
dyno_experts_metric_class_init (DynoExpertsMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_experts_metric_finalize;
  metric_class->id = "experts";
  metric_class->values = known_values;
  metric_class->once = TRUE;
  metric_class->stop = dyno_experts_metric_stop;
  metric_class->collect = dyno_experts_metric_collect;
}

static void
dyno_experts_metric_init (DynoExpertsMetric *self)
{
}
