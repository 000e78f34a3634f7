/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Call each of these inside a transaction. */

/* The column `method` holds everything about a ceiling as JSON; `kind` is its id and number of threads,
 * `fp32-avx2/1`, and their placement where it was requested, `fp32-avx2/1/compact`. Earlier measurements
 * stay. Returns whether they are written. @ceilings holds DynoCeiling. */
gboolean dyno_store_ceilings_write (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error);
/* Returns the latest ceiling of each device, id and number of threads that was measured on this machine as
 * it is, in the order of measurement; possibly none. Elements are DynoCeiling. The caller owns it. */
GPtrArray *dyno_store_ceilings_read (sqlite3 *db, const char *machine, GError **error);
/* Copies the machine's ceilings from @source, unless @target has some already: ceilings of another machine
 * that looks the same would replace them. Returns whether nothing failed.
 * @machine may be NULL. */
gboolean dyno_store_ceilings_copy (sqlite3 *source, sqlite3 *target, const char *machine, GError **error);
/* Writes the ceilings unless the machine has some already. Returns whether it has some now, or there is
 * nothing to write.
 * @machine may be NULL. @ceilings may be NULL. @ceilings holds DynoCeiling. */
gboolean dyno_store_ceilings_add (sqlite3 *db, const char *machine, GPtrArray *ceilings, GError **error);

G_END_DECLS
