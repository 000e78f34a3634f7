/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-binding.h"
#include "dyno-model-onnx-private.h"

/* The usual height and width of a picture. */
#define SIDE 224

/* The samples of audio that a model with a state takes at a time: 32 ms at 16 kHz. */
#define FRAME 512

/* How the inputs use a name. */
typedef struct
{
  gboolean is_first;    /* of every input that has it */
  gboolean was_first;   /* of some */
  gboolean is_of_audio; /* always the samples of audio */
} Use;

struct _DynoOnnxAxes
{
  GHashTable *uses;        /* of Use, by name */
  gboolean has_batch;      /* whether a dimension is called a batch */
  gboolean has_audio_rate; /* whether an input is a sample rate */
  gboolean has_state;      /* whether an input is the state of a recurrent operator */
};

/* Exporters write these for unnamed dimensions; the same name means the same size. */
static gboolean
is_numbered (const char *name)
{
  static GRegex *regex;

  if (g_once_init_enter (&regex))
    g_once_init_leave (&regex,
                       g_regex_new ("^(unk__\\d+|(p2o\\.)?DynamicDimension\\.\\d+|.+_dynamic_axes_\\d+)$",
                                    G_REGEX_OPTIMIZE, 0, NULL));
  return g_regex_match (regex, name, 0, NULL);
}

static const Onnx__TypeProto__Tensor *
get_tensor (const Onnx__ValueInfoProto *value)
{
  return value->type != NULL && value->type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE
             ? value->type->tensor_type
             : NULL;
}

/* A placeholder is no name, because several dimensions may have it although they differ. */
static const char *
get_name (const Onnx__TensorShapeProto__Dimension *dimension)
{
  static const char *const blanks[] = { "?", "-1", "None", NULL };
  const char *name = dimension->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM
                         ? dimension->dim_param
                         : NULL;

  return name != NULL && strspn (name, "+ \t\n\v\f\r") < strlen (name) && !g_strv_contains (blanks, name)
             ? name
             : NULL;
}

static gint64
get_size (const Onnx__TensorShapeProto__Dimension *dimension)
{
  return dimension->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE ? dimension->dim_value
                                                                                       : -1;
}

static gboolean
has_word (const Onnx__ValueInfoProto *value, const char *const *words)
{
  g_autofree char *lower = g_ascii_strdown (value->name != NULL ? value->name : "", -1);

  for (; *words != NULL; words++)
    if (strstr (lower, *words) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
is_real (const Onnx__TypeProto__Tensor *tensor)
{
  return tensor->elem_type == DYNO_DATA_TYPE_FLOAT || tensor->elem_type == DYNO_DATA_TYPE_FLOAT16 ||
         tensor->elem_type == DYNO_DATA_TYPE_DOUBLE;
}

/* Samples are real numbers in the last dimension, behind a batch and one channel at most. A plain “input”
 * is only recognised as audio by a sample rate beside it or the name of a sequence: text is integers. */
static gboolean
is_of_audio (const DynoOnnxAxes *self, const Onnx__ValueInfoProto *value, guint axis)
{
  static const char *const words[] = { "audio", "wave", "speech", "pcm", "sound", NULL };
  const Onnx__TypeProto__Tensor *tensor = get_tensor (value);
  const Onnx__TensorShapeProto *shape = tensor->shape;
  const char *name = get_name (shape->dim[axis]);

  if (!is_real (tensor) || axis + 1 != shape->n_dim || shape->n_dim > 3 ||
      (shape->n_dim == 3 && get_size (shape->dim[1]) != 1))
    return FALSE;
  return has_word (value, words) ||
         (g_strcmp0 (value->name, "input") == 0 && shape->n_dim == 2 &&
          (self->has_audio_rate ||
           (name != NULL && dyno_dimension_kind (name) == DYNO_DIMENSION_KIND_SEQUENCE)));
}

/* Recognises height or width by their places, with one, three or four channels in front of them or behind. */
static gboolean
is_of_picture (const Onnx__ValueInfoProto *value, guint axis)
{
  static const char *const others[] = { "mask", "past", "cache", "state", NULL };
  const Onnx__TypeProto__Tensor *tensor = get_tensor (value);
  gint64 front, back;

  if (tensor->shape->n_dim != 4 || axis == 0 || has_word (value, others) ||
      (!is_real (tensor) && tensor->elem_type != DYNO_DATA_TYPE_UINT8))
    return FALSE;
  front = get_size (tensor->shape->dim[1]);
  back = get_size (tensor->shape->dim[3]);
  if (front == 1 || front == 3 || front == 4)
    return axis >= 2;
  return (back == 1 || back == 3 || back == 4) && axis <= 2;
}

/* The states of recurrent operators are [layers, batch, width]. */
static gboolean
is_state (const Onnx__ValueInfoProto *value)
{
  static const char *const words[] = { "state", "hidden", NULL };
  static const char *const names[] = { "h", "c", "h0", "c0", "h_0", "c_0", NULL };
  const Onnx__TypeProto__Tensor *tensor = get_tensor (value);

  return tensor != NULL && tensor->shape != NULL && is_real (tensor) && tensor->shape->n_dim == 3 &&
         get_size (tensor->shape->dim[0]) > 0 && get_size (tensor->shape->dim[2]) > 0 &&
         (has_word (value, words) || (value->name != NULL && g_strv_contains (names, value->name)));
}

DynoOnnxAxes *
dyno_onnx_axes_new (const Onnx__GraphProto *graph)
{
  static const char *const rates[] = { "sr", "sample_rate", "sampling_rate", NULL };
  DynoOnnxAxes *self = g_new0 (DynoOnnxAxes, 1);

  self->uses = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (gsize i = 0; i < graph->n_input; i++)
    if (graph->input[i]->name != NULL && g_strv_contains (rates, graph->input[i]->name))
      self->has_audio_rate = TRUE;
  for (gsize i = 0; i < graph->n_input; i++)
    {
      const Onnx__TypeProto__Tensor *tensor = get_tensor (graph->input[i]);

      self->has_state = self->has_state || is_state (graph->input[i]);
      for (gsize axis = 0; tensor != NULL && tensor->shape != NULL && axis < tensor->shape->n_dim; axis++)
        {
          const char *name = get_name (tensor->shape->dim[axis]);
          g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;
          Use *use = name != NULL ? g_hash_table_lookup (self->uses, name) : NULL;

          if (name == NULL)
            continue;
          if (use == NULL)
            {
              use = g_new (Use, 1);
              *use = (Use){ TRUE, FALSE, TRUE };
              g_hash_table_insert (self->uses, (gpointer)name, use);
            }
          use->is_first = use->is_first && axis == 0;
          use->was_first = use->was_first || axis == 0;
          use->is_of_audio = use->is_of_audio && is_of_audio (self, graph->input[i], (guint)axis);
          self->has_batch = self->has_batch || strstr (lower, "batch") != NULL;
        }
    }
  return self;
}

void
dyno_onnx_axes_free (DynoOnnxAxes *self)
{
  g_hash_table_unref (self->uses);
  g_free (self);
}

char *
dyno_onnx_axes_dup_name (
    DynoOnnxAxes *self, const Onnx__ValueInfoProto *value, guint axis, gboolean is_input, gint64 *usual)
{
  const char *name = get_name (get_tensor (value)->shape->dim[axis]);
  const Use *use = name != NULL ? g_hash_table_lookup (self->uses, name) : NULL;
  gboolean has_meaning = name != NULL && dyno_dimension_kind (name) != DYNO_DIMENSION_KIND_OTHER;

  *usual = is_input && !has_meaning && is_of_picture (value, axis) ? SIDE : -1;
  if (is_input && self->has_state && is_of_audio (self, value, axis))
    *usual = FRAME;
  if (use != NULL)
    {
      DynoDimensionKind kind = dyno_dimension_kind (name);
      gboolean is_second_batch = kind == DYNO_DIMENSION_KIND_BATCH && self->has_batch && !use->was_first &&
                                 g_ascii_strcasecmp (name, "batch") != 0 && strlen (name) <= 2;

      if (use->is_of_audio && kind != DYNO_DIMENSION_KIND_SAMPLES &&
          (kind != DYNO_DIMENSION_KIND_BATCH || is_second_batch))
        return g_strconcat (name, DYNO_DIMENSION_OF_AUDIO, NULL);
      if (is_numbered (name) && use->is_first)
        return g_strconcat (name, DYNO_DIMENSION_LEADING, NULL);
      return is_second_batch ? g_strconcat (name, DYNO_DIMENSION_LENGTH, NULL) : g_strdup (name);
    }
  if (name != NULL)
    return g_strdup (name);
  if (is_input && axis == 1 && is_state (value))
    return g_strdup_printf ("%s:%u" DYNO_DIMENSION_LEADING, value->name, axis);
  return g_strdup_printf ("%s:%u%s", value->name, axis,
                          is_input && is_of_audio (self, value, axis) ? DYNO_DIMENSION_OF_AUDIO : "");
}
