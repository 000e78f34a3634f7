/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

typedef struct _DynoSafetensors DynoSafetensors;
typedef struct _DynoPacked DynoPacked;

/**
 * DynoSafetensor:
 * @file: its file
 * @name: its name there
 * @type_name: its type as named in the file, such as `BF16`
 * @shape: its shape; the type is DYNO_DATA_TYPE_UNDEFINED if it is not supported
 * @data: its elements in row-major order, little-endian, not aligned
 * @size: size of @data in bytes
 * @packed: (nullable): how its elements follow from other tensors, in place of @data
 * @first: index of its first element in the view of @packed
 *
 * A tensor in a safetensors file, not read yet.
 */
typedef struct
{
  DynoSafetensors *file;
  const char *name;
  const char *type_name;
  DynoShape shape;
  const guint8 *data;
  gsize size;
  const DynoPacked *packed;
  gsize first;
} DynoSafetensor;

/**
 * DynoSafetensors:
 *
 * A file of weights in the safetensors format: eight bytes with the length of the header, the header in JSON, and the
 * tensors without gaps (https://huggingface.co/docs/safetensors). It is mapped, and only the header is read until the
 * tensors are used.
 */
/* Returns the file, whose header is valid. Fails with DYNO_ERROR_INVALID_DATA naming the file and the
 * invalid tensor. */
DynoSafetensors *dyno_safetensors_open (const char *path, GError **error);
void dyno_safetensors_free (DynoSafetensors *self);
const char *dyno_safetensors_get_path (DynoSafetensors *self);
/* Returns the tensor; NULL if there is none. */
const DynoSafetensor *dyno_safetensors_find (DynoSafetensors *self, const char *name);
/* Returns its tensors, by offset. Elements are DynoSafetensor. */
GPtrArray *dyno_safetensors_get_all (DynoSafetensors *self);
gboolean dyno_safetensor_is_real (const DynoSafetensor *self);
void dyno_safetensor_add_to_checksum (const DynoSafetensor *self, GChecksum *checksum);
/* @values: gets the elements, exactly converted to single precision. */
void
dyno_safetensor_read (const DynoSafetensor *self, gsize first, gsize n_values, float *values, gsize step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSafetensors, dyno_safetensors_free)

G_END_DECLS
