/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-text.h"

#define MAX_ELEMENTS (G_GINT64_CONSTANT (1) << 31)
#define IMAGE_SIDE   224
#define CHANNELS     3

/* The sample rate of speech models, in Hz, and how much of it is usual. */
#define SAMPLE_RATE 16000
#define SAMPLES     (5 * SAMPLE_RATE)

#define LIMIT_PREFIX "min("

/* The most sizes that fit a line. */
#define MAX_EXAMPLES 5

/* More than the windows of most convolutions, and few enough to run at once. */
#define EXAMPLE "=64"

/* A hostile file may have thousands of free dimensions, so everything is looked up by its name. */
typedef struct
{
  DynoBinding *sizes;
  GPtrArray *names;
  GHashTable *usual; /* of gint64: sizes by default, of every name */
  GHashTable *overrides;
  guint batch_size;
  guint sequence_length;
  gint64 total; /* tokens in the cache after the step */
} Solver;

static gboolean
is_one_of (const char *word, const char *const *words)
{
  return g_strv_contains (words, word);
}

/* The builders name the length of a cache that keeps only the last positions “min(past + sequence,4095)”. Returns the
 * sum in it, or the symbol itself. */
static char *
strip_limit (const char *symbol, gint64 *limit)
{
  const char *comma = strrchr (symbol, ',');

  *limit = G_MAXINT64;
  if (!g_str_has_prefix (symbol, LIMIT_PREFIX) || comma == NULL)
    return g_strdup (symbol);
  *limit = g_ascii_strtoll (comma + 1, NULL, 10);
  return g_strndup (symbol + strlen (LIMIT_PREFIX), (gsize)(comma - symbol) - strlen (LIMIT_PREFIX));
}

DynoDimensionKind
dyno_dimension_kind (const char *name)
{
  static const char *const batch[] = { "n", "b", "bs", NULL };
  static const char *const sequence[] = { "s", "tokens", "num_tokens", "text_length", NULL };
  static const char *const sides[] = { "h",           "w",          "height", "width", "image_height",
                                       "image_width", "image_size", NULL };
  static const char *const channels[] = { "c", "channels", "num_channels", NULL };
  static const char *const samples[] = { "samples", "num_samples", "audio_length", "audio_samples", NULL };
  gint64 limit;
  g_autofree char *sum = strip_limit (name, &limit);
  g_autofree char *word = g_ascii_strdown (sum, -1);

  if (g_str_has_suffix (word, DYNO_DIMENSION_LEADING))
    return DYNO_DIMENSION_KIND_BATCH;
  if (g_str_has_suffix (word, DYNO_DIMENSION_OF_AUDIO))
    return DYNO_DIMENSION_KIND_SAMPLES;
  if (g_str_has_suffix (word, DYNO_DIMENSION_LENGTH))
    return DYNO_DIMENSION_KIND_OTHER;
  if (g_str_has_prefix (word, "past") || g_str_has_prefix (word, "kv_"))
    return DYNO_DIMENSION_KIND_PAST;
  if (g_str_has_prefix (word, "total"))
    return DYNO_DIMENSION_KIND_TOTAL;
  if (strstr (word, "batch") != NULL || is_one_of (word, batch))
    return DYNO_DIMENSION_KIND_BATCH;
  if (strstr (word, "seq") != NULL || is_one_of (word, sequence))
    return DYNO_DIMENSION_KIND_SEQUENCE;
  if (is_one_of (word, sides))
    return DYNO_DIMENSION_KIND_SIDE;
  if (is_one_of (word, channels))
    return DYNO_DIMENSION_KIND_CHANNELS;
  if (is_one_of (word, samples))
    return DYNO_DIMENSION_KIND_SAMPLES;
  return g_str_equal (word, DYNO_DIMENSION_PICTURES) ? DYNO_DIMENSION_KIND_PICTURES
                                                     : DYNO_DIMENSION_KIND_OTHER;
}

/* Exporters name a dimension that is a sum of others like that: “past_sequence_length + sequence_length”. */
static char **
split_terms (const char *symbol, gint64 *limit)
{
  g_autofree char *sum = strip_limit (symbol, limit);
  char **terms = g_strsplit (sum, "+", -1);

  for (guint i = 0; terms[i] != NULL; i++)
    g_strstrip (terms[i]);
  return terms;
}

static gboolean
is_number (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789") == strlen (text);
}

GPtrArray *
dyno_binding_list_names (GPtrArray *inputs)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < inputs->len; i++)
    for (guint axis = 0; axis < dyno_tensor_info_get_rank (inputs->pdata[i]); axis++)
      {
        const char *symbol = dyno_tensor_info_get_symbol (inputs->pdata[i], axis);
        gint64 limit;

        if (symbol == NULL)
          continue;
        g_auto (GStrv) terms = split_terms (symbol, &limit);
        for (guint k = 0; terms[k] != NULL; k++)
          if (*terms[k] != '\0' && !is_number (terms[k]) && !g_hash_table_contains (known, terms[k]))
            {
              g_ptr_array_add (names, g_strdup (terms[k]));
              g_hash_table_add (known, names->pdata[names->len - 1]);
            }
      }
  return names;
}

static void
override (Solver *self, const char *name, gint64 size)
{
  g_hash_table_replace (self->overrides, g_strdup (name), g_memdup2 (&size, sizeof size));
}

/* Returns whether the model takes audio of free length; sets that to @size samples, if above 0. */
static gboolean
override_samples (Solver *self, gint64 size)
{
  gboolean has_audio = FALSE;

  for (guint i = 0; i < self->names->len; i++)
    if (dyno_dimension_kind (self->names->pdata[i]) == DYNO_DIMENSION_KIND_SAMPLES)
      {
        has_audio = TRUE;
        if (size > 0)
          override (self, self->names->pdata[i], size);
      }
  return has_audio;
}

static gboolean
parse_seconds (Solver *self, const char *text, GError **error)
{
  const double most = (double)MAX_ELEMENTS / SAMPLE_RATE;
  char *end;
  double seconds = g_ascii_strtod (text, &end);
  gint64 size = *text != '\0' && *end == '\0' && seconds > 0 && seconds <= most
                    ? (gint64)round (seconds * SAMPLE_RATE)
                    : 0;

  if (size > 0)
    return override_samples (self, size);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("The audio cannot last “%s” seconds: give a number above 0, of at most %.0f."), text, most);
  return FALSE;
}

/* A name may be written as the file has it. */
static char *
dup_override_name (Solver *self, const char *text, gsize length)
{
  static const char *const ends[] = { "", DYNO_DIMENSION_LEADING, DYNO_DIMENSION_OF_AUDIO,
                                      DYNO_DIMENSION_LENGTH };
  g_autofree char *name = g_strstrip (g_strndup (text, length));

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *whole = g_strconcat (name, ends[i], NULL);

      if (g_hash_table_contains (self->usual, whole))
        return g_steal_pointer (&whole);
    }
  return g_steal_pointer (&name);
}

static gboolean
parse_override (Solver *self, const char *text, GError **error)
{
  const char *equals = strrchr (text, '=');
  g_autofree char *name = equals != NULL ? dup_override_name (self, text, (gsize)(equals - text)) : NULL;
  g_autofree char *number = equals != NULL ? g_strstrip (g_strdup (equals + 1)) : NULL;
  g_autofree char *known = NULL;
  gint64 size = 0, least;

  if (name == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” binds no dimension. Write “name=size”, several separated by commas."), text);
      return FALSE;
    }
  if (g_str_equal (name, DYNO_BINDING_SECONDS) && override_samples (self, 0))
    return parse_seconds (self, number, error);
  if (!g_hash_table_contains (self->usual, name))
    {
      known = dyno_plain_text_join ((const char *const *)self->names->pdata, self->names->len, ", ", "");
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("The model has no free dimension “%s”. Those it has: %s."), name,
                   *known != '\0' ? known : _ ("none"));
      return FALSE;
    }
  if (dyno_dimension_kind (name) == DYNO_DIMENSION_KIND_PICTURES &&
      *(const gint64 *)g_hash_table_lookup (self->usual, name) > 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("The number of images is part of the prompt, so “%s” alone cannot change it. Say how "
                      "many with --images."),
                   text);
      return FALSE;
    }
  least = dyno_dimension_kind (name) == DYNO_DIMENSION_KIND_BATCH ? 1 : 0;
  if (!g_ascii_string_to_signed (number, 10, least, MAX_ELEMENTS, &size, NULL))
    {
      g_autofree char *shown = dyno_plain_text_quote (name, DYNO_PLAIN_TEXT_NAME);

      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("The dimension “%s” cannot be “%s”: give a whole number from %" PRId64 " to %" PRId64 "."),
          shown, number, least, MAX_ELEMENTS);
      return FALSE;
    }
  override (self, name, size);
  return TRUE;
}

static void
set_size (Solver *self, const char *name, gint64 size)
{
  g_hash_table_replace (self->sizes, g_strdup (name), g_memdup2 (&size, sizeof size));
}

/* Totals come last, because they follow from the others. */
static gboolean
solve_names (Solver *self, GPtrArray *unbound, gboolean totals, GError **error)
{
  for (guint i = 0; i < self->names->len; i++)
    {
      const char *name = self->names->pdata[i];
      DynoDimensionKind kind = dyno_dimension_kind (name);
      const gint64 *override = g_hash_table_lookup (self->overrides, name);
      gint64 usual = *(const gint64 *)g_hash_table_lookup (self->usual, name);
      gboolean is_unknown = kind == DYNO_DIMENSION_KIND_OTHER || kind == DYNO_DIMENSION_KIND_PICTURES;
      gint64 n_times = kind == DYNO_DIMENSION_KIND_PICTURES ? self->batch_size : 1;
      gint64 size = usual > 0                              ? usual * n_times
                    : kind == DYNO_DIMENSION_KIND_BATCH    ? self->batch_size
                    : kind == DYNO_DIMENSION_KIND_SEQUENCE ? self->sequence_length
                    : kind == DYNO_DIMENSION_KIND_SIDE     ? IMAGE_SIDE
                    : kind == DYNO_DIMENSION_KIND_CHANNELS ? CHANNELS
                    : kind == DYNO_DIMENSION_KIND_SAMPLES  ? SAMPLES
                                                           : 0;

      if ((kind == DYNO_DIMENSION_KIND_TOTAL) != totals)
        continue;
      if (override != NULL)
        size = *override;
      else if (kind == DYNO_DIMENSION_KIND_TOTAL)
        size = self->total;
      if (override == NULL && usual <= 0 && is_unknown)
        g_ptr_array_add (unbound, g_strdup (name));
      else if (size == 0 && kind != DYNO_DIMENSION_KIND_PAST && override == NULL)
        {
          g_autofree char *shown = dyno_plain_text_quote (name, DYNO_PLAIN_TEXT_NAME);

          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("The dimension “%s” would be 0, and there is nothing to run then. Give it a size "
                          "of at least 1."),
                       shown);
          return FALSE;
        }
      else
        set_size (self, name, size);
    }
  return TRUE;
}

static gboolean
check_shapes (DynoBinding *sizes, GPtrArray *inputs, GError **error)
{
  for (guint i = 0; i < inputs->len; i++)
    {
      DynoShape shape;
      gint64 count;
      g_autofree char *text = NULL;

      if (!dyno_binding_get_shape (sizes, inputs->pdata[i], &shape))
        continue;
      count = dyno_shape_count (&shape);
      if (count >= 0 && count <= MAX_ELEMENTS)
        continue;
      text = dyno_tensor_info_to_string (inputs->pdata[i]);
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("With these sizes the input “%s” would have more than %" PRId64
                      " elements. Choose smaller ones."),
                   text, MAX_ELEMENTS);
      return FALSE;
    }
  return TRUE;
}

static gboolean
solve (Solver *self, GPtrArray *inputs, const char *overrides, GError **error)
{
  g_autoptr (GPtrArray) unbound = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) parts = g_strsplit (overrides != NULL ? overrides : "", ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0' && !parse_override (self, parts[i], error))
      return FALSE;
  if (!solve_names (self, unbound, FALSE, error))
    return FALSE;
  self->total = dyno_binding_get_kind (self->sizes, DYNO_DIMENSION_KIND_PAST, 0) +
                dyno_binding_get_kind (self->sizes, DYNO_DIMENSION_KIND_SEQUENCE, self->sequence_length);
  if (!solve_names (self, unbound, TRUE, error))
    return FALSE;
  if (unbound->len > 0)
    {
      const char *const *texts = (const char *const *)unbound->pdata;
      g_autofree char *names = dyno_plain_text_join (texts, unbound->len, ", ", "");
      g_autofree char *example = dyno_plain_text_join (texts, MIN (unbound->len, MAX_EXAMPLES), ",", EXAMPLE);

      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("The model leaves these dimensions free, and their names do not say what they are: %s. "
                      "Bind each to a size, such as “%s”."),
                   names, example);
      return FALSE;
    }

  for (guint i = 0; i < inputs->len; i++)
    for (guint axis = 0; axis < dyno_tensor_info_get_rank (inputs->pdata[i]); axis++)
      {
        const char *symbol = dyno_tensor_info_get_symbol (inputs->pdata[i], axis);
        gint64 size;

        if (symbol != NULL && !g_hash_table_contains (self->sizes, symbol) &&
            dyno_binding_get (self->sizes, symbol, &size))
          set_size (self, symbol, size);
      }

  return check_shapes (self->sizes, inputs, error);
}

DynoBinding *
dyno_binding_new (
    GPtrArray *inputs, guint batch_size, guint sequence_length, const char *overrides, GError **error)
{
  g_autoptr (GPtrArray) names = dyno_binding_list_names (inputs);
  g_autoptr (GHashTable) sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) given = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) usual = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Solver self = { sizes, names, usual, given, batch_size, sequence_length, 0 };

  /* The default size of a name is the model's, 0 if there is none. */
  for (guint i = 0; i < inputs->len; i++)
    for (guint axis = 0; axis < dyno_tensor_info_get_rank (inputs->pdata[i]); axis++)
      {
        const char *symbol = dyno_tensor_info_get_symbol (inputs->pdata[i], axis);
        gint64 size = MAX (dyno_tensor_info_get_usual (inputs->pdata[i], axis), 0);

        if (symbol != NULL && !g_hash_table_contains (usual, symbol))
          g_hash_table_insert (usual, g_strdup (symbol), g_memdup2 (&size, sizeof size));
      }
  for (guint i = 0; i < names->len; i++)
    if (!g_hash_table_contains (usual, names->pdata[i]))
      g_hash_table_insert (usual, g_strdup (names->pdata[i]), g_new0 (gint64, 1));

  return solve (&self, inputs, overrides, error) ? g_steal_pointer (&sizes) : NULL;
}

gboolean
dyno_binding_get (DynoBinding *self, const char *symbol, gint64 *size)
{
  const gint64 *bound = g_hash_table_lookup (self, symbol);
  g_auto (GStrv) terms = NULL;
  gint64 limit;

  *size = bound != NULL ? *bound : 0;
  if (bound != NULL)
    return TRUE;
  terms = split_terms (symbol, &limit);
  for (guint i = 0; terms[i] != NULL; i++)
    {
      const gint64 *term = g_hash_table_lookup (self, terms[i]);
      gint64 more = term != NULL ? *term : g_ascii_strtoll (terms[i], NULL, 10);

      if (term == NULL && !is_number (terms[i]))
        return FALSE;
      if (__builtin_add_overflow (*size, more, size))
        *size = G_MAXINT64;
    }
  *size = MIN (*size, limit);
  return TRUE;
}

gboolean
dyno_binding_get_shape (DynoBinding *self, DynoTensorInfo *info, DynoShape *shape)
{
  *shape = (DynoShape){ dyno_tensor_info_get_data_type (info), dyno_tensor_info_get_rank (info), { 0 } };
  if (shape->rank > DYNO_SHAPE_MAX_RANK || !dyno_tensor_info_has_shape (info))
    return FALSE;
  for (guint axis = 0; axis < shape->rank; axis++)
    {
      const char *symbol = dyno_tensor_info_get_symbol (info, axis);

      if (symbol == NULL)
        shape->dims[axis] = dyno_tensor_info_get_size (info, axis);
      else if (!dyno_binding_get (self, symbol, &shape->dims[axis]))
        return FALSE;
    }
  return TRUE;
}

char *
dyno_binding_to_string (DynoBinding *self)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self), (GCompareFunc)strcmp);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (GList *l = names; l != NULL; l = l->next)
    {
      gint64 size = *(gint64 *)g_hash_table_lookup (self, l->data);

      if (size > 0 && strpbrk (l->data, "+(") == NULL)
        g_ptr_array_add (texts, g_strdup_printf ("%s %" G_GINT64_FORMAT, (char *)l->data, size));
    }
  return texts->len > 0 ? dyno_plain_text_join ((const char *const *)texts->pdata, texts->len, ", ", "")
                        : g_strdup (_ ("fixed sizes"));
}

gint64
dyno_binding_sum_bytes (DynoBinding *self, GPtrArray *infos)
{
  gint64 bytes = 0;

  for (guint i = 0; i < infos->len; i++)
    {
      DynoShape shape;

      if (dyno_binding_get_shape (self, infos->pdata[i], &shape) &&
          __builtin_add_overflow (bytes, MAX (dyno_shape_bytes (&shape), 0), &bytes))
        return G_MAXINT64;
    }
  return bytes;
}

gint64
dyno_binding_get_kind (DynoBinding *self, DynoDimensionKind kind, gint64 fallback)
{
  GHashTableIter iter;
  gpointer name, size;
  gint64 largest = -1;

  g_hash_table_iter_init (&iter, self);
  while (g_hash_table_iter_next (&iter, &name, &size))
    if (strchr (name, '+') == NULL && dyno_dimension_kind (name) == kind)
      largest = MAX (largest, *(gint64 *)size);
  return largest >= 0 ? largest : fallback;
}

gboolean
dyno_binding_has_kind (GPtrArray *inputs, DynoDimensionKind kind)
{
  g_autoptr (GPtrArray) names = dyno_binding_list_names (inputs);

  for (guint i = 0; i < names->len; i++)
    if (dyno_dimension_kind (names->pdata[i]) == kind)
      return TRUE;
  return FALSE;
}
