/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-machine-private.h"

static const char *const names[] = {
  [DYNO_PINNING_DEFAULT] = "",
  [DYNO_PINNING_COMPACT] = "compact",
  [DYNO_PINNING_SCATTER] = "scatter",
  [DYNO_PINNING_ONE_PER_CORE] = "one-per-core",
  [DYNO_PINNING_PERFORMANCE_CORES] = "performance-cores",
  [DYNO_PINNING_NUMA] = "numa:",
  [DYNO_PINNING_CPUS] = "cpus:",
};

/* No kernel uses higher numbers for processors or nodes; this bounds the size of a set. */
#define HIGHEST_NUMBER 65535

static gboolean
read_number (const char **text, guint *number)
{
  guint64 value;
  char *end;

  if (!g_ascii_isdigit (**text))
    return FALSE;
  value = g_ascii_strtoull (*text, &end, 10);
  *text = end;
  *number = (guint)MIN (value, G_MAXUINT);
  return value <= HIGHEST_NUMBER;
}

static gboolean
read_argument (DynoPinningPolicy *self, const char *argument)
{
  switch (self->kind)
    {
    case DYNO_PINNING_NUMA:
      return read_number (&argument, &self->node) && *argument == '\0';
    case DYNO_PINNING_CPUS:
      self->cpus = hwloc_bitmap_alloc ();
      /* Reads a list as the kernel writes it: numbers and ranges with commas between them. */
      do
        {
          guint first, last;

          if (!read_number (&argument, &first))
            return FALSE;
          last = first;
          if (*argument == '-' && (argument++, !read_number (&argument, &last)))
            return FALSE;
          if (last < first)
            return FALSE;
          hwloc_bitmap_set_range (self->cpus, first, (int)last);
        }
      while (*argument == ',' && argument++);
      return *argument == '\0';
    case DYNO_PINNING_DEFAULT:
    case DYNO_PINNING_COMPACT:
    case DYNO_PINNING_SCATTER:
    case DYNO_PINNING_ONE_PER_CORE:
    case DYNO_PINNING_PERFORMANCE_CORES:
    default:
      return *argument == '\0';
    }
}

DynoPinningPolicy *
dyno_pinning_policy_parse (const char *name, GError **error)
{
  g_autoptr (DynoPinningPolicy) self = g_new0 (DynoPinningPolicy, 1);

  if (name == NULL || *name == '\0')
    return g_steal_pointer (&self);
  for (guint i = 1; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (name, names[i]))
      {
        self->kind = i;
        if (read_argument (self, name + strlen (names[i])))
          return g_steal_pointer (&self);
        break;
      }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("Unknown thread pinning “%s”. Choose compact, scatter, one-per-core, performance-cores, "
                  "numa:N or cpus:LIST, such as cpus:0-3,8."),
               name);
  return NULL;
}

void
dyno_pinning_policy_free (DynoPinningPolicy *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->cpus, hwloc_bitmap_free);
  g_free (self);
}

static DynoCpuSet *refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static DynoCpuSet *
refuse (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, format, args);
  va_end (args);
  return NULL;
}

/* Finds the hardware threads of the policy if all of the machine could be used. */
static DynoCpuSet *
find_domain (const DynoPinningPolicy *self, DynoTopology *topology, GError **error)
{
  hwloc_obj_t node;

  switch (self->kind)
    {
    case DYNO_PINNING_PERFORMANCE_CORES:
      {
        g_autoptr (DynoCpuSet) set = hwloc_bitmap_alloc ();
        int n_kinds = hwloc_cpukinds_get_nr (topology, 0);
        int efficiency = -1;

        if (n_kinds > 1)
          hwloc_cpukinds_get_info (topology, n_kinds - 1, set, &efficiency, NULL, NULL, 0);
        return efficiency >= 0 ? g_steal_pointer (&set)
                               : refuse (error, "%s",
                                         _ ("The kernel reports only one kind of core on this machine. "
                                            "Choose one-per-core instead."));
      }
    case DYNO_PINNING_NUMA:
      node = hwloc_get_numanode_obj_by_os_index (topology, self->node);
      if (node != NULL)
        return hwloc_bitmap_dup (node->cpuset);
      return refuse (error, _ ("This machine has no NUMA node %u. The Hardware page shows the nodes."),
                     self->node);
    case DYNO_PINNING_CPUS:
      return hwloc_bitmap_dup (self->cpus);
    case DYNO_PINNING_DEFAULT:
    case DYNO_PINNING_COMPACT:
    case DYNO_PINNING_SCATTER:
    case DYNO_PINNING_ONE_PER_CORE:
    default:
      return hwloc_bitmap_alloc_full ();
    }
}

/* Hardware threads that were named individually must all be allowed; for other policies a part is enough. */
static DynoCpuSet *
find_allowed (const DynoPinningPolicy *self, DynoTopology *topology, const DynoCpuSet *usable, GError **error)
{
  g_autoptr (DynoCpuSet) domain = find_domain (self, topology, error);
  g_autoptr (DynoCpuSet) allowed = hwloc_bitmap_alloc ();
  g_autofree char *text = dyno_topology_format_set (usable);

  if (domain == NULL)
    return NULL;
  hwloc_bitmap_and (allowed, domain, usable);
  if (hwloc_bitmap_iszero (allowed) ||
      (self->kind == DYNO_PINNING_CPUS && !hwloc_bitmap_isequal (allowed, domain)))
    return refuse (
        error, _ ("This process may only use the CPUs %s (affinity or container limits). Choose from these."),
        text);
  return g_steal_pointer (&allowed);
}

/* A machine that does not report its cores is treated as having one hardware thread in each. */
static hwloc_obj_type_t
get_core_type (DynoTopology *topology)
{
  return hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

/* The cores below an object, in an order in which its children take turns, and their children in turn. */
static GPtrArray *
list_cores_apart (hwloc_obj_t object, hwloc_obj_type_t core_type)
{
  g_autoptr (GPtrArray) lists = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  GPtrArray *cores = g_ptr_array_new ();
  guint n_left = 0;

  if (object->type == core_type)
    {
      g_ptr_array_add (cores, object);
      return cores;
    }
  for (guint i = 0; i < object->arity; i++)
    {
      g_ptr_array_add (lists, list_cores_apart (object->children[i], core_type));
      n_left += ((GPtrArray *)lists->pdata[i])->len;
    }
  for (guint turn = 0; cores->len < n_left; turn++)
    for (guint i = 0; i < lists->len; i++)
      {
        GPtrArray *list = lists->pdata[i];

        if (turn < list->len)
          g_ptr_array_add (cores, list->pdata[turn]);
      }
  return cores;
}

/* The fastest kind first, as far as the machine reports kinds. */
static GPtrArray *
list_cores_by_speed (DynoTopology *topology, hwloc_obj_type_t core_type)
{
  int n_kinds = hwloc_cpukinds_get_nr (topology, 0);
  GPtrArray *cores = g_ptr_array_new ();

  for (int kind = MAX (n_kinds, 1) - 1; kind >= 0; kind--)
    {
      g_autoptr (DynoCpuSet) of = hwloc_bitmap_alloc_full ();
      hwloc_obj_t core = NULL;

      if (n_kinds > 0)
        hwloc_cpukinds_get_info (topology, kind, of, NULL, NULL, NULL, 0);
      while ((core = hwloc_get_next_obj_by_type (topology, core_type, core)) != NULL)
        if (hwloc_bitmap_intersects (core->cpuset, of))
          g_ptr_array_add (cores, core);
    }
  return cores;
}

/* Appends up to @most of a core's allowed hardware threads, from the @first on. */
static void
append_threads (hwloc_obj_t core, const DynoCpuSet *allowed, guint first, guint most, GArray *order)
{
  g_autoptr (DynoCpuSet) left = hwloc_bitmap_dup (core->cpuset);
  guint nth = 0;

  hwloc_bitmap_and (left, left, allowed);
  for (int thread = hwloc_bitmap_first (left); thread >= 0; thread = hwloc_bitmap_next (left, thread), nth++)
    if (nth >= first && nth - first < most)
      g_array_append_val (order, thread);
}

GArray *
dyno_pinning_policy_order (const DynoPinningPolicy *self,
                           DynoTopology *topology,
                           const DynoCpuSet *usable,
                           GError **error)
{
  g_autoptr (DynoCpuSet) allowed = find_allowed (self, topology, usable, error);
  g_autoptr (GPtrArray) cores = NULL;
  hwloc_obj_type_t core_type;
  hwloc_obj_t core = NULL;
  GArray *order;
  guint n_wanted, most, n_rounds;

  if (allowed == NULL)
    return NULL;
  core_type = get_core_type (topology);
  if (self->kind == DYNO_PINNING_SCATTER)
    cores = list_cores_apart (hwloc_get_root_obj (topology), core_type);
  else if (self->kind != DYNO_PINNING_COMPACT)
    cores = list_cores_by_speed (topology, core_type);
  else
    {
      cores = g_ptr_array_new ();
      while ((core = hwloc_get_next_obj_by_type (topology, core_type, core)) != NULL)
        g_ptr_array_add (cores, core);
    }
  order = g_array_new (FALSE, FALSE, sizeof (int));
  n_wanted = (guint)hwloc_bitmap_weight (allowed);
  most = self->kind == DYNO_PINNING_COMPACT ? n_wanted : 1;
  n_rounds = self->kind == DYNO_PINNING_ONE_PER_CORE ? 1 : n_wanted;
  for (guint round = 0; round < n_rounds && order->len < n_wanted; round++)
    for (guint i = 0; i < cores->len; i++)
      append_threads (cores->pdata[i], allowed, round * most, most, order);
  return order;
}

DynoCpuSet *
dyno_pinning_policy_choose (const DynoPinningPolicy *self,
                            DynoTopology *topology,
                            const DynoCpuSet *usable,
                            guint n_threads,
                            GError **error)
{
  g_autoptr (GArray) order = dyno_pinning_policy_order (self, topology, usable, error);
  DynoCpuSet *set;

  if (order == NULL)
    return NULL;
  if (n_threads == 0)
    n_threads = dyno_topology_count_in_order (topology, get_core_type (topology), order);
  if (self->kind == DYNO_PINNING_CPUS)
    n_threads = order->len;
  set = hwloc_bitmap_alloc ();
  for (guint i = 0; i < MIN (n_threads, order->len); i++)
    hwloc_bitmap_set (set, g_array_index (order, int, i));
  return set;
}
