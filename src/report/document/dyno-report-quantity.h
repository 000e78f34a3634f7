/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoReportQuantity:
 * @factor: what numbers are multiplied with
 * @unit: (nullable): the unit of the products; %NULL where each number has one of its own
 *
 * In which unit the numbers of a column are shown.
 */
typedef struct
{
  double factor;
  const char *unit;
} DynoReportQuantity;

/* Picks the unit in which the values are stored, a smaller one where the least would be hard to read, a
 * larger one where all would be, and one for each number where they lie too far apart for any. @least: the
 * size of the least of them but zero. @quantity: in which unit they are shown; it holds as long as @unit. */
void dyno_report_quantity_choose_between (const char *unit,
                                          double least,
                                          double most,
                                          DynoReportQuantity *quantity);
/* As dyno_report_quantity_choose_between(); numbers that differ in kind have one unit each. An item is
 * called by the word for what the models take. @quantity: in which unit theirs are shown; it holds as long
 * as @results. */
void dyno_report_quantity_choose (GListModel *results, const char *metric, DynoReportQuantity *quantity);
/* Returns the title of a column, with the unit where all numbers have the same. */
char *dyno_report_quantity_dup_title (const DynoReportQuantity *self, const char *title);
/* Returns the number as its column shows it. The caller owns it. */
char *dyno_report_quantity_format (const DynoReportQuantity *self, double number, const char *unit);
/* Returns the number with the unit in which it reads best. The caller owns it. */
char *dyno_report_quantity_format_value (DynoValue *value);

G_END_DECLS
