/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-tensor.h"

G_BEGIN_DECLS

/* Products of single precision whose factors are rounded to 11 significant bits. */
#define DYNO_PRECISION_TF32 "tf32"

/* The code of the diagnostic of a case whose weights have 7 bits. */
#define DYNO_PRECISION_REDUCED "reduced-weights"

/**
 * DynoQuantisation:
 * @bits: of each element of a quantised weight, 4 or 8
 * @block: how many consecutive elements of a column share a scale; 0 for the whole column
 * @is_dynamic: whether activations are also quantised to 8 bits, dynamically in each step
 * @largest: the largest magnitude of an element where activations are quantised too, else 0
 * @is_static: whether activations are also quantised to 8 bits, by ranges that were found beforehand; then the
 * weights of convolutions are quantised as well
 * @is_cache: whether not weights, but the keys and values of earlier tokens are quantised, by ranges as well
 * @is_normal: whether the 16 numbers of 4 bits are the quantiles of a normal distribution (NF4)
 *
 * How the weights of matrix products are stored; everything else stays in single precision.
 */
typedef struct
{
  guint bits;
  guint block;
  gboolean is_dynamic;
  guint largest;
  gboolean is_static;
  gboolean is_normal;
  gboolean is_cache;
} DynoQuantisation;

/* Returns the precisions that models can be built in, the default first. */
const char *const *dyno_precision_list (void);
gboolean dyno_precision_can_build (const char *precision);
/* Returns all that can be chosen, whatever the format of the file. */
const char *const *dyno_precision_list_all (void);
/* Returns the precisions in which GGUF files are written, the default first. `q8_0` and `q4_k_m` are llama.cpp’s own
 * names. */
const char *const *dyno_precision_list_gguf (void);
/* Returns the floating-point type of its elements, DYNO_DATA_TYPE_UNDEFINED if there is none. */
DynoDataType dyno_precision_get_type (const char *precision);
/* Returns the precision that computes in it; NULL if there is none. */
const char *dyno_precision_from_type (DynoDataType type);
/* Returns how the weights of products are quantised, NULL if they are not. If activations are quantised
 * too, the range of the weights depends on the processor: see dyno_precision_is_reduced(). */
const DynoQuantisation *dyno_precision_get_quantisation (const char *precision);
/* Returns whether it quantises activations by ranges that are found beforehand. */
gboolean dyno_precision_needs_ranges (const char *precision);
/* Returns whether weights are rounded to so few bits that engines compute visibly different answers.
 * @precision: a precision, even one that only files have. */
gboolean dyno_precision_is_quantised (const char *precision);
/* Returns whether weights have 7 bits instead of 8, because sums of products would overflow on this
 * processor. */
gboolean dyno_precision_is_reduced (const char *precision);
/* If only weights are quantised, products are computed in the precision of the activations; if both are,
 * in integers. Returns the precision in which products are computed. */
const char *dyno_precision_get_computed (const char *precision);
/* Returns the precision that its numbers have in memory: TF32 is a way to multiply those of single
 * precision. */
const char *dyno_precision_get_stored (const char *precision);
/* Returns the largest finite number of that type, 0 for other types. */
double dyno_precision_get_largest (DynoDataType type);

G_END_DECLS
