/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"
#include "dyno-metric-registry.h"
#include "dyno-plugins.h"

G_DEFINE_ABSTRACT_TYPE (DynoMetric, dyno_metric, G_TYPE_OBJECT)

static void
dyno_metric_class_init (DynoMetricClass *klass)
{
}

static void
dyno_metric_init (DynoMetric *self)
{
}

const char *
dyno_metric_get_id (DynoMetric *self)
{
  g_return_val_if_fail (DYNO_IS_METRIC (self), NULL);
  return DYNO_METRIC_GET_CLASS (self)->id;
}

void
dyno_metric_start (DynoMetric *self, DynoMeasurement *measurement)
{
  g_return_if_fail (DYNO_IS_METRIC (self));

  if (DYNO_METRIC_GET_CLASS (self)->start != NULL)
    DYNO_METRIC_GET_CLASS (self)->start (self, measurement);
}

void
dyno_metric_loaded (DynoMetric *self, DynoMeasurement *measurement)
{
  g_return_if_fail (DYNO_IS_METRIC (self));

  if (DYNO_METRIC_GET_CLASS (self)->loaded != NULL)
    DYNO_METRIC_GET_CLASS (self)->loaded (self, measurement);
}

void
dyno_metric_rest (DynoMetric *self, DynoMeasurement *measurement)
{
  g_return_if_fail (DYNO_IS_METRIC (self));

  if (DYNO_METRIC_GET_CLASS (self)->rest != NULL)
    DYNO_METRIC_GET_CLASS (self)->rest (self, measurement);
}

void
dyno_metric_stop (DynoMetric *self, DynoMeasurement *measurement)
{
  g_return_if_fail (DYNO_IS_METRIC (self));

  if (DYNO_METRIC_GET_CLASS (self)->stop != NULL)
    DYNO_METRIC_GET_CLASS (self)->stop (self, measurement);
}

void
dyno_metric_collect (DynoMetric *self, DynoMeasurement *measurement)
{
  g_return_if_fail (DYNO_IS_METRIC (self));

  if (DYNO_METRIC_GET_CLASS (self)->collect != NULL)
    DYNO_METRIC_GET_CLASS (self)->collect (self, measurement);
}

void
dyno_metric_analysed (DynoMetric *self, DynoMeasurement *measurement)
{
  g_return_if_fail (DYNO_IS_METRIC (self));

  if (DYNO_METRIC_GET_CLASS (self)->analysed != NULL)
    DYNO_METRIC_GET_CLASS (self)->analysed (self, measurement);
}

static GArray *
list_types (void)
{
  GArray *types = dyno_plugins_list_types (DYNO_TYPE_METRIC);

  for (gsize i = G_N_ELEMENTS (metric_types); i > 0; i--)
    {
      GType type = metric_types[i - 1]();

      g_array_prepend_val (types, type);
    }
  return types;
}

GPtrArray *
dyno_metric_create_all (gboolean is_first)
{
  GPtrArray *metrics = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) types = list_types ();

  for (guint i = 0; i < types->len; i++)
    {
      g_autoptr (DynoMetric) metric = g_object_new (g_array_index (types, GType, i), NULL);

      if (is_first || !DYNO_METRIC_GET_CLASS (metric)->once)
        g_ptr_array_add (metrics, g_steal_pointer (&metric));
    }
  return metrics;
}

GPtrArray *
dyno_metric_list_values (void)
{
  static GPtrArray *values;

  if (g_once_init_enter (&values))
    {
      GPtrArray *found = g_ptr_array_new ();
      g_autoptr (GArray) types = list_types ();

      for (guint i = 0; i < types->len; i++)
        {
          /* A referenced class keeps its table forever. */
          DynoMetricClass *klass = g_type_class_ref (g_array_index (types, GType, i));

          for (const DynoMetricValue *value = klass->values; value != NULL && value->name != NULL; value++)
            g_ptr_array_add (found, (gpointer)value);
        }
      g_once_init_leave (&values, found);
    }
  return values;
}

/* Values of no metric: computed from several, or checked once. */
static const DynoMetricValue other_values[] = {
  { "output_max_error", N_ ("Maximum output error against the CPU"), FALSE,
    .note = "largest deviation from the CPU backend’s outputs, over their scale; with quantised weights, "
            "from the same model in fp32" },
  { "output_cosine", N_ ("Smallest cosine with the outputs of the CPU"), FALSE, TRUE,
    .note = "smallest cosine of an output with the same reference" },
  { "output_divergence", N_ ("KL divergence of the next token or the class from fp32"), FALSE,
    .note =
        "in nats, for a decoder or a classifier in another precision than fp32, with fused attention or on "
        "llama.cpp; mean over the positions of a prompt, on llama.cpp of its last one, or over items; of a "
        "decoder, random weights show the rounding and no quality; of a classifier, they are unsupported" },
  { "output_divergence_f16", N_ ("KL divergence of the next token from F16 on the same engine"), FALSE,
    .note = "likewise, for a GGUF file that Dyno writes with quantised weights" },
  { "analysis_ms", N_ ("Analysis time"), FALSE,
    .note = "of the process that analyses a case after all cases are measured" },
  { "predicted_latency_ms", N_ ("Predicted latency"), FALSE,
    .note = "made before the measurement; products and convolutions, each at the slower of its two roofs" },
  { "bandwidth_utilization_percent", N_ ("Bandwidth utilisation"), FALSE, TRUE,
    .note = "of the memory’s measured rate" },
  { "bandwidth_utilization_theoretical_percent", N_ ("Utilisation of theoretical bandwidth"), FALSE, TRUE,
    .note = "of the memory’s theoretical rate" },
  { "compute_bound", N_ ("Compute-bound"), FALSE, .note = "1 or 0" },
  { "memory_bound", N_ ("Memory-bound"), FALSE, .note = "1 or 0" },
  { "roof_distance_percent", /* xgettext:no-c-format */ N_ ("% of roofline"), FALSE, TRUE,
    .note = "of the attainable FLOP/s at its intensity" },
  { "decode_read_percent", /* xgettext:no-c-format */ N_ ("Decode, % of read bandwidth"), FALSE, TRUE,
    .note = "decode_product_bytes over inter_token_latency_ms, of the measured read rate of memory, or of "
            "the cache that holds so many bytes" },
  { "ridge_point_flops_per_byte", N_ ("Ridge point"), FALSE,
    .note = "from the roofs of the case’s device, threads and placement" },
};

const DynoMetricValue *
dyno_metric_get_other_values (guint *n_values)
{
  *n_values = G_N_ELEMENTS (other_values);
  return other_values;
}

const DynoMetricValue *
dyno_metric_find_value (const char *name)
{
  GPtrArray *values = dyno_metric_list_values ();

  for (guint i = 0; i < values->len; i++)
    if (g_str_equal (((const DynoMetricValue *)values->pdata[i])->name, name))
      return values->pdata[i];
  for (guint i = 0; i < G_N_ELEMENTS (other_values); i++)
    if (g_str_equal (other_values[i].name, name))
      return &other_values[i];
  return NULL;
}
