/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_LOAD_ROW (dyno_load_row_get_type ())

/**
 * DynoLoadRow:
 *
 * Chooses the arrival of requests: one load or several to compare, their limits, and whether clients share a
 * session. Other combinations of a plan appear in an entry, written as on the command line. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoLoadRow, dyno_load_row, DYNO, LOAD_ROW, AdwExpanderRow)

/* Returns the error in the loads, as a sentence; NULL if there is none. */
const char *dyno_load_row_get_problem (DynoLoadRow *self);
/* Returns the loads to compare, as dyno_load_parse_list() takes them: at least one request at a time. */
char **dyno_load_row_dup_loads (DynoLoadRow *self);
/* @loads: loads, as dyno_load_parse_list() takes them; invalid ones are shown as well. */
void dyno_load_row_set_loads (DynoLoadRow *self, const char *const *loads);

G_END_DECLS
