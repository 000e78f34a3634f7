/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoUnit:
 * @factor: what a stored number is multiplied with
 * @name: the unit that belongs to the product
 *
 * A unit in which numbers of one magnitude read well: 0.0032 ms are 3.2 µs.
 */
typedef struct
{
  double factor;
  const char *name;
} DynoUnit;

/* Picks a unit of the same kind that keeps the numbers short. Zero stays in its own unit. @magnitude: the
 * largest of the numbers that will be shown together. */
void dyno_unit_choose (const char *unit, double magnitude, DynoUnit *chosen);
/* Returns such as `3.21 ms`, with a no-break space, in the unit that reads best. The caller owns it.
 * @unit: the unit in which it is stored, possibly empty. */
char *dyno_unit_format (double value, const char *unit);
/* Returns the number as people of this locale write it. The caller owns it. */
char *dyno_unit_format_number (double value, int decimals);
/* Returns the number with three significant digits, all digits of whole thousands, or in powers of ten
 * where it would be too long; a dash for what is no number. The caller owns it. */
char *dyno_unit_format_significant (double value);
/* Returns the number with as many of its first ten digits as it has, for what people set themselves. The
 * caller owns it. */
char *dyno_unit_format_exact (double value);
/* Returns the number with four significant digits at least, as far as it has them, and without powers of
 * ten or separators of thousands, for sentences that are kept with a result. The caller owns it. */
char *dyno_unit_format_plain (double value);
/* Returns how many times that is, for a sentence. The caller owns it. */
char *dyno_unit_format_ratio (double ratio);
/* Returns the number for a sentence, with two significant digits; what is there is never shown as 0. The
 * caller owns it. @percent: a share in per cent, not below zero. */
char *dyno_unit_format_percent (double percent);

G_END_DECLS
