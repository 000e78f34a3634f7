/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-topology.h"

G_BEGIN_DECLS

#define DYNO_MAX_CACHE_LEVELS 4

/**
 * DynoMemoryLevels:
 * @n_caches: the number of cache levels
 * @hints: the size that the machine reports for each, in bytes
 * @ends: the measured size at which reading from each slows down, at most the hint, in bytes
 *
 * The caches of the measuring core.
 */
typedef struct
{
  guint n_caches;
  gsize hints[DYNO_MAX_CACHE_LEVELS];
  gsize ends[DYNO_MAX_CACHE_LEVELS];
} DynoMemoryLevels;

/* Reads the reported sizes; a virtual machine may report those of its host. */
void dyno_memory_levels_read_hints (DynoMemoryLevels *self, DynoTopology *topology, guint processor);
/* Follows the plateau of each level to its end. Sizes right after an end are the slope to the next level
 * and belong to no level. A level without a tried size keeps its hint. @sizes: the sizes that were read
 * over and over, in bytes, rising. */
void dyno_memory_levels_find_ends (DynoMemoryLevels *self,
                                   const gsize *sizes,
                                   const double *rates,
                                   guint n_points);
/* Returns how many members at most share one cache of this level. @level: a level of cache, from 0. */
guint dyno_memory_levels_count_sharers (DynoTopology *topology, const DynoCpuSet *team, guint level);
/* Returns how many caches of this level the team has together, at least one. @level: a level of cache,
 * from 0. */
guint dyno_memory_levels_count_caches (DynoTopology *topology, const DynoCpuSet *team, guint level);

G_END_DECLS
