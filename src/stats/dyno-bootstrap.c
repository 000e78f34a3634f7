/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-autocorrelation.h"
#include "dyno-bootstrap.h"
#include "dyno-distributions.h"
#include "dyno-random.h"
#include "dyno-stats.h"

/* Enough for the far ends of an interval over few processes. */
#define N_RESAMPLES 10000

/* More blocks than these tell no more and only cost time; blocks longer than needed are still valid. */
#define MAX_BLOCKS       256
#define MAX_GROUP_BLOCKS 64

/* So many resamples at either end are too few to tell how far it reaches; from there on the tails are taken as normal. */
#define N_EDGE 10

/* Counts of a block are 16 bits wide, so that a processor multiplies many at once. */
#define MAX_BLOCK_LENGTH G_MAXINT16

/* Into how many stretches the sorted values are divided for a search, and how long each is at least. */
#define N_MARKS    128
#define MIN_STRIDE 8

struct _DynoBootstrap
{
  double *figures; /* sorted */
  gsize n_figures;
  double estimate;
  double deviation; /* of the figures */
  double freedom;   /* of Student's distribution, for few processes */
  double spread;    /* how much too narrow as many processes as there are make it */
  double bias;      /* z₀ of BCa */
  double acceleration;
};

/* The values of several groups, sorted together; each knows the block it belongs to. */
typedef struct
{
  gsize n;
  double *sorted;
  guint32 *owners;
  gsize n_groups;
  gsize *first_blocks; /* of each group, and one more */
  guint32 *block_lengths;
  gboolean is_independent; /* one group whose values show no dependence */
  gsize stride;
  gsize n_marks;
  gint16 *below; /* how many values of each block lie before each mark */
  gint16 *weights;
  gsize n_drawn;
} Pool;

typedef struct
{
  double value;
  guint32 block;
} Entry;

static void
pool_free (Pool *pool)
{
  g_free (pool->sorted);
  g_free (pool->owners);
  g_free (pool->first_blocks);
  g_free (pool->block_lengths);
  g_free (pool->below);
  g_free (pool->weights);
  g_free (pool);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pool, pool_free)

static int
compare_entries (const void *a, const void *b)
{
  double x = ((const Entry *)a)->value;
  double y = ((const Entry *)b)->value;

  return (x > y) - (x < y);
}

static gsize
count_blocks (const DynoSample *group, gsize max_blocks)
{
  gsize n_blocks = group->n / dyno_stats_block_length (group->values, group->n);

  return MAX (MIN (n_blocks, max_blocks), group->n / MAX_BLOCK_LENGTH + 1);
}

/* Cuts the groups into blocks that follow each other. */
static void
pool_cut (Pool *pool, const DynoSample *groups, Entry *entries)
{
  gsize max_blocks = pool->n_groups == 1 ? MAX_BLOCKS : MAX_GROUP_BLOCKS;
  gsize n_blocks = 0;
  gsize n = 0;

  for (gsize g = 0; g < pool->n_groups; g++)
    {
      gsize count = count_blocks (&groups[g], max_blocks);

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
pool_get_n_blocks (const Pool *pool)
{
  return pool->first_blocks[pool->n_groups];
}

/* Counts at marks, so that a rank is found by halving instead of by counting through. */
static void
pool_mark (Pool *pool)
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

/* The groups have a value each at least, and finite ones alone. */
static Pool *
pool_new (const DynoSample *groups, gsize n_groups)
{
  Pool *pool = g_new0 (Pool, 1);
  g_autofree Entry *entries = NULL;

  for (gsize g = 0; g < n_groups; g++)
    pool->n += groups[g].n;
  entries = g_new (Entry, pool->n);
  pool->n_groups = n_groups;
  pool->first_blocks = g_new (gsize, n_groups + 1);
  pool->is_independent = n_groups == 1 && dyno_stats_block_length (groups[0].values, groups[0].n) == 1;
  pool_cut (pool, groups, entries);
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

/* As many blocks as the group has, four from each random number: sixteen bits favour one of so few blocks by less than a
 * hundredth. */
static void
pool_draw_blocks (Pool *pool, gsize group, DynoRandom *random)
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

/* Processes first, then blocks within each. */
static void
pool_draw (Pool *pool, DynoRandom *random)
{
  memset (pool->weights, 0, pool_get_n_blocks (pool) * sizeof (gint16));
  pool->n_drawn = 0;
  for (gsize i = 0; i < pool->n_groups; i++)
    pool_draw_blocks (pool, pool->n_groups > 1 ? dyno_random_below (random, pool->n_groups) : 0, random);
}

static gsize
pool_count_below (const Pool *pool, gsize mark)
{
  gsize n_blocks = pool_get_n_blocks (pool);
  const gint16 *below = pool->below + mark * n_blocks;
  gint32 count = 0;

  for (gsize i = 0; i < n_blocks; i++)
    count += below[i] * pool->weights[i];
  return count;
}

/* The last mark before which there are no more values than the rank; how many there are. */
static gsize
pool_find_mark (const Pool *pool, gsize rank, gsize *count)
{
  gsize low = 0;
  gsize high = pool->n_marks;

  *count = 0;
  while (high - low > 1)
    {
      gsize middle = (low + high) / 2;
      gsize below = pool_count_below (pool, middle);

      if (below <= rank)
        {
          low = middle;
          *count = below;
        }
      else
        high = middle;
    }
  return low;
}

/* The median of what was drawn; of an even number of values the mean of the two in the middle. */
static double
pool_get_median (const Pool *pool)
{
  gsize rank = (pool->n_drawn - 1) / 2;
  gsize next_rank = pool->n_drawn / 2;
  gsize count;
  gsize i = pool_find_mark (pool, rank, &count) * pool->stride;
  double value;

  for (count += pool->weights[pool->owners[i]]; count <= rank; count += pool->weights[pool->owners[i]])
    i++;
  value = pool->sorted[i];
  for (; count <= next_rank; count += pool->weights[pool->owners[i]])
    i++;
  return (value + pool->sorted[i]) / 2;
}

static double
pool_draw_median (Pool *pool, DynoRandom *random)
{
  pool_draw (pool, random);
  return pool_get_median (pool);
}

static double
pool_get_own_median (const Pool *pool)
{
  return dyno_stats_percentile (pool->sorted, pool->n, 50);
}

/* The median without each of the values in turn; there are two at least. */
static double *
pool_leave_each_out (const Pool *pool)
{
  const double *sorted = pool->sorted;
  gsize low = (pool->n - 2) / 2;
  gsize high = (pool->n - 1) / 2;
  double *medians = g_new (double, pool->n);

  for (gsize i = 0; i < pool->n; i++)
    medians[i] = (sorted[low + (i <= low)] + sorted[high + (i <= high)]) / 2;
  return medians;
}

static DynoBootstrap *
bootstrap_new (double estimate)
{
  DynoBootstrap *self = g_new0 (DynoBootstrap, 1);

  self->figures = g_new (double, N_RESAMPLES);
  self->n_figures = N_RESAMPLES;
  self->estimate = estimate;
  self->freedom = INFINITY;
  self->spread = 1;
  return self;
}

/* When all are drawn. */
static void
settle_figures (DynoBootstrap *self)
{
  double deviation = dyno_stats_standard_deviation (self->figures, self->n_figures);

  dyno_stats_sort (self->figures, self->n_figures);
  self->deviation = isfinite (deviation) ? deviation : 0;
}

/* The first figure that is at least the value, or with @or_equal beyond it. */
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

/* How many of the figures are below the value, those equal to it by half. */
static double
get_share_below (const DynoBootstrap *self, double value)
{
  return (count_figures (self, value, FALSE) + count_figures (self, value, TRUE)) / (2.0 * self->n_figures);
}

static double
get_edge (void)
{
  return dyno_stats_normal_quantile ((double)N_EDGE / N_RESAMPLES);
}

/* The figure at a point of the normal distribution. */
static double
get_figure (const DynoBootstrap *self, double z)
{
  double edge = get_edge ();
  double percent = 100 * dyno_stats_normal_probability (CLAMP (z, edge, -edge));

  return dyno_stats_percentile (self->figures, self->n_figures, percent) +
         self->deviation * (MIN (z - edge, 0) + MAX (z + edge, 0));
}

/* The other way round; between two figures, or at several that are equal, the share of figures up to @or_equal counts. */
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

/* Few processes differ less than many, and how much they differ is not well known. */
static void
allow_for_few (DynoBootstrap *self, double n_groups, double freedom)
{
  if (n_groups < 2)
    return;
  self->spread = sqrt (n_groups / (n_groups - 1));
  self->freedom = freedom;
}

/* What the cubes and squares of the influences of one sample's values add up to, in Efron's acceleration. */
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
  double share = get_share_below (self, self->estimate);

  if (share <= 0 || share >= 1)
    return;
  self->bias = dyno_stats_normal_quantile (share);
  self->acceleration = squares > 0 ? cubes / (6 * pow (squares, 1.5)) : 0;
}

static void
correct_median_bias (DynoBootstrap *self, const Pool *pool)
{
  g_autofree double *figures = NULL;
  double cubes = 0, squares = 0;

  if (!pool->is_independent || pool->n < 2)
    return;
  figures = pool_leave_each_out (pool);
  add_influences (figures, pool->n, &cubes, &squares);
  correct_bias (self, cubes, squares);
}

static void
correct_ratio_bias (DynoBootstrap *self, const Pool *a, const Pool *b)
{
  g_autofree double *above = NULL;
  g_autofree double *below = NULL;
  double cubes = 0, squares = 0;

  if (!a->is_independent || !b->is_independent || a->n < 2 || b->n < 2)
    return;
  above = pool_leave_each_out (a);
  below = pool_leave_each_out (b);
  for (gsize i = 0; i < a->n; i++)
    above[i] /= pool_get_own_median (b);
  for (gsize i = 0; i < b->n; i++)
    below[i] = pool_get_own_median (a) / below[i];
  add_influences (above, a->n, &cubes, &squares);
  add_influences (below, b->n, &cubes, &squares);
  correct_bias (self, cubes, squares);
}

static void
clear_sample (DynoSample *sample)
{
  g_free ((double *)sample->values);
}

static DynoSample
copy_numbers (const DynoSample *group)
{
  double *values = g_new (double, group->n);
  DynoSample sample = { values, 0 };

  for (gsize i = 0; i < group->n; i++)
    if (isfinite (group->values[i]))
      values[sample.n++] = group->values[i];
  return sample;
}

/* The numbers of the groups, or nothing where there are none; groups without numbers are left out. */
static Pool *
pool_new_of_numbers (const DynoSample *groups, gsize n_groups)
{
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (DynoSample));

  g_array_set_clear_func (kept, (GDestroyNotify)clear_sample);
  for (gsize g = 0; g < n_groups; g++)
    {
      DynoSample sample = copy_numbers (&groups[g]);

      if (sample.n > 0)
        g_array_append_val (kept, sample);
      else
        clear_sample (&sample);
    }
  return kept->len > 0 ? pool_new ((const DynoSample *)kept->data, kept->len) : NULL;
}

/**
 * dyno_bootstrap_new_median:
 * @groups: (array length=n_groups): what each process gave
 * @n_groups: how many processes there are
 * @seed: the same seed gives the same resamples
 *
 * Resamples the median of all values together: the processes first, then blocks of values within each (Davison and
 * Hinkley, “Bootstrap Methods and their Application”, 1997, 3.8; Carlstein's blocks, 1986, of the length that
 * [func@Dyno.stats_block_length] finds, or longer where there would be too many). Values that are no finite numbers are
 * left out.
 *
 * Returns: (transfer full) (nullable): the resamples; %NULL without a number
 */
DynoBootstrap *
dyno_bootstrap_new_median (const DynoSample *groups, gsize n_groups, guint64 seed)
{
  g_autoptr (Pool) pool = pool_new_of_numbers (groups, n_groups);
  DynoBootstrap *self;
  DynoRandom random;

  if (pool == NULL)
    return NULL;
  self = bootstrap_new (pool_get_own_median (pool));
  dyno_random_init (&random, seed);
  for (gsize i = 0; i < self->n_figures; i++)
    self->figures[i] = pool_draw_median (pool, &random);
  settle_figures (self);
  allow_for_few (self, pool->n_groups, pool->n_groups - 1);
  correct_median_bias (self, pool);
  return self;
}

/**
 * dyno_bootstrap_new_ratio:
 * @a: (array length=n_a): what each process of one case gave
 * @n_a: how many processes these are
 * @b: (array length=n_b): what each process of the other case gave
 * @n_b: how many processes these are
 * @seed: the same seed gives the same resamples
 *
 * Resamples the median of @a over the median of @b, each as [func@Dyno.Bootstrap.new_median] does.
 *
 * Returns: (transfer full) (nullable): the resamples; %NULL where one of the cases has no number, or a median that is
 *   not above zero
 */
DynoBootstrap *
dyno_bootstrap_new_ratio (const DynoSample *a, gsize n_a, const DynoSample *b, gsize n_b, guint64 seed)
{
  g_autoptr (Pool) above = pool_new_of_numbers (a, n_a);
  g_autoptr (Pool) below = pool_new_of_numbers (b, n_b);
  DynoBootstrap *self;
  DynoRandom random;

  if (above == NULL || below == NULL || !(pool_get_own_median (above) > 0 && pool_get_own_median (below) > 0))
    return NULL;
  self = bootstrap_new (pool_get_own_median (above) / pool_get_own_median (below));
  dyno_random_init (&random, seed);
  for (gsize i = 0; i < self->n_figures; i++)
    self->figures[i] = pool_draw_median (above, &random) / pool_draw_median (below, &random);
  settle_figures (self);
  allow_for_few (self, MIN (above->n_groups, below->n_groups), above->n_groups + below->n_groups - 2);
  correct_ratio_bias (self, above, below);
  return self;
}

/* The ratio within each block, and the median of them over the blocks that were drawn. */
static double
draw_paired_ratio (GPtrArray *above, GPtrArray *below, double *ratios, DynoRandom *random)
{
  gsize n = above->len;

  for (gsize i = 0; i < n; i++)
    {
      guint32 block = n > 1 ? dyno_random_below (random, n) : 0;

      ratios[i] =
          pool_draw_median (above->pdata[block], random) / pool_draw_median (below->pdata[block], random);
    }
  dyno_stats_sort (ratios, n);
  return dyno_stats_percentile (ratios, n, 50);
}

static double
find_paired_ratio (GPtrArray *above, GPtrArray *below, double *ratios)
{
  gsize n = above->len;

  for (gsize i = 0; i < n; i++)
    ratios[i] = pool_get_own_median (above->pdata[i]) / pool_get_own_median (below->pdata[i]);
  dyno_stats_sort (ratios, n);
  return dyno_stats_percentile (ratios, n, 50);
}

static gboolean
add_pair (GPtrArray *above, GPtrArray *below, const DynoSample *a, const DynoSample *b)
{
  g_autoptr (Pool) pool_a = pool_new_of_numbers (a, 1);
  g_autoptr (Pool) pool_b = pool_new_of_numbers (b, 1);

  if (pool_a == NULL || pool_b == NULL)
    return TRUE;
  if (!(pool_get_own_median (pool_a) > 0 && pool_get_own_median (pool_b) > 0))
    return FALSE;
  g_ptr_array_add (above, g_steal_pointer (&pool_a));
  g_ptr_array_add (below, g_steal_pointer (&pool_b));
  return TRUE;
}

/**
 * dyno_bootstrap_new_paired_ratio:
 * @a: (array length=n_blocks): what one case gave in each block
 * @b: (array length=n_blocks): what the other case gave in each block
 * @n_blocks: how many blocks there are
 * @seed: the same seed gives the same resamples
 *
 * Resamples the median over the blocks of the ratio within each, median of @a over median of @b, so that what changes
 * from block to block is no part of it. A block in which one of them has no number is left out.
 *
 * Returns: (transfer full) (nullable): the resamples; %NULL where no block is left, or a median is not above zero
 */
DynoBootstrap *
dyno_bootstrap_new_paired_ratio (const DynoSample *a, const DynoSample *b, gsize n_blocks, guint64 seed)
{
  g_autoptr (GPtrArray) above = g_ptr_array_new_with_free_func ((GDestroyNotify)pool_free);
  g_autoptr (GPtrArray) below = g_ptr_array_new_with_free_func ((GDestroyNotify)pool_free);
  g_autofree double *ratios = g_new (double, n_blocks);
  DynoBootstrap *self;
  DynoRandom random;

  for (gsize i = 0; i < n_blocks; i++)
    if (!add_pair (above, below, &a[i], &b[i]))
      return NULL;
  if (above->len == 0)
    return NULL;
  self = bootstrap_new (find_paired_ratio (above, below, ratios));
  dyno_random_init (&random, seed);
  for (gsize i = 0; i < self->n_figures; i++)
    self->figures[i] = draw_paired_ratio (above, below, ratios, &random);
  settle_figures (self);
  allow_for_few (self, above->len, above->len - 1);
  return self;
}

/**
 * dyno_bootstrap_free:
 * @self: (transfer full): resamples
 *
 * Frees them.
 */
void
dyno_bootstrap_free (DynoBootstrap *self)
{
  g_free (self->figures);
  g_free (self);
}

/**
 * dyno_bootstrap_get_estimate:
 * @self: resamples
 *
 * Returns: the figure of the values themselves
 */
double
dyno_bootstrap_get_estimate (const DynoBootstrap *self)
{
  return self->estimate;
}

/* The point below which the figures lie that an interval leaves out. */
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

/**
 * dyno_bootstrap_get_interval:
 * @self: resamples
 * @confidence: between 0 and 1, such as 0.95
 * @interval: (out): the interval
 *
 * The interval that the middle of the resamples fills. Over several processes it is wider by what so few of them
 * understate and by Student's distribution (the expanded percentile interval of Hesterberg, “What Teachers Should Know
 * About the Bootstrap”, 2015); beyond the last resamples the tails are taken as normal. Within one process whose values show no dependence, it is bias-corrected and accelerated
 * (Efron, “Better Bootstrap Confidence Intervals”, 1987).
 */
void
dyno_bootstrap_get_interval (const DynoBootstrap *self, double confidence, DynoInterval *interval)
{
  double tail = (1 - confidence) / 2;

  g_return_if_fail (confidence > 0 && confidence < 1);

  interval->estimate = self->estimate;
  interval->low = get_figure (self, tail_to_point (self, tail));
  interval->high = get_figure (self, tail_to_point (self, 1 - tail));
}

/**
 * dyno_bootstrap_get_p_below:
 * @self: resamples
 * @value: what the figure may be
 *
 * The p-value of the hypothesis that the true figure is at most @value, against that it is above: small where hardly a
 * resample is. It agrees with the intervals: that of confidence c has its low end at the value whose p-value is
 * (1 − c) / 2.
 *
 * Returns: the p-value
 */
double
dyno_bootstrap_get_p_below (const DynoBootstrap *self, double value)
{
  return point_to_tail (self, get_point (self, value, TRUE));
}

/**
 * dyno_bootstrap_get_p_above:
 * @self: resamples
 * @value: what the figure may be
 *
 * The p-value of the hypothesis that the true figure is at least @value, against that it is below.
 *
 * Returns: the p-value
 */
double
dyno_bootstrap_get_p_above (const DynoBootstrap *self, double value)
{
  return 1 - point_to_tail (self, get_point (self, value, FALSE));
}
