/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-worker-private.h"

G_DEFINE_ABSTRACT_TYPE (DynoWorkload, dyno_workload, G_TYPE_OBJECT)

static void
dyno_workload_class_init (DynoWorkloadClass *klass)
{
}

static void
dyno_workload_init (DynoWorkload *self)
{
}

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

gboolean
dyno_workload_prepare (DynoWorkload *self, DynoSession *session, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->prepare (self, session, error);
}

gboolean
dyno_workload_prepare_same (DynoWorkload *self, DynoSession *session, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->prepare_same (self, session, error);
}

gboolean
dyno_workload_prepare_decode (DynoWorkload *self, DynoSession *session, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->prepare_decode (self, session, error);
}

gboolean
dyno_workload_sample (DynoWorkload *self, DynoSamples *samples, guint steps, GError **error)
{
  return DYNO_WORKLOAD_GET_CLASS (self)->sample (self, samples, steps, error);
}

gboolean
dyno_workload_walk (
    DynoWorkload *self, DynoSession *session, DynoWorkloadVisit visit, gpointer user_data, GError **error)
{
  DynoWorkloadClass *klass = DYNO_WORKLOAD_GET_CLASS (self);

  return klass->walk != NULL ? klass->walk (self, session, visit, user_data, error)
                             : visit (session, user_data, error);
}

void
dyno_workload_reserve (DynoWorkload *self, gsize n_samples, DynoMeasurement *measurement)
{
  if (DYNO_WORKLOAD_GET_CLASS (self)->reserve != NULL)
    DYNO_WORKLOAD_GET_CLASS (self)->reserve (self, n_samples, measurement);
}

gboolean
dyno_workload_ask (DynoWorkload *self, DynoRequest *request, DynoSamples *samples, GError **error)
{
  DynoWorkloadClass *klass = DYNO_WORKLOAD_GET_CLASS (self);

  if (klass->ask != NULL)
    return klass->ask (self, request, error);
  atomic_store_explicit (&samples->length, 0, memory_order_relaxed);
  return klass->sample (self, samples, 1, error);
}

GPtrArray *
dyno_workload_take_served (DynoWorkload *self)
{
  DynoWorkloadClass *klass = DYNO_WORKLOAD_GET_CLASS (self);

  return klass->take_served != NULL ? klass->take_served (self) : NULL;
}
