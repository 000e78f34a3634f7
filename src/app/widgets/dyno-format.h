/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Numbers, dates and names for people, in their locale. */

/* Returns @number with the significant digits of a measurement; a dash if it is not finite. The caller owns
 * it. */
char *dyno_format_number (double number);
/* Returns the number and its unit, scaled to read best; a dash if there is no number. The caller owns it.
 * @unit: the unit as values name it, empty for none. */
char *dyno_format_quantity (double number, const char *unit);
/* Returns @milliseconds in µs, ms or s, whichever reads best. The caller owns it. */
char *dyno_format_latency (double milliseconds);
/* Returns the number and unit of the value; a dash if there is no number. The caller owns it. @value may be
 * NULL. */
char *dyno_format_value (DynoResult *result, DynoValue *value);
/* Returns @count with the locale's separators. The caller owns it. */
char *dyno_format_count (gint64 count);
/* Returns @bytes in MB (10⁶ bytes) or a similar unit. The caller owns it. */
char *dyno_format_bytes (gint64 bytes);
/* Returns @seconds as people say it. The caller owns it. */
char *dyno_format_duration (double seconds);
/* Returns the date, relative to now. The caller owns it. @microseconds: µs since 1970 UTC, 0 for never. */
char *dyno_format_date (gint64 microseconds);
/* Returns the difference between two numbers of this ratio, in per cent; a dash if @ratio is not finite. The
 * caller owns it. */
char *dyno_format_difference (double ratio);
/* Returns a remark on the quality; NULL if the value is simply measured or missing. */
const char *dyno_format_quality (DynoQuality quality);
/* Returns an icon name for the state. */
const char *dyno_format_state_icon (DynoCaseState state);
/* Returns the style class that colours the icon. */
const char *dyno_format_state_css_class (DynoCaseState state);

G_END_DECLS
