/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_NODE_GRID (dyno_node_grid_get_type ())

/**
 * DynoNodeGrid:
 *
 * Cases by node, and how each stands there: a row for each case and a column for each node, or the other way round where
 * there are more nodes than cases.
 *
 * Signal `activated (DynoRun *run, DynoResult *result)`: somebody wants to see more of a case.
 */
G_DECLARE_FINAL_TYPE (DynoNodeGrid, dyno_node_grid, DYNO, NODE_GRID, AdwBin)

/**
 * DynoGridNode:
 * @name: a node
 * @state: (nullable): how its task stands, in a word
 * @reason: (nullable): why
 * @run: (nullable): what it has measured
 * @cases: (nullable): the numbers of its cases in the plan, %NULL for all
 *
 * A node. All is borrowed.
 */
typedef struct
{
  const char *name;
  const char *state;
  const char *reason;
  DynoRun *run;
  const char *const *cases;
} DynoGridNode;

GtkWidget *dyno_node_grid_new (void);
/* Shows how they stand. What stays the same is not touched, so that focus and scrolling stay. @nodes holds
 * DynoGridNode. */
void dyno_node_grid_show (DynoNodeGrid *self, GPtrArray *labels, GArray *nodes);

G_END_DECLS
