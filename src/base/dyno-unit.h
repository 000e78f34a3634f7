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

void dyno_unit_choose (const char *unit, double magnitude, DynoUnit *chosen);
char *dyno_unit_format (double value, const char *unit);
char *dyno_unit_format_number (double value, int decimals);
char *dyno_unit_format_significant (double value);
char *dyno_unit_format_exact (double value);
char *dyno_unit_format_plain (double value);
char *dyno_unit_format_ratio (double ratio);
char *dyno_unit_format_percent (double percent);

G_END_DECLS
