/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-store-baselines.h"
#include "dyno-store-bin.h"
#include "dyno-store-transaction.h"
#include "dyno-store.h"

/**
 * dyno_store_bin_put:
 * @db: a connection
 * @id: a run's whole id
 * @error: return location, %DYNO_ERROR_NOT_FOUND where no such run is kept, %DYNO_ERROR_INVALID_ARGUMENT where it is a
 *   baseline
 *
 * Returns: whether it is in the bin now
 */
gboolean
dyno_store_bin_put (sqlite3 *db, const char *id, GError **error)
{
  if (!dyno_store_baselines_check_unpinned (db, id, error) ||
      !dyno_store_statement_run_with (db, error,
                                      "UPDATE runs SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL",
                                      "is", g_get_real_time (), id))
    return FALSE;
  if (sqlite3_changes (db) > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The run “%s” is not in the store any more."), id);
  return FALSE;
}

/**
 * dyno_store_bin_restore:
 * @db: a connection
 * @id: a run's whole id
 * @error: return location, %DYNO_ERROR_NOT_FOUND where it is not in the bin
 *
 * Returns: whether it is back
 */
gboolean
dyno_store_bin_restore (sqlite3 *db, const char *id, GError **error)
{
  if (!dyno_store_statement_run_with (
          db, error, "UPDATE runs SET deleted_at = NULL WHERE id = ? AND deleted_at IS NOT NULL", "s", id))
    return FALSE;
  if (sqlite3_changes (db) > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The run “%s” is not in the bin any more."), id);
  return FALSE;
}

/**
 * dyno_store_bin_erase:
 * @db: a connection
 * @id: the whole id of a run that is in the bin
 * @error: return location
 *
 * Returns: whether it is gone for good
 */
gboolean
dyno_store_bin_erase (sqlite3 *db, const char *id, GError **error)
{
  return dyno_store_statement_run_with (db, error, "DELETE FROM runs WHERE id = ? AND deleted_at IS NOT NULL",
                                        "s", id);
}

/* Machines that neither a run nor a ceiling refers to go, too. */
static gboolean
erase_before (sqlite3 *db, gint64 time, GError **error)
{
  return dyno_store_statement_run_with (db, error, "DELETE FROM runs WHERE deleted_at <= ?", "i", time) &&
         dyno_store_statement_run (
             db,
             "DELETE FROM machines WHERE NOT EXISTS (SELECT 1 FROM runs WHERE machine_id = machines.id)"
             " AND NOT EXISTS (SELECT 1 FROM ceilings WHERE machine_id = machines.id)",
             error);
}

/**
 * dyno_store_bin_empty:
 * @db: a connection
 * @error: return location
 *
 * Returns: whether no run is in the bin any more
 */
gboolean
dyno_store_bin_empty (sqlite3 *db, GError **error)
{
  return erase_before (db, G_MAXINT64, error);
}

static gboolean
has_expired (sqlite3 *db, gint64 before, gboolean *expired, GError **error)
{
  g_autoptr (sqlite3_stmt) statement =
      dyno_store_statement_new (db, "SELECT EXISTS (SELECT 1 FROM runs WHERE deleted_at <= ?)", error);

  if (statement == NULL || !dyno_store_statement_bind (statement, error, "i", before) ||
      !dyno_store_statement_next (statement, error))
    return FALSE;
  *expired = sqlite3_column_int (statement, 0);
  return TRUE;
}

/**
 * dyno_store_bin_purge:
 * @db: a connection outside a transaction
 * @error: return location
 *
 * Erases what has been in the bin for longer than %DYNO_STORE_BIN_DAYS.
 *
 * Returns: whether nothing is left that should be gone
 */
gboolean
dyno_store_bin_purge (sqlite3 *db, GError **error)
{
  gint64 before = g_get_real_time () - DYNO_STORE_BIN_DAYS * G_TIME_SPAN_DAY;
  g_autoptr (DynoStoreTransaction) transaction = NULL;
  gboolean expired = FALSE;

  if (!has_expired (db, before, &expired, error) || !expired)
    return !expired;
  transaction = dyno_store_transaction_write (db, error);
  return transaction != NULL && erase_before (db, before, error) &&
         dyno_store_transaction_commit (transaction, error);
}
