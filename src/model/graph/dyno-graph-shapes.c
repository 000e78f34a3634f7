/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-model-graph-private.h"

/* The shape rules of the operators that builders use, from ONNX's docs/Operators.md for opset 17. */

typedef struct
{
  const Onnx__NodeProto *node;
  DynoGraphValue *const *inputs;
  guint n_inputs;
  DynoGraphValue *output;
} Inference;

typedef gboolean (*Rule) (const Inference *self);

static const DynoShape *
input_shape (const Inference *self, guint index)
{
  return &self->inputs[index]->shape;
}

static gint64
wrap_axis (gint64 axis, guint rank)
{
  return axis < 0 ? axis + rank : axis;
}

static gint64
count_range (const DynoShape *shape, guint from, guint to)
{
  gint64 count = 1;

  for (guint i = from; i < to; i++)
    count *= shape->dims[i];
  return count;
}

static gboolean
broadcast (DynoShape *shape, const DynoShape *other)
{
  guint rank = MAX (shape->rank, other->rank);
  DynoShape result = { shape->type, rank, { 0 } };

  for (guint i = 0; i < rank; i++)
    {
      gint64 a = i + shape->rank >= rank ? shape->dims[i + shape->rank - rank] : 1;
      gint64 b = i + other->rank >= rank ? other->dims[i + other->rank - rank] : 1;

      if (a != b && a != 1 && b != 1)
        return FALSE;
      result.dims[i] = a == 1 ? b : a;
    }
  *shape = result;
  return TRUE;
}

static gboolean
infer_elementwise (const Inference *self)
{
  self->output->shape = *input_shape (self, 0);
  for (guint i = 1; i < self->n_inputs; i++)
    if (!broadcast (&self->output->shape, input_shape (self, i)))
      return FALSE;
  return TRUE;
}

static gboolean
infer_compare (const Inference *self)
{
  gboolean fits = infer_elementwise (self);

  self->output->shape.type = DYNO_DATA_TYPE_BOOL;
  return fits;
}

static gboolean
infer_where (const Inference *self)
{
  gboolean fits = infer_elementwise (self);

  self->output->shape.type = input_shape (self, 1)->type;
  return fits;
}

static gboolean
infer_same (const Inference *self)
{
  self->output->shape = *input_shape (self, 0);
  return TRUE;
}

static gboolean
infer_cast (const Inference *self)
{
  self->output->shape = *input_shape (self, 0);
  self->output->shape.type = (DynoDataType)dyno_node_get_int (self->node, "to", 0);
  return TRUE;
}

/* Inputs: data, scale, and a zero point of the type of the result. */
static gboolean
infer_quantise (const Inference *self)
{
  self->output->shape = *input_shape (self, 0);
  self->output->shape.type = input_shape (self, 2)->type;
  return TRUE;
}

static gboolean
infer_dequantise (const Inference *self)
{
  self->output->shape = *input_shape (self, 0);
  self->output->shape.type = input_shape (self, 1)->type;
  return TRUE;
}

static gboolean
infer_mat_mul (const Inference *self)
{
  DynoShape a = *input_shape (self, 0);
  DynoShape b = *input_shape (self, 1);
  gint64 rows, columns;

  if (a.rank < 2 || b.rank < 2 || a.dims[a.rank - 1] != b.dims[b.rank - 2])
    return FALSE;
  rows = a.dims[a.rank - 2];
  columns = b.dims[b.rank - 1];
  a.rank -= 2;
  b.rank -= 2;
  if (!broadcast (&a, &b))
    return FALSE;
  a.dims[a.rank++] = rows;
  a.dims[a.rank++] = columns;
  self->output->shape = a;
  return TRUE;
}

static gboolean
infer_mat_mul_integer (const Inference *self)
{
  gboolean fits = infer_mat_mul (self);

  self->output->shape.type = DYNO_DATA_TYPE_INT32;
  return fits;
}

/* The weight is [N, blocks, bytes of a block], or of one dimension with all of that. */
static gboolean
infer_mat_mul_n_bits (const Inference *self)
{
  DynoShape shape = *input_shape (self, 0);

  if (shape.rank < 1 || shape.dims[shape.rank - 1] != dyno_node_get_int (self->node, "K", 0))
    return FALSE;
  shape.dims[shape.rank - 1] = dyno_node_get_int (self->node, "N", 0);
  self->output->shape = shape;
  if (input_shape (self, 1)->rank == 1)
    return input_shape (self, 1)->dims[0] ==
           (dyno_node_get_int (self->node, "K", 0) * shape.dims[shape.rank - 1] + 1) / 2;
  return input_shape (self, 1)->dims[0] == shape.dims[shape.rank - 1];
}

/* Query [b, s, w]; value [b, t, v] or [b, heads, t, width]: as wide as the values of all heads. */
static gboolean
infer_multi_head_attention (const Inference *self)
{
  const DynoShape *value = input_shape (self, 2);

  self->output->shape = *input_shape (self, 0);
  if (self->output->shape.rank != 3 || value->rank < 3 || value->rank > 4)
    return FALSE;
  self->output->shape.dims[2] = value->rank == 3 ? value->dims[2] : value->dims[1] * value->dims[3];
  return TRUE;
}

static gboolean
infer_gemm (const Inference *self)
{
  const DynoShape *a = input_shape (self, 0);
  const DynoShape *b = input_shape (self, 1);
  guint trans_a = dyno_node_get_int (self->node, "transA", 0) != 0;
  guint trans_b = dyno_node_get_int (self->node, "transB", 0) != 0;

  if (a->rank != 2 || b->rank != 2 || a->dims[1 - trans_a] != b->dims[trans_b])
    return FALSE;
  self->output->shape = (DynoShape){ a->type, 2, { a->dims[trans_a], b->dims[1 - trans_b] } };
  return TRUE;
}

static gboolean
infer_window (const Inference *self, gint64 channels, const gint64 *kernel)
{
  DynoShape shape = *input_shape (self, 0);
  gsize n_strides, n_pads, n_dilations;
  const gint64 *strides = dyno_node_get_ints (self->node, "strides", &n_strides);
  const gint64 *pads = dyno_node_get_ints (self->node, "pads", &n_pads);
  const gint64 *dilations = dyno_node_get_ints (self->node, "dilations", &n_dilations);
  gboolean keeps_size = dyno_node_has_string (self->node, "auto_pad", "SAME_UPPER");

  shape.dims[1] = channels;
  for (guint i = 2; i < shape.rank; i++)
    {
      guint axis = i - 2;
      gint64 stride = strides != NULL ? strides[axis] : 1;
      gint64 extent = (kernel[axis] - 1) * (dilations != NULL ? dilations[axis] : 1) + 1;
      gint64 size = shape.dims[i];

      if (pads != NULL && !keeps_size)
        size += pads[axis] + pads[axis + n_pads / 2];
      if (keeps_size)
        shape.dims[i] = (size + stride - 1) / stride;
      else
        shape.dims[i] = size >= extent ? (size - extent) / stride + 1 : 0;
      if (shape.dims[i] < 1)
        return FALSE;
    }
  self->output->shape = shape;
  return TRUE;
}

static gboolean
infer_conv (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  const DynoShape *weight = input_shape (self, 1);

  return data->rank == weight->rank && data->rank > 2 &&
         data->dims[1] == weight->dims[1] * dyno_node_get_int (self->node, "group", 1) &&
         infer_window (self, weight->dims[0], weight->dims + 2);
}

/* Weight [channels, output channels / groups, kernel …], without padding. */
static gboolean
infer_conv_transpose (const Inference *self)
{
  const DynoShape *weight = input_shape (self, 1);
  DynoShape shape = *input_shape (self, 0);
  gsize n_strides;
  const gint64 *strides = dyno_node_get_ints (self->node, "strides", &n_strides);

  if (shape.rank != weight->rank || shape.rank != n_strides + 2 || shape.dims[1] != weight->dims[0])
    return FALSE;
  shape.dims[1] = weight->dims[1] * dyno_node_get_int (self->node, "group", 1);
  for (guint i = 2; i < shape.rank; i++)
    shape.dims[i] = (shape.dims[i] - 1) * strides[i - 2] + weight->dims[i];
  self->output->shape = shape;
  return TRUE;
}

static gboolean
infer_pool (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  gsize n_sizes;
  const gint64 *kernel = dyno_node_get_ints (self->node, "kernel_shape", &n_sizes);

  return data->rank > 2 && n_sizes + 2 == data->rank && infer_window (self, data->dims[1], kernel);
}

static gboolean
infer_global_pool (const Inference *self)
{
  self->output->shape = *input_shape (self, 0);
  for (guint i = 2; i < self->output->shape.rank; i++)
    self->output->shape.dims[i] = 1;
  return TRUE;
}

static gboolean
infer_transpose (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  gsize n_axes;
  const gint64 *axes = dyno_node_get_ints (self->node, "perm", &n_axes);

  if (n_axes != data->rank)
    return FALSE;
  self->output->shape = *data;
  for (guint i = 0; i < n_axes; i++)
    self->output->shape.dims[i] = data->dims[axes[i]];
  return TRUE;
}

static gboolean
infer_reshape (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  const DynoGraphValue *target = self->inputs[1];
  DynoShape shape = { data->type, target->n_known, { 0 } };
  gint64 count = dyno_shape_count (data);
  int open = -1;

  for (guint i = 0; i < target->n_known; i++)
    {
      shape.dims[i] = target->known[i] == 0 && i < data->rank ? data->dims[i] : target->known[i];
      if (shape.dims[i] < 0)
        {
          open = i;
          shape.dims[i] = 1;
        }
    }
  if (open >= 0 && dyno_shape_count (&shape) > 0)
    shape.dims[open] = count / dyno_shape_count (&shape);
  self->output->shape = shape;
  return target->n_known > 0 && dyno_shape_count (&shape) == count;
}

static gboolean
infer_expand (const Inference *self)
{
  const DynoGraphValue *target = self->inputs[1];
  DynoShape wanted = { DYNO_DATA_TYPE_UNDEFINED, target->n_known, { 0 } };

  memcpy (wanted.dims, target->known, target->n_known * sizeof (gint64));
  self->output->shape = *input_shape (self, 0);
  return target->n_known > 0 && broadcast (&self->output->shape, &wanted);
}

static gboolean
infer_unsqueeze (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  const DynoGraphValue *axes = self->inputs[1];
  guint rank = data->rank + axes->n_known;
  DynoShape shape = { data->type, rank, { 0 } };
  guint next = 0;

  if (axes->n_known == 0 || rank > DYNO_SHAPE_MAX_RANK)
    return FALSE;
  for (guint i = 0; i < axes->n_known; i++)
    shape.dims[wrap_axis (axes->known[i], rank)] = 1;
  for (guint i = 0; i < rank; i++)
    if (shape.dims[i] == 0)
      shape.dims[i] = data->dims[next++];
  self->output->shape = shape;
  return TRUE;
}

static gboolean
infer_flatten (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  gint64 axis = wrap_axis (dyno_node_get_int (self->node, "axis", 1), data->rank);

  self->output->shape =
      (DynoShape){ data->type, 2, { count_range (data, 0, axis), count_range (data, axis, data->rank) } };
  return TRUE;
}

static gboolean
infer_gather (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  const DynoShape *indices = input_shape (self, 1);
  guint axis = wrap_axis (dyno_node_get_int (self->node, "axis", 0), data->rank);
  DynoShape shape = { data->type, 0, { 0 } };

  if (axis >= data->rank || data->rank + indices->rank > DYNO_SHAPE_MAX_RANK + 1)
    return FALSE;
  for (guint i = 0; i < axis; i++)
    shape.dims[shape.rank++] = data->dims[i];
  for (guint i = 0; i < indices->rank; i++)
    shape.dims[shape.rank++] = indices->dims[i];
  for (guint i = axis + 1; i < data->rank; i++)
    shape.dims[shape.rank++] = data->dims[i];
  self->output->shape = shape;
  return TRUE;
}

/* The indices select an element in every dimension, so the result has their shape. */
static gboolean
infer_gather_elements (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);

  self->output->shape = *input_shape (self, 1);
  self->output->shape.type = data->type;
  return self->output->shape.rank == data->rank;
}

/* Inputs: pictures, and for each place of the result the points to read in them. */
static gboolean
infer_grid_sample (const Inference *self)
{
  const DynoShape *grid = input_shape (self, 1);

  self->output->shape = *input_shape (self, 0);
  if (grid->rank != 4 || self->output->shape.rank != 4 || grid->dims[0] != self->output->shape.dims[0] ||
      grid->dims[3] != 2)
    return FALSE;
  self->output->shape.dims[2] = grid->dims[1];
  self->output->shape.dims[3] = grid->dims[2];
  return TRUE;
}

/* Inputs: start, end, step; each a known number. */
static gboolean
infer_range (const Inference *self)
{
  gint64 numbers[3];

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      if (self->inputs[i]->n_known != 1)
        return FALSE;
      numbers[i] = self->inputs[i]->known[0];
    }
  if (numbers[2] < 1)
    return FALSE;
  self->output->shape = (DynoShape){ input_shape (self, 0)->type,
                                     1,
                                     { MAX ((numbers[1] - numbers[0] + numbers[2] - 1) / numbers[2], 0) } };
  return TRUE;
}

/* Inputs: data, axes; the axes are known. */
static gboolean
infer_squeeze (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  const DynoGraphValue *axes = self->inputs[1];
  DynoShape shape = { data->type, 0, { 0 } };

  for (guint i = 0; i < data->rank; i++)
    {
      gboolean is_dropped = FALSE;

      for (guint k = 0; k < axes->n_known; k++)
        is_dropped = is_dropped || wrap_axis (axes->known[k], data->rank) == i;
      if (is_dropped && data->dims[i] != 1)
        return FALSE;
      if (!is_dropped)
        shape.dims[shape.rank++] = data->dims[i];
    }
  self->output->shape = shape;
  self->output->n_known = self->inputs[0]->n_known;
  memcpy (self->output->known, self->inputs[0]->known, sizeof self->output->known);
  return axes->n_known > 0;
}

static gboolean
infer_concat (const Inference *self)
{
  guint axis = wrap_axis (dyno_node_get_int (self->node, "axis", 0), input_shape (self, 0)->rank);
  DynoShape *shape = &self->output->shape;

  *shape = *input_shape (self, 0);
  shape->dims[axis] = 0;
  for (guint i = 0; i < self->n_inputs; i++)
    {
      const DynoShape *part = input_shape (self, i);

      for (guint k = 0; k < shape->rank; k++)
        if (part->rank != shape->rank || (k != axis && part->dims[k] != shape->dims[k]))
          return FALSE;
      shape->dims[axis] += part->dims[axis];
      for (guint k = 0; k < self->inputs[i]->n_known && self->output->n_known < DYNO_SHAPE_MAX_RANK; k++)
        self->output->known[self->output->n_known++] = self->inputs[i]->known[k];
    }
  return TRUE;
}

/* Inputs: data, and the padding before and after each dimension; all known. */
static gboolean
infer_pad (const Inference *self)
{
  const DynoGraphValue *pads = self->inputs[1];
  DynoShape *shape = &self->output->shape;

  *shape = *input_shape (self, 0);
  if (pads->n_known != 2 * shape->rank)
    return FALSE;
  for (guint i = 0; i < shape->rank; i++)
    shape->dims[i] += pads->known[i] + pads->known[i + shape->rank];
  return TRUE;
}

static gint64
clamp_index (gint64 index, gint64 size)
{
  return CLAMP (index < 0 ? index + size : index, 0, size);
}

/* Inputs: data, starts, ends, axes; each list known. */
static gboolean
infer_slice (const Inference *self)
{
  DynoShape *shape = &self->output->shape;

  *shape = *input_shape (self, 0);
  if (self->n_inputs != 4)
    return FALSE;
  for (guint i = 0; i < self->inputs[3]->n_known; i++)
    {
      guint axis = wrap_axis (self->inputs[3]->known[i], shape->rank);
      gint64 size = shape->dims[axis];

      if (i >= self->inputs[1]->n_known || i >= self->inputs[2]->n_known)
        return FALSE;
      shape->dims[axis] = MAX (
          clamp_index (self->inputs[2]->known[i], size) - clamp_index (self->inputs[1]->known[i], size), 0);
    }
  return self->inputs[3]->n_known > 0;
}

static gboolean
infer_shape_of (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  gint64 start = wrap_axis (dyno_node_get_int (self->node, "start", 0), data->rank);
  gint64 end = wrap_axis (dyno_node_get_int (self->node, "end", data->rank), data->rank);
  DynoGraphValue *output = self->output;

  for (gint64 i = start; i < end && i < data->rank; i++)
    output->known[output->n_known++] = data->dims[i];
  output->shape = (DynoShape){ DYNO_DATA_TYPE_INT64, 1, { output->n_known } };
  return output->n_known > 0;
}

static gboolean
infer_reduce (const Inference *self)
{
  gsize n_axes;
  const gint64 *axes = dyno_node_get_ints (self->node, "axes", &n_axes);

  self->output->shape = *input_shape (self, 0);
  for (guint i = 0; i < n_axes; i++)
    self->output->shape.dims[wrap_axis (axes[i], self->output->shape.rank)] = 1;
  return n_axes > 0 && dyno_node_get_int (self->node, "keepdims", 1) == 1;
}

/* The result for two known lists of integers is known; a single number is combined with each number of the
 * other list. */
static gboolean
infer_arithmetic (const Inference *self)
{
  const DynoGraphValue *left = self->inputs[0], *right = self->inputs[1];
  guint n = MAX (left->n_known, right->n_known);

  if (!infer_elementwise (self))
    return FALSE;
  if (MIN (left->n_known, right->n_known) == n || MIN (left->n_known, right->n_known) == 1)
    self->output->n_known = n;
  for (guint i = 0; i < self->output->n_known; i++)
    {
      gint64 a = left->known[left->n_known > 1 ? i : 0];
      gint64 b = right->known[right->n_known > 1 ? i : 0];

      self->output->known[i] = g_str_equal (self->node->op_type, "Add")   ? a + b
                               : g_str_equal (self->node->op_type, "Sub") ? a - b
                               : g_str_equal (self->node->op_type, "Mul") ? a * b
                               : b != 0                                   ? a / b
                                                                          : 0;
    }
  return TRUE;
}

/* The negation of a known list is known. */
static gboolean
infer_negative (const Inference *self)
{
  self->output->shape = *input_shape (self, 0);
  self->output->n_known = self->inputs[0]->n_known;
  for (guint i = 0; i < self->output->n_known; i++)
    self->output->known[i] = -self->inputs[0]->known[i];
  return TRUE;
}

/* Inputs: data, axes; each reduced dimension stays with a size of 1. */
static gboolean
infer_reduce_sum (const Inference *self)
{
  self->output->shape = *input_shape (self, 0);
  for (guint i = 0; i < self->inputs[1]->n_known; i++)
    self->output->shape.dims[wrap_axis (self->inputs[1]->known[i], self->output->shape.rank)] = 1;
  return self->inputs[1]->n_known > 0 && dyno_node_get_int (self->node, "keepdims", 1) == 1;
}

/* Indices of elements, one per column; at most all of them. */
static gboolean
infer_non_zero (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);

  self->output->shape = (DynoShape){ DYNO_DATA_TYPE_INT64, 2, { data->rank, dyno_shape_count (data) } };
  return TRUE;
}

/* The last dimension of the indices addresses an element or a slice of the data. */
static gboolean
infer_gather_nd (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);
  DynoShape shape = *input_shape (self, 1);
  guint depth = shape.rank > 0 ? (guint)shape.dims[--shape.rank] : 0;

  if (depth == 0 || depth > data->rank || shape.rank + data->rank - depth > DYNO_SHAPE_MAX_RANK)
    return FALSE;
  shape.type = data->type;
  for (guint i = depth; i < data->rank; i++)
    shape.dims[shape.rank++] = data->dims[i];
  self->output->shape = shape;
  return TRUE;
}

/* Reduces one dimension, which stays with a size of 1. */
static gboolean
infer_arg_max (const Inference *self)
{
  const DynoShape *data = input_shape (self, 0);

  self->output->shape = *data;
  self->output->shape.type = DYNO_DATA_TYPE_INT64;
  self->output->shape.dims[wrap_axis (dyno_node_get_int (self->node, "axis", 0), data->rank)] = 1;
  return dyno_node_get_int (self->node, "keepdims", 1) == 1;
}

/* Inputs: data, two absent ones, sizes; the sizes are known. */
static gboolean
infer_resize (const Inference *self)
{
  const DynoGraphValue *sizes = self->inputs[3];

  self->output->shape = *input_shape (self, 0);
  memcpy (self->output->shape.dims, sizes->known, sizes->n_known * sizeof (gint64));
  return sizes->n_known == self->output->shape.rank;
}

static const struct
{
  const char *op_type;
  guint n_inputs;
  Rule rule;
} rules[] = {
  { "Abs", 1, infer_same },
  { "Add", 2, infer_arithmetic },
  { "And", 2, infer_elementwise },
  { "ArgMax", 1, infer_arg_max },
  { "AveragePool", 1, infer_pool },
  { "BatchNormalization", 5, infer_same },
  { "Cast", 1, infer_cast },
  { "Clip", 1, infer_same },
  { "Concat", 1, infer_concat },
  { "Conv", 2, infer_conv },
  { "ConvTranspose", 2, infer_conv_transpose },
  { "Cos", 1, infer_same },
  { "CumSum", 2, infer_same },
  { "DequantizeLinear", 2, infer_dequantise },
  { "Div", 2, infer_arithmetic },
  { "Equal", 2, infer_compare },
  { "Erf", 1, infer_same },
  { "Exp", 1, infer_same },
  { "Expand", 2, infer_expand },
  { "Flatten", 1, infer_flatten },
  { "Gather", 2, infer_gather },
  { "GatherElements", 2, infer_gather_elements },
  { "GatherND", 2, infer_gather_nd },
  { "Gemm", 2, infer_gemm },
  { "GlobalAveragePool", 1, infer_global_pool },
  { "Greater", 2, infer_compare },
  { "GridSample", 2, infer_grid_sample },
  { "HardSigmoid", 1, infer_same },
  { "HardSwish", 1, infer_same },
  { "InstanceNormalization", 3, infer_same },
  { "LayerNormalization", 2, infer_same },
  { "LessOrEqual", 2, infer_compare },
  { "Log", 1, infer_same },
  { "MatMul", 2, infer_mat_mul },
  { "MatMulBnb4", 3, infer_mat_mul_n_bits },
  { "MatMulInteger", 2, infer_mat_mul_integer },
  { "MatMulNBits", 3, infer_mat_mul_n_bits },
  { "Max", 2, infer_elementwise },
  { "MaxPool", 1, infer_pool },
  { "Mul", 2, infer_arithmetic },
  { "MultiHeadAttention", 3, infer_multi_head_attention },
  { "Neg", 1, infer_negative },
  { "NonZero", 1, infer_non_zero },
  { "Not", 1, infer_same },
  { "Pad", 2, infer_pad },
  { "Pow", 2, infer_elementwise },
  { "QuantizeLinear", 3, infer_quantise },
  { "Range", 3, infer_range },
  { "ReduceL2", 1, infer_reduce },
  { "ReduceMax", 1, infer_reduce },
  { "ReduceMean", 1, infer_reduce },
  { "ReduceSum", 2, infer_reduce_sum },
  { "Relu", 1, infer_same },
  { "Reshape", 2, infer_reshape },
  { "Resize", 4, infer_resize },
  { "Round", 1, infer_same },
  { "ScatterND", 3, infer_same },
  { "Shape", 1, infer_shape_of },
  { "Sigmoid", 1, infer_same },
  { "Sin", 1, infer_same },
  { "Slice", 4, infer_slice },
  { "Softmax", 1, infer_same },
  { "Softplus", 1, infer_same },
  { "Sqrt", 1, infer_same },
  { "Squeeze", 2, infer_squeeze },
  { "Sub", 2, infer_arithmetic },
  { "Tanh", 1, infer_same },
  { "Transpose", 1, infer_transpose },
  { "Unsqueeze", 2, infer_unsqueeze },
  { "Where", 3, infer_where },
};

gboolean
dyno_graph_infer_shape (const Onnx__NodeProto *node,
                        DynoGraphValue *const *inputs,
                        guint n_inputs,
                        DynoGraphValue *output)
{
  const Inference inference = { node, inputs, n_inputs, output };

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (strcmp (rules[i].op_type, node->op_type) == 0)
      return n_inputs >= rules[i].n_inputs && rules[i].rule (&inference);
  return FALSE;
}
