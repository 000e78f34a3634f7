/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoSample:
 * @values: (array length=n): the values in the order of time
 * @n: the number of values
 *
 * The values of one process. A case is an array of these, one for each invocation.
 */
typedef struct
{
  const double *values;
  gsize n;
} DynoSample;

/**
 * DynoInterval:
 * @low: lower end
 * @estimate: the figure itself
 * @high: upper end
 *
 * A figure with its uncertainty.
 */
typedef struct
{
  double low;
  double estimate;
  double high;
} DynoInterval;

G_END_DECLS
