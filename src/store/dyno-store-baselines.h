/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-baseline.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

gboolean dyno_store_baselines_set (sqlite3 *db, const DynoBaseline *baseline, GError **error);
gboolean dyno_store_baselines_remove (sqlite3 *db, const char *name, GError **error);
GPtrArray *dyno_store_baselines_list (sqlite3 *db, GError **error);
gboolean dyno_store_baselines_check_unpinned (sqlite3 *db, const char *run_id, GError **error);

G_END_DECLS
