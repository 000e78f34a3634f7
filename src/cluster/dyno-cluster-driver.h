/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-job.h"

G_BEGIN_DECLS

/**
 * DynoClusterOptions:
 * @target: the target: a driver's name, and after a colon its argument
 * @program: the path of `dyno-cli`, which the nodes can also see
 * @nodes: (nullable): `each`, a number, or names separated by commas; NULL for `each`
 * @constraint: (nullable): features that the scheduler demands
 * @gres: (nullable): devices that the scheduler demands
 * @time: (nullable): the time limit, as the scheduler writes it
 * @account: (nullable): the account to charge
 * @qos: (nullable): the quality of service, a name that the site gives
 * @reservation: (nullable): the reservation whose nodes are used
 * @nice: (nullable): by how much the tasks stand back, a whole number
 * @begin: (nullable): the earliest start, as the scheduler writes it
 * @priority: (nullable): the place in the queue, a whole number above 0
 * @stages: whether programs and engines are copied to the nodes, which then need not have @program
 * @stage: (nullable): the name of the copy, see dyno_cluster_options_name_stage()
 * @divides: whether the nodes divide the cases, instead of each measuring all of them
 * @shares_nodes: whether other jobs may run on the nodes at the same time
 *
 * The options of a submission.
 */
typedef struct
{
  char *target;
  char *program;
  char *nodes;
  char *constraint;
  char *gres;
  char *time;
  char *account;
  char *qos;
  char *reservation;
  char *nice;
  char *begin;
  char *priority;
  char *stage;
  gboolean stages;
  gboolean divides;
  gboolean shares_nodes;
} DynoClusterOptions;

/**
 * DynoClusterNode:
 * @name: its name
 * @hardware: (nullable): its hardware; equal nodes have equal lines
 * @partitions: (nullable): the partitions of the cluster that it belongs to
 * @is_busy: whether it runs other tasks now
 * @free_in: until it can begin, in seconds; 0 if unknown
 * @seconds: (nullable) (element-type double): how long each case of the plan takes there, NAN if it cannot be measured;
 *   NULL if the node was not asked
 * @cases: (nullable) (element-type guint): the ordinals of its cases, if the nodes divide them
 * @done_in: until these are measured, in seconds
 *
 * A machine that may run a task.
 */
typedef struct
{
  char *name;
  char *hardware;
  char *partitions;
  gboolean is_busy;
  double free_in;
  GArray *seconds;
  GArray *cases;
  double done_in;
} DynoClusterNode;

/**
 * DynoClusterDriver:
 * @name: the first word of a target
 * @label: its name for people
 * @takes: (nullable): the argument after the colon
 * @takes_label: (nullable): the name of that argument for people
 * @missing: (nullable): asks people for the argument, where there is no default
 * @has_scheduler: whether constraints, devices, time, accounts and places in a queue have a meaning
 * @time_label: (nullable): asks people for the time limit of a task, as the scheduler writes it
 * @lacks: (nullable): names of options, without dashes, that mean nothing to it
 * @describe: (nullable): returns the command that submits each task, for people
 * @list_nodes: lists the machines that may run tasks
 * @test: (nullable): whether a node would accept a task, with the scheduler's words in @answer, and until when it would
 *   wait in @free_in, in seconds
 * @ask: (nullable): asks Dyno on a node about a plan without running it; returns JSON, or G_IO_ERROR_BUSY if it
 *   cannot be asked now
 * @submit: starts or queues every task that has no handle, and sets its handle
 * @poll: sets the state and the reason of every task that is not done, and handles that were not saved
 * @move: (nullable): lets a waiting task go to the node that it now names
 * @cancel: stops every task that is not over, marks those that were stopped, and sets the reason of the others
 *
 * Brings tasks to other machines. All functions wait for commands, so they are for threads or programs without a
 * window.
 */
typedef struct
{
  const char *name;
  const char *label;
  const char *takes;
  const char *takes_label;
  const char *missing;
  gboolean has_scheduler;
  const char *time_label;
  const char *const *lacks;
  char *(*describe) (const DynoClusterOptions *options);
  GPtrArray *(*list_nodes) (const DynoClusterOptions *options, GError **error);
  gboolean (*test) (
      const DynoClusterOptions *options, const char *node, char **answer, double *free_in, GError **error);
  char *(*ask) (const DynoClusterOptions *options, const char *node, const char *plan, GError **error);
  gboolean (*submit) (DynoClusterJob *job, const DynoClusterOptions *options, GError **error);
  gboolean (*poll) (DynoClusterJob *job, GError **error);
  gboolean (*move) (DynoClusterJob *job, guint number, GError **error);
  gboolean (*cancel) (DynoClusterJob *job, GError **error);
} DynoClusterDriver;

/* Returns a node. @hardware may be NULL. */
DynoClusterNode *dyno_cluster_node_new (const char *name, const char *hardware);
void dyno_cluster_node_free (DynoClusterNode *self);

/* dyno-case-division */

/* Divides the cases, and sets `cases` and `done_in` of each node. All cases of a device go to nodes with equal hardware: to
 * those that can measure the most of them, and among these to those that are done first. There each case, the longest
 * first, goes to the node that is free first. @cases holds DynoCase. @nodes holds DynoClusterNode. */
void dyno_case_division_make (GPtrArray *cases, GPtrArray *nodes);

/* Returns all drivers. */
const DynoClusterDriver *const *dyno_cluster_driver_list (void);
/* Returns the driver. */
const DynoClusterDriver *dyno_cluster_driver_find (const char *target, GError **error);
/* Returns all targets with commas between them, such as “local, slurm:PARTITION”. The caller owns it. */
char *dyno_cluster_driver_list_targets (void);
/* Returns the argument after the driver's name; NULL if there is none. */
const char *dyno_cluster_driver_get_argument (const char *target);
/* Returns its name for people. */
char *dyno_cluster_driver_dup_label (const char *target);

/* Returns a shell command for the node that reads a plan and prints which of its cases would be measured.
 * The caller owns it. @program: `dyno-cli` on a node, as a shell writes it. */
char *dyno_cluster_driver_write_question (const char *program);
/* Returns @answer, if there is one. The caller owns it. Takes @answer. @answer may be NULL. @messages may
 * be NULL. @error: already set if there is no answer. */
char *dyno_cluster_driver_check_answer (char *answer, const char *messages, GError **error);

/* Reads everything that is to be copied, which takes a moment. Returns whether `stage` names the copy, if
 * anything is to be copied. */
gboolean dyno_cluster_options_name_stage (DynoClusterOptions *self, GError **error);
/* Returns whether anything is set that only a scheduler understands. */
gboolean dyno_cluster_options_need_scheduler (const DynoClusterOptions *self);
void dyno_cluster_options_clear (DynoClusterOptions *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoClusterOptions, dyno_cluster_options_clear)

G_END_DECLS
