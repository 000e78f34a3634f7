/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"
#include "dyno-packed.h"
#include "dyno-safetensors.h"

G_BEGIN_DECLS

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
