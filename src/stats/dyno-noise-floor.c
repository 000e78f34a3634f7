/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-hypothesis-tests.h"
#include "dyno-random.h"
#include "dyno-stats.h"

/* A fixed seed gives the same floor for the same values. */
#define SEED    1
#define N_PAIRS 4000

/* The percentile of the drawn pairs. Twenty processes do not show the whole variation of a machine: up to 5
 * % of new pairs are beyond this percentile (from ten processes 7 %), whether the processes are normally
 * distributed, skewed, heavy-tailed or in two modes. Dividing the processes instead of drawing them again,
 * as an exact test would, leaves 9 % (19 %) beyond the 95th percentile. */
#define PERCENT 97.5

static double
draw_median (DynoRandom *random, const double *values, gsize n, double *group, gsize size)
{
  for (gsize i = 0; i < size; i++)
    group[i] = values[dyno_random_below (random, (guint32)n)];
  dyno_stats_sort (group, size);
  return dyno_stats_percentile (group, size, 50);
}

double
dyno_stats_noise_floor (const double *values, gsize n, gsize size)
{
  g_autofree double *differences = g_new (double, N_PAIRS);
  g_autofree double *group = g_new (double, MAX (size, 1));
  DynoRandom random;

  if (size == 0 || n < 2 * size || n > G_MAXUINT32)
    return NAN;
  for (gsize i = 0; i < n; i++)
    if (!isfinite (values[i]) || values[i] <= 0)
      return NAN;
  dyno_random_init (&random, SEED);
  for (gsize i = 0; i < N_PAIRS; i++)
    {
      double ratio =
          draw_median (&random, values, n, group, size) / draw_median (&random, values, n, group, size);

      differences[i] = MAX (ratio, 1 / ratio) - 1;
    }
  dyno_stats_sort (differences, N_PAIRS);
  return dyno_stats_percentile (differences, N_PAIRS, PERCENT);
}
