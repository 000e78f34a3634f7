/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-job.h"

G_BEGIN_DECLS

/**
 * DynoClusterOptions:
 * @target: where: a driver's name, and after a colon what it takes
 * @program: the path of `dyno-cli`, which the nodes see too
 * @nodes: (nullable): `each`, a number, or names with commas; %NULL for each
 * @constraint: (nullable): features that the scheduler demands
 * @gres: (nullable): devices that the scheduler demands
 * @time: (nullable): the time limit, as the scheduler writes it
 * @account: (nullable): who pays
 * @stages: whether programs and engines are copied to the nodes, which need not have @program then
 * @stage: (nullable): the name of that, see [func@Dyno.cluster_options_name_stage]
 * @divides: whether equal nodes divide the cases, instead of measuring each of them
 * @shares_nodes: whether other jobs may run beside it
 *
 * What a submission asks for.
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
  char *stage;
  gboolean stages;
  gboolean divides;
  gboolean shares_nodes;
} DynoClusterOptions;

/**
 * DynoClusterNode:
 * @name: its name
 * @hardware: (nullable): what it is; equal nodes have equal lines
 * @partitions: (nullable): to which parts of the cluster it belongs
 *
 * A machine that may take a task.
 */
typedef struct
{
  char *name;
  char *hardware;
  char *partitions;
} DynoClusterNode;

/**
 * DynoClusterDriver:
 * @name: the first word of a target
 * @label: what people call it
 * @takes: (nullable): what follows it after a colon
 * @takes_label: (nullable): what people call that
 * @has_scheduler: whether constraints, devices, time and accounts mean something
 * @list_nodes: the machines that may take tasks
 * @test: (nullable): whether a node would take a task, with @answer in the scheduler's words
 * @ask: (nullable): what Dyno on a node says of a plan that it is not to run yet, JSON; %G_IO_ERROR_BUSY where it cannot
 *   be asked now
 * @submit: starts or queues every task that has no handle, and sets that
 * @poll: sets the state and the reason of every task that is not done, and handles that were not kept
 * @move: (nullable): lets a task that waits go to the node that it names now
 * @cancel: tells every task that is not over to end, marks those that were told, and says why of the others
 *
 * How tasks get to other machines. All of it waits for commands, so it is for threads or programs without a window.
 */
typedef struct
{
  const char *name;
  const char *label;
  const char *takes;
  const char *takes_label;
  gboolean has_scheduler;
  GPtrArray *(*list_nodes) (const DynoClusterOptions *options, GError **error);
  gboolean (*test) (const DynoClusterOptions *options, const char *node, char **answer, GError **error);
  char *(*ask) (const DynoClusterOptions *options, const char *node, const char *plan, GError **error);
  gboolean (*submit) (DynoClusterJob *job, const DynoClusterOptions *options, GError **error);
  gboolean (*poll) (DynoClusterJob *job, GError **error);
  gboolean (*move) (DynoClusterJob *job, guint number, GError **error);
  gboolean (*cancel) (DynoClusterJob *job, GError **error);
} DynoClusterDriver;

extern const DynoClusterDriver dyno_local_driver;
extern const DynoClusterDriver dyno_slurm_driver;
extern const DynoClusterDriver dyno_ssh_driver;

/* Returns a node. @hardware may be NULL. */
DynoClusterNode *dyno_cluster_node_new (const char *name, const char *hardware);
void dyno_cluster_node_free (DynoClusterNode *self);

/* Returns all drivers. */
const DynoClusterDriver *const *dyno_cluster_driver_list (void);
/* Returns the driver. */
const DynoClusterDriver *dyno_cluster_driver_find (const char *target, GError **error);
/* Returns what follows the driver's name in it; NULL if there is none. */
const char *dyno_cluster_driver_get_argument (const char *target);
/* Returns what people call it. */
char *dyno_cluster_driver_dup_label (const char *target);

/* Returns what a shell there runs to say which cases of the plan that it reads would be measured. The
 * caller owns it. @program: `dyno-cli` on a node, as a shell writes it. */
char *dyno_cluster_driver_write_question (const char *program);
/* Returns @answer, if there is one. The caller owns it. Takes @answer. @answer may be NULL. @messages may
 * be NULL. @error: set already where there is no answer. */
char *dyno_cluster_driver_check_answer (char *answer, const char *messages, GError **error);

/* Reads all that is to be copied, which takes a moment. Returns whether `stage` says what that is, where
 * anything is. */
gboolean dyno_cluster_options_name_stage (DynoClusterOptions *self, GError **error);
void dyno_cluster_options_clear (DynoClusterOptions *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoClusterOptions, dyno_cluster_options_clear)

G_END_DECLS
