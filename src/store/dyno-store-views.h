/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Leaves the views out of a query of `sqlite_schema`: they hold no data, and their columns follow the metrics. */
#define DYNO_STORE_VIEWS_EXCLUDED "NOT (type = 'view' AND name IN ('benchmark_runs', 'benchmark_results'))"

/* Replaces the flat views `benchmark_runs` and `benchmark_results` with those of this Dyno. Returns
 * whether they are written. @db: a connection in a write transaction, to a file of this version. */
gboolean dyno_store_views_write (sqlite3 *db, GError **error);
/* Writes the views again if a Dyno with other metrics wrote them. Returns whether they are those of this
 * Dyno now. */
gboolean dyno_store_views_update (sqlite3 *db, GError **error);

G_END_DECLS
