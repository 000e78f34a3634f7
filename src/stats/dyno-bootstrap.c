/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-bootstrap.h"
#include "dyno-distributions.h"
#include "dyno-pool.h"
#include "dyno-stats.h"

/* Enough for the tails of an interval over few processes. */
#define N_RESAMPLES 10000

/* The most blocks of a process, if it is the only one and if there are several. */
#define MAX_BLOCKS       256
#define MAX_GROUP_BLOCKS 64

/* With fewer resamples beyond either end, the end is not reliable; the tails are then taken as normal. */
#define N_EDGE 10
/* A smaller ratio of a resample counts as this, since zero has no logarithm. */
#define LEAST_RATIO 1e-9

struct _DynoBootstrap
{
  double *figures; /* sorted */
  gsize n_figures;
  gboolean is_ratio; /* the figures and their deviation are of its logarithm, since a ratio is above zero */
  double estimate;
  double deviation; /* standard deviation of the figures */
  double freedom;   /* degrees of freedom of Student's distribution, for few processes */
  double spread;    /* the factor by which the figures should be further apart */
  double lowest;    /* the limit to which the normal distribution may widen an interval */
  double highest;
  double bias; /* z₀ of BCa */
  double acceleration;
};

static DynoBootstrap *
bootstrap_new (double estimate, gboolean is_ratio)
{
  DynoBootstrap *self = g_new0 (DynoBootstrap, 1);

  self->is_ratio = is_ratio;
  self->figures = g_new (double, N_RESAMPLES);
  self->n_figures = N_RESAMPLES;
  self->estimate = estimate;
  self->freedom = INFINITY;
  self->spread = 1;
  self->lowest = INFINITY;
  self->highest = -INFINITY;
  return self;
}

static double
to_figure (const DynoBootstrap *self, double value)
{
  return self->is_ratio ? log (fmin (fmax (value, LEAST_RATIO), 1 / LEAST_RATIO)) : value;
}

/* Called when all figures are drawn. */
static void
settle_figures (DynoBootstrap *self)
{
  double deviation = dyno_stats_standard_deviation (self->figures, self->n_figures);

  dyno_stats_sort (self->figures, self->n_figures);
  self->deviation = isfinite (deviation) ? deviation : 0;
}

/* Returns the index of the first figure that is at least the value, or with @or_equal above it. */
static gsize
count_figures (const DynoBootstrap *self, double value, gboolean or_equal)
{
  gsize low = 0;
  gsize high = self->n_figures;

  while (low < high)
    {
      gsize middle = (low + high) / 2;

      if (self->figures[middle] < value || (or_equal && self->figures[middle] == value))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static double
get_edge (void)
{
  return dyno_stats_normal_quantile ((double)N_EDGE / N_RESAMPLES);
}

/* Returns the figure at a point of the normal distribution. */
static double
get_figure (const DynoBootstrap *self, double z)
{
  double edge = get_edge ();
  double percent = 100 * dyno_stats_normal_probability (CLAMP (z, edge, -edge));

  return dyno_stats_percentile (self->figures, self->n_figures, percent) +
         self->deviation * (MIN (z - edge, 0) + MAX (z + edge, 0));
}

/* Returns the point of a figure, the inverse of get_figure(); between two figures, or at several equal
 * ones, the share of figures up to @or_equal counts. */
static double
get_point (const DynoBootstrap *self, double value, gboolean or_equal)
{
  double edge = get_edge ();
  double low = get_figure (self, edge);
  double high = get_figure (self, -edge);
  double share = (double)count_figures (self, value, or_equal) / self->n_figures;

  if (value < low)
    return edge - (low - value) / self->deviation;
  if (value > high)
    return -edge + (value - high) / self->deviation;
  return CLAMP (dyno_stats_normal_quantile (share), edge, -edge);
}

/* Adds the variance of the figure of the groups, and the variance of resamples of them. The latter is too
 * small, because fewer different groups are drawn, and too large, because the noise within is already in
 * the groups and is added again. */
static void
add_variances (double between, double within, gsize n_groups, double *variance, double *resampled)
{
  double drawn = n_groups > 1 ? between * (n_groups - 1) / n_groups : 0;

  *variance += between / n_groups;
  *resampled += (drawn + within) / n_groups;
}

/* A few groups do not determine well how much groups differ. */
static void
allow_for_few (DynoBootstrap *self, double variance, double resampled, double freedom)
{
  if (freedom < 1)
    return;
  self->freedom = freedom;
  if (resampled > 0)
    self->spread = sqrt (variance / resampled);
}

/* As shares of the medians, since the figure is their ratio. */
static void
add_relative_variances (const DynoPool *pool, double *variance, double *resampled)
{
  double square = pow (dyno_pool_get_median (pool), 2);

  add_variances (pool->between / square, pool->within / square, pool->n_groups, variance, resampled);
}

static double
get_relative_noise (const DynoPool *pool)
{
  return pool->within / pow (dyno_pool_get_median (pool), 2) / pool->n_groups;
}

/* @within: the variance of such a logarithm of a ratio by the noise within its block */
static void
allow_for_few_ratios (DynoBootstrap *self, const double *ratios, double within, gsize n)
{
  double between = n > 1 ? fmax (within, pow (dyno_stats_standard_deviation (ratios, n), 2)) : within;
  double variance = 0, resampled = 0;

  add_variances (between, within, n, &variance, &resampled);
  allow_for_few (self, variance, resampled, n - 1.0);
}

/* Adds the cubes and squares of the influences of one sample's values, for Efron's acceleration. */
static void
add_influences (const double *figures, gsize n, double *cubes, double *squares)
{
  double mean = dyno_stats_mean (figures, n);

  for (gsize i = 0; i < n; i++)
    {
      double influence = (n - 1) * (mean - figures[i]) / n;

      *squares += influence * influence;
      *cubes += influence * influence * influence;
    }
}

static void
correct_bias (DynoBootstrap *self, double cubes, double squares)
{
  double share = (count_figures (self, self->estimate, FALSE) + count_figures (self, self->estimate, TRUE)) /
                 (2.0 * self->n_figures); /* equal figures count by half */

  if (share <= 0 || share >= 1)
    return;
  self->bias = dyno_stats_normal_quantile (share);
  self->acceleration = squares > 0 ? cubes / (6 * pow (squares, 1.5)) : 0;
}

static void
correct_median_bias (DynoBootstrap *self, const DynoPool *pool)
{
  g_autofree double *figures = NULL;
  double cubes = 0, squares = 0;

  if (!pool->is_independent || pool->n < 2)
    return;
  figures = dyno_pool_leave_each_out (pool);
  add_influences (figures, pool->n, &cubes, &squares);
  correct_bias (self, cubes, squares);
}

static void
correct_ratio_bias (DynoBootstrap *self, const DynoPool *a, const DynoPool *b)
{
  g_autofree double *above = NULL;
  g_autofree double *below = NULL;
  double cubes = 0, squares = 0;

  if (!a->is_independent || !b->is_independent || a->n < 2 || b->n < 2)
    return;
  above = dyno_pool_leave_each_out (a);
  below = dyno_pool_leave_each_out (b);
  for (gsize i = 0; i < a->n; i++)
    above[i] = to_figure (self, above[i] / dyno_pool_get_median (b));
  for (gsize i = 0; i < b->n; i++)
    below[i] = to_figure (self, dyno_pool_get_median (a) / below[i]);
  add_influences (above, a->n, &cubes, &squares);
  add_influences (below, b->n, &cubes, &squares);
  correct_bias (self, cubes, squares);
}

static gsize
get_max_blocks (gsize n_groups)
{
  return n_groups > 1 ? MAX_GROUP_BLOCKS : MAX_BLOCKS;
}

DynoBootstrap *
dyno_bootstrap_new_median (const DynoSample *groups, gsize n_groups, guint64 seed)
{
  g_autoptr (DynoPool) pool = dyno_pool_new (groups, n_groups, get_max_blocks (n_groups));
  double variance = 0, resampled = 0;
  DynoBootstrap *self;
  DynoRandom random;

  if (pool == NULL)
    return NULL;
  self = bootstrap_new (dyno_pool_get_median (pool), FALSE);
  dyno_random_init (&random, seed);
  for (gsize i = 0; i < self->n_figures; i++)
    self->figures[i] = dyno_pool_draw_median (pool, &random);
  settle_figures (self);
  /* Less between groups than within them is chance. */
  add_variances (fmax (pool->within, pool->between), pool->within, pool->n_groups, &variance, &resampled);
  allow_for_few (self, variance, resampled, pool->n_groups - 1.0);
  if (pool->n_groups > 1)
    {
      self->lowest = pool->lowest;
      self->highest = pool->highest;
    }
  correct_median_bias (self, pool);
  return self;
}

/* Resamples of blocks vary less than the noise that they are drawn from (Künsch, “The Jackknife and the Bootstrap for General
 * Stationary Observations”, 1989), so their own variance counts if it is smaller. The noise within comes from an interval of
 * whole ranks, which is wide: only half of it is the least variance of the ratio. */
DynoBootstrap *
dyno_bootstrap_new_ratio (const DynoSample *a, gsize n_a, const DynoSample *b, gsize n_b, guint64 seed)
{
  g_autoptr (DynoPool) above = dyno_pool_new (a, n_a, get_max_blocks (n_a));
  g_autoptr (DynoPool) below = dyno_pool_new (b, n_b, get_max_blocks (n_b));
  double variance = 0, resampled = 0;
  DynoBootstrap *self;
  DynoRandom random;

  if (above == NULL || below == NULL ||
      !(dyno_pool_get_median (above) > 0 && dyno_pool_get_median (below) > 0))
    return NULL;
  self = bootstrap_new (log (dyno_pool_get_median (above) / dyno_pool_get_median (below)), TRUE);
  dyno_random_init (&random, seed);
  for (gsize i = 0; i < self->n_figures; i++)
    self->figures[i] =
        to_figure (self, dyno_pool_draw_median (above, &random) / dyno_pool_draw_median (below, &random));
  settle_figures (self);
  add_relative_variances (above, &variance, &resampled);
  add_relative_variances (below, &variance, &resampled);
  variance = fmax (variance, (get_relative_noise (above) + get_relative_noise (below)) / 2);
  resampled = fmin (resampled, pow (self->deviation, 2));
  allow_for_few (self, variance, resampled, above->n_groups + below->n_groups - 2.0);
  correct_ratio_bias (self, above, below);
  return self;
}

/* Hodges and Lehmann's estimate: the median of the means of all pairs, here of logarithms. It uses nearly
 * as much of a few ratios as a mean would, and like a median it tolerates one block that is off. */
static double
estimate_ratio (const double *ratios, gsize n, double *means)
{
  gsize n_means = 0;

  for (gsize i = 0; i < n; i++)
    for (gsize k = i; k < n; k++)
      means[n_means++] = sqrt (ratios[i] * ratios[k]);
  dyno_stats_sort (means, n_means);
  return dyno_stats_percentile (means, n_means, 50);
}

/* Returns the ratio within each block that was drawn. */
static double
draw_paired_ratio (GPtrArray *above, GPtrArray *below, double *ratios, double *means, DynoRandom *random)
{
  gsize n = above->len;

  for (gsize i = 0; i < n; i++)
    {
      guint32 block = n > 1 ? dyno_random_below (random, n) : 0;

      ratios[i] = dyno_pool_draw_median (above->pdata[block], random) /
                  dyno_pool_draw_median (below->pdata[block], random);
    }
  return estimate_ratio (ratios, n, means);
}

static gboolean
add_pair (GPtrArray *above, GPtrArray *below, const DynoSample *a, const DynoSample *b)
{
  g_autoptr (DynoPool) pool_a = dyno_pool_new (a, 1, MAX_GROUP_BLOCKS);
  g_autoptr (DynoPool) pool_b = dyno_pool_new (b, 1, MAX_GROUP_BLOCKS);

  if (pool_a == NULL || pool_b == NULL)
    return TRUE;
  if (!(dyno_pool_get_median (pool_a) > 0 && dyno_pool_get_median (pool_b) > 0))
    return FALSE;
  g_ptr_array_add (above, g_steal_pointer (&pool_a));
  g_ptr_array_add (below, g_steal_pointer (&pool_b));
  return TRUE;
}

DynoBootstrap *
dyno_bootstrap_new_paired_ratio (const DynoSample *a, const DynoSample *b, gsize n_blocks, guint64 seed)
{
  g_autoptr (GPtrArray) above = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_pool_free);
  g_autoptr (GPtrArray) below = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_pool_free);
  g_autofree double *ratios = g_new (double, n_blocks);
  g_autofree double *means = g_new (double, n_blocks *(n_blocks + 1) / 2);
  double within = 0;
  DynoBootstrap *self;
  DynoRandom random;

  for (gsize i = 0; i < n_blocks; i++)
    if (!add_pair (above, below, &a[i], &b[i]))
      return NULL;
  if (above->len == 0)
    return NULL;
  for (guint i = 0; i < above->len; i++)
    ratios[i] = dyno_pool_get_median (above->pdata[i]) / dyno_pool_get_median (below->pdata[i]);
  self = bootstrap_new (log (estimate_ratio (ratios, above->len, means)), TRUE);
  dyno_random_init (&random, seed);
  for (gsize i = 0; i < self->n_figures; i++)
    self->figures[i] = to_figure (self, draw_paired_ratio (above, below, ratios, means, &random));
  settle_figures (self);
  for (guint i = 0; i < above->len; i++)
    {
      const DynoPool *pool_a = above->pdata[i];
      const DynoPool *pool_b = below->pdata[i];

      ratios[i] = log (dyno_pool_get_median (pool_a) / dyno_pool_get_median (pool_b));
      within += pool_a->within / pow (dyno_pool_get_median (pool_a), 2) +
                pool_b->within / pow (dyno_pool_get_median (pool_b), 2);
    }
  allow_for_few_ratios (self, ratios, within / above->len, above->len);
  return self;
}

/* Returns FALSE if there is no ratio at all. */
static gboolean
add_rounds (GPtrArray *pools, const DynoSample *rounds)
{
  g_autoptr (DynoPool) pool = dyno_pool_new (rounds, 1, MAX_GROUP_BLOCKS);

  if (pool == NULL)
    return TRUE;
  if (!(dyno_pool_get_median (pool) > 0))
    return FALSE;
  g_ptr_array_add (pools, g_steal_pointer (&pool));
  return TRUE;
}

static double
draw_ratio_of_rounds (GPtrArray *pools, double *ratios, double *means, DynoRandom *random)
{
  for (guint i = 0; i < pools->len; i++)
    {
      guint32 block = pools->len > 1 ? dyno_random_below (random, pools->len) : 0;

      ratios[i] = dyno_pool_draw_median (pools->pdata[block], random);
    }
  return estimate_ratio (ratios, pools->len, means);
}

DynoBootstrap *
dyno_bootstrap_new_ratio_of_rounds (const DynoSample *blocks, gsize n_blocks, guint64 seed)
{
  g_autoptr (GPtrArray) pools = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_pool_free);
  g_autofree double *ratios = g_new (double, n_blocks);
  g_autofree double *means = g_new (double, n_blocks *(n_blocks + 1) / 2);
  double within = 0;
  DynoBootstrap *self;
  DynoRandom random;

  for (gsize i = 0; i < n_blocks; i++)
    if (!add_rounds (pools, &blocks[i]))
      return NULL;
  if (pools->len == 0)
    return NULL;
  for (guint i = 0; i < pools->len; i++)
    ratios[i] = dyno_pool_get_median (pools->pdata[i]);
  self = bootstrap_new (log (estimate_ratio (ratios, pools->len, means)), TRUE);
  dyno_random_init (&random, seed);
  for (gsize i = 0; i < self->n_figures; i++)
    self->figures[i] = to_figure (self, draw_ratio_of_rounds (pools, ratios, means, &random));
  settle_figures (self);
  for (guint i = 0; i < pools->len; i++)
    {
      const DynoPool *pool = pools->pdata[i];

      ratios[i] = log (dyno_pool_get_median (pool));
      within += pool->within / pow (dyno_pool_get_median (pool), 2);
    }
  allow_for_few_ratios (self, ratios, within / pools->len, pools->len);
  return self;
}

void
dyno_bootstrap_free (DynoBootstrap *self)
{
  g_free (self->figures);
  g_free (self);
}

double
dyno_bootstrap_get_estimate (const DynoBootstrap *self)
{
  return self->is_ratio ? exp (self->estimate) : self->estimate;
}

/* Returns the point of the figures that bounds this tail of an interval. */
static double
tail_to_point (const DynoBootstrap *self, double tail)
{
  double z = self->bias + self->spread * dyno_stats_student_quantile (tail, self->freedom);

  return self->bias + z / (1 - self->acceleration * z);
}

static double
point_to_tail (const DynoBootstrap *self, double point)
{
  double z = point - self->bias;

  z = z / MAX (1 + self->acceleration * z, 0) - self->bias;
  return dyno_stats_student_probability (z / self->spread, self->freedom);
}

void
dyno_bootstrap_get_interval (const DynoBootstrap *self, double confidence, DynoInterval *interval)
{
  double tail = (1 - confidence) / 2;
  double reach;

  g_return_if_fail (confidence > 0 && confidence < 1);

  reach = self->deviation * self->spread * dyno_stats_student_quantile (1 - tail, self->freedom);
  interval->estimate = self->estimate;
  interval->low =
      MIN (get_figure (self, tail_to_point (self, tail)), MAX (self->estimate - reach, self->lowest));
  interval->high =
      MAX (get_figure (self, tail_to_point (self, 1 - tail)), MIN (self->estimate + reach, self->highest));
  if (self->is_ratio)
    *interval = (DynoInterval){ exp (interval->low), exp (interval->estimate), exp (interval->high) };
}

double
dyno_bootstrap_get_p_below (const DynoBootstrap *self, double value)
{
  return point_to_tail (self, get_point (self, to_figure (self, value), TRUE));
}

double
dyno_bootstrap_get_p_above (const DynoBootstrap *self, double value)
{
  return 1 - point_to_tail (self, get_point (self, to_figure (self, value), FALSE));
}
