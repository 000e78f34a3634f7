/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-load.h"
#include "dyno-random.h"

#define NS_PER_SECOND 1e9

gint64 *
dyno_arrivals_draw (gsize n, double rate, guint64 seed)
{
  g_autofree double *sums = NULL;
  gint64 *arrivals;
  DynoRandom random;
  double sum = 0;

  g_return_val_if_fail (n > 0, NULL);
  g_return_val_if_fail (rate > 0, NULL);

  sums = g_new (double, n);
  arrivals = g_new (gint64, n);
  dyno_random_init (&random, seed);
  /* The uniform number is above 0 and up to 1, in steps of 2⁻⁵³. */
  for (gsize i = 0; i < n; i++)
    sums[i] = sum -= log (((double)(dyno_random_next (&random) >> 11) + 1) * 0x1p-53);
  for (gsize i = 0; i < n; i++)
    arrivals[i] = (gint64)llround (sums[i] / sum * (double)n / rate * NS_PER_SECOND);
  return arrivals;
}
