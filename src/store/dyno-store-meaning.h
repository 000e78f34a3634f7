/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Which results of a run are looked at. */
#define DYNO_STORE_ALL_RESULTS -1
#define DYNO_STORE_NO_RESULT   0

/* Returns whether its numbers are finite and of a plausible size, its series ordered, its dates those of a
 * calendar and its JSON of the right kind. @db: a connection to a file from elsewhere, which keeps the
 * rules of its schema. Fails with DYNO_ERROR_INVALID_DATA naming the table or the series. */
gboolean dyno_store_meaning_check (sqlite3 *db, GError **error);
/* What a document may not contain does not come into the store either: dyno_store_meaning_check() for the
 * rows of one run. Returns whether the run may be kept. @db: a connection in the transaction that wrote
 * the run. @result_id: the result that was written, DYNO_STORE_ALL_RESULTS, or DYNO_STORE_NO_RESULT. Fails
 * with DYNO_ERROR_INVALID_DATA. */
gboolean dyno_store_meaning_check_run (sqlite3 *db, const char *run_id, gint64 result_id, GError **error);
/* Returns whether the ceilings of the machine may be kept. @db: a connection in the transaction that wrote
 * ceilings. Fails with DYNO_ERROR_INVALID_DATA. */
gboolean dyno_store_meaning_check_ceilings (sqlite3 *db, const char *machine_id, GError **error);

G_END_DECLS
