/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-difference.h"

G_BEGIN_DECLS

#define DYNO_TYPE_DIFFERENCE_TABLE (dyno_difference_table_get_type ())

/**
 * DynoDifferenceTable:
 *
 * The cases of a comparison, a row each. Properties, read-write: `narrow` (boolean: show only the most
 * important columns) and `show-side` (boolean: name the side that each row compares with the baseline).
 */
G_DECLARE_FINAL_TYPE (DynoDifferenceTable, dyno_difference_table, DYNO, DIFFERENCE_TABLE, AdwBin)

void dyno_difference_table_set_differences (DynoDifferenceTable *self, GListModel *differences);
void dyno_difference_table_set_show_side (DynoDifferenceTable *self, gboolean show_side);

G_END_DECLS
