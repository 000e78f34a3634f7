/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-connection.h"

G_BEGIN_DECLS

/**
 * DynoStorePool:
 *
 * The connections of a store. One thread uses a connection at a time; then it is kept for the next thread.
 */
typedef struct _DynoStorePool DynoStorePool;

/**
 * DynoStoreLease:
 * @db: the connection
 *
 * A connection while a thread uses it.
 */
typedef struct
{
  sqlite3 *db;
  DynoStorePool *pool;
  guint generation;
} DynoStoreLease;

/* Returns the pool. Takes @first. With DYNO_STORE_UNTRUSTED all threads take turns with @first: a file that
 * was checked when it was opened must not be opened again, because another file may be at its path by
 * then. */
DynoStorePool *dyno_store_pool_new (sqlite3 *first, const char *path, DynoStoreMode mode, guint busy_timeout);
void dyno_store_pool_free (DynoStorePool *self);

/* Returns a connection for this thread alone. @cancellable may be NULL. */
DynoStoreLease *dyno_store_pool_take (DynoStorePool *self, GCancellable *cancellable, GError **error);
void dyno_store_pool_give_back (DynoStoreLease *lease);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreLease, dyno_store_pool_give_back)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStorePool, dyno_store_pool_free)

G_END_DECLS
