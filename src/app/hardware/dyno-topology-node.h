/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

#include "dyno-topology.h"

G_BEGIN_DECLS

/**
 * DynoTopologyKind:
 * @DYNO_TOPOLOGY_MACHINE: the root
 * @DYNO_TOPOLOGY_PACKAGE: a socket
 * @DYNO_TOPOLOGY_NUMA: a memory node and the objects near it
 * @DYNO_TOPOLOGY_L3: a third-level cache and the cores that share it
 * @DYNO_TOPOLOGY_CORE: a core
 * @DYNO_TOPOLOGY_THREAD: a hardware thread
 * @DYNO_TOPOLOGY_DEVICE: a device that could compute, near its memory
 * @DYNO_N_TOPOLOGY_KINDS: the number of kinds
 *
 * The kind of a box in the picture of the topology.
 */
typedef enum
{
  DYNO_TOPOLOGY_MACHINE,
  DYNO_TOPOLOGY_PACKAGE,
  DYNO_TOPOLOGY_NUMA,
  DYNO_TOPOLOGY_L3,
  DYNO_TOPOLOGY_CORE,
  DYNO_TOPOLOGY_THREAD,
  DYNO_TOPOLOGY_DEVICE,
  DYNO_N_TOPOLOGY_KINDS,
} DynoTopologyKind;

/**
 * DynoTopologyNode:
 * @kind: its kind
 * @label: (nullable): its name and size, for people
 * @usable: whether this process may use any of it
 * @children: (element-type DynoTopologyNode): its parts
 *
 * A part of the machine and its parts; a reference-counted boxed type, immutable once built.
 */
typedef struct
{
  DynoTopologyKind kind;
  char *label;
  gboolean usable;
  GPtrArray *children;
} DynoTopologyNode;

#define DYNO_TYPE_TOPOLOGY_NODE (dyno_topology_node_get_type ())

GType dyno_topology_node_get_type (void);
/* Returns a new node without children. Takes @label. @label may be NULL. @usable: whether this process may
 * use any of it. */
DynoTopologyNode *dyno_topology_node_new (DynoTopologyKind kind, char *label, gboolean usable);
/* Builds a tree of the objects that people look for: packages, memory, third-level caches, cores and threads,
 * and the devices that could compute, if @topology was loaded with them. Returns the root. */
DynoTopologyNode *dyno_topology_node_new_from_topology (DynoTopology *topology);
DynoTopologyNode *dyno_topology_node_ref (DynoTopologyNode *self);
void dyno_topology_node_unref (DynoTopologyNode *self);
/* Returns a description of the picture: the number of objects of each kind. The caller owns it. */
char *dyno_topology_node_describe (const DynoTopologyNode *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTopologyNode, dyno_topology_node_unref)

G_END_DECLS
