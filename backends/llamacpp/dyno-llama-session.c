/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-llamacpp-private.h"
#include "dyno-tensor.h"

#define TOKENS       "input_ids"
#define CACHE_PREFIX "past_key_values."
#define LOGITS       "logits"

/* The tokens of one run, and how many before them the cache must hold for each item. */
typedef struct
{
  guint n_items;
  guint n_tokens; /* of each item */
  guint n_past;
  LlamaBatch batch;
} Slot;

struct _DynoLlamaSession
{
  DynoSession parent_instance;

  /* Read by each run. */
  const LlamaApi *api;
  LlamaContext *context; /* NULL until the sizes of the first inputs are known */
  LlamaMemory *memory;   /* NULL for a model that keeps nothing */
  Slot *slots;
  guint n_slots;
  guint next_slot;
  guint n_held; /* tokens of each item in the cache */

  char *path;
  LlamaModel *model;
  DynoLlamaSession *owner; /* (nullable): the session whose model a lane shares */
  LlamaContextParams params;
  guint n_words;
  guint n_expected;  /* positions that the case will need, 0 if unknown */
  guint n_items;     /* of @context */
  guint n_positions; /* of each item of @context */
  guint last_slot;
};

G_DEFINE_FINAL_TYPE (DynoLlamaSession, dyno_llama_session, DYNO_TYPE_SESSION)

static void
clear_batch (LlamaBatch *batch)
{
  g_clear_pointer (&batch->tokens, g_free);
  g_clear_pointer (&batch->n_sequences, g_free);
  if (batch->sequences != NULL)
    g_free (batch->sequences[0]);
  g_clear_pointer (&batch->sequences, g_free);
  g_clear_pointer (&batch->outputs, g_free);
}

static void
dyno_llama_session_finalize (GObject *object)
{
  DynoLlamaSession *self = DYNO_LLAMA_SESSION (object);

  for (guint i = 0; i < self->n_slots; i++)
    clear_batch (&self->slots[i].batch);
  g_free (self->slots);
  if (self->context != NULL)
    self->api->llama_free (self->context);
  if (self->owner == NULL && self->model != NULL)
    self->api->llama_model_free (self->model);
  g_clear_object (&self->owner);
  g_free (self->path);

  G_OBJECT_CLASS (dyno_llama_session_parent_class)->finalize (object);
}

/* Takes @sentence. */
static gboolean
fail (char *sentence, GError **error)
{
  g_autofree char *taken = sentence;
  g_autofree char *reason = dyno_llama_library_take_errors ();

  if (reason != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, "%s %s.", taken, reason);
  else
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED, taken);
  return FALSE;
}

/* llama.cpp allocates the cache when it makes a context. A prompt is handed over whole, as one batch. */
static gboolean
open_context (DynoLlamaSession *self, guint n_items, guint n_positions, GError **error)
{
  guint n_rounded = dyno_llama_config_round_positions (MAX (n_positions, self->n_expected));
  gboolean is_possible = n_rounded >= n_positions && (guint64)n_items * n_rounded <= G_MAXINT32;

  if (self->context != NULL && self->n_items == n_items && self->n_positions >= n_positions)
    return TRUE;
  g_clear_pointer (&self->context, self->api->llama_free);
  self->params.n_seq_max = n_items;
  self->params.n_ctx = n_items * n_rounded;
  self->params.n_batch = self->params.n_ctx;
  self->context = is_possible ? self->api->llama_init_from_model (self->model, self->params) : NULL;
  if (self->context == NULL)
    return fail (g_strdup_printf (_ ("llama.cpp cannot run “%s” with these sizes and options."), self->path),
                 error);
  self->memory = self->api->llama_get_memory (self->context);
  self->n_items = n_items;
  self->n_positions = n_rounded;
  self->n_held = 0;
  return TRUE;
}

/* The numbers of the last token of each item are asked for, as for the next token. */
static void
fill_batch (Slot *slot)
{
  guint n = slot->n_items * slot->n_tokens;
  gint32 *sequences = g_new (gint32, n);

  clear_batch (&slot->batch);
  slot->batch.n_tokens = (gint32)n;
  slot->batch.tokens = g_new0 (gint32, n);
  slot->batch.n_sequences = g_new (gint32, n);
  slot->batch.sequences = g_new (gint32 *, n);
  slot->batch.outputs = g_new0 (gint8, n);
  for (guint i = 0; i < n; i++)
    {
      sequences[i] = (gint32)(i / slot->n_tokens);
      slot->batch.n_sequences[i] = 1;
      slot->batch.sequences[i] = &sequences[i];
      slot->batch.outputs[i] = (i + 1) % slot->n_tokens == 0;
    }
}

static gboolean
set_tokens (DynoLlamaSession *self, Slot *slot, DynoTensor *tensor, GError **error)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);

  if (shape->rank != 2 || shape->dims[0] < 1 || shape->dims[1] < 1 || dyno_shape_count (shape) > G_MAXINT32)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” takes at least one token of at least one item."), self->path);
      return FALSE;
    }
  slot->n_items = (guint)shape->dims[0];
  slot->n_tokens = (guint)shape->dims[1];
  fill_batch (slot);
  for (gint32 i = 0; i < slot->batch.n_tokens; i++)
    {
      gint64 token = dyno_tensor_get_integer (tensor, i);

      if (token < 0 || token >= (gint64)self->n_words)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("“%s” knows %u tokens, and none of the number %" PRId64 "."), self->path,
                       self->n_words, token);
          return FALSE;
        }
      slot->batch.tokens[i] = (gint32)token;
    }
  return TRUE;
}

static gboolean
fail_to_run (DynoLlamaSession *self, gint32 status, GError **error)
{
  if (status != 1)
    return fail (g_strdup_printf (_ ("llama.cpp failed to run “%s”."), self->path), error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The cache of “%s” has no room for more tokens."),
               self->path);
  return FALSE;
}

static gint32
decode (DynoLlamaSession *self, const LlamaBatch *batch)
{
  gint32 status = self->api->llama_decode (self->context, *batch);

  self->api->llama_synchronize (self->context);
  return status;
}

/* A step in the middle of a text needs a cache; its contents do not change the time of the step. */
static gboolean
hold (DynoLlamaSession *self, Slot *slot, GError **error)
{
  Slot past = { slot->n_items, slot->n_past - MIN (self->n_held, slot->n_past), 0, { 0 } };
  gint32 status;

  if (past.n_tokens == 0)
    return TRUE;
  fill_batch (&past);
  status = decode (self, &past.batch);
  clear_batch (&past.batch);
  self->n_held = slot->n_past;
  return status == 0 || fail_to_run (self, status, error);
}

/* An empty cache begins a text; a carried one, of which nothing is set, goes on with it. */
static gboolean
dyno_llama_session_set_inputs (DynoSession *session, guint index, GPtrArray *tensors, GError **error)
{
  DynoLlamaSession *self = DYNO_LLAMA_SESSION (session);
  Slot *slot;

  g_return_val_if_fail (index <= self->n_slots, FALSE);

  if (index == self->n_slots)
    {
      self->slots = g_renew (Slot, self->slots, ++self->n_slots);
      self->slots[index] = (Slot){ 0 };
    }
  slot = &self->slots[index];
  for (guint i = 0; i < tensors->len; i++)
    {
      const char *name = dyno_tensor_get_name (tensors->pdata[i]);

      if (g_str_has_prefix (name, CACHE_PREFIX))
        slot->n_past = (guint)dyno_tensor_get_shape (tensors->pdata[i])->dims[2];
      else if (g_str_equal (name, TOKENS) && !set_tokens (self, slot, tensors->pdata[i], error))
        return FALSE;
    }
  return slot->n_tokens == 0 || (open_context (self, slot->n_items, slot->n_past + slot->n_tokens, error) &&
                                 hold (self, slot, error));
}

static gboolean
dyno_llama_session_run (DynoSession *session, GError **error)
{
  DynoLlamaSession *self = (DynoLlamaSession *)session;
  Slot *slot = self->n_slots > 0 ? &self->slots[self->next_slot] : NULL;
  gint32 status;

  if (slot == NULL || slot->n_tokens == 0 || self->context == NULL || self->n_held < slot->n_past)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("No tokens were set for “%s”."),
                   self->path);
      return FALSE;
    }
  if (self->n_held > slot->n_past && self->memory != NULL &&
      !self->api->llama_memory_seq_rm (self->memory, -1, (gint32)slot->n_past, -1))
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("“%s” cannot forget its last tokens, so a step in the middle of a text is not repeated."),
          self->path);
      return FALSE;
    }
  status = decode (self, &slot->batch);
  self->n_held = slot->n_past + slot->n_tokens;
  self->last_slot = self->next_slot;
  self->next_slot = (self->next_slot + 1) % self->n_slots;
  return status == 0 || fail_to_run (self, status, error);
}

static GPtrArray *
dyno_llama_session_get_outputs (DynoSession *session, GError **error)
{
  DynoLlamaSession *self = DYNO_LLAMA_SESSION (session);
  const Slot *slot = &self->slots[self->last_slot];
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 3, { slot->n_items, 1, self->n_words } };
  g_autoptr (DynoTensor) logits = dyno_tensor_new (LOGITS, &shape);
  float *numbers = dyno_tensor_get_data (logits);
  GPtrArray *outputs;

  for (guint item = 0; item < slot->n_items; item++)
    {
      const float *of_item =
          self->api->llama_get_logits_ith (self->context, (gint32)((item + 1) * slot->n_tokens - 1));

      if (of_item == NULL)
        {
          fail (g_strdup_printf (_ ("llama.cpp gave no numbers for “%s”."), self->path), error);
          return NULL;
        }
      memcpy (numbers + (gsize)item * self->n_words, of_item, sizeof (float) * self->n_words);
    }
  outputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_ptr_array_add (outputs, g_steal_pointer (&logits));
  return outputs;
}

/* The cache stays where it is. */
static gboolean
dyno_llama_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  DynoLlamaSession *self = DYNO_LLAMA_SESSION (session);

  self->slots[self->next_slot].n_past = self->n_held;
  return TRUE;
}

/* Another context of the same model. */
static DynoSession *
dyno_llama_session_open_lane (DynoSession *session, GError **error)
{
  DynoLlamaSession *self = DYNO_LLAMA_SESSION (session);
  DynoLlamaSession *lane = g_object_new (DYNO_TYPE_LLAMA_SESSION, NULL);

  lane->owner = g_object_ref (self->owner != NULL ? self->owner : self);
  lane->api = self->api;
  lane->path = g_strdup (self->path);
  lane->model = self->model;
  lane->params = self->params;
  lane->n_words = self->n_words;
  lane->n_expected = self->n_expected;
  return DYNO_SESSION (lane);
}

static void
dyno_llama_session_class_init (DynoLlamaSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_llama_session_finalize;

  session_class->set_inputs = dyno_llama_session_set_inputs;
  session_class->run = dyno_llama_session_run;
  session_class->get_outputs = dyno_llama_session_get_outputs;
  session_class->carry = dyno_llama_session_carry;
  session_class->open_lane = dyno_llama_session_open_lane;
}

static void
dyno_llama_session_init (DynoLlamaSession *self)
{
}

DynoSession *
dyno_llama_session_new (DynoLlamaLibrary *library,
                        LlamaDevice *device,
                        const char *path,
                        const DynoSessionOptions *options,
                        GError **error)
{
  g_autoptr (DynoLlamaSession) self = g_object_new (DYNO_TYPE_LLAMA_SESSION, NULL);
  LlamaDevice *devices[2] = { NULL };
  LlamaModelParams params;
  g_autofree char *earlier = dyno_llama_library_take_errors ();

  self->api = dyno_llama_library_get_api (library);
  self->path = g_strdup (path);
  self->n_expected = options->n_positions;
  params = self->api->llama_model_default_params ();
  params.devices = devices;
  if (self->api->ggml_backend_dev_type (device) == LLAMA_DEVICE_CPU)
    params.n_gpu_layers = 0;
  else
    devices[0] = device;
  dyno_llama_config_set_model (options, &params);
  self->model = self->api->llama_model_load_from_file (path, params);
  if (self->model == NULL)
    {
      fail (g_strdup_printf (_ ("llama.cpp cannot load “%s”."), self->path), error);
      return NULL;
    }
  self->n_words = (guint)self->api->llama_vocab_n_tokens (self->api->llama_model_get_vocab (self->model));
  self->params = self->api->llama_context_default_params ();
  dyno_llama_config_set_context (options, &self->params);
  /* Where the sizes are known, the cache is a part of loading. */
  if (options->batch_size > 0 && options->n_positions > 0 &&
      !open_context (self, options->batch_size, options->n_positions, error))
    return NULL;
  return DYNO_SESSION (g_steal_pointer (&self));
}
