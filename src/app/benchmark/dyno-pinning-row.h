/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_PINNING_ROW (dyno_pinning_row_get_type ())

/**
 * DynoPinningRow:
 *
 * Chooses how threads are placed on processors: one policy or several to compare, of those that apply to this
 * machine. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoPinningRow, dyno_pinning_row, DYNO, PINNING_ROW, AdwExpanderRow)

/* Returns the error in the named processors, as a sentence; NULL if there is none. */
const char *dyno_pinning_row_get_problem (DynoPinningRow *self);
/* Returns the policies to compare, at least the default one. */
char **dyno_pinning_row_dup_policies (DynoPinningRow *self);
/* @policies: policies; those that do not apply here are shown as well. */
void dyno_pinning_row_set_policies (DynoPinningRow *self, const char *const *policies);

G_END_DECLS
