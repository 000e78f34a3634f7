/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-error.h"
#include "dyno-model-graph-private.h"
#include "model-test.h"
#include "suite.h"

static DynoGraph *
linear_graph (void)
{
  DynoGraph *graph = dyno_graph_new (NULL);
  const gint64 dims[] = { 6, 10 };
  const char *x = dyno_graph_add_input (graph, "x", DYNO_DATA_TYPE_FLOAT, "batch, 5, 6");
  const char *weight, *y;

  dyno_graph_push_scope (graph, "block.%u", 3);
  weight = dyno_graph_add_weight (graph, "weight", 0, 0.1, 2, dims);
  y = dyno_graph_add (graph, "MatMul", NULL, x, weight, NULL);
  y = dyno_graph_add (graph, "Relu", NULL, y, NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "y", y, "batch, 5, 10");
  return graph;
}

static void
test_describe (void)
{
  g_autoptr (DynoGraph) graph = linear_graph ();
  g_autoptr (DynoModelDescription) description = NULL;
  g_autoptr (GError) error = NULL;
  gint64 flops, planned;

  g_assert_true (dyno_graph_check (graph, &error));
  g_assert_true (dyno_graph_get_flops (graph, &flops));
  g_assert_cmpint (flops, ==, 2 * 5 * 6 * 10 + 5 * 10);
  g_assert_cmpint (dyno_graph_get_peak_bytes (graph, &planned), ==, 2 * 5 * 10 * 4);
  g_assert_cmpint (planned, ==, 5 * 10 * 4);
  description = dyno_graph_describe (graph);
  g_assert_cmpint (description->parameter_count, ==, 60);
  g_assert_cmpint (description->weight_bytes, ==, 240);
  g_assert_cmpuint (description->inputs->len, ==, 1);
  g_assert_cmpuint (description->outputs->len, ==, 1);
}

static void
test_names (void)
{
  g_autoptr (DynoGraph) graph = linear_graph ();
  GPtrArray *nodes = dyno_graph_get_nodes (graph);
  const DynoWeight *weight = dyno_graph_get_weights (graph)->pdata[0];
  const Onnx__NodeProto *first = nodes->pdata[0];
  const Onnx__NodeProto *last = nodes->pdata[nodes->len - 1];

  g_assert_cmpstr (weight->name, ==, "block.3.weight");
  g_assert_cmpstr (first->name, ==, "block.3.MatMul_0");
  g_assert_cmpstr (last->op_type, ==, "Relu");
  g_assert_cmpstr (last->output[0], ==, "y");
}

static void
test_shared (void)
{
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  const gint64 dims[] = { 4 };
  const gint64 shape[] = { 0, -1 };
  g_autoptr (DynoModelDescription) description = NULL;
  const char *weight = dyno_graph_add_weight (graph, "tied", 0, 1, 1, dims);

  g_assert_true (dyno_graph_add_weight (graph, "tied", 0, 1, 1, dims) == weight);
  g_assert_true (dyno_graph_add_float (graph, 0.5f) == dyno_graph_add_float (graph, 0.5f));
  g_assert_true (dyno_graph_add_ints (graph, 2, shape) == dyno_graph_add_ints (graph, 2, shape));
  g_assert_true (dyno_graph_add_float (graph, 0.5f) != dyno_graph_add_float (graph, 0.25f));
  dyno_graph_add_statistic (graph, "running_mean", 0, 0, 4);
  description = dyno_graph_describe (graph);
  g_assert_cmpint (description->parameter_count, ==, 4);
  g_assert_cmpint (description->weight_bytes, ==, 32);
}

static void
assert_shape (DynoGraph *graph, const char *value, guint rank, const gint64 *dims)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  g_autoptr (GError) error = NULL;

  dyno_graph_check (graph, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (shape->rank, ==, rank);
  for (guint i = 0; i < rank; i++)
    g_assert_cmpint (shape->dims[i], ==, dims[i]);
}

static void
test_shapes (void)
{
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  const char *x = dyno_graph_add_input (graph, "x", DYNO_DATA_TYPE_FLOAT, "2, 3, 8, 9");
  const gint64 weight_dims[] = { 6, 3, 3, 3 };
  const char *weight = dyno_graph_add_weight (graph, "w", 0, 1, 4, weight_dims);
  const gint64 target[] = { 0, -1, 4 };
  const gint64 axes[] = { 0, -1 };
  const char *y;

  y = dyno_graph_add (graph, "Conv", "kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]", x, weight, NULL);
  assert_shape (graph, y, 4, (gint64[]){ 2, 6, 4, 5 });
  y = dyno_graph_add (graph, "Conv", "kernel_shape=[3,3] strides=[2,2] auto_pad=SAME_UPPER", x, weight, NULL);
  assert_shape (graph, y, 4, (gint64[]){ 2, 6, 4, 5 });
  y = dyno_graph_add (graph, "MaxPool", "kernel_shape=[3,3] strides=[1,1]", x, NULL);
  assert_shape (graph, y, 4, (gint64[]){ 2, 3, 6, 7 });
  y = dyno_graph_add (graph, "Transpose", "perm=[0,2,3,1]", x, NULL);
  assert_shape (graph, y, 4, (gint64[]){ 2, 8, 9, 3 });
  y = dyno_graph_add (graph, "Reshape", NULL, x, dyno_graph_add_ints (graph, 3, target), NULL);
  assert_shape (graph, y, 3, (gint64[]){ 2, 54, 4 });
  y = dyno_graph_add (graph, "Unsqueeze", NULL, y, dyno_graph_add_ints (graph, 2, axes), NULL);
  assert_shape (graph, y, 5, (gint64[]){ 1, 2, 54, 4, 1 });
  y = dyno_graph_add (graph, "Concat", "axis=1", x, x, NULL);
  assert_shape (graph, y, 4, (gint64[]){ 2, 6, 8, 9 });
  y = dyno_graph_add (graph, "ReduceMean", "axes=[-1] keepdims=1", x, NULL);
  assert_shape (graph, y, 4, (gint64[]){ 2, 3, 8, 1 });
  y = dyno_graph_add (graph, "Gather", "axis=1", x, dyno_graph_add_int (graph, 0), NULL);
  assert_shape (graph, y, 3, (gint64[]){ 2, 8, 9 });
  y = dyno_graph_add_input (graph, "grid", DYNO_DATA_TYPE_FLOAT, "2, 4, 5, 2");
  y = dyno_graph_add (graph, "GridSample", "mode=bilinear", x, y, NULL);
  assert_shape (graph, y, 4, (gint64[]){ 2, 3, 4, 5 });
}

static void
test_shape_of (void)
{
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  const char *x = dyno_graph_add_input (graph, "x", DYNO_DATA_TYPE_FLOAT, "7, 5");
  const gint64 zero = 0;
  const gint64 dims[] = { 1, 4 };
  const char *start = dyno_graph_add_ints (graph, 1, &zero);
  const char *length = dyno_graph_add (graph, "Shape", "start=1 end=2", x, NULL);
  const char *table = dyno_graph_add_weight (graph, "table", 0, 1, 2, (gint64[]){ 100, 4 });
  const char *rows = dyno_graph_add (graph, "Slice", NULL, table, start, length, start, NULL);
  const char *batch = dyno_graph_add (graph, "Shape", "start=0 end=1", x, NULL);
  const char *shape =
      dyno_graph_add (graph, "Concat", "axis=0", batch, dyno_graph_add_ints (graph, 2, dims), NULL);
  const char *token = dyno_graph_add_weight (graph, "token", 0, 1, 3, (gint64[]){ 1, 1, 4 });

  assert_shape (graph, rows, 2, (gint64[]){ 5, 4 });
  assert_shape (graph, dyno_graph_add (graph, "Expand", NULL, token, shape, NULL), 3, (gint64[]){ 7, 1, 4 });
}

/* Of seven rows, the middle two: from row (7 − 2) / 2 to row 2 · 2. */
static void
test_known_numbers (void)
{
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  const char *x = dyno_graph_add_input (graph, "x", DYNO_DATA_TYPE_FLOAT, "7, 2");
  const gint64 axis = 0, two = 2;
  const char *number = dyno_graph_add_ints (graph, 1, &two);
  const char *n_rows = dyno_graph_add (graph, "Shape", "start=0 end=1", x, NULL);
  const char *first = dyno_graph_add (
      graph, "Div", NULL, dyno_graph_add (graph, "Sub", NULL, n_rows, number, NULL), number, NULL);
  const char *last = dyno_graph_add (graph, "Mul", NULL, number, number, NULL);
  const char *sizes = dyno_graph_add (graph, "Add", NULL, dyno_graph_add (graph, "Shape", NULL, x, NULL),
                                      dyno_graph_add_int (graph, 1), NULL);

  assert_shape (
      graph,
      dyno_graph_add (graph, "Slice", NULL, x, first, last, dyno_graph_add_ints (graph, 1, &axis), NULL), 2,
      (gint64[]){ 2, 2 });
  assert_shape (graph, dyno_graph_add (graph, "Expand", NULL, dyno_graph_add_int (graph, 1), sizes, NULL), 2,
                (gint64[]){ 8, 3 });
}

static void
assert_misfit (DynoGraph *graph, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_graph_check (graph, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, word);
}

static void
test_misfits (void)
{
  g_autoptr (DynoGraph) product = dyno_graph_new (NULL);
  g_autoptr (DynoGraph) unknown = dyno_graph_new (NULL);
  g_autoptr (DynoGraph) early = dyno_graph_new (NULL);
  g_autoptr (DynoGraph) huge = dyno_graph_new (NULL);
  const gint64 dims[] = { G_MAXINT32, G_MAXINT32, G_MAXINT32 };
  const char *x;

  x = dyno_graph_add_input (product, "x", DYNO_DATA_TYPE_FLOAT, "2, 3");
  dyno_graph_add (product, "MatMul", NULL, x, x, NULL);
  assert_misfit (product, "MatMul");
  x = dyno_graph_add_input (unknown, "x", DYNO_DATA_TYPE_FLOAT, "2, 3");
  dyno_graph_add (unknown, "Frobnicate", NULL, x, NULL);
  assert_misfit (unknown, "Frobnicate");
  dyno_graph_add (early, "Relu", NULL, "later", NULL);
  assert_misfit (early, "later");
  dyno_graph_add_weight (huge, "w", 0, 1, 3, dims);
  assert_misfit (huge, "too large");
}

static void
test_attributes (void)
{
  g_autoptr (Onnx__NodeProto) node = dyno_node_new ("Conv", "c");
  gsize n_values;
  const gint64 *values;

  dyno_node_parse_attributes (node, "axis=-1 epsilon=1e-5 perm=[0,2,1] auto_pad=SAME_UPPER");
  g_assert_cmpint (dyno_node_get_int (node, "axis", 7), ==, -1);
  g_assert_cmpint (dyno_node_get_int (node, "group", 7), ==, 7);
  values = dyno_node_get_ints (node, "perm", &n_values);
  g_assert_cmpuint (n_values, ==, 3);
  g_assert_cmpint (values[1], ==, 2);
  g_assert_true (dyno_node_has_string (node, "auto_pad", "SAME_UPPER"));
  g_assert_false (dyno_node_has_string (node, "auto_pad", "SAME"));
  g_assert_cmpint (node->attribute[1]->type, ==, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT);
  g_assert_cmpfloat_with_epsilon (node->attribute[1]->f, 1e-5, 1e-12);
}

static const SuiteTest tests[] = {
  { "/graph/describe", test_describe },
  { "/graph/names", test_names },
  { "/graph/shared", test_shared },
  { "/graph/shapes", test_shapes },
  { "/graph/known-numbers", test_known_numbers },
  { "/graph/shape-of", test_shape_of },
  { "/graph/misfits", test_misfits },
  { "/graph/attributes", test_attributes },
};

SUITE_TESTS (tests)
