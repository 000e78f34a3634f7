/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-quantiles.h"

/* Longer stretches are first narrowed down by a sample. */
#define SAMPLED 600

static void
swap (double *values, gssize a, gssize b)
{
  double value = values[a];

  values[a] = values[b];
  values[b] = value;
}

static void select_rank (double *values, gssize left, gssize right, gssize rank);

/* Puts a good pivot in the place of the rank: that of a sample, a little to the safe side. */
static void
narrow (double *values, gssize left, gssize right, gssize rank)
{
  double n = right - left + 1;
  double i = rank - left + 1;
  double z = log (n);
  double s = 0.5 * exp (2 * z / 3);
  double deviation = 0.5 * sqrt (z * s * (n - s) / n) * (i < n / 2 ? -1 : 1);

  select_rank (values, MAX (left, (gssize)(rank - i * s / n + deviation)),
               MIN (right, (gssize)(rank + (n - i) * s / n + deviation)), rank);
}

/* Floyd and Rivest, “Algorithm 489: SELECT”, 1975: the value of the rank comes to its place, what is less before it and
 * what is greater behind. */
static void
select_rank (double *values, gssize left, gssize right, gssize rank)
{
  while (right > left)
    {
      gssize i = left;
      gssize j = right;
      double pivot;

      if (right - left > SAMPLED)
        narrow (values, left, right, rank);
      pivot = values[rank];
      swap (values, left, rank);
      if (values[right] > pivot)
        swap (values, left, right);
      while (i < j)
        {
          swap (values, i++, j--);
          while (values[i] < pivot)
            i++;
          while (values[j] > pivot)
            j--;
        }
      if (values[left] == pivot)
        swap (values, left, j);
      else
        swap (values, ++j, right);
      left = j <= rank ? j + 1 : left;
      right = rank <= j ? j - 1 : right;
    }
}

static double
find_least (const double *values, guint first, guint end)
{
  double least = values[first];

  for (guint i = first + 1; i < end; i++)
    least = MIN (least, values[i]);
  return least;
}

/**
 * dyno_quantiles_find:
 * @values: finite values, which are put in another order
 * @n: how many there are, at least one
 * @percents: which percentiles, from 0 to 100, growing
 * @n_percents: how many of them
 * @quantiles: (out caller-allocates): the percentiles
 *
 * Finds what [func@Dyno.stats_percentile] does of sorted values, in linear time.
 */
void
dyno_quantiles_find (double *values, guint n, const double *percents, guint n_percents, double *quantiles)
{
  guint first = 0;

  for (guint i = 0; i < n_percents; i++)
    {
      double position = (n - 1) * (percents[i] / 100);
      guint rank = MIN ((guint)position, n - 1);
      double next;

      select_rank (values, first, (gssize)n - 1, rank);
      next = rank + 1 < n ? find_least (values, rank + 1, n) : values[rank];
      quantiles[i] = values[rank] + (position - rank) * (next - values[rank]);
      first = rank;
    }
}
