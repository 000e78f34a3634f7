/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-chart-kinds-private.h"

/* Engines combine names, FusedMatMul, BiasGelu, NhwcFusedConv: the first match decides. */
static const struct
{
  const char *word;
  DynoOperatorKind kind;
} words[] = {
  { "Attention", DYNO_OPERATOR_KIND_ATTENTION },
  { "Softmax", DYNO_OPERATOR_KIND_ATTENTION },
  { "RotaryEmbedding", DYNO_OPERATOR_KIND_ATTENTION },
  { "MatMul", DYNO_OPERATOR_KIND_MATRIX },
  { "Gemm", DYNO_OPERATOR_KIND_MATRIX },
  { "FullyConnected", DYNO_OPERATOR_KIND_MATRIX },
  { "Einsum", DYNO_OPERATOR_KIND_MATRIX },
  { "Conv", DYNO_OPERATOR_KIND_CONVOLUTION },
  { "Norm", DYNO_OPERATOR_KIND_NORMALISATION },
  { "MVN", DYNO_OPERATOR_KIND_NORMALISATION },
  { "Pool", DYNO_OPERATOR_KIND_REDUCTION },
  { "Reduce", DYNO_OPERATOR_KIND_REDUCTION },
  { "Arg", DYNO_OPERATOR_KIND_REDUCTION },
  { "CumSum", DYNO_OPERATOR_KIND_REDUCTION },
  { "elu", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Sigmoid", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Swish", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Clip", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Add", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Sub", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Mul", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Div", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Pow", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Sqrt", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Erf", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Exp", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Tanh", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Where", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Equal", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Linear", DYNO_OPERATOR_KIND_ELEMENTWISE },
  { "Cast", DYNO_OPERATOR_KIND_MOVEMENT },
  { "Shape", DYNO_OPERATOR_KIND_MOVEMENT },
  { "Transpose", DYNO_OPERATOR_KIND_MOVEMENT },
  { "Gather", DYNO_OPERATOR_KIND_MOVEMENT },
  { "Concat", DYNO_OPERATOR_KIND_MOVEMENT },
  { "Slice", DYNO_OPERATOR_KIND_MOVEMENT },
  { "Split", DYNO_OPERATOR_KIND_MOVEMENT },
  { "squeeze", DYNO_OPERATOR_KIND_MOVEMENT },
  { "Squeeze", DYNO_OPERATOR_KIND_MOVEMENT },
  { "Reorder", DYNO_OPERATOR_KIND_MOVEMENT },
  { "Memcpy", DYNO_OPERATOR_KIND_MOVEMENT },
};

DynoOperatorKind
dyno_operator_kind_from_type (const char *type)
{
  g_return_val_if_fail (type != NULL, DYNO_OPERATOR_KIND_OTHER);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (type, words[i].word) != NULL)
      return words[i].kind;
  return DYNO_OPERATOR_KIND_OTHER;
}

const char *
dyno_operator_kind_get_name (DynoOperatorKind kind)
{
  static const char *const names[DYNO_N_OPERATOR_KINDS] = {
    [DYNO_OPERATOR_KIND_MATRIX] = N_ ("Matrix products"),
    [DYNO_OPERATOR_KIND_CONVOLUTION] = N_ ("Convolutions"),
    [DYNO_OPERATOR_KIND_ATTENTION] = N_ ("Attention"),
    [DYNO_OPERATOR_KIND_NORMALISATION] = N_ ("Normalisation"),
    [DYNO_OPERATOR_KIND_ELEMENTWISE] = N_ ("Elementwise"),
    [DYNO_OPERATOR_KIND_REDUCTION] = N_ ("Reductions"),
    [DYNO_OPERATOR_KIND_MOVEMENT] = N_ ("Data movement"),
    [DYNO_OPERATOR_KIND_OTHER] = N_ ("Other"),
  };

  g_return_val_if_fail ((guint)kind < DYNO_N_OPERATOR_KINDS, NULL);
  return _ (names[kind]);
}
