/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-memory-area.h"
#include "dyno-memory-kernel.h"
#include "dyno-thread-team.h"

G_BEGIN_DECLS

/**
 * DynoMemoryTraffic:
 *
 * A team of threads that each move data within an area of its own.
 */
typedef struct _DynoMemoryTraffic DynoMemoryTraffic;

/* Returns the traffic, or NULL if there is not enough memory. @team: the threads; must outlive this.
 * @bytes_per_member: the most memory that each goes through. */
DynoMemoryTraffic *dyno_memory_traffic_new (DynoThreadTeam *team, gsize bytes_per_member);
void dyno_memory_traffic_free (DynoMemoryTraffic *self);

DynoMemoryArea *dyno_memory_traffic_get_area (DynoMemoryTraffic *self, guint member);
/* Every member touches its own memory. Returns the amount of memory in use, a little less than @bytes
 * because pieces are whole. @bytes: how much memory each goes through, over all its streams; at most its
 * area. */
gsize dyno_memory_traffic_prepare (DynoMemoryTraffic *self, const DynoMemoryKernel *kernel, gsize bytes);
/* Returns how many bytes a count of one moves; data that a cache fetches before a write do not count. */
double dyno_memory_traffic_count_bytes (DynoMemoryTraffic *self);
/* A [callback@Dyno.TeamWork]. */
void dyno_memory_traffic_work (guint member, guint64 count, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMemoryTraffic, dyno_memory_traffic_free)

G_END_DECLS
