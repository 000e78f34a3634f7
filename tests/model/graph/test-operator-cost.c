/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-operator-cost.h"

#define F DYNO_DATA_TYPE_FLOAT

typedef struct
{
  const char *op_type;
  guint n_inputs;
  DynoShape inputs[7];
  DynoShape output;
  gint64 kernel_elements;
  gint64 flops;
} Case;

static const Case cases[] = {
  { "MatMul",
    2,
    { { F, 3, { 2, 5, 7 } }, { F, 2, { 7, 11 } } },
    { F, 3, { 2, 5, 11 } },
    0,
    2 * 2 * 5 * 7 * 11 },
  { "MatMulNBits",
    3,
    { { F, 3, { 2, 5, 64 } }, { DYNO_DATA_TYPE_UINT8, 3, { 11, 2, 16 } }, { F, 1, { 22 } } },
    { F, 3, { 2, 5, 11 } },
    0,
    2 * 2 * 5 * 64 * 11 },
  { "MatMulNBits",
    4,
    { { F, 2, { 5, 64 } }, { DYNO_DATA_TYPE_UINT8, 3, { 11, 2, 16 } }, { F, 1, { 22 } }, { F, 1, { 11 } } },
    { F, 2, { 5, 11 } },
    0,
    2 * 5 * 64 * 11 + 5 * 11 },
  { "MatMulInteger",
    3,
    { { DYNO_DATA_TYPE_UINT8, 2, { 5, 64 } },
      { DYNO_DATA_TYPE_INT8, 2, { 64, 11 } },
      { DYNO_DATA_TYPE_UINT8, 0, { 0 } } },
    { DYNO_DATA_TYPE_INT32, 2, { 5, 11 } },
    0,
    2 * 5 * 64 * 11 },
  { "DynamicQuantizeLinear",
    1,
    { { F, 2, { 5, 64 } } },
    { DYNO_DATA_TYPE_UINT8, 2, { 5, 64 } },
    0,
    5 * 5 * 64 },
  { "DynamicQuantizeMatMul",
    4,
    { { F, 2, { 5, 64 } }, { DYNO_DATA_TYPE_INT8, 2, { 64, 11 } }, { F, 1, { 11 } }, { F, 1, { 11 } } },
    { F, 2, { 5, 11 } },
    0,
    2 * 5 * 64 * 11 + 2 * 5 * 11 + 5 * 5 * 64 },
  { "MatMulIntegerToFloat",
    5,
    { { DYNO_DATA_TYPE_UINT8, 2, { 5, 64 } },
      { DYNO_DATA_TYPE_INT8, 2, { 64, 11 } },
      { F, 0, { 0 } },
      { F, 1, { 11 } },
      { DYNO_DATA_TYPE_UINT8, 0, { 0 } } },
    { F, 2, { 5, 11 } },
    0,
    2 * 5 * 64 * 11 + 5 * 11 },
  { "FusedMatMul", 2, { { F, 2, { 7, 5 } }, { F, 2, { 7, 11 } } }, { F, 2, { 5, 11 } }, 0, 2 * 5 * 7 * 11 },
  { "Gemm",
    3,
    { { F, 2, { 7, 5 } }, { F, 2, { 11, 7 } }, { F, 1, { 11 } } },
    { F, 2, { 5, 11 } },
    0,
    2 * 5 * 7 * 11 + 5 * 11 },
  { "Conv",
    3,
    { { F, 4, { 1, 8, 10, 10 } }, { F, 4, { 16, 4, 3, 3 } }, { F, 1, { 16 } } },
    { F, 4, { 1, 16, 10, 10 } },
    9,
    2 * 1600 * 36 + 1600 },
  { "ConvTranspose",
    2,
    { { F, 4, { 1, 8, 5, 5 } }, { F, 4, { 8, 4, 2, 2 } } },
    { F, 4, { 1, 4, 10, 10 } },
    4,
    2 * 200 * 16 },
  { "MaxPool", 1, { { F, 4, { 1, 8, 10, 10 } } }, { F, 4, { 1, 8, 5, 5 } }, 9, 200 * 9 },
  { "GlobalAveragePool", 1, { { F, 4, { 1, 8, 10, 10 } } }, { F, 4, { 1, 8, 1, 1 } }, 0, 800 },
  { "Resize", 1, { { F, 4, { 1, 8, 10, 10 } } }, { F, 4, { 1, 8, 20, 20 } }, 4, 3200 * 7 },
  { "Resize", 1, { { F, 4, { 1, 8, 10, 10 } } }, { F, 4, { 1, 8, 20, 20 } }, 1, 0 },
  { "ReduceMean", 1, { { F, 2, { 4, 100 } } }, { F, 2, { 4, 1 } }, 0, 400 },
  { "Add", 2, { { F, 2, { 4, 100 } }, { F, 1, { 100 } } }, { F, 2, { 4, 100 } }, 0, 400 },
  { "Erf", 1, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 100 },
  { "Softmax", 1, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 500 },
  { "LayerNormalization", 1, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 700 },
  { "SkipLayerNormalization", 4, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 800 },
  { "BatchNormalization", 5, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 0 },
  { "Transpose", 1, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 0 },
  { "ReorderOutput", 1, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 0 },
  { "Gelu", 1, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 500 },
  { "FastGelu", 2, { { F, 1, { 100 } }, { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 1000 },
  { "Attention",
    3,
    { { F, 3, { 2, 5, 8 } }, { F, 2, { 8, 24 } }, { F, 1, { 24 } } },
    { F, 3, { 2, 5, 8 } },
    0,
    2 * 10 * 8 * 24 + 10 * 24 + 4 * 2 * 5 * 5 * 8 },
  { "MultiHeadAttention",
    3,
    { { F, 3, { 2, 5, 8 } }, { F, 3, { 2, 6, 8 } }, { F, 3, { 2, 6, 8 } } },
    { F, 3, { 2, 5, 8 } },
    0,
    4 * 2 * 5 * 6 * 8 },
};

static void
fill (DynoNodeShapes *node, const Case *c)
{
  node->op_type = c->op_type;
  node->kernel_elements = c->kernel_elements;
  node->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  node->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  g_array_append_vals (node->inputs, c->inputs, c->n_inputs);
  g_array_append_vals (node->outputs, &c->output, 1);
}

static void
clear (DynoNodeShapes *node)
{
  g_array_unref (node->inputs);
  g_array_unref (node->outputs);
}

static void
test_flops (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      DynoNodeShapes node;
      gint64 flops = -1;

      fill (&node, &cases[i]);
      g_test_message ("%s", cases[i].op_type);
      g_assert_true (dyno_operator_cost_flops (&node, &flops));
      g_assert_cmpint (flops, ==, cases[i].flops);
      clear (&node);
    }
}

static void
test_unknown (void)
{
  static const Case unknown = { "Frobnicate", 1, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 0 };
  static const Case windowless = { "AveragePool", 1, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 0 };
  static const Case shapeless = { "Conv", 1, { { F, 1, { 100 } } }, { F, 1, { 100 } }, 0, 0 };
  const Case *refused[] = { &unknown, &windowless, &shapeless };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      DynoNodeShapes node;
      gint64 flops;

      fill (&node, refused[i]);
      g_assert_false (dyno_operator_cost_flops (&node, &flops));
      clear (&node);
    }
}

static void
test_bytes (void)
{
  DynoNodeShapes node;

  fill (&node, &cases[0]);
  g_assert_cmpint (dyno_operator_cost_bytes (&node), ==, 4 * (70 + 77 + 110));
  clear (&node);
}

static GArray *
list_shapes (const DynoShape *first, const DynoShape *second)
{
  GArray *shapes = g_array_new (FALSE, FALSE, sizeof (DynoShape));

  g_array_append_vals (shapes, first, 1);
  if (second != NULL)
    g_array_append_vals (shapes, second, 1);
  return shapes;
}

/* Half precision moves half the bytes for the same work. */
static void
test_half_precision (void)
{
  const DynoShape left = { DYNO_DATA_TYPE_FLOAT16, 2, { 3, 5 } };
  const DynoShape right = { DYNO_DATA_TYPE_FLOAT16, 2, { 5, 7 } };
  const DynoShape product = { DYNO_DATA_TYPE_FLOAT16, 2, { 3, 7 } };
  g_autoptr (GArray) inputs = list_shapes (&left, &right);
  g_autoptr (GArray) outputs = list_shapes (&product, NULL);
  const DynoNodeShapes node = { "MatMul", inputs, outputs, 0 };
  gint64 flops;

  g_assert_true (dyno_operator_cost_flops (&node, &flops));
  g_assert_cmpint (flops, ==, 2 * 3 * 5 * 7);
  g_assert_cmpint (dyno_operator_cost_bytes (&node), ==, 2 * (15 + 35 + 21));
}

/* Weights of 4 bits move as such: 64 · 11 of them in 352 bytes, with a scale for each 32. */
static void
test_quantised (void)
{
  const DynoShape data = { DYNO_DATA_TYPE_FLOAT, 2, { 5, 64 } };
  const DynoShape quants = { DYNO_DATA_TYPE_UINT8, 3, { 11, 2, 16 } };
  const DynoShape scales = { DYNO_DATA_TYPE_FLOAT, 1, { 22 } };
  const DynoShape product = { DYNO_DATA_TYPE_FLOAT, 2, { 5, 11 } };
  g_autoptr (GArray) inputs = list_shapes (&data, &quants);
  g_autoptr (GArray) outputs = list_shapes (&product, NULL);
  const DynoNodeShapes node = { "MatMulNBits", inputs, outputs, 0 };

  g_array_append_val (inputs, scales);
  g_assert_cmpint (dyno_operator_cost_bytes (&node), ==, 5 * 64 * 4 + 352 + 22 * 4 + 5 * 11 * 4);
}

/* Looking 16 words up does not read a vocabulary of 30522. */
static void
test_bytes_of_lookup (void)
{
  const DynoShape table = { DYNO_DATA_TYPE_FLOAT, 2, { 30522, 128 } };
  const DynoShape ids = { DYNO_DATA_TYPE_INT64, 2, { 1, 16 } };
  const DynoShape rows = { DYNO_DATA_TYPE_FLOAT, 3, { 1, 16, 128 } };
  g_autoptr (GArray) inputs = list_shapes (&table, &ids);
  g_autoptr (GArray) outputs = list_shapes (&rows, NULL);
  const DynoNodeShapes node = { "Gather", inputs, outputs, 0 };

  g_assert_cmpint (dyno_operator_cost_bytes (&node), ==, 2 * 16 * 128 * 4 + 16 * 8);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/operator-cost/flops", test_flops);
  g_test_add_func ("/operator-cost/unknown", test_unknown);
  g_test_add_func ("/operator-cost/bytes", test_bytes);
  g_test_add_func ("/operator-cost/half-precision", test_half_precision);
  g_test_add_func ("/operator-cost/quantised", test_quantised);
  g_test_add_func ("/operator-cost/bytes-of-lookup", test_bytes_of_lookup);
  return g_test_run ();
}
