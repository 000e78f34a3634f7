/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CASE_TABLE (dyno_case_table_get_type ())

/**
 * DynoCaseTable:
 *
 * The cases of a run as a table, grouped by model, sortable within each group by every column. Signal
 * `activated` (DynoResult): a case was activated. Properties: `narrow` (boolean): only the most
 * important columns.
 */
G_DECLARE_FINAL_TYPE (DynoCaseTable, dyno_case_table, DYNO, CASE_TABLE, AdwBin)

void dyno_case_table_set_run (DynoCaseTable *self, DynoRun *run);
/* Returns the rows in their current order: results, with the name of each model as a GtkStringObject above
 * its own. */
GListModel *dyno_case_table_get_rows (DynoCaseTable *self);

G_END_DECLS
