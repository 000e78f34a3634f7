/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Call each of these inside a transaction. */

/* Returns whether the run is in the bin now. Fails with DYNO_ERROR_NOT_FOUND if no such run is stored,
 * DYNO_ERROR_INVALID_ARGUMENT if it is a baseline. */
gboolean dyno_store_bin_put (sqlite3 *db, const char *id, GError **error);
/* Returns whether the run is restored. Fails with DYNO_ERROR_NOT_FOUND if it is not in the bin. */
gboolean dyno_store_bin_restore (sqlite3 *db, const char *id, GError **error);
/* Returns whether the run is erased. */
gboolean dyno_store_bin_erase (sqlite3 *db, const char *id, GError **error);
/* Returns whether the bin is empty. */
gboolean dyno_store_bin_empty (sqlite3 *db, GError **error);

/* Erases runs that have been in the bin for longer than DYNO_STORE_BIN_DAYS. Two openings of the store,
 * days apart, have to find a run expired: a clock that is wrong once erases nothing, because the first
 * opening with the right clock forgets that finding. Returns whether no expired run is left. */
gboolean dyno_store_bin_purge (sqlite3 *db, GError **error);

G_END_DECLS
