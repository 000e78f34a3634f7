/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoReportQuantity:
 * @factor: the factor for stored numbers
 * @unit: (nullable): the unit of the products; NULL if each number has its own
 *
 * The display unit of the numbers of a column.
 */
typedef struct
{
  double factor;
  const char *unit;
} DynoReportQuantity;

/* Picks the unit in which the values are stored, a smaller one if the smallest value would be hard to read, a
 * larger one if all would be, and a separate unit for each number if they are too far apart. @least: the
 * smallest absolute value other than zero. @quantity: the display unit; valid as long as @unit. */
void dyno_report_quantity_choose_between (const char *unit,
                                          double least,
                                          double most,
                                          DynoReportQuantity *quantity);
/* Like dyno_report_quantity_choose_between(); numbers of different kinds get separate units. Items are named
 * after the input of the models. @quantity: the display unit; valid as long as @results. */
void dyno_report_quantity_choose (GListModel *results, const char *metric, DynoReportQuantity *quantity);
/* Returns the title of a column, with the unit if all numbers share it. */
char *dyno_report_quantity_dup_title (const DynoReportQuantity *self, const char *title);
/* Returns the number in the format of its column. The caller owns it. */
char *dyno_report_quantity_format (const DynoReportQuantity *self, double number, const char *unit);
/* Returns the number with the unit in which it reads best. The caller owns it. */
char *dyno_report_quantity_format_value (DynoValue *value);

G_END_DECLS
