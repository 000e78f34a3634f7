/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_PRECISION_ROW (dyno_precision_row_get_type ())

/**
 * DynoPrecisionRow:
 *
 * Chooses one precision, or several to compare. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoPrecisionRow, dyno_precision_row, DYNO, PRECISION_ROW, AdwPreferencesRow)

/* Returns the error in the choice, as a sentence; NULL if there is none. */
const char *dyno_precision_row_get_problem (DynoPrecisionRow *self);
/* Returns the precisions to compare. */
char **dyno_precision_row_dup_precisions (DynoPrecisionRow *self);
/* @precisions: precisions; those in which no model can be built are shown as well. */
void dyno_precision_row_set_precisions (DynoPrecisionRow *self, const char *const *precisions);

G_END_DECLS
