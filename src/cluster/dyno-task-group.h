/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-job.h"

G_BEGIN_DECLS

/**
 * DynoTaskGroup:
 * @state: how its tasks stand
 * @reason: (nullable): why
 * @nodes: (element-type utf8): where they are
 *
 * Tasks of which the same can be said, so that a hundred nodes that wait are one line.
 */
typedef struct
{
  DynoTaskState state;
  char *reason;
  GPtrArray *nodes;
} DynoTaskGroup;

/* Returns none yet. Elements are DynoTaskGroup. */
GPtrArray *dyno_task_groups_new (void);
/* Puts a task to those of which the same can be said. @groups holds DynoTaskGroup. */
void dyno_task_groups_add (GPtrArray *groups, const DynoClusterTask *task);
/* Returns the names of its nodes as Slurm writes lists of them, such as “node[001-004,007], login”. */
char *dyno_task_group_dup_nodes (const DynoTaskGroup *self);

G_END_DECLS
