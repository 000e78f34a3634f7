/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result-sink.h"

G_BEGIN_DECLS

#define DYNO_TYPE_TASK_SINK (dyno_task_sink_get_type ())

/**
 * DynoTaskSink:
 *
 * Keeps a run in one document on a file system that machines share. After each result the document is written anew and
 * renamed into place, so that it is whole whenever the node dies, and no database is locked over the network.
 */
G_DECLARE_FINAL_TYPE (DynoTaskSink, dyno_task_sink, DYNO, TASK_SINK, GObject)

DynoTaskSink *dyno_task_sink_new (const char *path);

G_END_DECLS
