/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-operator-cost.h"
#include "suite.h"

#define F   DYNO_DATA_TYPE_FLOAT
#define I8  DYNO_DATA_TYPE_INT8
#define U8  DYNO_DATA_TYPE_UINT8
#define I32 DYNO_DATA_TYPE_INT32
#define I64 DYNO_DATA_TYPE_INT64

/* Scale and zero point of a tensor. */
#define SCALING(type)                                                                                        \
  { F, 0, { 0 } },                                                                                           \
  {                                                                                                          \
    type, 0,                                                                                                 \
    {                                                                                                        \
      0                                                                                                      \
    }                                                                                                        \
  }

typedef struct
{
  const char *op_type;
  guint n_inputs;
  DynoShape inputs[9];
  DynoShape output;
  gint64 kernel_elements;
  gint64 flops;
  const char *equation;
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
  /* The scores of two pictures, more of which than a number holds squared. */
  { "Div",
    2,
    { { F, 4, { 2, 24, 5000, 5000 } }, { F, 0, { 0 } } },
    { F, 4, { 2, 24, 5000, 5000 } },
    0,
    1200000000 },
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
  /* 50 steps of 64 numbers, 128 units, four gates with a bias each. */
  { "LSTM",
    4,
    { { F, 3, { 50, 1, 64 } }, { F, 3, { 1, 512, 64 } }, { F, 3, { 1, 512, 128 } }, { F, 2, { 1, 1024 } } },
    { F, 4, { 50, 1, 1, 128 } },
    0,
    2 * 50 * 4 * 128 * (64 + 128) + 50 * 128 * (4 + 4 + 3 + 2 + 4) },
  /* Two directions and peepholes, but no bias: lengths and both states come between. */
  { "LSTM",
    7,
    { { F, 3, { 5, 2, 3 } },
      { F, 3, { 2, 16, 3 } },
      { F, 3, { 2, 16, 4 } },
      { I32, 1, { 2 } },
      { F, 3, { 2, 2, 4 } },
      { F, 3, { 2, 2, 4 } },
      { F, 2, { 2, 12 } } },
    { F, 4, { 5, 2, 2, 4 } },
    0,
    5 * 2 * 2 * 4 * (2 * 4 * (3 + 4) + 13 + 6) },
  { "GRU",
    4,
    { { F, 3, { 5, 2, 3 } }, { F, 3, { 1, 12, 3 } }, { F, 3, { 1, 12, 4 } }, { F, 2, { 1, 24 } } },
    { F, 4, { 5, 1, 2, 4 } },
    0,
    5 * 2 * 4 * (2 * 3 * (3 + 4) + 3 + 3 + 1 + 4 + 3) },
  { "RNN",
    3,
    { { F, 3, { 5, 2, 3 } }, { F, 3, { 1, 4, 3 } }, { F, 3, { 1, 4, 4 } } },
    { F, 4, { 5, 1, 2, 4 } },
    0,
    5 * 2 * 4 * (2 * (3 + 4) + 2) },
  { "DynamicQuantizeLSTM",
    8,
    { { F, 3, { 5, 2, 3 } },
      { I8, 3, { 1, 3, 16 } },
      { I8, 3, { 1, 4, 16 } },
      { F, 2, { 1, 32 } },
      { F, 2, { 1, 16 } },
      { I8, 2, { 1, 16 } },
      { F, 2, { 1, 16 } },
      { I8, 2, { 1, 16 } } },
    { F, 4, { 5, 1, 2, 4 } },
    0,
    5 * 2 * 4 * (2 * 4 * (3 + 4) + 13 + 4) + 5 * 5 * 2 * (3 + 4) },
  { "ConvInteger",
    4,
    { { U8, 4, { 1, 8, 10, 10 } }, { I8, 4, { 16, 4, 3, 3 } }, { U8, 0, { 0 } }, { I8, 1, { 16 } } },
    { I32, 4, { 1, 16, 10, 10 } },
    9,
    2 * 1600 * 36 },
  { "QLinearConv",
    9,
    { { U8, 4, { 1, 8, 10, 10 } },
      SCALING (U8),
      { I8, 4, { 16, 4, 3, 3 } },
      SCALING (I8),
      SCALING (U8),
      { I32, 1, { 16 } } },
    { U8, 4, { 1, 16, 10, 10 } },
    9,
    2 * 1600 * 36 + 1600 },
  { "QLinearConv",
    8,
    { { U8, 4, { 1, 8, 10, 10 } }, SCALING (U8), { I8, 4, { 16, 4, 3, 3 } }, SCALING (I8), SCALING (U8) },
    { U8, 4, { 1, 16, 10, 10 } },
    9,
    2 * 1600 * 36 },
  { "QLinearMatMul",
    8,
    { { U8, 2, { 5, 7 } }, SCALING (U8), { I8, 2, { 7, 11 } }, SCALING (I8), SCALING (U8) },
    { U8, 2, { 5, 11 } },
    0,
    2 * 5 * 7 * 11 },
  { "QGemm",
    9,
    { { U8, 2, { 5, 7 } },
      SCALING (U8),
      { I8, 2, { 7, 11 } },
      SCALING (I8),
      { I32, 1, { 11 } },
      SCALING (U8) },
    { U8, 2, { 5, 11 } },
    0,
    2 * 5 * 7 * 11 + 5 * 11 },
  { "QGemm",
    8,
    { { U8, 2, { 5, 7 } }, SCALING (U8), { I8, 2, { 7, 11 } }, SCALING (I8), SCALING (U8) },
    { U8, 2, { 5, 11 } },
    0,
    2 * 5 * 7 * 11 },
  { "QLinearAdd", 8, { { U8, 2, { 4, 100 } } }, { U8, 2, { 4, 100 } }, 0, 400 },
  { "QLinearConcat", 8, { { U8, 2, { 4, 100 } } }, { U8, 2, { 4, 200 } }, 0, 0 },
  { "QuantizeLinear", 3, { { F, 1, { 100 } }, SCALING (U8) }, { U8, 1, { 100 } }, 0, 300 },
  { "DequantizeLinear", 3, { { U8, 1, { 100 } }, SCALING (U8) }, { F, 1, { 100 } }, 0, 200 },
  { "MatMulBnb4",
    3,
    { { F, 2, { 5, 64 } }, { U8, 1, { 352 } }, { F, 1, { 11 } } },
    { F, 2, { 5, 11 } },
    0,
    2 * 5 * 64 * 11 },
  /* Each product of the 3 × 3 filters takes one of 8 · 9 numbers from between places, with a mask. */
  { "DeformConv",
    5,
    { { F, 4, { 1, 8, 10, 10 } },
      { F, 4, { 16, 8, 3, 3 } },
      { F, 4, { 1, 18, 10, 10 } },
      { F, 1, { 16 } },
      { F, 4, { 1, 9, 10, 10 } } },
    { F, 4, { 1, 16, 10, 10 } },
    9,
    2 * 1600 * 72 + 1600 + 8 * 100 * 9 * 8 },
  { "GridSample",
    2,
    { { F, 4, { 1, 3, 9, 9 } }, { F, 4, { 1, 5, 5, 2 } } },
    { F, 4, { 1, 3, 5, 5 } },
    4,
    75 * 7 },
  { "GridSample",
    2,
    { { F, 5, { 1, 3, 9, 9, 9 } }, { F, 5, { 1, 5, 5, 5, 3 } } },
    { F, 5, { 1, 3, 5, 5, 5 } },
    4,
    375 * 15 },
  { "GridSample", 2, { { F, 4, { 1, 3, 9, 9 } }, { F, 4, { 1, 5, 5, 2 } } }, { F, 4, { 1, 3, 5, 5 } }, 1, 0 },
  { "RoiAlign",
    3,
    { { F, 4, { 1, 3, 9, 9 } }, { F, 2, { 2, 4 } }, { I64, 1, { 2 } } },
    { F, 4, { 2, 3, 7, 7 } },
    4,
    294 * 8 * 4 },
  { "ReduceSumSquare", 1, { { F, 2, { 4, 100 } } }, { F, 2, { 4, 1 } }, 0, 800 },
  { "ReduceL1", 1, { { F, 2, { 4, 100 } } }, { F, 2, { 4, 1 } }, 0, 800 },
  { "ReduceL2", 1, { { F, 2, { 4, 100 } } }, { F, 2, { 4, 1 } }, 0, 800 },
  { "RMSNormalization", 2, { { F, 2, { 4, 100 } }, { F, 1, { 100 } } }, { F, 2, { 4, 100 } }, 0, 1600 },
  { "GroupNormalization", 3, { { F, 2, { 4, 100 } } }, { F, 2, { 4, 100 } }, 0, 2800 },
  { "LRN", 1, { { F, 4, { 1, 8, 5, 5 } } }, { F, 4, { 1, 8, 5, 5 } }, 5, 200 * 13 },
  /* Three tables are added up. */
  { "EmbedLayerNormalization",
    7,
    { { I32, 2, { 1, 5 } },
      { I32, 2, { 1, 5 } },
      { F, 2, { 100, 8 } },
      { F, 2, { 16, 8 } },
      { F, 2, { 2, 8 } },
      { F, 1, { 8 } },
      { F, 1, { 8 } } },
    { F, 3, { 1, 5, 8 } },
    0,
    9 * 40 },
  /* Half of each head of 8 is turned, where the cosines have a width of 2. */
  { "RotaryEmbedding",
    4,
    { { F, 4, { 1, 3, 5, 8 } }, { I64, 2, { 1, 5 } }, { F, 2, { 16, 2 } }, { F, 2, { 16, 2 } } },
    { F, 4, { 1, 3, 5, 8 } },
    0,
    3 * 3 * 5 * 4 },
  { "RotaryEmbedding",
    4,
    { { F, 3, { 1, 5, 24 } }, { I64, 2, { 1, 5 } }, { F, 2, { 16, 4 } }, { F, 2, { 16, 4 } } },
    { F, 3, { 1, 5, 24 } },
    3,
    3 * 5 * 24 },
  /* 3 heads of 8 look at 6 keys with a mask. */
  { "Attention",
    4,
    { { F, 4, { 2, 3, 5, 8 } }, { F, 4, { 2, 3, 6, 8 } }, { F, 4, { 2, 3, 6, 8 } }, { F, 2, { 5, 6 } } },
    { F, 4, { 2, 3, 5, 8 } },
    0,
    4 * 2 * 3 * 5 * 6 * 8 + 7 * 2 * 3 * 5 * 6 },
  { "Attention",
    3,
    { { F, 3, { 2, 5, 24 } }, { F, 3, { 2, 6, 24 } }, { F, 3, { 2, 6, 24 } } },
    { F, 3, { 2, 5, 24 } },
    3,
    4 * 2 * 5 * 6 * 24 + 6 * 2 * 3 * 5 * 6 },
  { "QAttention",
    9,
    { { U8, 3, { 2, 5, 8 } },
      { I8, 2, { 8, 24 } },
      { F, 1, { 24 } },
      { F, 0, { 0 } },
      { F, 0, { 0 } },
      { I32, 1, { 2 } },
      { U8, 0, { 0 } },
      { I8, 0, { 0 } },
      { F, 5, { 2, 2, 2, 3, 4 } } },
    { F, 3, { 2, 5, 8 } },
    2,
    2 * 10 * 8 * 24 + 10 * 24 + 4 * 2 * 5 * 8 * 8 },
  { "TreeEnsembleRegressor", 1, { { F, 2, { 7, 4 } } }, { F, 2, { 7, 1 } }, 100, 700 },
  { "SVMRegressor", 1, { { F, 2, { 7, 4 } } }, { F, 2, { 7, 1 } }, 10, 7 * 10 * (2 * 4 + 3) },
  { "SVMClassifier", 1, { { F, 2, { 7, 4 } } }, { I64, 1, { 7 } }, 10, 7 * 10 * (2 * 4 + 3) },
  { "MoE",
    5,
    { { F, 2, { 5, 8 } },
      { F, 2, { 5, 4 } },
      { F, 3, { 4, 8, 16 } },
      { F, 2, { 4, 16 } },
      { F, 3, { 4, 16, 8 } } },
    { F, 2, { 5, 8 } },
    2,
    5 * 2 * (2 * 8 * 16 + 2 * 16 * 8) },
  { "QMoE", /* of four bits: two numbers in each byte */
    7,
    { { F, 2, { 5, 8 } },
      { F, 2, { 5, 4 } },
      { U8, 3, { 4, 16, 4 } },
      { F, 3, { 4, 16, 2 } }, /* a scale for each block */
      { F, 2, { 4, 16 } },
      { U8, 3, { 4, 8, 8 } },
      { F, 3, { 4, 8, 2 } } },
    { F, 2, { 5, 8 } },
    2 * 2,
    5 * 2 * (2 * 8 * 16 + 2 * 16 * 8) },
  { "Det", 1, { { F, 3, { 5, 6, 6 } } }, { F, 1, { 5 } }, 0, 5 * 144 },
  { "AffineGrid",
    2,
    { { F, 3, { 2, 2, 3 } }, { I64, 1, { 4 } } },
    { F, 4, { 2, 5, 6, 2 } },
    0,
    4 * 2 * 5 * 6 * 2 },
  { "LpPool", 1, { { F, 4, { 1, 3, 8, 8 } } }, { F, 4, { 1, 3, 4, 4 } }, 4, 2 * 4 * 3 * 4 * 4 },
  { "NegativeLogLikelihoodLoss", 2, { { F, 2, { 7, 5 } }, { I64, 1, { 7 } } }, { F, 0, { 0 } }, 0, 2 * 7 },
  { "SoftmaxCrossEntropyLoss",
    2,
    { { F, 2, { 7, 5 } }, { I64, 1, { 7 } } },
    { F, 0, { 0 } },
    0,
    5 * 7 * 5 + 2 * 7 },
  { "LinearRegressor", 1, { { F, 2, { 7, 4 } } }, { F, 2, { 7, 3 } }, 0, 7 * 3 * (2 * 4 + 1) },
  { "Scaler", 1, { { F, 2, { 7, 4 } } }, { F, 2, { 7, 4 } }, 0, 56 },
  { "CDist", 2, { { F, 2, { 5, 8 } }, { F, 2, { 7, 8 } } }, { F, 2, { 5, 7 } }, 0, 3 * 5 * 7 * 8 },
  { "Einsum",
    2,
    { { F, 3, { 2, 5, 7 } }, { F, 3, { 2, 7, 11 } } },
    { F, 3, { 2, 5, 11 } },
    0,
    2 * 2 * 5 * 7 * 11,
    "bij,bjk->bik" },
  /* Without a result, letters that occur twice are added up. */
  { "Einsum",
    2,
    { { F, 2, { 5, 7 } }, { F, 2, { 7, 11 } } },
    { F, 2, { 5, 11 } },
    0,
    2 * 5 * 7 * 11,
    "ij,jk" },
  { "Einsum",
    2,
    { { F, 4, { 2, 3, 5, 7 } }, { F, 3, { 1, 7, 11 } } },
    { F, 4, { 2, 3, 5, 11 } },
    0,
    2 * 2 * 3 * 5 * 7 * 11,
    "...ij,...jk->...ik" },
  /* An outer product adds nothing up, a trace does not multiply, and a transposition does neither. */
  { "Einsum", 2, { { F, 1, { 5 } }, { F, 1, { 7 } } }, { F, 2, { 5, 7 } }, 0, 35, "i,j->ij" },
  { "Einsum", 1, { { F, 2, { 5, 7 } } }, { F, 1, { 5 } }, 0, 35, "ij->i" },
  { "Einsum", 1, { { F, 2, { 5, 7 } } }, { F, 2, { 7, 5 } }, 0, 0, "ij->ji" },
  /* 2 · 2.5 · 64 · 6 */
  { "DFT", 1, { { F, 3, { 2, 64, 1 } } }, { F, 3, { 2, 33, 2 } }, 0, 1920 },
  { "DFT", 1, { { F, 3, { 2, 64, 2 } } }, { F, 3, { 2, 64, 2 } }, 0, 3840 },
  /* 10 frames of 2.5 · 64 · 6, and a product with each number of the window. */
  { "STFT",
    3,
    { { F, 3, { 1, 1000, 1 } }, { I64, 0, { 0 } }, { F, 1, { 64 } } },
    { F, 4, { 1, 10, 33, 2 } },
    0,
    10 * (960 + 64) },
  { "STFT",
    3,
    { { F, 3, { 1, 1000, 1 } }, { I64, 0, { 0 } }, { I64, 0, { 0 } } },
    { F, 4, { 1, 10, 33, 2 } },
    0,
    10 * 960 },
  { "Loop", 3, { { I64, 0, { 0 } } }, { F, 2, { 4, 100 } }, 0, 0 },
};

static void
fill (DynoNodeShapes *node, const Case *c)
{
  node->op_type = c->op_type;
  node->kernel_elements = c->kernel_elements;
  node->equation = c->equation;
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
  static const Case of_three = {
    "Einsum",           3, { { F, 2, { 5, 7 } }, { F, 2, { 7, 5 } }, { F, 2, { 5, 7 } } },
    { F, 2, { 5, 7 } }, 0, 0,
    "ij,jk,kl->il"
  };
  static const Case contradictory = { "Einsum",           2, { { F, 2, { 5, 7 } }, { F, 2, { 8, 5 } } },
                                      { F, 2, { 5, 5 } }, 0, 0,
                                      "ij,jk->ik" };
  static const Case no_equation = { "Einsum", 1, { { F, 1, { 5 } } }, { F, 1, { 5 } }, 0, 0 };
  static const Case no_trees = { "TreeEnsemble", 1, { { F, 2, { 7, 4 } } }, { F, 2, { 7, 1 } }, 0, 0 };
  static const Case no_axis = { "DFT", 1, { { F, 4, { 2, 64, 64, 1 } } }, { F, 4, { 2, 64, 64, 2 } }, 0, 0 };
  static const Case no_weights = { "LSTM", 1, { { F, 3, { 5, 2, 3 } } }, { F, 4, { 5, 1, 2, 4 } }, 0, 0 };
  const Case *refused[] = { &unknown,     &windowless, &shapeless, &of_three,  &contradictory,
                            &no_equation, &no_trees,   &no_axis,   &no_weights };

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

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/operator-cost/flops", test_flops);
  g_test_add_func ("/operator-cost/unknown", test_unknown);
  g_test_add_func ("/operator-cost/without-shapes", test_without_shapes);
  g_test_add_func ("/operator-cost/bytes", test_bytes);
  g_test_add_func ("/operator-cost/half-precision", test_half_precision);
  g_test_add_func ("/operator-cost/quantised", test_quantised);
  g_test_add_func ("/operator-cost/bytes-of-lookup", test_bytes_of_lookup);
  return g_test_run ();
}

SUITE (run_suite)
