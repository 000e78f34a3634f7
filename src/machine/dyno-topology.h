/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <hwloc.h>
#include <json-glib/json-glib.h>

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

/* Reads the topology of the whole machine, including the parts that this process may not use. Returns the
 * topology. */
DynoTopology *dyno_topology_load (GError **error);
/* Like dyno_topology_load(), with the devices on the PCI bus, which takes longer. Returns the topology. */
DynoTopology *dyno_topology_load_with_devices (GError **error);
/* Returns the hardware threads that both the container and the process' affinity allow. */
DynoCpuSet *dyno_topology_dup_usable (DynoTopology *topology);
/* Returns how many objects of the type have a hardware thread in the set. @type: the type of objects, such
 * as `HWLOC_OBJ_CORE`. */
guint dyno_topology_count (DynoTopology *topology, hwloc_obj_type_t type, const DynoCpuSet *within);
/* Returns how many cores this process may use, or at least its processors if that is unknown. */
guint dyno_topology_count_own_cores (void);
/* Does so for the hardware threads of a list. @order holds int. */
guint dyno_topology_count_in_order (DynoTopology *topology, hwloc_obj_type_t type, const GArray *order);
/* Returns the kind of the core: from 0 for the most efficient to @n_kinds - 1 for the fastest. @n_kinds:
 * how many kinds of core there are, 1 if the machine does not distinguish any. */
guint dyno_topology_find_core_kind (DynoTopology *topology, const DynoCpuSet *set, guint *n_kinds);
/* Returns the hardware threads that a file of sysfs lists, such as `0-3,8`; none if it cannot be read. The caller owns
 * them. */
DynoCpuSet *dyno_topology_read_set (const char *path);
/* Returns the set as the kernel's numbers, such as `0-3,8`. The caller owns it. */
char *dyno_topology_format_set (const DynoCpuSet *set);

/* dyno-topology-device */

/**
 * DynoTopologyDeviceKind:
 * @DYNO_TOPOLOGY_GPU: a graphics processor
 * @DYNO_TOPOLOGY_ACCELERATOR: a processor for neural networks or the like
 */
typedef enum
{
  DYNO_TOPOLOGY_GPU,
  DYNO_TOPOLOGY_ACCELERATOR,
} DynoTopologyDeviceKind;

/**
 * DynoTopologyDevice:
 * @kind: its kind
 * @name: (nullable): its name, if the machine knows it
 * @vendor: the PCI number of its maker
 * @device: the maker's number for it
 * @address: its address, `0000:65:00.0`
 * @driver: (nullable): its driver in the kernel
 * @node: the kernel's number of its memory node, -1 if unknown
 * @link_gbps: the speed of its link in GB/s, 0 if unknown
 *
 * A device on the PCI bus that could compute, as far as its entry there shows.
 */
typedef struct
{
  DynoTopologyDeviceKind kind;
  char *name;
  guint vendor;
  guint device;
  char *address;
  char *driver;
  int node;
  double link_gbps;
} DynoTopologyDevice;

/* Returns the graphics processors and accelerators, possibly none. Elements are DynoTopologyDevice. */
GPtrArray *dyno_topology_device_list (DynoTopology *topology);
/* Returns its name, else its kind with its PCI numbers. */
char *dyno_topology_device_dup_label (const DynoTopologyDevice *self);
/* Returns an object for each device, with `kind` (`gpu`, `accelerator`), `name`, `vendor`, `device` (PCI
 * numbers), `address`, `driver`, `numa_node`, `link_gbps`; null for unknown values. */
JsonArray *dyno_topology_device_list_to_json (DynoTopology *topology);

G_END_DECLS
