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

/* Takes the sizes as reported; a virtual machine may report its host's. */
void dyno_memory_levels_read_hints (DynoMemoryLevels *self, DynoTopology *topology, guint processor);
/* Follows the plateau of each level to its end. What comes right after an end is the slope to the next
 * level and belongs to none. A level of which no size was tried keeps its hint. @sizes: how much was read
 * over and over, in bytes, rising. */
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
