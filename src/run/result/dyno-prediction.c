/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-engine-options.h"
#include "dyno-graph.h"
#include "dyno-model-reader.h"
#include "dyno-model-description.h"
#include "dyno-prediction.h"
#include "dyno-unit.h"

/* From here on a factor says more than a percentage. */
#define FACTOR 2

static void
refuse (DynoPrediction *self, const char *reason)
{
  *self = (DynoPrediction){ NAN, g_strdup (reason) };
}

typedef struct
{
  double flops;
  double bytes;
  double seconds;
} Work;

static void
predict (DynoPrediction *self, GArray *products, const DynoRoofline *roofs, double footprint)
{
  DynoCeiling *level = dyno_roofline_choose_level (roofs, footprint);
  double compute = dyno_ceiling_get_value (roofs->compute);
  double bandwidth = dyno_ceiling_get_value (level);
  Work work = { 0 };

  /* Each product takes the longer of the two times that its two roofs allow. */
  for (guint i = 0; i < products->len; i++)
    {
      const DynoGraphProduct *product = &g_array_index (products, DynoGraphProduct, i);

      work.flops += product->flops;
      work.bytes += product->bytes;
      work.seconds += fmax (product->flops / compute, product->bytes / bandwidth);
    }

  g_autofree char *flops = dyno_unit_format (work.flops, "FLOP");
  g_autofree char *bytes = dyno_unit_format (work.bytes, "B");
  g_autofree char *compute_text = dyno_unit_format (compute, dyno_ceiling_get_unit (roofs->compute));
  g_autofree char *bandwidth_text = dyno_unit_format (bandwidth, dyno_ceiling_get_unit (level));

  self->milliseconds = 1e3 * work.seconds;
  self->source = g_strdup_printf (
      /* Translators: amounts of work and traffic, and the rates that were measured */
      _ ("Predicted, not measured: the %s and %s of its %u matrix products and convolutions, each at the "
         "slower of the measured roofs, %s and %s."),
      flops, bytes, products->len, compute_text, bandwidth_text);
}

void
dyno_prediction_make (DynoPrediction *self,
                      DynoModel *model,
                      DynoBinding *binding,
                      DynoCase *kase,
                      const char *machine,
                      GPtrArray *ceilings)
{
  /* A step of several requests, or one that generates, is not one step of the model. */
  const char *obstacle = NULL;
  g_autoptr (GHashTable) options = dyno_engine_options_parse (dyno_case_get_options (kase), NULL);

  if (dyno_case_get_generate_tokens (kase) > 0)
    obstacle = _ ("The time of generating tokens is not predicted.");
  else if (options != NULL && g_hash_table_contains (options, "requests"))
    obstacle = _ ("The time of several requests at once is not predicted.");

  else if (dyno_case_is_mixed (kase))
    obstacle =
        _ ("The time is not predicted where stages have a device, threads or a precision of their own.");

  g_autoptr (GArray) products = obstacle == NULL ? dyno_model_list_products (model, binding) : NULL;
  g_autofree char *device = dyno_roofline_dup_device (kase, machine);
  guint threads = dyno_roofline_count_threads (kase, machine);
  DynoRoofline roofs;

  if (obstacle != NULL)
    refuse (self, obstacle);
  else if (dyno_model_get_format (model) == DYNO_MODEL_FORMAT_GGUF)
    refuse (self, _ ("The operators of a GGUF file are llama.cpp’s own, so no time is predicted."));
  else if (dyno_engine_format_find (dyno_model_get_format (model)) != NULL)
    refuse (self, _ ("The shapes in the file are known to its engine only, so no time is predicted."));
  else if (products == NULL || products->len == 0)
    refuse (self, _ ("The shapes of an ONNX file are known to a runtime only, so no time is predicted."));
  else if (!dyno_roofline_find (&roofs, ceilings, device, threads, dyno_case_get_pinning (kase),
                                dyno_case_get_computed_precision (kase)))
    refuse (self, _ ("No roofs of this device, these threads and this precision are known, so no time is "
                     "predicted. Measure them on the Hardware page or with “dyno-cli ceilings --measure”."));
  else
    predict (self, products, &roofs, (double)dyno_model_estimate_device_memory (model, binding, NULL));
}

void
dyno_prediction_clear (DynoPrediction *self)
{
  g_clear_pointer (&self->source, g_free);
}

void
dyno_prediction_expect_seconds (DynoCase *kase, const char *machine, GPtrArray *ceilings)
{
  g_autofree char *device = NULL;
  DynoRoofline roofs;
  gint64 weight_bytes;
  double work;

  dyno_case_get_work (kase, &weight_bytes, &work);
  if (weight_bytes == 0 || ceilings == NULL || ceilings->len == 0)
    return;
  device = dyno_roofline_dup_device (kase, machine);
  if (dyno_roofline_find (&roofs, ceilings, device, dyno_roofline_count_threads (kase, machine),
                          dyno_case_get_pinning (kase), dyno_case_get_computed_precision (kase)))
    dyno_case_estimate_again (
        kase, dyno_ceiling_get_value (roofs.compute),
        dyno_ceiling_get_value (dyno_roofline_choose_level (&roofs, (double)weight_bytes)));
}

void
dyno_prediction_add (DynoResult *result, const char *machine, GPtrArray *ceilings)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autoptr (DynoModel) read = dyno_model_reader_load (dyno_case_get_model (kase), NULL, NULL);
  g_autoptr (DynoModel) model = read != NULL ? dyno_case_adapt_model (kase, read, NULL) : NULL;
  g_autoptr (GHashTable) binding = model != NULL ? dyno_model_bind (model, dyno_case_get_batch_size (kase),
                                                                    dyno_case_get_sequence_length (kase),
                                                                    dyno_case_get_dimensions (kase), NULL)
                                                 : NULL;
  g_auto (DynoPrediction) prediction = { NAN, NULL };

  if (binding != NULL && ceilings != NULL)
    dyno_prediction_make (&prediction, model, binding, kase, machine, ceilings);
  if (isfinite (prediction.milliseconds))
    dyno_result_take_value (result, dyno_value_new (DYNO_PREDICTION_VALUE, prediction.milliseconds, "ms",
                                                    DYNO_QUALITY_ESTIMATED, prediction.source));
}

char *
dyno_prediction_dup_outcome (DynoResult *result)
{
  double predicted = dyno_result_get_number (result, DYNO_PREDICTION_VALUE);
  double median = dyno_result_get_number (result, "latency_p50_ms");
  g_autofree char *predicted_text = NULL;
  g_autofree char *median_text = NULL;
  g_autofree char *percent = NULL;

  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  if (!(predicted > 0) || !(median > 0))
    return NULL;
  predicted_text = dyno_unit_format (predicted, "ms");
  median_text = dyno_unit_format (median, "ms");
  if (median >= FACTOR * predicted)
    {
      g_autofree char *factor = dyno_unit_format_significant (median / predicted);

      return g_strdup_printf (_ ("Predicted: %s per step. Measured: %s, %s times as long."), predicted_text,
                              median_text, factor);
    }
  percent = dyno_unit_format_percent (100 * fabs (median / predicted - 1));
  return g_strdup_printf (median >= predicted ? _ ("Predicted: %s per step. Measured: %s, %s %% longer.")
                                              : _ ("Predicted: %s per step. Measured: %s, %s %% less."),
                          predicted_text, median_text, percent);
}
