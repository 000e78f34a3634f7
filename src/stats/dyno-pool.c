/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-pool.h"
#include "dyno-stats.h"
#include "dyno-time-series.h"

/* Half of a 95 % interval, in standard errors. */
#define INTERVAL_POINT 1.959963984540054

/* Counts of a block are 16 bits wide, so that a processor multiplies many at once. */
#define MAX_BLOCK_LENGTH G_MAXINT16

/* The number of stretches into which the sorted values are divided for a search, and their least length. */
#define N_MARKS    128
#define MIN_STRIDE 8

typedef struct
{
  double value;
  guint32 block;
} Entry;

void
dyno_pool_free (DynoPool *pool)
{
  g_free (pool->sorted);
  g_free (pool->owners);
  g_free (pool->first_blocks);
  g_free (pool->block_lengths);
  g_free (pool->below);
  g_free (pool->weights);
  g_free (pool);
}

static int
compare_entries (const void *a, const void *b)
{
  double x = ((const Entry *)a)->value;
  double y = ((const Entry *)b)->value;

  return (x > y) - (x < y);
}

/* Cuts the groups into consecutive blocks. */
static void
pool_cut (DynoPool *pool, const DynoSample *groups, gsize max_blocks, Entry *entries)
{
  gsize n_blocks = 0;
  gsize n = 0;

  for (gsize g = 0; g < pool->n_groups; g++)
    {
      const DynoSample *group = &groups[g];
      gsize most = group->n / dyno_stats_block_length (group->values, group->n);
      gsize count = MAX (MIN (most, max_blocks), group->n / MAX_BLOCK_LENGTH + 1);

      pool->block_lengths = g_renew (guint32, pool->block_lengths, n_blocks + count);
      pool->first_blocks[g] = n_blocks;
      for (gsize block = 0; block < count; block++)
        {
          gsize start = block * groups[g].n / count;
          gsize end = (block + 1) * groups[g].n / count;

          pool->block_lengths[n_blocks + block] = end - start;
          for (gsize i = start; i < end; i++)
            entries[n++] = (Entry){ groups[g].values[i], n_blocks + block };
        }
      n_blocks += count;
    }
  pool->first_blocks[pool->n_groups] = n_blocks;
}

static gsize
pool_get_n_blocks (const DynoPool *pool)
{
  return pool->first_blocks[pool->n_groups];
}

/* Counts at marks, so that a rank is found by bisection instead of a full count. */
static void
pool_mark (DynoPool *pool)
{
  gsize n_blocks = pool_get_n_blocks (pool);
  g_autofree gint16 *counts = g_new0 (gint16, n_blocks);

  pool->stride = MAX (MIN_STRIDE, pool->n / N_MARKS + 1);
  pool->n_marks = (pool->n - 1) / pool->stride + 1;
  pool->below = g_new (gint16, pool->n_marks * n_blocks);
  for (gsize i = 0; i < pool->n; i++)
    {
      if (i % pool->stride == 0)
        memcpy (pool->below + i / pool->stride * n_blocks, counts, n_blocks * sizeof (gint16));
      counts[pool->owners[i]]++;
    }
}

/* Returns the variance of the median of a group, from the width of its interval; 0 for too few values. */
static double
find_error (const DynoSample *group, double *median)
{
  g_autofree double *sorted = g_memdup2 (group->values, group->n * sizeof (double));
  double n_effective = dyno_stats_effective_size (group->values, group->n);
  double low, high;

  dyno_stats_sort (sorted, group->n);
  *median = dyno_stats_percentile (sorted, group->n, 50);
  if (!dyno_stats_median_interval (sorted, group->n, n_effective, &low, &high))
    return 0;
  return pow ((high - low) / (2 * INTERVAL_POINT), 2);
}

/* Each group has at least one value, and only finite ones. */
static DynoPool *
pool_new (const DynoSample *groups, gsize n_groups, gsize max_blocks)
{
  DynoPool *pool = g_new0 (DynoPool, 1);
  g_autofree Entry *entries = NULL;
  g_autofree double *medians = g_new (double, n_groups);
  g_autofree double *errors = g_new (double, n_groups);

  for (gsize g = 0; g < n_groups; g++)
    {
      pool->n += groups[g].n;
      errors[g] = find_error (&groups[g], &medians[g]);
    }
  entries = g_new (Entry, pool->n);
  pool->n_groups = n_groups;
  pool->first_blocks = g_new (gsize, n_groups + 1);
  pool->is_independent = n_groups == 1 && dyno_stats_block_length (groups[0].values, groups[0].n) == 1;
  pool->within = dyno_stats_mean (errors, n_groups);
  pool->between = n_groups > 1 ? pow (dyno_stats_standard_deviation (medians, n_groups), 2) : pool->within;
  dyno_stats_sort (medians, n_groups);
  pool->lowest = medians[0];
  pool->highest = medians[n_groups - 1];
  pool_cut (pool, groups, max_blocks, entries);
  qsort (entries, pool->n, sizeof (Entry), compare_entries);
  pool->sorted = g_new (double, pool->n);
  pool->owners = g_new (guint32, pool->n);
  for (gsize i = 0; i < pool->n; i++)
    {
      pool->sorted[i] = entries[i].value;
      pool->owners[i] = entries[i].block;
    }
  pool_mark (pool);
  pool->weights = g_new0 (gint16, pool_get_n_blocks (pool));
  return pool;
}

/* Draws as many blocks as the group has, four from each random number: sixteen bits favour one of so few
 * blocks by less than a hundredth. */
static void
pool_draw_blocks (DynoPool *pool, gsize group, DynoRandom *random)
{
  gsize first = pool->first_blocks[group];
  gsize count = pool->first_blocks[group + 1] - first;
  guint64 bits = 0;

  for (gsize i = 0; i < count; i++)
    {
      gsize block;

      bits = i % 4 == 0 ? dyno_random_next (random) : bits >> 16;
      block = first + ((bits & G_MAXUINT16) * count >> 16);
      pool->weights[block]++;
      pool->n_drawn += pool->block_lengths[block];
    }
}

static gsize
pool_count_below (const DynoPool *pool, gsize mark)
{
  gsize n_blocks = pool_get_n_blocks (pool);
  const gint16 *below = pool->below + mark * n_blocks;
  gint32 count = 0;

  for (gsize i = 0; i < n_blocks; i++)
    count += below[i] * pool->weights[i];
  return count;
}

/* Draws groups first, then blocks within each. Returns the median of the drawn values; for an even number the mean of the
 * two in the middle. */
double
dyno_pool_draw_median (DynoPool *pool, DynoRandom *random)
{
  gsize rank, next_rank, count, i;
  double value;

  memset (pool->weights, 0, pool_get_n_blocks (pool) * sizeof (gint16));
  pool->n_drawn = 0;
  for (gsize g = 0; g < pool->n_groups; g++)
    pool_draw_blocks (pool, pool->n_groups > 1 ? dyno_random_below (random, pool->n_groups) : 0, random);

  rank = (pool->n_drawn - 1) / 2;
  next_rank = pool->n_drawn / 2;

  gsize low = 0;
  gsize high = pool->n_marks;
  count = 0;
  while (high - low > 1)
    {
      gsize middle = (low + high) / 2;
      gsize below = pool_count_below (pool, middle);

      if (below <= rank)
        {
          low = middle;
          count = below;
        }
      else
        high = middle;
    }
  i = low * pool->stride;

  for (count += pool->weights[pool->owners[i]]; count <= rank; count += pool->weights[pool->owners[i]])
    i++;
  value = pool->sorted[i];
  for (; count <= next_rank; count += pool->weights[pool->owners[i]])
    i++;
  return (value + pool->sorted[i]) / 2;
}

/* Returns the median of all values. */
double
dyno_pool_get_median (const DynoPool *pool)
{
  return dyno_stats_percentile (pool->sorted, pool->n, 50);
}

/* (transfer full): the median without each of the values in turn; there are at least two. */
double *
dyno_pool_leave_each_out (const DynoPool *pool)
{
  const double *sorted = pool->sorted;
  gsize low = (pool->n - 2) / 2;
  gsize high = (pool->n - 1) / 2;
  double *medians = g_new (double, pool->n);

  for (gsize i = 0; i < pool->n; i++)
    medians[i] = (sorted[low + (i <= low)] + sorted[high + (i <= high)]) / 2;
  return medians;
}

static void
clear_sample (DynoSample *sample)
{
  g_free ((double *)sample->values);
}

/* (transfer full) (nullable): the numbers of the groups; NULL if there are none; groups without numbers are
 * left out. Each group is cut into at most this many blocks: more add no information and only cost time,
 * and blocks longer than needed are still valid. */
DynoPool *
dyno_pool_new (const DynoSample *groups, gsize n_groups, gsize max_blocks)
{
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (DynoSample));

  g_array_set_clear_func (kept, (GDestroyNotify)clear_sample);
  for (gsize g = 0; g < n_groups; g++)
    {
      const DynoSample *group = &groups[g];
      double *values = g_new (double, group->n);
      DynoSample sample = { values, 0 };
      for (gsize i = 0; i < group->n; i++)
        if (isfinite (group->values[i]))
          values[sample.n++] = group->values[i];

      if (sample.n > 0)
        g_array_append_val (kept, sample);
      else
        clear_sample (&sample);
    }
  return kept->len > 0 ? pool_new ((const DynoSample *)kept->data, kept->len, max_blocks) : NULL;
}
