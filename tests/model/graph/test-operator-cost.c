/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-operator-cost.h"
#include "suite.h"

/* Shapes are written as “2x5x7”, or “scalar”, with their type in front unless that is float: “u8:11x2x16”. One that an
 * engine does not tell is “?”. */
typedef struct
{
  const char *op_type;
  const char *inputs;
  const char *output;
  gint64 kernel_elements;
  gint64 flops;
  const char *equation;
} Case;

static const Case cases[] = {
  { "MatMul", "2x5x7 7x11", "2x5x11", 0, 2 * 2 * 5 * 7 * 11 },
  { "MatMulNBits", "2x5x64 u8:11x2x16 22", "2x5x11", 0, 2 * 2 * 5 * 64 * 11 },
  { "MatMulNBits", "5x64 u8:11x2x16 22 11", "5x11", 0, 2 * 5 * 64 * 11 + 5 * 11 },
  { "MatMulInteger", "u8:5x64 i8:64x11 u8:scalar", "i32:5x11", 0, 2 * 5 * 64 * 11 },
  { "DynamicQuantizeLinear", "5x64", "u8:5x64", 0, 5 * 5 * 64 },
  { "DynamicQuantizeMatMul", "5x64 i8:64x11 11 11", "5x11", 0, 2 * 5 * 64 * 11 + 2 * 5 * 11 + 5 * 5 * 64 },
  { "MatMulIntegerToFloat", "u8:5x64 i8:64x11 scalar 11 u8:scalar", "5x11", 0, 2 * 5 * 64 * 11 + 5 * 11 },
  { "FusedMatMul", "7x5 7x11", "5x11", 0, 2 * 5 * 7 * 11 },
  { "Gemm", "7x5 11x7 11", "5x11", 0, 2 * 5 * 7 * 11 + 5 * 11 },
  { "Conv", "1x8x10x10 16x4x3x3 16", "1x16x10x10", 9, 2 * 1600 * 36 + 1600 },
  { "ConvTranspose", "1x8x5x5 8x4x2x2", "1x4x10x10", 4, 2 * 200 * 16 },
  { "MaxPool", "1x8x10x10", "1x8x5x5", 9, 200 * 9 },
  { "GlobalAveragePool", "1x8x10x10", "1x8x1x1", 0, 800 },
  { "Resize", "1x8x10x10", "1x8x20x20", 4, 3200 * 7 },
  { "Resize", "1x8x10x10", "1x8x20x20", 1, 0 },
  { "ReduceMean", "4x100", "4x1", 0, 400 },
  { "Add", "4x100 100", "4x100", 0, 400 },
  { "Erf", "100", "100", 0, 100 },
  { "Softmax", "100", "100", 0, 500 },
  /* The scores of two pictures, more of which than a number holds squared. */
  { "Div", "2x24x5000x5000 scalar", "2x24x5000x5000", 0, 1200000000 },
  { "LayerNormalization", "100", "100", 0, 700 },
  { "SkipLayerNormalization", "100 ? ? ?", "100", 0, 800 },
  { "BatchNormalization", "100 ? ? ? ?", "100", 0, 0 },
  { "Transpose", "100", "100", 0, 0 },
  { "ReorderOutput", "100", "100", 0, 0 },
  { "Gelu", "100", "100", 0, 500 },
  { "FastGelu", "100 100", "100", 0, 1000 },
  { "Attention", "2x5x8 8x24 24", "2x5x8", 0, 2 * 10 * 8 * 24 + 10 * 24 + 4 * 2 * 5 * 5 * 8 },
  { "MultiHeadAttention", "2x5x8 2x6x8 2x6x8", "2x5x8", 0, 4 * 2 * 5 * 6 * 8 },
  /* 50 steps of 64 numbers, 128 units, four gates with a bias each. */
  { "LSTM", "50x1x64 1x512x64 1x512x128 1x1024", "50x1x1x128", 0,
    2 * 50 * 4 * 128 * (64 + 128) + 50 * 128 * (4 + 4 + 3 + 2 + 4) },
  /* Two directions and peepholes, but no bias: lengths and both states come between. */
  { "LSTM", "5x2x3 2x16x3 2x16x4 i32:2 2x2x4 2x2x4 2x12", "5x2x2x4", 0,
    5 * 2 * 2 * 4 * (2 * 4 * (3 + 4) + 13 + 6) },
  { "GRU", "5x2x3 1x12x3 1x12x4 1x24", "5x1x2x4", 0, 5 * 2 * 4 * (2 * 3 * (3 + 4) + 3 + 3 + 1 + 4 + 3) },
  { "RNN", "5x2x3 1x4x3 1x4x4", "5x1x2x4", 0, 5 * 2 * 4 * (2 * (3 + 4) + 2) },
  { "DynamicQuantizeLSTM", "5x2x3 i8:1x3x16 i8:1x4x16 1x32 1x16 i8:1x16 1x16 i8:1x16", "5x1x2x4", 0,
    5 * 2 * 4 * (2 * 4 * (3 + 4) + 13 + 4) + 5 * 5 * 2 * (3 + 4) },
  { "ConvInteger", "u8:1x8x10x10 i8:16x4x3x3 u8:scalar i8:16", "i32:1x16x10x10", 9, 2 * 1600 * 36 },
  { "QLinearConv", "u8:1x8x10x10 scalar u8:scalar i8:16x4x3x3 scalar i8:scalar scalar u8:scalar i32:16",
    "u8:1x16x10x10", 9, 2 * 1600 * 36 + 1600 },
  { "QLinearConv", "u8:1x8x10x10 scalar u8:scalar i8:16x4x3x3 scalar i8:scalar scalar u8:scalar",
    "u8:1x16x10x10", 9, 2 * 1600 * 36 },
  { "QLinearMatMul", "u8:5x7 scalar u8:scalar i8:7x11 scalar i8:scalar scalar u8:scalar", "u8:5x11", 0,
    2 * 5 * 7 * 11 },
  { "QGemm", "u8:5x7 scalar u8:scalar i8:7x11 scalar i8:scalar i32:11 scalar u8:scalar", "u8:5x11", 0,
    2 * 5 * 7 * 11 + 5 * 11 },
  { "QGemm", "u8:5x7 scalar u8:scalar i8:7x11 scalar i8:scalar scalar u8:scalar", "u8:5x11", 0,
    2 * 5 * 7 * 11 },
  { "QLinearAdd", "u8:4x100 ? ? ? ? ? ? ?", "u8:4x100", 0, 400 },
  { "QLinearConcat", "u8:4x100 ? ? ? ? ? ? ?", "u8:4x200", 0, 0 },
  { "QuantizeLinear", "100 scalar u8:scalar", "u8:100", 0, 300 },
  { "DequantizeLinear", "u8:100 scalar u8:scalar", "100", 0, 200 },
  { "MatMulBnb4", "5x64 u8:352 11", "5x11", 0, 2 * 5 * 64 * 11 },
  /* Each product of the 3 × 3 filters takes one of 8 · 9 numbers from between places, with a mask. */
  { "DeformConv", "1x8x10x10 16x8x3x3 1x18x10x10 16 1x9x10x10", "1x16x10x10", 9,
    2 * 1600 * 72 + 1600 + 8 * 100 * 9 * 8 },
  { "GridSample", "1x3x9x9 1x5x5x2", "1x3x5x5", 4, 75 * 7 },
  { "GridSample", "1x3x9x9x9 1x5x5x5x3", "1x3x5x5x5", 4, 375 * 15 },
  { "GridSample", "1x3x9x9 1x5x5x2", "1x3x5x5", 1, 0 },
  { "RoiAlign", "1x3x9x9 2x4 i64:2", "2x3x7x7", 4, 294 * 8 * 4 },
  { "ReduceSumSquare", "4x100", "4x1", 0, 800 },
  { "ReduceL1", "4x100", "4x1", 0, 800 },
  { "ReduceL2", "4x100", "4x1", 0, 800 },
  { "RMSNormalization", "4x100 100", "4x100", 0, 1600 },
  { "GroupNormalization", "4x100 ? ?", "4x100", 0, 2800 },
  { "LRN", "1x8x5x5", "1x8x5x5", 5, 200 * 13 },
  /* Three tables are added up. */
  { "EmbedLayerNormalization", "i32:1x5 i32:1x5 100x8 16x8 2x8 8 8", "1x5x8", 0, 9 * 40 },
  /* Half of each head of 8 is turned, where the cosines have a width of 2. */
  { "RotaryEmbedding", "1x3x5x8 i64:1x5 16x2 16x2", "1x3x5x8", 0, 3 * 3 * 5 * 4 },
  { "RotaryEmbedding", "1x5x24 i64:1x5 16x4 16x4", "1x5x24", 3, 3 * 5 * 24 },
  /* 3 heads of 8 look at 6 keys with a mask. */
  { "Attention", "2x3x5x8 2x3x6x8 2x3x6x8 5x6", "2x3x5x8", 0, 4 * 2 * 3 * 5 * 6 * 8 + 7 * 2 * 3 * 5 * 6 },
  { "Attention", "2x5x24 2x6x24 2x6x24", "2x5x24", 3, 4 * 2 * 5 * 6 * 24 + 6 * 2 * 3 * 5 * 6 },
  { "QAttention", "u8:2x5x8 i8:8x24 24 scalar scalar i32:2 u8:scalar i8:scalar 2x2x2x3x4", "2x5x8", 2,
    2 * 10 * 8 * 24 + 10 * 24 + 4 * 2 * 5 * 8 * 8 },
  { "TreeEnsembleRegressor", "7x4", "7x1", 100, 700 },
  { "SVMRegressor", "7x4", "7x1", 10, 7 * 10 * (2 * 4 + 3) },
  { "SVMClassifier", "7x4", "i64:7", 10, 7 * 10 * (2 * 4 + 3) },
  { "MoE", "5x8 5x4 4x8x16 4x16 4x16x8", "5x8", 2, 5 * 2 * (2 * 8 * 16 + 2 * 16 * 8) },
  /* Of four bits: two numbers in each byte, and a scale for each block. */
  { "QMoE", "5x8 5x4 u8:4x16x4 4x16x2 4x16 u8:4x8x8 4x8x2", "5x8", 2 * 2, 5 * 2 * (2 * 8 * 16 + 2 * 16 * 8) },
  { "Det", "5x6x6", "5", 0, 5 * 144 },
  { "AffineGrid", "2x2x3 i64:4", "2x5x6x2", 0, 4 * 2 * 5 * 6 * 2 },
  { "LpPool", "1x3x8x8", "1x3x4x4", 4, 2 * 4 * 3 * 4 * 4 },
  { "NegativeLogLikelihoodLoss", "7x5 i64:7", "scalar", 0, 2 * 7 },
  { "SoftmaxCrossEntropyLoss", "7x5 i64:7", "scalar", 0, 5 * 7 * 5 + 2 * 7 },
  { "LinearRegressor", "7x4", "7x3", 0, 7 * 3 * (2 * 4 + 1) },
  { "Scaler", "7x4", "7x4", 0, 56 },
  { "CDist", "5x8 7x8", "5x7", 0, 3 * 5 * 7 * 8 },
  { "Einsum", "2x5x7 2x7x11", "2x5x11", 0, 2 * 2 * 5 * 7 * 11, "bij,bjk->bik" },
  /* Without a result, letters that occur twice are added up. */
  { "Einsum", "5x7 7x11", "5x11", 0, 2 * 5 * 7 * 11, "ij,jk" },
  { "Einsum", "2x3x5x7 1x7x11", "2x3x5x11", 0, 2 * 2 * 3 * 5 * 7 * 11, "...ij,...jk->...ik" },
  /* An outer product adds nothing up, a trace does not multiply, and a transposition does neither. */
  { "Einsum", "5 7", "5x7", 0, 35, "i,j->ij" },
  { "Einsum", "5x7", "5", 0, 35, "ij->i" },
  { "Einsum", "5x7", "7x5", 0, 0, "ij->ji" },
  /* 2 · 2.5 · 64 · 6 */
  { "DFT", "2x64x1", "2x33x2", 0, 1920 },
  { "DFT", "2x64x2", "2x64x2", 0, 3840 },
  /* 10 frames of 2.5 · 64 · 6, and a product with each number of the window. */
  { "STFT", "1x1000x1 i64:scalar 64", "1x10x33x2", 0, 10 * (960 + 64) },
  { "STFT", "1x1000x1 i64:scalar i64:scalar", "1x10x33x2", 0, 10 * 960 },
  { "Loop", "i64:scalar ? ?", "4x100", 0, 0 },
};

static DynoDataType
read_type (const char *name)
{
  static const struct
  {
    const char *name;
    DynoDataType type;
  } types[] = { { "f16", DYNO_DATA_TYPE_FLOAT16 },
                { "i8", DYNO_DATA_TYPE_INT8 },
                { "u8", DYNO_DATA_TYPE_UINT8 },
                { "i32", DYNO_DATA_TYPE_INT32 },
                { "i64", DYNO_DATA_TYPE_INT64 } };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i].name, name))
      return types[i].type;
  g_error ("There is no type “%s”.", name);
}

static void
append_shape (GArray *shapes, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  const char *sizes = parts[1] != NULL ? parts[1] : parts[0];
  g_auto (GStrv) dims = g_strsplit (sizes, "x", -1);
  DynoShape shape = { 0 };

  if (!g_str_equal (text, "?"))
    shape.type = parts[1] != NULL ? read_type (parts[0]) : DYNO_DATA_TYPE_FLOAT;
  for (guint i = 0; g_ascii_isdigit (*sizes) && dims[i] != NULL; i++)
    shape.dims[shape.rank++] = g_ascii_strtoll (dims[i], NULL, 10);
  g_array_append_val (shapes, shape);
}

static GArray *
read_shapes (const char *text)
{
  GArray *shapes = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    append_shape (shapes, words[i]);
  return shapes;
}

static void
fill (DynoNodeShapes *node, const Case *c)
{
  node->op_type = c->op_type;
  node->kernel_elements = c->kernel_elements;
  node->equation = c->equation;
  node->inputs = read_shapes (c->inputs);
  node->outputs = read_shapes (c->output);
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

/* Without a rule, a window, a shape, an equation that fits, trees, an axis or weights there is no number. */
static void
test_unknown (void)
{
  static const Case refused[] = {
    { "Frobnicate", "100", "100", 0, 0 },
    { "AveragePool", "100", "100", 0, 0 },
    { "Conv", "100", "100", 0, 0 },
    { "Einsum", "5x7 7x5 5x7", "5x7", 0, 0, "ij,jk,kl->il" },
    { "Einsum", "5x7 8x5", "5x5", 0, 0, "ij,jk->ik" },
    { "Einsum", "5", "5", 0, 0 },
    { "TreeEnsemble", "7x4", "7x1", 0, 0 },
    { "DFT", "2x64x64x1", "2x64x64x2", 0, 0 },
    { "LSTM", "5x2x3", "5x1x2x4", 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      DynoNodeShapes node;
      gint64 flops;

      g_test_message ("%s of %s", refused[i].op_type, refused[i].inputs);
      fill (&node, &refused[i]);
      g_assert_false (dyno_operator_cost_flops (&node, &flops));
      clear (&node);
    }
}

/* What only moves data costs nothing even where an engine tells no shapes, as of a sequence of tensors. */
static void
test_without_shapes (void)
{
  const DynoNodeShapes sequence = { "SequenceInsert", NULL, NULL, 0 };
  const DynoNodeShapes product = { "MatMul", NULL, NULL, 0 };
  gint64 flops = -1;

  g_assert_true (dyno_operator_cost_flops (&sequence, &flops));
  g_assert_cmpint (flops, ==, 0);
  g_assert_false (dyno_operator_cost_flops (&product, &flops));
}

static void
assert_bytes (const char *op_type, const char *inputs, const char *output, gint64 expected)
{
  const Case c = { op_type, inputs, output, 0, 0, NULL };
  DynoNodeShapes node;

  fill (&node, &c);
  g_test_message ("%s of %s", op_type, inputs);
  g_assert_cmpint (dyno_operator_cost_bytes (&node), ==, expected);
  clear (&node);
}

static void
test_bytes (void)
{
  assert_bytes ("MatMul", "2x5x7 7x11", "2x5x11", 4 * (70 + 77 + 110));
}

/* Half precision moves half the bytes for the same work. */
static void
test_half_precision (void)
{
  static const Case half = { "MatMul", "f16:3x5 f16:5x7", "f16:3x7", 0, 0, NULL };
  DynoNodeShapes node;
  gint64 flops;

  fill (&node, &half);
  g_assert_true (dyno_operator_cost_flops (&node, &flops));
  g_assert_cmpint (flops, ==, 2 * 3 * 5 * 7);
  clear (&node);
  assert_bytes (half.op_type, half.inputs, half.output, 2 * (15 + 35 + 21));
}

/* Weights of 4 bits move as such: 64 · 11 of them in 352 bytes, with a scale for each 32. */
static void
test_quantised (void)
{
  assert_bytes ("MatMulNBits", "5x64 u8:11x2x16 22", "5x11", 5 * 64 * 4 + 352 + 22 * 4 + 5 * 11 * 4);
  assert_bytes ("MatMulBnb4", "5x64 u8:352 11", "5x11", 5 * 64 * 4 + 352 + 11 * 4 + 5 * 11 * 4);
}

/* Looking 16 words up does not read a vocabulary of 30522. */
static void
test_bytes_of_lookup (void)
{
  assert_bytes ("Gather", "30522x128 i64:1x16", "1x16x128", 2 * 16 * 128 * 4 + 16 * 8);
}

static const SuiteTest tests[] = {
  { "/operator-cost/flops", test_flops },
  { "/operator-cost/unknown", test_unknown },
  { "/operator-cost/without-shapes", test_without_shapes },
  { "/operator-cost/bytes", test_bytes },
  { "/operator-cost/half-precision", test_half_precision },
  { "/operator-cost/quantised", test_quantised },
  { "/operator-cost/bytes-of-lookup", test_bytes_of_lookup },
};

SUITE_TESTS (tests)
