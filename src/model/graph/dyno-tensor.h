/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * DynoDataType:
 *
 * Element types, with the numbers of the ONNX format (TensorProto.DataType). The last two are of values that are no
 * tensors, and have no elements.
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

gsize dyno_data_type_get_size (DynoDataType type);
guint dyno_data_type_get_bits (DynoDataType type);
gboolean dyno_data_type_is_number (DynoDataType type);
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

gint64 dyno_shape_count (const DynoShape *shape);
gint64 dyno_shape_bytes (const DynoShape *shape);
char *dyno_shape_to_string (const DynoShape *shape);

/**
 * DynoTensor:
 *
 * A named tensor with data that it owns, 64-byte aligned; a boxed type with a reference count.
 */
typedef struct _DynoTensor DynoTensor;

#define DYNO_TYPE_TENSOR (dyno_tensor_get_type ())

GType dyno_tensor_get_type (void);
DynoTensor *dyno_tensor_new (const char *name, const DynoShape *shape);
DynoTensor *dyno_tensor_new_texts (const char *name, const DynoShape *shape, char **texts);
DynoTensor *dyno_tensor_new_sequence (const char *name, GPtrArray *items);
DynoTensor *dyno_tensor_rename (DynoTensor *self, const char *name);
DynoTensor *dyno_tensor_ref (DynoTensor *self);
void dyno_tensor_unref (DynoTensor *self);
const char *dyno_tensor_get_name (DynoTensor *self);
const DynoShape *dyno_tensor_get_shape (DynoTensor *self);
gpointer dyno_tensor_get_data (DynoTensor *self);
gsize dyno_tensor_get_size (DynoTensor *self);
gboolean dyno_tensor_is_real (DynoTensor *self);
double dyno_tensor_get_number (DynoTensor *self, gint64 index);
void dyno_tensor_set_number (DynoTensor *self, gint64 index, double number);
gint64 dyno_tensor_get_integer (DynoTensor *self, gint64 index);
gboolean dyno_tensor_set_integer (DynoTensor *self, gint64 index, gint64 number);
const char *const *dyno_tensor_get_texts (DynoTensor *self);
GPtrArray *dyno_tensor_get_items (DynoTensor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTensor, dyno_tensor_unref)

G_END_DECLS
