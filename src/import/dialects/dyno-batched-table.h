/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-builder.h"
#include "dyno-record.h"

G_BEGIN_DECLS

/**
 * DynoBatchedTable:
 * @settings: (nullable): the settings of the tables that follow, as the program prints them
 * @names: (nullable): the columns of the table that is being read
 * @model: (nullable): the model that a document names above its tables
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
/* Returns whether a table of llama-batched-bench begins with it. */
gboolean dyno_batched_table_is_heading (const char *text);
/* Returns whether a table of llama-bench begins with it; others may have tables of models as well. */
gboolean dyno_batched_table_is_of_llama_bench (const char *text);
/* Any other line ends a table, but for one that is no row at all, which a program may print while it runs.
 * Returns whether the line was as it should be. @test (nullable): the test, where the line is a row of
 * such a table. */
gboolean dyno_batched_table_take_line (
    DynoBatchedTable *self, const char *text, guint line, DynoRecord **test, GError **error);
/* Returns whether it was as it should be. @record: a test, with the names that the program has in JSON. */
gboolean dyno_batched_table_read_test (DynoImportBuilder *builder, DynoRecord *record, GError **error);
/* Returns the cells of the row. The caller owns it. */
GStrv dyno_batched_table_split_row (const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoBatchedTable, dyno_batched_table_clear)

G_END_DECLS
