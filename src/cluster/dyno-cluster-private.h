/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-command.h"

G_BEGIN_DECLS

/* dyno-cluster-command */

/* For a scheduler, and for a shell on another machine. */
extern const DynoCommandLimits dyno_cluster_command_usual;
/* For Dyno on another machine, which prints nothing while it probes its engines, and for results that are
 * fetched. */
extern const DynoCommandLimits dyno_cluster_command_patient;
/* For programs and engines that are copied; “ssh” itself notices a lost connection. */
extern const DynoCommandLimits dyno_cluster_command_copying;

/* Runs a command to its end. Cancelling the current GCancellable of the thread stops it. Returns its
 * output. The caller owns it. @words: a command, found in `PATH`, and its arguments. @input (nullable): its
 * input. @messages may be NULL. @error: includes the command's own message if it fails. */
char *dyno_cluster_command_run (const char *const *words,
                                const char *input,
                                const DynoCommandLimits *limits,
                                char **messages,
                                GError **error);
/* Starts a command that continues after this process and its terminal have ended. Returns whether it runs.
 **/
gboolean
dyno_cluster_command_spawn (const char *const *words, const char *log, gint64 *process, GError **error);

/* dyno-cluster-stage */

/* Returns a name for the copy of Dyno with its libraries and engines, which differs for every build and set
 * of engines. The caller owns it. @program: the path of `dyno-cli`. */
char *dyno_cluster_stage_name (const char *program, GError **error);
/* Returns whether programs of this machine can run on the node. */
gboolean dyno_cluster_stage_check_machine (const char *node, const char *machine, GError **error);
/* Returns a shell command for this machine that writes the programs and the engines as one archive. The
 * caller owns it. @program: the path of `dyno-cli`. */
char *dyno_cluster_stage_write_pack (const char *program);
/* Returns a shell command for the other machine that unpacks the archive, unless that was done before. The
 * caller owns it. The program `dyno` in it starts Dyno so that it finds the others. @program: the path of
 * `dyno-cli` here. */
char *dyno_cluster_stage_write_unpack (const char *folder, const char *program);

/* dyno-task-state */

/**
 * DynoTaskState:
 * @DYNO_TASK_WAITING: not begun, or about to begin again
 * @DYNO_TASK_RUNNING: running
 * @DYNO_TASK_ENDED: ended, according to the scheduler; only its document shows whether it is done
 * @DYNO_TASK_DONE: its document has every case
 * @DYNO_TASK_FAILED: ended with unfinished cases
 * @DYNO_TASK_STOPPED: cancelled
 * @DYNO_TASK_LOST: unknown to its driver, or the driver gives no answer
 *
 * The state of a task on another machine.
 */
typedef enum
{
  DYNO_TASK_WAITING,
  DYNO_TASK_RUNNING,
  DYNO_TASK_ENDED,
  DYNO_TASK_DONE,
  DYNO_TASK_FAILED,
  DYNO_TASK_STOPPED,
  DYNO_TASK_LOST,
} DynoTaskState;

/* Returns the state of the task; an unknown word is from a newer Slurm and counts as waiting. @word: a
 * state as Slurm names it, or a text such as “CANCELLED by 0”. @why (nullable): an explanation, if the
 * state needs one. */
DynoTaskState dyno_task_state_from_slurm (const char *word, const char **why);
/* Returns a sentence, or the name itself if it is clear enough or unknown. The caller owns it. */
char *dyno_task_state_explain_slurm (const char *reason);
/* Returns its stable name, for programs. */
const char *dyno_task_state_to_string (DynoTaskState state);
/* Returns its name for people, one word. */
const char *dyno_task_state_get_label (DynoTaskState state);

/* dyno-slurm-reader */

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
/* Returns when the task would start, in µs since 1970; 0 if the text does not say it. @text: the message of
 * `sbatch --test-only`, with a local time. */
gint64 dyno_slurm_reader_read_start (const char *text);
/* Returns whether it accepts jobs, now or when its current jobs are over. @partition: the requested
 * partition, NULL for any. */
gboolean dyno_slurm_node_is_usable (const DynoSlurmNode *self, const char *partition);

G_END_DECLS
