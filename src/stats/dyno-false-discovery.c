/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "dyno-hypothesis-tests.h"

static int
compare_pointed (const void *a, const void *b)
{
  double x = **(const double *const *)a;
  double y = **(const double *const *)b;

  return (x > y) - (x < y);
}

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
