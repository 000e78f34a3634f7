/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_NODE_GRID (dyno_node_grid_get_type ())

/**
 * DynoNodeGrid:
 *
 * The status of each case on each node: a row per case and a column per node, or the reverse if there are
 * more nodes than cases.
 *
 * Signal `activated (DynoRun *run, DynoResult *result)`: the user asks for the details of a case.
 */
G_DECLARE_FINAL_TYPE (DynoNodeGrid, dyno_node_grid, DYNO, NODE_GRID, AdwBin)

/**
 * DynoGridNode:
 * @name: a node
 * @state: (nullable): the status of its task, in a word
 * @reason: (nullable): the reason of that status
 * @run: (nullable): its run
 * @cases: (nullable): the numbers of its cases in the plan, NULL for all
 *
 * A node. All fields are borrowed.
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
/* Shows the nodes. Unchanged cells are kept, so that focus and scroll position stay. @nodes holds
 * DynoGridNode. */
void dyno_node_grid_show (DynoNodeGrid *self, GPtrArray *labels, GArray *nodes);

G_END_DECLS
