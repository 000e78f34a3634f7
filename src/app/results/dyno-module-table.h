/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-result.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MODULE_TABLE (dyno_module_table_get_type ())

/**
 * DynoModuleTable:
 *
 * The time of a case by module: a tree down to the operators, the longest time first.
 */
G_DECLARE_FINAL_TYPE (DynoModuleTable, dyno_module_table, DYNO, MODULE_TABLE, AdwBin)

/* Returns whether it has operators to show. */
gboolean dyno_module_table_set_result (DynoModuleTable *self, DynoResult *result);
/* Returns the rows that are currently unfolded, as GtkTreeListRow. */
GListModel *dyno_module_table_get_rows (DynoModuleTable *self);

G_END_DECLS
