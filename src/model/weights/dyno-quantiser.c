/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "dyno-model-weights-private.h"

/* The stride of columns is a little more than their length, so that columns with a power-of-two length do not map to
 * the same cache sets. */
#define PADDING 16

void
dyno_quantiser_pack (
    const DynoQuantisation *how, const float *values, gsize n_values, guint8 *quants, float *scale)
{
  float middle = (float)(1u << (how->bits - 1));
  float largest = 2 * middle - 1;
  float highest = -INFINITY, lowest = INFINITY, inverse;

  for (gsize i = 0; i < n_values; i++)
    {
      highest = values[i] > highest ? values[i] : highest;
      lowest = values[i] < lowest ? values[i] : lowest;
    }
  *scale = -(highest > -lowest ? highest : lowest) / middle;
  inverse = *scale != 0 ? 1 / *scale : 0;
  if (!isfinite (inverse))
    inverse = 0;
  for (gsize i = 0; i < n_values; i++)
    {
      float quant = values[i] * inverse + middle + 0.5f;

      quants[i] = (guint8)(quant < largest ? quant : largest);
    }
  memset (quants + n_values, (int)middle, how->block - n_values);
  if (how->bits == 4)
    {
      /* The low nibble comes first. */
      for (gsize i = 0; i < how->block / 2; i++)
        quants[i] = (guint8)(quants[2 * i] | (quants[2 * i + 1] << 4));
    }
}

gboolean
dyno_quantiser_fill_rows (
    const DynoWeight *quants, guint64 seed, gsize first, gsize n_columns, gint8 *rows, float *scales)
{
  gsize depth = (gsize)quants->shape.dims[0];
  gsize width = (gsize)quants->shape.dims[1];
  gsize stride = depth + PADDING;
  g_autofree float *values = g_new (float, n_columns *stride);

  dyno_weights_fill_columns (quants->source, seed, first, n_columns, values, stride);
  for (gsize i = 0; i < n_columns; i++)
    {
      const float *column = values + i * stride;
      float farthest = 0;

      /* Symmetric, so that 0 stays 0 without a zero point; -128 has no counterpart and is not used. */
      for (gsize k = 0; k < depth; k++)
        {
          if (!isfinite (column[k]))
            return FALSE;
          farthest = MAX (farthest, fabsf (column[k]));
        }
      scales[i] = farthest / (float)quants->quantisation->largest;
      float inverse = scales[i] >= FLT_MIN ? 1 / scales[i] : 0;
      for (gsize k = 0; k < depth; k++)
        rows[first + i + k * width] = (gint8)lrintf (column[k] * inverse);
    }
  return TRUE;
}

gboolean
dyno_quantiser_fill (const DynoWeight *quants,
                     guint64 seed,
                     gsize first,
                     gsize n_columns,
                     guint8 *bytes,
                     float *scales,
                     guint8 *zeros)
{
  const DynoWeight *source = quants->source;
  gsize depth = (gsize)source->shape.dims[source->is_by_rows ? 1 : 0];
  gsize n_blocks = (gsize)quants->shape.dims[1];
  gsize n_bytes = n_blocks * (gsize)quants->shape.dims[2];
  gsize stride = depth + PADDING;
  /* The columns of the graph are the rows of a file that has the weight as [outputs, inputs]. */
  gboolean is_turned = source->is_by_rows || source->is_turned;
  const DynoPacked *packed = is_turned && source->tensor != NULL ? source->tensor->packed : NULL;
  const DynoQuantisation *how = quants->quantisation;
  gsize n_block_bytes = how->block * how->bits / 8;
  guint8 block[G_MAXUINT8 + 1];
  g_autofree float *values = NULL;

  if (quants->quantisation->bits == 4 && dyno_packed_has_blocks (packed, 4, quants->quantisation->block) &&
      (source->zeros != NULL || packed->is_symmetric))
    {
      for (gsize i = 0; i < n_columns; i++)
        if (!dyno_packed_copy_row (packed, first + i, quants->quantisation->block, bytes + i * n_bytes,
                                   zeros != NULL ? zeros + i * ((n_blocks + 1) / 2) : NULL,
                                   scales + i * n_blocks))
          return FALSE;
      return TRUE;
    }
  if (zeros != NULL)
    memset (zeros, 0x88, n_columns * ((n_blocks + 1) / 2));
  values = g_new (float, n_columns *stride);
  dyno_weights_fill_columns (source, seed, first, n_columns, values, stride);
  g_assert (how->block <= sizeof block);
  for (gsize i = 0; i < n_columns; i++)
    for (gsize k = 0, part = 0; k < depth; k += how->block, part++)
      {
        const float *from = values + i * stride + k;
        gsize n = MIN (how->block, depth - k);

        for (gsize m = 0; m < n; m++)
          if (!isfinite (from[m]))
            return FALSE;
        dyno_quantiser_pack (how, from, n, block, scales + i * n_blocks + part);
        memcpy (bytes + i * n_bytes + part * n_block_bytes, block, n_block_bytes);
      }
  return TRUE;
}
