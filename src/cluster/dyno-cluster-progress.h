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

/* Reads what the tasks have written since, so it is for threads. Returns how it stands. Takes @job.
 * @previous may be NULL. @error: why nobody could tell. */
DynoClusterProgress *
dyno_cluster_progress_new (DynoClusterJob *job, DynoClusterProgress *previous, const GError *error);

const char *dyno_cluster_progress_get_id (DynoClusterProgress *self);
/* Returns what its runs are called; NULL if there is none. */
const char *dyno_cluster_progress_get_title (DynoClusterProgress *self);
/* Returns why nobody could say how the tasks stand, which are as they were before then, or why what they
 * measured could not be kept; NULL if there is none. */
const char *dyno_cluster_progress_get_problem (DynoClusterProgress *self);
/* @error: why what was measured could not be kept. */
void dyno_cluster_progress_set_problem (DynoClusterProgress *self, const GError *error);
const DynoClusterJob *dyno_cluster_progress_get_job (DynoClusterProgress *self);
/* Returns the cases of the plan. Elements are DynoCase. */
GPtrArray *dyno_cluster_progress_get_cases (DynoClusterProgress *self);
/* Returns what it has measured, with the place of each case in the plan, or in its share of it, for an
 * ordinal; NULL if there is none. */
DynoRun *dyno_cluster_progress_get_run (DynoClusterProgress *self, guint number);
/* Returns whether any task may still go on. */
gboolean dyno_cluster_progress_is_open (DynoClusterProgress *self);
/* Returns whether any task is known to wait or to run. */
gboolean dyno_cluster_progress_is_active (DynoClusterProgress *self);
/* Returns whether both say the same. */
gboolean dyno_cluster_progress_equal (DynoClusterProgress *one, DynoClusterProgress *other);

G_END_DECLS
