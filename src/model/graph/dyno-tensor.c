/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-float16.h"
#include "dyno-model-graph-private.h"
#include "dyno-tensor.h"

#define ALIGNMENT 64

struct _DynoTensor
{
  gatomicrefcount ref_count;
  char *name;
  DynoShape shape;
  gsize size;
  gpointer data;
  char **texts;     /* of a tensor of strings */
  GPtrArray *items; /* of a sequence, each a DynoTensor */
};

G_DEFINE_BOXED_TYPE (DynoTensor, dyno_tensor, dyno_tensor_ref, dyno_tensor_unref)

/* Every element type of the ONNX format by its number, with the bits of an element; 0 if they vary. */
static const struct
{
  const char *name;
  guint bits;
} types[] = {
  { "undefined", 0 },      { "float", 32 },       { "uint8", 8 },          { "int8", 8 },
  { "uint16", 16 },        { "int16", 16 },       { "int32", 32 },         { "int64", 64 },
  { "string", 0 },         { "bool", 8 },         { "float16", 16 },       { "double", 64 },
  { "uint32", 32 },        { "uint64", 64 },      { "complex64", 64 },     { "complex128", 128 },
  { "bfloat16", 16 },      { "float8e4m3fn", 8 }, { "float8e4m3fnuz", 8 }, { "float8e5m2", 8 },
  { "float8e5m2fnuz", 8 }, { "uint4", 4 },        { "int4", 4 },           { "float4e2m1", 4 },
  { "float8e8m0", 8 },     { "uint2", 2 },        { "int2", 2 },
};

guint
dyno_data_type_get_bits (DynoDataType type)
{
  return (guint)type < G_N_ELEMENTS (types) ? types[type].bits : 0;
}

gsize
dyno_data_type_get_size (DynoDataType type)
{
  return dyno_data_type_get_bits (type) / 8;
}

gboolean
dyno_data_type_is_number (DynoDataType type)
{
  return dyno_data_type_get_bits (type) > 0 && !g_str_has_prefix (dyno_data_type_to_string (type), "complex");
}

const char *
dyno_data_type_to_string (DynoDataType type)
{
  if (type == DYNO_DATA_TYPE_SEQUENCE || type == DYNO_DATA_TYPE_OPTIONAL)
    return type == DYNO_DATA_TYPE_SEQUENCE ? "sequence" : "optional";
  return (guint)type < G_N_ELEMENTS (types) ? types[type].name : "unknown";
}

gint64
dyno_shape_count (const DynoShape *shape)
{
  gint64 count = 1;

  for (guint i = 0; i < shape->rank; i++)
    if (__builtin_mul_overflow (count, shape->dims[i], &count))
      return -1;
  return count;
}

gint64
dyno_shape_bytes (const DynoShape *shape)
{
  gint64 count = dyno_shape_count (shape);
  gint64 bits;

  if (count < 0 || __builtin_mul_overflow (count, (gint64)dyno_data_type_get_bits (shape->type), &bits) ||
      bits > G_MAXINT64 - 7)
    return -1;
  return (bits + 7) / 8;
}

char *
dyno_shape_to_string (const DynoShape *shape)
{
  GString *text = g_string_new (dyno_data_type_to_string (shape->type));

  g_string_append (text, " [");
  for (guint i = 0; i < shape->rank; i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      if (shape->dims[i] < 0)
        g_string_append_c (text, '?');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, shape->dims[i]);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

DynoTensor *
dyno_tensor_new (const char *name, const DynoShape *shape)
{
  DynoTensor *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (shape != NULL && dyno_shape_bytes (shape) >= 0, NULL);

  self = g_new0 (DynoTensor, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (name);
  self->shape = *shape;
  self->size = dyno_shape_bytes (shape);
  self->data = g_aligned_alloc0 (MAX (self->size, 1), 1, ALIGNMENT);
  return self;
}

DynoTensor *
dyno_tensor_new_texts (const char *name, const DynoShape *shape, char **texts)
{
  DynoTensor *self;

  g_return_val_if_fail (shape != NULL && shape->type == DYNO_DATA_TYPE_STRING, NULL);
  g_return_val_if_fail (texts != NULL && dyno_shape_count (shape) == (gint64)g_strv_length (texts), NULL);

  self = dyno_tensor_new (name, shape);
  self->texts = texts;
  return self;
}

const char *const *
dyno_tensor_get_texts (DynoTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return (const char *const *)self->texts;
}

DynoTensor *
dyno_tensor_new_sequence (const char *name, GPtrArray *items)
{
  const DynoShape shape = { DYNO_DATA_TYPE_SEQUENCE, 1, { items->len } };
  DynoTensor *self = dyno_tensor_new (name, &shape);

  self->items = items;
  return self;
}

GPtrArray *
dyno_tensor_get_items (DynoTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->items;
}

DynoTensor *
dyno_tensor_rename (DynoTensor *self, const char *name)
{
  DynoTensor *renamed;

  g_return_val_if_fail (self != NULL, NULL);

  renamed = dyno_tensor_new (name, &self->shape);
  if (self->size > 0)
    memcpy (renamed->data, self->data, self->size);
  renamed->texts = g_strdupv (self->texts);
  renamed->items = self->items != NULL ? g_ptr_array_ref (self->items) : NULL;
  return renamed;
}

DynoTensor *
dyno_tensor_ref (DynoTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
dyno_tensor_unref (DynoTensor *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->name);
  g_strfreev (self->texts);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_aligned_free (self->data);
  g_free (self);
}

const char *
dyno_tensor_get_name (DynoTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->name;
}

const DynoShape *
dyno_tensor_get_shape (DynoTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &self->shape;
}

gpointer
dyno_tensor_get_data (DynoTensor *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->data;
}

gsize
dyno_tensor_get_size (DynoTensor *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->size;
}

gboolean
dyno_tensor_is_real (DynoTensor *self)
{
  DynoDataType type;

  g_return_val_if_fail (self != NULL, FALSE);

  type = self->shape.type;
  return type == DYNO_DATA_TYPE_FLOAT || type == DYNO_DATA_TYPE_DOUBLE || type == DYNO_DATA_TYPE_FLOAT16 ||
         type == DYNO_DATA_TYPE_BFLOAT16 || dyno_small_float_is_type (type);
}

/* Several elements may share a byte, the first in its lowest bits. */
static guint
find_bits (DynoTensor *self, gint64 index, guint8 **byte, guint *shift)
{
  guint bits = dyno_data_type_get_bits (self->shape.type);

  *byte = (guint8 *)self->data + index * bits / 8;
  *shift = (guint)(index * bits % 8);
  return (1u << bits) - 1;
}

static guint8
get_bits (DynoTensor *self, gint64 index)
{
  guint8 *byte;
  guint shift, mask = find_bits (self, index, &byte, &shift);

  return (guint8)(*byte >> shift & mask);
}

static void
set_bits (DynoTensor *self, gint64 index, guint value)
{
  guint8 *byte;
  guint shift, mask = find_bits (self, index, &byte, &shift);

  *byte = (guint8)((*byte & ~(mask << shift)) | (value & mask) << shift);
}

double
dyno_tensor_get_number (DynoTensor *self, gint64 index)
{
  DynoDataType type;

  g_return_val_if_fail (self != NULL && dyno_tensor_is_real (self), 0);

  type = self->shape.type;
  if (type == DYNO_DATA_TYPE_FLOAT)
    return (double)((const float *)self->data)[index];
  if (type == DYNO_DATA_TYPE_FLOAT16)
    return (double)dyno_float16_to_float (((const guint16 *)self->data)[index]);
  if (type == DYNO_DATA_TYPE_BFLOAT16)
    return (double)dyno_float16_bfloat_to_float (((const guint16 *)self->data)[index]);
  if (dyno_small_float_is_type (type))
    return dyno_small_float_decode (type, get_bits (self, index));
  return ((const double *)self->data)[index];
}

gboolean
dyno_tensor_set_number (DynoTensor *self, gint64 index, double number)
{
  DynoDataType type;

  g_return_val_if_fail (self != NULL && dyno_tensor_is_real (self), FALSE);

  type = self->shape.type;
  if (type == DYNO_DATA_TYPE_FLOAT)
    ((float *)self->data)[index] = (float)number;
  else if (type == DYNO_DATA_TYPE_FLOAT16)
    ((guint16 *)self->data)[index] = dyno_float16_from_float ((float)number);
  else if (type == DYNO_DATA_TYPE_BFLOAT16)
    ((guint16 *)self->data)[index] = dyno_float16_bfloat_from_float ((float)number);
  else if (dyno_small_float_is_type (type))
    set_bits (self, index, dyno_small_float_encode (type, number));
  else
    ((double *)self->data)[index] = number;
  return dyno_small_float_is_type (type)
             ? dyno_small_float_holds (type, number)
             : isfinite (dyno_tensor_get_number (self, index)) == isfinite (number);
}

gint64
dyno_tensor_get_integer (DynoTensor *self, gint64 index)
{
  g_return_val_if_fail (self != NULL, 0);

  switch (self->shape.type)
    {
    case DYNO_DATA_TYPE_INT8:
      return ((const gint8 *)self->data)[index];
    case DYNO_DATA_TYPE_UINT8:
    case DYNO_DATA_TYPE_BOOL:
      return ((const guint8 *)self->data)[index];
    case DYNO_DATA_TYPE_INT16:
      return ((const gint16 *)self->data)[index];
    case DYNO_DATA_TYPE_UINT16:
      return ((const guint16 *)self->data)[index];
    case DYNO_DATA_TYPE_INT32:
      return ((const gint32 *)self->data)[index];
    case DYNO_DATA_TYPE_UINT32:
      return ((const guint32 *)self->data)[index];
    case DYNO_DATA_TYPE_INT64:
    case DYNO_DATA_TYPE_UINT64:
      return ((const gint64 *)self->data)[index];
    case DYNO_DATA_TYPE_UINT4:
    case DYNO_DATA_TYPE_UINT2:
      return get_bits (self, index);
    case DYNO_DATA_TYPE_INT4:
      return (get_bits (self, index) ^ 8) - 8;
    case DYNO_DATA_TYPE_INT2:
      return (get_bits (self, index) ^ 2) - 2;
    case DYNO_DATA_TYPE_UNDEFINED:
    case DYNO_DATA_TYPE_STRING:
    case DYNO_DATA_TYPE_FLOAT:
    case DYNO_DATA_TYPE_FLOAT16:
    case DYNO_DATA_TYPE_DOUBLE:
    case DYNO_DATA_TYPE_BFLOAT16:
    case DYNO_DATA_TYPE_FLOAT8E4M3FN:
    case DYNO_DATA_TYPE_FLOAT8E4M3FNUZ:
    case DYNO_DATA_TYPE_FLOAT8E5M2:
    case DYNO_DATA_TYPE_FLOAT8E5M2FNUZ:
    case DYNO_DATA_TYPE_FLOAT4E2M1:
    case DYNO_DATA_TYPE_FLOAT8E8M0:
    case DYNO_DATA_TYPE_SEQUENCE:
    case DYNO_DATA_TYPE_OPTIONAL:
    default:
      g_return_val_if_reached (0);
    }
}

gboolean
dyno_tensor_set_integer (DynoTensor *self, gint64 index, gint64 number)
{
  g_return_val_if_fail (self != NULL && self->size > 0, FALSE);

  switch (dyno_data_type_get_size (self->shape.type))
    {
    case 0:
      set_bits (self, index, (guint)number);
      break;
    case 1:
      ((guint8 *)self->data)[index] = (guint8)number;
      break;
    case 2:
      ((guint16 *)self->data)[index] = (guint16)number;
      break;
    case 4:
      ((guint32 *)self->data)[index] = (guint32)number;
      break;
    default:
      ((gint64 *)self->data)[index] = number;
    }
  if (self->shape.type == DYNO_DATA_TYPE_BOOL)
    return number == 0 || number == 1;
  return dyno_tensor_get_integer (self, index) == number &&
         (self->shape.type != DYNO_DATA_TYPE_UINT64 || number >= 0);
}
