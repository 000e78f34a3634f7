/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-job.h"

G_BEGIN_DECLS

/**
 * DynoTaskGroup:
 * @state: the state of its tasks
 * @reason: (nullable): the reason of the state
 * @nodes: (element-type utf8): the nodes of its tasks
 *
 * Tasks with the same state and reason, so that a hundred waiting nodes are one line.
 */
typedef struct
{
  DynoTaskState state;
  char *reason;
  GPtrArray *nodes;
} DynoTaskGroup;

/* Returns an empty list of groups. Elements are DynoTaskGroup. */
GPtrArray *dyno_task_groups_new (void);
/* Adds a task to the group with its state and reason. @groups holds DynoTaskGroup. */
void dyno_task_groups_add (GPtrArray *groups, const DynoClusterTask *task);
/* Returns the names of its nodes in Slurm's list notation, such as “node[001-004,007], login”. */
char *dyno_task_group_dup_nodes (const DynoTaskGroup *self);

G_END_DECLS
