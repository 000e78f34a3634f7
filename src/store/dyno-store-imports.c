/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-private.h"

gboolean
dyno_store_imports_write (sqlite3 *db, DynoRun *run, GError **error)
{
  const DynoOrigin *origin = dyno_run_get_origin (run);

  return origin == NULL ||
         dyno_store_statement_run_with (db, error,
                                        "INSERT INTO imports (run_id, dialect, tool, version, file_name, "
                                        "imported_at, hash, size, extra, content)"
                                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                        "ssttsisisb", dyno_run_get_id (run), origin->dialect, origin->tool,
                                        origin->version, origin->file_name, origin->imported_at, origin->hash,
                                        origin->size, origin->extra, origin->content);
}

gboolean
dyno_store_imports_complete (sqlite3 *db, DynoRun *run, GError **error)
{
  const DynoOrigin *origin = dyno_run_get_origin (run);

  return origin == NULL ||
         dyno_store_statement_run_with (
             db, error, "UPDATE imports SET content = ? WHERE run_id = ? AND hash = ? AND content IS NULL",
             "bss", origin->content, dyno_run_get_id (run), origin->hash);
}

gboolean
dyno_store_imports_write_meters (sqlite3 *db, DynoRun *run, GError **error)
{
  GPtrArray *meters = dyno_run_get_meters (run);

  for (guint i = 0; i < meters->len; i++)
    {
      const DynoOrigin *meter = meters->pdata[i];

      if (!dyno_store_statement_run_with (
              db, error,
              "INSERT INTO meters (run_id, hash, file_name, imported_at, size, content)"
              " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (run_id, hash) DO UPDATE"
              " SET content = excluded.content WHERE content IS NULL",
              "sssiib", dyno_run_get_id (run), meter->hash, meter->file_name, meter->imported_at, meter->size,
              meter->content))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_import (sqlite3 *db, DynoRun *run, gboolean with_content, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (DynoOrigin) origin = NULL;

  if (!dyno_store_schema_has_column (db, "imports", "run_id"))
    return TRUE;
  statement = dyno_store_statement_new (
      db,
      with_content ? "SELECT dialect, tool, version, file_name, imported_at, hash, size, extra, content"
                     " FROM imports WHERE run_id = ?"
                   : "SELECT dialect, tool, version, file_name, imported_at, hash, size, extra"
                     " FROM imports WHERE run_id = ?",
      error);
  if (statement == NULL || !dyno_store_statement_bind (statement, error, "s", dyno_run_get_id (run)))
    return FALSE;
  if (dyno_store_statement_next (statement, &local_error))
    {
      origin = dyno_origin_new ();
      origin->dialect = dyno_store_statement_dup_word (statement, 0);
      origin->tool = dyno_store_statement_dup_word (statement, 1);
      origin->version = dyno_store_statement_dup_text (statement, 2);
      origin->file_name = dyno_store_statement_dup_word (statement, 3);
      origin->imported_at = (gint64)MAX (sqlite3_column_int64 (statement, 4), 0);
      origin->hash = dyno_store_statement_dup_word (statement, 5);
      origin->size = (gint64)MAX (sqlite3_column_int64 (statement, 6), 0);
      origin->extra = dyno_store_statement_dup_word (statement, 7);
      if (with_content && sqlite3_column_type (statement, 8) != SQLITE_NULL)
        origin->content = dyno_store_statement_dup_bytes (statement, 8);
    }
  dyno_run_set_origin (run, origin);
  return dyno_error_pass (&local_error, error);
}

gboolean
dyno_store_imports_read (sqlite3 *db, DynoRun *run, gboolean with_content, GError **error)
{
  if (!read_import (db, run, with_content, error))
    return FALSE;

  GPtrArray *meters = dyno_run_get_meters (run);
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GError) local_error = NULL;

  g_ptr_array_set_size (meters, 0);
  if (!dyno_store_schema_has_column (db, "meters", "run_id"))
    return TRUE;
  statement = dyno_store_statement_new (
      db,
      with_content ? "SELECT hash, file_name, imported_at, size, content FROM meters WHERE run_id = ?"
                     " ORDER BY imported_at, hash"
                   : "SELECT hash, file_name, imported_at, size, NULL FROM meters WHERE run_id = ?"
                     " ORDER BY imported_at, hash",
      error);
  if (statement == NULL || !dyno_store_statement_bind (statement, error, "s", dyno_run_get_id (run)))
    return FALSE;
  while (dyno_store_statement_next (statement, &local_error))
    {
      DynoOrigin *meter = dyno_origin_new ();

      meter->hash = dyno_store_statement_dup_word (statement, 0);
      meter->file_name = dyno_store_statement_dup_word (statement, 1);
      meter->imported_at = (gint64)MAX (sqlite3_column_int64 (statement, 2), 0);
      meter->size = (gint64)MAX (sqlite3_column_int64 (statement, 3), 0);
      if (sqlite3_column_type (statement, 4) != SQLITE_NULL)
        meter->content = dyno_store_statement_dup_bytes (statement, 4);
      g_ptr_array_add (meters, meter);
    }
  return dyno_error_pass (&local_error, error);
}
