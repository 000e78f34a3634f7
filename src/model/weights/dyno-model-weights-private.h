/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

#include "dyno-checkpoint.h"
#include "dyno-graph.h"
#include "dyno-safetensors.h"

G_BEGIN_DECLS

/* dyno-arena */

/**
 * DynoArenaEnd:
 * @DYNO_ARENA_OPEN: memory is available
 * @DYNO_ARENA_END_OF_MEMORY: the system had no more memory
 * @DYNO_ARENA_END_OF_STACK: messages were nested too deeply
 */
typedef enum
{
  DYNO_ARENA_OPEN,
  DYNO_ARENA_END_OF_MEMORY,
  DYNO_ARENA_END_OF_STACK,
} DynoArenaEnd;

/**
 * DynoArena:
 *
 * Memory for one parsed protobuf message: allocated piece by piece and freed at once. The parser is recursive and
 * allocates memory for every nested message: it gets none once it has used half a megabyte of the stack, so that no
 * file can overflow it.
 */
typedef struct _DynoArena DynoArena;

DynoArena *dyno_arena_new (void);
void dyno_arena_free (DynoArena *self);
/* Returns the allocator for the parser, which must be called next and on this thread. */
ProtobufCAllocator *dyno_arena_get_allocator (DynoArena *self);
/* Returns why it refused memory, if it did. */
DynoArenaEnd dyno_arena_get_end (DynoArena *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoArena, dyno_arena_free)

/* dyno-quantiser */

/* Part of the cache key of every quantised model: increase it if the same weight would be quantised to other
 * numbers. */
#define DYNO_QUANTISER_VERSION 1

/* @quants: the quantised form of a matrix. Returns how many columns of the product it holds. */
gsize dyno_quantiser_count_columns (const DynoWeight *quants);
/* Rounds to the nearest of 2^bits evenly spaced numbers around 0, where the element of the largest
 * magnitude is an end of the range: symmetric quantisation as in MatMulNBits without zero points. An
 * incomplete block is padded with zeros. A byte holds two elements of 4 bits. @n_values: how many, at most
 * one block. @quants: room for one byte per element of a whole block. @scale: element ≈ (quant − 2^(bits −
 * 1)) · scale. */
void dyno_quantiser_pack (
    const DynoQuantisation *how, const float *values, gsize n_values, guint8 *quants, float *scale);
/* Rounds to the nearest of the 16 levels of NF4, as in MatMulBnb4. @n_values: an even number, all of the block. @quants:
 * two elements to a byte. @scale: the largest magnitude; element ≈ level · scale. */
void dyno_quantiser_pack_normal (const float *values, gsize n_values, guint8 *quants, float *scale);
/* Rounds to the nearest of 255 evenly spaced numbers around 0, or of 129 if the range is reduced, as
 * exporters do for MatMulInteger. Returns FALSE if an element is not finite. @quants: the quantised form of
 * a weight, [depth, columns], with one scale per column. @rows: the whole matrix, row by row; only those
 * columns are filled. */
gboolean dyno_quantiser_fill_rows (
    const DynoWeight *quants, guint64 seed, gsize first, gsize n_columns, gint8 *rows, float *scales);
/* Quantises a convolution per output, with its bias and the normalisation that it absorbs. Returns FALSE if a number is
 * not finite. @quants: room for the whole weight. @scales: one for each output, likewise @biases and @bias_scales. */
gboolean dyno_quantiser_fill_layer (const DynoQuantisedLayer *layer,
                                    guint64 seed,
                                    gint8 *quants,
                                    float *scales,
                                    gint32 *biases,
                                    float *bias_scales);
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

/* dyno-weights */

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
