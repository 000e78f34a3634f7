/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-private.h"
#include "dyno-plan.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/**
 * DynoClusterTask:
 * @node: its node
 * @hardware: (nullable): the hardware that its cases were given to, if the nodes divide them
 * @cases: (nullable): the numbers of its cases in the plan, NULL for all
 * @handle: the driver's handle: a job of the scheduler, or a process
 * @state: its state, as far as known
 * @reason: (nullable): the reason of the state
 * @is_stopped: whether it was told to stop
 * @lacks_node: whether it waits for a node that does not exist
 *
 * A plan, or a share of it, on one node.
 */
typedef struct
{
  char *node;
  char *hardware;
  char **cases;
  gint64 handle;
  DynoTaskState state;
  char *reason;
  gboolean is_stopped;
  gboolean lacks_node;
} DynoClusterTask;

/**
 * DynoClusterJob:
 * @folder: its folder, which its nodes share
 * @id: its UUID, which is the group of its runs
 * @target: its target: a driver, and the driver's argument
 * @plan: the plan, JSON
 * @shares_nodes: whether other jobs may run on the nodes at the same time
 * @takes_any_node: whether the user asked for a number of nodes, not for certain ones
 * @is_over: whether all of its tasks have ended, and their results are stored
 * @tasks: (element-type DynoClusterTask): one for each node
 *
 * A submission: `job.json`, written by the submitter, and `tasks/`, in which each task writes its own document,
 * `NUMBER-rRESTART.dyno.part`. The document is complete at any time, and is renamed to `.dyno` when no case is left.
 */
typedef struct
{
  char *folder;
  char *id;
  char *target;
  char *plan;
  gboolean shares_nodes;
  gboolean takes_any_node;
  gboolean is_over;
  GPtrArray *tasks;
} DynoClusterJob;

/* Returns a submission in its own folder, which no driver has yet, and without tasks. */
DynoClusterJob *dyno_cluster_job_new (DynoPlan *plan, const char *target);
/* Adds a task. @cases (nullable): the ordinals of its cases in the plan; NULL for all. @cases holds guint. @hardware may be
 * NULL. */
void dyno_cluster_job_add_task (DynoClusterJob *self, const char *node, const char *hardware, GArray *cases);
/* Returns the submission. */
DynoClusterJob *dyno_cluster_job_load (const char *folder, GError **error);
/* Returns the submissions of this user. Elements are DynoClusterJob. */
GPtrArray *dyno_cluster_job_list (void);
/* Returns the only submission of this user whose id has this prefix. The caller owns it. */
DynoClusterJob *dyno_cluster_job_resolve (const char *prefix, GError **error);
void dyno_cluster_job_free (DynoClusterJob *self);
/* Returns the content of `job.json`. The caller owns it. */
char *dyno_cluster_job_to_json (DynoClusterJob *self);
/* Returns whether @self was saved in its folder. */
gboolean dyno_cluster_job_save (DynoClusterJob *self, GError **error);
/* Removes its folder. */
void dyno_cluster_job_delete (DynoClusterJob *self);

/* Returns the path of a file of the task. */
char *dyno_cluster_job_build_path (DynoClusterJob *self, guint number, const char *suffix);
/* Returns a sentence with the place of the logs, if any task has failed; NULL otherwise. */
char *dyno_cluster_job_dup_logs (const DynoClusterJob *self);
/* Returns the path for the document of a start of the task. The caller owns it. A scheduler may start a
 * task again while it still runs elsewhere, so each start has its own file, which is created empty: two
 * simultaneous starts cannot choose the same. */
char *dyno_cluster_job_choose_document (DynoClusterJob *self, guint number, GError **error);
/* Returns a text that changes when the task has written more. */
char *dyno_cluster_job_dup_stamp (DynoClusterJob *self, guint number);
/* Returns whether it may still run: it waits, runs, or its state is unknown. */
gboolean dyno_cluster_task_is_open (const DynoClusterTask *self);
gboolean dyno_cluster_job_is_done (DynoClusterJob *self, guint number);
/* Returns the run of a task, from the documents of all of its starts: each case once, and only finished
 * cases. Its id is derived from the submission, the node and the number, so it is always the same. A
 * damaged document is left out. The caller owns it. Fails with DYNO_ERROR_NOT_FOUND while there is no
 * document. */
DynoRun *dyno_cluster_job_compose (DynoClusterJob *self, guint number, GError **error);
/* Returns a plan of the task's cases that no start has finished. Fails with DYNO_ERROR_NOT_FOUND if no case
 * is left. */
DynoPlan *dyno_cluster_job_build_plan (DynoClusterJob *self, guint number, GError **error);
/* Renames its last document if no case is left, which marks the task as done. Returns whether it is done.
 **/
gboolean dyno_cluster_job_finish_task (DynoClusterJob *self, guint number, GError **error);
/* Stores the finished results of the tasks. Doing so again changes nothing. A damaged document of one start
 * does not affect the task's other starts, nor other tasks. Returns whether everything was stored. @n_new:
 * grows by the number of runs that are new in the store, or have new cases. @error: the first of several.
 **/
gboolean dyno_cluster_job_fetch (DynoClusterJob *self, DynoStore *store, guint *n_new, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoClusterJob, dyno_cluster_job_free)

G_END_DECLS
