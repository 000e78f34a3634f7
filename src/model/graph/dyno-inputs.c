/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-model-weights-private.h"
#include "dyno-text.h"

/* Ids of an input with an unknown table stay below this number, which is smaller than any vocabulary. */
#define SAFE_LIMIT 16

/* The sample rate of most models of speech, in Hz. */
#define SAMPLE_RATE 16000

/* The count that an input requests; never zero. */
#define COUNT 10

/* If an axis has more channels than a picture can have, it is the height. */
#define CHANNELS 4

/* The most elements of an input that a text shows. */
#define MAX_SHOWN 4

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
  CONTENT_FIXED,
  CONTENT_SIDES,
} Content;

typedef struct
{
  Content content;
  guint64 key;
  gint64 limit;
  gint64 past;
  gint64 sequence;
  gint64 picture_token;
  gint64 n_picture_tokens; /* of each picture */
  gint64 n_places;         /* up to the end of the last picture */
  DynoSpacing spacing;
  double fixed;
  gint64 sides[2];
} Filling;

/* The meaning of an input by its name. Small inputs steer a graph, and random numbers would lead it astray. */
typedef struct
{
  const DynoModelDescription *description;
  DynoTensorInfo *info;
  DynoBinding *binding;
  DynoShape shape;
} Input;

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

/* For PNDM, which calls the model once more than it has steps, because the second call is at the start of
 * the second step, and repeats the first step: the row is level, end, start and kind. */
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

/* One row per step: its index, the number of steps, and the levels of the first and of the last. */
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
    case CONTENT_FIXED:
      return (gint64)self->fixed;
    case CONTENT_SIDES:
      return self->sides[index % 2];
    case CONTENT_LEVELS:
      return level_at (self, shape, index);
    case CONTENT_STEPS:
      return step_at (self, shape, index);
    case CONTENT_TOKENS:
      /* One token of text between two pictures. */
      if (position < self->n_places && position % (self->n_picture_tokens + 1) < self->n_picture_tokens)
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

static double
real_at (const Filling *self, gint64 index)
{
  guint64 bits;
  double sum;

  switch (self->content)
    {
    case CONTENT_ONES:
      return 1;
    case CONTENT_ZEROS:
      return 0;
    case CONTENT_FIXED:
      return self->fixed;
    case CONTENT_SIDES:
      return (double)self->sides[index % 2];
    case CONTENT_TOKENS:
    case CONTENT_POSITIONS:
    case CONTENT_LENGTH:
    case CONTENT_LEVELS:
    case CONTENT_STEPS:
    case CONTENT_NOISE:
    default:
      /* The sum of four uniform numbers has the mean 0 and the standard deviation 1, and is within ±√12. */
      bits = dyno_weights_mix (self->key + index);
      sum = (double)(bits & 0xffff) + (double)((bits >> 16) & 0xffff) + (double)((bits >> 32) & 0xffff) +
            (double)(bits >> 48);
      return (sum / 65536.0 - 2) * 1.7320508075688772;
    }
}

/* Returns whether an axis is as long as its item: neither the batch nor fixed by the file. */
static gboolean
is_length (DynoTensorInfo *info, guint axis)
{
  const char *symbol = dyno_tensor_info_get_symbol (info, axis);

  return symbol != NULL && dyno_dimension_kind (symbol) != DYNO_DIMENSION_KIND_BATCH;
}

/* Finds the length of the input whose lengths another one contains: “x” of “x_lens”, else the first with items of any
 * length. After the batch, the last free axis is that of time or tokens; in a fixed shape it is the longest. */
static gint64
find_length (const Input *self, gint64 fallback)
{
  const char *name = dyno_tensor_info_get_name (self->info);
  DynoTensorInfo *neighbour = NULL;
  gint64 length = 0;
  DynoShape shape;

  for (guint i = 0; i < self->description->inputs->len; i++)
    {
      DynoTensorInfo *other = self->description->inputs->pdata[i];
      gboolean is_meant = g_str_has_prefix (name, dyno_tensor_info_get_name (other));

      if (other == self->info || dyno_tensor_info_get_rank (other) < 2 || dyno_tensor_info_is_cache (other))
        continue;
      if (neighbour == NULL || is_meant)
        neighbour = other;
      if (is_meant)
        break;
    }

  if (neighbour == NULL || !dyno_binding_get_shape (self->binding, neighbour, &shape))
    return fallback;
  for (guint axis = shape.rank - 1; axis > 0; axis--)
    {
      if (is_length (neighbour, axis))
        return shape.dims[axis];
      length = MAX (length, shape.dims[axis]);
    }
  return length;
}

/* Finds height and width of the picture that the model takes, and whether it takes one. */
static gboolean
find_sides (const Input *self, gint64 sides[2])
{
  for (guint i = 0; i < self->description->inputs->len; i++)
    {
      DynoShape shape;

      if (!dyno_binding_get_shape (self->binding, self->description->inputs->pdata[i], &shape) ||
          shape.rank != 4)
        continue;
      sides[0] = shape.dims[shape.dims[1] > CHANNELS ? 1 : 2];
      sides[1] = shape.dims[shape.dims[1] > CHANNELS ? 2 : 3];
      return TRUE;
    }
  return FALSE;
}

/* Returns whether an input with few elements has a better value than a random one. */
static gboolean
choose_fixed (const Input *self, double *fixed)
{
  static const char *const rates[] = { "sample_rate", "sampling_rate", "samplerate", NULL };
  static const char *const thresholds[] = { "thresh", "iou", "score", "conf", NULL };
  static const char *const counts[] = { "max_", "num_", "top_k", "topk", "count", "size", NULL };
  const char *name = dyno_tensor_info_get_name (self->info);
  const gint64 *compared = g_hash_table_lookup (self->description->compared_values, name);

  if (compared != NULL)
    *fixed = (double)*compared;
  else if (g_ascii_strcasecmp (name, "sr") == 0 || name_has (name, rates))
    *fixed = SAMPLE_RATE;
  else if (!is_integer (self->shape.type) && name_has (name, thresholds))
    *fixed = 0.5;
  else if (is_integer (self->shape.type) && name_has (name, counts))
    *fixed = COUNT;
  else
    return FALSE;
  return TRUE;
}

static Filling
describe (const Input *self, guint64 seed)
{
  static const char *const sides[] = { "im_shape", "image_shape", "image_size",
                                       "img_size", "target_size", NULL };
  static const char *const scales[] = { "scale_factor", NULL };
  gint64 count = dyno_shape_count (&self->shape);
  gint64 row = self->shape.rank > 0 ? self->shape.dims[self->shape.rank - 1] : 1;
  const char *name = dyno_tensor_info_get_name (self->info);
  const gint64 *limit = g_hash_table_lookup (self->description->row_limits, name);
  Filling filling = { CONTENT_NOISE, dyno_weights_key (name, seed), limit != NULL ? *limit : 0,
                      dyno_binding_get_kind (self->binding, DYNO_DIMENSION_KIND_PAST, 0),
                      dyno_binding_get_kind (self->binding, DYNO_DIMENSION_KIND_SEQUENCE, 1) };
  gboolean is_state = dyno_tensor_info_is_cache (self->info);

  if (g_str_equal (name, "input_ids"))
    {
      filling.picture_token = self->description->picture_token;
      filling.n_picture_tokens = self->description->n_picture_tokens;
      filling.n_places = dyno_model_description_count_places (self->description);
    }
  filling.spacing = self->description->spacing;
  /* A cache that does not grow with the tokens is a state, which is zero before the first token. */
  for (guint axis = 0; is_state && axis < dyno_tensor_info_get_rank (self->info); axis++)
    is_state = !is_length (self->info, axis);
  filling.content = is_state ? CONTENT_ZEROS : choose_content (name, &self->shape);
  if (self->shape.type == DYNO_DATA_TYPE_UINT8)
    filling.limit = 256;
  else if (self->shape.type == DYNO_DATA_TYPE_INT8)
    filling.limit = 128;
  else if (dyno_data_type_get_bits (self->shape.type) < 8)
    filling.limit = 1 << dyno_data_type_get_bits (self->shape.type);
  if (filling.content == CONTENT_LENGTH)
    filling.sequence = find_length (self, filling.sequence);
  else if (row == 2 && name_has (name, sides) && find_sides (self, filling.sides))
    filling.content = CONTENT_SIDES;
  else if (row == 2 && name_has (name, scales))
    filling.content = CONTENT_ONES;
  else if (count == 1 && self->shape.rank <= 1 && choose_fixed (self, &filling.fixed))
    filling.content = CONTENT_FIXED;
  return filling;
}

static gboolean
check_values (DynoTensorInfo *info, GError **error)
{
  const char *name = dyno_tensor_info_get_name (info);

  if (!dyno_tensor_info_has_shape (info))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("The file declares no shape of the input “%s” (%s), so Dyno cannot make up a value. "
                      "Give it one from a file (--input %s=@FILE), or a test vector (--input @FOLDER)."),
                   name, dyno_data_type_to_string (dyno_tensor_info_get_data_type (info)), name);
      return FALSE;
    }
  if (dyno_data_type_is_number (dyno_tensor_info_get_data_type (info)))
    return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      _ ("Dyno cannot make up values for the input “%s” of type %s. Give it one (--input %s=VALUE)."), name,
      dyno_data_type_to_string (dyno_tensor_info_get_data_type (info)), name);
  return FALSE;
}

gboolean
dyno_inputs_check (GPtrArray *infos, DynoInputValues *given, GError **error)
{
  for (guint i = 0; i < infos->len; i++)
    if ((given == NULL || !dyno_input_values_has (given, dyno_tensor_info_get_name (infos->pdata[i]))) &&
        !check_values (infos->pdata[i], error))
      return FALSE;
  return TRUE;
}

static DynoTensor *
create_input (const Input *self, DynoInputValues *given, guint64 seed, GError **error)
{
  const char *name = dyno_tensor_info_get_name (self->info);
  Filling filling;
  DynoTensor *tensor;
  gboolean is_real;

  if (given != NULL && dyno_input_values_has (given, name))
    return dyno_input_values_create (given, name, &self->shape, error);
  if (!check_values (self->info, error))
    return NULL;
  filling = describe (self, seed);
  tensor = dyno_tensor_new (name, &self->shape);
  is_real = dyno_tensor_is_real (tensor);
  for (gint64 i = 0; i < dyno_shape_count (&self->shape); i++)
    if (is_real)
      dyno_tensor_set_number (tensor, i, real_at (&filling, i));
    else
      dyno_tensor_set_integer (tensor, i, integer_at (&filling, &self->shape, i));
  return tensor;
}

GPtrArray *
dyno_inputs_create (const DynoModelDescription *description,
                    DynoBinding *binding,
                    DynoInputChoice choice,
                    DynoInputValues *given,
                    guint64 seed,
                    GError **error)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  for (guint i = 0; i < description->inputs->len; i++)
    {
      Input input = { description, description->inputs->pdata[i], binding };
      const char *name = dyno_tensor_info_get_name (input.info);
      gboolean is_cache = dyno_tensor_info_is_cache (input.info);
      DynoTensor *tensor;

      if (choice == DYNO_INPUTS_CACHE
              ? !is_cache
              : choice != DYNO_INPUTS_ALL &&
                    (is_cache || g_hash_table_contains (description->prompt_inputs, name)))
        continue;
      tensor = dyno_binding_get_shape (binding, input.info, &input.shape) ||
                       !dyno_tensor_info_has_shape (input.info)
                   ? create_input (&input, given, seed, error)
                   : NULL;
      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (tensors, tensor);
    }
  return g_steal_pointer (&tensors);
}

char *
dyno_inputs_dup_choices (const DynoModelDescription *description,
                         DynoBinding *binding,
                         DynoInputValues *given,
                         guint64 seed)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < description->inputs->len; i++)
    {
      Input input = { description, description->inputs->pdata[i], binding };
      const char *name = dyno_tensor_info_get_name (input.info);
      g_autoptr (DynoTensor) tensor = NULL;
      Filling filling;

      if ((given != NULL && dyno_input_values_has (given, name)) ||
          !dyno_binding_get_shape (binding, input.info, &input.shape))
        continue;
      filling = describe (&input, seed);
      if (filling.content != CONTENT_FIXED && filling.content != CONTENT_SIDES &&
          filling.content != CONTENT_LENGTH &&
          (dyno_shape_count (&input.shape) != 1 || input.shape.rank > 1 ||
           dyno_tensor_info_is_cache (input.info)))
        continue;
      tensor = create_input (&input, NULL, seed, NULL);
      if (tensor == NULL)
        continue;
      g_autoptr (GString) text = g_string_new (dyno_tensor_get_name (tensor));
      gint64 count = dyno_shape_count (dyno_tensor_get_shape (tensor));
      /* The first elements are enough. */
      for (gint64 k = 0; k < MIN (count, MAX_SHOWN); k++)
        {
          g_string_append (text, k == 0 ? " = " : ",");
          if (dyno_tensor_is_real (tensor))
            g_string_append_printf (text, "%.4g", dyno_tensor_get_number (tensor, k));
          else
            g_string_append_printf (text, "%" G_GINT64_FORMAT, dyno_tensor_get_integer (tensor, k));
        }
      g_ptr_array_add (texts, g_strconcat (text->str, count > MAX_SHOWN ? "…" : "", NULL));
    }
  return texts->len > 0 ? dyno_plain_text_join ((const char *const *)texts->pdata, texts->len, ", ", "")
                        : NULL;
}
