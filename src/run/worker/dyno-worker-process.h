/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char *dyno_worker_process_dup_path (void);
GSubprocessLauncher *dyno_worker_process_prepare (GSubprocessFlags flags);
GSubprocess *
dyno_worker_process_start (GSubprocessLauncher *launcher, const char *const *arguments, GError **error);
char *dyno_worker_process_dup_last_words (const char *words, gsize length);
void dyno_worker_process_clean_up (void);

G_END_DECLS
