/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-task-state.h"

G_BEGIN_DECLS

/**
 * DynoSlurmTask:
 * @job: the number of the array
 * @index: its number in the array, -1 for a job that is none
 * @state: how it stands
 * @reason: (nullable): why it waits or failed
 * @node: (nullable): where it runs, or ran
 * @restarts: how often it was put back
 * @comment: (nullable): what whoever submitted it wrote beside it
 *
 * An element of an array of Slurm. The pair of @job and @index alone names it for good: its own number does not.
 */
typedef struct
{
  gint64 job;
  gint64 index;
  DynoTaskState state;
  char *reason;
  char *node;
  gint64 restarts;
  char *comment;
} DynoSlurmTask;

/**
 * DynoSlurmNode:
 * @name: its name
 * @state: as Slurm says it, such as `IDLE` or `DOWN*`
 * @partitions: (nullable): in which it is, with commas
 * @features: (nullable): what the site says of it, with commas
 * @hardware: processor, memory and devices in one line; equal nodes have equal lines
 *
 * A node of a cluster.
 */
typedef struct
{
  char *name;
  char *state;
  char *partitions;
  char *features;
  char *hardware;
} DynoSlurmNode;

void dyno_slurm_task_free (DynoSlurmTask *self);
/* Returns all of its jobs. Elements are DynoSlurmTask. The caller owns it. @text: what `squeue --json` or
 * `sacct --json` of Slurm 22.05 or newer prints. @length: its length, -1 where it ends with a zero byte. */
GPtrArray *dyno_slurm_reader_read_tasks (const char *text, gssize length, GError **error);
/* Returns the nodes. Elements are DynoSlurmNode. The caller owns it. @text: what `scontrol show node -o`
 * prints, which every release knows. */
GPtrArray *dyno_slurm_reader_read_nodes (const char *text);
/* Returns the number, 0 if there is none. @text: what `sbatch --parsable` prints: the job's number,
 * perhaps with the cluster's name. */
gint64 dyno_slurm_reader_read_submission (const char *text);
/* Returns whether it may take jobs, now or when those that it has are over. @partition: where it is to be,
 * NULL for anywhere. */
gboolean dyno_slurm_node_is_usable (const DynoSlurmNode *self, const char *partition);

G_END_DECLS
