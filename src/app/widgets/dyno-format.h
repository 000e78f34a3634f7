/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Numbers, dates and names as people read them, in their own locale. */

/* Returns @number with as many digits as a measurement here deserves. The caller owns it. */
char *dyno_format_number (double number);
/* Returns both in words, in the unit that reads best; a dash where there is no number. The caller owns it.
 * @unit: its unit as values carry it, empty for none. */
char *dyno_format_quantity (double number, const char *unit);
/* Returns @milliseconds in µs, ms or s, whichever reads best. The caller owns it. */
char *dyno_format_latency (double milliseconds);
/* Returns its number and unit, or a dash where there is no number. The caller owns it. @value may be NULL. */
char *dyno_format_value (DynoResult *result, DynoValue *value);
/* Returns @count with the locale's separators. The caller owns it. */
char *dyno_format_count (gint64 count);
/* Returns @bytes in MB of 10⁶ and their like. The caller owns it. */
char *dyno_format_bytes (gint64 bytes);
/* Returns @seconds as a person would say it. The caller owns it. */
char *dyno_format_duration (double seconds);
/* Returns when that was, seen from now. The caller owns it. @microseconds: µs since 1970 UTC, 0 for never. */
char *dyno_format_date (gint64 microseconds);
/* Returns by how many per cent the one is above or below the other. The caller owns it. */
char *dyno_format_difference (double ratio);
/* Returns what to say beside a number of it; NULL for one that is simply measured, and where there is
 * none. */
const char *dyno_format_quality (DynoQuality quality);
/* Returns the name of an icon for it. */
const char *dyno_format_state_icon (DynoCaseState state);
/* Returns the style class that colours its icon. */
const char *dyno_format_state_css_class (DynoCaseState state);

G_END_DECLS
