/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoStoreRunning:
 *
 * The sign that a process is measuring a run: a lock on a file of the folder `STORE.running`. It needs no renewal, and
 * goes with the process, however that ends.
 */
typedef struct _DynoStoreRunning DynoStoreRunning;

/* Returns a sign that this process measures the run; NULL where none can be given, so that the run looks
 * interrupted to others until it has ended. The caller owns it. */
DynoStoreRunning *dyno_store_running_begin (const char *store_path, const char *id);
void dyno_store_running_end (DynoStoreRunning *self);
/* Call it before reading the store, so that a run that ends meanwhile is not mistaken for one that was
 * killed. Returns the ids of the runs that a process, this one or another, is measuring now; mostly none. */
GHashTable *dyno_store_running_list (const char *store_path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreRunning, dyno_store_running_end)

G_END_DECLS
