/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "dyno-quantiser.h"
#include "dyno-weights.h"

/* Columns are apart by a little more than they are long, so that lengths of powers of two do not share cache lines. */
#define PADDING 16

static float
find_farthest (const float *values, gsize n_values)
{
  float largest = -INFINITY, smallest = INFINITY;

  for (gsize i = 0; i < n_values; i++)
    {
      largest = values[i] > largest ? values[i] : largest;
      smallest = values[i] < smallest ? values[i] : smallest;
    }
  return largest > -smallest ? largest : smallest;
}

/* The lower half of a byte first. */
static void
join_halves (guint8 *bytes, gsize n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    bytes[i] = (guint8)(bytes[2 * i] | (bytes[2 * i + 1] << 4));
}

/**
 * dyno_quantiser_pack:
 * @how: bits and size of a block
 * @values: (array length=n_values): the elements
 * @n_values: how many, at most a block
 * @quants: (out caller-allocates) (array): room for a byte for each element of a whole block
 * @scale: (out): what (quant − 2^(bits − 1)) is multiplied with to have the element again
 *
 * Rounds to the nearest of 2^bits evenly spaced numbers around 0, the farthest element to the very end: symmetric
 * quantisation as MatMulNBits has it without zero points. A block that is not full is filled up with zeros. Elements of
 * 4 bits lie two in a byte.
 */
void
dyno_quantiser_pack (
    const DynoQuantisation *how, const float *values, gsize n_values, guint8 *quants, float *scale)
{
  float middle = (float)(1u << (how->bits - 1));
  float largest = 2 * middle - 1;
  float inverse;

  *scale = -find_farthest (values, n_values) / middle;
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
    join_halves (quants, how->block / 2);
}

static gboolean
pack_column (const DynoQuantisation *how, const float *values, gsize depth, guint8 *bytes, float *scales)
{
  guint8 block[G_MAXUINT8 + 1];
  gsize n_bytes = how->block * how->bits / 8;

  g_assert (how->block <= sizeof block);

  for (gsize i = 0; i < depth; i += how->block)
    {
      for (gsize k = i; k < MIN (i + how->block, depth); k++)
        if (!isfinite (values[k]))
          return FALSE;
      dyno_quantiser_pack (how, values + i, MIN (how->block, depth - i), block, scales++);
      memcpy (bytes, block, n_bytes);
      bytes += n_bytes;
    }
  return TRUE;
}

/* Symmetrical, so that 0 stays 0 without a zero point; -128 has no counterpart, so it is left out. */
static gboolean
round_column (const float *values, gsize depth, gint8 *bytes, gsize stride, float *scale)
{
  float farthest = 0;
  float inverse;

  for (gsize i = 0; i < depth; i++)
    {
      if (!isfinite (values[i]))
        return FALSE;
      farthest = MAX (farthest, fabsf (values[i]));
    }
  *scale = farthest / 127;
  inverse = *scale >= FLT_MIN ? 1 / *scale : 0;
  for (gsize i = 0; i < depth; i++)
    bytes[i * stride] = (gint8)lrintf (values[i] * inverse);
  return TRUE;
}

/**
 * dyno_quantiser_fill_rows:
 * @quants: the quantised form of a weight, [depth, columns], each column with one scale
 * @seed: the seed of the model
 * @first: the first column wanted
 * @n_columns: how many
 * @rows: (out caller-allocates): the whole matrix, row by row, of which those columns are filled
 * @scales: (out caller-allocates): those of the columns wanted
 *
 * Rounds to the nearest of 255 evenly spaced numbers around 0, as exporters do it for MatMulInteger.
 *
 * Returns: %FALSE where an element is not a finite number
 */
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
    if (!round_column (values + i * stride, depth, rows + first + i, width, scales + i))
      return FALSE;
  return TRUE;
}

/**
 * dyno_quantiser_fill:
 * @quants: the quantised form of a weight
 * @seed: the seed of the model
 * @first: the first column wanted
 * @n_columns: how many
 * @bytes: (out caller-allocates): the quantised columns, one after another
 * @scales: (out caller-allocates): those of their blocks
 *
 * Quantises some columns of a matrix, of which no more is read or drawn than these.
 *
 * Returns: %FALSE where an element is not a finite number
 */
gboolean
dyno_quantiser_fill (
    const DynoWeight *quants, guint64 seed, gsize first, gsize n_columns, guint8 *bytes, float *scales)
{
  const DynoWeight *source = quants->source;
  gsize depth = (gsize)source->shape.dims[source->is_by_rows ? 1 : 0];
  gsize n_blocks = (gsize)quants->shape.dims[1];
  gsize n_bytes = n_blocks * (gsize)quants->shape.dims[2];
  gsize stride = depth + PADDING;
  g_autofree float *values = g_new (float, n_columns *stride);

  dyno_weights_fill_columns (source, seed, first, n_columns, values, stride);
  for (gsize i = 0; i < n_columns; i++)
    if (!pack_column (quants->quantisation, values + i * stride, depth, bytes + i * n_bytes,
                      scales + i * n_blocks))
      return FALSE;
  return TRUE;
}
