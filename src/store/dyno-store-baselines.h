/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-baseline.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* A name that is taken is given to the new run. Returns whether it is set. @baseline: the name and the
 * whole id of a run that is kept; its time does not matter. Fails with DYNO_ERROR_INVALID_ARGUMENT where
 * this cannot be a name. */
gboolean dyno_store_baselines_set (sqlite3 *db, const DynoBaseline *baseline, GError **error);
/* Returns whether the name is free now; the run stays. Fails with DYNO_ERROR_NOT_FOUND where there is none
 * of that name. */
gboolean dyno_store_baselines_remove (sqlite3 *db, const char *name, GError **error);
/* Returns all of them, by name. Elements are DynoBaseline. */
GPtrArray *dyno_store_baselines_list (sqlite3 *db, GError **error);
/* Returns whether it may be deleted. Fails with DYNO_ERROR_INVALID_ARGUMENT where it is a baseline. */
gboolean dyno_store_baselines_check_unpinned (sqlite3 *db, const char *run_id, GError **error);

G_END_DECLS
