/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-driver.h"
#include "dyno-cluster-progress.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CLUSTER_FOLLOWER (dyno_cluster_follower_get_type ())

/**
 * DynoClusterFollower:
 *
 * The submissions that are under way: it asks about them from time to time, and takes what they finish into a store. It
 * belongs to the main thread, and waits for commands in others.
 *
 * Property, read-write: `watched` (boolean: whether somebody looks, so that it asks more often).
 *
 * Signal `polled`: all of them were asked about once more.
 *
 * Signal `ended (DynoClusterProgress *progress)`: no task of a submission that was followed goes on any more.
 */
G_DECLARE_FINAL_TYPE (DynoClusterFollower, dyno_cluster_follower, DYNO, CLUSTER_FOLLOWER, GObject)

/* Returns a follower that is looking for what is under way. @store may be NULL. */
DynoClusterFollower *dyno_cluster_follower_new (DynoStore *store);

/* Returns a list of DynoClusterProgress, the newest first; those that have ended stay until they are left. */
GListModel *dyno_cluster_follower_get_model (DynoClusterFollower *self);
/* Returns how it stands; NULL if there is none. The caller owns it. */
DynoClusterProgress *dyno_cluster_follower_find (DynoClusterFollower *self, const char *id);
void dyno_cluster_follower_set_watched (DynoClusterFollower *self, gboolean watched);
/* Asks now. */
void dyno_cluster_follower_poll (DynoClusterFollower *self);
/* Tells its tasks to end. What they have finished is kept. */
void dyno_cluster_follower_cancel (DynoClusterFollower *self, const char *id);
/* Follows it no longer. */
void dyno_cluster_follower_leave (DynoClusterFollower *self, const char *id);

/* Asks the nodes, hands the plan over to those that can measure any of it, and follows it. @options: what
 * to ask for; it is empty afterwards. @cancellable (nullable): a cancellable, which helps until the tasks
 * are handed over. */
void dyno_cluster_follower_submit_async (DynoClusterFollower *self,
                                         DynoClusterOptions *options,
                                         DynoPlan *plan,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
/* Returns the id of the submission. @error: with what the nodes answered. */
char *dyno_cluster_follower_submit_finish (DynoClusterFollower *self, GAsyncResult *result, GError **error);

G_END_DECLS
