/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Brings what the list of runs shows and searches in line with the run and its results. A run that stopped
 * early keeps the number of cases it was to have. Returns whether it is written. */
gboolean dyno_store_summary_write (sqlite3 *db, const char *id, GError **error);
/* Counts one case of a run in or out, whatever the number of the others. Returns whether it is written.
 * @change: 1 when it has just come, -1 when it is about to go. */
gboolean dyno_store_summary_count (sqlite3 *db, gint64 result_id, int change, GError **error);
/* Returns whether the summary of the run stays the same when @result is added: an earlier case has its
 * model, its backend and its device. The nearest are looked at first, because a sweep holds cases of one
 * model together. Returns whether they name @result already. */
gboolean dyno_store_summary_names (sqlite3 *db, const char *id, DynoResult *result);

G_END_DECLS
