/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-quantity.h"

G_BEGIN_DECLS

/* Returns the number and its unit, scaled to read best. The caller owns it. */
char *dyno_cli_format_quantity (double number, const char *unit);
/* Like dyno_cli_format_value_in(), in the unit that reads best. The caller owns it. @value may be NULL. */
char *dyno_cli_format_value (DynoValue *value);
/* Returns the number and unit, after a “~” if it is unsteady and a “←” if it is imported; a dash if there is
 * no number; empty if there is no value. The caller owns it. @value may be NULL. @quantity: the unit of the
 * column's numbers. */
char *dyno_cli_format_value_in (DynoValue *value, const DynoReportQuantity *quantity);
/* Returns a text for each number, all in the unit that reads best; empty if there is no number. The caller
 * owns it. @numbers holds double. */
GStrv dyno_cli_format_column (GArray *numbers, const char *unit);
/* Returns the name of the engine, with the device if the name does not identify it. The caller owns it.
 * @device may be NULL. */
char *dyno_cli_format_engine (const char *backend_id, const char *device);
/* Returns the number in the format of the locale. The caller owns it. */
char *dyno_cli_format_count (gint64 count);
/* Returns the local date and time in a format that sorts as text. The caller owns it. @microseconds: µs since
 * 1970 UTC, 0 for never. */
char *dyno_cli_format_date (gint64 microseconds);
/* Returns minutes and seconds, with hours if there are any. The caller owns it. */
char *dyno_cli_format_duration (double seconds);

G_END_DECLS
