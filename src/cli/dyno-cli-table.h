/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoCliTable:
 *
 * Rows of text in aligned columns, under headings; a column without any text is left out, and a unit that all numbers
 * of a column have stands in its heading.
 */
typedef struct _DynoCliTable DynoCliTable;

/* Returns a table without rows. @columns: a letter for each column, `l` for left, `r` for right, `w` for
 * sentences that may be wrapped, `p` for parts of a case; a capital for a setting; a digit behind it says
 * how soon it is dropped where there is no room, 9 first; without one it stays. @...: its headings,
 * NULL-terminated. */
DynoCliTable *dyno_cli_table_new (const char *columns, ...) G_GNUC_NULL_TERMINATED;
void dyno_cli_table_free (DynoCliTable *self);
/* @...: a text for each column, NULL-terminated; an empty one leaves the place blank. Takes @.... */
void dyno_cli_table_take_row (DynoCliTable *self, ...) G_GNUC_NULL_TERMINATED;
/* Adds a column behind the others. Takes @cells. */
void dyno_cli_table_take_column (DynoCliTable *self, const char *column, const char *heading, GStrv cells);
/* @words: what is said of it above the table where it is the same in all rows; nothing if empty. Takes
 * @words. */
void dyno_cli_table_take_words (DynoCliTable *self, char *words);
/* @note: what its last column is, which is said below the table where the column is shown. Takes @note. */
void dyno_cli_table_take_note (DynoCliTable *self, char *note);
/* A table that is too wide first has the settings that all rows share in a line above it, then loses
 * columns in the order of their digits. Where the others are still too wide, each row becomes a card with
 * a line for each column. Returns its lines, each ended. The caller owns it. @terminal_width: how wide the
 * terminal is, 0 where there is no limit. */
char *dyno_cli_table_to_string (DynoCliTable *self, guint terminal_width);
/* Prints it as the terminal has room for, or whole with `--wide`. */
void dyno_cli_table_print (DynoCliTable *self);
/* Returns the options of every command that prints tables. */
const GOptionEntry *dyno_cli_table_get_entries (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliTable, dyno_cli_table_free)

G_END_DECLS
