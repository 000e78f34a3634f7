/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/**
 * DynoStoreTransaction:
 *
 * A connection inside a transaction. Held in a `g_autoptr`, it is rolled back when its scope ends without
 * dyno_store_transaction_commit().
 */
typedef sqlite3 DynoStoreTransaction;

/* Returns a transaction that sees one state of the file throughout. The caller owns it. */
DynoStoreTransaction *dyno_store_transaction_read (sqlite3 *db, GError **error);
/* Returns a transaction that holds the write lock from the start. The caller owns it. Fails with
 * DYNO_ERROR_STORE_LOCKED when another writer does not finish in time. */
DynoStoreTransaction *dyno_store_transaction_write (sqlite3 *db, GError **error);
gboolean dyno_store_transaction_commit (DynoStoreTransaction *self, GError **error);
/* Rolls back uncommitted changes. SQLite may have done so itself, for example on a full disk. */
void dyno_store_transaction_end (DynoStoreTransaction *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStoreTransaction, dyno_store_transaction_end)

G_END_DECLS
