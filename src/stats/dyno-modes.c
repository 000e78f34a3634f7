/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-random.h"
#include "dyno-stats.h"
#include "dyno-time-series.h"

/* Fewer values cannot show groups. */
#define MIN_VALUES 5

/* A single value is an outlier, not a mode. */
#define MIN_IN_MODE 2

#define SIGNIFICANCE 0.01
#define N_DRAWS      1000

typedef struct
{
  gsize n_low;
  double within; /* sum of squares about the two means, as a share of that about one */
} Split;

/* Returns the cut of the sorted values with the least squares about both means: Fisher's. */
static Split
split_best (const double *sorted, gsize n)
{
  Split best = { 0, 1 };
  double mean = dyno_stats_mean (sorted, n);
  double all = 0, low = 0;

  for (gsize i = 0; i < n; i++)
    all += (sorted[i] - mean) * (sorted[i] - mean);
  for (gsize n_low = 1; n_low + MIN_IN_MODE <= n; n_low++)
    {
      double within;

      low += sorted[n_low - 1] - mean;
      within = all > 0 ? 1 - low * low * n / (n_low * (n - n_low)) / all : 1;
      if (n_low >= MIN_IN_MODE && within < best.within)
        best = (Split){ n_low, within };
    }
  return best;
}

static void
draw_normal (DynoRandom *random, double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      double uniform = (double)(dyno_random_next (random) >> 11) * 0x1p-53;
      double angle = (double)(dyno_random_next (random) >> 11) * 0x1p-53;

      values[i] = sqrt (-2 * log1p (-uniform)) * cos (2 * G_PI * angle);
    }
}

/* Returns how often a sample of this size from one normal distribution can be cut as well as these values.
 **/
static double
find_p (gsize n, double within)
{
  g_autofree double *values = g_new (double, n);
  DynoRandom random;
  guint n_as_good = 0;

  dyno_random_init (&random, n);
  for (guint i = 0; i < N_DRAWS; i++)
    {
      draw_normal (&random, values, n);
      dyno_stats_sort (values, n);
      n_as_good += split_best (values, n).within <= within;
    }
  return (n_as_good + 1.0) / (N_DRAWS + 1.0);
}

/* A skewed distribution can also be cut well, but it leaves no gap. */
static gboolean
has_gap (const double *sorted, gsize n, gsize n_low)
{
  double gap = sorted[n_low] - sorted[n_low - 1];
  double low = sorted[n_low - 1] - sorted[0];
  double high = sorted[n - 1] - sorted[n_low];

  return gap > MAX (low, high);
}

gboolean
dyno_stats_find_modes (const double *values, gsize n, DynoModes *modes)
{
  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));
  Split split;

  *modes = (DynoModes){ .p = 1 };
  dyno_stats_sort (sorted, n);
  if (n < MIN_VALUES || isnan (sorted[n - 1]))
    return FALSE;
  split = split_best (sorted, n);
  if (split.n_low == 0 || !has_gap (sorted, n, split.n_low))
    return FALSE;
  modes->n_low = split.n_low;
  modes->n_high = n - split.n_low;
  modes->low = dyno_stats_mean (sorted, split.n_low);
  modes->high = dyno_stats_mean (sorted + split.n_low, n - split.n_low);
  modes->threshold = (sorted[split.n_low - 1] + sorted[split.n_low]) / 2;
  modes->p = find_p (n, split.within);
  return modes->p <= SIGNIFICANCE;
}

double
dyno_stats_between_share (const DynoSample *groups, gsize n_groups)
{
  g_autofree double *means = g_new (double, n_groups);
  double within = 0, error = 0, between;
  gsize n = 0;

  for (gsize g = 0; g < n_groups; g++)
    {
      double deviation = dyno_stats_standard_deviation (groups[g].values, groups[g].n);

      if (isnan (deviation))
        continue;
      means[n++] = dyno_stats_mean (groups[g].values, groups[g].n);
      within += deviation * deviation;
      error += deviation * deviation / dyno_stats_effective_size (groups[g].values, groups[g].n);
    }
  between = pow (dyno_stats_standard_deviation (means, n), 2) - error / n;
  between = between < 0 ? 0 : between;
  return between / (between + within / n);
}
