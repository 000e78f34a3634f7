/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-topology.h"

G_BEGIN_DECLS

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
 * @kind: what it is
 * @name: (nullable): its name, where the machine knows it; else none
 * @vendor: the PCI number of its maker
 * @device: the maker's number for it
 * @address: where it sits, `0000:65:00.0`
 * @driver: (nullable): the kernel's driver that has it
 * @node: the memory node it hangs on by the kernel's number, -1 where that is not known
 * @link_gbps: what its link moves in GB/s, 0 where that is not known
 *
 * A device that could compute, as far as its entry on the PCI bus says.
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
/* Returns its name, else what it is by its numbers. */
char *dyno_topology_device_dup_label (const DynoTopologyDevice *self);
/* Returns an object for each device, with `kind` (`gpu`, `accelerator`), `name`, `vendor`, `device` (PCI
 * numbers), `address`, `driver`, `numa_node`, `link_gbps`; null for what is not known. */
JsonArray *dyno_topology_device_list_to_json (DynoTopology *topology);

G_END_DECLS
