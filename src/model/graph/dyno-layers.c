/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-float16.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

/* Random weights preserve the variance of activations: standard deviation 1/√inputs for a product; norms and biases
 * differ slightly from 1 and 0, so that no engine can optimise them away. */
#define SMALL_DEVIATION 0.02

static gint64
width_of (DynoGraph *graph, const char *value)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);

  return shape->rank > 0 ? MAX (shape->dims[shape->rank - 1], 1) : 1;
}

/* Added to the scores of masked positions, in single precision: softmax makes them zero. */
#define MASKED (-1e9f)

const char *
dyno_layers_cast (DynoGraph *graph, const char *value, DynoDataType type)
{
  g_autofree char *attributes = g_strdup_printf ("to=%d", (int)type);

  return dyno_graph_get_shape (graph, value)->type == type
             ? value
             : dyno_graph_add (graph, "Cast", attributes, value, NULL);
}

const char *
dyno_layers_masked_score (DynoGraph *graph)
{
  return dyno_graph_add_real (
      graph, dyno_graph_get_real_type (graph) == DYNO_DATA_TYPE_FLOAT16 ? -DYNO_FLOAT16_MAX : MASKED);
}

static const char *
add_linear (DynoGraph *graph, const char *value, gint64 width, gboolean has_bias, gboolean is_turned)
{
  const gint64 dims[] = { width_of (graph, value), width };
  const char *weight = dyno_graph_add_weight (graph, "weight", 0, 1 / sqrt ((double)dims[0]), 2, dims);

  if (is_turned)
    dyno_graph_turn_weight (graph, weight);
  value = dyno_product_add (graph, value, weight, FALSE);
  return has_bias
             ? dyno_graph_add (graph, "Add", NULL, value,
                               dyno_graph_add_weight (graph, "bias", 0, SMALL_DEVIATION, 1, &width), NULL)
             : value;
}

const char *
dyno_layers_padding_mask (DynoGraph *graph, const char *mask)
{
  const gint64 axes[] = { 1, 2 };

  dyno_graph_push_scope (graph, "attention_mask");
  mask = dyno_graph_add (graph, "Unsqueeze", NULL, mask, dyno_graph_add_ints (graph, 2, axes), NULL);
  mask = dyno_layers_cast (graph, mask, dyno_graph_get_real_type (graph));
  mask = dyno_graph_add (graph, "Sub", NULL, dyno_graph_add_real (graph, 1), mask, NULL);
  mask = dyno_graph_add (graph, "Mul", NULL, mask, dyno_layers_masked_score (graph), NULL);
  dyno_graph_pop_scope (graph);
  return mask;
}

const char *
dyno_layers_linear (DynoGraph *graph, const char *name, const char *value, gint64 width, gboolean has_bias)
{
  dyno_graph_push_scope (graph, "%s", name);
  value = add_linear (graph, value, width, has_bias, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_layers_conv1d (DynoGraph *graph, const char *name, const char *value, gint64 width, gboolean has_bias)
{
  dyno_graph_push_scope (graph, "%s", name);
  value = add_linear (graph, value, width, has_bias, FALSE);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_layer_norm (DynoGraph *graph, const char *name, const char *value, double epsilon, gboolean has_bias)
{
  gint64 width = width_of (graph, value);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *attributes =
      g_strconcat ("axis=-1 epsilon=", g_ascii_formatd (number, sizeof number, "%.9e", epsilon), NULL);
  const char *scale, *bias;

  dyno_graph_push_scope (graph, "%s", name);
  scale = dyno_graph_add_weight (graph, "weight", 1, SMALL_DEVIATION, 1, &width);
  bias = has_bias ? dyno_graph_add_weight (graph, "bias", 0, SMALL_DEVIATION, 1, &width) : NULL;
  value = dyno_graph_add (graph, "LayerNormalization", attributes, value, scale, bias, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_layers_layer_norm (DynoGraph *graph, const char *name, const char *value, double epsilon)
{
  return add_layer_norm (graph, name, value, epsilon, TRUE);
}

const char *
dyno_layers_layer_norm_unbiased (DynoGraph *graph, const char *name, const char *value, double epsilon)
{
  return add_layer_norm (graph, name, value, epsilon, FALSE);
}

const char *
dyno_layers_normal (DynoGraph *graph, const char *value, double epsilon)
{
  const char *wide = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
  const char *square = dyno_graph_add (graph, "Pow", NULL, wide, dyno_graph_add_float (graph, 2), NULL);
  const char *root = dyno_graph_add (graph, "ReduceMean", "axes=[-1] keepdims=1", square, NULL);

  root = dyno_graph_add (graph, "Add", NULL, root, dyno_graph_add_float (graph, (float)epsilon), NULL);
  root = dyno_graph_add (graph, "Sqrt", NULL, root, NULL);
  return dyno_graph_add (graph, "Div", NULL, wide, root, NULL);
}

const char *
dyno_layers_unit (DynoGraph *graph, const char *value)
{
  const char *wide = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
  const char *length = dyno_graph_add (graph, "ReduceL2", "axes=[-1] keepdims=1", wide, NULL);

  value = dyno_graph_add (graph, "Div", NULL, wide, length, NULL);
  return dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
}

const char *
dyno_layers_rms_norm (DynoGraph *graph, const char *name, const char *value, double epsilon)
{
  gint64 width = width_of (graph, value);

  value = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
  dyno_graph_push_scope (graph, "%s", name);
  value =
      dyno_layers_cast (graph, dyno_layers_normal (graph, value, epsilon), dyno_graph_get_real_type (graph));
  value = dyno_graph_add (graph, "Mul", NULL, value,
                          dyno_graph_add_weight (graph, "weight", 1, SMALL_DEVIATION, 1, &width), NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_layers_rms_norm_zero (DynoGraph *graph, const char *name, const char *value, double epsilon)
{
  gint64 width = width_of (graph, value);
  const char *scale;

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_layers_normal (graph, value, epsilon);
  scale = dyno_graph_add_weight (graph, "weight", 0, SMALL_DEVIATION, 1, &width);
  scale = dyno_layers_cast (graph, scale, DYNO_DATA_TYPE_FLOAT);
  scale = dyno_graph_add (graph, "Add", NULL, scale, dyno_graph_add_float (graph, 1), NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, scale, NULL);
  value = dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_layers_cap (DynoGraph *graph, const char *value, double cap)
{
  const char *limit = dyno_graph_add_real (graph, (float)cap);

  value = dyno_graph_add (graph, "Div", NULL, value, limit, NULL);
  value = dyno_graph_add (graph, "Tanh", NULL, value, NULL);
  return dyno_graph_add (graph, "Mul", NULL, value, limit, NULL);
}

/* x · ½ · (1 + erf (x / √2)) */
static const char *
add_gelu (DynoGraph *graph, const char *x)
{
  const char *y = dyno_graph_add (graph, "Div", NULL, x, dyno_graph_add_real (graph, (float)G_SQRT2), NULL);

  y = dyno_graph_add (graph, "Erf", NULL, y, NULL);
  y = dyno_graph_add (graph, "Add", NULL, y, dyno_graph_add_real (graph, 1), NULL);
  y = dyno_graph_add (graph, "Mul", NULL, x, y, NULL);
  return dyno_graph_add (graph, "Mul", NULL, y, dyno_graph_add_real (graph, 0.5f), NULL);
}

/* x · ½ · (1 + tanh (√(2/π) · (x + 0.044715 · x³))) */
static const char *
add_gelu_tanh (DynoGraph *graph, const char *x)
{
  const char *half = dyno_graph_add (graph, "Mul", NULL, x, dyno_graph_add_real (graph, 0.5f), NULL);
  const char *y = dyno_graph_add (graph, "Pow", NULL, x, dyno_graph_add_real (graph, 3), NULL);

  y = dyno_graph_add (graph, "Mul", NULL, y, dyno_graph_add_real (graph, 0.044715f), NULL);
  y = dyno_graph_add (graph, "Add", NULL, x, y, NULL);
  y = dyno_graph_add (graph, "Mul", NULL, y, dyno_graph_add_real (graph, (float)sqrt (2 / G_PI)), NULL);
  y = dyno_graph_add (graph, "Tanh", NULL, y, NULL);
  y = dyno_graph_add (graph, "Add", NULL, y, dyno_graph_add_real (graph, 1), NULL);
  return dyno_graph_add (graph, "Mul", NULL, half, y, NULL);
}

static const char *
add_silu (DynoGraph *graph, const char *x)
{
  return dyno_graph_add (graph, "Mul", NULL, x, dyno_graph_add (graph, "Sigmoid", NULL, x, NULL), NULL);
}

static const char *
add_relu (DynoGraph *graph, const char *x)
{
  return dyno_graph_add (graph, "Relu", NULL, x, NULL);
}

static const char *
add_hard_swish (DynoGraph *graph, const char *x)
{
  return dyno_graph_add (graph, "HardSwish", NULL, x, NULL);
}

static const char *
add_relu6 (DynoGraph *graph, const char *x)
{
  return dyno_graph_add (graph, "Clip", NULL, x, dyno_graph_add_real (graph, 0),
                         dyno_graph_add_real (graph, 6), NULL);
}

static const char *
add_tanh (DynoGraph *graph, const char *x)
{
  return dyno_graph_add (graph, "Tanh", NULL, x, NULL);
}

/* x · sigmoid (1.702 · x) */
static const char *
add_quick_gelu (DynoGraph *graph, const char *x)
{
  const char *y = dyno_graph_add (graph, "Mul", NULL, x, dyno_graph_add_real (graph, 1.702f), NULL);

  return dyno_graph_add (graph, "Mul", NULL, x, dyno_graph_add (graph, "Sigmoid", NULL, y, NULL), NULL);
}

static const struct
{
  const char *function;
  const char *(*add) (DynoGraph *graph, const char *x);
} activations[] = {
  { "gelu", add_gelu },
  { "gelu_fast", add_gelu_tanh },
  { "gelu_new", add_gelu_tanh },
  { "gelu_pytorch_tanh", add_gelu_tanh },
  { "hardswish", add_hard_swish },
  { "quick_gelu", add_quick_gelu },
  { "relu", add_relu },
  { "relu6", add_relu6 },
  { "silu", add_silu },
  { "swish", add_silu },
  { "tanh", add_tanh },
};

gboolean
dyno_layers_knows_activation (const char *function)
{
  for (guint i = 0; i < G_N_ELEMENTS (activations); i++)
    if (strcmp (activations[i].function, function) == 0)
      return TRUE;
  return FALSE;
}

const char *
dyno_layers_activation (DynoGraph *graph, const char *function, const char *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (activations); i++)
    if (strcmp (activations[i].function, function) == 0)
      return activations[i].add (graph, value);
  g_return_val_if_reached (value);
}

const char *
dyno_layers_embedding (DynoGraph *graph, const char *name, const char *ids, gint64 rows, gint64 width)
{
  const gint64 dims[] = { rows, width };
  const char *value;

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_graph_add (graph, "Gather", "axis=0",
                          dyno_graph_add_weight (graph, "weight", 0, 1 / sqrt ((double)width), 2, dims), ids,
                          NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_layers_choose_rows (DynoGraph *graph, const char *value, const char *rows)
{
  gint64 width = width_of (graph, value);
  const gint64 axis = 2;
  const char *shape = dyno_graph_add (graph, "Shape", "start=0 end=2", rows, NULL);

  rows = dyno_graph_add (graph, "Unsqueeze", NULL, rows, dyno_graph_add_ints (graph, 1, &axis), NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", shape, dyno_graph_add_ints (graph, 1, &width), NULL);
  rows = dyno_graph_add (graph, "Expand", NULL, rows, shape, NULL);
  return dyno_graph_add (graph, "GatherElements", "axis=1", value, rows, NULL);
}

const char *
dyno_layers_take_rows (DynoGraph *graph, const char *value, const char *rows)
{
  const gint64 flat[] = { 0, width_of (graph, value) };

  value = dyno_layers_choose_rows (graph, value, rows);
  return dyno_graph_add (graph, "Reshape", NULL, value, dyno_graph_add_ints (graph, 2, flat), NULL);
}

const char *
dyno_layers_split_heads (DynoGraph *graph, const char *value, gint64 n_heads)
{
  const gint64 target[] = { 0, 0, n_heads, width_of (graph, value) / n_heads };

  const char *joined = value;

  value = dyno_graph_add (graph, "Reshape", NULL, value, dyno_graph_add_ints (graph, 4, target), NULL);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1,3]", value, NULL);
  dyno_graph_set_twin (graph, value, joined);
  return value;
}

/* MultiHeadAttention of ONNX Runtime's docs/ContribOperators.md takes keys and values from before their heads were
 * split, or the heads themselves. */
static const char *
add_fused_attention (DynoGraph *graph,
                     const char *query,
                     const char *key,
                     const char *value,
                     const DynoScores *by,
                     float divisor)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, query);
  const gint64 target[] = { 0, 0, shape->dims[1] * shape->dims[3] };
  const char *joined_query = dyno_graph_get_twin (graph, query);
  const char *joined_key = dyno_graph_get_twin (graph, key);
  const char *joined_value = dyno_graph_get_twin (graph, value);
  const gint64 ones[] = { 1, 1 };
  const char *mask = by->mask, *wide;
  gboolean are_joined = joined_key != NULL && joined_value != NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *attributes = g_strdup_printf (
      "num_heads=%" G_GINT64_FORMAT " scale=%s", dyno_graph_get_shape (graph, query)->dims[1],
      g_ascii_formatd (number, sizeof number, "%.9e", 1 / divisor));

  /* [batch, heads, sequence, width] as [batch, sequence, heads × width] */
  if (joined_query == NULL)
    {
      joined_query = dyno_graph_add (graph, "Transpose", "perm=[0,2,1,3]", query, NULL);
      joined_query =
          dyno_graph_add (graph, "Reshape", NULL, joined_query, dyno_graph_add_ints (graph, 3, target), NULL);
    }
  if (mask == NULL)
    return dyno_graph_add (graph, "MultiHeadAttention", attributes, joined_query,
                           are_joined ? joined_key : key, are_joined ? joined_value : value, NULL);
  /* A mask with one row applies to all queries; fused attention needs one row per query. */
  if (dyno_graph_get_shape (graph, mask)->dims[2] != shape->dims[2])
    {
      wide = dyno_graph_add (graph, "Shape", "start=2 end=3", query, NULL);
      wide = dyno_graph_add (graph, "Concat", "axis=0", dyno_graph_add_ints (graph, 2, ones), wide,
                             dyno_graph_add_ints (graph, 1, ones), NULL);
      mask = dyno_graph_add (graph, "Expand", NULL, mask, wide, NULL);
    }
  return dyno_graph_add (graph, "MultiHeadAttention", attributes, joined_query, are_joined ? joined_key : key,
                         are_joined ? joined_value : value, "", "", mask, NULL);
}

const char *
dyno_layers_attention_by (
    DynoGraph *graph, const char *query, const char *key, const char *value, const DynoScores *by)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, query);
  gint64 value_width = dyno_graph_get_shape (graph, value)->dims[3];
  const gint64 target[] = { 0, 0, shape->dims[1] * value_width };
  gboolean is_plain = by->cap <= 0 && by->sinks == NULL && value_width == shape->dims[3];
  float divisor = by->divisor > 0 ? (float)by->divisor : sqrtf ((float)shape->dims[3]);
  const gint64 start = 0, end = -1, axis = 3;
  const char *scores, *joined;

  if (dyno_graph_is_fused (graph) && is_plain)
    return add_fused_attention (graph, query, key, value, by, divisor);
  key = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2]", key, NULL);
  scores = dyno_graph_add (graph, "MatMul", NULL, query, key, NULL);
  if (divisor != 1)
    scores = dyno_graph_add (graph, "Div", NULL, scores, dyno_graph_add_real (graph, divisor), NULL);
  if (by->cap > 0)
    scores = dyno_layers_cap (graph, scores, by->cap);
  if (by->mask != NULL)
    scores = dyno_graph_add (graph, "Add", NULL, scores, by->mask, NULL);
  scores = dyno_layers_cast (graph, scores, by->softmax_type);
  if (by->sinks != NULL)
    {
      /* One more score per head, whose share is dropped. */
      const gint64 column[] = { 1, -1, 1, 1 };
      const char *like = dyno_graph_add (graph, "ReduceMax", "axes=[3] keepdims=1", scores, NULL);
      const char *sinks;

      like = dyno_graph_add (graph, "Shape", NULL, like, NULL);
      sinks = dyno_layers_cast (graph, by->sinks, dyno_graph_get_shape (graph, scores)->type);
      sinks = dyno_graph_add (graph, "Reshape", NULL, sinks, dyno_graph_add_ints (graph, 4, column), NULL);
      sinks = dyno_graph_add (graph, "Expand", NULL, sinks, like, NULL);
      scores = dyno_graph_add (graph, "Concat", "axis=3", scores, sinks, NULL);
    }
  scores = dyno_graph_add (graph, "Softmax", "axis=-1", scores, NULL);
  if (by->sinks != NULL)
    scores =
        dyno_graph_add (graph, "Slice", NULL, scores, dyno_graph_add_ints (graph, 1, &start),
                        dyno_graph_add_ints (graph, 1, &end), dyno_graph_add_ints (graph, 1, &axis), NULL);
  scores = dyno_layers_cast (graph, scores, dyno_graph_get_real_type (graph));
  joined = dyno_graph_add (graph, "MatMul", NULL, scores, value, NULL);
  joined = dyno_graph_add (graph, "Transpose", "perm=[0,2,1,3]", joined, NULL);
  return dyno_graph_add (graph, "Reshape", NULL, joined, dyno_graph_add_ints (graph, 3, target), NULL);
}

const char *
dyno_layers_attention_scaled (DynoGraph *graph,
                              const char *query,
                              const char *key,
                              const char *value,
                              const char *mask,
                              DynoDataType softmax_type,
                              float divisor)
{
  const DynoScores by = { divisor, 0, mask, softmax_type, NULL };

  return dyno_layers_attention_by (graph, query, key, value, &by);
}

const char *
dyno_layers_attention (DynoGraph *graph,
                       const char *query,
                       const char *key,
                       const char *value,
                       const char *mask,
                       DynoDataType softmax_type)
{
  const DynoScores by = { 0, 0, mask, softmax_type, NULL };

  return dyno_layers_attention_by (graph, query, key, value, &by);
}

const char *
dyno_layers_reshape (DynoGraph *graph, const char *value, guint rank, const gint64 *target)
{
  return dyno_graph_add (graph, "Reshape", NULL, value, dyno_graph_add_ints (graph, rank, target), NULL);
}

const char *
dyno_layers_to_tokens (DynoGraph *graph, const char *value)
{
  const gint64 target[] = { 0, dyno_graph_get_shape (graph, value)->dims[1], -1 };

  return dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", dyno_layers_reshape (graph, value, 3, target),
                         NULL);
}

const char *
dyno_layers_tied_head (
    DynoGraph *graph, const char *name, const char *value, const char *table, gint64 n_rows, gint64 width)
{
  const gint64 dims[] = { n_rows, width };
  const char *weight = dyno_graph_add_weight (graph, table, 0, 1 / sqrt ((double)width), 2, dims);

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_product_add (graph, value, weight, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}
