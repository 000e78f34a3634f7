/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The distance between places: two lines, because some processors fetch lines in pairs. */
#define DYNO_MEMORY_CHASE_STRIDE 128

/* The number of accesses in a count of one. */
#define DYNO_MEMORY_CHASE_STEPS 32

/**
 * DynoMemoryChase:
 * @place: the last one visited
 *
 * A path through memory in random order: every place points to the next, and the last to the first.
 */
typedef struct
{
  gpointer *place;
} DynoMemoryChase;

/* Builds a single ring through all places, by Sattolo's algorithm. */
void dyno_memory_chase_init (DynoMemoryChase *self, guint8 *memory, gsize bytes);
/* A [callback@Dyno.TeamWork]. @member: a member of the team; only one may run it. */
void dyno_memory_chase_work (guint member, guint64 count, gpointer data);

G_END_DECLS
