/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-topology-node.h"

G_BEGIN_DECLS

#define DYNO_TYPE_TOPOLOGY_VIEW (dyno_topology_view_get_type ())

/**
 * DynoTopologyView:
 *
 * Draws the parts of the machine as boxes in boxes, wrapped to the available width. Parts that this process
 * may not use are dimmed and struck through. Property `node` (DynoTopologyNode, the root,
 * nullable), read-write.
 *
 * # Accessibility
 *
 * It has the role `IMG` and its label counts the parts of each kind.
 */
G_DECLARE_FINAL_TYPE (DynoTopologyView, dyno_topology_view, DYNO, TOPOLOGY_VIEW, GtkWidget)

DynoTopologyNode *dyno_topology_view_get_node (DynoTopologyView *self);
/* @node may be NULL. */
void dyno_topology_view_set_node (DynoTopologyView *self, DynoTopologyNode *node);

G_END_DECLS
