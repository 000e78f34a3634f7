/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoUnit:
 * @factor: the factor for a stored number
 * @name: the unit that belongs to the product
 *
 * A unit in which numbers of one magnitude read well: 0.0032 ms are 3.2 µs.
 */
typedef struct
{
  double factor;
  const char *name;
} DynoUnit;

/* Picks a unit of the same kind that keeps the numbers short. Zero keeps its own unit. @magnitude: the
 * largest of the numbers that are shown together. */
void dyno_unit_choose (const char *unit, double magnitude, DynoUnit *chosen);
/* Returns a text such as `3.21 ms`, with a no-break space, in the unit that reads best. The caller owns it.
 * @unit: the unit in which it is stored, possibly empty. */
char *dyno_unit_format (double value, const char *unit);
/* Returns the number in the format of this locale. The caller owns it. */
char *dyno_unit_format_number (double value, int decimals);
/* Returns the number with three significant digits, all digits of whole thousands, or in powers of ten if it
 * would be too long; a dash if it is not a number. The caller owns it. */
char *dyno_unit_format_significant (double value);
/* Returns the number with up to ten significant digits, for numbers that people set themselves. The caller
 * owns it. */
char *dyno_unit_format_exact (double value);
/* Returns the number with at least four significant digits if it has them, and without powers of ten or
 * thousands separators, for sentences that are kept with a result. The caller owns it. */
char *dyno_unit_format_plain (double value);
/* Returns the ratio as a factor, for a sentence. The caller owns it. */
char *dyno_unit_format_ratio (double ratio);
/* Returns the number for a sentence, with two significant digits; never shows a positive number as 0. The
 * caller owns it. @percent: a share in per cent, not negative. */
char *dyno_unit_format_percent (double percent);
/* Returns the duration as people say it, such as “2 min 5 s”. The caller owns it. */
char *dyno_unit_format_duration (double seconds);

G_END_DECLS
