/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "dyno-model-weights-private.h"

/* The stride of columns is a little more than their length, so that columns with a power-of-two length do not map to
 * the same cache sets. */
#define PADDING 16

/* A quantised bias has 32 bits, with room for the products that are added to it. */
#define MAX_BIAS 0x1p30f

/* How many channels of a layer are read at a time: an even number, because random numbers begin at an even place. */
#define CHANNELS 16

/* The quantiles of a normal distribution, Dettmers et al. 2023 (QLoRA), as bitsandbytes and ONNX Runtime have them. */
static const float normal_levels[] = {
  -1.0f,       -0.69619280f, -0.52507305f, -0.39491749f, -0.28444138f, -0.18477343f, -0.09105004f, 0.0f,
  0.07958030f, 0.16093020f,  0.24611230f,  0.33791524f,  0.44070983f,  0.56261700f,  0.72295684f,  1.0f,
};

gsize
dyno_quantiser_count_columns (const DynoWeight *quants)
{
  return (gsize)quants->source->shape.dims[quants->source->is_by_rows ? 0 : 1];
}

void
dyno_quantiser_pack_normal (const float *values, gsize n_values, guint8 *quants, float *scale)
{
  float inverse;

  *scale = 0;
  for (gsize i = 0; i < n_values; i++)
    *scale = fmaxf (*scale, fabsf (values[i]));
  inverse = *scale >= FLT_MIN ? 1 / *scale : 0;
  for (gsize i = 0; i < n_values; i++)
    {
      guint8 level = 0;

      while (level + 1u < G_N_ELEMENTS (normal_levels) &&
             values[i] * inverse > (normal_levels[level] + normal_levels[level + 1]) / 2)
        level++;
      /* The high nibble comes first. */
      quants[i / 2] = (guint8)(i % 2 == 0 ? level << 4 : quants[i / 2] | level);
    }
}

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
      if (quants->quantisation->is_static && scales[i] < FLT_MIN)
        scales[i] = 1;
      float inverse = scales[i] >= FLT_MIN ? 1 / scales[i] : 0;
      for (gsize k = 0; k < depth; k++)
        rows[first + i + k * width] = (gint8)lrintf (column[k] * inverse);
    }
  return TRUE;
}

static float *
read_numbers (const DynoWeight *weight, guint64 seed)
{
  gsize n = (gsize)dyno_shape_count (&weight->shape);
  float *numbers = g_new (float, n);

  dyno_weights_fill (weight, seed, 0, numbers, n);
  return numbers;
}

/* Symmetric, as for products; the scale leaves the bias room in 32 bits. @stride: from one element of the channel to
 * the next. Returns the scale, 0 if a number is not finite. */
static float
fill_channel (const DynoQuantisedLayer *layer,
              const float *values,
              gsize n,
              float factor,
              float bias,
              gint8 *quants,
              gsize stride)
{
  float largest = (float)layer->quants->quantisation->largest;
  float farthest = 0, scale;

  for (gsize i = 0; i < n; i++)
    {
      if (!isfinite (values[i]))
        return 0;
      farthest = fmaxf (farthest, fabsf (values[i]));
    }
  scale = fmaxf (farthest * fabsf (factor) / largest, fabsf (bias) / (layer->input_scale * MAX_BIAS));
  if (!isfinite (scale) || !isfinite (factor) || !isfinite (bias))
    return 0;
  if (scale < FLT_MIN)
    scale = 1;
  for (gsize i = 0; i < n; i++)
    quants[i * stride] = (gint8)lrintf (values[i] * (factor / scale));
  return scale;
}

/* A normalisation multiplies each channel by a factor and moves it: y = (x − mean) · gain / √(variance + ε) + shift. */
gboolean
dyno_quantiser_fill_layer (const DynoQuantisedLayer *layer,
                           guint64 seed,
                           gint8 *quants,
                           float *scales,
                           gint32 *biases,
                           float *bias_scales)
{
  gsize n_channels = (gsize)layer->scales->shape.dims[0];
  gsize n_each = (gsize)dyno_shape_count (&layer->weight->shape) / n_channels;
  gboolean is_product = layer->weight->shape.rank == 2;
  g_autofree float *factors = g_new (float, n_channels);
  g_autofree float *shifts =
      layer->bias != NULL ? read_numbers (layer->bias, seed) : g_new0 (float, n_channels);
  g_autofree float *values = g_new (float, CHANNELS *n_each);
  float *norm[G_N_ELEMENTS (layer->norm)] = { NULL };

  for (guint i = 0; layer->norm[0] != NULL && i < G_N_ELEMENTS (norm); i++)
    norm[i] = read_numbers (layer->norm[i], seed);
  for (gsize i = 0; i < n_channels; i++)
    {
      factors[i] = norm[0] != NULL ? norm[0][i] / sqrtf (norm[3][i] + (float)layer->epsilon) : 1;
      shifts[i] = norm[0] != NULL ? (shifts[i] - norm[2][i]) * factors[i] + norm[1][i] : shifts[i];
    }
  for (guint i = 0; i < G_N_ELEMENTS (norm); i++)
    g_free (norm[i]);
  for (gsize i = 0; i < n_channels; i++)
    {
      gsize n = MIN (n_channels - i, CHANNELS);

      if (i % CHANNELS == 0 && is_product)
        dyno_weights_fill_columns (layer->weight, seed, i, n, values, n_each);
      else if (i % CHANNELS == 0)
        dyno_weights_fill (layer->weight, seed, i * n_each, values, n * n_each);
      scales[i] = fill_channel (layer, values + i % CHANNELS * n_each, n_each, factors[i], shifts[i],
                                quants + (is_product ? i : i * n_each), is_product ? n_channels : 1);
      if (scales[i] <= 0)
        return FALSE;
      bias_scales[i] = scales[i] * layer->input_scale;
      biases[i] =
          bias_scales[i] > 0 ? (gint32)lrintf (CLAMP (shifts[i] / bias_scales[i], -MAX_BIAS, MAX_BIAS)) : 0;
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
  const DynoQuantisation *how = quants->quantisation;
  gsize n_block_bytes = how->block * how->bits / 8;
  gsize n_blocks = (depth + how->block - 1) / how->block, n_bytes = n_blocks * n_block_bytes;
  gsize stride = depth + PADDING;
  /* The columns of the graph are the rows of a file that has the weight as [outputs, inputs]. */
  gboolean is_turned = source->is_by_rows || source->is_turned;
  const DynoPacked *packed = is_turned && source->tensor != NULL ? source->tensor->packed : NULL;
  guint8 block[G_MAXUINT8 + 1];
  g_autofree float *values = NULL;

  if (how->bits == 4 && !how->is_normal && dyno_packed_has_blocks (packed, 4, how->block) &&
      (source->zeros != NULL || packed->is_symmetric))
    {
      for (gsize i = 0; i < n_columns; i++)
        if (!dyno_packed_copy_row (packed, first + i, how->block, bytes + i * n_bytes,
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
        if (how->is_normal)
          dyno_quantiser_pack_normal (from, n, block, scales + i * n_blocks + part);
        else
          dyno_quantiser_pack (how, from, n, block, scales + i * n_blocks + part);
        memcpy (bytes + i * n_bytes + part * n_block_bytes, block, n_block_bytes);
      }
  return TRUE;
}
