/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/* Part of every cache key: increase it if the same seed would produce other values. */
#define DYNO_WEIGHTS_VERSION 1

/**
 * dyno_weights_mix:
 * @counter: any number
 *
 * The finaliser of SplitMix64 (Steele, Lea and Flood 2014) over a Weyl sequence: counter in, 64 random bits
 * out. It has no state, so it produces the same numbers on every machine, from any start, in any order.
 */
static inline guint64
dyno_weights_mix (guint64 counter)
{
  guint64 bits = counter * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  bits = (bits ^ (bits >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  bits = (bits ^ (bits >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return bits ^ (bits >> 31);
}

/* Returns the first counter for that name: FNV-1a of the name, mixed with the seed. */
guint64 dyno_weights_key (const char *name, guint64 seed);
/* Reads the weight if a file has it, computes it if its values are known, else draws uniformly from mean ±
 * √3 · deviation, two elements per counter. A part of a weight is the same whether it is generated alone
 * or with the rest. In a model of another precision the values are rounded to it. @offset: index of the
 * first element, an even number; in a transposed weight, the start of a row. */
void dyno_weights_fill (const DynoWeight *weight, guint64 seed, gsize offset, float *values, gsize n_values);
/* Like dyno_weights_fill(), for whole columns of a matrix. @first: the first column; a row if the weight
 * is used transposed. */
void dyno_weights_fill_columns (
    const DynoWeight *weight, guint64 seed, gsize first, gsize n_columns, float *values, gsize stride);

G_END_DECLS
