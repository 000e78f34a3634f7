/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoOperatorKind:
 * @DYNO_OPERATOR_KIND_MATRIX: products of matrices
 * @DYNO_OPERATOR_KIND_CONVOLUTION: convolutions
 * @DYNO_OPERATOR_KIND_ATTENTION: attention in one piece, and softmax
 * @DYNO_OPERATOR_KIND_NORMALISATION: normalisations
 * @DYNO_OPERATOR_KIND_ELEMENTWISE: activations and other element-wise operators
 * @DYNO_OPERATOR_KIND_REDUCTION: reductions and pooling
 * @DYNO_OPERATOR_KIND_MOVEMENT: operators that move data and compute nothing
 * @DYNO_OPERATOR_KIND_OTHER: the rest
 *
 * The kinds of operators; each has its own colour.
 */
typedef enum
{
  DYNO_OPERATOR_KIND_MATRIX,
  DYNO_OPERATOR_KIND_CONVOLUTION,
  DYNO_OPERATOR_KIND_ATTENTION,
  DYNO_OPERATOR_KIND_NORMALISATION,
  DYNO_OPERATOR_KIND_ELEMENTWISE,
  DYNO_OPERATOR_KIND_REDUCTION,
  DYNO_OPERATOR_KIND_MOVEMENT,
  DYNO_OPERATOR_KIND_OTHER,
  DYNO_N_OPERATOR_KINDS,
} DynoOperatorKind;

/* Returns its kind. */
DynoOperatorKind dyno_operator_kind_from_type (const char *type);
/* Returns its name for people. */
const char *dyno_operator_kind_get_name (DynoOperatorKind kind);

G_END_DECLS
