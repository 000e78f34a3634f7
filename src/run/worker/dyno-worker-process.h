/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns where `dyno-worker` should be. */
char *dyno_worker_process_dup_path (void);
/* Returns a launcher of workers that know the settings of this process; each leads a process group, and
 * dies with the thread that started it. The caller owns it. */
GSubprocessLauncher *dyno_worker_process_prepare (GSubprocessFlags flags);
/* Returns the worker. The caller owns it. Fails with DYNO_ERROR_WORKER_DIED. */
GSubprocess *
dyno_worker_process_start (GSubprocessLauncher *launcher, const char *const *arguments, GError **error);
/* Returns its last line that is not empty, or a sentence that there is none. @words: what a worker wrote
 * to its standard error, in whatever encoding. @length: bytes of it. */
char *dyno_worker_process_dup_last_words (const char *words, gsize length);
/* To be called when a worker has ended: one that was killed could not remove its folders, nor what its
 * browser keeps. */
void dyno_worker_process_clean_up (void);

G_END_DECLS
