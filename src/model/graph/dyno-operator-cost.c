/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-model-graph-private.h"

typedef gboolean (*CostRule) (const DynoNodeShapes *node, gint64 *flops);

static const DynoShape *
input (const DynoNodeShapes *node, guint index)
{
  return dyno_node_shapes_get_input (node, index);
}

static const DynoShape *
output (const DynoNodeShapes *node)
{
  return dyno_node_shapes_get_output (node);
}

static gint64
last_dim (const DynoShape *shape)
{
  return dyno_shape_get_last (shape);
}

static gboolean
has_rank (const DynoShape *shape, guint rank)
{
  return shape != NULL && shape->rank >= rank;
}

/* Data is moved, cast, compared or looked up, but nothing is computed: 0. */
static gboolean
cost_nothing (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 0;
  return TRUE;
}

/* One operation per element of the result. Functions such as Erf, Exp, Sin or Tanh also count as one, however many
 * instructions a library needs. */
static gboolean
cost_elementwise (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = dyno_shape_count (output (node));
  return TRUE;
}

/* x · sigmoid(x), (x − offset) · scale, |x − zero point| · scale …: two per element. */
static gboolean
cost_two (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 2 * dyno_shape_count (output (node));
  return TRUE;
}

/* x / scale, rounded, plus a zero point; x · tanh (softplus (x)); x / √Σ x²: three per element. */
static gboolean
cost_three (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 3 * dyno_shape_count (output (node));
  return TRUE;
}

/* A weight has a scale for each channel; engines convert it while they load, or multiply its integers. */
static gboolean
cost_dequantise (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *scale = input (node, 1);

  return scale != NULL && dyno_shape_count (scale) > 1 ? cost_nothing (node, flops) : cost_two (node, flops);
}

/* The sum of n inputs: n − 1 per element. */
static gboolean
cost_sum (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = (node->inputs->len - 1) * dyno_shape_count (output (node));
  return TRUE;
}

/* x · ½ · (1 + erf (x / √2)): five per element. */
static gboolean
cost_gelu (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 5 * dyno_shape_count (output (node));
  return TRUE;
}

/* The bias is added first: one more per element. */
static gboolean
cost_bias_gelu (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 6 * dyno_shape_count (output (node));
  return TRUE;
}

/* ½ · x · (1 + tanh (√(2/π) · (x + 0.044715 · x³))): nine per element, and one more if a bias is added. */
static gboolean
cost_fast_gelu (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = (node->inputs->len > 1 ? 10 : 9) * dyno_shape_count (output (node));
  return TRUE;
}

/* Smallest, largest, divide, round, add the zero point: five per element. */
static gboolean
cost_dynamic_quantise (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 5 * dyno_shape_count (output (node));
  return TRUE;
}

/* Largest, subtract, exp, add up, divide: five per element. */
static gboolean
cost_softmax (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 5 * dyno_shape_count (output (node));
  return TRUE;
}

/* Mean (1), subtract (1), square and add (2), divide (1), scale and shift (2): seven per element. */
static gboolean
cost_layer_norm (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 7 * dyno_shape_count (output (node));
  return TRUE;
}

/* The rows of word, position and segment are added up, then as LayerNormalization. */
static gboolean
cost_embed_layer_norm (const DynoNodeShapes *node, gint64 *flops)
{
  gint64 n_tables = 0;

  for (guint i = 1; i < node->inputs->len; i++)
    n_tables += input (node, i)->rank == 2 && input (node, i)->type != DYNO_DATA_TYPE_INT32;
  *flops = (7 + MAX (n_tables - 1, 0)) * dyno_shape_count (output (node));
  return n_tables > 0;
}

/* The bias is added first. */
static gboolean
cost_bias_softmax (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 6 * dyno_shape_count (output (node));
  return TRUE;
}

/* Mean (1), subtract (1), square and add (2), divide (1). */
static gboolean
cost_normalise (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 5 * dyno_shape_count (output (node));
  return TRUE;
}

/* Square and add each of these neighbours, then scale, raise and divide. */
static gboolean
cost_local_norm (const DynoNodeShapes *node, gint64 *flops)
{
  return node->kernel_elements > 0 &&
         !__builtin_mul_overflow (dyno_shape_count (output (node)), 2 * node->kernel_elements + 3, flops);
}

/* Square and add (2), divide (1), scale (1): four per element. */
static gboolean
cost_rms_norm (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = 4 * dyno_shape_count (output (node));
  return TRUE;
}

/* The residual is added first (1), and the bias if there is one (1): as LayerNormalization from there. */
static gboolean
cost_skip_layer_norm (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = (node->inputs->len > 4 ? 9 : 8) * dyno_shape_count (output (node));
  return TRUE;
}

static gboolean
cost_skip_rms_norm (const DynoNodeShapes *node, gint64 *flops)
{
  *flops = (node->inputs->len > 3 ? 6 : 5) * dyno_shape_count (output (node));
  return TRUE;
}

/* With stored statistics this is one scale and one shift per channel, both constant. Engines fold them into
 * the weights of the convolution before, and published counts omit them: 0. */
static gboolean
cost_batch_norm (const DynoNodeShapes *node, gint64 *flops)
{
  return cost_nothing (node, flops);
}

/* [… m, k] · [… k, n]: two per element of the result and k. A side that is transposed inside a fused product
 * has m last, so k is the one of the last two dimensions that is not m. */
static gboolean
cost_mat_mul (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *a = input (node, 0);
  const DynoShape *result = output (node);
  gint64 depth;

  if (!has_rank (a, 1))
    return FALSE;
  depth = last_dim (a);
  if (a->rank > 1 && result->rank > 1 && a->dims[a->rank - 2] != result->dims[result->rank - 2])
    depth = a->dims[a->rank - 2];
  *flops = 2 * dyno_shape_count (result) * depth;
  return TRUE;
}

/* com.microsoft DynamicQuantizeMatMul and MatMulIntegerToFloat: a scaled product of integers, optionally plus a bias of
 * one dimension: one per element of the result each; the former quantises first, five per element of the input. */
static gboolean
cost_mat_mul_to_float (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *data = input (node, 0);
  const DynoShape *last = input (node, node->inputs->len - 1);
  gboolean quantises = data != NULL && data->type == DYNO_DATA_TYPE_FLOAT;
  gboolean has_bias = node->inputs->len > 3 && last->type == DYNO_DATA_TYPE_FLOAT && last->rank == 1;

  if (!cost_mat_mul (node, flops))
    return FALSE;
  *flops +=
      (has_bias ? 2 : 1) * dyno_shape_count (output (node)) + (quantises ? 5 * dyno_shape_count (data) : 0);
  return TRUE;
}

/* com.microsoft MatMulNBits: [… m, k] · [n, blocks, bytes], scales, zero points, groups, bias. Only the product counts,
 * not how the engine dequantises the weights. An engine may fuse the bias: one per element. */
static gboolean
cost_mat_mul_n_bits (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *last = input (node, node->inputs->len - 1);
  gboolean has_bias = node->inputs->len > 3 && last->rank == 1 && last->type != DYNO_DATA_TYPE_UINT8 &&
                      last->dims[0] == last_dim (output (node));

  if (!has_rank (input (node, 0), 1))
    return FALSE;
  *flops = dyno_shape_count (output (node)) * (2 * last_dim (input (node, 0)) + (has_bias ? 1 : 0));
  return TRUE;
}

/* [m, k] · [k, n], either transposed, plus c: two per element of the result and k, one for c. */
static gboolean
cost_gemm (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *result = output (node);
  gint64 count = dyno_shape_count (result);

  if (!has_rank (input (node, 0), 2) || result->rank != 2 || result->dims[0] < 1)
    return FALSE;
  *flops = 2 * count * (dyno_shape_count (input (node, 0)) / result->dims[0]) +
           (input (node, 2) != NULL ? count : 0);
  return TRUE;
}

/* com.microsoft QGemm: both sides have a scale and a zero point, and the bias is of integers. */
static gboolean
cost_q_gemm (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *result = output (node);
  gint64 count = dyno_shape_count (result);
  gboolean has_bias = has_rank (input (node, 6), 1) && input (node, 6)->type == DYNO_DATA_TYPE_INT32;

  if (!has_rank (input (node, 0), 2) || result->rank != 2 || result->dims[0] < 1)
    return FALSE;
  *flops = 2 * count * (dyno_shape_count (input (node, 0)) / result->dims[0]) + (has_bias ? count : 0);
  return TRUE;
}

/* Weights packed in the engine's own form: the depth is that of the data. */
static gboolean
cost_packed_mat_mul (const DynoNodeShapes *node, gint64 *flops)
{
  if (!has_rank (input (node, 0), 1))
    return FALSE;
  *flops = 2 * dyno_shape_count (output (node)) * last_dim (input (node, 0));
  return TRUE;
}

/* ai.onnx.ml: [n, features] to [n, targets], with an intercept for each; a classifier returns its labels
 * first. */
static gboolean
cost_linear (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *scores = &g_array_index (node->outputs, DynoShape, node->outputs->len - 1);

  if (!has_rank (input (node, 0), 1))
    return FALSE;
  *flops = dyno_shape_count (scores) * (2 * last_dim (input (node, 0)) + 1);
  return TRUE;
}

/* ai.onnx.ml: walking down a tree compares, and the leaf of each tree is added up. */
static gboolean
cost_trees (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *scores = &g_array_index (node->outputs, DynoShape, node->outputs->len - 1);

  return node->kernel_elements > 0 &&
         !__builtin_mul_overflow (dyno_shape_count (scores), node->kernel_elements, flops);
}

/* ai.onnx.ml: a row is multiplied with each support vector, the kernel is a function of that product, and
 * its coefficient is multiplied and added up; a classifier returns its labels first. */
static gboolean
cost_support_vectors (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *data = input (node, 0);

  if (!has_rank (data, 1) || node->kernel_elements < 1)
    return FALSE;
  return !__builtin_mul_overflow (dyno_shape_count (data) / MAX (last_dim (data), 1) * node->kernel_elements,
                                  2 * last_dim (data) + 3, flops);
}

/* com.microsoft MoE and QMoE: tokens [… hidden], scores of the router [tokens, experts], and weights of all
 * experts [experts, …]; that many experts multiply each token. Packed weights have several numbers in a
 * byte, which the factor includes. */
static gboolean
cost_experts (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *scores = input (node, 1);
  guint step = g_str_equal (node->op_type, "QMoE") ? 3 : 2; /* weights, scales, bias */
  gint64 weights = 0;

  if (!has_rank (scores, 2) || node->kernel_elements < 1 || last_dim (scores) < 1)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    {
      const DynoShape *of_expert = input (node, 2 + step * i);

      if (has_rank (of_expert, 3) && of_expert->dims[0] == last_dim (scores))
        weights += dyno_shape_count (of_expert) / last_dim (scores);
    }
  return weights > 0 && !__builtin_mul_overflow (weights, 2 * scores->dims[0], flops) &&
         !__builtin_mul_overflow (*flops, node->kernel_elements, flops);
}

/* Elimination: ⅔ n³ for each matrix. */
static gboolean
cost_determinant (const DynoNodeShapes *node, gint64 *flops)
{
  gint64 n = has_rank (input (node, 0), 2) ? last_dim (input (node, 0)) : 0;

  *flops = dyno_shape_count (input (node, 0)) * n * 2 / 3;
  return n > 0;
}

/* Each coordinate is a row of the matrix times a position, and a shift. */
static gboolean
cost_affine_grid (const DynoNodeShapes *node, gint64 *flops)
{
  if (!has_rank (input (node, 0), 3))
    return FALSE;
  *flops = 2 * (last_dim (input (node, 0)) - 1) * dyno_shape_count (output (node));
  return TRUE;
}

/* The score of each right class is weighted and added up. */
static gboolean
cost_likelihood (const DynoNodeShapes *node, gint64 *flops)
{
  if (input (node, 1) == NULL)
    return FALSE;
  *flops = 2 * dyno_shape_count (input (node, 1));
  return TRUE;
}

/* Softmax of all scores, and then the same. */
static gboolean
cost_cross_entropy (const DynoNodeShapes *node, gint64 *flops)
{
  if (!cost_likelihood (node, flops))
    return FALSE;
  *flops += 5 * dyno_shape_count (input (node, 0));
  return TRUE;
}

/* com.microsoft CDist: [m, k] and [n, k] to [m, n]: subtract, square, add. */
static gboolean
cost_distances (const DynoNodeShapes *node, gint64 *flops)
{
  if (!has_rank (input (node, 0), 2))
    return FALSE;
  *flops = 3 * dyno_shape_count (output (node)) * last_dim (input (node, 0));
  return TRUE;
}

/* Weight [m, c / groups, kernel …]: two per element of the result and of one filter, one for the bias. */
static gboolean
count_conv (const DynoNodeShapes *node, guint weight_input, gboolean has_bias, gint64 *flops)
{
  const DynoShape *weight = input (node, weight_input);
  gint64 count = dyno_shape_count (output (node));

  if (!has_rank (weight, 3) || weight->dims[0] < 1)
    return FALSE;
  *flops = 2 * count * (dyno_shape_count (weight) / weight->dims[0]) + (has_bias ? count : 0);
  return TRUE;
}

static gboolean
cost_conv (const DynoNodeShapes *node, gint64 *flops)
{
  return count_conv (node, 1, input (node, 2) != NULL, flops);
}

/* Two zero points may follow the weight, and no bias. */
static gboolean
cost_conv_integer (const DynoNodeShapes *node, gint64 *flops)
{
  return count_conv (node, 1, FALSE, flops);
}

/* Data, weight and result have a scale and a zero point each, then comes the bias. Scaling is part of the kernel, and does
 * not count. */
static gboolean
cost_q_linear_conv (const DynoNodeShapes *node, gint64 *flops)
{
  return count_conv (node, 3, input (node, 8) != NULL, flops);
}

/* Data, weight, offset, bias, mask. Each product takes its number from between four places, seven operations; a mask
 * multiplies it. */
static gboolean
cost_deform_conv (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *weight = input (node, 1);
  const DynoShape *result = output (node);
  gboolean has_bias = FALSE, has_mask = FALSE;
  gint64 places;

  for (guint i = 3; i < node->inputs->len; i++)
    {
      has_bias = has_bias || input (node, i)->rank == 1;
      has_mask = has_mask || input (node, i)->rank == 4;
    }
  if (!has_rank (input (node, 0), 4) || !has_rank (weight, 4) || !has_rank (result, 4) ||
      !count_conv (node, 1, has_bias, flops))
    return FALSE;
  places = result->dims[0] * result->dims[2] * result->dims[3] * weight->dims[2] * weight->dims[3];
  *flops += (has_mask ? 8 : 7) * places * input (node, 0)->dims[1];
  return TRUE;
}

/* Weight [c, m / groups, kernel …]: each element of the input is multiplied by one row of the weight. */
static gboolean
cost_conv_transpose (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *weight = input (node, 1);

  if (!has_rank (weight, 3) || weight->dims[0] < 1)
    return FALSE;
  *flops = 2 * dyno_shape_count (input (node, 0)) * (dyno_shape_count (weight) / weight->dims[0]) +
           (input (node, 2) != NULL ? dyno_shape_count (output (node)) : 0);
  return TRUE;
}

/* One operation per element of the window and of the result. */
static gboolean
cost_pool (const DynoNodeShapes *node, gint64 *flops)
{
  return node->kernel_elements > 0 &&
         !__builtin_mul_overflow (dyno_shape_count (output (node)), node->kernel_elements, flops);
}

/* Each element of the window is raised and added. */
static gboolean
cost_pool_two (const DynoNodeShapes *node, gint64 *flops)
{
  return node->kernel_elements > 0 &&
         !__builtin_mul_overflow (dyno_shape_count (output (node)), 2 * node->kernel_elements, flops);
}

/* A weighted mean of the neighbours: a product with each, and their sum. Nearest-neighbour interpolation computes
 * nothing. */
static gboolean
cost_resize (const DynoNodeShapes *node, gint64 *flops)
{
  gint64 places = node->kernel_elements;

  *flops = places > 1 ? (2 * places - 1) * dyno_shape_count (output (node)) : 0;
  return places > 0;
}

/* Attribute “mode”: between this many places on a plane, and twice as many in a volume. */
static gboolean
cost_grid_sample (const DynoNodeShapes *node, gint64 *flops)
{
  gint64 places = node->kernel_elements * (output (node)->rank > 4 && node->kernel_elements > 1 ? 2 : 1);

  *flops = places > 1 ? (2 * places - 1) * dyno_shape_count (output (node)) : 0;
  return places > 0;
}

/* Each element is the mean of samples, each from between four places; no shape shows the number of adaptive
 * samples. */
static gboolean
cost_roi_align (const DynoNodeShapes *node, gint64 *flops)
{
  return node->kernel_elements > 0 &&
         !__builtin_mul_overflow (dyno_shape_count (output (node)), 8 * node->kernel_elements, flops);
}

/* Each pair of elements is rotated: two products and a sum for each element of it. Only the first part of a
 * head may be rotated, twice the width of the cosines. */
static gboolean
cost_rotary (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *data = input (node, 0);
  gint64 count = dyno_shape_count (output (node));
  gint64 width = 0, turned = 0;

  if (!has_rank (data, 3) || node->inputs->len < 3)
    return FALSE;
  for (guint i = 1; i < node->inputs->len && turned == 0; i++)
    if (input (node, i)->rank >= 2 && input (node, i)->type == data->type)
      turned = 2 * last_dim (input (node, i));
  if (data->rank == 4)
    width = last_dim (data);
  else if (node->kernel_elements > 0)
    width = last_dim (data) / node->kernel_elements;
  *flops = 3 * (width > turned && turned > 0 ? count / width * turned : count);
  return TRUE;
}

/* Every element of the input is used once. */
static gboolean
cost_reduce (const DynoNodeShapes *node, gint64 *flops)
{
  if (input (node, 0) == NULL)
    return FALSE;
  *flops = dyno_shape_count (input (node, 0));
  return TRUE;
}

/* Every element of the input is squared, or raised, and added up. */
static gboolean
cost_reduce_two (const DynoNodeShapes *node, gint64 *flops)
{
  if (!cost_reduce (node, flops))
    return FALSE;
  *flops *= 2;
  return TRUE;
}

/* The scores and their product with the values: two times 2 · b · s · t · width. If the engine fused the
 * attention itself, the operations on the scores do not count, because the shapes do not show the number of
 * heads. */
static gint64
attention_core (gint64 batch, gint64 queries, gint64 keys, gint64 width)
{
  return 4 * batch * queries * keys * width;
}

/* Division (1), mask (1) and softmax (5) per score, as in decomposed attention. */
static gint64
attention_scores (const DynoNodeShapes *node, gint64 batch, gint64 queries, gint64 keys, gboolean is_masked)
{
  return (is_masked ? 7 : 6) * batch * node->kernel_elements * queries * keys;
}

/* ONNX Attention: query, key and value as [b, heads, s, d] or [b, s, heads × d], mask, past key and value [b, heads, p, d];
 * with a past, all keys are the second output. */
static gboolean
cost_plain_attention (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *query = input (node, 0);
  const DynoShape *key = input (node, 1);
  const DynoShape *all = node->outputs->len > 1 ? &g_array_index (node->outputs, DynoShape, 1) : NULL;
  guint axis = query->rank == 4 ? 2 : 1;
  gint64 heads = query->rank == 4 ? query->dims[1] : node->kernel_elements;
  gint64 keys, scores;

  if (key->rank != query->rank || output (node)->rank != query->rank || query->dims[axis] < 1 || heads < 1)
    return FALSE;
  keys = has_rank (all, 4) ? all->dims[2] : key->dims[axis];
  scores = query->dims[0] * query->dims[axis] * keys;
  *flops = 2 * keys * (dyno_shape_count (query) + dyno_shape_count (output (node))) +
           (node->inputs->len > 3 ? 7 : 6) * heads * scores;
  return TRUE;
}

/* com.microsoft Attention and QAttention: input [b, s, h], weights [h, 3 w], bias, mask, past [2, b, heads, p, d]. The
 * product with the weights, its bias, and the attention over p + s keys. */
static gboolean
cost_attention (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *data = input (node, 0);
  const DynoShape *weight = input (node, 1);
  const DynoShape *past = NULL;
  gint64 tokens, keys;

  for (guint i = 3; past == NULL && i < node->inputs->len; i++)
    if (input (node, i)->rank == 5)
      past = input (node, i);

  if (has_rank (data, 3) && has_rank (weight, 3))
    return cost_plain_attention (node, flops);
  if (!has_rank (data, 3) || !has_rank (weight, 2) || !has_rank (output (node), 3))
    return FALSE;
  tokens = data->dims[0] * data->dims[1];
  keys = data->dims[1] + (past != NULL ? past->dims[3] : 0);
  *flops = 2 * tokens * dyno_shape_count (weight) + tokens * last_dim (weight) +
           attention_core (data->dims[0], data->dims[1], keys, last_dim (output (node)));
  return TRUE;
}

/* com.microsoft MultiHeadAttention: query [b, s, w], key [b, t, w] or [b, heads, t, d], past key [b, heads, p, d]. */
static gboolean
cost_multi_head_attention (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *query = input (node, 0);
  const DynoShape *key = input (node, 1);
  const DynoShape *past = input (node, 6);
  gboolean has_matrix = FALSE;
  gint64 keys;

  for (guint i = 3; i < node->inputs->len; i++)
    has_matrix |= input (node, i)->rank == 4;

  if (!has_rank (query, 3) || query->rank > 3 || !has_rank (key, 3) || !has_rank (output (node), 3))
    return FALSE;
  keys = key->dims[key->rank == 4 ? 2 : 1] + (has_rank (past, 4) ? past->dims[2] : 0);
  *flops = attention_core (query->dims[0], query->dims[1], keys, last_dim (output (node))) +
           attention_scores (node, query->dims[0], query->dims[1], keys, has_matrix);
  return TRUE;
}

/* com.microsoft GroupQueryAttention: query [b, s, w], key and value [b, s, …], past key [b, heads of keys, p, d].
 * Masking is part of the operator. */
static gboolean
cost_group_query_attention (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *query = input (node, 0);
  const DynoShape *key = input (node, 1);
  const DynoShape *past = input (node, 3);
  gint64 keys;

  if (!has_rank (query, 3) || !has_rank (key, 3) || !has_rank (past, 4))
    return FALSE;
  keys = key->dims[1] + past->dims[2];
  *flops = attention_core (query->dims[0], query->dims[1], keys, last_dim (query)) +
           attention_scores (node, query->dims[0], query->dims[1], keys, TRUE);
  return TRUE;
}

static const struct
{
  const char *op_type;
  CostRule rule;
} rules[] = {
  { "Abs", cost_elementwise },
  { "Acos", cost_elementwise },
  { "Acosh", cost_elementwise },
  { "Add", cost_elementwise },
  { "AffineGrid", cost_affine_grid },
  { "And", cost_nothing },
  { "ArgMax", cost_nothing },
  { "ArgMin", cost_nothing },
  { "ArrayFeatureExtractor", cost_nothing },
  { "Asin", cost_elementwise },
  { "Asinh", cost_elementwise },
  { "Atan", cost_elementwise },
  { "Atanh", cost_elementwise },
  { "Attention", cost_attention },
  { "AveragePool", cost_pool },
  { "BatchNormalization", cost_batch_norm },
  { "Bernoulli", cost_elementwise },
  { "BiasAdd", cost_two },
  { "BiasDropout", cost_elementwise },
  { "BiasGelu", cost_bias_gelu },
  { "BiasSoftmax", cost_bias_softmax },
  { "Binarizer", cost_nothing },
  { "BitCast", cost_nothing },
  { "BitShift", cost_nothing },
  { "BitwiseAnd", cost_nothing },
  { "BitwiseNot", cost_nothing },
  { "BitwiseOr", cost_nothing },
  { "BitwiseXor", cost_nothing },
  { "BlackmanWindow", cost_elementwise },
  { "CDist", cost_distances },
  { "Cast", cost_nothing },
  { "CastLike", cost_nothing },
  { "CastMap", cost_nothing },
  { "CategoryMapper", cost_nothing },
  { "Ceil", cost_elementwise },
  { "Celu", cost_elementwise },
  { "CenterCropPad", cost_nothing },
  { "Clip", cost_elementwise },
  { "Col2Im", cost_reduce },
  { "Compress", cost_nothing },
  { "Concat", cost_nothing },
  { "ConcatFromSequence", cost_nothing },
  { "Constant", cost_nothing },
  { "ConstantOfShape", cost_nothing },
  { "Conv", cost_conv },
  { "ConvInteger", cost_conv_integer },
  { "ConvTranspose", cost_conv_transpose },
  { "ConvTransposeWithDynamicPads", cost_conv_transpose },
  { "Cos", cost_elementwise },
  { "Cosh", cost_elementwise },
  { "CumProd", cost_reduce },
  { "CumSum", cost_reduce },
  { "DFT", dyno_sequence_cost_dft },
  { "DeformConv", cost_deform_conv },
  { "DepthToSpace", cost_nothing },
  { "DequantizeLinear", cost_dequantise },
  { "Det", cost_determinant },
  { "DictVectorizer", cost_nothing },
  { "Div", cost_elementwise },
  { "Dropout", cost_nothing },
  { "DynamicQuantizeLSTM", dyno_sequence_cost_dynamic_lstm },
  { "DynamicQuantizeLinear", cost_dynamic_quantise },
  { "DynamicQuantizeMatMul", cost_mat_mul_to_float },
  { "Einsum", dyno_sequence_cost_einsum },
  { "Elu", cost_elementwise },
  { "EmbedLayerNormalization", cost_embed_layer_norm },
  { "Equal", cost_nothing },
  { "Erf", cost_elementwise },
  { "Exp", cost_elementwise },
  { "Expand", cost_nothing },
  { "ExpandDims", cost_nothing },
  { "EyeLike", cost_nothing },
  { "FastGelu", cost_fast_gelu },
  { "FeatureVectorizer", cost_nothing },
  { "Flatten", cost_nothing },
  { "Floor", cost_elementwise },
  { "FusedConv", cost_conv },
  { "FusedGemm", cost_gemm },
  { "FusedMatMul", cost_mat_mul },
  { "GRU", dyno_sequence_cost_gru },
  { "Gather", cost_nothing },
  { "GatherBlockQuantized", cost_nothing },
  { "GatherElements", cost_nothing },
  { "GatherND", cost_nothing },
  { "Gelu", cost_gelu },
  { "Gemm", cost_gemm },
  { "GlobalAveragePool", cost_reduce },
  { "GlobalLpPool", cost_reduce_two },
  { "GlobalMaxPool", cost_reduce },
  { "Greater", cost_nothing },
  { "GreaterOrEqual", cost_nothing },
  { "GridSample", cost_grid_sample },
  { "GroupNorm", cost_layer_norm },
  { "GroupNormalization", cost_layer_norm },
  { "GroupQueryAttention", cost_group_query_attention },
  { "HammingWindow", cost_elementwise },
  { "HannWindow", cost_elementwise },
  { "HardSigmoid", cost_elementwise },
  { "HardSwish", cost_two },
  { "Hardmax", cost_nothing },
  { "Identity", cost_nothing },
  { "If", cost_nothing }, /* as is the branch that ran */
  { "Imputer", cost_nothing },
  { "InstanceNormalization", cost_layer_norm },
  { "IsInf", cost_nothing },
  { "IsNaN", cost_nothing },
  { "LRN", cost_local_norm },
  { "LSTM", dyno_sequence_cost_lstm },
  { "LabelEncoder", cost_nothing },
  { "LayerNormalization", cost_layer_norm },
  { "LeakyRelu", cost_elementwise },
  { "Less", cost_nothing },
  { "LessOrEqual", cost_nothing },
  { "LinearClassifier", cost_linear },
  { "LinearRegressor", cost_linear },
  { "Log", cost_elementwise },
  { "LogSoftmax", cost_softmax },
  { "Loop", cost_nothing }, /* its body is counted each time that it ran */
  { "LpNormalization", cost_three },
  { "LpPool", cost_pool_two },
  { "MatMul", cost_mat_mul },
  { "MatMulBnb4", cost_packed_mat_mul },
  { "MatMulFpQ4", cost_packed_mat_mul },
  { "MatMulInteger", cost_mat_mul },
  { "MatMulInteger16", cost_mat_mul },
  { "MatMulIntegerToFloat", cost_mat_mul_to_float },
  { "MatMulNBits", cost_mat_mul_n_bits },
  { "Max", cost_sum },
  { "MaxPool", cost_pool },
  { "MaxUnpool", cost_nothing },
  { "MaxpoolWithMask", cost_pool },
  { "Mean", cost_sum },
  { "MeanVarianceNormalization", cost_normalise },
  { "MelWeightMatrix", cost_elementwise },
  { "MemcpyFromHost", cost_nothing },
  { "MemcpyToHost", cost_nothing },
  { "Min", cost_sum },
  { "Mish", cost_three },
  { "MoE", cost_experts },
  { "Mod", cost_elementwise },
  { "Mul", cost_elementwise },
  { "MulInteger", cost_elementwise },
  { "MultiHeadAttention", cost_multi_head_attention },
  { "Neg", cost_elementwise },
  { "NegativeLogLikelihoodLoss", cost_likelihood },
  { "NhwcConv", cost_conv },
  { "NhwcFusedConv", cost_conv },
  { "NhwcMaxPool", cost_pool },
  { "NonZero", cost_nothing },
  { "Normalizer", cost_three },
  { "Not", cost_nothing },
  { "OneHot", cost_nothing },
  { "OneHotEncoder", cost_nothing },
  { "Optional", cost_nothing },
  { "OptionalGetElement", cost_nothing },
  { "OptionalHasElement", cost_nothing },
  { "Or", cost_nothing },
  { "PRelu", cost_elementwise },
  { "Pad", cost_nothing },
  { "Pow", cost_elementwise },
  { "QAttention", cost_attention },
  { "QEmbedLayerNormalization", cost_embed_layer_norm },
  { "QGemm", cost_q_gemm },
  { "QLinearAdd", cost_elementwise },
  { "QLinearAveragePool", cost_pool },
  { "QLinearConcat", cost_nothing },
  { "QLinearConv", cost_q_linear_conv },
  { "QLinearGlobalAveragePool", cost_reduce },
  { "QLinearLeakyRelu", cost_elementwise },
  { "QLinearMatMul", cost_mat_mul },
  { "QLinearMul", cost_elementwise },
  { "QLinearReduceMean", cost_reduce },
  { "QLinearSigmoid", cost_elementwise },
  { "QLinearSoftmax", cost_softmax },
  { "QLinearWhere", cost_nothing },
  { "QMoE", cost_experts },
  { "QuantizeLinear", cost_three },
  { "QuickGelu", cost_two },
  { "RMSNormalization", cost_rms_norm },
  { "RNN", dyno_sequence_cost_rnn },
  { "RandomNormal", cost_elementwise },
  { "RandomNormalLike", cost_elementwise },
  { "RandomUniform", cost_elementwise },
  { "RandomUniformLike", cost_elementwise },
  { "Range", cost_nothing },
  { "Reciprocal", cost_elementwise },
  { "ReduceL1", cost_reduce_two },
  { "ReduceL2", cost_reduce_two },
  { "ReduceLogSum", cost_reduce },
  { "ReduceLogSumExp", cost_reduce_two },
  { "ReduceMax", cost_reduce },
  { "ReduceMean", cost_reduce },
  { "ReduceMin", cost_reduce },
  { "ReduceProd", cost_reduce },
  { "ReduceSum", cost_reduce },
  { "ReduceSumInteger", cost_reduce },
  { "ReduceSumSquare", cost_reduce_two },
  { "RegexFullMatch", cost_nothing },
  { "Relu", cost_elementwise },
  { "ReorderInput", cost_nothing },
  { "ReorderOutput", cost_nothing },
  { "Reshape", cost_nothing },
  { "Resize", cost_resize },
  { "ReverseSequence", cost_nothing },
  { "RoiAlign", cost_roi_align },
  { "RotaryEmbedding", cost_rotary },
  { "Round", cost_elementwise },
  { "STFT", dyno_sequence_cost_stft },
  { "SVMClassifier", cost_support_vectors },
  { "SVMRegressor", cost_support_vectors },
  { "Scaler", cost_two },
  { "Scan", cost_nothing }, /* its body is counted separately */
  { "Scatter", cost_nothing },
  { "ScatterElements", cost_nothing },
  { "ScatterND", cost_nothing },
  { "Selu", cost_elementwise },
  { "SequenceAt", cost_nothing },
  { "SequenceConstruct", cost_nothing },
  { "SequenceEmpty", cost_nothing },
  { "SequenceErase", cost_nothing },
  { "SequenceInsert", cost_nothing },
  { "SequenceLength", cost_nothing },
  { "SequenceMap", cost_nothing }, /* its body is counted each time that it ran */
  { "Shape", cost_nothing },
  { "Shrink", cost_elementwise },
  { "Sigmoid", cost_elementwise },
  { "Sign", cost_elementwise },
  { "SimplifiedLayerNormalization", cost_rms_norm },
  { "Sin", cost_elementwise },
  { "Sinh", cost_elementwise },
  { "Size", cost_nothing },
  { "SkipLayerNormalization", cost_skip_layer_norm },
  { "SkipSimplifiedLayerNormalization", cost_skip_rms_norm },
  { "Slice", cost_nothing },
  { "Softmax", cost_softmax },
  { "SoftmaxCrossEntropyLoss", cost_cross_entropy },
  { "Softplus", cost_elementwise },
  { "Softsign", cost_elementwise },
  { "SpaceToDepth", cost_nothing },
  { "SparseToDenseMatMul", cost_mat_mul },
  { "Split", cost_nothing },
  { "SplitToSequence", cost_nothing },
  { "Sqrt", cost_elementwise },
  { "Squeeze", cost_nothing },
  { "StringConcat", cost_nothing },
  { "StringNormalizer", cost_nothing },
  { "StringSplit", cost_nothing },
  { "Sub", cost_elementwise },
  { "Sum", cost_sum },
  { "Swish", cost_two },
  { "Tan", cost_elementwise },
  { "Tanh", cost_elementwise },
  { "TensorScatter", cost_nothing },
  { "TfIdfVectorizer", cost_nothing },
  { "ThresholdedRelu", cost_elementwise },
  { "Tile", cost_nothing },
  { "Tokenizer", cost_nothing },
  { "TopK", cost_nothing },
  { "Transpose", cost_nothing },
  { "TransposeMatMul", cost_mat_mul },
  { "TreeEnsemble", cost_trees },
  { "TreeEnsembleClassifier", cost_trees },
  { "TreeEnsembleRegressor", cost_trees },
  { "Trilu", cost_nothing },
  { "UnfoldTensor", cost_nothing },
  { "Unique", cost_nothing },
  { "Unsqueeze", cost_nothing },
  { "Upsample", cost_resize },
  { "Where", cost_nothing },
  { "Xor", cost_nothing },
  { "ZipMap", cost_nothing },
};

/* No other rule exceeds 16 × results × elements of one operand; below this limit no product overflows. */
static gboolean
is_countable (const DynoNodeShapes *node, CostRule rule)
{
  /* Their work is at most 16 operations for each result. */
  static const CostRule rules_of_results[] = { cost_elementwise, cost_two,     cost_three,     cost_gelu,
                                               cost_bias_gelu,   cost_softmax, cost_layer_norm };
  gint64 results = dyno_shape_count (output (node));
  gint64 factor = MAX (results, 1), product;

  for (guint i = 0; i < G_N_ELEMENTS (rules_of_results); i++)
    if (rules_of_results[i] == rule)
      factor = 1;
  for (guint i = 0; i < node->inputs->len; i++)
    {
      gint64 operand = dyno_shape_count (input (node, i));

      if (operand < 0 || operand > G_MAXINT64 / 16 || __builtin_mul_overflow (16 * operand, factor, &product))
        return FALSE;
    }
  return results >= 0 && results < G_MAXINT64 / 16;
}

static int
compare_rule (gconstpointer op_type, gconstpointer rule)
{
  return strcmp (op_type, *(const char *const *)rule);
}

gboolean
dyno_operator_cost_flops (const DynoNodeShapes *node, gint64 *flops)
{
  const void *found = bsearch (node->op_type, rules, G_N_ELEMENTS (rules), sizeof rules[0], compare_rule);
  gsize index = found != NULL ? ((const char *)found - (const char *)rules) / sizeof rules[0] : 0;

  *flops = 0;
  if (found != NULL && rules[index].rule == cost_nothing)
    return TRUE;
  if (found == NULL || node->inputs == NULL || node->outputs == NULL || node->outputs->len == 0 ||
      !is_countable (node, rules[index].rule))
    return FALSE;
  return rules[index].rule (node, flops) && *flops >= 0;
}

gint64
dyno_operator_cost_bytes (const DynoNodeShapes *node)
{
  /* These read only the indexed rows, not the whole table, which may be that of a vocabulary. */
  static const char *const readers_of_rows[] = { "Gather", "GatherElements", "GatherND", NULL };
  gboolean reads_rows = g_strv_contains (readers_of_rows, node->op_type) && node->outputs->len > 0;
  gint64 bytes = 0;

  for (guint i = 0; i < node->outputs->len; i++)
    bytes += dyno_shape_bytes (&g_array_index (node->outputs, DynoShape, i));
  for (guint i = 0; i < node->inputs->len; i++)
    if (i == 0 && reads_rows)
      bytes += dyno_shape_bytes (&g_array_index (node->outputs, DynoShape, 0));
    else
      bytes += dyno_shape_bytes (&g_array_index (node->inputs, DynoShape, i));
  return bytes;
}
