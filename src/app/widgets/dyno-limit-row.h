/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-goal.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LIMIT_ROW (dyno_limit_row_get_type ())

/**
 * DynoLimitRow:
 *
 * An upper limit on one need of a recommended case; 0 means no limit. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoLimitRow, dyno_limit_row, DYNO, LIMIT_ROW, AdwActionRow)

/* Returns a row without a limit. */
DynoLimitRow *dyno_limit_row_new (DynoLimit limit);
/* Returns the limit, in the unit of the field; 0 for none. */
double dyno_limit_row_get_most (DynoLimitRow *self);
/* Removes the limit. */
void dyno_limit_row_reset (DynoLimitRow *self);
void dyno_limit_row_apply (DynoLimitRow *self, DynoGoal *goal);

G_END_DECLS
