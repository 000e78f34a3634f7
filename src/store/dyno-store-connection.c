/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-store-private.h"

/* The longest text, blob or row that is read from an untrusted file: a trace of 16 million points. */
#define UNTRUSTED_LENGTH (256 * 1024 * 1024)

static gboolean
prepare (sqlite3 *db, DynoStoreMode mode, GError **error)
{
  sqlite3_db_config (db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);

  switch (mode)
    {
    case DYNO_STORE_UNTRUSTED:
      sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
      sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
      sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
      sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
      sqlite3_limit (db, SQLITE_LIMIT_LENGTH, UNTRUSTED_LENGTH);
      sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 0);
      return dyno_store_statement_run (db, "PRAGMA cell_size_check = ON", error);
    case DYNO_STORE_SALVAGE:
      sqlite3_db_config (db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
      /* Without this, one unreadable page of the schema hides all tables. */
      return dyno_store_statement_run (db, "PRAGMA writable_schema = ON; PRAGMA query_only = ON", error);
    case DYNO_STORE_READ_WRITE:
      return dyno_store_statement_run (db, "PRAGMA foreign_keys = ON", error);
    case DYNO_STORE_COPY:
      return dyno_store_statement_run (db, "PRAGMA journal_mode = MEMORY", error);
    case DYNO_STORE_READ_ONLY:
    default:
      return TRUE;
    }
}

sqlite3 *
dyno_store_connection_open (const char *path, DynoStoreMode mode, guint busy_timeout, GError **error)
{
  gboolean is_read_only = mode == DYNO_STORE_READ_ONLY || mode == DYNO_STORE_UNTRUSTED;
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = is_read_only ? g_filename_to_uri (absolute, NULL, error) : NULL;
  g_autofree char *name = uri != NULL ? g_strconcat (uri, "?immutable=1", NULL) : g_strdup (path);
  g_autofree char *display_path = g_filename_display_name (path);
  g_autoptr (sqlite3) db = NULL;
  int flags = is_read_only                 ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
              : mode == DYNO_STORE_SALVAGE ? SQLITE_OPEN_READWRITE
                                           : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

  if (is_read_only && uri == NULL)
    return NULL;
  if (sqlite3_open_v2 (name, &db, flags, NULL) != SQLITE_OK)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY,
          _ ("“%s” cannot be opened. Check that it is a file and that its permissions let you use it."),
          display_path);
      return NULL;
    }
  sqlite3_busy_timeout (db, (int)MIN (busy_timeout, (guint)G_MAXINT));
  return prepare (db, mode, error) ? g_steal_pointer (&db) : NULL;
}
