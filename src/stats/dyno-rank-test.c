/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "dyno-distributions.h"
#include "dyno-hypothesis-tests.h"
#include "dyno-stats.h"

/* Up to this many values in both samples together, all ways to divide them are counted. */
#define MAX_EXACT_VALUES 40

/* The ranks of both samples together. Ranks are doubled, so that those of ties are whole numbers too. */
typedef struct
{
  gsize n_a;
  gsize n_b;
  double sum_a;
  double ties; /* Σ t³ − t over the values that occur t times */
  guint ranks[MAX_EXACT_VALUES];
} Ranks;

static gboolean
has_nan (const double *sorted, gsize n)
{
  return n == 0 || isnan (sorted[n - 1]);
}

static gsize
count_equal (const double *sorted, gsize n, gsize start, double value)
{
  gsize end = start;

  while (end < n && sorted[end] == value)
    end++;
  return end - start;
}

/* Counts for each sum of ranks the ways to choose as many values as the first sample has with that sum:
 * value by value, the shift algorithm of Streitberg and Röhmel. */
static double *
count_ways (const Ranks *ranks, gsize n_sums)
{
  double *ways = g_new0 (double, (ranks->n_a + 1) * n_sums);

  ways[0] = 1;
  for (gsize i = 0; i < ranks->n_a + ranks->n_b; i++)
    for (gsize chosen = MIN (i + 1, ranks->n_a); chosen > 0; chosen--)
      for (gsize sum = n_sums - 1; sum >= ranks->ranks[i]; sum--)
        ways[chosen * n_sums + sum] += ways[(chosen - 1) * n_sums + sum - ranks->ranks[i]];
  return ways;
}

static double
find_exact_p (const Ranks *ranks)
{
  gsize n = ranks->n_a + ranks->n_b;
  gsize n_sums = n * (n + 1) + 1;
  g_autofree double *ways = count_ways (ranks, n_sums);
  const double *chosen = ways + ranks->n_a * n_sums;
  double below = 0, above = 0, all = 0;

  for (gsize sum = 0; sum < n_sums; sum++)
    {
      all += chosen[sum];
      below += sum <= ranks->sum_a ? chosen[sum] : 0;
      above += sum >= ranks->sum_a ? chosen[sum] : 0;
    }
  return MIN (2 * MIN (below, above) / all, 1);
}

/* Uses the normal distribution with the variance for ties, and half a step for continuity. */
static double
find_normal_p (const Ranks *ranks, double u)
{
  double n = (double)ranks->n_a + ranks->n_b;
  double pairs = (double)ranks->n_a * ranks->n_b;
  double variance = pairs / 12 * (n + 1 - ranks->ties / (n * (n - 1)));
  double distance = fabs (u - pairs / 2) - 0.5;

  if (variance <= 0)
    return 1;
  return MIN (2 * dyno_stats_normal_probability (-distance / sqrt (variance)), 1);
}

static double *
copy_sorted (const double *values, gsize n)
{
  double *sorted = g_memdup2 (values, n * sizeof (double));

  dyno_stats_sort (sorted, n);
  return sorted;
}

gboolean
dyno_stats_rank_test (const double *a, gsize n_a, const double *b, gsize n_b, DynoRankTest *test)
{
  g_autofree double *sorted_a = copy_sorted (a, n_a);
  g_autofree double *sorted_b = copy_sorted (b, n_b);
  double pairs = (double)n_a * n_b;
  Ranks ranks;

  *test = (DynoRankTest){ NAN, NAN, NAN, FALSE };
  if (has_nan (sorted_a, n_a) || has_nan (sorted_b, n_b))
    return FALSE;

  gsize i = 0;
  gsize k = 0;
  ranks = (Ranks){ .n_a = n_a, .n_b = n_b };
  while (i < n_a || k < n_b)
    {
      double value = k == n_b || (i < n_a && sorted_a[i] < sorted_b[k]) ? sorted_a[i] : sorted_b[k];
      gsize n_of_a = count_equal (sorted_a, n_a, i, value);
      gsize n_of_b = count_equal (sorted_b, n_b, k, value);

      /* Ranks the values that equal the next one in either sample; all of them get the mean of their ranks. */
      gsize n_before = i + k;
      gsize n_equal = n_of_a + n_of_b;
      double doubled = 2 * n_before + n_equal + 1;
      ranks.sum_a += doubled * n_of_a;
      ranks.ties += (double)n_equal * n_equal * n_equal - n_equal;
      for (gsize last = n_before; last < MIN (n_before + n_equal, MAX_EXACT_VALUES); last++)
        ranks.ranks[last] = doubled;
      i += n_of_a;
      k += n_of_b;
    }

  test->u = ranks.sum_a / 2 - n_a * (n_a + 1.0) / 2;
  test->delta = 2 * test->u / pairs - 1;
  test->is_exact = n_a + n_b <= MAX_EXACT_VALUES;
  test->p = test->is_exact ? find_exact_p (&ranks) : find_normal_p (&ranks, test->u);
  return TRUE;
}
