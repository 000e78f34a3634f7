/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-stats.h"

/* Longer series are searched as this many block means; then each change is located to the sample. */
#define MAX_POINTS 500

/* The minimum length of a level: a shorter one is a disturbance. */
#define MIN_LEVEL_POINTS 3

/* Hampel's filter: the neighbours to each side, and the deviations that it tolerates. */
#define MAX_FILTER_RADIUS 5
#define FILTER_FENCE      3

/* Median absolute deviation to standard deviation, for normal noise. */
#define MAD_TO_DEVIATION 1.4826022185056018

/* Sums from the start up to each point: the squared error of any stretch is one subtraction. */
typedef struct
{
  gsize n;
  double *sums;
  double *squares;
} Sums;

static void
sums_clear (Sums *sums)
{
  g_free (sums->sums);
  g_free (sums->squares);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sums, sums_clear)

static void
sums_init (Sums *sums, const double *values, gsize n)
{
  sums->n = n;
  sums->sums = g_new0 (double, n + 1);
  sums->squares = g_new0 (double, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      double value = values[i] - values[0];

      sums->sums[i + 1] = sums->sums[i] + value;
      sums->squares[i + 1] = sums->squares[i] + value * value;
    }
}

/* Returns the squared error around their own mean of the points from start up to, but not including, end.
 **/
static double
sums_get_error (const Sums *sums, gsize start, gsize end)
{
  double sum = sums->sums[end] - sums->sums[start];

  return sums->squares[end] - sums->squares[start] - sum * sum / (end - start);
}

static double
median_of (double *values, gsize n)
{
  while (n > 0 && isnan (values[n - 1]))
    n--;
  return dyno_stats_percentile (values, n, 50);
}

/* Sorts a few values without the cost of a call for each comparison; NaNs go to the end. */
static void
sort_few (double *values, gsize n)
{
  for (gsize i = 1; i < n; i++)
    {
      double value = values[i];
      gsize k = i;

      for (; k > 0 && (values[k - 1] > value || isnan (values[k - 1])); k--)
        values[k] = values[k - 1];
      values[k] = value;
    }
}

/* Returns the value at the index, or the median around it if it is an outlier or NaN. */
static double
filter_value (const double *values, gsize n, gsize index, gsize radius)
{
  double window[2 * MAX_FILTER_RADIUS + 1];
  gsize start = index > radius ? index - radius : 0;
  gsize length = MIN (n, index + radius + 1) - start;
  double median, deviation;

  for (gsize i = 0; i < length; i++)
    window[i] = values[start + i];
  sort_few (window, length);
  median = median_of (window, length);
  for (gsize i = 0; i < length; i++)
    window[i] = fabs (window[i] - median);
  sort_few (window, length);
  deviation = median_of (window, length) * MAD_TO_DEVIATION;
  return fabs (values[index] - median) <= FILTER_FENCE * deviation ? values[index] : median;
}

static double
find_first_number (const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      return values[i];
  return 0;
}

/* A possible start of the last level of the best partition of the first `end` points, and the cost of the
 * points before it. */
typedef struct
{
  gsize start;
  double cost;
} Candidate;

/* Finds the candidate with which the first `end` points cost least, and that cost. */
static Candidate
find_last_change (const Sums *sums, GArray *candidates, gsize end)
{
  Candidate best = { 0, INFINITY };

  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, i);
      double cost = candidate->cost + sums_get_error (sums, candidate->start, end);

      if (cost < best.cost)
        best = (Candidate){ candidate->start, cost };
    }
  return best;
}

/* If a level can begin at `end`, an earlier start whose cost up to there exceeds the least one, even
 * without a further level, can never be the best again. */
static void
prune_candidates (const Sums *sums, GArray *candidates, gsize end, double cost)
{
  guint n_kept = 0;

  for (guint i = 0; i < candidates->len; i++)
    {
      Candidate candidate = g_array_index (candidates, Candidate, i);

      if (candidate.cost + sums_get_error (sums, candidate.start, end) <= cost)
        g_array_index (candidates, Candidate, n_kept++) = candidate;
    }
  g_array_set_size (candidates, n_kept);
}

/* costs[i] is the least cost of the first i points; each further level costs beta. */
static GArray *
partition (const Sums *sums, double beta)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autofree double *costs = g_new0 (double, sums->n + 1);
  g_autofree gsize *changes = g_new0 (gsize, sums->n + 1);
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (gsize end = MIN_LEVEL_POINTS; end <= sums->n; end++)
    {
      Candidate next = { end - MIN_LEVEL_POINTS, costs[end - MIN_LEVEL_POINTS] };
      Candidate best;

      if (next.start >= MIN_LEVEL_POINTS)
        prune_candidates (sums, candidates, next.start, next.cost);
      if (next.start == 0 || next.start >= MIN_LEVEL_POINTS)
        g_array_append_val (candidates, next);
      best = find_last_change (sums, candidates, end);
      changes[end] = best.start;
      costs[end] = best.cost + beta;
    }
  for (gsize start = changes[sums->n]; start > 0; start = changes[start])
    g_array_prepend_val (starts, start);
  return starts;
}

/* Finds the best place for one change between two neighbours, within a block of its first estimate. */
static gsize
place_change (const Sums *sums, gsize previous, gsize change, gsize next, gsize width)
{
  gsize first = MAX (previous + 1, change - width);
  gsize last = MIN (next - 1, change + width);
  double best_error = INFINITY;
  gsize best = change;

  for (gsize i = first; i <= last; i++)
    {
      double error = sums_get_error (sums, previous, i) + sums_get_error (sums, i, next);

      if (error < best_error)
        {
          best_error = error;
          best = i;
        }
    }
  return best;
}

static void
place_changes (GArray *changes, const Sums *sums, gsize width)
{
  gsize previous = 0;

  for (guint i = 0; i < changes->len; i++)
    g_array_index (changes, gsize, i) *= width;
  for (guint i = 0; i < changes->len; i++)
    {
      gsize *change = &g_array_index (changes, gsize, i);
      gsize next = i + 1 < changes->len ? change[1] : sums->n;

      *change = place_change (sums, previous, *change, next, width);
      previous = *change;
    }
}

/* Drops the changes that do not pay for themselves: a block that straddles a change looks like one. */
static void
prune_changes (GArray *changes, const Sums *sums, double beta)
{
  gsize previous = 0;
  guint i = 0;

  while (i < changes->len)
    {
      gsize change = g_array_index (changes, gsize, i);
      gsize next = i + 1 < changes->len ? g_array_index (changes, gsize, i + 1) : sums->n;
      double gain = sums_get_error (sums, previous, next) - sums_get_error (sums, previous, change) -
                    sums_get_error (sums, change, next);

      if (gain > beta)
        {
          previous = change;
          i++;
        }
      else
        {
          g_array_remove_index (changes, i);
        }
    }
}

GArray *
dyno_stats_change_points (const double *values, gsize n, double penalty)
{
  gsize width = (n + MAX_POINTS - 1) / MAX_POINTS;
  gsize n_points = width > 0 ? n / width : 0;
  g_auto (Sums) sums = { 0 };
  g_auto (Sums) point_sums = { 0 };
  g_autofree double *filtered = NULL;
  g_autofree double *points = NULL;
  GArray *changes;
  double noise;
  double beta;

  if (n_points < 2 * MIN_LEVEL_POINTS)
    return g_array_new (FALSE, FALSE, sizeof (gsize));

  gsize radius = CLAMP (n / 10, 2, MAX_FILTER_RADIUS);
  filtered = g_new (double, n);
  double last = find_first_number (values, n);
  for (gsize i = 0; i < n; i++)
    {
      double value = filter_value (values, n, i, radius);

      filtered[i] = last = isfinite (value) ? value : last;
    }

  points = g_new (double, n_points);

  for (gsize i = 0; i < n_points; i++)
    points[i] = dyno_stats_mean (filtered + i * width, width);
  sums_init (&sums, filtered, n);
  sums_init (&point_sums, points, n_points);
  noise = dyno_stats_noise (points, n_points);
  beta = penalty * log (n_points) * noise * noise;
  changes = partition (&point_sums, beta);
  place_changes (changes, &sums, width);
  prune_changes (changes, &sums, beta * width);
  return changes;
}
