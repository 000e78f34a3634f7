/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

/* Products of single precision whose factors are rounded to 11 significant bits. */
#define DYNO_PRECISION_TF32 "tf32"

/* The code of the diagnostic that a case has whose weights are of 7 bits. */
#define DYNO_PRECISION_REDUCED "reduced-weights"

/**
 * DynoQuantisation:
 * @bits: of each element of a quantised weight, 4 or 8
 * @block: how many consecutive elements of a column share a scale; 0 for the whole column
 * @is_dynamic: whether activations are also quantised to 8 bits, dynamically in each step
 * @largest: the largest magnitude of an element where activations are quantised too, else 0
 *
 * How the weights of matrix products are stored; everything else stays in single precision.
 */
typedef struct
{
  guint bits;
  guint block;
  gboolean is_dynamic;
  guint largest;
} DynoQuantisation;

const char *const *dyno_precision_list (void);
gboolean dyno_precision_can_build (const char *precision);
DynoDataType dyno_precision_get_type (const char *precision);
const char *dyno_precision_from_type (DynoDataType type);
const DynoQuantisation *dyno_precision_get_quantisation (const char *precision);
gboolean dyno_precision_is_quantised (const char *precision);
gboolean dyno_precision_is_reduced (const char *precision);
const char *dyno_precision_get_computed (const char *precision);
const char *dyno_precision_get_stored (const char *precision);
double dyno_precision_get_largest (DynoDataType type);

G_END_DECLS
