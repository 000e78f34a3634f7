/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoCliTable:
 *
 * Rows of text in aligned columns, under headings; a column without any text is left out, and a unit shared
 * by all numbers of a column is in its heading.
 */
typedef struct _DynoCliTable DynoCliTable;

/* Returns a table without rows. @columns: a letter for each column, `l` for left, `r` for right, `w` for
 * sentences that may be wrapped, `p` for parts of a case; a capital marks a setting; a following digit gives
 * the order in which columns are dropped if there is no room, 9 first; a column without a digit stays. @...:
 * the headings, NULL-terminated. */
DynoCliTable *dyno_cli_table_new (const char *columns, ...) G_GNUC_NULL_TERMINATED;
void dyno_cli_table_free (DynoCliTable *self);
/* @...: a text for each column, NULL-terminated; an empty text leaves the cell blank. Takes @.... */
void dyno_cli_table_take_row (DynoCliTable *self, ...) G_GNUC_NULL_TERMINATED;
/* Appends a column. Takes @cells. */
void dyno_cli_table_take_column (DynoCliTable *self, const char *column, const char *heading, GStrv cells);
/* @words: the text of the last column above the table if all rows share its value; none if empty. Takes
 * @words. */
void dyno_cli_table_take_words (DynoCliTable *self, char *words);
/* @note: an explanation of the last column, printed below the table if the column is shown. Takes @note. */
void dyno_cli_table_take_note (DynoCliTable *self, char *note);
/* If a table is too wide, the settings that all rows share first go to a line above it, then columns are
 * dropped in the order of their digits. If it still does not fit, each row becomes a card with a line per
 * column. Returns the lines, each ending in a newline. The caller owns it. @terminal_width: the width of the
 * terminal, 0 for no limit. */
char *dyno_cli_table_to_string (DynoCliTable *self, guint terminal_width);
/* Prints the table to fit the terminal, or in full with `--wide`. */
void dyno_cli_table_print (DynoCliTable *self);
/* Returns the options of every command that prints tables. */
const GOptionEntry *dyno_cli_table_get_entries (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliTable, dyno_cli_table_free)

G_END_DECLS
