/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-job.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CLUSTER_PROGRESS (dyno_cluster_progress_get_type ())

/**
 * DynoClusterProgress:
 *
 * How a submission stood when it was last looked at, with the runs that its tasks have come to by then. It never
 * changes, so any thread may read it; what comes later is another one.
 */
G_DECLARE_FINAL_TYPE (DynoClusterProgress, dyno_cluster_progress, DYNO, CLUSTER_PROGRESS, GObject)

DynoClusterProgress *
dyno_cluster_progress_new (DynoClusterJob *job, DynoClusterProgress *previous, const GError *error);

const char *dyno_cluster_progress_get_id (DynoClusterProgress *self);
const char *dyno_cluster_progress_get_title (DynoClusterProgress *self);
const char *dyno_cluster_progress_get_problem (DynoClusterProgress *self);
void dyno_cluster_progress_set_problem (DynoClusterProgress *self, const GError *error);
const DynoClusterJob *dyno_cluster_progress_get_job (DynoClusterProgress *self);
GPtrArray *dyno_cluster_progress_get_cases (DynoClusterProgress *self);
DynoRun *dyno_cluster_progress_get_run (DynoClusterProgress *self, guint number);
gboolean dyno_cluster_progress_is_open (DynoClusterProgress *self);
gboolean dyno_cluster_progress_is_active (DynoClusterProgress *self);
gboolean dyno_cluster_progress_equal (DynoClusterProgress *one, DynoClusterProgress *other);

G_END_DECLS
