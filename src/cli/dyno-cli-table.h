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

DynoCliTable *dyno_cli_table_new (const char *columns, ...) G_GNUC_NULL_TERMINATED;
void dyno_cli_table_free (DynoCliTable *self);
void dyno_cli_table_take_row (DynoCliTable *self, ...) G_GNUC_NULL_TERMINATED;
void dyno_cli_table_take_column (DynoCliTable *self, const char *column, const char *heading, GStrv cells);
void dyno_cli_table_take_words (DynoCliTable *self, char *words);
void dyno_cli_table_take_note (DynoCliTable *self, char *note);
char *dyno_cli_table_to_string (DynoCliTable *self, guint terminal_width);
void dyno_cli_table_print (DynoCliTable *self);
const GOptionEntry *dyno_cli_table_get_entries (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCliTable, dyno_cli_table_free)

G_END_DECLS
