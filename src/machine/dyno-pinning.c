/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-machine-private.h"
#include "dyno-pinning.h"
#include "dyno-topology.h"

/* The affinity of this process: the hardware threads allowed at first, those left to other processes, those
 * of the work and of the sampler, the policy, and the memory node. */
static struct
{
  DynoCpuSet *usable;
  DynoCpuSet *avoided;
  DynoCpuSet *work;
  DynoCpuSet *sampler;
  char *policy;
  int node;
} pinning = { .node = -1 };

static void
remember (DynoCpuSet **place, const DynoCpuSet *set)
{
  g_clear_pointer (place, hwloc_bitmap_free);
  *place = hwloc_bitmap_dup (set);
}

/* A later binding must start from the original affinity, not from that of an earlier binding. */
static DynoTopology *
load_topology (GError **error)
{
  DynoTopology *topology = dyno_topology_load (error);

  if (topology != NULL && pinning.usable == NULL)
    pinning.usable = dyno_topology_dup_usable (topology);
  return topology;
}

/* Chooses a hardware thread on a core without work, else one that shares a core with it, else any. */
static DynoCpuSet *
choose_sampler (DynoTopology *topology)
{
  g_autoptr (DynoCpuSet) left = hwloc_bitmap_dup (pinning.usable);
  g_autoptr (DynoCpuSet) free_cores = NULL;
  DynoCpuSet *sampler;
  hwloc_obj_t core = NULL;

  if (pinning.avoided != NULL)
    hwloc_bitmap_andnot (left, left, pinning.avoided);
  free_cores = hwloc_bitmap_dup (left);
  sampler = hwloc_bitmap_dup (left);
  if (pinning.work != NULL)
    hwloc_bitmap_andnot (sampler, sampler, pinning.work);
  if (hwloc_bitmap_iszero (sampler))
    {
      hwloc_bitmap_copy (sampler, left);
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
               _ ("The threads could not be pinned: %s. Measuring continues without pinning."),
               g_strerror (errno));
  return FALSE;
}

/* If there is only one node, its memory is all the memory. */
static gboolean
bind_memory (DynoTopology *topology, guint number, GError **error)
{
  hwloc_obj_t node = hwloc_get_numanode_obj_by_os_index (topology, number);

  if (hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_NUMANODE) < 2 ||
      hwloc_set_membind (topology, node->nodeset, HWLOC_MEMBIND_BIND,
                         HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_BYNODESET) == 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The memory of node %u could not be chosen: %s. In a container, allow the system call "
                  "set_mempolicy, or choose another placement."),
               number, g_strerror (errno));
  return FALSE;
}

/* Undoes the memory binding of an earlier call. */
static gboolean
free_memory (DynoTopology *topology, GError **error)
{
  if (pinning.node < 0 || hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_NUMANODE) < 2 ||
      hwloc_set_membind (topology, hwloc_topology_get_topology_nodeset (topology), HWLOC_MEMBIND_DEFAULT,
                         HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_BYNODESET) == 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The memory of all nodes could not be allowed again: %s."), g_strerror (errno));
  return FALSE;
}

gboolean
dyno_pinning_bind (const char *policy, guint threads, GError **error)
{
  g_autoptr (DynoPinningPolicy) parsed = dyno_pinning_policy_parse (policy, error);
  g_autoptr (DynoTopology) topology = parsed != NULL ? load_topology (error) : NULL;
  g_autoptr (DynoCpuSet) work = NULL;
  gboolean has_node;

  if (topology == NULL)
    return FALSE;
  work = dyno_pinning_policy_choose (parsed, topology, pinning.usable, threads, error);
  has_node = parsed->kind == DYNO_PINNING_NUMA;
  if (work == NULL ||
      !(has_node ? bind_memory (topology, parsed->node, error) : free_memory (topology, error)) ||
      !bind_to (topology, work, HWLOC_CPUBIND_THREAD, error))
    return FALSE;
  remember (&pinning.work, work);
  pinning.node = has_node ? (int)parsed->node : -1;
  g_free (pinning.policy);
  pinning.policy = g_strdup (policy);
  return TRUE;
}

gboolean
dyno_pinning_avoid (const GPid *pids, guint n_pids)
{
  g_autoptr (DynoTopology) topology = load_topology (NULL);
  g_autoptr (DynoCpuSet) avoided = hwloc_bitmap_alloc ();
  g_autoptr (DynoCpuSet) of_one = hwloc_bitmap_alloc ();
  g_autoptr (DynoCpuSet) work = NULL;

  for (guint i = 0; topology != NULL && i < n_pids; i++)
    if (hwloc_get_proc_cpubind (topology, pids[i], of_one, 0) == 0)
      hwloc_bitmap_or (avoided, avoided, of_one);
  if (hwloc_bitmap_iszero (avoided))
    return FALSE;
  work = hwloc_bitmap_dup (pinning.usable);
  hwloc_bitmap_andnot (work, work, avoided);
  if (hwloc_bitmap_iszero (work) || !bind_to (topology, work, HWLOC_CPUBIND_THREAD, NULL))
    return FALSE;
  remember (&pinning.work, work);
  remember (&pinning.avoided, avoided);
  return TRUE;
}

gboolean
dyno_pinning_release (GError **error)
{
  g_autoptr (DynoTopology) topology = NULL;

  if (pinning.work == NULL)
    return TRUE;
  topology = load_topology (error);
  return topology != NULL && free_memory (topology, error) &&
         bind_to (topology, pinning.usable, HWLOC_CPUBIND_THREAD, error);
}

gboolean
dyno_pinning_check (const char *policy, GError **error)
{
  g_autoptr (DynoPinningPolicy) parsed = dyno_pinning_policy_parse (policy, error);
  g_autoptr (DynoTopology) topology = parsed != NULL ? dyno_topology_load (error) : NULL;
  g_autoptr (DynoCpuSet) usable = topology != NULL ? dyno_topology_dup_usable (topology) : NULL;
  g_autoptr (DynoCpuSet) work = NULL;

  if (topology == NULL)
    return FALSE;
  work = dyno_pinning_policy_choose (parsed, topology, usable, 1, error);
  return work != NULL;
}

static void
add_if_possible (GPtrArray *policies, DynoTopology *topology, const DynoCpuSet *usable, char *name)
{
  g_autofree char *candidate = name;
  g_autoptr (DynoPinningPolicy) policy = dyno_pinning_policy_parse (candidate, NULL);
  g_autoptr (DynoCpuSet) work = dyno_pinning_policy_choose (policy, topology, usable, 1, NULL);

  if (work != NULL)
    g_ptr_array_add (policies, g_steal_pointer (&candidate));
}

char **
dyno_pinning_list_policies (void)
{
  static const char *const plain[] = { "", "compact", "scatter", "one-per-core", "performance-cores" };
  g_autoptr (DynoTopology) topology = dyno_topology_load (NULL);
  g_autoptr (DynoCpuSet) usable = topology != NULL ? dyno_topology_dup_usable (topology) : NULL;
  g_autoptr (GPtrArray) policies = g_ptr_array_new ();
  hwloc_obj_t node = NULL;

  for (guint i = 0; topology != NULL && i < G_N_ELEMENTS (plain); i++)
    add_if_possible (policies, topology, usable, g_strdup (plain[i]));
  while (topology != NULL && (node = hwloc_get_next_obj_by_type (topology, HWLOC_OBJ_NUMANODE, node)) != NULL)
    add_if_possible (policies, topology, usable, g_strdup_printf ("numa:%u", node->os_index));
  g_ptr_array_add (policies, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&policies), FALSE);
}

char *
dyno_pinning_dup_label (const char *policy)
{
  g_autoptr (DynoPinningPolicy) parsed = dyno_pinning_policy_parse (policy, NULL);

  switch (parsed != NULL ? (int)parsed->kind : -1)
    {
    case DYNO_PINNING_DEFAULT:
      return g_strdup (_ ("Cores first"));
    case DYNO_PINNING_COMPACT:
      return g_strdup (_ ("Close together"));
    case DYNO_PINNING_SCATTER:
      return g_strdup (_ ("Far apart"));
    case DYNO_PINNING_ONE_PER_CORE:
      return g_strdup (_ ("One per core"));
    case DYNO_PINNING_PERFORMANCE_CORES:
      return g_strdup (_ ("Performance cores"));
    case DYNO_PINNING_NUMA:
      return g_strdup_printf (_ ("Memory node %u"), parsed->node);
    case DYNO_PINNING_CPUS:
      return g_strdup_printf (_ ("Processors %s"), policy + strlen ("cpus:"));
    default:
      return g_strdup (policy);
    }
}

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

static void
append_set (GString *text, const char *what, const DynoCpuSet *set)
{
  g_autofree char *numbers = set != NULL ? dyno_topology_format_set (set) : NULL;

  if (numbers != NULL)
    g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", what, numbers);
}

/**
 * dyno_pinning_describe:
 *
 * Describes the bindings, by the kernel's numbers, for the record: `work 0-3, sampler 4`, with a policy
 * `work 0-3 by numa:0, memory of node 0, sampler 4`.
 *
 * Returns: (transfer full): the description, `unbound` when nothing was bound
 */
char *
dyno_pinning_describe (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_set (text, "work", pinning.work);
  if (pinning.policy != NULL && *pinning.policy != '\0')
    g_string_append_printf (text, " by %s", pinning.policy);
  if (pinning.node >= 0)
    g_string_append_printf (text, ", memory of node %d", pinning.node);
  append_set (text, "sampler", pinning.sampler);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : g_strdup ("unbound");
}
