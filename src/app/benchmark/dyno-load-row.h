/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_LOAD_ROW (dyno_load_row_get_type ())

/**
 * DynoLoadRow:
 *
 * Chooses how requests come: one load or several to compare, their limits, and whether clients share a session. What a
 * plan combines otherwise stands in an entry, as it is written on the command line. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoLoadRow, dyno_load_row, DYNO, LOAD_ROW, AdwExpanderRow)

/* Returns what is wrong with the loads, as a sentence; NULL if there is none. */
const char *dyno_load_row_get_problem (DynoLoadRow *self);
/* Returns the loads to compare, at least one request at a time, as dyno_load_parse_list() takes them. */
char **dyno_load_row_dup_loads (DynoLoadRow *self);
/* @loads: loads, as dyno_load_parse_list() takes them; what is none is shown too. */
void dyno_load_row_set_loads (DynoLoadRow *self, const char *const *loads);

G_END_DECLS
