/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DynoNamedEngine:
 * @variable: by which variable of the environment a worker is told
 * @dup_path: what was named here, by that variable or by the settings; %NULL where nothing was
 *
 * A library, folder or program that people may name instead of having it searched.
 */
typedef struct
{
  const char *variable;
  char *(*dup_path) (void);
} DynoNamedEngine;

const DynoNamedEngine *dyno_worker_process_list_named_engines (void);

char *dyno_worker_process_dup_path (void);
GSubprocessLauncher *dyno_worker_process_prepare (GSubprocessFlags flags);
GSubprocess *
dyno_worker_process_start (GSubprocessLauncher *launcher, const char *const *arguments, GError **error);
char *dyno_worker_process_dup_last_words (const char *words, gsize length);
void dyno_worker_process_clean_up (void);

G_END_DECLS
