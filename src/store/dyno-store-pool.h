/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-connection.h"

G_BEGIN_DECLS

/**
 * DynoStorePool:
 *
 * The connections of a store: each is used by one thread at a time, and kept for the next.
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

/* A file that was checked when @first was opened must not be opened again: another may lie at its path by
 * then. So in DYNO_STORE_UNTRUSTED threads take turns with @first. Returns the pool. Takes @first. */
DynoStorePool *dyno_store_pool_new (sqlite3 *first, const char *path, DynoStoreMode mode, guint busy_timeout);
void dyno_store_pool_free (DynoStorePool *self);

/* Returns a connection for this thread alone. @cancellable may be NULL. */
DynoStoreLease *dyno_store_pool_take (DynoStorePool *self, GCancellable *cancellable, GError **error);
void dyno_store_pool_give_back (DynoStoreLease *lease);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreLease, dyno_store_pool_give_back)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStorePool, dyno_store_pool_free)

G_END_DECLS
