/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Each is called inside a transaction. */
gboolean dyno_store_ceilings_write (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error);
/* Returns the latest of each device, id and number of threads that was measured on this machine as it is,
 * in the order in which they were measured; possibly none. Elements are DynoCeiling. The caller owns it. */
GPtrArray *dyno_store_ceilings_read (sqlite3 *db, const char *machine, GError **error);
gboolean dyno_store_ceilings_copy (sqlite3 *source, sqlite3 *target, const char *machine, GError **error);
gboolean dyno_store_ceilings_add (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error);

G_END_DECLS
