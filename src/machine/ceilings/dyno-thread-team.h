/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-topology.h"

G_BEGIN_DECLS

/**
 * DynoThreadTeam:
 *
 * Threads that each run on a hardware thread of their own and work at the same time.
 */
typedef struct _DynoThreadTeam DynoThreadTeam;

/**
 * DynoTeamWork:
 * @member: the number of this thread, from 0
 * @count: how much to do
 * @data: the caller's data
 *
 * The work of every member, each on its own data.
 */
typedef void (*DynoTeamWork) (guint member, guint64 count, gpointer data);

/**
 * DynoTeamWindow:
 * @seconds: from the first member's start to the last one's end
 * @clock: the mean of the members' frequencies right after, in Hz
 *
 * The time and the frequency of a piece of work.
 */
typedef struct
{
  double seconds;
  double clock;
} DynoTeamWindow;

/* Returns threads that wait for work, one per core first, the fastest cores first. @topology: the machine;
 * must outlive the team. @n_threads: the number of threads, 0 for one per core; at most the usable hardware
 * threads. */
DynoThreadTeam *dyno_thread_team_new (DynoTopology *topology, guint n_threads);
/* Returns threads that wait for work, each on the next hardware thread of @order. @topology: the machine;
 * must outlive the team. @order: hardware threads, as from dyno_pinning_policy_order(); at least one.
 * @n_threads: the number of threads; at most the length of @order. */
DynoThreadTeam *dyno_thread_team_new_on (DynoTopology *topology, const GArray *order, guint n_threads);
/* Ends its threads. */
void dyno_thread_team_free (DynoThreadTeam *self);

guint dyno_thread_team_get_size (DynoThreadTeam *self);
/* Returns whether every thread is pinned; the kernel may forbid it. */
gboolean dyno_thread_team_is_pinned (DynoThreadTeam *self);
/* Returns the hardware threads of its members. */
const DynoCpuSet *dyno_thread_team_get_set (DynoThreadTeam *self);
/* Makes all members work, and waits for them. */
void dyno_thread_team_run (DynoThreadTeam *self, DynoTeamWork work, guint64 count, gpointer data);
/* Like dyno_thread_team_run(), but the members start together. Returns the time of all members together,
 * and their frequency. */
DynoTeamWindow dyno_thread_team_time (DynoThreadTeam *self, DynoTeamWork work, guint64 count, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoThreadTeam, dyno_thread_team_free)

G_END_DECLS
