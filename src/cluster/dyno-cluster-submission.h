/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-driver.h"

G_BEGIN_DECLS

/* Returns the nodes that would accept a task, at least one. Elements are DynoClusterNode. The caller owns
 * it. @answers: gets the scheduler's answer for each node. */
GPtrArray *
dyno_cluster_submission_choose_nodes (const DynoClusterOptions *options, GPtrArray *answers, GError **error);
/* Asks Dyno on each node, or on one of each kind, before anything is submitted, if the driver can, and
 * divides the cases among the nodes, if that is wanted. Returns whether any node is left. @nodes: the nodes
 * that would accept a task; those that can measure nothing or get no case are removed. */
gboolean dyno_cluster_submission_check_plan (
    const DynoClusterOptions *options, DynoPlan *plan, GPtrArray *nodes, GPtrArray *answers, GError **error);
/* Submits one task for each node to the driver; if it refuses one, none remains. Returns the submission.
 * The caller owns it. @nodes holds DynoClusterNode, as dyno_cluster_submission_check_plan() left them. */
DynoClusterJob *dyno_cluster_submission_submit (const DynoClusterOptions *options,
                                                DynoPlan *plan,
                                                GPtrArray *nodes,
                                                GError **error);
/* Updates the state of its tasks. A task that waits for a node that is gone moves to another one, if any
 * node will do and the task has no results. Returns whether the state is known. */
gboolean dyno_cluster_submission_poll (DynoClusterJob *job, GError **error);
/* Records that all of its tasks are over, so that it is not polled again as an active submission. @job: a
 * submission that was just polled, and whose results are stored. */
void dyno_cluster_submission_close (DynoClusterJob *job);
/* Stops the tasks that are not over. Their results so far are kept. `is_stopped` marks the tasks that were
 * stopped, and `reason` says why others could not be. Returns whether all of them were stopped. */
gboolean dyno_cluster_submission_cancel (DynoClusterJob *job, GError **error);

G_END_DECLS
