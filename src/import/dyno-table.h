/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-file.h"
#include "dyno-record.h"

G_BEGIN_DECLS

/**
 * DynoTable:
 *
 * The rows of a CSV file by the names in its first row, read one by one. Fields are quoted as in RFC 4180,
 * and may contain line ends; empty lines are skipped. A row with another number of fields than the first
 * one is refused. If a spreadsheet saved a table of commas with “;” between fields, its numbers may have
 * decimal commas.
 */
typedef struct _DynoTable DynoTable;

/* Returns the delimiter in the text: spreadsheets of many countries save commas as “;”. */
char dyno_table_find_delimiter (const char *head, char usual);
/* Returns the fields of the next row that is not empty; NULL at the end, and on an error. The caller owns
 * it. */
GPtrArray *dyno_table_read_row (DynoImportFile *file, char delimiter, guint *line, GError **error);

/* Returns whether all rows were read. */
gboolean dyno_table_read (
    DynoImportFile *file, char delimiter, DynoRecordFunc read_row, gpointer data, GError **error);

/* Returns the table of the file's rows. */
DynoTable *dyno_table_new (DynoImportFile *file, char delimiter, GError **error);
void dyno_table_free (DynoTable *self);
/* Returns whether there was no error. @record: the next row; NULL at the end. */
gboolean dyno_table_next (DynoTable *self, DynoRecord **record, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTable, dyno_table_free)

G_END_DECLS
