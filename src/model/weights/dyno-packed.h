/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-safetensors.h"

G_BEGIN_DECLS

/**
 * DynoPackedFormat:
 * @has_whole_zeros: GPTQ: whether files keep zero points as they are, and not less one
 * @group: AWQ and GPTQ: how many inputs share a scale; 0 if the config does not say
 * @block: FP8: the rows and the columns that share a scale
 *
 * The facts about packed weights that are in a config and not in their files.
 */
typedef struct
{
  gboolean has_whole_zeros;
  gint64 group;
  gint64 block[2];
} DynoPackedFormat;

/**
 * DynoPacked:
 * @view: the tensor that the parts represent, as [… outputs, inputs] or in the form that the model
 * multiplies by
 * @bits: of an element of @quants
 * @group: how many elements of a row share a scale
 * @is_symmetric: whether all zero points are the middle of the range
 * @read_row: converts elements of one row
 *
 * A weight that is several tensors in files: numbers of few bits, their scales and zero points. AWQ and
 * GPTQ as their libraries write them (bits of a column in words of 32), FP8 with scales beside it, MXFP4 of
 * the Open Compute Project's “OCP Microscaling Formats (MX) Specification”, version 1.0.
 */
struct _DynoPacked
{
  DynoSafetensor view;
  DynoPackedFormat format;
  const DynoSafetensor *quants;
  const DynoSafetensor *scales;
  const DynoSafetensor *zeros;
  const DynoSafetensor *groups;
  guint bits;
  gsize group;
  gboolean is_symmetric;
  void (*read_row) (
      const DynoPacked *self, gsize row, gsize first, gsize n_values, float *values, gsize step);
  guint (*get_quant) (const DynoPacked *self, gsize row, gsize column);
  guint (*get_zero) (const DynoPacked *self, gsize row, gsize group);
};

/* Returns the weight, if its parts are there and fit one another; free it with g_free(); NULL otherwise.
 * The caller owns it. @tensors: the tensors of a checkpoint, which must outlive the result. */
DynoPacked *dyno_packed_find (GHashTable *tensors, const char *name, const DynoPackedFormat *format);
void dyno_packed_read (const DynoPacked *self, gsize first, gsize n_values, float *values, gsize step);
void dyno_packed_add_to_checksum (const DynoPacked *self, GChecksum *checksum);
/* Returns whether its numbers are such blocks, so that dyno_packed_copy_row() copies them unchanged.
 * @block: elements of a row that share a scale and a zero point. */
gboolean dyno_packed_has_blocks (const DynoPacked *self, guint bits, gsize block);
/* @quants: its numbers, the low nibble first, an incomplete block filled with zero points. @zeros
 * (nullable): the zero points of the blocks, likewise. */
gboolean dyno_packed_copy_row (
    const DynoPacked *self, gsize row, gsize block, guint8 *quants, guint8 *zeros, float *scales);

/* Returns whether the checkpoint has parts of a packed weight of that name, even if they do not fit one another. */
gboolean dyno_packed_has_parts (GHashTable *tensors, const char *name);

G_END_DECLS
