/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The distance of the places visited: two lines, since some processors fetch lines in pairs. */
#define DYNO_MEMORY_CHASE_STRIDE 128

/* So many accesses for a count of one. */
#define DYNO_MEMORY_CHASE_STEPS 32

/**
 * DynoMemoryChase:
 * @place: the one visited last
 *
 * A way through memory on which every place names the next, in random order, and which comes back to its start.
 */
typedef struct
{
  gpointer *place;
} DynoMemoryChase;

/* Lays a single ring through all places, by Sattolo's algorithm. */
void dyno_memory_chase_init (DynoMemoryChase *self, guint8 *memory, gsize bytes);
/* A [callback@Dyno.TeamWork]. @member: which of the team; only one may go. */
void dyno_memory_chase_work (guint member, guint64 count, gpointer data);

G_END_DECLS
