/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-task-state.h"

G_BEGIN_DECLS

/**
 * DynoSlurmTask:
 * @job: the number of the array
 * @index: its number in the array, -1 for a job that is not an array
 * @state: its state
 * @reason: (nullable): why it waits or failed
 * @node: (nullable): the node where it runs, or ran
 * @restarts: the number of times that it was requeued
 * @comment: (nullable): the submitter's comment
 *
 * An element of an array of Slurm. Only the pair of @job and @index identifies it permanently: its own number does
 * not.
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
 * @state: its state in Slurm's words, such as `IDLE` or `DOWN*`
 * @partitions: (nullable): its partitions, separated by commas
 * @features: (nullable): the features that the site gives it, separated by commas
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
/* Returns all jobs in the text. Elements are DynoSlurmTask. The caller owns it. @text: the output of
 * `squeue --json` or `sacct --json` of Slurm 22.05 or newer. @length: its length, -1 if it ends with a zero
 * byte. */
GPtrArray *dyno_slurm_reader_read_tasks (const char *text, gssize length, GError **error);
/* Returns the nodes. Elements are DynoSlurmNode. The caller owns it. @text: the output of `scontrol show
 * node -o`, which every release supports. */
GPtrArray *dyno_slurm_reader_read_nodes (const char *text);
/* Returns the number of the job, 0 if there is none. @text: the output of `sbatch --parsable`: the job's
 * number, perhaps with the cluster's name. */
gint64 dyno_slurm_reader_read_submission (const char *text);
/* Returns whether it accepts jobs, now or when its current jobs are over. @partition: the requested
 * partition, NULL for any. */
gboolean dyno_slurm_node_is_usable (const DynoSlurmNode *self, const char *partition);

G_END_DECLS
