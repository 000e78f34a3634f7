/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-system-file.h"
#include "dyno-topology.h"

static DynoTopology *
load (gboolean with_devices, GError **error)
{
  DynoTopology *topology = NULL;

  if (hwloc_topology_init (&topology) == 0)
    {
      /* hwloc reads sysfs and procfs below one root, which only its environment can change. The component x86
       * is off, because it would read the processor of the real machine. */
      g_autofree char *above = dyno_paths_build (DYNO_PATH_SYSFS, "..", NULL);
      g_autofree char *root = g_canonicalize_filename (above, NULL);

      if (*g_path_skip_root (root) != '\0')
        {
          g_setenv ("HWLOC_FSROOT", root, TRUE);
          hwloc_topology_set_components (topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
        }

      if (with_devices)
        {
          /* Driver calls may hang or crash; the entries on the bus are enough to list the devices. */
          static const char *const drivers[] = { "opencl", "cuda", "nvml", "rsmi", "levelzero", "gl" };

          for (guint i = 0; i < G_N_ELEMENTS (drivers); i++)
            hwloc_topology_set_components (topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, drivers[i]);
          hwloc_topology_set_io_types_filter (topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
        }
      hwloc_topology_set_flags (topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
      hwloc_topology_set_icache_types_filter (topology, HWLOC_TYPE_FILTER_KEEP_ALL);
      if (hwloc_topology_load (topology) == 0)
        return topology;
      hwloc_topology_destroy (topology);
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("The processors of this machine could not be listed: %s. Check that sysfs is mounted."),
               g_strerror (errno));
  return NULL;
}

/* Reading takes milliseconds, so a copy of the last one is returned while the processors are the same. */
DynoTopology *
dyno_topology_load (GError **error)
{
  static GMutex mutex;
  static DynoTopology *known;
  static char *known_for;
  g_autofree char *root = dyno_paths_build (DYNO_PATH_SYSFS, NULL, NULL);
  g_autofree char *online = dyno_system_file_dup_text (DYNO_PATH_SYSFS, "devices/system/cpu/online");
  g_autofree char *status = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "self/status");
  g_autofree char *allowed = dyno_system_file_dup_field (status, "Cpus_allowed_list", ": \t");
  g_autofree char *state = g_strdup_printf ("%s %s %s", root, online, allowed);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  DynoTopology *topology = NULL;
  DynoTopology *copy = NULL;

  if (g_strcmp0 (known_for, state) == 0 && hwloc_topology_dup (&copy, known) == 0)
    return copy;
  topology = load (FALSE, error);
  /* A made-up machine may change from one call to the next. */
  if (topology != NULL && hwloc_topology_is_thissystem (topology) &&
      hwloc_topology_dup (&copy, topology) == 0)
    {
      g_clear_pointer (&known, hwloc_topology_destroy);
      known = copy;
      g_free (known_for);
      known_for = g_steal_pointer (&state);
    }
  return topology;
}

DynoTopology *
dyno_topology_load_with_devices (GError **error)
{
  return load (TRUE, error);
}

guint
dyno_topology_find_core_kind (DynoTopology *topology, const DynoCpuSet *set, guint *n_kinds)
{
  int count = hwloc_cpukinds_get_nr (topology, 0);
  int kind = count > 1 ? hwloc_cpukinds_get_by_cpuset (topology, set, 0) : 0;
  int efficiency = -1;

  if (count > 1 && kind >= 0)
    hwloc_cpukinds_get_info (topology, (unsigned int)kind, NULL, &efficiency, NULL, NULL, 0);
  *n_kinds = efficiency >= 0 ? (guint)count : 1;
  return efficiency >= 0 ? (guint)kind : 0;
}

DynoCpuSet *
dyno_topology_dup_usable (DynoTopology *topology)
{
  g_autoptr (DynoCpuSet) bound = hwloc_bitmap_alloc ();
  DynoCpuSet *usable = hwloc_bitmap_dup (hwloc_topology_get_allowed_cpuset (topology));

  if (hwloc_topology_is_thissystem (topology) &&
      hwloc_get_cpubind (topology, bound, HWLOC_CPUBIND_PROCESS) == 0 &&
      hwloc_bitmap_intersects (usable, bound))
    hwloc_bitmap_and (usable, usable, bound);
  return usable;
}

guint
dyno_topology_count (DynoTopology *topology, hwloc_obj_type_t type, const DynoCpuSet *within)
{
  hwloc_obj_t object = NULL;
  guint count = 0;

  while ((object = hwloc_get_next_obj_by_type (topology, type, object)) != NULL)
    count += hwloc_bitmap_intersects (object->cpuset, within) != 0;
  return count;
}

guint
dyno_topology_count_own_cores (void)
{
  g_autoptr (DynoTopology) topology = dyno_topology_load (NULL);
  g_autoptr (DynoCpuSet) usable = topology != NULL ? dyno_topology_dup_usable (topology) : NULL;

  return usable != NULL ? MAX (dyno_topology_count (topology, HWLOC_OBJ_CORE, usable), 1)
                        : g_get_num_processors ();
}

guint
dyno_topology_count_in_order (DynoTopology *topology, hwloc_obj_type_t type, const GArray *order)
{
  g_autoptr (DynoCpuSet) set = hwloc_bitmap_alloc ();

  for (guint i = 0; i < order->len; i++)
    hwloc_bitmap_set (set, (unsigned int)g_array_index (order, int, i));
  return dyno_topology_count (topology, type, set);
}

DynoCpuSet *
dyno_topology_read_set (const char *path)
{
  g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_SYSFS, path);
  DynoCpuSet *set = hwloc_bitmap_alloc ();

  if (text == NULL || hwloc_bitmap_list_sscanf (set, text) != 0 || hwloc_bitmap_weight (set) < 0)
    hwloc_bitmap_zero (set);
  return set;
}

char *
dyno_topology_format_set (const DynoCpuSet *set)
{
  g_autofree char *text = g_new (char, hwloc_bitmap_list_snprintf (NULL, 0, set) + 1);

  hwloc_bitmap_list_snprintf (text, hwloc_bitmap_list_snprintf (NULL, 0, set) + 1, set);
  return g_steal_pointer (&text);
}
