/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-worker-private.h"

/* Larger inputs would themselves be visible in the memory timeline. */
#define MAX_INPUT_BYTES (256 * 1000 * 1000)

struct _DynoStepWorkload
{
  DynoWorkload parent_instance;

  GPtrArray *slots; /* of GPtrArray of DynoTensor */
  DynoSession *session;
  DynoStepTimer time;
};

G_DEFINE_FINAL_TYPE (DynoStepWorkload, dyno_step_workload, DYNO_TYPE_WORKLOAD)

static void
dyno_step_workload_finalize (GObject *object)
{
  DynoStepWorkload *self = DYNO_STEP_WORKLOAD (object);

  g_clear_weak_pointer (&self->session);
  g_clear_pointer (&self->slots, g_ptr_array_unref);

  G_OBJECT_CLASS (dyno_step_workload_parent_class)->finalize (object);
}

/* Every request of a step has its own slot; if there are more requests than inputs, some share an input. */
static guint
count_slots (DynoStepWorkload *self, DynoSession *session)
{
  return MAX (self->slots->len, dyno_session_get_requests (session));
}

static gboolean
dyno_step_workload_prepare (DynoWorkload *workload, DynoSession *session, GError **error)
{
  DynoStepWorkload *self = DYNO_STEP_WORKLOAD (workload);

  for (guint slot = 0; slot < count_slots (self, session); slot++)
    if (!dyno_session_set_inputs (session, slot, g_ptr_array_index (self->slots, slot % self->slots->len),
                                  error))
      return FALSE;
  g_set_weak_pointer (&self->session, session);
  self->time = dyno_step_timer_choose (session);
  return TRUE;
}

static gboolean
dyno_step_workload_prepare_same (DynoWorkload *workload, DynoSession *session, GError **error)
{
  DynoStepWorkload *self = DYNO_STEP_WORKLOAD (workload);

  for (guint slot = 0; slot < count_slots (self, session); slot++)
    if (!dyno_session_set_inputs (session, slot, g_ptr_array_index (self->slots, 0), error))
      return FALSE;
  return TRUE;
}

static gboolean
dyno_step_workload_sample (DynoWorkload *workload, DynoSamples *samples, guint steps, GError **error)
{
  DynoStepWorkload *self = (DynoStepWorkload *)workload; /* no type check so close to the timed region */
  gint64 start, end;

  if (G_UNLIKELY (!self->time (self->session, steps, &start, &end, error)))
    return FALSE;
  dyno_samples_record (samples, start, end);
  return TRUE;
}

static void
dyno_step_workload_class_init (DynoStepWorkloadClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  DynoWorkloadClass *workload_class = DYNO_WORKLOAD_CLASS (klass);

  object_class->finalize = dyno_step_workload_finalize;

  workload_class->prepare = dyno_step_workload_prepare;
  workload_class->prepare_same = dyno_step_workload_prepare_same;
  workload_class->sample = dyno_step_workload_sample;
}

static void
dyno_step_workload_init (DynoStepWorkload *self)
{
  self->slots = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
}

DynoWorkload *
dyno_step_workload_new (DynoCase *kase, DynoModel *model, GError **error)
{
  g_autoptr (DynoStepWorkload) self = g_object_new (DYNO_TYPE_STEP_WORKLOAD, NULL);
  g_autoptr (GHashTable) binding = NULL;
  gsize total = 0;

  binding = dyno_model_bind (model, dyno_case_get_batch_size (kase), dyno_case_get_sequence_length (kase),
                             dyno_case_get_dimensions (kase), error);
  if (binding == NULL)
    return NULL;
  do
    {
      GPtrArray *tensors = dyno_model_create_inputs (model, binding, dyno_case_get_inputs (kase),
                                                     dyno_case_get_seed (kase) + self->slots->len, error);

      if (tensors == NULL)
        return NULL;
      for (guint i = 0; i < tensors->len; i++)
        total += dyno_tensor_get_size (g_ptr_array_index (tensors, i));
      g_ptr_array_add (self->slots, tensors);
    }
  while (self->slots->len < DYNO_STEP_WORKLOAD_MAX_SLOTS &&
         total + total / self->slots->len <= MAX_INPUT_BYTES);
  return DYNO_WORKLOAD (g_steal_pointer (&self));
}
