/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/* Part of the cache key of every quantised model: increase it if the same weight would be quantised to other
 * numbers. */
#define DYNO_QUANTISER_VERSION 1

/* Rounds to the nearest of 2^bits evenly spaced numbers around 0, where the element of the largest
 * magnitude is an end of the range: symmetric quantisation as in MatMulNBits without zero points. An
 * incomplete block is padded with zeros. A byte holds two elements of 4 bits. @n_values: how many, at most
 * one block. @quants: room for one byte per element of a whole block. @scale: element ≈ (quant − 2^(bits −
 * 1)) · scale. */
void dyno_quantiser_pack (
    const DynoQuantisation *how, const float *values, gsize n_values, guint8 *quants, float *scale);
/* Rounds to the nearest of 255 evenly spaced numbers around 0, or of 129 if the range is reduced, as
 * exporters do for MatMulInteger. Returns FALSE if an element is not finite. @quants: the quantised form of
 * a weight, [depth, columns], with one scale per column. @rows: the whole matrix, row by row; only those
 * columns are filled. */
gboolean dyno_quantiser_fill_rows (
    const DynoWeight *quants, guint64 seed, gsize first, gsize n_columns, gint8 *rows, float *scales);
/* Quantises some columns of a matrix; only these are read or drawn. Columns that a file has in such blocks
 * are copied. Returns FALSE if an element is not finite. @zeros (nullable): the zero points of their
 * blocks, two in a byte, if the weight has them. */
gboolean dyno_quantiser_fill (const DynoWeight *quants,
                              guint64 seed,
                              gsize first,
                              gsize n_columns,
                              guint8 *bytes,
                              float *scales,
                              guint8 *zeros);

G_END_DECLS
