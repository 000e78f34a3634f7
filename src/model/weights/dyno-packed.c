/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-float16.h"
#include "dyno-model-weights-private.h"

/* Elements that share a scale in MXFP4, two in a byte. */
#define MX_BLOCK 32
#define MX_BYTES (MX_BLOCK / 2)

#define WORD_BITS 32

/* Rows and columns that share a scale in the first FP8 checkpoints. */
#define FP8_BLOCK 128

static gint64
divide_up (gint64 number, gint64 divisor)
{
  return (number + divisor - 1) / divisor;
}

static const DynoSafetensor *
find_part (GHashTable *tensors, const char *stem, const char *suffix, const char *type, guint rank)
{
  g_autofree char *name = g_strconcat (stem, suffix, NULL);
  const DynoSafetensor *part = g_hash_table_lookup (tensors, name);

  return part != NULL && (type == NULL || g_str_equal (part->type_name, type)) && part->shape.rank == rank
             ? part
             : NULL;
}

static gboolean
has_part (GHashTable *tensors, const char *stem, const char *suffix)
{
  g_autofree char *name = g_strconcat (stem, suffix, NULL);

  return g_hash_table_contains (tensors, name);
}

static float
get_real (const DynoSafetensor *tensor, gsize index)
{
  float value;

  dyno_safetensor_read (tensor, index, 1, &value, 1);
  return value;
}

/* A few bits of an array of words. */
static guint
get_bits (const DynoSafetensor *words, gsize word, guint shift, guint bits)
{
  guint32 value;

  memcpy (&value, words->data + word * sizeof value, sizeof value);
  return (GUINT32_FROM_LE (value) >> shift) & ((1u << bits) - 1);
}

/* GPTQ: a word has consecutive inputs of one output; [inputs / n, outputs], zero points [groups, outputs / n]. */
static guint
get_gptq_quant (const DynoPacked *self, gsize row, gsize column)
{
  guint n = WORD_BITS / self->bits;

  return get_bits (self->quants, column / n * (gsize)self->quants->shape.dims[1] + row,
                   (guint)(column % n) * self->bits, self->bits);
}

static guint
get_gptq_zero (const DynoPacked *self, gsize row, gsize group)
{
  guint n = WORD_BITS / self->bits;
  guint zero = get_bits (self->zeros, group * (gsize)self->zeros->shape.dims[1] + row / n,
                         (guint)(row % n) * self->bits, self->bits);

  return self->format.has_whole_zeros ? zero : (zero + 1) & ((1u << self->bits) - 1);
}

/* AWQ: a word has eight consecutive outputs, the even ones first; [inputs, outputs / 8]. */
static guint
get_awq_bits (const DynoPacked *self, const DynoSafetensor *words, gsize line, gsize row)
{
  static const guint places[] = { 0, 4, 1, 5, 2, 6, 3, 7 };

  return get_bits (words, line * (gsize)words->shape.dims[1] + row / G_N_ELEMENTS (places),
                   places[row % G_N_ELEMENTS (places)] * self->bits, self->bits);
}

static guint
get_awq_quant (const DynoPacked *self, gsize row, gsize column)
{
  return get_awq_bits (self, self->quants, column, row);
}

static guint
get_awq_zero (const DynoPacked *self, gsize row, gsize group)
{
  return get_awq_bits (self, self->zeros, group, row);
}

static gsize
get_group (const DynoPacked *self, gsize column)
{
  gint32 group;

  if (self->groups == NULL)
    return column / self->group;
  memcpy (&group, self->groups->data + column * sizeof group, sizeof group);
  return (gsize)GINT32_FROM_LE (group);
}

static void
read_grouped (const DynoPacked *self, gsize row, gsize first, gsize n_values, float *values, gsize step)
{
  gsize n_rows = (gsize)self->scales->shape.dims[1];
  gsize known = G_MAXSIZE;
  float scale = 0;
  int zero = 0;

  for (gsize i = 0; i < n_values; i++)
    {
      gsize group = get_group (self, first + i);

      if (group != known)
        {
          scale = get_real (self->scales, group * n_rows + row);
          zero = (int)self->get_zero (self, row, group);
        }
      known = group;
      values[i * step] = (float)((int)self->get_quant (self, row, first + i) - zero) * scale;
    }
}

/* The middle of the range, less one in the usual form of GPTQ, in each place of each word. */
static gboolean
is_symmetric (const DynoPacked *self, gboolean has_whole_zeros)
{
  guint8 middle = (guint8)((1u << (self->bits - 1)) - (has_whole_zeros ? 0 : 1));
  guint8 byte = self->bits == 4 ? (guint8)(middle << 4 | middle) : middle;

  for (gsize i = 0; i < self->zeros->size; i++)
    if (self->zeros->data[i] != byte)
      return FALSE;
  return self->bits >= 4;
}

/* Returns whether each column has a group that exists. Groups in their usual order need no table. */
static gboolean
check_groups (DynoPacked *self, gint64 n_columns, gint64 n_groups)
{
  gboolean is_usual = TRUE;

  if (self->groups == NULL)
    return TRUE;
  if (self->groups->shape.dims[0] != n_columns)
    return FALSE;
  for (gsize i = 0; i < (gsize)n_columns; i++)
    {
      gsize group = get_group (self, i);

      if (group >= (gsize)n_groups)
        return FALSE;
      is_usual = is_usual && group == i / self->group;
    }
  if (is_usual)
    self->groups = NULL;
  return TRUE;
}

/* AWQ and GPTQ differ in which dimension is in words; scales are [groups, outputs] in both. */
static gboolean
find_grouped (DynoPacked *self, GHashTable *tensors, const char *stem)
{
  const DynoSafetensor *quants = self->quants = find_part (tensors, stem, ".qweight", "I32", 2);
  const DynoSafetensor *zeros = self->zeros = find_part (tensors, stem, ".qzeros", "I32", 2);
  const DynoSafetensor *scales = self->scales = find_part (tensors, stem, ".scales", NULL, 2);
  gint64 n_rows, n_columns, n_groups;
  gboolean is_awq;

  self->groups = find_part (tensors, stem, ".g_idx", "I32", 1);
  if (quants == NULL || zeros == NULL || scales == NULL || !dyno_safetensor_is_real (scales) ||
      quants->size == 0 || zeros->size == 0 || dyno_shape_count (&scales->shape) < 1 ||
      (self->groups == NULL && has_part (tensors, stem, ".g_idx")))
    return FALSE;
  n_groups = scales->shape.dims[0];
  n_rows = scales->shape.dims[1];
  is_awq = quants->shape.dims[1] != n_rows;
  self->bits = (guint)(zeros->shape.dims[1] * WORD_BITS / n_rows);
  if (self->bits == 0 || self->bits > 8 || WORD_BITS % self->bits != 0 || (is_awq && self->bits != 4))
    return FALSE;
  n_columns = is_awq ? quants->shape.dims[0] : quants->shape.dims[0] * WORD_BITS / self->bits;
  /* Layers may have another size than the config says, but then they have whole groups. */
  if (n_columns > 0 && self->format.group > 0 &&
      divide_up (n_columns, MIN (self->format.group, n_columns)) == n_groups)
    self->group = (gsize)MIN (self->format.group, n_columns);
  else
    self->group = n_columns > 0 && n_columns % n_groups == 0 ? (gsize)(n_columns / n_groups) : 0;
  self->read_row = read_grouped;
  self->get_quant = is_awq ? get_awq_quant : get_gptq_quant;
  self->get_zero = is_awq ? get_awq_zero : get_gptq_zero;
  self->is_symmetric = is_symmetric (self, is_awq || self->format.has_whole_zeros);
  self->view.shape = (DynoShape){ DYNO_DATA_TYPE_FLOAT, 2, { n_rows, n_columns } };
  return self->group > 0 && zeros->shape.dims[0] == n_groups &&
         zeros->shape.dims[1] * WORD_BITS == n_rows * self->bits &&
         (!is_awq || quants->shape.dims[1] == zeros->shape.dims[1]) &&
         check_groups (self, n_columns, n_groups);
}

static void
read_fp8 (const DynoPacked *self, gsize row, gsize first, gsize n_values, float *values, gsize step)
{
  const guint8 *bytes = self->quants->data + row * (gsize)self->view.shape.dims[1] + first;
  gboolean is_e5m2 = g_str_equal (self->quants->type_name, "F8_E5M2");
  gsize n_scales = (gsize)divide_up (self->view.shape.dims[1], self->format.block[1]);
  gsize line = row / (gsize)self->format.block[0] * n_scales;

  for (gsize i = 0; i < n_values; i++)
    {
      guint exponent = (bytes[i] >> 3) & 15;
      float fraction = (float)(bytes[i] & 7) / 8;
      float value = exponent > 0 ? ldexpf (1 + fraction, (int)exponent - 7) : ldexpf (fraction, -6);

      /* E4M3 has no infinity, and one NaN pattern; E5M2 is the upper half of half precision. */
      if (is_e5m2)
        value = dyno_float16_to_float ((guint16)(bytes[i] << 8));
      else if ((bytes[i] & 0x7f) == 0x7f)
        value = NAN;
      else if (bytes[i] & 0x80)
        value = -value;
      values[i * step] = value * get_real (self->scales, line + (first + i) / (gsize)self->format.block[1]);
    }
}

static gboolean
find_fp8 (DynoPacked *self, GHashTable *tensors, const char *stem)
{
  static const char *const suffixes[] = { ".weight_scale_inv", ".weight_scale" };
  const DynoSafetensor *scales = NULL;
  gint64 *block = self->format.block;

  self->quants = find_part (tensors, stem, ".weight", "F8_E4M3", 2);
  if (self->quants == NULL)
    self->quants = find_part (tensors, stem, ".weight", "F8_E5M2", 2);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    for (guint rank = 0; rank <= 2 && scales == NULL; rank++)
      scales = find_part (tensors, stem, suffixes[i], NULL, rank);
  self->scales = scales != NULL && dyno_safetensor_is_real (scales) ? scales : NULL;
  if (self->quants == NULL || self->scales == NULL)
    return FALSE;
  self->bits = 8;
  self->read_row = read_fp8;
  self->view.shape = self->quants->shape;
  self->view.shape.type = DYNO_DATA_TYPE_FLOAT;
  if ((gint64)self->quants->size != dyno_shape_count (&self->view.shape) || self->quants->size == 0)
    return FALSE;

  /* One scale for all, one for each output, or one for each block, by the shape that the scales have. */
  const gint64 *dims = self->quants->shape.dims;
  for (guint i = 0; i < 2; i++)
    block[i] = MIN (block[i] > 0 ? block[i] : FP8_BLOCK, dims[i]);
  if (dyno_shape_count (&scales->shape) == 1)
    {
      block[0] = dims[0];
      block[1] = dims[1];
      return TRUE;
    }
  if (scales->shape.rank == 1 || (scales->shape.rank == 2 && scales->shape.dims[1] == 1))
    {
      block[0] = 1;
      block[1] = dims[1];
      return scales->shape.dims[0] == dims[0];
    }
  return scales->shape.rank == 2 && scales->shape.dims[0] == divide_up (dims[0], block[0]) &&
         scales->shape.dims[1] == divide_up (dims[1], block[1]);
}

/* [experts, outputs, blocks, bytes] in files, and [experts, inputs, outputs] in the model. */
static void
read_mxfp4 (const DynoPacked *self, gsize row, gsize first, gsize n_values, float *values, gsize step)
{
  static const float numbers[] = { 0, 0.5, 1, 1.5, 2, 3, 4, 6 };
  gsize n_inputs = (gsize)self->view.shape.dims[1];
  gsize n_outputs = (gsize)self->view.shape.dims[2];
  gsize input = row % n_inputs;
  gsize block = row / n_inputs * n_outputs * (n_inputs / MX_BLOCK) + input / MX_BLOCK;

  for (gsize i = 0; i < n_values; i++)
    {
      gsize place = block + (first + i) * (n_inputs / MX_BLOCK);
      guint8 byte = self->quants->data[place * MX_BYTES + input % MX_BLOCK / 2];
      guint number = input % 2 == 0 ? byte & 15 : byte >> 4;
      guint8 exponent = self->scales->data[place];
      float value = number & 8 ? -numbers[number & 7] : numbers[number & 7];

      values[i * step] = exponent == G_MAXUINT8 ? NAN : ldexpf (value, exponent - 127);
    }
}

static gboolean
find_mxfp4 (DynoPacked *self, GHashTable *tensors, const char *stem)
{
  const DynoSafetensor *quants = self->quants = find_part (tensors, stem, "_blocks", "U8", 4);
  const DynoSafetensor *scales = self->scales = find_part (tensors, stem, "_scales", "U8", 3);

  if (quants == NULL || scales == NULL || quants->size == 0 || quants->shape.dims[3] != MX_BYTES ||
      memcmp (quants->shape.dims, scales->shape.dims, 3 * sizeof *quants->shape.dims) != 0)
    return FALSE;
  self->bits = 4;
  self->group = MX_BLOCK;
  self->read_row = read_mxfp4;
  self->view.shape =
      (DynoShape){ DYNO_DATA_TYPE_FLOAT,
                   3,
                   { quants->shape.dims[0], quants->shape.dims[2] * MX_BLOCK, quants->shape.dims[1] } };
  return TRUE;
}

DynoPacked *
dyno_packed_find (GHashTable *tensors, const char *name, const DynoPackedFormat *format)
{
  gboolean is_weight = g_str_has_suffix (name, ".weight");
  g_autofree char *stem = g_strndup (name, strlen (name) - (is_weight ? strlen (".weight") : 0));
  g_autofree DynoPacked *self = g_new0 (DynoPacked, 1);
  gboolean is_found;

  self->format = *format;
  is_found = is_weight ? find_grouped (self, tensors, stem) || find_fp8 (self, tensors, stem)
                       : find_mxfp4 (self, tensors, stem);
  if (!is_found)
    return NULL;
  self->view.file = self->quants->file;
  self->view.name = self->quants->name;
  self->view.type_name = self->quants->type_name;
  self->view.packed = self;
  return g_steal_pointer (&self);
}

/* Does the work of dyno_safetensor_read() for one tensor. */
void
dyno_packed_read (const DynoPacked *self, gsize first, gsize n_values, float *values, gsize step)
{
  gsize n_columns = (gsize)self->view.shape.dims[self->view.shape.rank - 1];

  while (n_values > 0)
    {
      gsize n = MIN (n_values, n_columns - first % n_columns);

      self->read_row (self, first / n_columns, first % n_columns, n, values, step);
      first += n;
      values += n * step;
      n_values -= n;
    }
}

void
dyno_packed_add_to_checksum (const DynoPacked *self, GChecksum *checksum)
{
  const DynoSafetensor *const parts[] = { self->quants, self->scales, self->zeros, self->groups };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      g_checksum_update (checksum, parts[i]->data, (gssize)parts[i]->size);
}

gboolean
dyno_packed_has_blocks (const DynoPacked *self, guint bits, gsize block)
{
  return self != NULL && self->get_quant != NULL && self->bits == bits && self->groups == NULL &&
         (self->group % block == 0 || self->group == (gsize)self->view.shape.dims[1]);
}

static void
put_nibble (guint8 *bytes, gsize index, guint number)
{
  if (index % 2 == 0)
    bytes[index / 2] = (guint8)number;
  else
    bytes[index / 2] |= (guint8)(number << 4);
}

gboolean
dyno_packed_copy_row (
    const DynoPacked *self, gsize row, gsize block, guint8 *quants, guint8 *zeros, float *scales)
{
  gsize n_columns = (gsize)self->view.shape.dims[1];
  gsize n_blocks = (n_columns + block - 1) / block;

  for (gsize i = 0; i < n_blocks; i++)
    {
      gsize group = i * block / self->group;
      guint zero = self->get_zero (self, row, group);

      scales[i] = get_real (self->scales, group * (gsize)self->scales->shape.dims[1] + row);
      if (!isfinite (scales[i]))
        return FALSE;
      if (zeros != NULL)
        put_nibble (zeros, i, zero);
      for (gsize k = i * block; k < (i + 1) * block; k++)
        put_nibble (quants, k, k < n_columns ? self->get_quant (self, row, k) : zero);
    }
  return TRUE;
}

gboolean
dyno_packed_has_parts (GHashTable *tensors, const char *name)
{
  gboolean is_weight = g_str_has_suffix (name, ".weight");
  g_autofree char *stem = g_strndup (name, strlen (name) - (is_weight ? strlen (".weight") : 0));
  const DynoSafetensor *tensor = g_hash_table_lookup (tensors, name);

  return has_part (tensors, stem, is_weight ? ".qweight" : "_blocks") ||
         (tensor != NULL && g_str_has_prefix (tensor->type_name, "F8_"));
}
