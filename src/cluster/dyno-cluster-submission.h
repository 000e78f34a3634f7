/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-driver.h"

G_BEGIN_DECLS

/* Returns the nodes that would take a task, at least one. Elements are DynoClusterNode. The caller owns
 * it. @answers: what the scheduler says of each node is added here. */
GPtrArray *
dyno_cluster_submission_choose_nodes (const DynoClusterOptions *options, GPtrArray *answers, GError **error);
/* Asks Dyno on each node, or on one of each kind, where its driver can, before anything is submitted.
 * Returns whether any node is left. @nodes: those that would take a task; where nothing can be measured is
 * left out. */
gboolean dyno_cluster_submission_check_plan (
    const DynoClusterOptions *options, DynoPlan *plan, GPtrArray *nodes, GPtrArray *answers, GError **error);
/* Hands one task for each node to the driver; if it refuses one, none is left there. Returns the
 * submission. The caller owns it. @nodes holds DynoClusterNode. */
DynoClusterJob *dyno_cluster_submission_submit (const DynoClusterOptions *options,
                                                DynoPlan *plan,
                                                GPtrArray *nodes,
                                                GError **error);
/* Finds out how its tasks stand. A task that waits for a node which is gone moves to another one, if it
 * does not matter which, and has measured nothing yet. Returns whether that is known. */
gboolean dyno_cluster_submission_poll (DynoClusterJob *job, GError **error);
/* Remembers whether all of its tasks are over, so that whoever looks for what is under way need not ask
 * about it again. @job: a submission that was just asked about, and whose results are kept. */
void dyno_cluster_submission_close (DynoClusterJob *job);
/* Ends the tasks that are not over. What they have finished is kept. `is_stopped` says which were told,
 * and `reason` why others could not be. Returns whether all of them were told. */
gboolean dyno_cluster_submission_cancel (DynoClusterJob *job, GError **error);

G_END_DECLS
