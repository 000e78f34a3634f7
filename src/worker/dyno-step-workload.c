/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-clock.h"
#include "dyno-inputs.h"
#include "dyno-worker-private.h"

/* Larger inputs would themselves be visible in the memory timeline. */
#define MAX_INPUT_BYTES (256 * 1000 * 1000)

struct _DynoStepWorkload
{
  DynoWorkload parent_instance;

  GPtrArray *slots; /* of GPtrArray of DynoTensor */
  DynoSession *session;
  DynoStepTimer time;
  DynoPicture *picture; /* NULL if the model takes pixels */
  DynoTensor *pixels;   /* one of those in the only slot */
  DynoStageClock clocks[2];
};

G_DEFINE_FINAL_TYPE (DynoStepWorkload, dyno_step_workload, DYNO_TYPE_WORKLOAD)

static void
dyno_step_workload_finalize (GObject *object)
{
  DynoStepWorkload *self = DYNO_STEP_WORKLOAD (object);

  g_clear_weak_pointer (&self->session);
  g_clear_pointer (&self->slots, g_ptr_array_unref);
  g_clear_pointer (&self->picture, dyno_picture_free);

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

/* The file is read anew in each step, for each request of it. */
static gboolean
time_from_file (DynoStepWorkload *self, guint steps, gint64 *first, gint64 *last, GError **error)
{
  *first = *last = dyno_clock_now_ns ();
  for (guint i = 0; i < steps; i++)
    {
      gint64 begin = dyno_clock_now_ns (), start, end, prepared;

      for (guint slot = 0; slot < count_slots (self, self->session); slot++)
        if (!dyno_picture_prepare (self->picture, self->pixels, error) ||
            !dyno_session_set_inputs (self->session, slot, self->slots->pdata[0], error))
          return FALSE;
      prepared = dyno_clock_now_ns () - begin;
      if (!self->time (self->session, 1, &start, &end, error))
        return FALSE;
      self->clocks[0].elapsed_ns += prepared;
      self->clocks[1].elapsed_ns += end - start;
      *last += prepared + end - start;
    }
  return TRUE;
}

static gboolean
dyno_step_workload_sample (DynoWorkload *workload, DynoSamples *samples, guint steps, GError **error)
{
  DynoStepWorkload *self = (DynoStepWorkload *)workload; /* no type check so close to the timed region */
  gint64 start, end;

  if (G_UNLIKELY (!(self->picture != NULL ? time_from_file (self, steps, &start, &end, error)
                                          : self->time (self->session, steps, &start, &end, error))))
    return FALSE;
  dyno_samples_record (samples, start, end);
  return TRUE;
}

static void
dyno_step_workload_reserve (DynoWorkload *workload, gsize n_samples, DynoMeasurement *measurement)
{
  DynoStepWorkload *self = DYNO_STEP_WORKLOAD (workload);
  guint n_stages;

  if (self->picture == NULL)
    return;
  dyno_session_get_stage_clocks (self->session, &n_stages);
  measurement->own_clocks = self->clocks;
  /* A model of several graphs has a clock for each of them. */
  measurement->n_own_clocks = n_stages > 0 ? 1 : 2;
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
  workload_class->reserve = dyno_step_workload_reserve;
}

static void
dyno_step_workload_init (DynoStepWorkload *self)
{
  self->slots = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  self->clocks[0] = (DynoStageClock){ .name = "prepare", .n_times = 1 };
  self->clocks[1] = (DynoStageClock){ .name = "model", .n_times = 1 };
}

DynoWorkload *
dyno_step_workload_new (DynoCase *kase, DynoModel *model, GError **error)
{
  g_autoptr (DynoStepWorkload) self = g_object_new (DYNO_TYPE_STEP_WORKLOAD, NULL);
  g_autoptr (GHashTable) binding = NULL;
  double mean[3], deviation[3];
  gboolean reads_file = dyno_model_get_picture (model, mean, deviation) != NULL;
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
  while (!reads_file && self->slots->len < DYNO_STEP_WORKLOAD_MAX_SLOTS &&
         total + total / self->slots->len <= MAX_INPUT_BYTES);
  if (reads_file)
    {
      GPtrArray *tensors = self->slots->pdata[0];

      for (guint i = 0; i < tensors->len; i++)
        if (g_str_equal (dyno_tensor_get_name (tensors->pdata[i]), DYNO_INPUTS_PIXELS))
          self->pixels = tensors->pdata[i];
      self->picture = dyno_picture_new (model, error);
      /* Whoever compares outputs has the picture, too. */
      if (self->picture == NULL || !dyno_picture_prepare (self->picture, self->pixels, error))
        return NULL;
    }
  return DYNO_WORKLOAD (g_steal_pointer (&self));
}
