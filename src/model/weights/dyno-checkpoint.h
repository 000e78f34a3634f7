/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"
#include "dyno-safetensors.h"

G_BEGIN_DECLS

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

G_END_DECLS
