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
