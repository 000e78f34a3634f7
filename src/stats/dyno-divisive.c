/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-random.h"
#include "dyno-stats.h"
#include "dyno-time-series.h"

/* The minimum length of a level: a single outlier is not a new level. */
#define MIN_LEVEL 3

#define N_PERMUTATIONS 199

/* The rounding error of a sum, as a share of its value. */
#define ROUNDING 1e-12

/* A stretch of the series in ranks: two sums then give the distance of a value from all earlier ones. */
typedef struct
{
  gsize n;
  double smallest;
  double *sorted;  /* less the smallest value: sums of equal values are then exact */
  double *totals;  /* by rank: the sum of the distances of the value from all others */
  guint32 *counts; /* Fenwick trees over the ranks: the number of entered values, and their sum */
  double *sums;
} Stretch;

typedef struct
{
  gsize length; /* of the first part */
  double distance;
} Division;

static void
stretch_clear (Stretch *stretch)
{
  g_free (stretch->sorted);
  g_free (stretch->totals);
  g_free (stretch->counts);
  g_free (stretch->sums);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stretch, stretch_clear)

static void
stretch_init (Stretch *stretch, const double *values, gsize n)
{
  double below = 0, all = 0;

  stretch->n = n;
  stretch->sorted = g_memdup2 (values, n * sizeof (double));
  stretch->totals = g_new (double, n);
  stretch->counts = g_new (guint32, n + 1);
  stretch->sums = g_new (double, n + 1);
  dyno_stats_sort (stretch->sorted, n);
  stretch->smallest = stretch->sorted[0];
  for (gsize i = 0; i < n; i++)
    {
      stretch->sorted[i] -= stretch->smallest;
      all += stretch->sorted[i];
    }
  for (gsize i = 0; i < n; i++)
    {
      double value = stretch->sorted[i];

      stretch->totals[i] = value * i - below + (all - below - value) - value * (n - i - 1);
      below += value;
    }
}

/* Enters a value and returns the sum of its distances from all values entered before, whose sum is given.
 **/
static double
stretch_enter (Stretch *stretch, guint32 rank, gsize n_before, double sum_before)
{
  double value = stretch->sorted[rank];
  double sum_below = 0;
  gsize n_below = 0;

  for (gsize i = rank; i > 0; i &= i - 1)
    {
      n_below += stretch->counts[i];
      sum_below += stretch->sums[i];
    }
  for (gsize i = rank + 1; i <= stretch->n; i += i & -i)
    {
      stretch->counts[i]++;
      stretch->sums[i] += value;
    }
  return value * n_below - sum_below + (sum_before - sum_below) - value * (n_before - n_below);
}

/* Finds the division with the largest energy distance between the values before and after it. The three
 * sums of distances, within the first part, within the second and across, are updated as each value moves
 * from the second part to the first. */
static Division
stretch_divide (Stretch *stretch, const guint32 *order)
{
  Division best = { 0, -INFINITY };
  double first = 0, across = 0, second = 0, sum = 0;

  memset (stretch->counts, 0, (stretch->n + 1) * sizeof (guint32));
  memset (stretch->sums, 0, (stretch->n + 1) * sizeof (double));
  for (gsize i = 0; i < stretch->n; i++)
    second += stretch->totals[i] / 2;
  for (gsize length = 1; length + MIN_LEVEL <= stretch->n; length++)
    {
      guint32 rank = order[length - 1];
      double n = length;
      double m = stretch->n - length;
      double near = stretch_enter (stretch, rank, length - 1, sum);
      double far = stretch->totals[rank] - near;
      double distance;

      first += near;
      second -= far;
      across += far - near;
      sum += stretch->sorted[rank];
      distance = n * m / (n + m) * (2 * across / (n * m) - 2 * first / (n * n) - 2 * second / (m * m));
      if (length >= MIN_LEVEL && distance > best.distance)
        best = (Division){ length, distance };
    }
  return best;
}

/* Returns whether hardly any order of the same values would be divided as well; gives up as soon as too
 * many are. */
static gboolean
is_significant (Stretch *stretch, guint32 *order, double distance, double significance, DynoRandom *random)
{
  double rounding = ROUNDING * stretch->n * stretch->sorted[stretch->n - 1];
  guint n_as_good = 1;

  for (guint i = 0; i < N_PERMUTATIONS && n_as_good <= significance * (N_PERMUTATIONS + 1); i++)
    {
      for (gsize last = stretch->n - 1; last > 0; last--)
        {
          guint32 k = dyno_random_below (random, last + 1);
          guint32 kept = order[last];
          order[last] = order[k];
          order[k] = kept;
        }
      n_as_good += stretch_divide (stretch, order).distance >= distance - rounding;
    }
  return n_as_good <= significance * (N_PERMUTATIONS + 1);
}

static void
divide (
    const double *values, gsize start, gsize end, double significance, DynoRandom *random, GArray *changes)
{
  g_auto (Stretch) stretch = { 0 };
  g_autofree guint32 *order = NULL;
  Division best;
  gsize change;

  if (end - start < 2 * MIN_LEVEL)
    return;
  stretch_init (&stretch, values + start, end - start);

  /* Equal values get ranks in turn; their order does not matter. */
  g_autofree guint32 *n_taken = g_new0 (guint32, stretch.n);
  order = g_new (guint32, stretch.n);

  for (gsize i = 0; i < stretch.n; i++)
    {
      gsize low = 0;
      gsize high = stretch.n;

      while (low < high)
        {
          gsize middle = (low + high) / 2;

          if (stretch.sorted[middle] < (values + start)[i] - stretch.smallest)
            low = middle + 1;
          else
            high = middle;
        }
      order[i] = low + n_taken[low]++;
    }

  best = stretch_divide (&stretch, order);
  if (!is_significant (&stretch, order, best.distance, significance, random))
    return;
  change = start + best.length;
  divide (values, start, change, significance, random, changes);
  g_array_append_val (changes, change);
  divide (values, change, end, significance, random, changes);
}

GArray *
dyno_stats_divide (const double *values, gsize n, double significance, guint64 seed)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (gsize));
  DynoRandom random;

  dyno_random_init (&random, seed);
  divide (values, 0, n, significance, &random, changes);
  return changes;
}
