/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-builder.h"
#include "dyno-record.h"

G_BEGIN_DECLS

/**
 * DynoBatchedTable:
 * @settings: (nullable): the settings of the next tables, as the program prints them
 * @names: (nullable): the columns of the current table
 * @model: (nullable): the model that the document names above its tables
 *
 * The tables of llama-batched-bench in a text, read line by line. Zero it before the first line.
 */
typedef struct
{
  char *settings;
  GStrv names;
  char *model;
} DynoBatchedTable;

void dyno_batched_table_clear (DynoBatchedTable *self);
/* Returns whether the text is the heading of a table of llama-batched-bench. */
gboolean dyno_batched_table_is_heading (const char *text);
/* Returns whether the text is the heading of a table of llama-bench; other programs print tables of models,
 * too. */
gboolean dyno_batched_table_is_of_llama_bench (const char *text);
/* Any other line ends a table, except one that is not a row, which a program may print while it runs.
 * Returns whether the line was valid. @test (nullable): the test, if the line is a row of such a table. */
gboolean dyno_batched_table_take_line (
    DynoBatchedTable *self, const char *text, guint line, DynoRecord **test, GError **error);
/* Returns whether the test was valid. @record: a test, with the field names of the program's JSON. */
gboolean dyno_batched_table_read_test (DynoImportBuilder *builder, DynoRecord *record, GError **error);
/* Returns the cells of the row. The caller owns it. */
GStrv dyno_batched_table_split_row (const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoBatchedTable, dyno_batched_table_clear)

G_END_DECLS
