/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

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
void dyno_worker_reply_free (DynoWorkerReply *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoWorkerReply, dyno_worker_reply_free)

G_END_DECLS
