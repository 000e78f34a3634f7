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
  if (split.n_low == 0)
    return FALSE;
  /* A skewed distribution can also be cut well, but it leaves no gap. */
  double gap = sorted[split.n_low] - sorted[split.n_low - 1];
  double low = sorted[split.n_low - 1] - sorted[0];
  double high = sorted[n - 1] - sorted[split.n_low];
  if (gap <= MAX (low, high))
    return FALSE;
  modes->n_low = split.n_low;
  modes->n_high = n - split.n_low;
  modes->low = dyno_stats_mean (sorted, split.n_low);
  modes->high = dyno_stats_mean (sorted + split.n_low, n - split.n_low);
  modes->threshold = (sorted[split.n_low - 1] + sorted[split.n_low]) / 2;

  g_autofree double *drawn = g_new (double, n);
  DynoRandom random;
  guint n_as_good = 0;
  dyno_random_init (&random, n);
  for (guint i = 0; i < N_DRAWS; i++)
    {
      draw_normal (&random, drawn, n);
      dyno_stats_sort (drawn, n);
      n_as_good += split_best (drawn, n).within <= split.within;
    }
  modes->p = (n_as_good + 1.0) / (N_DRAWS + 1.0);

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
