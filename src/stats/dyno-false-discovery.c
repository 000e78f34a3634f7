/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "dyno-false-discovery.h"

static int
compare_pointed (const void *a, const void *b)
{
  double x = **(const double *const *)a;
  double y = **(const double *const *)b;

  return (x > y) - (x < y);
}

/**
 * dyno_stats_control_false_discovery:
 * @p: (array length=n): p-values; NaN where no test was made
 * @n: how many there are
 * @adjusted: (array length=n): gets them adjusted, in the same order; NaN stays and is not counted
 *
 * The step-up procedure of Benjamini and Hochberg (“Controlling the False Discovery Rate”, 1995) as adjusted p-values:
 * of all that are at most 0.05 no more than 5 % are false on average, however many tests were made.
 */
void
dyno_stats_control_false_discovery (const double *p, gsize n, double *adjusted)
{
  g_autofree const double **sorted = g_new (const double *, n);
  gsize n_tests = 0;
  double least = 1;

  for (gsize i = 0; i < n; i++)
    {
      adjusted[i] = NAN;
      if (!isnan (p[i]))
        sorted[n_tests++] = &p[i];
    }
  if (n_tests > 0)
    qsort (sorted, n_tests, sizeof (double *), compare_pointed);
  for (gsize rank = n_tests; rank > 0; rank--)
    {
      least = MIN (least, *sorted[rank - 1] * n_tests / rank);
      adjusted[sorted[rank - 1] - p] = least;
    }
}
