/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-job.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CLUSTER_PROGRESS (dyno_cluster_progress_get_type ())

/**
 * DynoClusterProgress:
 *
 * A snapshot of a submission, with the runs of its tasks so far. It never changes, so any thread may read
 * it; later news make a new one.
 */
G_DECLARE_FINAL_TYPE (DynoClusterProgress, dyno_cluster_progress, DYNO, CLUSTER_PROGRESS, GObject)

/* Returns a snapshot. Reads the new results of the tasks, so it is for threads. Takes @job. @previous may
 * be NULL. @error: why the state is unknown. */
DynoClusterProgress *
dyno_cluster_progress_new (DynoClusterJob *job, DynoClusterProgress *previous, const GError *error);

const char *dyno_cluster_progress_get_id (DynoClusterProgress *self);
/* Returns the title of its runs; NULL if there is none. */
const char *dyno_cluster_progress_get_title (DynoClusterProgress *self);
/* Returns why the state of the tasks is unknown, so that the last known one is shown, or why their results
 * could not be stored; NULL if there is no problem. */
const char *dyno_cluster_progress_get_problem (DynoClusterProgress *self);
/* @error: why results could not be stored. */
void dyno_cluster_progress_set_problem (DynoClusterProgress *self, const GError *error);
const DynoClusterJob *dyno_cluster_progress_get_job (DynoClusterProgress *self);
/* Returns the cases of the plan. Elements are DynoCase. */
GPtrArray *dyno_cluster_progress_get_cases (DynoClusterProgress *self);
/* Returns the run of the task, whose ordinals are the indices of the cases in the plan, or in its share of
 * it; NULL if there is none. */
DynoRun *dyno_cluster_progress_get_run (DynoClusterProgress *self, guint number);
/* Returns whether any task may still run. */
gboolean dyno_cluster_progress_is_open (DynoClusterProgress *self);
/* Returns whether any task is known to wait or to run. */
gboolean dyno_cluster_progress_is_active (DynoClusterProgress *self);
/* Returns whether both have the same content. */
gboolean dyno_cluster_progress_equal (DynoClusterProgress *one, DynoClusterProgress *other);

G_END_DECLS
