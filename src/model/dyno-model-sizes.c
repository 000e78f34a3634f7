/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-model-private.h"

/* The name of the sequence dimension of a decoder that is not the prompt's. */
#define ANSWER_PREFIX "decoder_"

/* If an encoder reads the prompt, the decoder has its own sequence dimension; NULL if it has none. */
static const char *
find_answer (DynoModel *self)
{
  g_autoptr (GPtrArray) names = dyno_binding_list_names (dyno_model_get_description (self)->inputs);

  for (guint i = 0; dyno_model_has_cache (self) && i < names->len; i++)
    if (g_str_has_prefix (names->pdata[i], ANSWER_PREFIX) &&
        dyno_dimension_kind (names->pdata[i]) == DYNO_DIMENSION_KIND_SEQUENCE)
      return g_intern_string (names->pdata[i]);
  return NULL;
}

/* The most tokens that the decoder takes; passages that the model finds by itself do not count. */
static guint
get_most_decoded (DynoModel *self)
{
  const DynoModelDescription *description = dyno_model_get_description (self);

  return description->n_found_tokens > 0 ? description->n_decoded_tokens - description->n_found_tokens
                                         : description->max_sequence_length;
}

static gboolean
check_length (DynoModel *self, DynoBinding *binding, GError **error)
{
  guint most = dyno_model_get_description (self)->max_sequence_length;
  guint n_found = dyno_model_get_description (self)->n_found_tokens;
  gint64 past = dyno_binding_get_kind (binding, DYNO_DIMENSION_KIND_PAST, 0);
  gint64 length = past + dyno_binding_get_kind (binding, DYNO_DIMENSION_KIND_SEQUENCE, 0);
  gint64 answer = 0, question = 0;

  if (n_found > 0)
    {
      /* The tokens of a text and of the cache. If the decoder reads more than the question, either may be too long. */
      dyno_binding_get (binding, find_answer (self), &answer);
      if (past == 0)
        dyno_binding_get (binding, "sequence", &question);
      length = question;
      if (question <= most)
        {
          most = get_most_decoded (self);
          length = answer + question + MAX (past - n_found, 0);
        }
    }
  if (most == 0 || length <= most)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” takes at most %u tokens, not %" PRId64 ". Choose a shorter sequence."), self->name,
               most, length);
  return FALSE;
}

/* Checks sizes that an engine would refuse with an obscure error from deep in the graph. */
static gboolean
check_least (DynoModel *self, DynoBinding *binding, GError **error)
{
  GHashTableIter iter;
  gpointer symbol, least;
  gint64 size;

  g_hash_table_iter_init (&iter, dyno_model_get_description (self)->least_sizes);
  while (g_hash_table_iter_next (&iter, &symbol, &least))
    if (dyno_binding_get (binding, symbol, &size) && size < *(gint64 *)least)
      {
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     _ ("“%s” takes at least %" PRId64 " in the dimension “%s”, not %" PRId64
                        ". Choose a larger size."),
                     self->name, *(gint64 *)least, (const char *)symbol, size);
        return FALSE;
      }
  return TRUE;
}

guint
dyno_model_get_bound_batch (DynoModel *self, const char *overrides)
{
  gint64 sizes[2] = { 0, 0 };
  g_autofree char *bound = NULL;
  double chunk;

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);

  bound = dyno_sound_bind_seconds (self, overrides, &chunk, NULL);
  for (guint i = 0; bound != NULL && *bound != '\0' && i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GHashTable) binding =
          dyno_binding_new (dyno_model_get_description (self)->inputs, i + 1, 1, bound, NULL);

      sizes[i] = binding != NULL ? dyno_binding_get_kind (binding, DYNO_DIMENSION_KIND_BATCH, 0) : 0;
    }
  return sizes[0] == sizes[1] ? (guint)sizes[0] : 0;
}

DynoBinding *
dyno_model_bind (
    DynoModel *self, guint batch_size, guint sequence_length, const char *overrides, GError **error)
{
  g_autoptr (GHashTable) binding = NULL;
  g_autofree char *bound = NULL;
  double chunk;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (batch_size != 1 && !dyno_model_has_batch (self) && (overrides == NULL || *overrides == '\0'))
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("“%s” has no free dimension for a batch, so it cannot run %u items at once. Choose batch "
             "size 1, or export it with a free dimension named “batch”."),
          self->name, batch_size);
      return NULL;
    }
  if (overrides != NULL)
    {
      bound = dyno_sound_bind_seconds (self, overrides, &chunk, error);
      if (bound == NULL)
        return NULL;
    }
  binding =
      dyno_binding_new (dyno_model_get_description (self)->inputs, batch_size, sequence_length, bound, error);
  if (binding == NULL || !check_length (self, binding, error) || !check_least (self, binding, error))
    return NULL;

  /* A text that begins with an image has tokens for it and at least one more; a step that continues with a cache has
   * neither. */
  gint64 length = dyno_binding_get_kind (binding, DYNO_DIMENSION_KIND_SEQUENCE, 0);
  gint64 n_tokens = dyno_model_description_count_places (dyno_model_get_description (self));
  guint most = dyno_model_get_max_sequence_length (self);

  if (n_tokens > 0 && length <= n_tokens && dyno_binding_get_kind (binding, DYNO_DIMENSION_KIND_PAST, 0) <= 0)
    {
      if (self->n_pictures > 1 && most > 0 && n_tokens >= most)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     _ ("“%s” takes at most %u tokens, but %u images and a text need at least %" PRId64
                        ". Choose fewer images."),
                     self->name, most, self->n_pictures, n_tokens + 1);
      else
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     _ ("“%s” takes at least %u tokens, of which %u are its picture or sound, not %" PRId64
                        ". Choose a longer sequence."),
                     self->name, (guint)n_tokens + 1, (guint)n_tokens, length);
      return NULL;
    }
  return g_steal_pointer (&binding);
}

GPtrArray *
dyno_model_create_inputs (
    DynoModel *self, DynoBinding *binding, const char *given, guint64 seed, GError **error)
{
  g_autoptr (DynoInputValues) values = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (binding != NULL, NULL);

  values = dyno_input_values_new (given, dyno_model_get_inputs (self), error);
  return values != NULL ? dyno_inputs_create (dyno_model_get_description (self), binding, DYNO_INPUTS_ALL,
                                              values, seed, error)
                        : NULL;
}

char *
dyno_model_dup_input_values (DynoModel *self, DynoBinding *binding, const char *given, guint64 seed)
{
  g_autoptr (DynoInputValues) values = NULL;
  g_autofree char *chosen = NULL;
  g_autofree char *shown = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  values = dyno_input_values_new (given, dyno_model_get_inputs (self), NULL);
  chosen = dyno_inputs_dup_choices (dyno_model_get_description (self), binding, values, seed);
  shown = values != NULL ? dyno_input_values_dup_description (values) : g_strdup ("");
  if (*shown == '\0' && chosen == NULL)
    return NULL;
  if (chosen == NULL)
    return g_strdup_printf (_ ("Inputs had the values that were given: %s."), shown);
  if (*shown == '\0')
    return g_strdup_printf (_ ("Dyno chose the values %s. Give others with --input."), chosen);
  return g_strdup_printf (_ ("Inputs had the values that were given: %s. Dyno chose the others: %s."), shown,
                          chosen);
}

char *
dyno_model_dup_dimensions (DynoModel *self, const char *dimensions, const char *given, GError **error)
{
  g_autoptr (DynoInputValues) values = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  values = dyno_input_values_new (given, dyno_model_get_inputs (self), error);
  return values != NULL ? dyno_input_values_dup_dimensions (values, dimensions) : NULL;
}

static char *
override_past (DynoModel *self, guint past_length)
{
  g_autoptr (GPtrArray) names = dyno_binding_list_names (dyno_model_get_description (self)->inputs);
  GString *overrides = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    if (dyno_dimension_kind (names->pdata[i]) == DYNO_DIMENSION_KIND_PAST)
      g_string_append_printf (overrides, "%s=%u,", (const char *)names->pdata[i], past_length);
  return g_string_free (overrides, FALSE);
}

gint64
dyno_model_get_cache_bytes (DynoModel *self, guint batch_size, guint n_positions)
{
  g_autofree char *overrides = NULL;
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GPtrArray) caches = g_ptr_array_new ();

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);

  for (guint i = 0; i < dyno_model_get_description (self)->inputs->len; i++)
    if (dyno_tensor_info_is_cache (dyno_model_get_description (self)->inputs->pdata[i]))
      g_ptr_array_add (caches, dyno_model_get_description (self)->inputs->pdata[i]);
  overrides = override_past (self, n_positions);
  binding = dyno_binding_new (dyno_model_get_description (self)->inputs, batch_size, 1, overrides, NULL);
  return binding != NULL ? dyno_binding_sum_bytes (binding, caches) : 0;
}

gboolean
dyno_model_has_prompt (DynoModel *self)
{
  const char *answer = find_answer (self);
  g_autoptr (GPtrArray) names = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);

  names = dyno_binding_list_names (dyno_model_get_description (self)->inputs);
  for (guint i = 0; i < names->len; i++)
    if (g_strcmp0 (names->pdata[i], answer) != 0 &&
        dyno_dimension_kind (names->pdata[i]) == DYNO_DIMENSION_KIND_SEQUENCE)
      return TRUE;
  return FALSE;
}

/* The last token is only an output, never an input. If the decoder has its own dimension for its answer,
 * that begins with one token. */
static guint64
count_decoded (DynoModel *self, guint prompt_length, guint n_generated)
{
  gboolean reads_prompt = find_answer (self) == NULL || dyno_model_get_description (self)->n_found_tokens > 0;

  return (guint64)(reads_prompt ? prompt_length : 0) + (find_answer (self) != NULL) + n_generated - 1;
}

gboolean
dyno_model_takes_tokens (DynoModel *self, guint prompt_length, guint n_generated, guint *most)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);

  *most = get_most_decoded (self);
  return *most == 0 || count_decoded (self, prompt_length, n_generated) <= *most;
}

guint
dyno_model_count_prompt (DynoModel *self, guint prompt_length)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return (guint)MIN ((guint64)dyno_model_get_description (self)->n_found_tokens + prompt_length, G_MAXUINT);
}

guint
dyno_model_count_positions (DynoModel *self, guint prompt_length, guint n_generated)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  return (guint)MIN (dyno_model_get_description (self)->n_found_tokens +
                         count_decoded (self, prompt_length, n_generated),
                     G_MAXUINT);
}

DynoBinding *
dyno_model_bind_prompt (
    DynoModel *self, guint batch_size, guint prompt_length, const char *overrides, GError **error)
{
  const char *answer = find_answer (self);
  g_autofree char *joined = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  if (answer != NULL)
    joined = g_strdup_printf ("%s,%s=1", overrides != NULL ? overrides : "", answer);
  return dyno_model_bind (self, batch_size, prompt_length, joined != NULL ? joined : overrides, error);
}

DynoBinding *
dyno_model_bind_decode (DynoModel *self, guint batch_size, guint past_length, GError **error)
{
  g_autofree char *overrides = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  overrides = override_past (self, past_length);
  return dyno_model_bind (self, batch_size, 1, overrides, error);
}

static GPtrArray *
create_after (DynoModel *self,
              guint batch_size,
              guint past_length,
              DynoInputChoice choice,
              guint64 seed,
              GError **error)
{
  g_autoptr (GHashTable) binding = dyno_model_bind_decode (self, batch_size, past_length, error);

  return binding != NULL
             ? dyno_inputs_create (dyno_model_get_description (self), binding, choice, NULL, seed, error)
             : NULL;
}

GPtrArray *
dyno_model_create_decode_inputs (
    DynoModel *self, guint batch_size, guint past_length, guint64 seed, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (dyno_model_has_cache (self), NULL);

  return create_after (self, batch_size, past_length, DYNO_INPUTS_DECODE, seed, error);
}

GPtrArray *
dyno_model_create_cache (DynoModel *self, guint batch_size, guint past_length, guint64 seed, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (dyno_model_has_cache (self), NULL);

  return create_after (self, batch_size, past_length, DYNO_INPUTS_CACHE, seed, error);
}
