/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-quantity.h"

G_BEGIN_DECLS

char *dyno_cli_format_quantity (double number, const char *unit);
char *dyno_cli_format_value (DynoValue *value);
char *dyno_cli_format_value_in (DynoValue *value, const DynoReportQuantity *quantity);
GStrv dyno_cli_format_column (GArray *numbers, const char *unit);
char *dyno_cli_format_engine (const char *backend_id, const char *device);
char *dyno_cli_format_count (gint64 count);
char *dyno_cli_format_date (gint64 microseconds);
char *dyno_cli_format_duration (double seconds);

G_END_DECLS
