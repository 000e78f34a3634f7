/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Leaves the views out of a query of `sqlite_schema`: they hold no data, and their columns follow the metrics. */
#define DYNO_STORE_VIEWS_EXCLUDED "NOT (type = 'view' AND name IN ('benchmark_runs', 'benchmark_results'))"

gboolean dyno_store_views_write (sqlite3 *db, GError **error);
gboolean dyno_store_views_update (sqlite3 *db, GError **error);

G_END_DECLS
