/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-imports.h"
#include "dyno-store-schema.h"

/**
 * dyno_store_imports_write:
 * @db: a connection in a write transaction
 * @run: a run that is there
 * @error: return location
 *
 * Keeps the file that the run was imported from, and what it says of itself. A run that Dyno measured has none.
 *
 * Returns: whether it is written
 */
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

static DynoOrigin *
read_origin (sqlite3_stmt *statement, gboolean with_content)
{
  DynoOrigin *origin = dyno_origin_new ();

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
  return origin;
}

/**
 * dyno_store_imports_read:
 * @db: a connection
 * @run: a run from it
 * @with_content: whether to read the file itself as well, which may be large
 * @error: return location
 *
 * Gives the run its origin, if it has one.
 *
 * Returns: whether the file could be read
 */
gboolean
dyno_store_imports_read (sqlite3 *db, DynoRun *run, gboolean with_content, GError **error)
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
    origin = read_origin (statement, with_content);
  dyno_run_set_origin (run, origin);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}
