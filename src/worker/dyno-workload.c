/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-generation-workload.h"
#include "dyno-served-workload.h"
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
 * @kase: the case to measure
 * @model: its model
 * @error: return location, set if the sizes do not fit the model
 *
 * Returns: (transfer full): the workload for the case
 */
DynoWorkload *
dyno_workload_new (DynoCase *kase, DynoModel *model, GError **error)
{
  g_return_val_if_fail (DYNO_IS_CASE (kase), NULL);
  g_return_val_if_fail (DYNO_IS_MODEL (model), NULL);

  if (dyno_model_is_served (model))
    return dyno_served_workload_new (kase);
  if (dyno_case_get_generate_tokens (kase) > 0 && dyno_model_has_cache (model))
    return dyno_generation_workload_new (kase, model, error);
  return dyno_step_workload_new (kase, model, error);
}

/**
 * dyno_workload_prepare:
 * @self: a workload
 * @session: the session to run on from now on; the workload holds no reference
 * @error: return location
 *
 * Returns: whether the session accepted the inputs
 */
gboolean
dyno_workload_prepare (DynoWorkload *self, DynoSession *session, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->prepare (self, session, error);
}

/**
 * dyno_workload_prepare_same:
 * @self: a workload
 * @session: a session that gets the same inputs as any other session prepared by this
 * @error: return location
 *
 * For comparing the outputs of two engines; the next step of a generation is the prefill.
 *
 * Returns: whether the session accepted the inputs
 */
gboolean
dyno_workload_prepare_same (DynoWorkload *self, DynoSession *session, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->prepare_same (self, session, error);
}

/**
 * dyno_workload_prepare_decode:
 * @self: a workload that generates more than one token
 * @session: a session that has not run
 * @error: return location
 *
 * Runs the step over the prompt, which is the first one and so no part of a profile. Those that follow decode a token in
 * the middle of the generation, each the same.
 *
 * Returns: whether the step ran and the session accepted the inputs of the next ones
 */
gboolean
dyno_workload_prepare_decode (DynoWorkload *self, DynoSession *session, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->prepare_decode (self, session, error);
}

/**
 * dyno_workload_sample:
 * @self: a prepared workload
 * @samples: where to record; must not be full
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
 * dyno_workload_walk:
 * @self: a workload that was prepared, and has run
 * @session: the session that it was prepared with
 * @visit: (scope call): called after each step of a sample
 * @user_data: for @visit
 * @error: return location
 *
 * Lets what the session gives be looked at, outside of any timing. A generation runs once more, step by step; where a sample
 * is one step, that is the one that ran last.
 *
 * Returns: whether every step ran and was visited
 */
gboolean
dyno_workload_walk (
    DynoWorkload *self, DynoSession *session, DynoWorkloadVisit visit, gpointer user_data, GError **error)
{
  DynoWorkloadClass *klass = DYNO_WORKLOAD_GET_CLASS (self);

  return klass->walk != NULL ? klass->walk (self, session, visit, user_data, error)
                             : visit (session, user_data, error);
}

/**
 * dyno_workload_reserve:
 * @self: a workload
 * @n_samples: the maximum number of samples
 * @measurement: gets the buffers for what the workload records in addition
 */
void
dyno_workload_reserve (DynoWorkload *self, gsize n_samples, DynoMeasurement *measurement)
{
  if (DYNO_WORKLOAD_GET_CLASS (self)->reserve != NULL)
    DYNO_WORKLOAD_GET_CLASS (self)->reserve (self, n_samples, measurement);
}

/**
 * dyno_workload_ask:
 * @self: a workload that was prepared
 * @request: (inout): as of [callback@Dyno.LoadServe]
 * @samples: (inout): room for one sample
 * @error: return location
 *
 * One request under load: a sample, unless the workload knows better.
 *
 * Returns: whether the load can go on
 */
gboolean
dyno_workload_ask (DynoWorkload *self, DynoRequest *request, DynoSamples *samples, GError **error)
{
  DynoWorkloadClass *klass = DYNO_WORKLOAD_GET_CLASS (self);

  if (klass->ask != NULL)
    return klass->ask (self, request, error);
  atomic_store_explicit (&samples->length, 0, memory_order_relaxed);
  return klass->sample (self, samples, 1, error);
}

/**
 * dyno_workload_take_served:
 * @self: a workload
 *
 * Returns: (transfer full) (element-type DynoServed) (nullable): what it noted of the requests to a server since this was
 *   called last; %NULL where there is no server
 */
GPtrArray *
dyno_workload_take_served (DynoWorkload *self)
{
  DynoWorkloadClass *klass = DYNO_WORKLOAD_GET_CLASS (self);

  return klass->take_served != NULL ? klass->take_served (self) : NULL;
}
