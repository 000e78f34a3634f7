/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

typedef struct _DynoSafetensors DynoSafetensors;

/**
 * DynoSafetensor:
 * @file: the file it lies in
 * @name: its name there
 * @type_name: its type as the file has it, such as `BF16`
 * @shape: its shape; the type is %DYNO_DATA_TYPE_UNDEFINED where it is none of ours
 * @data: its elements in row-major order, little-endian, not aligned
 * @size: their bytes
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
} DynoSafetensor;

/**
 * DynoSafetensors:
 *
 * A file of weights in the format safetensors: eight bytes with the length of a header, the header in JSON, and the
 * tensors without gaps (https://huggingface.co/docs/safetensors). It is mapped, and no more of it is read than its
 * header until its tensors are.
 */
DynoSafetensors *dyno_safetensors_open (const char *path, GError **error);
void dyno_safetensors_free (DynoSafetensors *self);
const char *dyno_safetensors_get_path (DynoSafetensors *self);
const DynoSafetensor *dyno_safetensors_find (DynoSafetensors *self, const char *name);
GPtrArray *dyno_safetensors_get_all (DynoSafetensors *self);
void
dyno_safetensor_read (const DynoSafetensor *self, gsize first, gsize n_values, float *values, gsize step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSafetensors, dyno_safetensors_free)

G_END_DECLS
