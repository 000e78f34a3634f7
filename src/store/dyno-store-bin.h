/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Each is called inside a transaction. */

/* Returns whether it is in the bin now. Fails with DYNO_ERROR_NOT_FOUND where no such run is kept,
 * DYNO_ERROR_INVALID_ARGUMENT where it is a baseline. */
gboolean dyno_store_bin_put (sqlite3 *db, const char *id, GError **error);
/* Returns whether it is back. Fails with DYNO_ERROR_NOT_FOUND where it is not in the bin. */
gboolean dyno_store_bin_restore (sqlite3 *db, const char *id, GError **error);
/* Returns whether it is gone for good. */
gboolean dyno_store_bin_erase (sqlite3 *db, const char *id, GError **error);
/* Returns whether no run is in the bin any more. */
gboolean dyno_store_bin_empty (sqlite3 *db, GError **error);

/* Erases runs that have been in the bin for longer than DYNO_STORE_BIN_DAYS. An opening of the store first
 * has to see that, and another one days later has to see it again: a clock that is once ahead erases
 * nothing, because the first opening with the right clock forgets what that one saw. Returns whether
 * nothing is left that should be gone. */
gboolean dyno_store_bin_purge (sqlite3 *db, GError **error);

G_END_DECLS
