/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * DynoDataType:
 *
 * Element types, with the numbers of the ONNX format (TensorProto.DataType). The last two are for values
 * that are not tensors, and have no elements.
 */
typedef enum
{
  DYNO_DATA_TYPE_UNDEFINED = 0,
  DYNO_DATA_TYPE_FLOAT = 1,
  DYNO_DATA_TYPE_UINT8 = 2,
  DYNO_DATA_TYPE_INT8 = 3,
  DYNO_DATA_TYPE_UINT16 = 4,
  DYNO_DATA_TYPE_INT16 = 5,
  DYNO_DATA_TYPE_INT32 = 6,
  DYNO_DATA_TYPE_INT64 = 7,
  DYNO_DATA_TYPE_STRING = 8,
  DYNO_DATA_TYPE_BOOL = 9,
  DYNO_DATA_TYPE_FLOAT16 = 10,
  DYNO_DATA_TYPE_DOUBLE = 11,
  DYNO_DATA_TYPE_UINT32 = 12,
  DYNO_DATA_TYPE_UINT64 = 13,
  DYNO_DATA_TYPE_BFLOAT16 = 16,
  DYNO_DATA_TYPE_FLOAT8E4M3FN = 17,
  DYNO_DATA_TYPE_FLOAT8E4M3FNUZ = 18,
  DYNO_DATA_TYPE_FLOAT8E5M2 = 19,
  DYNO_DATA_TYPE_FLOAT8E5M2FNUZ = 20,
  DYNO_DATA_TYPE_UINT4 = 21,
  DYNO_DATA_TYPE_INT4 = 22,
  DYNO_DATA_TYPE_FLOAT4E2M1 = 23,
  DYNO_DATA_TYPE_FLOAT8E8M0 = 24,
  DYNO_DATA_TYPE_UINT2 = 25,
  DYNO_DATA_TYPE_INT2 = 26,
  DYNO_DATA_TYPE_SEQUENCE = 0x100,
  DYNO_DATA_TYPE_OPTIONAL = 0x101,
} DynoDataType;

/* Returns the bytes of one element; 0 for strings, for unknown types, and if several elements share a
 * byte. */
gsize dyno_data_type_get_size (DynoDataType type);
/* Returns bits of one element in a file, in which smaller elements share a byte; 0 for strings and unknown
 * types. @type: an element type, even one that Dyno makes no tensors of. */
guint dyno_data_type_get_bits (DynoDataType type);
/* Returns whether tensors can be made of it: real or whole numbers of any size, or truth values. */
gboolean dyno_data_type_is_number (DynoDataType type);
/* Returns its name in the ONNX format, in lower case, such as `int64`. */
const char *dyno_data_type_to_string (DynoDataType type);

#define DYNO_SHAPE_MAX_RANK 8

/**
 * DynoShape:
 * @type: element type
 * @rank: number of dimensions
 * @dims: their sizes, all known
 *
 * A tensor's type and actual shape, by value.
 */
typedef struct
{
  DynoDataType type;
  guint rank;
  gint64 dims[DYNO_SHAPE_MAX_RANK];
} DynoShape;

/* Returns the number of its elements, 1 for a scalar; -1 if it does not fit 63 bits. */
gint64 dyno_shape_count (const DynoShape *shape);
/* Returns the number of bytes of its elements, -1 if the number of bits does not fit 63 bits. */
gint64 dyno_shape_bytes (const DynoShape *shape);
/* Returns one line of text, such as `float [2, ?]`. The caller owns it. @shape: a shape; a negative
 * dimension is unknown. */
char *dyno_shape_to_string (const DynoShape *shape);

/**
 * DynoTensor:
 *
 * A named tensor with data that it owns, 64-byte aligned; a boxed type with a reference count.
 */
typedef struct _DynoTensor DynoTensor;

#define DYNO_TYPE_TENSOR (dyno_tensor_get_type ())

GType dyno_tensor_get_type (void);
/* Returns a tensor of zeros. */
DynoTensor *dyno_tensor_new (const char *name, const DynoShape *shape);
/* Returns a tensor of strings, which has no memory for numbers. Takes @texts. */
DynoTensor *dyno_tensor_new_texts (const char *name, const DynoShape *shape, char **texts);
/* Returns a sequence, whose shape is only its number of tensors. @items: tensors, which may differ in
 * shape. Takes @items. */
DynoTensor *dyno_tensor_new_sequence (const char *name, GPtrArray *items);
/* Returns a copy of that name. The caller owns it. */
DynoTensor *dyno_tensor_rename (DynoTensor *self, const char *name);
DynoTensor *dyno_tensor_ref (DynoTensor *self);
void dyno_tensor_unref (DynoTensor *self);
const char *dyno_tensor_get_name (DynoTensor *self);
const DynoShape *dyno_tensor_get_shape (DynoTensor *self);
/* Returns its elements in row-major order; never NULL, even if there are none. */
gpointer dyno_tensor_get_data (DynoTensor *self);
/* Returns the bytes of its elements. */
gsize dyno_tensor_get_size (DynoTensor *self);
/* Returns whether its elements are floating-point numbers of any size. */
gboolean dyno_tensor_is_real (DynoTensor *self);
/* Returns the element, without rounding. */
double dyno_tensor_get_number (DynoTensor *self, gint64 index);
/* Returns whether the element holds the number, rounded; one that is too large becomes the largest or
 * infinite. */
gboolean dyno_tensor_set_number (DynoTensor *self, gint64 index, double number);
/* Returns the element; above 2⁶³ as its two's complement. */
gint64 dyno_tensor_get_integer (DynoTensor *self, gint64 index);
/* Returns whether the type can hold @number; else it is cut off. */
gboolean dyno_tensor_set_integer (DynoTensor *self, gint64 index, gint64 number);
/* Returns its elements, if they are strings; NULL otherwise. */
const char *const *dyno_tensor_get_texts (DynoTensor *self);
/* Returns its tensors, if it is a sequence; NULL otherwise. Elements are DynoTensor. */
GPtrArray *dyno_tensor_get_items (DynoTensor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTensor, dyno_tensor_unref)

G_END_DECLS
