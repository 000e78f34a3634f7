/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3, sqlite3_close_v2)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

/* Returns the statement; finalize it before @db is closed. */
sqlite3_stmt *dyno_store_statement_new (sqlite3 *db, const char *sql, GError **error);
/* Resets the statement and binds these parameters. Returns whether all fit. @types: a letter per
 * parameter: `s` text (NULL is empty), `t` text or NULL, `i` #gint64, `d` double (NaN is stored as NULL),
 * `b` #GBytes, which must live until the statement has run. */
gboolean dyno_store_statement_bind (sqlite3_stmt *self, GError **error, const char *types, ...);
/* Returns whether there is a further row; FALSE without an error at the end. */
gboolean dyno_store_statement_next (sqlite3_stmt *self, GError **error);
/* Returns whether it ran to the end. */
gboolean dyno_store_statement_execute (sqlite3_stmt *self, GError **error);
/* Returns whether all statements ran. */
gboolean dyno_store_statement_run (sqlite3 *db, const char *sql, GError **error);
/* Returns whether the statement ran. */
gboolean dyno_store_statement_run_with (sqlite3 *db, GError **error, const char *sql, const char *types, ...);
/* Returns whether there is a number. */
gboolean dyno_store_statement_read_int (sqlite3 *db, const char *sql, gint64 *number, GError **error);

/* Returns the text as valid UTF-8; NULL if it is NULL. @column: a column, from 0. */
char *dyno_store_statement_dup_text (sqlite3_stmt *self, int column);
/* Returns the text as valid UTF-8, empty for NULL. @column: a column, from 0. */
char *dyno_store_statement_dup_word (sqlite3_stmt *self, int column);
/* Returns the number, clamped to a #guint. @column: a column, from 0. */
guint dyno_store_statement_get_uint (sqlite3_stmt *self, int column);
/* Returns a copy of the blob. @column: a column, from 0. */
GBytes *dyno_store_statement_dup_bytes (sqlite3_stmt *self, int column);

/* Turns an error code of SQLite into a message for people. */
void dyno_store_statement_set_error (sqlite3 *db, GError **error);

G_END_DECLS
