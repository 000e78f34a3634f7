/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"

G_BEGIN_DECLS

/**
 * DynoChartTable:
 *
 * The data of a chart as rows and columns: one column for each dimension in which its cases differ, then
 * their numbers in the units of the chart.
 */
typedef struct _DynoChartTable DynoChartTable;

DynoChartTable *dyno_chart_table_new (void);
void dyno_chart_table_free (DynoChartTable *self);

/* Adds a column for each dimension in which the cases differ, or for their model. @cases holds DynoChartCase.
 * @always: the DynoDimension that have columns even if all cases agree. */
void dyno_chart_table_add_case_columns (DynoChartTable *self, GPtrArray *cases, guint always);
void dyno_chart_table_add_column (DynoChartTable *self, const char *heading);
void dyno_chart_table_add_columns (DynoChartTable *self, ...) G_GNUC_NULL_TERMINATED;
/* Adds a column of numbers in the unit in which the chart shows them. */
void dyno_chart_table_add_quantity (
    DynoChartTable *self, const char *title, const char *unit, double least, double most);
/* Fills the case columns, if there are any. A last column marks rows of doubtful cases. @kase may be NULL. */
void dyno_chart_table_begin_row (DynoChartTable *self, const DynoChartCase *kase);
void dyno_chart_table_add_text (DynoChartTable *self, const char *text);
/* @number: a number in the unit of the column; NaN if there is none. */
void dyno_chart_table_add_number (DynoChartTable *self, double number);

/* Returns its headings and rows as people read them, without empty columns. Elements are GStrv. */
GPtrArray *dyno_chart_table_dup_rows (DynoChartTable *self);
/* Returns the same rows and columns in the format of RFC 4180: numbers in full with a decimal point, lines
 * ending in CR and LF. @separator: the character between cells: a comma for a file, a tab for pasting into a
 * spreadsheet. */
char *dyno_chart_table_dup_text (DynoChartTable *self, char separator);

G_END_DECLS
