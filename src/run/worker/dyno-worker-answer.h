/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

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

G_END_DECLS
