/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-case.h"
#include "dyno-result.h"

G_BEGIN_DECLS

/* dyno-worker-answer */

/**
 * DynoWorkerAnswer:
 * @fd: a file with the JSON of a result, without traces, and after it the bytes of all its traces
 * @result_size: bytes of the JSON
 * @traces: `a(ssxt)`: name, unit, origin in ns, and number of bytes of each trace, in the order of the file
 *
 * A result in transfer between two processes. Its size is not limited.
 */
typedef struct
{
  int fd;
  guint64 result_size;
  GVariant *traces;
} DynoWorkerAnswer;

/* Returns an answer that was received. @result_size: bytes of the JSON in it. */
DynoWorkerAnswer *dyno_worker_answer_new (int fd, guint64 result_size, GVariant *traces);
/* Returns an answer to send. The caller owns it. */
DynoWorkerAnswer *dyno_worker_answer_write (DynoResult *result, GError **error);
/* Takes as long as copying all traces, so it belongs on a thread. Returns the result. The caller owns it.
 * @self: an answer that was received; its sender has ended. */
DynoResult *dyno_worker_answer_read (DynoWorkerAnswer *self, GError **error);
void dyno_worker_answer_free (DynoWorkerAnswer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoWorkerAnswer, dyno_worker_answer_free)

/* dyno-worker-query */

/**
 * DynoWorkerReply:
 * @answer: (nullable): its standard output; NULL if it wrote nothing, far too much, or was late
 * @is_late: whether it was stopped because the time was up
 * @signal: number of the signal that ended it, 0 for none
 * @last_words: the last line that it wrote to its standard error, or a sentence that there is none
 *
 * The outcome of a worker that was started with one question.
 */
typedef struct
{
  GBytes *answer;
  gboolean is_late;
  int signal;
  char *last_words;
} DynoWorkerReply;

/* Starts a worker that answers on its standard output, and waits for its end. Belongs on a thread. Returns
 * its outcome. The caller owns it. @cancellable may be NULL. @error: set if it could not be started. */
DynoWorkerReply *dyno_worker_query_run (const char *const *arguments,
                                        guint deadline_seconds,
                                        GCancellable *cancellable,
                                        GError **error);
/* Fails if the worker answered with an error, as it words it. */
gboolean dyno_worker_answer_check (JsonObject *answer, GError **error);
/* Fails if the kernel ended the worker for a system call that no reader of models has a use for. @spec: the model. */
gboolean dyno_worker_reply_check_calls (const DynoWorkerReply *self, const char *spec, GError **error);
void dyno_worker_reply_free (DynoWorkerReply *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoWorkerReply, dyno_worker_reply_free)

/* dyno-bare-timing */

/**
 * DynoBareTiming:
 * @median_ms: the median time of a step
 * @n_steps: the number of steps
 * @path: the ONNX file that was run
 * @inputs: its inputs in JSON: an array of objects with `name`, `type` and `shape`
 *
 * The time of a model in a bare loop over its engine, in a process of its own, without Dyno's measuring around it.
 */
typedef struct
{
  double median_ms;
  guint n_steps;
  char *path;
  char *inputs;
} DynoBareTiming;

/* Blocks as long as the loop runs, so it belongs on a thread. Returns the timing. @seconds: how long to run the model.
 * @cancellable may be NULL. */
DynoBareTiming *
dyno_bare_timing_take (DynoCase *kase, double seconds, GCancellable *cancellable, GError **error);
void dyno_bare_timing_free (DynoBareTiming *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBareTiming, dyno_bare_timing_free)

G_END_DECLS
