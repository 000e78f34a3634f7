/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-baseline.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Returns whether the name is set. A name in use moves to the new run. @baseline: the name and the whole id
 * of a stored run; its time does not matter. Fails with DYNO_ERROR_INVALID_ARGUMENT if the name is
 * invalid. */
gboolean dyno_store_baselines_set (sqlite3 *db, const DynoBaseline *baseline, GError **error);
/* Returns whether the name is free now; the run stays. Fails with DYNO_ERROR_NOT_FOUND if there is no such
 * name. */
gboolean dyno_store_baselines_remove (sqlite3 *db, const char *name, GError **error);
/* Returns all baselines, sorted by name. Elements are DynoBaseline. */
GPtrArray *dyno_store_baselines_list (sqlite3 *db, GError **error);
/* Returns whether the run may be deleted. Fails with DYNO_ERROR_INVALID_ARGUMENT if it is a baseline. */
gboolean dyno_store_baselines_check_unpinned (sqlite3 *db, const char *run_id, GError **error);

G_END_DECLS
