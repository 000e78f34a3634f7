/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

gboolean dyno_store_imports_write (sqlite3 *db, DynoRun *run, GError **error);
gboolean dyno_store_imports_complete (sqlite3 *db, DynoRun *run, GError **error);
gboolean dyno_store_imports_write_meters (sqlite3 *db, DynoRun *run, GError **error);
gboolean dyno_store_imports_read (sqlite3 *db, DynoRun *run, gboolean with_content, GError **error);

G_END_DECLS
