/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <hwloc.h>

G_BEGIN_DECLS

/**
 * DynoTopology:
 *
 * hwloc's view of packages, caches, cores and their hardware threads.
 */
typedef struct hwloc_topology DynoTopology;

/**
 * DynoCpuSet:
 *
 * A set of hardware threads.
 */
typedef struct hwloc_bitmap_s DynoCpuSet;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTopology, hwloc_topology_destroy)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCpuSet, hwloc_bitmap_free)

DynoTopology *dyno_topology_load (GError **error);
DynoTopology *dyno_topology_load_with_devices (GError **error);
DynoCpuSet *dyno_topology_dup_usable (DynoTopology *topology);
guint dyno_topology_count (DynoTopology *topology, hwloc_obj_type_t type, const DynoCpuSet *within);
guint dyno_topology_find_core_kind (DynoTopology *topology, const DynoCpuSet *set, guint *n_kinds);
char *dyno_topology_format_set (const DynoCpuSet *set);

G_END_DECLS
