/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling-run.h"
#include "dyno-memory-levels.h"

G_BEGIN_DECLS

/* Returns the most ceilings of bandwidth that a team of threads has to measure. */
guint dyno_memory_ceilings_count_bandwidths (const DynoMemoryLevels *levels);
/* Reads more and more memory over and over to find the end of each level of cache. @most_memory: how much
 * memory may be used. */
void dyno_memory_ceilings_sweep (DynoCeilingRun *run, DynoMemoryLevels *levels, gsize most_memory);
/* Measures every level in every mix on the run's team. A cache has no ceiling for this team if a member's
 * share is no larger than the level before it. Returns whether it was not cancelled. @most_memory: how much
 * memory may be used. */
gboolean dyno_memory_ceilings_measure_bandwidth (DynoCeilingRun *run,
                                                 const DynoMemoryLevels *levels,
                                                 gsize most_memory);
/* Measures every level. Returns whether it was not cancelled. @most_memory: how much memory may be used. */
gboolean
dyno_memory_ceilings_measure_latency (DynoCeilingRun *run, const DynoMemoryLevels *levels, gsize most_memory);

G_END_DECLS
