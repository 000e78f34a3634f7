/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_NUMBERS_ROW (dyno_numbers_row_get_type ())

/**
 * DynoNumbersRow:
 *
 * An entry of whole numbers, such as “1, 2, 4, 8”. Properties: `minimum`, `maximum` (uint) and `optional`
 * (boolean: whether it may be empty), read-write; `problem` (nullable string, read-only): the error in the
 * text, as a sentence.
 */
G_DECLARE_FINAL_TYPE (DynoNumbersRow, dyno_numbers_row, DYNO, NUMBERS_ROW, AdwEntryRow)

const char *dyno_numbers_row_get_problem (DynoNumbersRow *self);
/* Returns the words between commas and spaces, numbers or not. */
char **dyno_numbers_row_dup_numbers (DynoNumbersRow *self);
/* Fills the entry. @numbers may be NULL. */
void dyno_numbers_row_set_numbers (DynoNumbersRow *self, const char *const *numbers);

G_END_DECLS
