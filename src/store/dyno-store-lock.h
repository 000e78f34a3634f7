/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoStoreLock:
 *
 * A lock between processes on the files beside a store. It is released when it is freed or its process
 * ends.
 */
typedef struct _DynoStoreLock DynoStoreLock;

/* Opens the file `PATH.lock`, which stays: deleting a lock file takes the lock away from others. If the
 * file cannot be created, the store cannot be replaced either, and the lock does nothing. Returns a lock
 * that is not taken yet. */
DynoStoreLock *dyno_store_lock_new (const char *path);
void dyno_store_lock_share (DynoStoreLock *self);
void dyno_store_lock_exclude (DynoStoreLock *self);
void dyno_store_lock_free (DynoStoreLock *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreLock, dyno_store_lock_free)

G_END_DECLS
