/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Each is called inside a transaction. */
gboolean dyno_store_bin_put (sqlite3 *db, const char *id, GError **error);
gboolean dyno_store_bin_restore (sqlite3 *db, const char *id, GError **error);
gboolean dyno_store_bin_erase (sqlite3 *db, const char *id, GError **error);
gboolean dyno_store_bin_empty (sqlite3 *db, GError **error);

gboolean dyno_store_bin_purge (sqlite3 *db, GError **error);

G_END_DECLS
