/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-pinning.h"
#include "dyno-topology.h"

/* The one process' affinity: what it was allowed before, what the work got, and where the sampler went. */
static struct
{
  DynoCpuSet *usable;
  DynoCpuSet *work;
  DynoCpuSet *sampler;
} pinning;

static void
remember (DynoCpuSet **place, const DynoCpuSet *set)
{
  g_clear_pointer (place, hwloc_bitmap_free);
  *place = hwloc_bitmap_dup (set);
}

/* A later binding must start from what was allowed at first, not from what an earlier one left. */
static DynoTopology *
load_topology (GError **error)
{
  DynoTopology *topology = dyno_topology_load (error);

  if (topology != NULL && pinning.usable == NULL)
    pinning.usable = dyno_topology_dup_usable (topology);
  return topology;
}

/* Adds the n-th usable hardware thread of each core, as long as more are wanted. */
static void
choose_from_cores (DynoTopology *topology, guint nth, guint n_threads, DynoCpuSet *work)
{
  hwloc_obj_t core = NULL;

  while ((guint)hwloc_bitmap_weight (work) < n_threads &&
         (core = hwloc_get_next_obj_by_type (topology, HWLOC_OBJ_CORE, core)) != NULL)
    {
      g_autoptr (DynoCpuSet) left = hwloc_bitmap_dup (core->cpuset);
      int thread;

      hwloc_bitmap_and (left, left, pinning.usable);
      thread = hwloc_bitmap_first (left);
      for (guint i = 0; i < nth && thread >= 0; i++)
        thread = hwloc_bitmap_next (left, thread);
      if (thread >= 0)
        hwloc_bitmap_set (work, thread);
    }
}

static DynoCpuSet *
choose_work (DynoTopology *topology, guint n_threads)
{
  guint n_cores = dyno_topology_count (topology, HWLOC_OBJ_CORE, pinning.usable);
  guint n_usable = hwloc_bitmap_weight (pinning.usable);
  guint n_wanted = MIN (n_threads > 0 ? n_threads : n_cores, n_usable);
  DynoCpuSet *work = hwloc_bitmap_alloc ();

  for (guint nth = 0; (guint)hwloc_bitmap_weight (work) < n_wanted && nth < n_usable; nth++)
    choose_from_cores (topology, nth, n_wanted, work);
  if (hwloc_bitmap_iszero (work))
    hwloc_bitmap_copy (work, pinning.usable);
  return work;
}

/* A hardware thread of a core the work leaves alone, else one that shares a core with it, else any. */
static DynoCpuSet *
choose_sampler (DynoTopology *topology)
{
  g_autoptr (DynoCpuSet) free_cores = hwloc_bitmap_dup (pinning.usable);
  DynoCpuSet *sampler = hwloc_bitmap_dup (pinning.usable);
  hwloc_obj_t core = NULL;

  if (pinning.work != NULL)
    hwloc_bitmap_andnot (sampler, sampler, pinning.work);
  if (hwloc_bitmap_iszero (sampler))
    {
      hwloc_bitmap_copy (sampler, pinning.usable);
      return sampler;
    }
  while ((core = hwloc_get_next_obj_by_type (topology, HWLOC_OBJ_CORE, core)) != NULL)
    if (pinning.work != NULL && hwloc_bitmap_intersects (core->cpuset, pinning.work))
      hwloc_bitmap_andnot (free_cores, free_cores, core->cpuset);
  if (hwloc_bitmap_intersects (sampler, free_cores))
    hwloc_bitmap_and (sampler, sampler, free_cores);
  hwloc_bitmap_only (sampler, hwloc_bitmap_last (sampler));
  return sampler;
}

static gboolean
bind_to (DynoTopology *topology, const DynoCpuSet *set, int flags, GError **error)
{
  if (hwloc_set_cpubind (topology, set, flags) == 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The threads could not be bound to processors: %s. Measuring goes on without."),
               g_strerror (errno));
  return FALSE;
}

/**
 * dyno_pinning_bind_work:
 * @n_threads: how many threads will work, 0 for one per core
 * @error: return location, %DYNO_ERROR_UNSUPPORTED when the kernel does not let us
 *
 * Binds the calling thread, and with it all that it starts later, to as many hardware threads as will work: one of each core first, a second of each only when the cores are used up, all within what the container
 * and the affinity allowed when this was first called. Where fewer are allowed than asked for, all of those.
 * The threads share the set; which of them runs where is left to the kernel and the runtime. Call it before the
 * runtime starts its threads, on the thread that starts it; the process's other threads stay free, so that what
 * they do need not disturb the work.
 *
 * Returns: whether the thread is bound
 */
gboolean
dyno_pinning_bind_work (guint n_threads, GError **error)
{
  g_autoptr (DynoTopology) topology = load_topology (error);
  g_autoptr (DynoCpuSet) work = NULL;

  if (topology == NULL)
    return FALSE;
  work = choose_work (topology, n_threads);
  if (!bind_to (topology, work, HWLOC_CPUBIND_THREAD, error))
    return FALSE;
  remember (&pinning.work, work);
  return TRUE;
}

/**
 * dyno_pinning_bind_sampler:
 * @error: return location, %DYNO_ERROR_UNSUPPORTED when the kernel does not let us
 *
 * Binds the calling thread to one hardware thread that [func@Dyno.pinning_bind_work] left alone, on a core
 * of its own where there is one. Where the work has them all, the thread may run on any of them.
 *
 * Returns: whether the thread is bound
 */
gboolean
dyno_pinning_bind_sampler (GError **error)
{
  g_autoptr (DynoTopology) topology = load_topology (error);
  g_autoptr (DynoCpuSet) sampler = NULL;

  if (topology == NULL)
    return FALSE;
  sampler = choose_sampler (topology);
  if (!bind_to (topology, sampler, HWLOC_CPUBIND_THREAD, error))
    return FALSE;
  remember (&pinning.sampler, sampler);
  return TRUE;
}

/**
 * dyno_pinning_describe:
 *
 * What was bound where, by the kernel's numbers, for the record: `work 0-3, sampler 4`.
 *
 * Returns: (transfer full): the description, `unbound` when nothing was bound
 */
char *
dyno_pinning_describe (void)
{
  g_autofree char *work = pinning.work != NULL ? dyno_topology_format_set (pinning.work) : NULL;
  g_autofree char *sampler = pinning.sampler != NULL ? dyno_topology_format_set (pinning.sampler) : NULL;

  if (work != NULL && sampler != NULL)
    return g_strdup_printf ("work %s, sampler %s", work, sampler);
  if (work != NULL)
    return g_strdup_printf ("work %s", work);
  return sampler != NULL ? g_strdup_printf ("sampler %s", sampler) : g_strdup ("unbound");
}
