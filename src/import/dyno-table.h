/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-file.h"
#include "dyno-record.h"

G_BEGIN_DECLS

/**
 * DynoTable:
 *
 * The rows of a CSV file by the names in its first row, read one by one. Fields are quoted as in RFC 4180, and may hold
 * line ends; empty lines are skipped. A row with another number of fields than the first one is refused. Where a table of
 * commas was saved by a spreadsheet that writes “;” between fields, its numbers may have decimal commas.
 */
typedef struct _DynoTable DynoTable;

char dyno_table_find_delimiter (const char *head, char usual);
GPtrArray *dyno_table_read_row (DynoImportFile *file, char delimiter, guint *line, GError **error);

gboolean dyno_table_read (
    DynoImportFile *file, char delimiter, DynoRecordFunc read_row, gpointer data, GError **error);

DynoTable *dyno_table_new (DynoImportFile *file, char delimiter, GError **error);
void dyno_table_free (DynoTable *self);
gboolean dyno_table_next (DynoTable *self, DynoRecord **record, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTable, dyno_table_free)

G_END_DECLS
