/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-model-weights-private.h"

guint64
dyno_weights_key (const char *name, guint64 seed)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (const char *c = name; *c != '\0'; c++)
    hash = (hash ^ (guint8)*c) * G_GUINT64_CONSTANT (0x100000001b3);
  return dyno_weights_mix (hash ^ dyno_weights_mix (seed));
}

static void
fill_sinusoid (const DynoWeight *weight, gsize offset, float *values, gsize n_values)
{
  gsize width = (gsize)weight->shape.dims[1];
  gsize half = (width + 1) / 2;

  for (gsize i = 0; i < n_values; i++)
    {
      gsize column = (offset + i) % width;
      double exponent = (double)(column % half) / weight->sine_span;
      double angle = (double)((offset + i) / width) / pow (10000, exponent);

      values[i] = (float)(column < half ? sin (angle) : cos (angle));
    }
}

void
dyno_weights_fill (const DynoWeight *weight, guint64 seed, gsize offset, float *values, gsize n_values)
{
  guint64 counter = dyno_weights_key (weight->name, seed) + offset / 2;
  float mean = (float)weight->mean;
  float scale = (float)(weight->deviation * sqrt (3) / 2147483648.0);

  if (weight->tensor != NULL && weight->is_turned)
    {
      /* Rows of the output are columns of the input. */
      gsize n_rows = (gsize)weight->shape.dims[0];
      gsize n_columns = (gsize)weight->shape.dims[1];

      g_assert (offset % n_columns == 0 && n_values % n_columns == 0);
      for (gsize i = 0; i < n_columns; i++)
        dyno_safetensor_read (weight->tensor, i * n_rows + offset / n_columns, n_values / n_columns,
                              values + i, n_columns);
      return;
    }
  if (weight->tensor != NULL)
    {
      dyno_safetensor_read (weight->tensor, offset, n_values, values, 1);
      return;
    }
  if (weight->sine_span > 0)
    {
      fill_sinusoid (weight, offset, values, n_values);
      return;
    }
  g_assert (offset % 2 == 0);

  for (gsize i = 0; i + 1 < n_values; i += 2)
    {
      guint64 bits = dyno_weights_mix (counter++);

      values[i] = mean + scale * (float)(gint32)(guint32)bits;
      values[i + 1] = mean + scale * (float)(gint32)(guint32)(bits >> 32);
    }
  if (n_values % 2 != 0)
    values[n_values - 1] = mean + scale * (float)(gint32)(guint32)dyno_weights_mix (counter);
}

/* Part of a row of [rows, columns]; random elements begin at an even index. */
static void
fill_row (const DynoWeight *weight, guint64 seed, gsize offset, float *values, gsize n_values)
{
  gsize n_before = offset % 2;

  dyno_weights_fill (weight, seed, offset - n_before, values, n_values + n_before);
  if (n_before > 0)
    memmove (values, values + n_before, n_values * sizeof *values);
}

void
dyno_weights_fill_columns (
    const DynoWeight *weight, guint64 seed, gsize first, gsize n_columns, float *values, gsize stride)
{
  gboolean is_turned = weight->is_by_rows || (weight->is_turned && weight->tensor != NULL);
  gsize depth = (gsize)weight->shape.dims[weight->is_by_rows ? 1 : 0];
  gsize width = (gsize)weight->shape.dims[1];
  g_autofree float *row = g_new (float, MAX (n_columns, depth) + 1);

  for (gsize i = 0; is_turned && i < n_columns; i++)
    if (weight->tensor != NULL)
      dyno_safetensor_read (weight->tensor, (first + i) * depth, depth, values + i * stride, 1);
    else
      {
        fill_row (weight, seed, (first + i) * depth, row, depth);
        memcpy (values + i * stride, row, depth * sizeof *row);
      }
  for (gsize i = 0; !is_turned && i < depth; i++)
    {
      fill_row (weight, seed, i * width + first, row, n_columns);
      for (gsize k = 0; k < n_columns; k++)
        values[k * stride + i] = row[k];
    }
}
