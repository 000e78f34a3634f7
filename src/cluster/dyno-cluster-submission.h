/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-driver.h"

G_BEGIN_DECLS

/* Returns the nodes that would take a task, at least one. Elements are DynoClusterNode. The caller owns
 * it. @answers: what the scheduler says of each node is added here. */
GPtrArray *
dyno_cluster_submission_choose_nodes (const DynoClusterOptions *options, GPtrArray *answers, GError **error);
gboolean dyno_cluster_submission_check_plan (
    const DynoClusterOptions *options, DynoPlan *plan, GPtrArray *nodes, GPtrArray *answers, GError **error);
DynoClusterJob *dyno_cluster_submission_submit (const DynoClusterOptions *options,
                                                DynoPlan *plan,
                                                GPtrArray *nodes,
                                                GError **error);
gboolean dyno_cluster_submission_poll (DynoClusterJob *job, GError **error);
void dyno_cluster_submission_close (DynoClusterJob *job);
gboolean dyno_cluster_submission_cancel (DynoClusterJob *job, GError **error);

G_END_DECLS
