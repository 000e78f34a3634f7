/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-disturbance.h"
#include "dyno-machine-ceilings-private.h"
#include "dyno-machine-private.h"

/* How often a thread checks the others before it yields its processor to one of them. */
#define PATIENCE 20000

typedef struct
{
  DynoThreadTeam *team;
  GThread *thread;
  guint index;
  guint processor;
  gboolean pinned;
  int queue; /* counts how long the thread waited for its processor */
  gint64 start;
  gint64 end;
  double clock;
  double queued;
} Member;

struct _DynoThreadTeam
{
  DynoTopology *topology;
  DynoCpuSet *set;
  Member *members;
  guint n_members;

  GMutex mutex;
  GCond changed;
  guint n_jobs;
  guint n_working;
  gboolean over;

  DynoTeamWork work;
  guint64 count;
  gpointer data;
  int n_ready;
};

static void
do_job (Member *self)
{
  DynoThreadTeam *team = self->team;
  gint64 queued_before = dyno_disturbance_read_queue (self->queue), queued_after;

  /* Each thread takes a different time to wake up, so the last wait before the start is a busy one. */
  g_atomic_int_inc (&team->n_ready);
  for (guint i = 1; (guint)g_atomic_int_get (&team->n_ready) < team->n_members; i++)
    if (i % PATIENCE == 0)
      g_thread_yield ();

  self->start = dyno_clock_now_ns ();
  team->work (self->index, team->count, team->data);
  self->end = dyno_clock_now_ns ();
  queued_after = dyno_disturbance_read_queue (self->queue);
  self->clock = dyno_cycle_clock_measure ();
  self->queued = -1;
  if (queued_before >= 0 && queued_after >= queued_before)
    self->queued = (double)(queued_after - queued_before) / (double)MAX (self->end - self->start, 1);
}

static gboolean
wait_for_job (DynoThreadTeam *self, guint *n_done)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  while (self->n_jobs == *n_done && !self->over)
    g_cond_wait (&self->changed, &self->mutex);
  *n_done = self->n_jobs;
  return !self->over;
}

static void
report_done (DynoThreadTeam *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->n_working--;
  g_cond_broadcast (&self->changed);
}

static gpointer
member_main (gpointer data)
{
  Member *self = data;
  guint n_done = 0;
  g_autoptr (DynoCpuSet) set = hwloc_bitmap_alloc ();

  hwloc_bitmap_only (set, self->processor);
  self->pinned = hwloc_set_cpubind (self->team->topology, set, HWLOC_CPUBIND_THREAD) == 0;
  self->queue = dyno_disturbance_open_queue ();

  while (wait_for_job (self->team, &n_done))
    {
      do_job (self);
      report_done (self->team);
    }
  if (self->queue >= 0)
    close (self->queue);
  return NULL;
}

static void
do_nothing (guint member, guint64 count, gpointer data)
{
}

DynoThreadTeam *
dyno_thread_team_new_on (DynoTopology *topology, const GArray *order, guint n_threads)
{
  DynoThreadTeam *self = g_new0 (DynoThreadTeam, 1);

  self->topology = topology;
  self->set = hwloc_bitmap_alloc ();
  self->n_members = CLAMP (n_threads, 1, order->len);
  self->members = g_new0 (Member, self->n_members);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  for (guint i = 0; i < self->n_members; i++)
    {
      Member *member = &self->members[i];

      member->team = self;
      member->index = i;
      member->processor = (guint)g_array_index (order, int, i);
      hwloc_bitmap_set (self->set, member->processor);
      member->thread = g_thread_new ("ceilings", member_main, member);
    }
  /* After a first job all threads are pinned. */
  dyno_thread_team_run (self, do_nothing, 0, NULL);
  return self;
}

DynoThreadTeam *
dyno_thread_team_new (DynoTopology *topology, guint n_threads)
{
  const DynoPinningPolicy usual = { DYNO_PINNING_DEFAULT };
  g_autoptr (DynoCpuSet) usable = dyno_topology_dup_usable (topology);
  g_autoptr (GArray) order = dyno_pinning_policy_order (&usual, topology, usable, NULL);

  if (n_threads == 0)
    n_threads = dyno_topology_count (topology, HWLOC_OBJ_CORE, usable);
  return dyno_thread_team_new_on (topology, order, n_threads);
}

void
dyno_thread_team_free (DynoThreadTeam *self)
{
  g_mutex_lock (&self->mutex);
  self->over = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < self->n_members; i++)
    g_thread_join (self->members[i].thread);
  hwloc_bitmap_free (self->set);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self->members);
  g_free (self);
}

guint
dyno_thread_team_get_size (DynoThreadTeam *self)
{
  return self->n_members;
}

gboolean
dyno_thread_team_is_pinned (DynoThreadTeam *self)
{
  for (guint i = 0; i < self->n_members; i++)
    if (!self->members[i].pinned)
      return FALSE;
  return TRUE;
}

const DynoCpuSet *
dyno_thread_team_get_set (DynoThreadTeam *self)
{
  return self->set;
}

void
dyno_thread_team_run (DynoThreadTeam *self, DynoTeamWork work, guint64 count, gpointer data)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->work = work;
  self->count = count;
  self->data = data;
  self->n_ready = 0;
  self->n_working = self->n_members;
  self->n_jobs++;
  g_cond_broadcast (&self->changed);
  while (self->n_working > 0)
    g_cond_wait (&self->changed, &self->mutex);
}

DynoTeamWindow
dyno_thread_team_time (DynoThreadTeam *self, DynoTeamWork work, guint64 count, gpointer data)
{
  gint64 start = G_MAXINT64, end = G_MININT64;
  double clock = 0, queued = 0;

  dyno_thread_team_run (self, work, count, data);
  for (guint i = 0; i < self->n_members; i++)
    {
      start = MIN (start, self->members[i].start);
      end = MAX (end, self->members[i].end);
      clock += self->members[i].clock;
      queued = queued < 0 || self->members[i].queued < 0 ? -1 : MAX (queued, self->members[i].queued);
    }
  return (DynoTeamWindow){ (double)MAX (end - start, 1) / 1e9, clock / self->n_members, queued };
}
