/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-generation-workload.h"
#include "dyno-step-workload.h"
#include "dyno-workload.h"

G_DEFINE_ABSTRACT_TYPE (DynoWorkload, dyno_workload, G_TYPE_OBJECT)

static void
dyno_workload_class_init (DynoWorkloadClass *klass)
{
}

static void
dyno_workload_init (DynoWorkload *self)
{
}

/**
 * dyno_workload_new:
 * @kase: what to measure
 * @model: its model
 * @error: return location, when the sizes do not fit the model
 *
 * Returns: (transfer full): the workload the case asks for
 */
DynoWorkload *
dyno_workload_new (DynoCase *kase, DynoModel *model, GError **error)
{
  g_return_val_if_fail (DYNO_IS_CASE (kase), NULL);
  g_return_val_if_fail (DYNO_IS_MODEL (model), NULL);

  if (dyno_case_get_generate_tokens (kase) > 0 && dyno_model_has_cache (model))
    return dyno_generation_workload_new (kase, model, error);
  return dyno_step_workload_new (kase, model, error);
}

/**
 * dyno_workload_prepare:
 * @self: a workload
 * @session: the session it is to run on from now on; the workload does not keep it
 * @error: return location
 *
 * Returns: whether the session took the inputs
 */
gboolean
dyno_workload_prepare (DynoWorkload *self, DynoSession *session, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->prepare (self, session, error);
}

/**
 * dyno_workload_prepare_same:
 * @self: a workload
 * @session: a session whose next step is to do the same as that of any other prepared by this
 * @error: return location
 *
 * For comparing what two engines give; a generation's next step is over its prompt.
 *
 * Returns: whether the session took the inputs
 */
gboolean
dyno_workload_prepare_same (DynoWorkload *self, DynoSession *session, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->prepare_same (self, session, error);
}

/**
 * dyno_workload_sample:
 * @self: a workload that was prepared
 * @samples: where to record, not full
 * @steps: how many steps to time together
 * @error: return location
 *
 * Returns: whether the engine ran
 */
gboolean
dyno_workload_sample (DynoWorkload *self, DynoSamples *samples, guint steps, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->sample (self, samples, steps, error);
}

/**
 * dyno_workload_reserve:
 * @self: a workload
 * @n_samples: how many samples will come at most
 * @measurement: gets the buffers for what the workload records besides
 */
void
dyno_workload_reserve (DynoWorkload *self, gsize n_samples, DynoMeasurement *measurement)
{
  if (DYNO_WORKLOAD_GET_CLASS (self)->reserve != NULL)
    DYNO_WORKLOAD_GET_CLASS (self)->reserve (self, n_samples, measurement);
}
