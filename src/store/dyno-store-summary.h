/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Updates the texts that the list of runs shows and searches. A run that stopped early keeps its planned
 * number of cases. Returns whether it is written. */
gboolean dyno_store_summary_write (sqlite3 *db, const char *id, GError **error);
/* Adds one case to the counts of its run, or removes it; the time does not depend on the number of cases.
 * Returns whether it is written.
 * @change: 1 when the case was just added, -1 when it is about to be removed. */
gboolean dyno_store_summary_count (sqlite3 *db, gint64 result_id, int change, GError **error);
/* Returns whether the summary of the run stays the same when @result is added, because an earlier case has
 * its model, its backend and its device. The nearest cases are checked first, because a sweep keeps the
 * cases of one model together. */
gboolean dyno_store_summary_names (sqlite3 *db, const char *id, DynoResult *result);

G_END_DECLS
