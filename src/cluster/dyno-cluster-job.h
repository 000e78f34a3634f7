/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-plan.h"
#include "dyno-store.h"
#include "dyno-task-state.h"

G_BEGIN_DECLS

/**
 * DynoClusterTask:
 * @node: where it is to run
 * @cases: (nullable): the numbers of its cases in the plan, %NULL for all
 * @handle: what its driver knows it by: a job of the scheduler, or a process
 * @state: how it stands, as far as known
 * @reason: (nullable): why
 * @is_stopped: whether it was told to end
 * @lacks_node: whether it waits for a node that is not there
 *
 * A plan, or a share of it, on one node.
 */
typedef struct
{
  char *node;
  char **cases;
  gint64 handle;
  DynoTaskState state;
  char *reason;
  gboolean is_stopped;
  gboolean lacks_node;
} DynoClusterTask;

/**
 * DynoClusterJob:
 * @folder: where it is kept, which its nodes share
 * @id: its UUID, the group of its runs
 * @target: where it was sent: a driver, and what that needs to know
 * @plan: the plan, JSON
 * @shares_nodes: whether other jobs may run beside it
 * @takes_any_node: whether only so many nodes were asked for, whichever they are
 * @is_over: whether all of its tasks have come to an end, and what they measured is kept
 * @tasks: (element-type DynoClusterTask): one for each node
 *
 * A submission: `job.json`, written by who submits, and `tasks/`, in which each task writes a document of its own,
 * `NUMBER-rRESTART.dyno.part`, which is whole at any time, and renamed to `.dyno` when no case is left.
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

/* Returns a submission in a folder of its own, that no driver has yet. @shares: whether they share the
 * cases, instead of measuring each of them. */
DynoClusterJob *
dyno_cluster_job_new (DynoPlan *plan, const char *target, char **nodes, gboolean shares, GError **error);
/* Returns the submission. */
DynoClusterJob *dyno_cluster_job_load (const char *folder, GError **error);
/* Returns the submissions of this user. Elements are DynoClusterJob. */
GPtrArray *dyno_cluster_job_list (void);
/* Returns the only submission of this user whose id begins so. The caller owns it. */
DynoClusterJob *dyno_cluster_job_resolve (const char *prefix, GError **error);
void dyno_cluster_job_free (DynoClusterJob *self);
/* Returns whether its folder says what @self does. */
gboolean dyno_cluster_job_save (DynoClusterJob *self, GError **error);
/* Removes its folder. */
void dyno_cluster_job_delete (DynoClusterJob *self);

/* Returns the path of a file of the task. */
char *dyno_cluster_job_build_path (DynoClusterJob *self, guint number, const char *suffix);
/* Returns where to find the logs of its tasks, a sentence, if any of them has failed; NULL otherwise. */
char *dyno_cluster_job_dup_logs (const DynoClusterJob *self);
/* A scheduler may start a task again while it goes on elsewhere, so each start has a file of its own,
 * which is empty from now on until its first result: two starts at once cannot choose the same. Returns
 * where it is to write. The caller owns it. */
char *dyno_cluster_job_choose_document (DynoClusterJob *self, guint number, GError **error);
/* Returns a text that is another one once the task has written more. */
char *dyno_cluster_job_dup_stamp (DynoClusterJob *self, guint number);
/* Returns whether it may still go on: it waits, runs, or nobody can tell. */
gboolean dyno_cluster_task_is_open (const DynoClusterTask *self);
gboolean dyno_cluster_job_is_done (DynoClusterJob *self, guint number);
/* The run of a task, from the documents of all of its starts: each case once, and only those that are
 * over. Its id follows from the submission, the node and the number, so it is the same whenever and
 * wherever this is done. A damaged document is left out. Returns the run. The caller owns it. Fails with
 * DYNO_ERROR_NOT_FOUND while it has no document. */
DynoRun *dyno_cluster_job_compose (DynoClusterJob *self, guint number, GError **error);
/* Returns the cases of the task that none of its starts finished. Fails with DYNO_ERROR_NOT_FOUND where no
 * case is left. */
DynoPlan *dyno_cluster_job_build_plan (DynoClusterJob *self, guint number, GError **error);
/* Renames its last document if no case is left: that is the sign of it. Returns whether it is done. */
gboolean dyno_cluster_job_finish_task (DynoClusterJob *self, guint number, GError **error);
/* Takes over what the tasks have finished. Doing so again changes nothing. What one start of a task left
 * damaged does not keep its other starts, nor other tasks, from it. Returns whether all of it is there.
 * @n_new: grows by the number of runs that are new there, or have new cases. @error: the first of several. */
gboolean dyno_cluster_job_fetch (DynoClusterJob *self, DynoStore *store, guint *n_new, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoClusterJob, dyno_cluster_job_free)

G_END_DECLS
