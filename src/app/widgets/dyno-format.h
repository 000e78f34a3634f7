/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Numbers, dates and names as people read them, in their own locale. */

char *dyno_format_number (double number);
char *dyno_format_quantity (double number, const char *unit);
char *dyno_format_latency (double milliseconds);
char *dyno_format_value (DynoResult *result, DynoValue *value);
char *dyno_format_count (gint64 count);
char *dyno_format_bytes (gint64 bytes);
char *dyno_format_duration (double seconds);
char *dyno_format_date (gint64 microseconds);
char *dyno_format_difference (double ratio);
const char *dyno_format_quality (DynoQuality quality);
const char *dyno_format_state_icon (DynoCaseState state);
const char *dyno_format_state_css_class (DynoCaseState state);

G_END_DECLS
