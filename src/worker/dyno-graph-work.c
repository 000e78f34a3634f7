/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-graph.h"
#include "dyno-worker-private.h"

/* Takes the binding. */
static void
take (DynoModel *model, DynoBinding *binding, DynoStepAnalysis *analysis)
{
  g_autoptr (GHashTable) sizes = binding;
  g_autoptr (GArray) products = NULL;
  gint64 flops;

  if (sizes == NULL || !dyno_model_estimate_flops (model, sizes, &flops))
    return;
  analysis->graph_flops = (double)flops;
  analysis->is_of_header = dyno_model_get_format (model) == DYNO_MODEL_FORMAT_GGUF;
  products = dyno_model_list_products (model, sizes);
  for (guint i = 0; products != NULL && i < products->len; i++)
    analysis->graph_product_bytes += g_array_index (products, DynoGraphProduct, i).bytes;
}

void
dyno_graph_work_take (DynoCase *kase, DynoMeasurement *measurement)
{
  DynoModel *model = measurement->model;
  g_auto (GStrv) stages = dyno_model_dup_stages (model);

  if (measurement->analysis.shapes == NULL && measurement->analysis.traffic == NULL)
    {
      DynoBinding *binding = (measurement->n_generated > 0 ? dyno_model_bind_prompt : dyno_model_bind) (
          model, dyno_case_get_batch_size (kase), dyno_case_get_sequence_length (kase),
          dyno_case_get_dimensions (kase), NULL);

      take (model, binding, &measurement->analysis);
    }
  if (measurement->n_generated > 1 && *stages == NULL && measurement->decode_analysis.shapes == NULL &&
      measurement->decode_analysis.traffic == NULL)
    {
      /* Binds the step in the middle of the generation, the one that is analysed, if possible. */
      guint past = dyno_model_count_positions (model, dyno_case_get_sequence_length (kase),
                                               measurement->n_generated / 2);

      take (model, dyno_model_bind_decode (model, dyno_case_get_batch_size (kase), past, NULL),
            &measurement->decode_analysis);
    }
}
