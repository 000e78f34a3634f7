/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-quantity.h"

G_BEGIN_DECLS

/* Returns both, in the unit that reads best. The caller owns it. */
char *dyno_cli_format_quantity (double number, const char *unit);
/* Returns as of dyno_cli_format_value_in(), in the unit that reads best. The caller owns it. @value may be
 * NULL. */
char *dyno_cli_format_value (DynoValue *value);
/* Returns its number and unit, after a “~” if it is unsteady and a “←” if it is imported; a dash where
 * there is no number; nothing where there is no value. The caller owns it. @value may be NULL. @quantity:
 * in which unit the numbers of its column are shown. */
char *dyno_cli_format_value_in (DynoValue *value, const DynoReportQuantity *quantity);
/* Returns a text for each, all in the unit that reads best; empty where there is no number. The caller
 * owns it. @numbers holds double. */
GStrv dyno_cli_format_column (GArray *numbers, const char *unit);
/* Returns the engine by its name, with the device where the name does not tell it from others. The caller
 * owns it. @device may be NULL. */
char *dyno_cli_format_engine (const char *backend_id, const char *device);
/* Returns the number as people of this locale write it. The caller owns it. */
char *dyno_cli_format_count (gint64 count);
/* Returns the local date and time, which sort as text. The caller owns it. @microseconds: µs since 1970
 * UTC, 0 for never. */
char *dyno_cli_format_date (gint64 microseconds);
/* Returns minutes and seconds, with hours where there are any. The caller owns it. */
char *dyno_cli_format_duration (double seconds);

G_END_DECLS
