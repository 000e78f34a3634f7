/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Selects the results of a run to check. */
#define DYNO_STORE_ALL_RESULTS -1
#define DYNO_STORE_NO_RESULT   0

/* Returns whether its numbers are finite and of a plausible size, its series ordered, its dates valid and
 * its JSON of the right kind. @db: a connection to a file from elsewhere that obeys its schema. Fails with
 * DYNO_ERROR_INVALID_DATA naming the table or the series. */
gboolean dyno_store_meaning_check (sqlite3 *db, GError **error);
/* Does dyno_store_meaning_check() for the rows of one run: the store accepts no run that a document may not
 * contain. Returns whether the run may be stored. @db: a connection in the transaction that wrote the run.
 * @result_id: the result that was written, DYNO_STORE_ALL_RESULTS, or DYNO_STORE_NO_RESULT. Fails with
 * DYNO_ERROR_INVALID_DATA. */
gboolean dyno_store_meaning_check_run (sqlite3 *db, const char *run_id, gint64 result_id, GError **error);
/* Returns whether the ceilings of the machine may be stored. @db: a connection in the transaction that
 * wrote ceilings. Fails with DYNO_ERROR_INVALID_DATA. */
gboolean dyno_store_meaning_check_ceilings (sqlite3 *db, const char *machine_id, GError **error);

G_END_DECLS
