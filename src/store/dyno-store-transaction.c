/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-transaction.h"

/**
 * dyno_store_transaction_read:
 * @db: a connection
 * @error: return location
 *
 * Returns: (transfer full): a transaction that sees one state of the file throughout
 */
DynoStoreTransaction *
dyno_store_transaction_read (sqlite3 *db, GError **error)
{
  return dyno_store_statement_run (db, "BEGIN", error) ? db : NULL;
}

/**
 * dyno_store_transaction_write:
 * @db: a connection
 * @error: return location, %DYNO_ERROR_STORE_LOCKED when another writer does not finish in time
 *
 * Returns: (transfer full): a transaction that holds the write lock from the start
 */
DynoStoreTransaction *
dyno_store_transaction_write (sqlite3 *db, GError **error)
{
  return dyno_store_statement_run (db, "BEGIN IMMEDIATE", error) ? db : NULL;
}

gboolean
dyno_store_transaction_commit (DynoStoreTransaction *self, GError **error)
{
  return dyno_store_statement_run (self, "COMMIT", error);
}

/**
 * dyno_store_transaction_end:
 * @self: a transaction
 *
 * Rolls back what is not committed. SQLite may have done so itself, after a full disk for one.
 */
void
dyno_store_transaction_end (DynoStoreTransaction *self)
{
  if (!sqlite3_get_autocommit (self))
    sqlite3_exec (self, "ROLLBACK", NULL, NULL, NULL);
}
