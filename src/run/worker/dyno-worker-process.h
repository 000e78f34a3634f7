/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns where `dyno-worker` should be. */
char *dyno_worker_process_dup_path (void);
/* Returns a launcher of workers with the settings of this process; each leads a process group, and dies with
 * the thread that started it. The caller owns it. */
GSubprocessLauncher *dyno_worker_process_prepare (GSubprocessFlags flags);
/* Returns the worker. The caller owns it. Fails with DYNO_ERROR_WORKER_DIED. */
GSubprocess *
dyno_worker_process_start (GSubprocessLauncher *launcher, const char *const *arguments, GError **error);
/* Returns the last line that is not empty, or a sentence that there is none. @words: the worker's standard
 * error, in any encoding. @length: its size in bytes. */
char *dyno_worker_process_dup_last_words (const char *words, gsize length);
/* Must be called after a worker has ended: a killed worker cannot remove its own folders or those of its
 * browser. */
void dyno_worker_process_clean_up (void);

G_END_DECLS
