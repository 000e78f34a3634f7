/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdarg.h>

#include "dyno-error.h"
#include "dyno-store-private.h"

void
dyno_store_statement_set_error (sqlite3 *db, GError **error)
{
  const char *file = sqlite3_db_filename (db, "main");
  g_autofree char *path = g_filename_display_name (file != NULL && *file != '\0' ? file : _ ("memory"));
  int system_error = sqlite3_system_errno (db);
  int extended = sqlite3_extended_errcode (db);
  int code = extended & 0xff;

  if (code == SQLITE_IOERR && (system_error == ENOSPC || system_error == EDQUOT))
    code = SQLITE_FULL;
  else if (code == SQLITE_IOERR && system_error == ENOMEM)
    code = SQLITE_NOMEM;
  else if (extended >= SQLITE_IOERR_SHMOPEN && extended <= SQLITE_IOERR_SHMMAP)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_FAILED,
          /* Translators: the path of a file, why it does not work, and the path without “-shm” */
          _ ("The memory that programs share in “%s-shm” cannot be used: %s. The file system of “%s” "
             "may not allow that: set DYNO_DATA_DIR to a folder on a local disk."),
          path, g_strerror (system_error), path);
      return;
    }
  switch (code)
    {
    case SQLITE_INTERRUPT:
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The operation was cancelled."));
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL: /* another process stands still while it opens or closes the store */
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_LOCKED,
                   _ ("Another program is using “%s”. Close it, then try again."), path);
      break;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_READ_ONLY,
                   _ ("“%s” cannot be written. Check the permissions of the file and its folder."), path);
      break;
    case SQLITE_FULL:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_FULL,
                   _ ("No space is left for “%s”. Free some space on its disk, then try again."), path);
      break;
    case SQLITE_NOMEM:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                   _ ("No memory is left to read or write “%s”. Close other programs, then try again."),
                   path);
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED,
                   _ ("“%s” is damaged. Dyno recovers what can be read when it starts again."), path);
      break;
    default:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("“%s” could not be read or written: %s. Check its disk, and the room on it."), path,
                   sqlite3_errmsg (db));
    }
}

static gboolean
check (sqlite3_stmt *self, int code, GError **error)
{
  if (code == SQLITE_OK || code == SQLITE_DONE)
    return TRUE;
  dyno_store_statement_set_error (sqlite3_db_handle (self), error);
  return FALSE;
}

sqlite3_stmt *
dyno_store_statement_new (sqlite3 *db, const char *sql, GError **error)
{
  sqlite3_stmt *self = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &self, NULL) == SQLITE_OK)
    return self;
  dyno_store_statement_set_error (db, error);
  return NULL;
}

static int
bind_text (sqlite3_stmt *self, int index, const char *text, const char *fallback)
{
  return sqlite3_bind_text (self, index, text != NULL ? text : fallback, -1, SQLITE_TRANSIENT);
}

static gboolean
bind_list (sqlite3_stmt *self, GError **error, const char *types, va_list *args)
{
  int code = sqlite3_reset (self);

  code = sqlite3_clear_bindings (self);
  for (int i = 0; types[i] != '\0' && code == SQLITE_OK; i++)
    switch (types[i])
      {
      case 's':
        code = bind_text (self, i + 1, va_arg (*args, const char *), "");
        break;
      case 't':
        code = bind_text (self, i + 1, va_arg (*args, const char *), NULL);
        break;
      case 'i':
        code = sqlite3_bind_int64 (self, i + 1, va_arg (*args, gint64));
        break;
      case 'd':
        code = sqlite3_bind_double (self, i + 1, va_arg (*args, double));
        break;
      case 'b':
        {
          int index = i + 1;
          GBytes *bytes = va_arg (*args, GBytes *);
          gsize size = 0;
          gconstpointer data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

          code = bytes == NULL ? sqlite3_bind_null (self, index)
                 : size == 0   ? sqlite3_bind_zeroblob (self, index, 0)
                               : sqlite3_bind_blob64 (self, index, data, size, SQLITE_STATIC);
        }
        break;
      default:
        g_assert_not_reached ();
      }
  return check (self, code, error);
}

gboolean
dyno_store_statement_bind (sqlite3_stmt *self, GError **error, const char *types, ...)
{
  va_list args;
  gboolean bound;

  va_start (args, types);
  bound = bind_list (self, error, types, &args);
  va_end (args);
  return bound;
}

gboolean
dyno_store_statement_next (sqlite3_stmt *self, GError **error)
{
  int code = sqlite3_step (self);

  if (code == SQLITE_ROW)
    return TRUE;
  check (self, code, error);
  return FALSE;
}

gboolean
dyno_store_statement_execute (sqlite3_stmt *self, GError **error)
{
  int code;

  do
    code = sqlite3_step (self);
  while (code == SQLITE_ROW);

  if (!check (self, code, error))
    {
      sqlite3_reset (self);
      return FALSE;
    }
  return check (self, sqlite3_reset (self), error);
}

gboolean
dyno_store_statement_run (sqlite3 *db, const char *sql, GError **error)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  dyno_store_statement_set_error (db, error);
  return FALSE;
}

gboolean
dyno_store_statement_run_with (sqlite3 *db, GError **error, const char *sql, const char *types, ...)
{
  g_autoptr (sqlite3_stmt) self = dyno_store_statement_new (db, sql, error);
  va_list args;
  gboolean bound;

  if (self == NULL)
    return FALSE;
  va_start (args, types);
  bound = bind_list (self, error, types, &args);
  va_end (args);
  return bound && dyno_store_statement_execute (self, error);
}

gboolean
dyno_store_statement_read_int (sqlite3 *db, const char *sql, gint64 *number, GError **error)
{
  g_autoptr (sqlite3_stmt) self = dyno_store_statement_new (db, sql, error);

  if (self == NULL || !dyno_store_statement_next (self, error))
    return FALSE;
  *number = sqlite3_column_int64 (self, 0);
  return TRUE;
}

char *
dyno_store_statement_dup_text (sqlite3_stmt *self, int column)
{
  const char *text = (const char *)sqlite3_column_text (self, column);

  return text != NULL ? g_utf8_make_valid (text, sqlite3_column_bytes (self, column)) : NULL;
}

char *
dyno_store_statement_dup_word (sqlite3_stmt *self, int column)
{
  char *text = dyno_store_statement_dup_text (self, column);

  return text != NULL ? text : g_strdup ("");
}

guint
dyno_store_statement_get_uint (sqlite3_stmt *self, int column)
{
  return (guint)CLAMP (sqlite3_column_int64 (self, column), 0, (gint64)G_MAXUINT);
}

GBytes *
dyno_store_statement_dup_bytes (sqlite3_stmt *self, int column)
{
  gconstpointer data = sqlite3_column_blob (self, column);

  return g_bytes_new (data, data != NULL ? (gsize)sqlite3_column_bytes (self, column) : 0);
}
