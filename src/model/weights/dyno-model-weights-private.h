/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

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

/* dyno-packed */

/**
 * DynoPackedFormat:
 * @has_whole_zeros: GPTQ: whether files keep zero points as they are, and not less one
 * @group: AWQ and GPTQ: how many inputs share a scale; 0 if the config does not say
 * @block: FP8: the rows and the columns that share a scale
 *
 * The facts about packed weights that are in a config and not in their files.
 */
typedef struct
{
  gboolean has_whole_zeros;
  gint64 group;
  gint64 block[2];
} DynoPackedFormat;

/**
 * DynoPacked:
 * @view: the tensor that the parts represent, as [… outputs, inputs] or in the form that the model
 * multiplies by
 * @bits: of an element of @quants
 * @group: how many elements of a row share a scale
 * @is_symmetric: whether all zero points are the middle of the range
 * @read_row: converts elements of one row
 *
 * A weight that is several tensors in files: numbers of few bits, their scales and zero points. AWQ and
 * GPTQ as their libraries write them (bits of a column in words of 32), FP8 with scales beside it, MXFP4 of
 * the Open Compute Project's “OCP Microscaling Formats (MX) Specification”, version 1.0.
 */
struct _DynoPacked
{
  DynoSafetensor view;
  DynoPackedFormat format;
  const DynoSafetensor *quants;
  const DynoSafetensor *scales;
  const DynoSafetensor *zeros;
  const DynoSafetensor *groups;
  guint bits;
  gsize group;
  gboolean is_symmetric;
  void (*read_row) (
      const DynoPacked *self, gsize row, gsize first, gsize n_values, float *values, gsize step);
  guint (*get_quant) (const DynoPacked *self, gsize row, gsize column);
  guint (*get_zero) (const DynoPacked *self, gsize row, gsize group);
};

/* Returns the weight, if its parts are there and fit one another; free it with g_free(); NULL otherwise.
 * The caller owns it. @tensors: the tensors of a checkpoint, which must outlive the result. */
DynoPacked *dyno_packed_find (GHashTable *tensors, const char *name, const DynoPackedFormat *format);
void dyno_packed_read (const DynoPacked *self, gsize first, gsize n_values, float *values, gsize step);
void dyno_packed_add_to_checksum (const DynoPacked *self, GChecksum *checksum);
/* Returns whether its numbers are such blocks, so that dyno_packed_copy_row() copies them unchanged.
 * @block: elements of a row that share a scale and a zero point. */
gboolean dyno_packed_has_blocks (const DynoPacked *self, guint bits, gsize block);
/* @quants: its numbers, the low nibble first, an incomplete block filled with zero points. @zeros
 * (nullable): the zero points of the blocks, likewise. */
gboolean dyno_packed_copy_row (
    const DynoPacked *self, gsize row, gsize block, guint8 *quants, guint8 *zeros, float *scales);

/* Returns whether the checkpoint has parts of a packed weight of that name, even if they do not fit one another. */
gboolean dyno_packed_has_parts (GHashTable *tensors, const char *name);

/* dyno-checkpoint */

/**
 * DynoNamePair:
 * @own: a part of the name of a weight in the builder
 * @published: the same part in files
 */
typedef struct
{
  const char *own;
  const char *published;
} DynoNamePair;

/**
 * DynoStacked:
 * @before: a part of the name of a weight in the builder, in front of an index
 * @after: the part after the index, to the end
 * @published: the part in files that replaces all three
 *
 * Weights that are one tensor in files, whose first dimension is the index.
 */
typedef struct
{
  const char *before;
  const char *after;
  const char *published;
} DynoStacked;

/**
 * DynoNaming:
 * @prefix: (nullable): a prefix of names that only files of the whole model, or only those of its base model, have,
 *   such as `bert`
 * @pairs: (nullable): parts of names that differ in files, terminated by an entry without a name; all that apply are
 *   replaced. A file may have either name
 * @optional: (nullable) (array zero-terminated=1): prefixes of the names of weights that published files may lack, such
 *   as those of an untrained head; these weights are random
 * @stacked: (nullable): weights that may be parts of one tensor, terminated by an entry without a name
 *
 * How the names of weights in the published files of an architecture differ from those in the builder.
 */
typedef struct
{
  const char *prefix;
  const DynoNamePair *pairs;
  const char *const *optional;
  const DynoStacked *stacked;
} DynoNaming;

/**
 * DynoCheckpoint:
 *
 * The trained weights beside a config, in one file or in several with an index. Immutable.
 */
typedef struct _DynoCheckpoint DynoCheckpoint;

/* Returns whether there are weights in it, or in the subfolders of the pipeline. */
gboolean dyno_checkpoint_exists (const char *folder);
/* Reads the headers of the weight files beside a config. They may be untrusted, so only workers call this.
 * The weights of a pipeline are in a subfolder for each part; their names begin with the part. Returns the
 * weights; NULL if there is none. The message names the file and the tensor. */
DynoCheckpoint *dyno_checkpoint_open (const char *folder, const DynoPackedFormat *format, GError **error);
DynoCheckpoint *dyno_checkpoint_ref (DynoCheckpoint *self);
void dyno_checkpoint_unref (DynoCheckpoint *self);
/* Returns the names of its files, relative to the folder. */
GPtrArray *dyno_checkpoint_list_files (DynoCheckpoint *self);
/* Returns a string that changes when a file is changed or replaced. */
const char *dyno_checkpoint_get_state (DynoCheckpoint *self);
/* Finds a tensor for each weight of the graph. dyno_checkpoint_list_unused() has the other tensors in the
 * files. Returns whether the weights match the graph. @self: a checkpoint, which must outlive the use of
 * the graph. @naming may be NULL. @lacking (nullable): gets the names of optional weights that are missing
 * from the files. The message names the file and the tensor. */
gboolean dyno_checkpoint_bind (
    DynoCheckpoint *self, const DynoNaming *naming, DynoGraph *graph, GPtrArray *lacking, GError **error);
/* Returns the names of the tensors in the files that no graph has, in alphabetical order, without those
 * that only repeat others or are computed. @graphs holds DynoGraph. */
GPtrArray *dyno_checkpoint_list_unused (DynoCheckpoint *self, GPtrArray *graphs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCheckpoint, dyno_checkpoint_unref)

/* dyno-quantiser */

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
