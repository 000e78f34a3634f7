/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling-run.h"
#include "dyno-memory-levels.h"

G_BEGIN_DECLS

/* Returns how many ceilings of bandwidth there are to measure for a team of threads, at most. */
guint dyno_memory_ceilings_count_bandwidths (const DynoMemoryLevels *levels);
void dyno_memory_ceilings_sweep (DynoCeilingRun *run, DynoMemoryLevels *levels, gsize most_memory);
gboolean dyno_memory_ceilings_measure_bandwidth (DynoCeilingRun *run,
                                                 const DynoMemoryLevels *levels,
                                                 gsize most_memory);
gboolean
dyno_memory_ceilings_measure_latency (DynoCeilingRun *run, const DynoMemoryLevels *levels, gsize most_memory);

G_END_DECLS
