/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-driver.h"
#include "dyno-cluster-progress.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CLUSTER_FOLLOWER (dyno_cluster_follower_get_type ())

/**
 * DynoClusterFollower:
 *
 * Follows the active submissions: it polls them from time to time, and stores their results. It belongs to
 * the main thread, and waits for commands in others.
 *
 * Property, read-write: `watched` (boolean: whether the user is watching, so that it polls more often).
 *
 * Signal `polled`: all of them were polled again, also if there are none.
 *
 * Signal `lost (DynoClusterProgress *progress, guint number)`: nothing is known any more of this task, which was known before.
 *
 * Signal `ended (DynoClusterProgress *progress)`: no task of a followed submission is active any more.
 */
G_DECLARE_FINAL_TYPE (DynoClusterFollower, dyno_cluster_follower, DYNO, CLUSTER_FOLLOWER, GObject)

/* Returns a follower that starts to look for active submissions. @store may be NULL. */
DynoClusterFollower *dyno_cluster_follower_new (DynoStore *store);

/* Returns a list of DynoClusterProgress, the newest first; those that have ended stay until
 * dyno_cluster_follower_leave(). */
GListModel *dyno_cluster_follower_get_model (DynoClusterFollower *self);
/* Returns the progress of the submission; NULL if there is none. The caller owns it. */
DynoClusterProgress *dyno_cluster_follower_find (DynoClusterFollower *self, const char *id);
void dyno_cluster_follower_set_watched (DynoClusterFollower *self, gboolean watched);
/* Polls now. */
void dyno_cluster_follower_poll (DynoClusterFollower *self);
/* Stops its tasks. Their results so far are kept. */
void dyno_cluster_follower_cancel (DynoClusterFollower *self, const char *id);
/* Stops following it. */
void dyno_cluster_follower_leave (DynoClusterFollower *self, const char *id);

/* Asks the nodes, submits the plan to those that can measure any of it, and follows it. @options: the
 * options; empty afterwards. @cancellable (nullable): a cancellable, which has an effect until the tasks
 * are submitted. */
void dyno_cluster_follower_submit_async (DynoClusterFollower *self,
                                         DynoClusterOptions *options,
                                         DynoPlan *plan,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
/* Returns the id of the submission. @error: includes the nodes' answers. */
char *dyno_cluster_follower_submit_finish (DynoClusterFollower *self, GAsyncResult *result, GError **error);

G_END_DECLS
