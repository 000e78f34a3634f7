/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-worker-private.h"

#define N_PROMPTS 2

/* The names of the cache in exports of Hugging Face models and in models of the builders. */
#define CACHE_INPUT_PREFIX  "past_key_values."
#define CACHE_OUTPUT_PREFIX "present."

struct _DynoGenerationWorkload
{
  DynoWorkload parent_instance;

  GPtrArray *prompts;      /* of GPtrArray of DynoTensor, used in turn */
  GPtrArray *decode_steps; /* of GPtrArray of DynoTensor, one for each token after the first */
  GPtrArray *cache_inputs;
  GPtrArray *cache_outputs;
  guint next_prompt;
  gint64 cache_bytes;

  DynoCase *kase;
  DynoModel *model;

  DynoSession *session;
  DynoStepTimer time;
  DynoSamples *prefills;
  DynoSamples *decodes;
};

G_DEFINE_FINAL_TYPE (DynoGenerationWorkload, dyno_generation_workload, DYNO_TYPE_WORKLOAD)

static void
dyno_generation_workload_finalize (GObject *object)
{
  DynoGenerationWorkload *self = DYNO_GENERATION_WORKLOAD (object);

  g_clear_weak_pointer (&self->session);
  g_clear_object (&self->kase);
  g_clear_object (&self->model);
  g_ptr_array_unref (self->prompts);
  g_ptr_array_unref (self->decode_steps);
  g_ptr_array_unref (self->cache_inputs);
  g_ptr_array_unref (self->cache_outputs);

  G_OBJECT_CLASS (dyno_generation_workload_parent_class)->finalize (object);
}

static gboolean
dyno_generation_workload_prepare (DynoWorkload *workload, DynoSession *session, GError **error)
{
  DynoGenerationWorkload *self = DYNO_GENERATION_WORKLOAD (workload);

  /* Each request would need a cache of its own that is carried from step to step. */
  guint n_requests = dyno_session_get_requests (session);

  if (n_requests != 1)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("Tokens are generated with one request at a time, but the case has %u requests. Choose "
                      "one request, or generate no tokens."),
                   n_requests);
      return FALSE;
    }

  g_set_weak_pointer (&self->session, session);
  self->time = dyno_step_timer_choose (session);
  return dyno_session_set_inputs (session, 0, g_ptr_array_index (self->prompts, 0), error);
}

static gboolean
dyno_generation_workload_prepare_same (DynoWorkload *workload, DynoSession *session, GError **error)
{
  DynoGenerationWorkload *self = DYNO_GENERATION_WORKLOAD (workload);

  return dyno_session_set_inputs (session, 0, g_ptr_array_index (self->prompts, 0), error);
}

/* The time of a step grows evenly with the tokens before it, so the step in the middle represents all. */
static gboolean
dyno_generation_workload_prepare_decode (DynoWorkload *workload, DynoSession *session, GError **error)
{
  DynoGenerationWorkload *self = DYNO_GENERATION_WORKLOAD (workload);

  g_return_val_if_fail (self->decode_steps->len > 0, FALSE);

  if (!dyno_generation_workload_prepare_same (workload, session, error) || !dyno_session_run (session, error))
    return FALSE;

  /* A cache of the right size that is not carried: otherwise all earlier steps would be in the profile. */
  guint middle = (self->decode_steps->len - 1) / 2;
  guint past_length =
      dyno_model_count_positions (self->model, dyno_case_get_sequence_length (self->kase), middle + 1);
  g_autoptr (GPtrArray) cache = dyno_model_create_cache (self->model, dyno_case_get_batch_size (self->kase),
                                                         past_length, dyno_case_get_seed (self->kase), error);

  return cache != NULL && dyno_session_set_inputs (session, 0, cache, error) &&
         dyno_session_set_inputs (session, 0, g_ptr_array_index (self->decode_steps, middle), error);
}

/* Returns the time of the step in ns, or -1. */
static gint64
time_step (DynoGenerationWorkload *self, DynoSamples *samples, GError **error)
{
  gint64 start, end;

  if (!self->time (self->session, 1, &start, &end, error))
    return -1;
  if (samples != NULL)
    dyno_samples_record (samples, start, end);
  return end - start;
}

static gint64
prefill (DynoGenerationWorkload *self, DynoSamples *samples, GError **error)
{
  GPtrArray *prompt = g_ptr_array_index (self->prompts, self->next_prompt);

  self->next_prompt = (self->next_prompt + 1) % self->prompts->len;
  if (!dyno_session_set_inputs (self->session, 0, prompt, error))
    return -1;
  return time_step (self, samples, error);
}

static gint64
decode (DynoGenerationWorkload *self, guint step, DynoSamples *samples, GError **error)
{
  for (guint i = 0; i < self->cache_inputs->len; i++)
    if (!dyno_session_carry (self->session, g_ptr_array_index (self->cache_outputs, i),
                             g_ptr_array_index (self->cache_inputs, i), error))
      return -1;

  if (!dyno_session_set_inputs (self->session, 0, g_ptr_array_index (self->decode_steps, step), error))
    return -1;
  return time_step (self, samples, error);
}

/* Returns the time of all steps in ns, or -1. */
static gint64
generate (DynoGenerationWorkload *self, gint64 *first_ns, GError **error)
{
  gint64 total = prefill (self, self->prefills, error);

  if (total < 0)
    return -1;
  *first_ns = dyno_clock_now_ns ();
  for (guint step = 0; step < self->decode_steps->len; step++)
    {
      gint64 time = decode (self, step, self->decodes, error);

      if (time < 0)
        return -1;
      total += time;
    }
  return total;
}

static gboolean
dyno_generation_workload_sample (DynoWorkload *workload, DynoSamples *samples, guint steps, GError **error)
{
  DynoGenerationWorkload *self = (DynoGenerationWorkload *)workload;
  gint64 start = dyno_clock_now_ns ();
  gint64 total = 0;

  for (guint i = 0; i < steps; i++)
    {
      gint64 first, time = generate (self, &first, error);

      if (time < 0)
        return FALSE;
      total += time;
    }
  dyno_samples_record (samples, start, start + total);
  return TRUE;
}

static gboolean
dyno_generation_workload_walk (
    DynoWorkload *workload, DynoSession *session, DynoWorkloadVisit visit, gpointer user_data, GError **error)
{
  DynoGenerationWorkload *self = DYNO_GENERATION_WORKLOAD (workload);

  if (prefill (self, NULL, error) < 0 || !visit (session, user_data, error))
    return FALSE;
  for (guint step = 0; step < self->decode_steps->len; step++)
    if (decode (self, step, NULL, error) < 0 || !visit (session, user_data, error))
      return FALSE;
  return TRUE;
}

static gboolean
dyno_generation_workload_ask (DynoWorkload *workload, DynoRequest *request, GError **error)
{
  DynoGenerationWorkload *self = (DynoGenerationWorkload *)workload;

  request->n_tokens = 1 + self->decode_steps->len;
  return generate (self, &request->first_ns, error) >= 0;
}

static void
dyno_generation_workload_reserve (DynoWorkload *workload, gsize n_samples, DynoMeasurement *measurement)
{
  DynoGenerationWorkload *self = DYNO_GENERATION_WORKLOAD (workload);
  gsize n_generations = n_samples * measurement->steps_per_sample;

  measurement->prefills = dyno_samples_new (n_generations);
  measurement->decodes = dyno_samples_new (n_generations * self->decode_steps->len);
  measurement->cache_bytes = self->cache_bytes;
  self->prefills = measurement->prefills;
  self->decodes = measurement->decodes;
}

static void
dyno_generation_workload_class_init (DynoGenerationWorkloadClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  DynoWorkloadClass *workload_class = DYNO_WORKLOAD_CLASS (klass);

  object_class->finalize = dyno_generation_workload_finalize;

  workload_class->prepare = dyno_generation_workload_prepare;
  workload_class->prepare_same = dyno_generation_workload_prepare_same;
  workload_class->prepare_decode = dyno_generation_workload_prepare_decode;
  workload_class->sample = dyno_generation_workload_sample;
  workload_class->walk = dyno_generation_workload_walk;
  workload_class->ask = dyno_generation_workload_ask;
  workload_class->reserve = dyno_generation_workload_reserve;
}

static void
dyno_generation_workload_init (DynoGenerationWorkload *self)
{
  self->prompts = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  self->decode_steps = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  self->cache_inputs = g_ptr_array_new_with_free_func (g_free);
  self->cache_outputs = g_ptr_array_new_with_free_func (g_free);
}

/* Adds the cache at its final size. */
static gboolean
add_cache (DynoGenerationWorkload *self, DynoCase *kase, DynoModel *model, GError **error)
{
  GPtrArray *inputs = dyno_model_get_inputs (model);
  guint n_positions = dyno_model_count_positions (model, dyno_case_get_sequence_length (kase),
                                                  dyno_case_get_generate_tokens (kase));

  for (guint i = 0; i < inputs->len; i++)
    {
      const char *name = dyno_tensor_info_get_name (inputs->pdata[i]);

      if (!dyno_tensor_info_is_cache (inputs->pdata[i]))
        continue;
      /* If the cache were not carried from step to step, it would stay empty and decoding would look far too fast. */
      if (!g_str_has_prefix (name, CACHE_INPUT_PREFIX))
        {
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
              _ ("Dyno cannot tell which output continues the cache input “%s”. Export the model with "
                 "caches named “past_key_values.…” and “present.…”, or generate no tokens."),
              name);
          return FALSE;
        }
      g_ptr_array_add (self->cache_inputs, g_strdup (name));
      g_ptr_array_add (self->cache_outputs,
                       g_strconcat (CACHE_OUTPUT_PREFIX, name + strlen (CACHE_INPUT_PREFIX), NULL));
    }
  self->cache_bytes = dyno_model_get_cache_bytes (model, dyno_case_get_batch_size (kase), n_positions);
  return TRUE;
}

DynoWorkload *
dyno_generation_workload_new (DynoCase *kase, DynoModel *model, GError **error)
{
  g_autoptr (DynoGenerationWorkload) self = g_object_new (DYNO_TYPE_GENERATION_WORKLOAD, NULL);

  self->kase = g_object_ref (kase);
  self->model = g_object_ref (model);
  if (!add_cache (self, kase, model, error))
    return NULL;

  g_autoptr (GHashTable) binding =
      dyno_model_bind_prompt (model, dyno_case_get_batch_size (kase), dyno_case_get_sequence_length (kase),
                              dyno_case_get_dimensions (kase), error);

  if (binding == NULL)
    return NULL;
  for (guint i = 0; i < N_PROMPTS; i++)
    {
      GPtrArray *prompt = dyno_model_create_inputs (model, binding, dyno_case_get_inputs (kase),
                                                    dyno_case_get_seed (kase) + i, error);

      if (prompt == NULL)
        return NULL;
      g_ptr_array_add (self->prompts, prompt);
    }

  guint prompt_length = dyno_case_get_sequence_length (kase);

  for (guint token = 1; token < dyno_case_get_generate_tokens (kase); token++)
    {
      guint past_length = dyno_model_count_positions (model, prompt_length, token);
      GPtrArray *inputs =
          dyno_model_create_decode_inputs (model, dyno_case_get_batch_size (kase), past_length,
                                           dyno_case_get_seed (kase) + N_PROMPTS + token, error);

      if (inputs == NULL)
        return NULL;
      g_ptr_array_add (self->decode_steps, inputs);
    }

  return DYNO_WORKLOAD (g_steal_pointer (&self));
}
