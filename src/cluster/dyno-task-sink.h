/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cluster-job.h"
#include "dyno-result-sink.h"

G_BEGIN_DECLS

#define DYNO_TYPE_TASK_SINK (dyno_task_sink_get_type ())

/**
 * DynoTaskSink:
 *
 * Keeps a run on a file system that machines share, in documents of a few results each. After each result
 * its document is rewritten and renamed into place, so that it is complete if the node dies, and no
 * database is locked over the network.
 */
G_DECLARE_FINAL_TYPE (DynoTaskSink, dyno_task_sink, DYNO, TASK_SINK, GObject)

/* Returns a sink for one run. @job: a submission, which must outlive the sink. */
DynoTaskSink *dyno_task_sink_new (DynoClusterJob *job, guint number, GError **error);

G_END_DECLS
