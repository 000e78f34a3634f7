/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3, sqlite3_close_v2)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

sqlite3_stmt *dyno_store_statement_new (sqlite3 *db, const char *sql, GError **error);
gboolean dyno_store_statement_bind (sqlite3_stmt *self, GError **error, const char *types, ...);
gboolean dyno_store_statement_next (sqlite3_stmt *self, GError **error);
gboolean dyno_store_statement_execute (sqlite3_stmt *self, GError **error);
gboolean dyno_store_statement_run (sqlite3 *db, const char *sql, GError **error);
gboolean dyno_store_statement_run_with (sqlite3 *db, GError **error, const char *sql, const char *types, ...);
gboolean dyno_store_statement_read_int (sqlite3 *db, const char *sql, gint64 *number, GError **error);

char *dyno_store_statement_dup_text (sqlite3_stmt *self, int column);
char *dyno_store_statement_dup_word (sqlite3_stmt *self, int column);
guint dyno_store_statement_get_uint (sqlite3_stmt *self, int column);
GBytes *dyno_store_statement_dup_bytes (sqlite3_stmt *self, int column);

void dyno_store_statement_set_error (sqlite3 *db, GError **error);

G_END_DECLS
