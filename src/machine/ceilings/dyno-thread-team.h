/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-topology.h"

G_BEGIN_DECLS

/**
 * DynoThreadTeam:
 *
 * Threads that each stay on a hardware thread of their own and work at the same time.
 */
typedef struct _DynoThreadTeam DynoThreadTeam;

/**
 * DynoTeamWork:
 * @member: which of the threads this is, from 0
 * @count: how much to do
 * @data: what was given with it
 *
 * What every member does, each on its own data.
 */
typedef void (*DynoTeamWork) (guint member, guint64 count, gpointer data);

/**
 * DynoTeamWindow:
 * @seconds: from the first member's start to the last one's end
 * @clock: the mean of the members' frequencies right after, in Hz
 *
 * How a piece of work went.
 */
typedef struct
{
  double seconds;
  double clock;
} DynoTeamWindow;

/* Returns threads that wait for work, one per core first, the fastest cores first. @topology: the machine;
 * must outlive the team. @n_threads: how many threads, 0 for one per core; no more than there are hardware
 * threads to use. */
DynoThreadTeam *dyno_thread_team_new (DynoTopology *topology, guint n_threads);
/* Returns threads that wait for work, each on the next hardware thread of @order. @topology: the machine;
 * must outlive the team. @order: hardware threads, as from dyno_pinning_policy_order(); at least one.
 * @n_threads: how many threads; no more than there are in @order. */
DynoThreadTeam *dyno_thread_team_new_on (DynoTopology *topology, const GArray *order, guint n_threads);
/* Ends its threads. */
void dyno_thread_team_free (DynoThreadTeam *self);

guint dyno_thread_team_get_size (DynoThreadTeam *self);
/* Returns whether every thread stays where it is; the kernel may not let us. */
gboolean dyno_thread_team_is_pinned (DynoThreadTeam *self);
/* Returns the hardware threads that its members were given. */
const DynoCpuSet *dyno_thread_team_get_set (DynoThreadTeam *self);
/* Has all members work, and waits for them. */
void dyno_thread_team_run (DynoThreadTeam *self, DynoTeamWork work, guint64 count, gpointer data);
/* Like dyno_thread_team_run(); members start together, and the time is that of them all. Returns how it
 * went. */
DynoTeamWindow dyno_thread_team_time (DynoThreadTeam *self, DynoTeamWork work, guint64 count, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoThreadTeam, dyno_thread_team_free)

G_END_DECLS
