/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoStoreRunning:
 *
 * Marks a run as being measured by a process: a lock on a file in the folder `STORE.running`. It needs no
 * renewal, and ends with the process in every case.
 */
typedef struct _DynoStoreRunning DynoStoreRunning;

/* Marks the run as being measured by this process. Returns the mark; NULL if that fails: then others see
 * the run as interrupted until it has ended. The caller owns it. */
DynoStoreRunning *dyno_store_running_begin (const char *store_path, const char *id);
void dyno_store_running_end (DynoStoreRunning *self);
/* Returns the ids of the runs that any process, this one included, is measuring now; mostly none. Call it
 * before reading the store, so that a run that ends meanwhile does not look killed. */
GHashTable *dyno_store_running_list (const char *store_path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreRunning, dyno_store_running_end)

G_END_DECLS
