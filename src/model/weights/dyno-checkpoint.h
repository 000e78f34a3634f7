/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"
#include "dyno-safetensors.h"

G_BEGIN_DECLS

/**
 * DynoNamePair:
 * @own: a part of the name that a builder gives a weight
 * @published: what stands in its place in files
 */
typedef struct
{
  const char *own;
  const char *published;
} DynoNamePair;

/**
 * DynoNaming:
 * @prefix: (nullable): what names begin with in files of the whole model and not in those of its base, or the other way
 *   round, such as `bert`
 * @pairs: (nullable): parts of names that are called otherwise in files, up to an entry without a name; all that apply are
 *   replaced. A file may have either name
 * @optional: (nullable) (array zero-terminated=1): beginnings of the names of weights that published files may lack, such
 *   as those of a head that was not trained along; they are made at random
 *
 * How the published files of an architecture name its weights, where that is not what the builder calls them.
 */
typedef struct
{
  const char *prefix;
  const DynoNamePair *pairs;
  const char *const *optional;
} DynoNaming;

/**
 * DynoCheckpoint:
 *
 * The trained weights beside a config, in one file or in several with an index. Immutable.
 */
typedef struct _DynoCheckpoint DynoCheckpoint;

gboolean dyno_checkpoint_exists (const char *folder);
DynoCheckpoint *dyno_checkpoint_open (const char *folder, GError **error);
DynoCheckpoint *dyno_checkpoint_ref (DynoCheckpoint *self);
void dyno_checkpoint_unref (DynoCheckpoint *self);
GPtrArray *dyno_checkpoint_list_files (DynoCheckpoint *self);
const char *dyno_checkpoint_get_state (DynoCheckpoint *self);
gboolean dyno_checkpoint_bind (
    DynoCheckpoint *self, const DynoNaming *naming, DynoGraph *graph, GPtrArray *lacking, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCheckpoint, dyno_checkpoint_unref)

G_END_DECLS
