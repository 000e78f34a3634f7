/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* What the list of runs shows and searches: words about each run, and how many of its cases are in which state. */
gboolean dyno_store_summary_write (sqlite3 *db, const char *id, GError **error);
gboolean dyno_store_summary_count (sqlite3 *db, gint64 result_id, int change, GError **error);
gboolean dyno_store_summary_names (sqlite3 *db, const char *id, DynoResult *result);

G_END_DECLS
