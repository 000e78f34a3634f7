/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-case-estimate.h"

/* Guesses about a machine that nothing is known of yet, for a clock that counts down: no number of a result has
 * anything of them. */
#define START_SECONDS       1.0
#define FLOPS_PER_SECOND    1e11
#define BYTES_PER_SECOND    2e10
#define LOADED_PER_SECOND   5e8
#define N_LOADS             4
#define N_STEPS_OF_ANALYSIS 10

/**
 * dyno_case_estimate_work:
 * @model: a model
 * @sequence_length: tokens of an item, where the model has any
 *
 * Returns: about how many floating-point operations one item takes; of a file, whose shapes only a runtime knows, two
 *   for each parameter and token
 */
double
dyno_case_estimate_work (DynoModel *model, guint sequence_length)
{
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, sequence_length, NULL, NULL);
  gint64 flops = 0;

  if (binding != NULL && dyno_model_estimate_flops (model, binding, &flops))
    return (double)flops;
  return 2.0 * (double)dyno_model_get_parameter_count (model) * MAX (sequence_length, 1);
}

/* A token more reads all weights once more. */
static double
estimate_sample (DynoCase *self, gint64 weight_bytes, double work)
{
  double step = work * dyno_case_get_batch_size (self) / FLOPS_PER_SECOND;

  return step + dyno_case_get_generate_tokens (self) * (double)weight_bytes / BYTES_PER_SECOND;
}

/**
 * dyno_case_estimate_seconds:
 * @self: a case
 * @weight_bytes: size of its model's weights
 * @work: floating-point operations of one item, from [func@Dyno.case_estimate_work]
 *
 * A guess to show before anything has run, from the method and the model: starting, loading the model for measuring
 * and for each way of analysing it, warming up, measuring, and the analysis' steps.
 *
 * Returns: expected time of the case, in seconds
 */
double
dyno_case_estimate_seconds (DynoCase *self, gint64 weight_bytes, double work)
{
  DynoMethod *method = dyno_case_get_method (self);
  double longest = dyno_method_get_max_seconds (method);
  double sample = estimate_sample (self, weight_bytes, work);
  double load = N_LOADS * (double)weight_bytes / LOADED_PER_SECOND;
  double warm_up =
      MAX (dyno_method_get_warmup_seconds (method), dyno_method_get_warmup_steps (method) * sample);
  double measure =
      MAX (1.5 * dyno_method_get_min_seconds (method), dyno_method_get_min_samples (method) * sample);

  return START_SECONDS + load + sample + MIN (warm_up, MAX (longest, sample)) +
         MIN (measure, MAX (longest, sample)) + N_STEPS_OF_ANALYSIS * sample;
}
