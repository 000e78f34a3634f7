/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-private.h"

DynoStoreTransaction *
dyno_store_transaction_read (sqlite3 *db, GError **error)
{
  return dyno_store_statement_run (db, "BEGIN", error) ? db : NULL;
}

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

void
dyno_store_transaction_end (DynoStoreTransaction *self)
{
  if (!sqlite3_get_autocommit (self))
    sqlite3_exec (self, "ROLLBACK", NULL, NULL, NULL);
}
