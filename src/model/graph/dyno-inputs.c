/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-float16.h"
#include "dyno-inputs.h"
#include "dyno-weights.h"

/* Ids of an input whose table is not known stay below this number, which is smaller than any vocabulary. */
#define SAFE_LIMIT 16

typedef enum
{
  CONTENT_TOKENS,
  CONTENT_ONES,
  CONTENT_ZEROS,
  CONTENT_POSITIONS,
  CONTENT_LENGTH,
  CONTENT_LEVELS,
  CONTENT_STEPS,
  CONTENT_NOISE,
} Content;

typedef struct
{
  Content content;
  guint64 key;
  gint64 limit;
  gint64 past;
  gint64 sequence;
  gint64 picture_token;
  gint64 n_picture_tokens;
  DynoSpacing spacing;
} Filling;

static gboolean
name_has (const char *name, const char *const *words)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
is_integer (DynoDataType type)
{
  return type == DYNO_DATA_TYPE_INT64 || type == DYNO_DATA_TYPE_INT32 || type == DYNO_DATA_TYPE_INT16 ||
         type == DYNO_DATA_TYPE_UINT64 || type == DYNO_DATA_TYPE_UINT32 || type == DYNO_DATA_TYPE_UINT16;
}

/* Bytes are pixels or quantised numbers, never ids. */
static Content
choose_content (const char *name, const DynoShape *shape)
{
  static const char *const masks[] = { "mask", NULL };
  static const char *const levels[] = { "noise_levels", NULL };
  static const char *const steps[] = { "denoising_steps", NULL };
  static const char *const types[] = { "token_type", "segment", NULL };
  static const char *const positions[] = { "position", NULL };
  static const char *const lengths[] = { "length", "_lens", "_len", NULL };

  if (name_has (name, masks))
    return CONTENT_ONES;
  if (shape->type == DYNO_DATA_TYPE_BOOL)
    return CONTENT_ZEROS;
  if (!is_integer (shape->type))
    return CONTENT_NOISE;
  if (name_has (name, levels) && shape->rank == 2)
    return CONTENT_LEVELS;
  if (name_has (name, steps) && shape->rank == 2)
    return CONTENT_STEPS;
  if (name_has (name, types))
    return CONTENT_ZEROS;
  if (name_has (name, positions))
    return CONTENT_POSITIONS;
  if (shape->rank <= 1 && name_has (name, lengths))
    return CONTENT_LENGTH;
  return CONTENT_TOKENS;
}

/* Of PNDM, which asks one time more than it has steps, because the second time is at the start of the second step, and
 * repeats the first step: the row is level, end, start and kind. */
static gint64
level_of_pair (const Filling *self, gint64 n_times, gint64 time, gint64 column)
{
  gint64 n_steps = MAX (n_times - 1, 1), n_levels = self->limit - 1;
  gint64 step = time < 2 ? MIN (time, n_steps - 1) : time - 1;
  gint64 asked = dyno_spacing_get_start (&self->spacing, n_levels, n_steps, step);

  switch (column)
    {
    case 0:
      return asked;
    case 1:
      return time == 1 ? asked : dyno_spacing_get_end (&self->spacing, n_levels, n_steps, step);
    case 2:
      return time == 1 ? MIN (asked + n_levels / n_steps, n_levels) : asked;
    default:
      return MIN (time, DYNO_INPUTS_LAST_KIND);
    }
}

/* One row per step with its start and end; more columns are for solvers that look back. */
static gint64
level_at (const Filling *self, const DynoShape *shape, gint64 index)
{
  gint64 n_steps = shape->dims[0], step = index / shape->dims[1], column = index % shape->dims[1];
  gint64 n_levels = self->limit - 1;

  if (shape->dims[1] == 4)
    return level_of_pair (self, n_steps, step, column);
  if (column == 1)
    return dyno_spacing_get_end (&self->spacing, n_levels, n_steps, step);
  if (column == 2 && step == 0)
    return 0;
  return dyno_spacing_get_start (&self->spacing, n_levels, n_steps, column == 2 ? step - 1 : step);
}

/* One row per step: which it is, of how many, and the levels of the first and of the last. */
static gint64
step_at (const Filling *self, const DynoShape *shape, gint64 index)
{
  gint64 n_steps = shape->dims[0], step = index / shape->dims[1], column = index % shape->dims[1];

  if (column < 2)
    return column == 0 ? step : n_steps;
  return dyno_spacing_get_start (&self->spacing, self->limit - 1, n_steps, column == 2 ? 0 : n_steps - 1);
}

static gint64
integer_at (const Filling *self, const DynoShape *shape, gint64 index)
{
  gint64 row = shape->rank > 0 ? shape->dims[shape->rank - 1] : 1;
  gint64 position = self->past + index % row;

  switch (self->content)
    {
    case CONTENT_ONES:
      return 1;
    case CONTENT_POSITIONS:
      return self->limit > 0 ? MIN (position, self->limit - 1) : position;
    case CONTENT_LENGTH:
      return self->sequence;
    case CONTENT_LEVELS:
      return level_at (self, shape, index);
    case CONTENT_STEPS:
      return step_at (self, shape, index);
    case CONTENT_TOKENS:
      if (position < self->n_picture_tokens)
        return self->picture_token;
      G_GNUC_FALLTHROUGH;
    case CONTENT_NOISE:
      return (gint64)(dyno_weights_mix (self->key + index) %
                      (guint64)(self->limit > 0 ? self->limit : SAFE_LIMIT));
    case CONTENT_ZEROS:
    default:
      return 0;
    }
}

/* The sum of four uniform numbers: mean 0, standard deviation 1, within ±√12. */
static double
normal_at (const Filling *self, gint64 index)
{
  guint64 bits = dyno_weights_mix (self->key + index);
  double sum = (double)(bits & 0xffff) + (double)((bits >> 16) & 0xffff) + (double)((bits >> 32) & 0xffff) +
               (double)(bits >> 48);

  return (sum / 65536.0 - 2) * 1.7320508075688772;
}

static double
real_at (const Filling *self, gint64 index)
{
  return self->content == CONTENT_ONES ? 1 : self->content == CONTENT_ZEROS ? 0 : normal_at (self, index);
}

static void
fill_element (const Filling *self, const DynoShape *shape, gpointer data, gint64 i)
{
  switch (shape->type)
    {
    case DYNO_DATA_TYPE_FLOAT:
      ((float *)data)[i] = (float)real_at (self, i);
      break;
    case DYNO_DATA_TYPE_DOUBLE:
      ((double *)data)[i] = real_at (self, i);
      break;
    case DYNO_DATA_TYPE_FLOAT16:
      ((guint16 *)data)[i] = dyno_float16_from_float ((float)real_at (self, i));
      break;
    case DYNO_DATA_TYPE_BFLOAT16:
      ((guint16 *)data)[i] = dyno_float16_bfloat_from_float ((float)real_at (self, i));
      break;
    case DYNO_DATA_TYPE_INT64:
    case DYNO_DATA_TYPE_UINT64:
      ((gint64 *)data)[i] = integer_at (self, shape, i);
      break;
    case DYNO_DATA_TYPE_INT32:
    case DYNO_DATA_TYPE_UINT32:
      ((gint32 *)data)[i] = (gint32)integer_at (self, shape, i);
      break;
    case DYNO_DATA_TYPE_INT16:
    case DYNO_DATA_TYPE_UINT16:
      ((gint16 *)data)[i] = (gint16)integer_at (self, shape, i);
      break;
    case DYNO_DATA_TYPE_INT8:
    case DYNO_DATA_TYPE_UINT8:
    case DYNO_DATA_TYPE_BOOL:
      ((guint8 *)data)[i] = (guint8)integer_at (self, shape, i);
      break;
    case DYNO_DATA_TYPE_UNDEFINED:
    case DYNO_DATA_TYPE_STRING:
    default:
      g_assert_not_reached ();
    }
}

/* A cache that does not grow with the tokens is a state, which is zero before the first token. */
static gboolean
is_state (DynoTensorInfo *info)
{
  for (guint axis = 0; axis < dyno_tensor_info_get_rank (info); axis++)
    {
      const char *symbol = dyno_tensor_info_get_symbol (info, axis);

      if (symbol != NULL && dyno_dimension_kind (symbol) != DYNO_DIMENSION_BATCH)
        return FALSE;
    }
  return dyno_tensor_info_is_cache (info);
}

static DynoTensor *
create_input (const DynoModelDescription *description,
              DynoTensorInfo *info,
              DynoBinding *binding,
              guint64 seed,
              GError **error)
{
  const char *name = dyno_tensor_info_get_name (info);
  const gint64 *limit = g_hash_table_lookup (description->row_limits, name);
  Filling filling = { CONTENT_NOISE, dyno_weights_key (name, seed), limit != NULL ? *limit : 0,
                      dyno_binding_get_kind (binding, DYNO_DIMENSION_PAST, 0),
                      dyno_binding_get_kind (binding, DYNO_DIMENSION_SEQUENCE, 1) };
  DynoTensor *tensor;
  DynoShape shape;

  if (!dyno_binding_get_shape (binding, info, &shape) || dyno_data_type_get_size (shape.type) == 0)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("Dyno cannot make values for the input “%s” of type %s. Measure a model with numeric inputs."),
          name, dyno_data_type_to_string (shape.type));
      return NULL;
    }
  if (g_str_equal (name, "input_ids"))
    {
      filling.picture_token = description->picture_token;
      filling.n_picture_tokens = description->n_picture_tokens;
    }
  filling.spacing = description->spacing;
  filling.content = is_state (info) ? CONTENT_ZEROS : choose_content (name, &shape);
  if (shape.type == DYNO_DATA_TYPE_UINT8)
    filling.limit = 256;
  else if (shape.type == DYNO_DATA_TYPE_INT8)
    filling.limit = 128;
  tensor = dyno_tensor_new (name, &shape);
  for (gint64 i = 0; i < dyno_shape_count (&shape); i++)
    fill_element (&filling, &shape, dyno_tensor_get_data (tensor), i);
  return tensor;
}

static gboolean
is_chosen (const DynoModelDescription *description, DynoTensorInfo *info, DynoInputChoice choice)
{
  gboolean is_cache = dyno_tensor_info_is_cache (info);

  if (choice == DYNO_INPUTS_ALL)
    return TRUE;
  if (choice == DYNO_INPUTS_CACHE)
    return is_cache;
  return !is_cache && !g_hash_table_contains (description->prompt_inputs, dyno_tensor_info_get_name (info));
}

/**
 * dyno_inputs_create:
 * @description: the description of the model
 * @binding: sizes of all its free dimensions
 * @choice: which of the inputs
 * @seed: another seed gives other values
 * @error: return location
 *
 * Returns: (transfer full) (element-type DynoTensor): valid values for each chosen input, in the model's order
 */
GPtrArray *
dyno_inputs_create (const DynoModelDescription *description,
                    DynoBinding *binding,
                    DynoInputChoice choice,
                    guint64 seed,
                    GError **error)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  for (guint i = 0; i < description->inputs->len; i++)
    {
      DynoTensorInfo *info = description->inputs->pdata[i];
      DynoTensor *tensor;

      if (!is_chosen (description, info, choice))
        continue;
      tensor = create_input (description, info, binding, seed, error);
      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (tensors, tensor);
    }
  return g_steal_pointer (&tensors);
}
