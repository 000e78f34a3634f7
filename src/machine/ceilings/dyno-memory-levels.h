/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-topology.h"

G_BEGIN_DECLS

#define DYNO_MAX_CACHE_LEVELS 4

/**
 * DynoMemoryLevels:
 * @n_caches: how many levels of cache there are
 * @hints: the size that the machine reports for each, in bytes
 * @ends: where reading from each really slows down, at most the hint, in bytes
 *
 * The caches of the core that measures.
 */
typedef struct
{
  guint n_caches;
  gsize hints[DYNO_MAX_CACHE_LEVELS];
  gsize ends[DYNO_MAX_CACHE_LEVELS];
} DynoMemoryLevels;

void dyno_memory_levels_read_hints (DynoMemoryLevels *self, DynoTopology *topology, guint processor);
void dyno_memory_levels_find_ends (DynoMemoryLevels *self,
                                   const gsize *sizes,
                                   const double *rates,
                                   guint n_points);
/* Returns how many of the team have to share one cache of this level, at most. @level: a level of cache,
 * from 0. */
guint dyno_memory_levels_count_sharers (DynoTopology *topology, const DynoCpuSet *team, guint level);
/* Returns how many caches of this level the team has together, at least one. @level: a level of cache,
 * from 0. */
guint dyno_memory_levels_count_caches (DynoTopology *topology, const DynoCpuSet *team, guint level);

G_END_DECLS
