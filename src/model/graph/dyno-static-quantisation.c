/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-model-graph-private.h"

/* Quantised values are bytes without a sign; weights are bytes with one. */
#define HIGHEST 255

#define USUAL_EPSILON 1e-5

/* A value between a pair of QuantizeLinear and DequantizeLinear. If an operator with an integer kernel gives it, every
 * node reads the pair's result, so that engines fuse the operator with both; else only products do. */
typedef struct
{
  gboolean is_result;
  gboolean is_paired;
  const char *ranged; /* the value whose range it has */
} Point;

/* The nodes that use a value, and the last of them; an output of the graph has no node. */
typedef struct
{
  guint n;
  const Onnx__NodeProto *node;
} Uses;

typedef struct
{
  DynoGraph *graph;
  GHashTable *weights;   /* DynoWeight by name */
  GHashTable *makers;    /* nodes by the names of their outputs */
  GHashTable *uses;      /* Uses by name of the value */
  GHashTable *points;    /* Point by name of the value */
  GHashTable *layers;    /* weights of the nodes to quantise */
  GHashTable *followers; /* the normalisation or the sum with a bias that such a node absorbs */
  GHashTable *dropped;   /* set of nodes */
  GHashTable *shared;    /* DynoQuantisedLayer of weights whose form depends on nothing else */
  GPtrArray *order;      /* names of points, as they are found */
  GStringChunk *strings;
} Plan;

static void
plan_clear (Plan *self)
{
  if (self->graph == NULL)
    return;
  g_hash_table_unref (self->weights);
  g_hash_table_unref (self->makers);
  g_hash_table_unref (self->uses);
  g_hash_table_unref (self->points);
  g_hash_table_unref (self->layers);
  g_hash_table_unref (self->followers);
  g_hash_table_unref (self->dropped);
  g_hash_table_unref (self->shared);
  g_ptr_array_unref (self->order);
  g_string_chunk_free (self->strings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

gboolean
dyno_graph_has_integer_form (const Onnx__NodeProto *node)
{
  return strcmp (node->op_type, "Conv") == 0 || strcmp (node->op_type, "MatMul") == 0;
}

static void
add_use (Plan *self, const char *value, const Onnx__NodeProto *node)
{
  Uses *uses = g_hash_table_lookup (self->uses, value);

  if (uses == NULL)
    {
      uses = g_new0 (Uses, 1);
      g_hash_table_insert (self->uses, (gpointer)value, uses);
    }
  uses->n++;
  uses->node = node;
}

/* Nodes of a body may read outer values. */
static void
add_uses (Plan *self, const Onnx__NodeProto *node, gboolean is_inner)
{
  for (gsize i = 0; i < node->n_input; i++)
    add_use (self, node->input[i], is_inner ? NULL : node);
  for (gsize i = 0; i < node->n_attribute; i++)
    for (gsize k = 0; node->attribute[i]->g != NULL && k < node->attribute[i]->g->n_node; k++)
      add_uses (self, node->attribute[i]->g->node[k], TRUE);
}

static DynoWeight *
find_weight (Plan *self, const Onnx__NodeProto *node, guint input)
{
  return input < node->n_input ? g_hash_table_lookup (self->weights, node->input[input]) : NULL;
}

/* Returns the node of that type that alone reads the value, as its first input; NULL if there is none. */
static const Onnx__NodeProto *
find_only_user (Plan *self, const char *value, const char *op_type)
{
  const Uses *uses = g_hash_table_lookup (self->uses, value);

  return uses != NULL && uses->n == 1 && uses->node != NULL && strcmp (uses->node->op_type, op_type) == 0 &&
                 strcmp (uses->node->input[0], value) == 0
             ? uses->node
             : NULL;
}

static gboolean
is_result (Plan *self, const char *value)
{
  const Point *point = g_hash_table_lookup (self->points, value);

  return point != NULL && point->is_result;
}

static void
add_point (Plan *self, const char *value, gboolean is_result, const char *ranged)
{
  char *name;
  Point *point;

  if (g_hash_table_contains (self->points, value))
    return;
  /* Rewriting renames the outputs of nodes. */
  name = g_string_chunk_insert_const (self->strings, value);
  point = g_new0 (Point, 1);
  point->is_result = is_result;
  point->ranged = g_string_chunk_insert_const (self->strings, ranged);
  g_hash_table_insert (self->points, name, point);
  g_ptr_array_add (self->order, name);
}

/* Engines drop an activation function before a QuantizeLinear that cuts off the same numbers, so the pair follows it. */
static void
add_result (Plan *self, const char *value)
{
  static const char *const types[] = { "Relu", "Clip" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      const Onnx__NodeProto *node = find_only_user (self, value, types[i]);

      if (node != NULL)
        {
          add_point (self, node->output[0], TRUE, node->output[0]);
          return;
        }
    }
  add_point (self, value, TRUE, value);
}

/* In an outline, values that stand for others of their kind have no maker. */
static gboolean
is_activation (Plan *self, const char *value)
{
  const Onnx__NodeProto *maker = g_hash_table_lookup (self->makers, value);

  return dyno_graph_get_shape (self->graph, value)->type == DYNO_DATA_TYPE_FLOAT &&
         !g_hash_table_contains (self->weights, value) &&
         (maker == NULL || strcmp (maker->op_type, "Constant") != 0);
}

static void
plan_convolution (Plan *self, const Onnx__NodeProto *node)
{
  DynoWeight *weight = find_weight (self, node, 1);
  const char *result = node->output[0];
  gboolean has_bias = node->n_input > 2 && *node->input[2] != '\0';
  const Onnx__NodeProto *norm;

  if (weight == NULL || (has_bias && find_weight (self, node, 2) == NULL) ||
      !is_activation (self, node->input[0]))
    return;
  g_hash_table_insert (self->layers, (gpointer)node, weight);
  add_point (self, node->input[0], FALSE, node->input[0]);
  norm = find_only_user (self, result, "BatchNormalization");
  for (guint i = 1; norm != NULL && i <= 4; i++)
    if (find_weight (self, norm, i) == NULL)
      norm = NULL;
  if (norm != NULL)
    {
      g_hash_table_insert (self->followers, (gpointer)node, (gpointer)norm);
      g_hash_table_add (self->dropped, (gpointer)norm);
      result = norm->output[0];
    }
  add_result (self, result);
}

/* The weight may be turned over before it is used. */
static void
plan_product (Plan *self, const Onnx__NodeProto *node)
{
  const Onnx__NodeProto *maker = g_hash_table_lookup (self->makers, node->input[1]);
  DynoWeight *weight = find_weight (self, node, 1);
  gboolean is_by_rows = weight == NULL && maker != NULL && strcmp (maker->op_type, "Transpose") == 0;
  Uses *uses = g_hash_table_lookup (self->uses, node->input[1]);
  const Onnx__NodeProto *sum;
  const DynoWeight *bias;

  if (is_by_rows)
    weight = find_weight (self, maker, 0);
  if (weight == NULL || weight->shape.rank != 2 ||
      (weight->is_absorbed && weight->is_by_rows != is_by_rows) || !is_activation (self, node->input[0]))
    return;
  weight->is_absorbed = TRUE;
  weight->is_by_rows = is_by_rows;
  g_hash_table_insert (self->layers, (gpointer)node, weight);
  add_point (self, node->input[0], FALSE, node->input[0]);
  if (is_by_rows && --uses->n == 0)
    g_hash_table_add (self->dropped, (gpointer)maker);

  /* Engines make one operator of a product of matrices and a bias, which has integer kernels only if both have. */
  sum = find_only_user (self, node->output[0], "Add");
  bias = sum != NULL ? find_weight (self, sum, 1) : NULL;
  if (bias == NULL || bias->shape.rank != 1 || dyno_graph_get_shape (self->graph, node->input[0])->rank != 2)
    return;
  g_hash_table_insert (self->followers, (gpointer)node, (gpointer)sum);
  g_hash_table_add (self->dropped, (gpointer)sum);
}

/* Operators that have integer kernels too, if all that they read is quantised. */
static void
plan_other (Plan *self, const Onnx__NodeProto *node)
{
  static const char *const same_range[] = { "Flatten",   "MaxPool",   "Reshape", "Squeeze",
                                            "Transpose", "Unsqueeze", NULL };
  static const char *const own_range[] = { "AveragePool", "GlobalAveragePool", "Sigmoid", NULL };
  static const char *const joining[] = { "Add", "Concat", "Mul", NULL };
  gboolean are_results = g_strv_contains (joining, node->op_type);
  const Point *point = node->n_input > 0 ? g_hash_table_lookup (self->points, node->input[0]) : NULL;

  if (point == NULL || !point->is_result)
    return;
  for (gsize i = 1; i < node->n_input; i++)
    are_results = are_results && is_result (self, node->input[i]);
  if (g_strv_contains (same_range, node->op_type))
    add_point (self, node->output[0], TRUE, point->ranged);
  else if (are_results || g_strv_contains (own_range, node->op_type))
    add_result (self, node->output[0]);
}

static void
plan_init (Plan *self, DynoGraph *graph)
{
  GPtrArray *nodes = dyno_graph_get_nodes (graph);
  GPtrArray *weights = dyno_graph_get_weights (graph);
  GPtrArray *outputs = dyno_graph_get_outputs (graph);

  *self = (Plan){ .graph = graph,
                  .weights = g_hash_table_new (g_str_hash, g_str_equal),
                  .makers = g_hash_table_new (g_str_hash, g_str_equal),
                  .uses = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free),
                  .points = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free),
                  .layers = g_hash_table_new (NULL, NULL),
                  .followers = g_hash_table_new (NULL, NULL),
                  .dropped = g_hash_table_new (NULL, NULL),
                  .shared = g_hash_table_new (NULL, NULL),
                  .order = g_ptr_array_new (),
                  .strings = g_string_chunk_new (4096) };
  for (guint i = 0; i < weights->len; i++)
    g_hash_table_insert (self->weights, (gpointer)((DynoWeight *)weights->pdata[i])->name, weights->pdata[i]);
  for (guint i = 0; i < outputs->len; i++)
    add_use (self, dyno_tensor_info_get_name (outputs->pdata[i]), NULL);
  for (guint i = 0; i < nodes->len; i++)
    {
      const Onnx__NodeProto *node = nodes->pdata[i];

      add_uses (self, node, FALSE);
      for (gsize k = 0; k < node->n_output; k++)
        g_hash_table_insert (self->makers, node->output[k], (gpointer)node);
    }
  for (guint i = 0; i < nodes->len; i++)
    {
      const Onnx__NodeProto *node = nodes->pdata[i];

      if (strcmp (node->op_type, "Conv") == 0)
        plan_convolution (self, node);
      else if (strcmp (node->op_type, "MatMul") == 0)
        plan_product (self, node);
      else
        plan_other (self, node);
    }
}

/* Calls with the values of each fused attention whose scales the cache needs: new keys and new values. */
static gboolean
visit_caches (DynoGraph *graph,
              gboolean (*visit) (DynoGraph *graph, const char *value, const char *scale, gpointer data),
              gpointer data)
{
  GPtrArray *nodes = dyno_graph_get_nodes (graph);

  for (guint i = 0; i < nodes->len; i++)
    {
      const Onnx__NodeProto *node = nodes->pdata[i];

      for (guint k = 0; strcmp (node->op_type, "GroupQueryAttention") == 0 && k < 2; k++)
        if (!visit (graph, node->input[1 + k], node->input[DYNO_CACHE_SCALES + k], data))
          return FALSE;
    }
  return TRUE;
}

static gboolean
add_cached (DynoGraph *graph, const char *value, const char *scale, gpointer data)
{
  if (!g_ptr_array_find_with_equal_func (data, value, g_str_equal, NULL))
    g_ptr_array_add (data, g_strdup (value));
  return TRUE;
}

/* Symmetric, so that an empty place is 0. */
static gboolean
set_scale (DynoGraph *graph, const char *value, const char *scale, gpointer data)
{
  const DynoRange *range = g_hash_table_lookup (data, value);
  GPtrArray *nodes = dyno_graph_get_nodes (graph);
  float step;

  if (range == NULL || !isfinite (range->lowest) || !isfinite (range->highest))
    return FALSE;
  step = (float)fmax (fabs (range->lowest), fabs (range->highest)) / G_MAXINT8;
  if (step < FLT_MIN)
    step = 1;
  for (guint i = 0; i < nodes->len; i++)
    {
      const Onnx__NodeProto *node = nodes->pdata[i];

      if (strcmp (node->op_type, "Constant") == 0 && strcmp (node->output[0], scale) == 0)
        memcpy (node->attribute[0]->t->raw_data.data, &step, sizeof step);
    }
  return TRUE;
}

GPtrArray *
dyno_graph_list_quantised (DynoGraph *graph)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_auto (Plan) plan = { NULL };

  if (dyno_graph_get_quantisation (graph)->is_cache)
    {
      visit_caches (graph, add_cached, names);
      return names;
    }
  plan_init (&plan, graph);
  for (guint i = 0; i < plan.order->len; i++)
    {
      const Point *point = g_hash_table_lookup (plan.points, plan.order->pdata[i]);

      if (strcmp (point->ranged, plan.order->pdata[i]) == 0)
        g_ptr_array_add (names, g_strdup (point->ranged));
    }
  return names;
}

/* The range of a value includes 0, which has an exact quantised form. At an end that is 0, as after an activation function,
 * the other end is not exceeded, so that engines see that the function cuts off nothing. */
static void
find_scale (const DynoRange *range, float *scale, guint8 *zero)
{
  double low = range != NULL ? fmin (range->lowest, 0) : 0;
  double high = range != NULL ? fmax (range->highest, 0) : HIGHEST;

  *scale = (float)((high - low) / HIGHEST);
  if (*scale < FLT_MIN)
    *scale = 1;
  *zero = (guint8)CLAMP (lround (-low / (double)*scale), 0, HIGHEST);
  while (*zero == 0 && *scale * HIGHEST > (float)high && high > 0)
    *scale = nextafterf (*scale, 0);
}

static void
set_name (char **name, const char *to)
{
  g_free (*name);
  *name = g_strdup (to);
}

/* @raw is what the value's maker gives. */
static void
add_pair (Plan *self, GHashTable *ranges, const char *value, const char *raw)
{
  Point *point = g_hash_table_lookup (self->points, value);
  g_autofree char *quants = g_strconcat (value, ".quantised", NULL);
  g_autofree char *result = point->is_result ? g_strdup (value) : g_strconcat (value, ".dequantised", NULL);
  const char *inputs[3] = { raw };
  guint8 zero;
  float scale;

  point->is_paired = TRUE;
  find_scale (ranges != NULL ? g_hash_table_lookup (ranges, point->ranged) : NULL, &scale, &zero);
  inputs[1] = dyno_graph_add_float (self->graph, scale);
  inputs[2] = dyno_graph_add_bytes (self->graph, DYNO_DATA_TYPE_UINT8, 0, zero);
  dyno_graph_add_as (self->graph, quants, "QuantizeLinear", G_N_ELEMENTS (inputs), inputs);
  inputs[0] = quants;
  dyno_graph_add_as (self->graph, result, "DequantizeLinear", G_N_ELEMENTS (inputs), inputs);
}

static const char *
add_real (
    DynoGraph *graph, const char *scope, const char *axis, const DynoWeight *quants, const DynoWeight *scales)
{
  DynoDataType type = quants->shape.type;
  const char *zeros = type == DYNO_DATA_TYPE_INT8
                          ? dyno_graph_add_bytes (graph, type, dyno_shape_count (&scales->shape), 0)
                          : NULL;
  const char *value;

  dyno_graph_push_scope (graph, "%s", scope);
  value = dyno_graph_add (graph, "DequantizeLinear", axis, quants->name, scales->name, zeros, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static void
quantise_product (Plan *self, Onnx__NodeProto *node, DynoWeight *weight)
{
  const DynoShape quants = { DYNO_DATA_TYPE_INT8,
                             2,
                             { weight->shape.dims[weight->is_by_rows ? 1 : 0],
                               weight->shape.dims[weight->is_by_rows ? 0 : 1] } };
  const DynoShape scales = { DYNO_DATA_TYPE_FLOAT, 1, { quants.dims[1] } };

  if (weight->quants == NULL)
    {
      weight->quants = dyno_graph_add_part (self->graph, weight, ".quants", &quants);
      weight->scales = dyno_graph_add_part (self->graph, weight, ".scales", &scales);
    }
  set_name (&node->input[1], add_real (self->graph, node->name, "axis=1", weight->quants, weight->scales));
}

static const DynoQuantisedLayer *
find_layer (Plan *self, GHashTable *ranges, const Onnx__NodeProto *node, DynoWeight *weight)
{
  const Onnx__NodeProto *follower = g_hash_table_lookup (self->followers, node);
  const Onnx__NodeProto *norm = weight->shape.rank > 2 ? follower : NULL;
  DynoWeight *bias = weight->shape.rank > 2 ? find_weight (self, node, 2) : find_weight (self, follower, 1);
  DynoQuantisedLayer layer = { .weight = weight, .bias = bias };
  const Point *point = g_hash_table_lookup (self->points, node->input[0]);
  const DynoQuantisedLayer *shared = g_hash_table_lookup (self->shared, weight);
  guint8 zero;

  weight->is_absorbed = TRUE;
  if (bias == NULL && norm == NULL && shared != NULL)
    return shared;
  find_scale (ranges != NULL ? g_hash_table_lookup (ranges, point->ranged) : NULL, &layer.input_scale, &zero);
  if (bias != NULL)
    bias->is_absorbed = TRUE;
  for (guint i = 0; norm != NULL && i < G_N_ELEMENTS (layer.norm); i++)
    {
      DynoWeight *part = find_weight (self, norm, i + 1);

      part->is_absorbed = TRUE;
      layer.norm[i] = part;
    }
  layer.epsilon = USUAL_EPSILON;
  for (gsize i = 0; norm != NULL && i < norm->n_attribute; i++)
    if (strcmp (norm->attribute[i]->name, "epsilon") == 0)
      layer.epsilon = (double)norm->attribute[i]->f;
  shared = dyno_graph_add_layer (self->graph, &layer);
  if (bias == NULL && norm == NULL)
    g_hash_table_insert (self->shared, weight, (gpointer)shared);
  return shared;
}

static void
quantise_layer (Plan *self, GHashTable *ranges, Onnx__NodeProto *node, DynoWeight *weight)
{
  const DynoQuantisedLayer *layer = find_layer (self, ranges, node, weight);
  const Onnx__NodeProto *follower = g_hash_table_lookup (self->followers, node);
  const char *axis = weight->shape.rank > 2 ? "axis=0" : "axis=1";
  g_autofree char *scope = g_strconcat (node->name, ".bias", NULL);
  const char *bias;

  set_name (&node->input[1], add_real (self->graph, node->name, axis, layer->quants, layer->scales));
  if (follower != NULL)
    set_name (&node->output[0], follower->output[0]);
  if (strcmp (node->op_type, "MatMul") == 0)
    {
      set_name (&node->op_type, "Gemm");
      dyno_node_parse_attributes (node, "alpha=1.0 beta=1.0");
    }
  if (layer->bias_quants == NULL)
    return;
  bias = add_real (self->graph, scope, "axis=0", layer->bias_quants, layer->bias_scales);
  if (node->n_input > 2)
    set_name (&node->input[2], bias);
  else
    dyno_node_add_input (node, bias);
}

static void
rewrite (Plan *self, GHashTable *ranges, Onnx__NodeProto *node)
{
  DynoWeight *weight = g_hash_table_lookup (self->layers, node);
  const Point *point = weight != NULL ? g_hash_table_lookup (self->points, node->input[0]) : NULL;
  gboolean gives_result;

  if (point != NULL && !point->is_paired)
    add_pair (self, ranges, node->input[0], node->input[0]);
  if (weight != NULL && (weight->shape.rank > 2 || g_hash_table_contains (self->followers, node)))
    quantise_layer (self, ranges, node, weight);
  else if (weight != NULL)
    quantise_product (self, node, weight);
  if (point != NULL && !point->is_result)
    {
      g_autofree char *name = g_strconcat (node->input[0], ".dequantised", NULL);

      set_name (&node->input[0], name);
    }
  gives_result = node->n_output > 0 && is_result (self, node->output[0]);
  if (gives_result)
    {
      g_autofree char *value = g_strdup (node->output[0]);
      const char *raw = dyno_graph_add_renamed (self->graph, value, ".raw");

      set_name (&node->output[0], raw);
      dyno_graph_put_back (self->graph, node);
      add_pair (self, ranges, value, raw);
      return;
    }
  dyno_graph_put_back (self->graph, node);
  for (gsize i = 0; i < node->n_output; i++)
    if (g_hash_table_contains (self->points, node->output[i]))
      add_pair (self, ranges, node->output[i], node->output[i]);
}

static gboolean
check_ranges (Plan *self, GHashTable *ranges, GError **error)
{
  for (guint i = 0; ranges != NULL && i < self->order->len; i++)
    {
      const Point *point = g_hash_table_lookup (self->points, self->order->pdata[i]);
      const DynoRange *range = g_hash_table_lookup (ranges, point->ranged);

      if (range != NULL && isfinite (range->lowest) && isfinite (range->highest))
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   range == NULL ? _ ("No range was found for “%s”, so it cannot be quantised.")
                                 : _ ("“%s” holds numbers that are not finite, so it cannot be quantised. "
                                      "Choose other inputs (--input), or fp32."),
                   point->ranged);
      return FALSE;
    }
  return TRUE;
}

gboolean
dyno_graph_quantise (DynoGraph *graph, GHashTable *ranges, GError **error)
{
  g_auto (Plan) plan = { NULL };
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GPtrArray) dropped = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_free);
  GPtrArray *inputs = dyno_graph_get_inputs (graph);

  if (dyno_graph_get_quantisation (graph)->is_cache)
    {
      if (ranges == NULL || visit_caches (graph, set_scale, ranges))
        return TRUE;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The keys and values have no finite range, so they cannot be quantised. Choose other "
                      "inputs (--input), or fp32."));
      return FALSE;
    }
  plan_init (&plan, graph);
  if (!check_ranges (&plan, ranges, error))
    return FALSE;
  nodes = dyno_graph_begin_rewrite (graph);
  for (guint i = 0; i < inputs->len; i++)
    {
      const char *name = dyno_tensor_info_get_name (inputs->pdata[i]);

      if (g_hash_table_contains (plan.points, name))
        add_pair (&plan, ranges, name, name);
    }
  for (guint i = 0; i < nodes->len; i++)
    {
      Onnx__NodeProto *node = nodes->pdata[i];

      dyno_graph_rewrite_at (graph, i);
      if (g_hash_table_contains (plan.dropped, node))
        g_ptr_array_add (dropped, node);
      else if (strcmp (node->op_type, "Constant") != 0)
        rewrite (&plan, ranges, node);
    }
  dyno_graph_end_rewrite (graph);
  return dyno_graph_check (graph, error);
}
